"""The words of class names that say what a value is; all others are style, layout, states, or names of programs.

``peneira train words`` learns the words from how many hosts use them, and how. A class name is read as words:
"job-card__listTitle--big" is "list" and "title".
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from peneira.errors import ModelError
from peneira.late_patterns import late_pattern
from peneira.short_text_cache import cache_of_short_texts
from peneira.xpath.class_words import is_generated, is_hash

FORMAT, VERSION = "peneira naming words", 1
_FILE = Path(__file__).with_name("models") / "words.json"
_WORD = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that may name a column: everywhere in a class name, or only at its end ("shoe-size", not "size-small").

    ``alone``: words that do so only if they are the whole class name.
    """

    everywhere: frozenset[str]
    at_end: frozenset[str]
    alone: frozenset[str] = frozenset()

    def naming_words(self, class_word: str) -> tuple[str, ...]:
        """Return the words of a class name that say what its element holds, in order.

        The last word of the modifier, "field--name-title", only if there are no others; a modifier of one word,
        "accent--color", is style.
        """
        if class_word in self.alone:
            return (class_word,)
        modifier = class_words(class_word.partition("--")[2])
        return self._known(class_words(class_word)) or (self._known(modifier[-1:]) if len(modifier) > 1 else ())

    def _known(self, words: tuple[str, ...]) -> tuple[str, ...]:
        last = len(words) - 1
        return tuple(
            word for k, word in enumerate(words) if word in self.everywhere or (k == last and word in self.at_end)
        )

    def to_json(self) -> str:
        """Return the vocabulary as JSON, the words in order."""
        words = {"everywhere": self.everywhere, "at_end": self.at_end, "alone": self.alone}
        fields = {name: " ".join(sorted(those)) for name, those in words.items()}
        return json.dumps({"format": FORMAT, "version": VERSION, **fields}, indent=0) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Vocabulary:
        """Return the vocabulary of JSON that ``to_json`` wrote."""
        try:
            fields = json.loads(text)
            if (fields["format"], fields["version"]) != (FORMAT, VERSION):
                raise ModelError(f"not {FORMAT!r} of version {VERSION}")
            return cls(*(frozenset(fields[name].split()) for name in ("everywhere", "at_end", "alone")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"not {FORMAT!r}: {error!r}") from error


@cache
def shipped_vocabulary() -> Vocabulary:
    """Return the vocabulary that ships with peneira."""
    return Vocabulary.from_json(_FILE.read_text(encoding="utf-8"))


@cache_of_short_texts(4096)
def naming_words(class_word: str) -> tuple[str, ...]:
    """Return the words of a class name that say what its element holds, by the vocabulary that ships."""
    return shipped_vocabulary().naming_words(class_word)


@cache_of_short_texts(4096)
def class_words(class_word: str) -> tuple[str, ...]:
    """Return the words of the element that a class names, in lower case; none if a program made the name.

    The block before ``__`` and the modifier after ``--`` do not name the element. If a program made what follows
    ``__``, as CSS modules do, the rest is the name. More than one ``--`` only separate words.
    """
    name = class_word.partition("--")[0] if class_word.count("--") == 1 else class_word
    block, _, element = name.rpartition("__")
    if block and _is_made_by_program(element):
        element = block.rpartition("__")[2]
    if _is_made_by_program(element):
        return ()
    ascii_words = unicodedata.normalize("NFKD", element).encode("ascii", "ignore").decode()
    return tuple(word.lower() for word in _WORD.findall(ascii_words))


def _is_made_by_program(word: str) -> bool:
    return is_hash(word) or is_generated(word)
