"""What separating content from noise costs: CPU time as a multiple of lexbor's parse of the same page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from peneira.sources.html import read_page
from peneira.texts.content import content
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.speed import PARSE, Stage, best_cpu_times
from peneira_research.workers import in_processes

# Pages of each corpus that are timed, evenly spaced
MAX_PAGES = 60

STAGES = (
    Stage("page", read_page),
    Stage("light", content),
    Stage("edrew", partial(content, model="edrew")),
)


def content_speed(corpora: Corpora, *, repeat: int) -> dict[str, float]:
    """Return for each corpus and stage, from the bytes on, the time of all pages over that of parsing them."""
    multiples: dict[str, float] = {}
    for corpus, bodies in _bodies(corpora).items():
        timings = list(in_processes(partial(_timed, repeat=repeat), bodies, jobs=1, chunk=len(bodies)))
        parse = sum(timing[PARSE] for timing in timings)
        for stage in STAGES:
            multiples[f"{corpus} {stage.name}"] = sum(timing[stage.name] for timing in timings) / parse
    return multiples


def _timed(body: bytes, *, repeat: int) -> dict[str, float]:
    return best_cpu_times(body, STAGES, repeat=repeat)


def _bodies(corpora: Corpora) -> Mapping[str, list[bytes]]:
    swde = [page.body for page in corpora.swde()]
    modern = [page.body for page in corpora.detail()] if corpora.has_detail else []
    return {name: _evenly_spaced(bodies) for name, bodies in (("swde", swde), ("detail", modern)) if bodies}


def _evenly_spaced(bodies: list[bytes]) -> list[bytes]:
    """Return at most ``MAX_PAGES`` pages, evenly spaced."""
    wanted = min(MAX_PAGES, len(bodies))
    return [bodies[k * len(bodies) // wanted] for k in range(wanted)]
