"""The documentation is true: its examples run, its links lead somewhere, its reference is that of the code."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import peneira
from doc_blocks import Session, blocks_of
from doc_pages import saved_pages, served_pages
from peneira.cli.main import VERBS, added_verbs, cli
from sites import Site, serving

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [*WRITTEN, ROOT / "CHANGELOG.md", *sorted(REFERENCE.glob("*.md"))]
RUN = ("python", "console", "sh")
LANGUAGES = (*RUN, "text", "json")
_INLINE_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:\$ |.*\| |.*\|\| )?(peneira .*)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def without_blocks(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving(dict(served_pages())) as site:
        yield site


@pytest.mark.parametrize(
    "page", [page for page in WRITTEN if any(b.language in RUN for b in blocks_of(page))], ids=name_of
)
def test_every_example_runs_and_prints_what_the_page_shows(
    page: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "work"
    folder.mkdir()
    if page.name != "tutorial.md":  # which needs nothing but what it writes itself
        shutil.copytree(ROOT / "demo", folder / "demo", ignore=shutil.ignore_patterns("records.csv"))
        for name, html in saved_pages().items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(html, encoding="utf-8")
    session = Session(folder, site.url("").rstrip("/"), monkeypatch)
    # a block fails by itself where it does not run or prints something else than the page shows
    runnable = [block for block in blocks_of(page) if block.language in RUN and block.reason is None]
    for block in runnable:
        session.run(block)
    assert runnable, f"{name_of(page)}: every block is marked as not run"


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_a_block_that_is_not_run_says_why(page: Path):
    for block in blocks_of(page):
        assert block.language in LANGUAGES, f"{block.place}: name the language: {', '.join(LANGUAGES)}"
        assert block.reason != "", f"{block.place}: say why: <!-- not run: ... -->"
        if block.language == "text":
            assert not re.search(r"^(\$ |peneira \w|import |>>> )", block.text, re.MULTILINE), f"{block.place}: is code"


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_command_and_option_in_the_docs_exists(page: Path):
    lines = [
        line for block in blocks_of(page) if block.language in ("console", "sh") for line in block.text.splitlines()
    ]
    spans = _INLINE_CODE.findall(without_blocks(page))
    for text in [*lines, *(span for span in spans if span.startswith("peneira "))]:
        named = _COMMAND.match(text)
        if named:
            check_command(named[1].split(" #")[0].split(), name_of(page))
    options = all_options()
    for span in spans:
        if span.startswith("--"):
            assert re.split("[ =]", span)[0] in options, f"{name_of(page)}: no command has {span}"


def check_command(words: list[str], place: str) -> None:
    """Check that the verb of a command line is there, and that it has the options."""
    if words[1] not in VERBS and words[1] not in added_verbs() and words[1] in ("bench", "train"):
        return  # the research package is not installed
    command: click.Command = cli
    rest = words[1:]
    while isinstance(command, click.Group) and rest and re.fullmatch(r"[a-z]\w*", rest[0]):
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, f"{place}: no such command: {' '.join(words)}"
        command, rest = found, rest[1:]
    known = options_of(command)
    for word in rest:
        if word in ("|", "||", "&&", ">"):
            break
        option = word.split("=")[0]
        assert not option.startswith("-") or option == "-" or option in known, f"{place}: no option {option}: {words}"


def options_of(command: click.Command) -> set[str]:
    own = (option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts))
    return {"--help", "--version", *own}


def all_options() -> set[str]:
    found: set[str] = set()
    pending: list[click.Command] = [cli]
    while pending:
        command = pending.pop()
        found |= options_of(command)
        if isinstance(command, click.Group):
            context = click.Context(command)
            pending += [sub for name in command.list_commands(context) if (sub := command.get_command(context, name))]
    return found


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_public_name_and_file_in_the_docs_exists(page: Path):
    text = without_blocks(page)
    for name in re.findall(r"`peneira\.([A-Za-z_]+)", text):
        assert hasattr(peneira, name) or importlib.util.find_spec(f"peneira.{name}"), f"{name_of(page)}: peneira.{name}"
    roots = (ROOT, ROOT / "src" / "peneira", ROOT / "research" / "src" / "peneira_research")
    for name in _INLINE_CODE.findall(text):
        if re.fullmatch(r"[\w./-]+\.(py|pxd|json|toml|yml)", name) and "/" in name:
            assert any((root / name).exists() for root in roots), f"{name_of(page)}: there is no {name}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_page_and_a_heading(page: Path):
    for link in _LINK.findall(without_blocks(page)):
        if re.match("https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name_of(page)}: {link}"
        if anchor:
            assert anchor in anchors_of(target), f"{name_of(page)}: {link}"


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of the headings, as MkDocs and GitHub make them."""
    headings = [heading.replace("`", "") for heading in _HEADING.findall(without_blocks(page))]
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_test_that_a_page_names_exists():
    tests = [*(ROOT / "tests").glob("test_*.py"), *(ROOT / "research" / "tests").glob("test_*.py")]
    source, files = "".join(path.read_text(encoding="utf-8") for path in tests), {path.name for path in tests}
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    named = set(re.findall(r"`(test_\w+(?:\.py)?)`", pages))
    assert len(named) > 100
    assert {name for name in named if name not in files and f"def {name}(" not in source} == set()


def test_every_page_is_in_the_navigation_of_the_site():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (*sorted((ROOT / "docs").glob("*.md")), *sorted(REFERENCE.glob("*.md"))):
        assert page.relative_to(ROOT / "docs").as_posix() in navigation, page


def test_the_reference_is_that_of_the_code():
    # in a process of its own: click keeps the help option of a command as it was when first asked for
    code = "import json, reference; print(json.dumps(reference.pages()))"
    pages = json.loads(subprocess.check_output([sys.executable, "-c", code], cwd=ROOT / "tools", text=True))
    for name, text in pages.items():
        assert (REFERENCE / name).read_text(encoding="utf-8") == text, f"{name} is stale: run `make reference`"


def test_the_readme_prints_what_its_comments_say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(ROOT)
    code = next(block.text for block in blocks_of(ROOT / "README.md") if block.language == "python")
    exec(code, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["list complete 16", "Senior Backend Engineer | Maré Logística"]
    assert lines[-1].startswith("the next list, ")


def test_the_doctest_of_the_package_holds():
    import doctest

    assert doctest.testmod(peneira) == (0, 3)
