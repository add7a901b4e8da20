"""Columns that say what others say: texts for screen readers, parts beside their whole, words around a title.

Of a text and one that repeats it, the one that is wanted less is kept aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import TEXT_ATTRIBUTES, WHOLE, RawColumn
from peneira.columns.roles import ScoredColumns
from peneira.columns.slot_alignment import with_ancestors
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.values import Role

column_values = compiled("column_values")


@dataclass(frozen=True, slots=True)
class RepetitionOptions:
    """When a column says what others say."""

    # A column repeats another if this share of its cells are in the cells of that one
    min_repeated_share: float = 0.9
    # A whole text is told by its parts if they have this share of its characters
    min_told_share: float = 0.75
    # A text retells others if this many are in it, and have this share of its characters
    min_retold: int = 3
    min_retold_share: float = 0.5
    # A shorter text is in another by chance, as 1 is in 1/2019
    min_repeated_chars: int = 4
    # Fewer different numbers are in another text by chance
    min_spoken: int = 3
    # Shorter numbers may be counts
    min_code_chars: int = 6
    # This many records show whether a column repeats another
    max_compared: int = 60


OPTIONS = RepetitionOptions()

ADDRESSES = frozenset({"href", "src"})
_LEADING_ZEROS = late_pattern(r"(?<![\d.,])0+(?=\d)")
_FILE_NAME = late_pattern(r"\.(?:pdf|docx?|xlsx?|rtf|txt|zip|mp3|mp4|wav|wma)$")
# What a text for screen readers may be taken for
_MAY_RETELL: frozenset[Role | None] = frozenset({None, "summary", "description"})
# Roles that a typed value with words around it gets for want of another
_WEAK_ROLES: frozenset[Role | None] = _MAY_RETELL | {"subtitle", "category", "tags", "address", "location", "id"}


def is_told_by_parts(k: int, candidates: CandidateColumns, wanted: Sequence[int]) -> bool:
    """Return whether the parts of a whole text that are shown too say nearly all that it says."""
    column = candidates.columns[k]
    if column.attribute != WHOLE or (column.slot.column >= 0 and candidates.names[k].header):
        return False
    parts = [candidates.columns[other] for other in wanted if candidates.columns[other].container is column]
    if len(parts) < 2:
        return False
    chars = sum([len(value.text) for part in parts for values in part.values.values() for value in values])
    of_whole = sum(map(len, column.first_texts().values()))
    return chars >= OPTIONS.min_told_share * of_whole


def without_retold(candidates: CandidateColumns, roles: Sequence[Role | None], wanted: Sequence[int]) -> list[int]:
    """Return the columns without texts that say again what several columns of their record say, as texts for screen
    readers do."""
    columns = candidates.columns
    texts = [k for k in wanted if columns[k].attribute not in ADDRESSES and not columns[k].is_list]
    if len(texts) <= OPTIONS.min_retold:
        return list(wanted)
    firsts = [columns[k].first_texts() for k in texts]
    compared: list[dict[int, str]] = [{} for _ in texts]
    retold: set[int] = set()
    for n, k in enumerate(texts):
        if roles[k] in _MAY_RETELL:
            inside = [columns[other].container is columns[k] for other in texts]
            count = retold_chars_plain if column_values is None else column_values.retold_chars
            told, chars, of_text = count(
                n, firsts, compared, inside, OPTIONS.max_compared, OPTIONS.min_repeated_share, compared_plain
            )
            if told >= OPTIONS.min_retold and chars >= OPTIONS.min_retold_share * of_text:
                retold.add(k)
    return [k for k in wanted if k not in retold]


def retold_chars_plain(
    own: int,
    texts: Sequence[Mapping[int, str]],
    known: Sequence[dict[int, str]],
    skipped: Sequence[bool],
    most: int,
    min_share: float,
    plain: Callable[[str], str],
) -> tuple[int, int, int]:
    """Return what the kernel ``retold_chars`` returns, in plain Python."""

    def compared(k: int, record: int) -> str:
        if record not in known[k]:
            known[k][record] = plain(texts[k][record])
        return known[k][record]

    own_texts = {record: compared(own, record) for record in islice(texts[own], most)}
    told = chars = 0
    for k, others in enumerate(texts):
        if skipped[k] or k == own:
            continue
        records = [record for record in own_texts if record in others]
        possible_hits, own_chars = len(records), 0
        for record in records:
            text = compared(k, record)
            if len(text) > 1 and text in own_texts[record]:
                own_chars += len(text)
            else:
                possible_hits -= 1
                if possible_hits < min_share * len(records):
                    break
        else:
            told += bool(records)
            chars += own_chars
    return told, chars, sum(map(len, own_texts.values()))


def without_repetitions(
    candidates: CandidateColumns,
    scored: ScoredColumns,
    roles: Sequence[Role | None],
    wanted: Sequence[int],
    is_announced: Callable[[int, CandidateColumns], bool],
) -> list[int]:
    """Return the columns without those whose cells are in the cells of another; the less wanted go first.

    ``is_announced``: whether a header or label shows that a column is a field, whatever its values.
    """
    columns, names = candidates.columns, candidates.names
    cells = {k: _compared_cells(columns[k]) for k in wanted}
    shown = list(wanted)
    for k in sorted(wanted, key=lambda k: (roles[k] is not None, scored.interest[k])):
        if roles[k] is None and columns[k].attribute == "href" and _leads_where_others_do(k, columns, shown):
            shown.remove(k)
            continue
        is_spoken = columns[k].attribute not in TEXT_ATTRIBUTES and columns[k].attribute not in ADDRESSES
        if columns[k].nested or roles[k] == "title":
            continue
        texts = [other for other in shown if other != k and columns[other].attribute not in ADDRESSES]
        if roles[k] in _WEAK_ROLES and any(
            _is_said_by(k, other, candidates) and _is_all_but_template(cells[k], cells[other], min_letters=3)
            for other in texts
        ):
            shown.remove(k)
            continue
        if roles[k] == "id" and columns[k].part and columns[k].slot.column < 0:
            titles = [other for other in texts if roles[other] == "title"]
            if any(_is_all_but_template(cells[other], cells[k]) for other in titles):
                shown.remove(k)  # "Auction 2026/15" says what the number in "More (reference 2026/15)" says
                continue
        if roles[k] is not None and not is_spoken:
            continue
        is_cell = columns[k].slot.column >= 0 and is_announced(k, candidates)
        addresses = [other for other in shown if other != k and columns[other].attribute in ADDRESSES]
        around = [
            other
            for other in texts
            if _may_be_around(columns[k], columns[other]) or (roles[other] == "title" and _is_control(columns[k]))
        ]
        if (not is_cell and any(_is_all_but_template(cells[k], cells[other]) for other in around)) or (
            any(are_file_names(cells[k], cells[other]) for other in addresses)
        ):
            shown.remove(k)
            continue
        if roles[k] is not None or is_cell:
            continue
        is_address = (
            columns[k].attribute in ADDRESSES
            or candidates.types[k].type == "url"
            or (not names[k].label and _are_codes(cells[k]))
        )
        if candidates.types[k].type == "url" and columns[k].attribute in TEXT_ATTRIBUTES:
            addresses = [other for other in addresses if not _adds_query(cells[other], cells[k])]
        if any(_is_inside(cells[k], cells[other]) for other in (*texts, *(addresses if is_address else ()))) or (
            candidates.types[k].type in ("integer", "number")
            and any(_is_spoken(cells[k], cells[other]) for other in texts)
        ):
            shown.remove(k)
    return shown


def _leads_where_others_do(k: int, columns: Sequence[RawColumn], shown: Sequence[int]) -> bool:
    """Return whether the addresses of a column are those of another, or places in or parts of the page there."""
    own = {record: [_page_of(value.text) for value in values] for record, values in columns[k].values.items()}
    for other in shown:
        if other == k or columns[other].attribute != "href" or columns[other].is_list:
            continue
        pages = {record: _page_of(text) for record, text in columns[other].first_texts().items()}
        if columns[k].is_list:
            same = sum(
                record in pages and all(page.startswith(pages[record]) for page in those)
                for record, those in own.items()
            )
        else:
            same = sum(pages.get(record) == those[0] for record, those in own.items())
        if same >= OPTIONS.min_repeated_share * len(own):
            return True
    return False


def _page_of(url: str) -> str:
    """Return an address without its scheme, the place in the page, and a slash at its end."""
    return url.partition("://")[2].partition("#")[0].rstrip("/")


def _may_be_around(column: RawColumn, other: RawColumn) -> bool:
    """Return whether a column may be another one with words around it: a text around its part, or an attribute."""
    return column.attribute not in TEXT_ATTRIBUTES or any(outer is column for outer in other.containers())


def _is_said_by(k: int, other: int, candidates: CandidateColumns) -> bool:
    """Return whether a text may be the typed value of another column with words around it: "Published on 5 May"."""
    is_headed = candidates.columns[k].slot.column >= 0 and bool(candidates.names[k].header)
    return not is_headed and candidates.types[other].type not in ("text", "list", "url", "image")


def _are_codes(cells: Mapping[int, str]) -> bool:
    """Return whether texts are numbers for programs, which nobody reads beside an address that contains them."""
    return all(len(text) >= OPTIONS.min_code_chars and text.isdigit() for text in cells.values())


def _is_control(column: RawColumn) -> bool:
    """Return whether a text is that of a link or a button, as "Add X to the list"."""
    return any(slot.features.tag in ("a", "button") for slot in with_ancestors(column.slot))


def _is_all_but_template(cells: Mapping[int, str], others: Mapping[int, str], *, min_letters: int = 0) -> bool:
    """Return whether cells are those of another column and words that are the same in all records: "Add X to cart".

    ``min_letters``: the words have at least so many.
    """
    rest: dict[str, int] = {}
    min_chars = 1 if min_letters else OPTIONS.min_repeated_chars
    possible, least = len(cells), OPTIONS.min_repeated_share * len(cells)
    for record, text in cells.items():
        inside = others.get(record, "")
        if len(inside) >= min_chars and inside in text:
            words = text.replace(inside, "", 1)
            if not words:
                return False
            rest[words] = rest.get(words, 0) + 1
        else:
            possible -= 1
            if possible < least:
                return False
    words, count = max(rest.items(), key=lambda item: item[1], default=("", 0))
    has_words = sum(map(str.isalpha, words)) >= min_letters
    return count >= least and has_words


def are_file_names(cells: Mapping[int, str], addresses: Mapping[int, str]) -> bool:
    """Return whether texts are the names of the files that addresses lead to, with or without their ending."""
    if not _is_inside(cells, addresses):
        return False
    named = sum(
        _FILE_NAME.search(text) is not None or _FILE_NAME.sub("", addresses.get(record, "")).rpartition("/")[2] == text
        for record, text in cells.items()
    )
    return named >= OPTIONS.min_repeated_share * len(cells)


def _is_inside(cells: Mapping[int, str], others: Mapping[int, str]) -> bool:
    possible, least, min_chars = len(cells), OPTIONS.min_repeated_share * len(cells), OPTIONS.min_repeated_chars
    for record, text in cells.items():
        other = others.get(record)
        if text != other and (other is None or len(text) < min_chars or text not in other):
            possible -= 1
            if possible < least:
                return False
    return True


def _adds_query(addresses: Mapping[int, str], texts: Mapping[int, str]) -> bool:
    """Return whether addresses have a query that the page does not show, as those that count clicks do."""
    added = sum("?" in addresses.get(record, "") and "?" not in text for record, text in texts.items())
    return added >= OPTIONS.min_repeated_share * len(texts)


def _is_spoken(cells: Mapping[int, str], others: Mapping[int, str]) -> bool:
    """Return whether another column says what numbers are: 4 and "4 gold badges", 4.5 and "4.5 out of 5"."""
    spoken = sum(
        others.get(record, "").startswith(text) and others[record][len(text) : len(text) + 1].isalpha()
        for record, text in cells.items()
    )
    return spoken >= OPTIONS.min_repeated_share * len(cells) and len(set(cells.values())) >= OPTIONS.min_spoken


def _compared_cells(column: RawColumn) -> dict[int, str]:
    """Return the first cells of a column as they are compared."""
    cells = column.cell_texts()
    if column_values is not None:
        found: dict[int, str] = column_values.compared_cells(cells, OPTIONS.max_compared, compared_plain)
        return found
    first = islice(cells.items(), OPTIONS.max_compared)
    return {record: compared_plain(text if isinstance(text, str) else "".join(text)) for record, text in first}


def compared_plain(text: str) -> str:
    """Return a text as cells are compared: without zeros before a number ("May 08") and spaces, in lower case."""
    if "0" in text:
        text = _LEADING_ZEROS.sub("", text)
    return text.replace(" ", "").lower()
