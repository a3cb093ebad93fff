"""What sweeps ask every few seconds costs no more for what waits for users who stay away."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.delivery import digests, sending

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]  # PostgreSQL reads small tables as a whole


@pytest.fixture
def plan_of():
    """How SQLite finds the deliveries that a call asks for."""

    def plan(ask):
        with CaptureQueriesContext(connection) as made:
            ask()
        [query] = [query["sql"] for query in made.captured_queries if "games_delivery" in query["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query}")
            return [line for *_ids, line in cursor.fetchall()]

    return plan


def test_what_goes_out_is_found_among_what_goes_out(plan_of):
    plan = plan_of(lambda: sending.due(200))
    assert "SEARCH games_delivery USING INDEX delivery_due (due_at<?)" in plan
    assert not [line for line in plan if line.startswith("SCAN")]


def test_who_has_something_to_gather_is_found_among_what_is_gathered(plan_of):
    plan = plan_of(lambda: digests.due(200))
    assert "SEARCH games_delivery USING INDEX delivery_gathers (due_at<?)" in plan
    assert [line for line in plan if line.startswith("SCAN")] == [
        "SCAN U0 USING INDEX delivery_due",  # mails that leave, which are few
        "SCAN U0 USING INDEX delivery_leased",
    ]
    assert not [line for line in plan if "CORRELATED" in line]  # asked once, not for every row
