"""Which of several columns that may have a role gets it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from peneira.columns.assigned_roles import assign_roles
from peneira.columns.raw_columns import RawColumn
from peneira.columns.roles import ScoredColumns
from peneira.values import Role


@pytest.mark.parametrize(("records", "first"), [(12, "rating"), (2, None)])
def test_what_many_records_have_has_its_role_by_its_score_alone(records: int, first: Role | None):
    columns = [SimpleNamespace(values=dict.fromkeys(range(count))) for count in (records, 20)]
    scored = ScoredColumns(roles=[{"rating": 0.9}, {"rating": 0.8}], interest=[1.0, 1.0])
    found = assign_roles(scored, cast("list[RawColumn]", columns), [True, True])
    assert found == [first, None if first else "rating"]
