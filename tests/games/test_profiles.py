"""Profiles, what two have played with each other, and following."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games import histories
from games.models import Departure, Follow, Invitation, Rating
from games.now import now
from games.services import following
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ended import RED, ended
from tests.racing import at_once, outcome
from tests.reading import Page

T = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADVANCED = RED | {"game": "advanced"}


def tallies(answer) -> dict[str, list[int]]:
    """The rows of the table of results, by their heads."""
    assert answer.status_code == 200, answer.status_code
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>((?:<td>\d+</td>)+)', answer.content.decode())
    return {re.sub(r"<.*?>", "", head): list(map(int, re.findall(r"\d+", cells))) for head, cells in rows}


@pytest.fixture
def played(alice, bob, charlie):
    """What alice has played with bob and charlie, and against a bot."""
    ended([alice, bob], [1, 2], T)
    ended([bob, alice], [1, 1], T)
    ended([alice, bob, charlie], [2, 1, 3], T, options=ADVANCED)
    ended([alice, charlie], [2, 1], T, left=[0])
    ended([alice, User.objects.bot("Ada")], [1, 2], T, game="barvosauri")
    ended([alice, bob], [1, 2], T, audience="link")
    handed_on = ended([bob, charlie], [1, 2], T)
    Departure.objects.create(match=handed_on, seat=1, user=alice, version=4, how="resign", at=T, taken_over=5)


def test_results_are_counted_by_what_they_depended_on(played, alice, bob, charlie):
    assert tallies(client_of(charlie).get("/player/alice/")) == {
        "Red, basic": [1, 1, 0, 2],
        "Red, advanced": [0, 0, 1, 0],
        "Seat 1": [1, 0, 1, 1],
        "Seat 2": [0, 1, 0, 1],
        "bob": [1, 1, 1, 1],
        "charlie": [0, 0, 1, 2],
    }
    assert tallies(client_of(alice).get("/player/alice/"))["Red, basic"] == [2, 1, 0, 2]


def test_a_long_history_is_counted_from_its_end(alice, bob, client, monkeypatch):
    monkeypatch.setattr(histories, "COUNTED", 3)
    for number in range(5):
        ended([alice, bob], [1, 2] if number > 2 else [2, 1], T + timedelta(days=number))
    page = client.get("/player/alice/")
    assert tallies(page)["Red, basic"] == [2, 0, 1, 0]
    assert b"Of the last 3 matches" in page.content


def test_a_name_leads_to_its_right_spelling(alice, bob, client):
    for wrong, right in (
        ("/player/ALICE/", "/player/alice/"),
        ("/player/Alice/with/BOB/", "/player/alice/with/bob/"),
        ("/player/aLice/history/?game=red&result=won", "/player/alice/history/?game=red&result=won"),
    ):
        answer = client.get(wrong)
        assert (answer.status_code, answer["Location"]) == (302, right)


def test_a_profile_tells_what_is_played_and_rated(alice, bob, charlie, client):
    Rating.objects.create(user=alice, family="red", mu=30, sigma=2, matches=30, last_at=now(), sure_until=now())
    running, secret = seated(alice, bob), seated(alice, bob, audience="link")
    page = client.get("/player/alice/").content.decode()
    assert running.slug in page
    assert secret.slug not in page
    assert "<h3>Red, basic</h3>" in page
    assert "<b>1700</b>" in page
    assert "Invite to a match" not in page
    assert f"{alice.date_joined:%B %Y}" in page


def test_who_is_to_move_is_told_from_where_the_visitor_stands(alice, bob, charlie):
    match = seated(alice, bob)
    mover, other = (
        match.seats.get(number=match.active_seat).user,
        match.seats.exclude(number=match.active_seat).get().user,
    )
    following.follow(charlie, mover)
    for url in (f"/player/{mover.username}/", "/following/"):
        page = client_of(charlie).get(url).content.decode()
        assert f"{mover.username} is to move" in page
        assert "you are to move" not in page
    assert "you are to move" in client_of(mover).get(f"/player/{other.username}/").content.decode()


def test_a_finished_match_leads_to_the_players_whose_page_the_visitor_may_see(alice, bob, charlie):
    match = play_out(seated(alice, bob, bots=1))
    User.objects.filter(pk=alice.pk).update(profile="players")
    for client, names in ((client_of(charlie), {"alice", "bob"}), (Client(), {"bob"})):
        page = client.get(match.get_absolute_url()).content.decode()
        assert set(re.findall(r'href="/player/([^/]+)/"', page)) == names


def test_an_invitation_begins_on_a_profile(alice, bob):
    client = client_of(bob)
    link = next(link for link in Page(client.get("/player/alice/").content.decode()).links if "invite=" in link.href)
    assert link.href == "/new/?invite=alice"
    form = next(f for f in Page(client.get(link.href).content.decode()).forms if "invite" in f.fields)
    assert (form.fields["invite"], form.fields["bots"]) == ("alice", "0")
    assert client.post(form.action, form.fields).status_code == 302
    assert [asked.created_by for asked in Invitation.objects.filter(to=alice)] == [bob]
    assert b'name="invite"' not in Client().get("/new/?invite=alice").content  # who is nobody invites nobody
    assert client.get("/new/?invite=" + "%3Cscript%3E" * 100).status_code == 200


def test_two_are_compared_by_their_places(played, alice, bob, charlie, client):
    assert tallies(client.get("/player/alice/with/bob/")) == {
        "Red, basic": [1, 1, 0],
        "Red, advanced": [0, 0, 1],
        "All games": [1, 1, 1],
    }
    assert tallies(client.get("/player/bob/with/alice/"))["All games"] == [1, 1, 1]
    assert tallies(client_of(alice).get("/player/alice/with/bob/"))["All games"] == [2, 1, 1]
    page = client_of(alice).get("/player/bob/").content.decode()
    assert "You had the better place in 2, the worse in 1, the same in 1." in page
    assert client.get("/player/alice/with/alice/").status_code == 404
    assert client.get("/player/alice/with/ALICE/").status_code == 404


def test_two_who_never_met_are_told_so(alice, bob, client):
    assert b"They have finished no match together" in client.get("/player/alice/with/bob/").content


def test_following_is_a_button_and_harmless_twice(alice, bob, charlie):
    client = client_of(alice)
    for action, kept in (("follow", True), ("follow", True), ("unfollow", False), ("unfollow", False)):
        page = Page(client.get("/player/bob/").content.decode())
        wanted = "/player/bob/unfollow/" if Follow.objects.exists() else "/player/bob/follow/"
        assert wanted in {form.action for form in page.forms}
        answer = client.post(f"/player/bob/{action}/")
        assert (answer.status_code, answer["Location"]) == (302, "/player/bob/")
        assert Follow.objects.filter(follower=alice, followed=bob).count() == kept


def test_who_is_followed_shows_what_everybody_may_watch(alice, bob, charlie):
    match, secret = seated(bob, charlie), seated(bob, charlie, audience="seated")
    many = [seated(bob, charlie) for _each in range(3)]
    following.follow(alice, bob)
    page = client_of(alice).get("/following/").content.decode()
    assert secret.slug not in page
    assert [one.slug for one in [match, *many] if one.slug in page] == [one.slug for one in many]
    assert "bob" not in client_of(charlie).get("/following/").content.decode()


def test_many_who_are_followed_are_shown_in_pages(alice, person):
    for number in range(45):
        following.follow(alice, person(f"friend-{number:02}"))
    client, url, seen = client_of(alice), "/following/", []
    while url:
        page = client.get(url).content.decode()
        seen += re.findall(r'id="p-(friend-\d+)"', page)
        url = "".join(re.findall(r'href="(/following/\?[^"]+)"', page))
    assert seen == [f"friend-{number:02}" for number in range(44, -1, -1)]
    for cursor in ("x", "-1", "1.5", "9" * 20, ""):
        assert client.get(f"/following/?before={cursor}").status_code == 400


def test_what_cannot_be_followed(alice, bob, client):
    guest = User.objects.create_guest()
    assert client_of(alice).post("/player/alice/follow/").status_code == 409
    assert client_of(guest).post("/player/alice/follow/").status_code == 409
    assert client_of(alice).post(f"/player/{guest.username}/follow/").status_code == 404
    assert client.post("/player/alice/follow/").status_code == 404
    assert client_of(alice).get("/player/bob/follow/").status_code == 405
    csrf = Client(enforce_csrf_checks=True)
    csrf.force_login(alice)
    assert csrf.post("/player/bob/follow/").status_code == 403
    assert not Follow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nobody_follows_more_than_is_possible_even_at_once(alice, person, monkeypatch, settings):
    monkeypatch.setattr(following, "MOST", 5)
    others = [person(f"friend-{number}") for number in range(8)]
    codes = at_once([outcome(lambda other=other: following.follow(alice, other)) for other in others])
    assert sorted(map(str, codes)) == ["None"] * 5 + ["cannot_follow"] * 3
    assert Follow.objects.count() == 5
    followed = Follow.objects.first().followed
    assert at_once([lambda: following.follow(alice, followed)] * 4) == [None] * 4
    assert client_of(alice).post(f"/player/{others[0].username}/follow/").status_code in (302, 409)
    settings.LIMITS = settings.LIMITS | {"follow": (1, 3600)}
    answers = [client_of(alice).post(f"/player/{followed.username}/unfollow/").status_code for _twice in range(3)]
    assert 429 in answers


def test_who_hides_takes_nobodys_place_among_those_one_follows(alice, bob, charlie, dora, monkeypatch):
    monkeypatch.setattr(following, "MOST", 1)
    mine = client_of(alice)
    assert mine.post("/player/bob/follow/").status_code == 302
    assert mine.post("/player/charlie/follow/").status_code == 409
    User.objects.filter(pk=bob.pk).update(profile="hidden")
    assert mine.post("/player/charlie/follow/").status_code == 302
    assert mine.post("/player/dora/follow/").status_code == 409
    assert set(Follow.objects.values_list("followed__username", flat=True)) == {"bob", "charlie"}


@pytest.mark.django_db(transaction=True)
def test_two_who_follow_each_other_at_once_do_not_wait_for_each_other(person):
    pairs = [(person(f"one-{number}"), person(f"two-{number}")) for number in range(8)]
    for one, two in pairs:
        calls = [(client_of(one), two), (client_of(two), one)]
        answers = at_once(
            [lambda mine=mine, whom=whom: mine.post(f"/player/{whom.username}/follow/") for mine, whom in calls]
        )
        assert [answer.status_code for answer in answers] == [302, 302]
    assert Follow.objects.count() == 16
