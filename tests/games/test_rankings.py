"""The rankings: what a plain ranking of the ratings says, kept ready, and exchanged as a whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import tasks
from games.models import Ranking, RankingRun, Rating
from games.services import annulments, rankings, standings
from tests.games.ranked import anew, by_hand, rated
from tests.games.test_standings import finished
from tests.racing import at_once

pytestmark = [pytest.mark.django_db(transaction=True)]


def stored(family: str = "red", period: str = "all") -> dict[int, tuple[int, int, int | None]]:
    rows = Ranking.objects.filter(family=family, period=period)
    return {row.user_id: (row.section, row.position, row.rank) for row in rows}


@pytest.mark.parametrize("seed", range(3))
def test_the_rankings_are_what_a_plain_script_makes_of_the_ratings(clock, seed, thorough):
    chance = Random(seed)
    people = User.objects.bulk_create(
        User(
            username=f"{kind}{number}", kind=kind, is_active=chance.random() < 0.9, password="!",
        )
        for number, kind in enumerate(chance.choices(["person", "bot", "guest"], [8, 1, 1], k=2000 if thorough else 90))
    )  # fmt: skip
    for user in people:
        for family in ("red", "overall"):
            if chance.random() < 0.8:
                mu = chance.choice([25.0, 25.0125, 25 + chance.randint(-9, 9) / 40, chance.gauss(25, 6)])
                at = clock() - timedelta(days=chance.choice([0, 1, 100, 900]) * chance.random())
                rated(user, mu, at, chance.uniform(1, 6), family, chance.choice([0, 1, 20]))
    assert rankings.refresh() == 2
    for family in ("red", "overall"):
        rows = list(Rating.objects.filter(family=family).select_related("user"))
        expected = by_hand(rows, clock())
        assert {section for section, *_ in expected.values()} == {0, 1, 2}
        assert stored(family) == expected
        assert {row.shown - row.skill.shown for row in Ranking.objects.filter(family=family)} == {0}
    assert rankings.refresh() == 0


@pytest.fixture
def three(clock, alice, bob, charlie):
    """Three people who are surely rated: alice before bob and charlie, who share a rank."""
    for user, mu in ((alice, 30.0), (bob, 27.0), (charlie, 27.001)):
        rated(user, mu, clock())
    rankings.refresh()
    return alice, bob, charlie


def test_equal_ratings_share_a_rank_and_the_next_one_is_left_out(three, dora, clock):
    alice, bob, charlie = three
    rated(dora, 20, clock())
    anew()
    ranks = {row.user: row.rank for row in Ranking.objects.filter(family="red", period="all")}
    assert ranks == {alice: 1, bob: 2, charlie: 2, dora: 4}


def test_movement_is_counted_from_the_end_of_last_week(three, clock):
    alice, bob, charlie = three  # it is a Sunday

    def moved(user):
        return Ranking.objects.get(user=user, family="red", period="all").moved

    assert moved(alice) is None
    clock.forward(days=1)
    Rating.objects.filter(user=bob).update(mu=35)
    anew()
    assert [moved(user) for user in three] == [-1, 1, -1]
    clock.forward(days=3)
    Rating.objects.filter(user=charlie).update(mu=40)
    anew()
    assert [moved(user) for user in three] == [-2, 0, 1]
    assert anew() == 1
    assert [moved(user) for user in three] == [-2, 0, 1]
    clock.forward(days=4)
    anew()
    assert [moved(user) for user in three] == [0, 0, 0]


def test_a_quarter_has_who_finished_a_rated_match_in_it(clock, alice, bob, charlie, dora):
    clock.moment = datetime(2026, 10, 2, tzinfo=UTC)
    finished([charlie, dora], [1, 2], datetime(2026, 9, 30, 23, tzinfo=UTC), "red")
    finished([alice, bob], [1, 2], datetime(2026, 10, 1, 0, 0, tzinfo=UTC), "red")
    back = finished([dora, bob], [1, 2], datetime(2026, 10, 1, 1, tzinfo=UTC), "red")
    tasks.ratings()
    tasks.rankings()
    assert stored(period="all").keys() == {alice.pk, bob.pk, charlie.pk, dora.pk}
    assert stored(period="quarter").keys() == {alice.pk, bob.pk, dora.pk}
    annulments.annul(back.pk, "a test")  # which is a change of dora's rating, but no match of hers
    clock.forward(minutes=5)
    assert (tasks.ratings(), tasks.rankings()) == (1, 2)
    assert stored(period="quarter").keys() == {alice.pk, bob.pk}
    clock.moment = datetime(2027, 1, 1, tzinfo=UTC)
    assert tasks.rankings() == 2
    assert stored(period="quarter") == {}
    assert len(stored(period="all")) == 4


def test_who_has_not_played_for_long_is_inactive_without_anything_being_rated(three, clock):
    assert stored()[three[0].pk] == (0, 1, 1)
    clock.forward(days=600)
    assert tasks.rankings() == 1
    assert stored()[three[0].pk] == (2, 1, None)


def test_only_what_changed_is_made_anew(clock, alice, bob):
    clock.forward(days=1)
    finished([alice, bob], [1, 2], clock() - timedelta(hours=2), "red")
    tasks.ratings()
    assert tasks.rankings() == 2
    finished([alice, bob], [1, 2], clock() - timedelta(hours=1), "power_cards")
    tasks.ratings()
    before = list(Ranking.objects.filter(family="red").values())
    assert tasks.rankings() == 2  # power_cards and overall
    assert list(Ranking.objects.filter(family="red").values()) == before
    assert [tasks.rankings(), tasks.rankings()] == [0, 0]


def test_a_rating_that_is_gone_leaves_the_rankings(three, clock):
    Rating.objects.all().delete()
    assert anew() == 1
    assert not Ranking.objects.exists()


def test_a_rebuild_is_ranked_anew(clock, alice, bob):
    match = finished([alice, bob], [1, 2], clock() - timedelta(days=1), "red")
    tasks.ratings()
    tasks.rankings()
    match.delete()
    standings.rebuild()
    assert tasks.rankings() == 2
    assert not Ranking.objects.exists()


def test_sweeps_at_once_make_them_once_and_nobody_sees_less_than_all(three, clock, person):
    for number in range(30):
        rated(person(f"more{number}"), 20 + number / 10, clock())
    RankingRun.objects.update(newest=2**40)
    seen: list[int] = []

    def look():
        for _each in range(20):
            seen.append(Ranking.objects.filter(family="red", period="all").count())
        return 0

    counts = at_once([rankings.refresh, rankings.refresh, rankings.refresh, look, look])
    assert sum(counts) == 1
    assert set(seen) <= {3, 33}
    assert Ranking.objects.values("edition").distinct().count() == 1


def test_the_number_of_queries_does_not_grow_with_the_players(three, clock, person):
    def cost():
        with CaptureQueriesContext(connection) as made:
            assert anew() == 1
        return len(made)

    few = cost()
    for number in range(50):
        rated(person(f"more{number}"), 20 + number / 10, clock())
    assert cost() == few < 20


def test_large_rankings_are_made_less_often(three, clock):
    RankingRun.objects.update(took=60)
    Rating.objects.filter(user=three[0]).update(mu=20)
    clock.forward(minutes=19)
    assert anew() == 0
    clock.forward(minutes=2)
    assert anew() == 1
    assert stored()[three[0].pk] == (0, 3, 3)
