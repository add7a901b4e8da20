"""``peneira bench area``: the rendering-area method beside others, its ablation, its sensitivity, its XPaths."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import (
    corpora_option,
    every_option,
    jobs_option,
    keep_option,
    open_corpora,
    output_option,
    rendered_folder,
    snapshots_option,
    write_results,
)

EXAMPLES = """\b
Examples:
  peneira bench area
  peneira bench area --ablate
  peneira bench area --sweep --corpus tpsf
  peneira bench area --survival --styles
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--corpus", "names", multiple=True, help="May be repeated.  [default: tpsf, yamada, zhao1, modern*]")
@click.option("--ablate", is_flag=True, help="Leave out one step after the other (Table IV of the paper).")
@click.option("--sweep", is_flag=True, help="Vary one parameter after the other (Figures 4 and 5 of the paper).")
@click.option(
    "--survival",
    is_flag=True,
    help="Apply the XPath of a site's first page to its other pages.  [default corpora: all of list pages]",
)
@click.option("--styles", is_flag=True, help="Count the pages that carry any style.")
@every_option
@snapshots_option
@jobs_option
@keep_option
@output_option
def area(
    root: Path | None,
    names: tuple[str, ...],
    ablate: bool,
    sweep: bool,
    survival: bool,
    styles: bool,
    every: int,
    folder: Path | None,
    jobs: int,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Measure how often the rendering-area method selects the right element, beside other methods (Table III).

    Right: it holds 95 % of the anchors, and at most 1.5 times the text from the first to the end of the last record;
    for the tag path filter, what it keeps. The pages were saved without their style sheets, and are rendered without
    them. WEBV and WEBT are the paper's own figures, in percent, on pages with their styles. The models of auto have
    seen the pages.
    """
    from peneira_research.reports.area_report import accuracy_table, styles_table, survival_table, sweep_table
    from peneira_research.reports.console import console, progress
    from peneira_research.studies.area_study import (
        ABLATIONS,
        CORPORA,
        METHODS,
        accuracy,
        area_outcomes,
        bounds,
        gain,
        method_outcomes,
        sweeps,
    )
    from peneira_research.studies.kept_results import kept_in
    from peneira_research.studies.page_styles import style_counts
    from peneira_research.studies.xpath_survival import sites_of_several_pages, survivals

    corpora = open_corpora(root)
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    pages = [page for page in corpora.pages(names or CORPORA) if page.anchors and not page.is_partial][::every]
    document: dict[str, object] = {}
    kept = kept_in(keep)
    if ablate or sweep or not (survival or styles):
        snapshots = rendered_folder(folder, pages)
        if not (ablate or sweep):
            found = list(progress(method_outcomes(pages, snapshots, jobs=jobs, keep=kept), len(pages), "methods"))
            by_method = {name: accuracy(found, k) for k, name in enumerate(METHODS)}
            totals = {name: bounds(found, k) for k, name in enumerate(METHODS)}
            gains = {name: gain(found, k) for k, name in enumerate(METHODS) if k}
            out.print(accuracy_table("method", by_method, totals, gains))
            document |= {
                "pages": len(found),
                "methods": by_method,
                "outcomes": [asdict(outcome) for outcome in found],
                "intervals": {name: asdict(total) for name, total in totals.items()},
                "gains": {name: asdict(gap) for name, gap in gains.items()},
            }
    if ablate or sweep:
        swept = sweeps()
        titles = list(ABLATIONS) if ablate else []
        variants = [ABLATIONS[title] for title in titles]
        variants += [parameters for values in swept.values() for parameters in values.values()] if sweep else []
        of_pages = area_outcomes(pages, variants, snapshots, jobs=jobs, keep=kept)
        outcomes = list(progress(of_pages, len(pages), "area"))
        accuracies = [accuracy(outcomes, k) for k in range(len(variants))]
        document |= {"pages": len(outcomes), "accuracy": dict(zip(titles, accuracies, strict=False)), "sweep": []}
        document["outcomes"] = [asdict(outcome) for outcome in outcomes]
        if ablate:
            rows = dict(zip(titles, accuracies, strict=False))
            totals = {title: bounds(outcomes, k) for k, title in enumerate(titles)}
            gains = {title: gain(outcomes, k) for k, title in enumerate(titles) if k}
            out.print(accuracy_table("steps", rows, totals, gains))
            document["intervals"] = {title: asdict(total) for title, total in totals.items()}
            document["gains"] = {title: asdict(gap) for title, gap in gains.items()}
        if sweep:
            labels = [(name, value) for name, values in swept.items() for value in values]
            by_value = dict(zip(labels, accuracies[len(titles) :], strict=True))
            out.print(sweep_table(by_value))
            document["sweep"] = [
                {"parameter": name, "value": value, **by_value[name, value], "interval": asdict(bounds(outcomes, k))}
                for k, (name, value) in enumerate(labels, start=len(titles))
            ]
    if survival:
        sites = sites_of_several_pages(corpora.pages(names or corpora.all_names))[::every]
        rendered = rendered_folder(folder, [page for of_site in sites for page in of_site])
        of_sites = progress(survivals(sites, rendered, jobs=jobs, keep=kept), len(sites), "XPaths")
        lives = [row for rows in of_sites for row in rows]
        out.print(survival_table(lives))
        document["survival"] = [asdict(row) for row in lives]
    if styles:
        counts = style_counts(corpora.pages(names or corpora.all_names)[::every])
        out.print(styles_table(counts))
        document["styles"] = [asdict(row) for row in counts]
    if output or not sys.stdout.isatty():
        used = names or (corpora.all_names if survival or styles else CORPORA)
        write_results(document, output, corpora, used)
