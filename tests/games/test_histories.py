"""The history: what it lists, its filters, its pages, favourites, and links into a match."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Departure, Favourite, Match
from games.services import lobby, people
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ended import RED, ended
from tests.reading import Page

T = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def visitor(alice):
    """A browser of alice."""
    return client_of(alice)


def listed(answer) -> list[str]:
    """The names of the matches on a page of a history, in its order."""
    assert answer.status_code == 200, answer.status_code
    return re.findall(r'class="main-link" href="/match/(\w+)/"', answer.content.decode())


def page(answer) -> Page:
    """The page as it is read."""
    return Page(answer.content.decode())


def next_of(answer) -> str | None:
    """The address of the page behind this one."""
    found = re.search(r'href="([^"]+)" rel="next"', answer.content.decode())
    return found[1].replace("&amp;", "&") if found else None


@pytest.fixture
def played(alice, bob, charlie):
    """Matches of alice by what they are good for."""
    bot = User.objects.bot("Ada")
    return {
        name: match.slug
        for name, match in {
            "won": ended([alice, bob], [1, 2], T),
            "shared": ended([bob, alice], [1, 1], T + timedelta(days=1)),
            "lost": ended([alice, bob, charlie], [2, 1, 2], T + timedelta(days=2), rated=True),
            "left": ended([alice, charlie], [2, 1], T + timedelta(days=3), left=[0]),
            "bot": ended([alice, bot], [1, 2], T + timedelta(days=4), game="barvosauri", options={}),
            "advanced": ended([alice, bob], [1, 2], T + timedelta(days=5), options=RED | {"game": "advanced"}),
            "private": ended([alice, bob], [2, 1], T + timedelta(days=6), audience="link"),
        }.items()
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "private advanced bot left lost shared won"),
        ("game=red", "private advanced left lost shared won"),
        ("game=barvosauri", "bot"),
        ("game=red&option_game=advanced", "advanced"),
        ("game=red&option_icons=no&option_game=basic", "private left lost shared won"),
        ("opponent=BOB", "private advanced lost shared won"),
        ("opponent=charlie", "left lost"),
        ("opponent=Bot+Ada", "bot"),
        ("result=won", "advanced bot won"),
        ("result=shared", "shared"),
        ("result=lost", "private lost"),
        ("result=left", "left"),
        ("rated=yes", "lost"),
        ("rated=no&opponent=charlie", "left"),
        ("since=2026-11-25", "private advanced"),
        ("until=2026-11-21", "shared won"),
        ("since=2026-11-22&until=2026-11-22", "lost"),
        ("since=2026-12-24", ""),
        ("starred=yes", ""),
        ("game=&opponent=&result=&since=&until=&rated=&starred=&utm=x", "private advanced bot left lost shared won"),
    ],
)
def test_a_filter_shows_what_is_asked_for(visitor, played, query, names):
    answer = visitor.get(f"/history/?{query}")
    assert listed(answer) == [played[name] for name in names.split()]
    if query and not names:
        assert b"No finished match is like that." in answer.content


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("game=chess", "There is no such choice"),
        ("result=drawn", "There is no such choice"),
        ("rated=perhaps", "There is no such choice"),
        ("starred=no", "There is no such choice"),
        ("game=red&option_game=expert", "There is no such choice"),
        ("opponent=nobody-here", "No player of that name is found here."),
        ("opponent=alice", "No player of that name is found here."),
        ("opponent=%27+OR+1%3D1", "No player of that name is found here."),
        ("opponent=" + "x" * 31, "No player has so long a name."),
        ("since=yesterday", "Choose a day, such as"),
        ("since=2026-02-30", "Choose a day, such as"),
        ("since=0001-01-01", "Choose a day from 2000 on."),
        ("until=9999-12-31", "Choose a day from 2000 on."),
        ("since=2026-11-22&until=2026-11-21", "The last day is before the first one."),
    ],
)
def test_what_there_is_not_is_refused_at_its_field(visitor, played, query, sentence):
    answer = visitor.get(f"/history/?{query}")
    assert answer.status_code == 400
    text = answer.content.decode()
    assert sentence in re.search(r'<ul class="errorlist".*?</ul>', text, re.DOTALL)[0]
    assert "main-link" not in text
    for kind in ("csv", "json"):
        assert visitor.get(f"/history/export.{kind}?{query}").status_code == 400


@pytest.mark.parametrize(
    "query",
    ["before=x&id=1", "before=2026-11-20", "before=2026-11-20T12:00:00&id=1", "before=&id=", "id=7&before=0",
     "before=2026-11-20T12:00:00%2B00:00&id=-1", "before=2026-11-20T12:00:00%2B00:00&id=9999999999999999999",
     "before=0001-01-01T00:00:00%2B14:00&id=1", "before=2026-11-20T12:00:00%2B00:00"],
)  # fmt: skip
def test_a_forged_cursor_is_refused(visitor, played, query):
    for url in ("/history/", "/player/bob/history/"):
        assert visitor.get(f"{url}?{query}").status_code == 400


def test_days_are_those_of_the_readers_zone(alice, bob, visitor):
    User.objects.filter(pk=alice.pk).update(zone="Pacific/Auckland")  # 13 hours before UTC
    match = ended([alice, bob], [1, 2], datetime(2026, 11, 20, 11, 30, tzinfo=UTC))
    assert listed(visitor.get("/history/?since=2026-11-21&until=2026-11-21")) == [match.slug]
    assert listed(visitor.get("/history/?until=2026-11-20")) == []
    User.objects.filter(pk=alice.pk).update(zone="America/Lima")
    assert listed(visitor.get("/history/?since=2026-11-20&until=2026-11-20")) == [match.slug]
    assert listed(visitor.get("/history/?since=2026-11-21")) == []


def test_a_filter_goes_along_from_page_to_page(alice, bob, charlie, visitor):
    mine = [ended([alice, bob], [1, 2], T + timedelta(hours=n // 10)).slug for n in range(45)]
    for number in range(5):
        ended([alice, charlie], [1, 2], T + timedelta(hours=number))
    seen, url = [], "/history/?opponent=Bob&result=won&since=2026-11-01"
    for number in (20, 20, 5):
        answer = visitor.get(url)
        assert len(listed(answer)) == number
        form = next(form for form in page(answer).forms if "opponent" in form.fields)
        assert (form.fields["opponent"], form.fields["since"]) == ("Bob", "2026-11-01")
        seen += listed(answer)
        url = next_of(answer)
    assert url is None
    assert sorted(seen) == sorted(mine)
    assert len(set(seen)) == 45


def test_a_match_whose_seat_somebody_else_had_at_the_end_is_one_that_was_left(alice, bob, charlie, visitor):
    match = ended([bob, charlie], [1, 2], T)
    Departure.objects.create(match=match, seat=0, user=alice, version=4, how="resign", at=T, taken_over=5)
    assert listed(visitor.get("/history/?result=left")) == [match.slug]
    assert listed(visitor.get("/history/?result=won")) == []
    assert listed(visitor.get("/history/?opponent=charlie")) == [match.slug]
    assert b"you left" in visitor.get("/history/").content


def test_of_others_only_what_everybody_may_watch_or_the_visitor_played(alice, bob, charlie, dora):
    public = ended([alice, bob], [1, 2], T).slug
    link = ended([alice, bob], [1, 2], T + timedelta(days=1), audience="link").slug
    seats = ended([alice, bob], [1, 2], T + timedelta(days=2), audience="seated").slug
    seen = {bob: [seats, link, public], charlie: [public], alice: [seats, link, public]}
    for user, slugs in seen.items():
        assert listed(client_of(user).get("/player/alice/history/")) == slugs
    assert listed(Client().get("/player/alice/history/")) == [public]
    for client in (client_of(charlie), Client()):
        text = client.get("/player/alice/").content.decode()
        assert public in text
        assert not {slug for slug in (link, seats) if slug in text}
        assert link not in client.get("/player/alice/with/bob/").content.decode()
    assert client_of(charlie).get("/player/alice/history/?starred=yes").status_code == 200  # no such field of others
    assert b'name="starred"' not in client_of(charlie).get("/player/alice/history/").content


def test_a_row_leads_to_the_end_and_every_move_has_an_address_that_can_be_shared(alice, bob, visitor):
    match = play_out(seated(alice, bob))
    assert listed(visitor.get("/history/")) == [match.slug]
    assert b"The match is over." in Client().get(match.get_absolute_url()).content
    for version in (1, match.version):
        shared = Client().get(f"{match.get_absolute_url()}at/{version}/")
        assert f"Move {version} of {match.version}" in shared.content.decode()
    assert Client().get(f"{match.get_absolute_url()}at/{match.version + 1}/").status_code == 404


def test_a_favourite_is_kept_once_and_found_again(alice, bob, visitor):
    match, other = ended([alice, bob], [1, 2], T), ended([alice, bob], [2, 1], T)
    forms = [form for form in page(visitor.get("/history/?opponent=bob")).forms if form.action.endswith("/star/")]
    form = next(form for form in forms if match.slug in form.action)
    assert form.fields["back"] == "opponent=bob"
    for _twice in range(2):
        answer = visitor.post(form.action, form.fields)
        assert (answer.status_code, answer["Location"]) == (302, f"/history/?opponent=bob#m-{match.slug}")
        assert [(row.user, row.match) for row in Favourite.objects.all()] == [(alice, match)]
    assert listed(visitor.get("/history/?starred=yes")) == [match.slug]
    assert listed(client_of(bob).get("/history/?starred=yes")) == []
    for _twice in range(2):
        assert visitor.post(f"/match/{match.slug}/unstar/").status_code == 302
        assert not Favourite.objects.exists()
    assert set(listed(visitor.get("/history/"))) == {match.slug, other.slug}


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example", "x\r\nSet-Cookie: a=b", "x" * 2000])
def test_starring_leads_back_to_this_site_only(alice, bob, visitor, back):
    match = ended([alice, bob], [1, 2], T)
    answer = visitor.post(f"/match/{match.slug}/star/", {"back": back})
    assert answer.status_code == 302
    assert answer["Location"].startswith(("/history/?", f"/match/{match.slug}/"))
    assert "\n" not in answer["Location"]
    assert "a" not in answer.cookies


def test_only_who_has_played_a_finished_match_can_star_it(alice, bob, charlie, visitor):
    over, secret = ended([alice, bob], [1, 2], T), ended([alice, bob], [1, 2], T, audience="seated")
    running, waiting = seated(alice, bob), lobby.create(alice, lobby.Proposal("red", 2, 0))
    assert client_of(charlie).post(f"/match/{over.slug}/star/").status_code == 409
    assert client_of(charlie).post(f"/match/{secret.slug}/star/").status_code == 404
    for match in (running, waiting):
        assert visitor.post(f"/match/{match.slug}/star/").status_code == 409
    assert Client().post(f"/match/{over.slug}/star/").status_code == 404
    assert visitor.get(f"/match/{over.slug}/star/").status_code == 405
    assert Client(enforce_csrf_checks=True).post(f"/match/{over.slug}/star/").status_code == 403
    assert not Favourite.objects.exists()


def test_favourites_of_a_guest_come_along_into_the_account(alice, bob):
    guest = User.objects.create_guest()
    own, both = ended([guest, bob], [1, 2], T), ended([guest, alice], [1, 2], T)
    for user, match in ((guest, own), (guest, both), (alice, both)):
        assert client_of(user).post(f"/match/{match.slug}/star/").status_code == 302
    people.merge(guest.pk, alice.pk)
    assert sorted(Favourite.objects.values_list("user", "match")) == sorted([(alice.pk, own.pk), (alice.pk, both.pk)])
    assert listed(client_of(alice).get("/history/?starred=yes&opponent=bob")) == [own.slug]


def test_nobody_has_an_empty_history(db):
    answer = Client().get("/history/?game=chess")
    assert answer.status_code == 200
    assert b"Nothing has ended yet." in answer.content
    assert not Match.objects.exists()


@pytest.mark.any_database  # PostgreSQL reads small tables as a whole
def test_a_page_far_back_is_read_from_where_it_begins(alice, bob, visitor):
    ended([alice, bob], [1, 2], T)
    for url in ("/history/", "/player/alice/history/"):
        behind = f"{url}?game=red&result=won&until=2026-12-01&before={T:%Y-%m-%dT%H:%M:%S}%2B00:00&id=5"
        with CaptureQueriesContext(connection) as made:
            visitor.get(behind)
        [query] = [one["sql"] for one in made if 'ORDER BY "games_seat"."finished_at" DESC' in one["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query}")
            plan = [line for *_ids, line in cursor.fetchall()]
        assert "SEARCH games_seat USING INDEX seat_history (user_id=? AND finished_at>? AND finished_at<?)" in plan, (
            plan
        )
        assert not [line for line in plan if "TEMP B-TREE" in line or line.startswith("SCAN")], plan
