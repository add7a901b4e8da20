"""Print how many tokens pages and their tables for language models have: python tools/agent_tokens.py PAGE...

Tokens are estimated, as no tokenizer can be had without a network: a text is cut as tokenizers of the GPT family cut it
before they look for pairs (words with the space before them, numbers of up to three digits, runs of signs, runs of
white space). A word of more than six letters is one token per four letters begun, a run of signs one per two.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from peneira.limits import Limits
from peneira.mcp.answers import records_answer
from peneira.mcp.compact_table import TableOptions
from peneira.service.verbs import PageToRead

_PIECE = re.compile(r" ?[^\W\d_]+|\d{1,3}| ?[^\s\w]+|_+|\s+")
_WHOLE_WORD_CHARS = 6


def tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return sum(_tokens_of(piece) for piece in _PIECE.findall(text))


def _tokens_of(piece: str) -> int:
    word = piece.strip()
    if not word or word.isdigit():
        return 1
    if word.isalpha():
        return 1 if len(word) <= _WHOLE_WORD_CHARS else -(-len(word) // 4)
    return -(-len(word) // 2)


def main() -> None:
    """Print a line per page, and the sum."""
    total_page = total_answer = 0
    for name in sys.argv[1:]:
        html = Path(name).read_text(encoding="utf-8", errors="replace")
        answer = records_answer(PageToRead(name, html), Limits(), None, TableOptions())
        page, table = tokens(html), tokens(answer)
        total_page, total_answer = total_page + page, total_answer + table
        print(f"{Path(name).name:30} page {page:8,}  table {table:6,}  {page / table:6.1f}x  {answer.splitlines()[0]}")
    print(f"{'all':30} page {total_page:8,}  table {total_answer:6,}  {total_page / max(total_answer, 1):6.1f}x")


if __name__ == "__main__":
    main()
