"""Strict reading of a JSON document: every value is checked, and errors state what is wrong and where."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from peneira.errors import WrapperError

# More than any page has; what is computed from numbers up to here stays finite
MAX_COUNT = 1_000_000_000
MAX_DECIMAL_CHARS = 30


def unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of a JSON document; raises ``ValueError`` if it has a key twice, as readers differ in that."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ValueError(f"the key {twice[:60]!r} is there twice")
    return values


class JsonObject:
    """An object of a JSON document, and where it is; every value is checked when it is read."""

    def __init__(self, where: str, data: object) -> None:
        self.where = where
        if not isinstance(data, dict):
            raise WrapperError(where, f"must be an object, not {_type_name(data)}")
        self._data = data

    def error(self, key: str, message: str) -> WrapperError:
        """Return an error about one key."""
        return WrapperError(self.where, f"{key}: {message}")

    def names(self) -> list[str]:
        """Return the keys."""
        return list(self._data)

    def document(self) -> dict[str, object]:
        """Return a copy of the object, with nothing checked."""
        return dict(self._data)

    def only(self, known: tuple[str, ...], *, all_needed: bool = True) -> None:
        """Raise an error for a key that is not known, or one that is missing."""
        for key in self._data:
            if key not in known:
                raise self.error(key, f"is not known here; known are {', '.join(known)}")
        missing = [key for key in known if key not in self._data] if all_needed else []
        if missing:
            raise self.error(missing[0], "is missing")

    def get(self, key: str, expected: type | tuple[type, ...]):  # type: ignore[no-untyped-def]
        """Return a value, which must be of the expected type."""
        value = self._data.get(key)
        is_boolean_for_number = isinstance(value, bool) and expected is not bool
        if key not in self._data or is_boolean_for_number or not isinstance(value, expected):
            types = expected if isinstance(expected, tuple) else (expected,)
            wanted = " or ".join(_TYPE_NAMES[each] for each in types)
            raise self.error(key, f"must be {wanted}, not {_type_name(value) if key in self._data else 'missing'}")
        return value

    def part(self, key: str, known: tuple[str, ...], *, all_needed: bool = True) -> JsonObject:
        """Return the object of a key."""
        part = JsonObject(f"{self.where}: {key}", self._data.get(key))
        part.only(known, all_needed=all_needed)
        return part

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        values: list[str] = self.get(key, list)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "must be a list of texts")
        return values

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        """Return a text that must be one of these."""
        value: str = self.get(key, str)
        if value not in known:
            raise self.error(key, f"{value!r} is not one of {', '.join(map(repr, known))}")
        return value

    def count(self, key: str) -> int:
        """Return a whole number that is not negative, nor larger than anything on a page."""
        value: int = self.get(key, int)
        if not 0 <= value <= MAX_COUNT:
            raise self.error(key, f"must be from 0 to {MAX_COUNT:,}")
        return value

    def share(self, key: str) -> float:
        """Return a number from 0 to 1."""
        return self.number(key, 0, 1)

    def number(self, key: str, minimum: int, maximum: int) -> float:
        """Return a number within bounds."""
        value = self.get(key, (int, float))
        if not minimum <= value <= maximum:
            raise self.error(key, f"must be from {minimum} to {maximum}")
        return float(value)

    def decimal(self, key: str) -> Decimal:
        """Return a decimal number, which is written as text."""
        text: str = self.get(key, str)
        try:
            value = Decimal(text) if len(text) <= MAX_DECIMAL_CHARS else Decimal("nan")
        except InvalidOperation as error:
            raise self.error(key, "must be a decimal number as text") from error
        if not value.is_finite() or abs(value.adjusted()) > MAX_DECIMAL_CHARS:
            raise self.error(key, f"must be a decimal number as text, of at most {MAX_DECIMAL_CHARS} digits")
        return value


_TYPE_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def _type_name(value: object) -> str:
    return _TYPE_NAMES.get(type(value), type(value).__name__)
