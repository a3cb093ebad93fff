"""Ratings as a fold over results: exactly once, in order, the same again from nothing, and as a plain script says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from math import hypot, sqrt
from random import Random

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games import tasks
from games.models import Annulment, Departure, Match, Rating, RatingChange, Seat
from games.services import annulments, leaving, standings
from tests.conftest import play_out, seated
from tests.racing import at_once, outcome
from tests.test_ratings import plackett_luce

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

START = datetime(2026, 1, 1, tzinfo=UTC)
SIGMA = 25 / 3


def finished(users: list[User], places: list[int], at: datetime, game: str = "barvosauri", **facts) -> Match:
    """A finished rated match as the fold reads it, without a log."""
    slug = f"m{Match.objects.count()}"
    match = Match.objects.create(
        slug=slug, game=game, rules_version=1, seat_count=len(users), leave_policy="bot", seed=b"", commitment="",
        status="finished", rated=True, created_at=at, finished_at=at, **facts,
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(match=match, number=n, joined=n, user=user, entropy=b"", place=place, finished_at=at)
        for n, (user, place) in enumerate(zip(users, places, strict=True))
    )
    return match


def by_script() -> dict[tuple[int, str], tuple[float, float, int]]:
    """The ratings from seats, departures and annulments alone, in plain loops."""
    events = [(m.finished_at, 0, m.pk) for m in Match.objects.filter(status="finished", rated=True)]
    events += [(a.at, 1, a.match_id) for a in Annulment.objects.all()]
    skills: dict[tuple[int, str], tuple[float, float, int]] = {}
    last: dict[tuple[int, str], datetime] = {}
    moved: dict[tuple[int, str], list] = {}
    for at, kind, pk in sorted(events):
        match = Match.objects.get(pk=pk)
        own = match.game if match.options.get("game") != "advanced" else "red-advanced"
        for family in (own, "overall"):

            def before(user, family=family, at=at):
                mu, sigma, _count = skills.get((user, family), (25.0, SIGMA, 0))
                days = (at - last.get((user, family), at)).total_seconds() / 86400
                return mu, min(hypot(sigma, 0.16 * sqrt(days)), SIGMA)

            if kind == 0:
                sat = {s.number: s for s in Seat.objects.filter(match=pk)}
                who = [(seat.user_id, seat.place) for _number, seat in sorted(sat.items())]
                gone = Departure.objects.filter(match=pk, returned_at=None).order_by("-version")
                for row in gone:
                    if sat[row.seat].user_id != row.user_id:
                        who.append((row.user_id, max(place for _user, place in who) + 1 + len(sat)))
                old = [before(user) for user, _place in who]
                new = plackett_luce(old, [place for _user, place in who])
            else:
                rows = moved[pk, family]
                who = [(user, 0) for user, _was, _became in rows]
                old = [before(user) for user, _place in who]
                new = [
                    (mu - (became[0] - was[0]), min(sqrt(sigma**2 + max(was[1] ** 2 - became[1] ** 2, 0)), SIGMA))
                    for (mu, sigma), (_user, was, became) in zip(old, rows, strict=True)
                ]
            moved[pk, family] = [(user, was, became) for (user, _p), was, became in zip(who, old, new, strict=True)]
            for (user, _place), (mu, sigma) in zip(who, new, strict=True):
                count = skills.get((user, family), (0, 0, 0))[2]
                skills[user, family] = (mu, sigma, count + (1 if kind == 0 else -1))
                last[user, family] = at
    return skills


def stored() -> dict[tuple[int, str], tuple[float, float, int]]:
    return {(row.user_id, row.family): (row.mu, row.sigma, row.matches) for row in Rating.objects.all()}


def same(one, other) -> None:
    assert one.keys() == other.keys()
    for key, value in one.items():
        assert value == pytest.approx(other[key], rel=1e-7), key


@pytest.fixture
def history(clock, person, thorough):
    """Matches with ties, leavers, substitutes, long pauses and annulments."""
    chance = Random(8)
    people = [person(f"person{number}") for number in range(12)]
    at = START
    for _each in range(5000 if thorough else 150):
        at += timedelta(hours=chance.choice([0, 0, 1, 5, 30, 24 * 40]) * chance.random())
        users = chance.sample(people, chance.choice([2, 2, 3, 4]))
        merits = [chance.randint(0, 3) for _user in users]
        places = [1 + sum(other > merit for other in merits) for merit in merits]
        game = chance.choice(["red", "barvosauri", "power_cards"])
        options = {"game": "advanced"} if game == "red" and chance.random() < 0.5 else {}
        match = finished(users, places, at, game, options=options)
        if chance.random() < 0.2:
            others = [user for user in people if user not in users]
            for number in range(chance.choice([1, 1, 2])):
                Departure.objects.create(
                    match=match, seat=number, user=others[number], version=number + 2, how="timeout", at=at,
                    returned_at=at if chance.random() < 0.2 else None,
                )  # fmt: skip
        if chance.random() < 0.05:
            Annulment.objects.create(match=match, why="a test", at=at + timedelta(hours=chance.uniform(0, 500)))
    clock.moment = at + timedelta(days=400)
    return people


def test_the_ratings_are_what_a_plain_script_makes_of_the_results(history):
    while standings.rate_due(37):
        pass
    assert Annulment.objects.filter(rated_at=None).count() == Match.objects.filter(rated_at=None).count() == 0
    same(stored(), by_script())
    assert standings.differences() == []
    before = stored()
    standings.rebuild()
    assert stored() == before
    call_command("ratings", "rebuild", "--check")


def test_a_change_that_is_not_what_it_should_be_is_named(history, capsys):
    while standings.rate_due():
        pass
    change = RatingChange.objects.order_by("pk")[20]
    RatingChange.objects.filter(pk=change.pk).update(mu_after=40)
    with pytest.raises(CommandError):
        call_command("ratings", "rebuild", "--check")
    assert change.match.slug in capsys.readouterr().out
    call_command("ratings", "rebuild")
    call_command("ratings", "rebuild", "--check")
    Rating.objects.filter(user=history[0], family="overall").update(mu=1)
    assert standings.differences() == [f"rating of user {history[0].pk} in overall"]


def test_a_result_is_rated_once_and_not_at_once(clock, alice, bob):
    match = seated(alice, bob, rated=True)
    leaving.resign(match.pk, match.active_seat, version=match.version)
    assert tasks.ratings() == 0
    clock.forward(seconds=16)
    assert [tasks.ratings() for _each in range(3)] == [1, 0, 0]
    assert RatingChange.objects.count() == 4
    loser = match.seats.get(number=match.active_seat).user
    assert Rating.objects.get(user=loser, family="red").skill.shown < 1500
    assert Rating.objects.get(user=loser, family="red").matches == 1


@pytest.mark.parametrize("facts", [{"rated": False}, {"bots": 1, "rated": False}])
def test_what_is_not_rated_changes_nothing(clock, alice, bob, facts):
    match = play_out(seated(alice, bob, **facts))
    assert match.status in ("finished", "playing")
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=clock())
    clock.forward(days=1)
    assert tasks.ratings() == 0


def test_advanced_red_is_a_family_of_its_own(clock, alice, bob):
    match = seated(alice, bob, rated=True, options={"game": "advanced"})
    leaving.resign(match.pk, 0, version=match.version)
    clock.forward(seconds=16)
    tasks.ratings()
    assert set(Rating.objects.values_list("family", flat=True)) == {"red-advanced", "overall"}


def test_a_result_that_turns_up_late_is_put_in_its_place(clock, alice, bob, charlie):
    clock.moment = START + timedelta(days=10)
    finished([alice, bob], [1, 2], START)
    finished([bob, charlie], [1, 2], START + timedelta(days=2))
    assert tasks.ratings() == 2
    finished([alice, charlie], [2, 1], START + timedelta(days=1))
    assert tasks.ratings() == 3
    assert tasks.ratings() == 0
    same(stored(), by_script())


def test_sweeps_at_once_rate_each_result_once(history):
    counts = at_once([standings.rate_due] * 6)
    assert all(isinstance(count, int) for count in counts)
    while standings.rate_due():
        pass
    assert standings.differences() == []
    assert not [1 for row in Rating.objects.all() if row.matches < 0]


def test_o36_a_match_that_ends_twice_at_once_is_rated_once(clock, person, thorough):
    people = [person(f"person{number}") for number in range(5)]
    chance = Random(36)
    for number in range(500 if thorough else 18):
        match = seated(*chance.sample(people, chance.choice([2, 2, 3])), rated=True, leave_policy="end")
        mover, other = match.active_seat, (match.active_seat + 1) % match.seat_count
        clock.moment = match.deadline + timedelta(seconds=3)
        ends = [
            partial(leaving.time_out, match.pk),
            partial(leaving.resign, match.pk, mover, version=match.version),
            partial(leaving.resign, match.pk, other, version=match.version),
            partial(leaving.resign, match.pk, mover, version=match.version),
        ]
        at_once([outcome(end) for end in (ends[number % 3 : number % 3 + 2] if number % 4 else ends)])
        match.refresh_from_db()
        assert match.status == "finished"
        clock.forward(seconds=16)
        at_once([standings.rate_due] * 2)
        assert RatingChange.objects.filter(match=match).count() == 2 * match.seat_count
    expected = by_script()
    assert stored().keys() == expected.keys()
    for key, value in stored().items():
        assert value == pytest.approx(expected[key], rel=1e-9), key
    assert standings.differences() == []


def test_an_annulment_takes_back_and_only_once(clock, alice, bob, charlie):
    clock.moment = START
    match = finished([alice, bob], [1, 2], START - timedelta(days=1))
    tasks.ratings()
    assert Rating.objects.get(user=alice, family="overall").skill.shown > 1500
    for wrong in ([], ["nothing", "--why=x"], [match.slug], [match.slug, "--why= "]):
        with pytest.raises(CommandError):
            call_command("ratings", "annul", *wrong)
    assert not Annulment.objects.exists()
    call_command("ratings", "annul", match.slug, "--why=they were one person")
    annulments.annul(match.pk, "again", by=charlie)
    clock.forward(minutes=1)
    assert [tasks.ratings(), tasks.ratings()] == [1, 0]
    row = Rating.objects.get(user=alice, family="overall")
    assert (row.skill.shown, row.matches) == (1500, 0)
    assert Annulment.objects.get().why == "they were one person"
    same(stored(), by_script())


def test_nothing_is_annulled_that_was_not_rated(alice, bob):
    match, over = seated(alice, bob), finished([alice, bob], [1, 2], START)
    Match.objects.filter(pk=over.pk).update(rated=False)
    for wrong in (match, over):
        with pytest.raises(annulments.NotRated):
            annulments.annul(wrong.pk, "no")
    with pytest.raises(CommandError, match="no rated result"):
        call_command("ratings", "annul", match.slug, "--why=no")
    assert not Annulment.objects.exists()


def test_the_cost_of_rating_does_not_grow_with_the_log_or_the_players(
    clock, history, alice, bob, django_assert_max_num_queries
):
    while standings.rate_due():
        pass
    for _each in range(20):
        finished([alice, bob], [1, 2], clock.moment)
    clock.forward(minutes=1)
    with django_assert_max_num_queries(16):
        assert standings.rate_due() == 20
