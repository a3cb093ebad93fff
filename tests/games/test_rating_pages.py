"""The rankings, the ratings of a player and the arithmetic of a match, as visitors see them."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from accounts.models import User
from games import rankings as read, tasks
from games.models import Departure, Follow, Match, RankingRun, RatingChange, RatingWeek, week_of
from games.services import annulments, leaving, rankings, standings
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ranked import anew, rated
from tests.games.test_standings import finished

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

MINUS = "\N{MINUS SIGN}"


def text(answer) -> str:
    """What can be read on the page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def rows(answer) -> list[str]:
    """The rows of the table that the page has."""
    return re.findall(r'class="player" href="/player/([^/]+)/', answer.content.decode())


def ended(*users: User, **facts) -> Match:
    """A rated match that the seat to move gave up at once."""
    match = seated(*users, rated=True, **facts)
    leaving.resign(match.pk, match.active_seat, version=match.version)
    return Match.objects.get(pk=match.pk)


def test_a_finished_match_shows_the_arithmetic_once_it_is_rated(clock, alice, bob, client):
    match = ended(alice, bob)
    url = match.get_absolute_url()
    assert "The ratings follow in a moment." in text(client.get(url))
    before = client.get(f"{url}version.json").json()
    clock.forward(seconds=16)
    tasks.ratings()
    assert client.get(f"{url}version.json").json()["gathered"] > before["gathered"]  # so open pages look again
    loser = match.seats.get(number=match.active_seat).user if match.active_seat is not None else None
    last, first = RatingChange.objects.filter(family="red").order_by("-place")
    assert loser in (None, last.user)
    for answer in (client.get(url), client.get(f"{url}at/{match.version}/")):
        shown = text(answer)
        gain, loss = first.after.shown - 1500, 1500 - last.after.shown
        assert f"{first.user.name} 1500? {first.after.shown}? +{gain} Expected place 1.5, reached place 1." in shown
        why = "Expected place 1.5; left, which makes it place 2."
        assert f"{last.user.name} 1500? {last.after.shown}? {MINUS}{loss} {why}" in shown
        assert "A provisional rating moves more." in shown
        assert "Red, basic" in shown
        assert "All games" in shown
        assert "follow in a moment" not in shown
    assert "Expected place" not in text(client.get(f"{url}at/1/"))


def test_a_sure_rating_is_told_without_that_it_moves_more(clock, alice, bob, client):
    for user in (alice, bob):
        rated(user, 27.0, clock())
    match = ended(alice, bob)
    clock.forward(seconds=16)
    tasks.ratings()
    shown = text(client.get(match.get_absolute_url()))
    assert "1580 " in shown
    assert shown.count("A provisional rating moves more.") == 2  # in all games together


def test_an_annulment_shows_what_it_takes_back_and_why(clock, alice, bob, client):
    match = ended(alice, bob)
    clock.forward(seconds=16)
    tasks.ratings()
    annulments.annul(match.pk, "They are one <person>.")
    assert "This result was annulled. They are one <person>." in text(client.get(match.get_absolute_url()))
    clock.forward(seconds=16)
    tasks.ratings()
    answer = client.get(match.get_absolute_url())
    assert "one &lt;person&gt;" in answer.content.decode()
    shown = text(answer)
    assert "Red, basic: taken back" in shown
    winner = RatingChange.objects.get(family="red", place=1)
    gain = winner.after.shown - 1500
    assert (
        f"{winner.user.name} {winner.after.shown}? 1500? {MINUS}{gain} Takes back what the result had moved." in shown
    )


def test_a_shared_place_and_who_was_replaced_are_told(clock, alice, bob, charlie, client):
    match = play_out(seated(alice, bob, rated=True, leave_policy="substitute"))
    gone = {"seat": 0, "user": charlie, "version": 2, "how": "timeout", "at": clock()}
    Departure.objects.create(match=match, **gone)
    match.seats.update(place=1, left_how="")
    clock.forward(seconds=16)
    tasks.ratings()
    shown = text(client.get(match.get_absolute_url()))
    assert "Expected place 1.9, shared place 1." in shown
    assert "charlie 1500?" in shown
    assert "Expected place 2.0; left and was replaced, so counts behind all others." in shown


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"bots": 1}, "Not rated: a bot played from the start."),
        ({"days": None}, "Not rated: there was no clock."),
        ({}, "Not rated: it was started as an unrated match."),
    ],
)
def test_a_match_that_is_not_rated_says_why(alice, bob, client, facts, why):
    match = seated(*((alice,) if facts.get("bots") else (alice, bob)), **facts)
    leaving.resign(match.pk, match.seats.get(user=alice).number, version=match.version)
    assert why in text(client.get(match.get_absolute_url()))


def test_a_guest_is_why_a_match_is_not_rated(alice, client):
    guest = User.objects.create_guest()
    match = seated(alice, guest)
    leaving.resign(match.pk, match.active_seat, version=match.version)
    assert "Not rated: a guest played, and ratings need accounts." in text(client.get(match.get_absolute_url()))


def test_the_numbers_of_who_hides_are_for_those_who_played(clock, alice, bob, charlie, client):
    User.objects.filter(pk=bob.pk).update(profile="hidden")
    match = ended(alice, bob)
    clock.forward(seconds=16)
    tasks.ratings()
    for visitor in (client, client_of(charlie)):
        shown = text(visitor.get(match.get_absolute_url()))
        assert "bob not shown" in shown
        assert "alice 1500?" in shown
    for player in (alice, bob):
        assert re.search(r"bob (you )?1500\?", text(client_of(player).get(match.get_absolute_url())))


@pytest.fixture
def many(clock, person):
    """120 people of different strength, of whom every tenth hides, and some others."""
    people = [person(f"p{number:03}") for number in range(120)]
    for number, user in enumerate(people):
        rated(user, 40 - number / 10, clock())
        if number % 10 == 5:
            User.objects.filter(pk=user.pk).update(profile="hidden")
    rated(person("newcomer"), 50, clock(), sigma=6)
    rated(person("absent"), 60, clock() - timedelta(days=3000))
    rankings.refresh()
    return people


def walked(client, url: str) -> list[str]:
    """The players on all pages from this one on."""
    found = []
    while url:
        answer = client.get(url)
        assert answer.status_code == 200
        found += rows(answer)
        more = re.search(r'href="([^"]*)" rel="next"', answer.content.decode())
        url = f"{unescape(more[1])}" if more else ""
    return found


def test_all_pages_together_have_everybody_who_shows_themselves_once_in_order(many, client):
    shown = [user.username for number, user in enumerate(many) if number % 10 != 5]
    assert walked(client, "/rankings/red/") == shown
    hidden = many[15]
    own = walked(client_of(hidden), "/rankings/red/")
    assert set(own) - set(shown) == {hidden.username}
    assert walked(client, "/rankings/red/?of=provisional") == ["newcomer"]
    assert walked(client, "/rankings/red/?of=inactive") == ["absent"]
    assert walked(client, "/rankings/red/?period=quarter") == []


def test_players_only_are_shown_to_players_only(many, client, alice):
    User.objects.filter(pk=many[0].pk).update(profile="players")
    assert many[0].username not in rows(client.get("/rankings/red/"))
    assert many[0].username in rows(client_of(alice).get("/rankings/red/"))
    guest = User.objects.create_guest()
    assert many[0].username not in rows(client_of(guest).get("/rankings/red/"))


def test_around_me_are_those_above_and_below(many):
    answer = client_of(many[60]).get("/rankings/red/?around=me")
    assert "Your rank is 61 of 120." in text(answer)
    near = [user.username for number, user in enumerate(many) if 48 <= number <= 72 and number % 10 != 5]
    assert rows(answer) == near


def test_whom_one_follows_are_shown_with_oneself_but_nobody_who_hides(many, clock):
    me, shown, hidden, new = many[7], many[3], many[15], User.objects.get(username="newcomer")
    for other in (shown, hidden, new):
        Follow.objects.create(follower=me, followed=other, at=clock())
    for fan in many[20:23]:
        Follow.objects.create(follower=fan, followed=me, at=clock())
    assert rows(client_of(me).get("/rankings/red/?of=followed")) == ["p003", "p007", "newcomer"]
    answer = client_of(me).get("/rankings/barvosauri/?of=followed")
    assert "Nobody whom you follow has a rating here." in text(answer)
    assert "Only people with an account have a rating." in text(Client().get("/rankings/red/?of=followed"))


def test_who_has_no_rating_is_offered_what_to_do(many, alice, client):
    for query, sentence in (
        ("", "Nobody is ranked here yet."),
        ("?of=provisional", "Nobody is listed here."),
        ("?around=me", "You have no rating here yet: finish a rated match first."),
    ):
        shown = client_of(alice).get(f"/rankings/barvosauri/{query}")
        assert sentence in text(shown)
        assert 'href="/new/"' in shown.content.decode()
    assert "Only people with an account have a rating." in text(client.get("/rankings/?around=me"))


def test_movement_is_said_in_words_and_of_when_it_all_is(clock, alice, bob, client):
    rated(alice, 30, clock())
    row = rated(bob, 28, clock())
    rankings.refresh()
    clock.forward(days=2)
    type(row).objects.filter(pk=row.pk).update(mu=33)
    anew()
    shown = text(client.get("/rankings/red/"))
    assert "1 1 up 1 since last week bob 1820 20" in shown
    assert "2 1 down 1 since last week alice 1700 20" in shown
    assert RankingRun.objects.get().at == clock()
    assert "as of 12:00" in shown


@pytest.mark.parametrize(
    "query",
    ["period=year", "of=bots", "around=you", "after=x", "after=-1", "after=1.5", "after=", "after=%00", "of=followed'"],
)
def test_a_forged_address_is_refused(many, client, query):
    assert client.get(f"/rankings/red/?{query}").status_code == 400


@pytest.mark.parametrize("query", ["after=999999999999999999", "after=2147483648"])
def test_behind_the_last_page_is_nothing(many, client, query):
    answer = client.get(f"/rankings/red/?{query}")
    assert answer.status_code == 200
    assert "The ranking ends here." in text(answer)


@pytest.mark.parametrize("family", ["chess", "red-", "RED", "red--1"])
def test_a_family_that_there_is_not_is_not_found(client, alice, family):
    for url in (f"/rankings/{family}/", f"/player/alice/ratings/{family}/"):
        assert client.get(url).status_code == 404


@pytest.fixture
def career(clock, alice, bob):
    """95 rated matches of alice and bob, some at the same moment, one that only who has the link may see."""
    clock.forward(days=400)
    for number in range(95):
        at = clock() - timedelta(days=200 - number // 5)
        places = [1, 2] if number % 3 else [2, 1]
        finished([alice, bob], places, at, "red", audience="link" if number == 94 else "public")
    while tasks.ratings():
        pass
    tasks.rankings()
    return alice


def test_every_change_is_listed_once_and_leads_to_its_match(career, client):
    url, found = "/player/alice/ratings/red/", []
    while url:
        page = client.get(url).content.decode()
        found += re.findall(r'class="player" href="/match/(m\d+)/"', page)
        more = re.search(r'href="([^"]*)" rel="next"', page)
        url = unescape(more[1]) if more else ""
    expected = RatingChange.objects.filter(user=career, family="red").order_by("-at", "-pk")
    assert found == [change.match.slug for change in expected][1:]  # the address of the other one is a secret


def test_who_played_gets_to_the_match_that_others_do_not_know_of(career, bob, charlie):
    (secret,) = Match.objects.filter(audience="link")
    for user, knows in ((career, True), (bob, True), (charlie, False)):
        page = client_of(user).get("/player/alice/ratings/red/").content.decode()
        assert (secret.get_absolute_url() in page) == knows


def test_the_ratings_of_a_player_have_a_chart_and_a_table_and_the_rank(career, client):
    answer = client.get("/player/alice/")
    page, shown = answer.content.decode(), text(answer)
    change = RatingChange.objects.filter(user=career, family="red").latest("at", "pk")
    assert f'aria-label="Rating in Red, basic: from 1500 to {change.after.shown}, between 1' in page
    assert page.count('preserveAspectRatio="none" role="img"') == 2
    assert "style=" not in page
    assert "Rank 1 Best" in shown
    assert "Matches 95" in shown
    best = max(
        row.after.shown for row in RatingChange.objects.filter(user=career, family="red") if row.sigma_after <= 4
    )
    assert f"Best {best} " in shown


def test_a_long_career_is_shown_whole_by_its_weeks(clock, alice, bob):
    clock.forward(days=1000)
    for number in range(150):
        finished([alice, bob], [1, 2], clock() - timedelta(days=900 - 5 * number), "red")
    while tasks.ratings():
        pass
    (standing,) = read.profile_ratings(alice, "red")
    assert standing.chart is not None
    changes = list(RatingChange.objects.filter(user=alice, family="red").order_by("at"))
    shown = [(point.at, point.value) for point in standing.chart.points]
    assert shown[-read.RECENT :] == [(change.at, change.after.shown) for change in changes[-read.RECENT :]]
    weekly = {week_of(change.at): (change.at, change.after.shown) for change in changes}
    old = [point for point in weekly.values() if point[0] < changes[-read.RECENT].at]
    assert shown[: -read.RECENT] == old
    assert len(old) > 20
    assert standing.matches == 150
    assert RatingWeek.objects.filter(user=alice, family="red").count() == len({week_of(row.at) for row in changes})
    before = list(RatingWeek.objects.order_by("user", "family", "week").values_list("user", "family", "week", "mu"))
    standings.rebuild()
    after = RatingWeek.objects.order_by("user", "family", "week").values_list("user", "family", "week", "mu")
    assert list(after) == before


def test_a_name_is_found_in_any_case_and_a_hidden_one_like_nobody(career, bob, client):
    assert client.get("/player/Alice/ratings/red/")["Location"] == "/player/alice/ratings/red/"
    User.objects.filter(pk=bob.pk).update(profile="hidden")
    hidden, nobody = (client.get(f"/player/{name}/ratings/red/") for name in ("bob", "nobody"))
    assert (hidden.status_code, nobody.status_code) == (404, 404)
    assert hidden.content == nobody.content
    assert client_of(bob).get("/player/bob/ratings/red/").status_code == 200


@pytest.mark.parametrize(
    "query", ["before=x&id=1", "before=2026-01-01&id=1", "before=2026-01-01T00:00:00%2B00:00", "before="]
)
def test_a_forged_page_of_changes_is_refused(career, client, query):
    assert client.get(f"/player/alice/ratings/red/?{query}").status_code == 400


def test_a_guest_and_a_bot_have_no_ratings_to_show(client):
    guest, bot = User.objects.create_guest(), User.objects.bot("Ada")
    for user in (guest, bot):
        assert client.get(f"/player/{user.username}/ratings/red/").status_code == 404


def test_who_has_played_nothing_rated_is_told_how(alice, client):
    assert "You have no rating yet." in text(client_of(alice).get("/player/alice/"))


def test_pages_are_read_only(client, alice):
    for url in ("/rankings/", "/rankings/red/", "/player/alice/"):
        assert Client().post(url).status_code in (403, 405)
