"""A kept property is computed when it is first read."""

from __future__ import annotations

from peneira.kept_property import kept_property


class Page:
    """Counts how often its text is made."""

    def __init__(self) -> None:
        self.times = 0

    @kept_property
    def text(self) -> str:
        """The text."""
        self.times += 1
        return "made"


def test_a_kept_property_is_computed_once_per_object():
    page, other = Page(), Page()
    assert (page.text, page.text, other.text, page.times) == ("made", "made", "made", 1)


def test_a_kept_property_can_be_set_and_forgotten():
    page = Page()
    page.text = "given"
    assert (page.text, page.times) == ("given", 0)
    del page.text
    assert (page.text, page.times) == ("made", 1)


def test_a_kept_property_keeps_its_docstring():
    assert Page.text.__doc__ == "The text."
