"""Whether a page is a shell that scripts fill: little to read outside its navigation, and a sign of more to come.

The signs: the page asks for JavaScript, has an empty element for scripts to fill, says that it is loading, has frames,
or much script. A page that has nothing outside its navigation needs no sign but a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from peneira.kept_property import kept_property
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag
from peneira.page import Flags, Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import Region
from peneira.texts.navigation import is_menu, menu_rows, navigation_rows


@dataclass(frozen=True, slots=True)
class ShellOptions:
    """The thresholds of script shells; characters are those outside the navigation, unless they say otherwise."""

    # a page with more text than this, navigation included, is not looked at
    max_page_chars: int = 10_000
    # of the text for browsers without scripts, this much is read
    max_noscript_chars: int = 20_000
    max_chars: int = 400
    max_chars_beside_much_script: int = 100
    max_chars_of_bare_navigation: int = 40
    # what an image or an input counts for: galleries and forms have little text
    chars_per_image: int = 40
    # much script is one of these
    min_inline_chars: int = 10_000
    min_external_scripts: int = 5
    # elements of these numbers without any content, beside few texts, are the places of records to come
    min_skeletons: int = 3
    min_empty_elements: int = 8
    max_texts_per_empty_element: float = 0.5


SHELL_OPTIONS = ShellOptions()

# Words and the gaps between them have a maximum length: without it, a page of one long word takes minutes
_GAP = r"\W{1,8}(?:\w{1,24}\W{1,8}){0,4}"
NEEDS_JAVASCRIPT = late_pattern(
    rf"(?:enable|requires?|need|turn on|activate|habilit|ativ|activ|aktivier)\w{{0,12}}{_GAP}javascript"
    rf"|javascript{_GAP}(?:enabled|required|disabled|desativado|desactivado|deaktiviert|désactivé)",
    re.IGNORECASE,
)
_LOADING = late_pattern(
    r"(?:(?:now |still )?loading|please wait|one moment|carregando|aguarde|cargando|espere|chargement"
    r"|veuillez patienter|(?:wird |daten werden )?geladen|lädt|laden|bitte warten|caricamento|attendere"
    r"|wczytywanie|ładowanie|загрузка|yükleniyor|読み込み中|加载中|載入中|로딩 ?중)(?:\b.{0,40})?",
    re.IGNORECASE,
)
MAX_LOADING_CHARS = 60
_SKELETON = late_pattern(r"skeleton|shimmer|placeholder|ghost-|spinner|loader|loading", re.IGNORECASE)
# Empty elements that scripts fill with something beside the content
_NO_MOUNT = late_pattern(
    r"modal|dialog|pop-?up|overlay|toast|tooltip|lightbox|backdrop|drawer|cookie|consent|gdpr|notif|snackbar|alert"
    r"|chat|captcha|fb-root|google|gtm|analytics|track|pixel|banner|advert|(?:^|[-_])ads?(?:$|[-_\d])"
    r"|comment|disqus|share|social|announce|portal|(?:^|[-_])top$|skip|clear|spacer|anchor|print|progress",
    re.IGNORECASE,
)
_MOUNT_TAGS = ("div", "main", "section")
_PLACE_TAGS = ("div", "section", "article", "li", "p", "td", "span")
_MEDIA_TAGS = ("img", "picture", "video", "audio", "object", "embed", "canvas", "input", "textarea", "select")
_ACTIVE_TAGS = frozenset({"script", "noscript", "iframe", "frame"})
# Types of script elements that are data
_DATA_SCRIPT = late_pattern(r"json|template|html|x-|importmap|speculationrules", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sign:
    """A sign that scripts fill the page, in words, and how many characters the page may have beside it."""

    words: str
    max_chars: int = SHELL_OPTIONS.max_chars


def script_shell_reason(page: Page, main: Region | None = None) -> Reason | None:
    """Return why a page is a shell that scripts fill, None if it is none.

    ``main``: the main list of the page, if it has one: a page whose main list is more than a menu is no shell.
    """
    if not len(page) or (main is not None and not (_ACTIVE_TAGS.intersection(page.tag_names) and is_menu(page, main))):
        return None
    shown = len(page.visible_text(page.body))
    if shown > SHELL_OPTIONS.max_page_chars:
        return None
    outline = _Outline(page)
    menus = outline.menus | _rows_of(page, main)
    chars = outline.chars_outside(menus)
    weight = chars + outline.media_outside(menus) * SHELL_OPTIONS.chars_per_image
    if weight > SHELL_OPTIONS.max_chars:  # with whatever sign
        return None
    # a menu that nothing marks as one may be all that a small page has to say
    has_bare_menu = outline.chars_outside(~menus) > 0
    sign = next((sign for sign in outline.signs(has_bare_menu=has_bare_menu) if weight <= sign.max_chars), None)
    if sign is None:
        return None
    where = " outside its navigation" if chars < shown else ""
    return Reason(ReasonCode.SCRIPT_SHELL, f"{counted(chars, 'character')} of text{where}, with {sign.words}")


def content_text(page: Page) -> str:
    """Return the text of a page outside its navigation."""
    return _Outline(page).content_text if len(page) else ""


def _rows_of(page: Page, region: Region | None) -> Flags:
    """Return which rows are those of a list."""
    flags = np.zeros(len(page), dtype=np.bool_)
    for start, end in (pair for record in (region or ()) for pair in record.ranges):
        flags[start:end] = True
    return flags


class _Outline:
    """What is navigation on a page and what is not, and the signs that scripts fill it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.navigation = navigation_rows(page)
        self._scripts = [i for i in np.flatnonzero(is_tag(page, ("script",))).tolist() if _runs(page, i)]

    @kept_property
    def menus(self) -> Flags:
        return menu_rows(self.page, self.navigation)

    @kept_property
    def _content(self) -> Flags:
        """The rows that are no navigation. What a page that was sent hides is there, and scripts only show it."""
        visible = self.page.seen if self.page.layout else ~self.page.silent
        return np.asarray(visible & ~self.navigation)

    @kept_property
    def _texts(self) -> list[tuple[int, str]]:
        """The texts outside the navigation, with their rows."""
        rows = np.flatnonzero((self.page.tag == 0) & self._content).tolist()
        return [(i, " ".join(self.page.text[i].split())) for i in rows]

    @property
    def content_text(self) -> str:
        return " ".join(text for _, text in self._texts)

    def chars_outside(self, rows: Flags) -> int:
        """Return how many characters there are to read outside the navigation and some rows."""
        return sum(len(text) for i, text in self._texts if not rows[i] and not _is_loading(text))

    def media_outside(self, rows: Flags) -> int:
        """Return how many images, players and inputs there are outside the navigation and some rows."""
        media = np.flatnonzero(is_tag(self.page, _MEDIA_TAGS) & self._content & ~rows).tolist()
        return sum(self.page.attrs[i].get("type") != "hidden" for i in media)

    def signs(self, *, has_bare_menu: bool) -> Iterator[_Sign]:
        """Yield the signs that scripts or frames fill the page, the clearest first."""
        if NEEDS_JAVASCRIPT.search(f"{_noscript_text(self.page)} {self.content_text[: SHELL_OPTIONS.max_page_chars]}"):
            yield _Sign("a request to turn JavaScript on")
        if self._scripts:
            yield from self._signs_of_scripts(has_bare_menu=has_bare_menu)
        if frames := _frame_count(self.page):
            yield _Sign(counted(frames, "frame"))

    def _signs_of_scripts(self, *, has_bare_menu: bool) -> Iterator[_Sign]:
        scripts = counted(len(self._scripts), "script")
        if mount := next(self._mount_points(), None):
            yield _Sign(f"{scripts} and an empty {mount}")
        if any(_is_loading(text) for _, text in self._texts):
            yield _Sign(f"{scripts} and a text that says it is loading")
        if self._has_skeletons():
            yield _Sign(f"{scripts} and many empty elements")
        if much_script := self._much_script():
            yield _Sign(f"{much_script} and little else", SHELL_OPTIONS.max_chars_beside_much_script)
        if not has_bare_menu:
            yield _Sign(scripts, SHELL_OPTIONS.max_chars_of_bare_navigation)

    def _mount_points(self) -> Iterator[str]:
        """Yield the elements that scripts may fill: empty ones with an id, custom elements without text."""
        page = self.page
        has_media = np.concatenate(([0], np.cumsum(is_tag(page, _MEDIA_TAGS))))
        for i in np.flatnonzero(self._content & (page.tag != 0) & (page.text_chars == 0)).tolist():
            name, id_ = page.name(i), page.attrs[i].get("id", "")
            if i <= page.body or _NO_MOUNT.search(f"{name} {id_}") or has_media[page.end[i]] > has_media[i]:
                continue
            is_outermost = page.name(page.lists.parent[i]) in ("body", "main")
            if "-" in name or (id_ and name in _MOUNT_TAGS and (page.end[i] == i + 1 or is_outermost)):
                yield f"<{name} id={id_}>" if id_ else f"<{name}>"

    def _has_skeletons(self) -> bool:
        page = self.page
        is_empty = is_tag(page, _PLACE_TAGS) & self._content & (page.end == np.arange(len(page)) + 1)
        rows = np.flatnonzero(is_empty).tolist()
        if sum(bool(_SKELETON.search(page.attrs[i].get("class", ""))) for i in rows) >= SHELL_OPTIONS.min_skeletons:
            return True
        are_many = len(rows) >= SHELL_OPTIONS.min_empty_elements
        return are_many and len(self._texts) <= SHELL_OPTIONS.max_texts_per_empty_element * len(rows)

    def _much_script(self) -> str:
        """Return in words what much script the page has, "" if it has not much, or if the scripts have run."""
        page = self.page
        if page.layout is not None:
            return ""
        if any(page.attrs[i].get("type", "").lower() == "module" for i in self._scripts):
            return "a module script"
        external = sum("src" in page.attrs[i] for i in self._scripts)
        if external >= SHELL_OPTIONS.min_external_scripts:
            return f"{external} external scripts"
        inline = sum(len(page.text[child]) for i in self._scripts for child in page.children(i))
        return f"{inline:,} characters of script" if inline >= SHELL_OPTIONS.min_inline_chars else ""


def _runs(page: Page, script: int) -> bool:
    """Return whether a script element is code, not data."""
    return not _DATA_SCRIPT.search(page.attrs[script].get("type", ""))


def _is_loading(text: str) -> bool:
    return len(text) <= MAX_LOADING_CHARS and bool(_LOADING.fullmatch(text))


def _noscript_text(page: Page) -> str:
    """Return the text for browsers without JavaScript, as much of it as can hold a request to turn it on."""
    texts: list[str] = []
    chars = read_to = 0
    for row in np.flatnonzero(is_tag(page, ("noscript",))).tolist():
        for i in range(max(row, read_to), int(page.end[row])):  # those in others were read with them
            texts.append(page.text[i])
            chars += len(page.text[i])
            if chars > SHELL_OPTIONS.max_noscript_chars:
                return " ".join(texts)[: SHELL_OPTIONS.max_noscript_chars]
        read_to = max(read_to, int(page.end[row]))
    return " ".join(texts)


def _frame_count(page: Page) -> int:
    """Return the number of frames that show other pages, without tracking frames of no size."""
    rows = np.flatnonzero(is_tag(page, ("iframe", "frame")) & page.seen).tolist()
    return sum(
        page.end[i] == i + 1
        and bool({"src", "srcdoc"} & page.attrs[i].keys())
        and page.attrs[i].get("width", "") not in ("0", "1")
        and page.attrs[i].get("height", "") not in ("0", "1")
        for i in rows
    )
