"""Wrappers of shops where some items are reduced: the price is in one element here and in another there."""

from __future__ import annotations

import pytest

import peneira
from peneira.wrappers.store import dumps, loads

NAMES = ("Oak table", "Pine chair", "Steel lamp", "Wool rug", "Glass vase", "Clay pot", "Brass bell", "Silk scarf")
CLASSES = (
    "<div class=cost><span class=full-price>{0}</span></div>",
    "<div class=cost><span class=full-price>{0}</span><span class=sale-price>{1}</span></div>",
)
LABELS = (
    "<div><p>Regular price: <b>{0}</b></p></div>",
    "<div><p>Regular price: <b>{0}</b></p><p>Sale price: <b>{1}</b></p></div>",
)


def shop(first: int, forms: tuple[str, str], every: int) -> str:
    cards = [
        f"<li><a href='/p/{k}'><img src='/{k}.jpg'><h3>{name} {k}</h3></a>"
        f"{forms[k % every == 0].format(f'${k + 4}.00', f'${k}.20')}</li>"
        for k, name in enumerate(NAMES, first)
    ]
    return f"<title>Shop {first}</title><ul>{''.join(cards)}</ul>"


def prices(result: peneira.Result) -> list[tuple[str, str]]:
    assert result.main is not None
    return [
        tuple(record[name].text if name in record else "" for name in ("price", "old_price"))  # type: ignore[misc]
        for record in result.main
    ]


@pytest.mark.parametrize("forms", [CLASSES, LABELS])
@pytest.mark.parametrize("every", [2, 3])
def test_a_wrapper_reads_what_is_paid_for_reduced_items_and_the_old_price(forms: tuple[str, str], every: int):
    wrapper = peneira.learn([shop(10, forms, every), shop(30, forms, every)])
    page = shop(50, forms, every)
    expected = [(f"${k}.20", f"${k + 4}.00") if k % every == 0 else (f"${k + 4}.00", "") for k in range(50, 58)]
    assert prices(peneira.extract(page)) == expected
    assert prices(wrapper.extract(page)) == expected
    assert prices(loads(dumps(wrapper)).extract(page)) == expected


@pytest.mark.parametrize("forms", [CLASSES, LABELS])
def test_one_reduced_item_is_enough_to_learn_from(forms: tuple[str, str]):
    wrapper = peneira.learn([shop(10, forms, 17)], kind="list")
    page = shop(50, forms, 3)
    assert prices(wrapper.extract(page)) == prices(peneira.extract(page))
