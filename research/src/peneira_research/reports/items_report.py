"""The tables and the document of ``peneira bench items``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.item_score import Answers, is_right
from peneira_research.studies.article_outcomes import FACTS, ArticleOutcome, article_scores
from peneira_research.studies.item_outcomes import (
    NEWS,
    PUBLISHED,
    DetailOutcome,
    FieldScore,
    ProductOutcome,
    field_scores,
    product_scores,
)
from peneira_research.studies.value_outcomes import VALUE_FIELDS, VALUE_KINDS, ValueOutcome, value_shares


def products_table(outcomes: Sequence[ProductOutcome]) -> Table:
    """Return the score of each attribute, with those of the published systems beside it."""
    peers = {peer: product_scores(outcomes, peer) for peer in (outcomes[0].peers if outcomes else ())}
    heads = [f"{peer} here" for peer in peers]
    table = plain_table("attribute", "gold", "precision", "recall", "F1", *heads, *PUBLISHED, left=["attribute"])
    for name, row in product_scores(outcomes).items():
        measured = [f"{scores[name].f1:.3f}" for scores in peers.values()]
        published = [f"{scores[name]:.3f}" if name in scores else "" for scores in PUBLISHED.values()]
        ours = (f"{row.precision:.3f}", f"{row.recall:.3f}", f"{row.f1:.3f}")
        table.add_row(name, str(row.gold), *ours, *measured, *published)
    return table


def detail_table(outcomes: Sequence[DetailOutcome]) -> Table:
    """Return the score of each field of recipes and of articles."""
    table = plain_table(
        "pages of", "field", "pages", "values", "found", "equal", "precision", "words F1", left=["pages of", "field"]
    )
    for name, rows in groups(outcomes):
        for field, score in field_scores(rows).items():
            shares = (score.found, score.exact, score.precision, score.word_f1)
            table.add_row(name, field, str(score.pages), str(score.values), *(f"{share:.3f}" for share in shares))
    return table


def articles_table(outcomes: Sequence[ArticleOutcome]) -> Table:
    """Return precision, recall and F1 of each system for title, author and date."""
    table = plain_table("field", "system", "gold", "precision", "recall", "F1", left=["field", "system"])
    by_system = {system: article_scores(outcomes, system) for system in outcomes[0].answers}
    for name in FACTS:
        for system, scores in by_system.items():
            row = scores[name]
            table.add_row(name, system, str(row.gold), f"{row.precision:.3f}", f"{row.recall:.3f}", f"{row.f1:.3f}")
    return table


def values_table(outcomes: Sequence[ValueOutcome]) -> Table:
    """Return the share of SWDE's values that fields hold, on the sites in view of the rules and on the others."""
    table = plain_table(
        "pages of", "attribute", "field", "in view", "others", "in any field", left=["pages of", "attribute", "field"]
    )
    parts = [[row for row in outcomes if row.is_written_for is seen] for seen in (True, False)]
    seen, others = (value_shares(part) for part in parts)
    for vertical, attribute in value_shares(outcomes):
        nothing = (0, None, 0.0)
        field = VALUE_FIELDS.get(vertical, {}).get(attribute, "")
        own = [shares.get((vertical, attribute), nothing)[1] for shares in (seen, others)]
        anywhere = [shares.get((vertical, attribute), nothing)[2] for shares in (seen, others)]
        cells = ["" if share is None else f"{share:.2f}" for share in own]
        table.add_row(vertical, attribute, field, *cells, " / ".join(f"{share:.2f}" for share in anywhere))
    for vertical, kind in VALUE_KINDS.items():
        kinds = [[row.kind == kind for row in part if row.vertical == vertical] for part in parts]
        table.add_row(vertical, "", f"is a {kind}", *(f"{sum(own) / max(len(own), 1):.2f}" for own in kinds), "")
    return table


def groups(outcomes: Iterable[DetailOutcome]) -> list[tuple[str, list[DetailOutcome]]]:
    """Return the outcomes of recipes, of articles and of both."""
    rows = list(outcomes)
    news = [row for row in rows if row.source == NEWS]
    recipes = [row for row in rows if row.source != NEWS]
    return [(name, part) for name, part in (("recipes", recipes), ("news", news), ("all", rows)) if part]


def wrong_table(outcomes: Sequence[ProductOutcome], number: int) -> Table:
    """Return the answers about products that are wrong or missing."""
    table = plain_table(
        "page", "site", "attribute", "accepted", "answer", left=["page", "site", "attribute", "accepted", "answer"]
    )
    rows = (
        (row.id, row.site, name, " | ".join(row.accepted[name]), answer)
        for row in outcomes
        for name, answer in row.answers.items()
        if (answer or row.accepted[name]) and not is_right(name, answer, row.accepted[name])
    )
    for _, cells in zip(range(number), rows, strict=False):
        table.add_row(*cells)
    return table


def worst_fields_table(outcomes: Sequence[DetailOutcome], number: int) -> Table:
    """Return the fields of recipes and articles that hold the least of their gold."""
    table = plain_table("page", "kind", "field", "found", "words F1", left=["page", "kind", "field"])
    rows = sorted(
        (compared.recall, compared.word_f1, row.id, row.kind, field)
        for row in outcomes
        for field, compared in row.matches.items()
    )
    for recall, word_f1, id, kind, field in rows[:number]:
        table.add_row(id, kind, field, f"{recall:.3f}", f"{word_f1:.3f}")
    return table


def items_document(
    products: Sequence[ProductOutcome],
    details: Sequence[DetailOutcome],
    values: Sequence[ValueOutcome] = (),
    articles: Sequence[ArticleOutcome] = (),
) -> dict[str, object]:
    """Return the scores and the outcomes of all pages."""
    return {
        "articles": {
            system: {name: _answers(row) for name, row in article_scores(articles, system).items()}
            for system in (articles[0].answers if articles else ())
        },
        "products": {name: _answers(row) for name, row in product_scores(products).items()} if products else {},
        "detail": {
            name: {field: _field(score) for field, score in field_scores(rows).items()}
            for name, rows in groups(details)
        },
        "swde": [
            {"vertical": vertical, "attribute": attribute, "pages": pages, "own": own, "any": anywhere}
            for (vertical, attribute), (pages, own, anywhere) in value_shares(values).items()
        ],
        "product pages": [
            {"id": row.id, "site": row.site, "kind": row.kind, "answers": row.answers, "right": _right(row)}
            for row in products
        ],
        "detail pages": [
            {
                "id": row.id,
                "site": row.site,
                "source": row.source,
                "kind": row.kind,
                "found": {field: round(one.recall, 4) for field, one in row.matches.items()},
                "word_f1": {field: round(one.word_f1, 4) for field, one in row.matches.items()},
            }
            for row in details
        ],
        "swde pages": [
            {
                "site": f"{row.vertical}/{row.site}",
                "vertical": row.vertical,
                "own": row.own,
                "any": row.any,
                "is_written_for": row.is_written_for,
            }
            for row in values
        ],
    }


def _right(row: ProductOutcome) -> dict[str, dict[str, tuple[bool, bool, bool]]]:
    """Return, by system and attribute, whether there is a right answer, any answer, and gold."""
    return {
        system: {
            name: (bool(answer) and is_right(name, answer, row.accepted[name]), bool(answer), bool(row.accepted[name]))
            for name, answer in given.items()
        }
        for system, given in {"peneira": row.answers, **row.peers}.items()
    }


def _answers(row: Answers) -> dict[str, float]:
    return {"gold": row.gold, "precision": row.precision, "recall": row.recall, "f1": row.f1}


def _field(score: FieldScore) -> dict[str, float]:
    return {
        "pages": score.pages,
        "values": score.values,
        "found": score.found,
        "equal": score.exact,
        "precision": score.precision,
        "word_f1": score.word_f1,
    }
