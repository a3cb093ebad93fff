"""Links of mails that open a match: for whom, what for, how long; and what they do not allow."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.urls import reverse

from accounts.models import User
from config.masking import Masked
from games import links
from games.models import Match, Notice
from games.services import mailing
from tests.client import Client, client_of
from tests.conftest import move, play_out, post_body, seated, steps_for

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _address(settings):
    settings.SITE_URL = "http://testserver"


@pytest.fixture
def match(alice, bob):
    """A hidden match in which it is alice's turn."""
    for user in (alice, bob):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
        user.refresh_from_db()
    while True:
        match = seated(alice, bob, audience="seated")
        if match.seats.get(user=alice).number == match.active_seat:
            return match


@pytest.fixture
def path(alice, match):
    """The path of alice's link."""
    return urlsplit(links.to_match(alice, match, match.version)).path


def opened(path: str, client: Client | None = None) -> Client:
    """A browser that has followed the link; its own if it is given."""
    client = client or Client()
    response = client.get(path)
    assert response.status_code == 302
    return client


def test_who_is_logged_in_is_led_to_the_match_and_nothing_is_kept(alice, match, path):
    client = client_of(alice)
    response = client.get(path)
    assert response["Location"] == match.get_absolute_url()
    assert links.KEY not in client.session
    assert "by the link of a mail" not in client.get(match.get_absolute_url()).content.decode()


def test_who_is_logged_out_sees_the_table_of_the_user_and_moves_after_a_click(alice, match, path):
    client = opened(path)
    assert Match.objects.get(pk=match.pk).version == match.version
    page = client.get(match.get_absolute_url())
    assert "You are here as <b>alice</b> by the link of a mail" in page.content.decode()
    assert page.context["my_turn"]
    assert page.context["observation"] == client_of(alice).get(match.get_absolute_url()).context["observation"]
    assert client.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 302
    row = match.moves.get(number=match.version + 1)
    assert (row.seat, row.by) == (match.active_seat, "user")


def test_looking_is_no_visit_and_moving_is_one(clock, alice, match, path):
    User.objects.filter(pk=alice.pk).update(seen_at=clock.moment - timedelta(days=2))
    client = opened(path)
    client.get(match.get_absolute_url())
    assert User.objects.get(pk=alice.pk).seen_at == clock.moment - timedelta(days=2)
    assert Notice.objects.get(user=alice, match=match).seen_at is None
    with time_machine.travel(clock.moment):
        client.post(match.get_absolute_url(), post_body(match, steps_for(match)))
    assert User.objects.get(pk=alice.pk).seen_at == clock.moment


ELSE = ("resign/", "cancel/", "wishes/", "notices/", "return/", "propose/pause/", "agree/pause/", "give/", "nudge/")


@pytest.mark.parametrize("page", ELSE)
@pytest.mark.parametrize("audience", ["seated", "public"])
def test_nothing_else_is_done_by_it(match, path, page, audience):
    Match.objects.filter(pk=match.pk).update(audience=audience)
    client = opened(path)
    url = match.get_absolute_url() + page
    answers = [client.get(url), client.post(url, {"version": str(match.version), "proposal": "1"})]
    for response in (answer for answer in answers if answer.status_code != 405):
        assert response["Location"] == f"/account/login/?next={match.get_absolute_url().replace('/', '%2F')}"
    assert Match.objects.get(pk=match.pk).version == match.version
    assert "For everything else please log in" in client.get("/account/login/").content.decode()
    assert url not in client.get(match.get_absolute_url()).content.decode()


def test_a_match_that_is_over_is_shown_and_not_begun_again(alice, bob, match, path):
    play_out(match)
    client = opened(path)
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200
    assert not page.context["can_repeat"]
    count = Match.objects.count()
    assert client.post(match.get_absolute_url() + "again/").status_code == 302
    assert Match.objects.count() == count


def test_other_matches_and_pages_stay_closed(alice, bob, match, path):
    other = seated(alice, bob, audience="seated")
    client = opened(path)
    for url in (other.get_absolute_url(), other.get_absolute_url() + "version.json"):
        assert client.get(url).status_code == 404
    assert client.post(other.get_absolute_url(), post_body(other, steps_for(other))).status_code == 404
    html = client.get(match.get_absolute_url()).content.decode()
    assert other.slug not in html
    for url in ("/turns/", "/history/", "/settings/", "/account/"):
        html = client.get(url, follow=True).content.decode()
        assert match.slug not in html
        assert other.slug not in html
        assert "alice@" not in html


def test_another_user_may_move_by_it_as_themselves_elsewhere(charlie, alice, match, path):
    client = opened(path, client_of(charlie))
    assert client.get(match.get_absolute_url()).context["my_turn"]
    assert client.get("/turns/").context["user"] == charlie
    assert client.get(match.get_absolute_url() + "resign/").status_code == 404


def test_an_opponent_sees_their_own_hand_only(bob, match, path):
    client = opened(path, client_of(bob))
    page = client.get(match.get_absolute_url())
    assert page.context["me"] == match.seats.get(user=bob).number
    assert not page.context["my_turn"]
    assert client.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 409


def test_an_old_link_opens_the_present_with_what_happened(alice, match, path):
    move(move(match))
    client = opened(path)
    html = client.get(match.get_absolute_url()).content.decode()
    assert "Since your last move" in html
    assert "The match has moved on since this mail was written" in html


def revoke(user):
    mailing.end_links(user.pk)


def new_password(user):
    user.set_password("another one, and long")
    user.save()


def new_address(user):
    User.objects.filter(pk=user.pk).update(email="else@example.org")


def closed(user):
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("end", [revoke, new_password, new_address, closed])
def test_it_is_void_afterwards_and_so_is_who_came_in_by_it(alice, match, path, end):
    client = opened(path)
    assert client.get(match.get_absolute_url()).status_code == 200
    end(alice)
    assert client.get(match.get_absolute_url()).status_code == 302  # to log in
    assert client.get(match.get_absolute_url() + "version.json").status_code == 404
    assert client.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 302
    assert match.moves.count() == match.version
    assert Client().get(path)["Location"] == "/go/"
    assert Client().get("/go/").status_code == 410


def test_it_ends_after_thirty_days_and_so_does_the_session(match, path):
    with time_machine.travel(datetime.now().astimezone() + timedelta(days=29)):
        client = opened(path)
        assert client.get(match.get_absolute_url()).status_code == 200
    with time_machine.travel(datetime.now().astimezone() + timedelta(days=31)):
        assert client.get(match.get_absolute_url()).status_code in (302, 404)
        assert Client().get(path)["Location"] == "/go/"


def test_everybody_can_end_their_own(alice, match, path):
    client = client_of(alice)
    assert 'action="/settings/links/"' in client.get("/settings/").content.decode()
    page = client.post("/settings/links/", follow=True)
    assert "open nothing any more" in page.content.decode()
    assert Client().get(path)["Location"] == "/go/"
    assert Client().post("/settings/links/").status_code == 404
    assert Client().get("/settings/links/").status_code == 405


def tampered(path, alice, bob, match):
    """Tokens that nobody of ours has made, or that were changed."""
    token = path.split("/")[2]
    value, stamp, mark = token.split(".")
    other = seated(alice, bob)
    foreign = urlsplit(links.to_unsubscribe(alice, ["turn"])).path.split("/")[2]
    return [
        f"{bob.pk}-{match.pk}-{match.version}.{stamp}.{mark}",
        f"{alice.pk}-{other.pk}-{match.version}.{stamp}.{mark}",
        f"{alice.pk}-{match.pk}-99.{stamp}.{mark}",
        f"{value}.zzzzzz.{mark}",
        f"{value}.{stamp}.{mark[:-1]}",
        f"{value}.{stamp}.",
        f"{value}.{stamp}",
        value,
        foreign,
        "x",
        "9" * 400,
        f"{10**17}-{10**17}-1.{stamp}.{mark}",
        "%0d%0aSet-Cookie:x",
        "1-1-1.é.é",
    ]


def test_what_was_tampered_with_opens_nothing(alice, bob, match, path):
    count = Session.objects.count()
    for token in tampered(path, alice, bob, match):
        assert Client().get(f"/go/{token}/")["Location"] == "/go/", token
    assert Session.objects.count() == count


def test_neither_head_nor_post_let_in(match, path):
    client = Client()
    assert client.head(path).status_code == 302
    assert client.post(path).status_code == 405
    assert client.get(match.get_absolute_url()).status_code == 404


def test_the_session_of_nobody_gets_another_key(match, path):
    client = Client()
    client.get("/go/nothing/")
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    opened(path, client)
    assert client.cookies["sessionid"].value != planted
    assert not Session.objects.filter(pk=planted).exists()


def test_it_is_forgotten_on_request(match, path):
    client = opened(path)
    client.post(match.get_absolute_url() + "unlink/")
    assert client.get(match.get_absolute_url()).status_code == 404


def test_who_left_is_shown_what_everybody_sees(alice, bob, charlie, path):
    match = seated(alice, bob, charlie, audience="link")
    path = urlsplit(links.to_match(alice, match, 1)).path
    client = opened(path)
    assert client.get(match.get_absolute_url()).context["table"] is not None
    from games.services import leaving

    leaving.resign(match.pk, match.seats.get(user=alice).number, version=1)
    page = client.get(match.get_absolute_url())
    stranger = Client().get(match.get_absolute_url())
    assert page.context["observation"] == stranger.context["observation"]
    assert not page.context["my_turn"]


def test_the_address_is_told_to_nobody(match, path):
    response = Client().get(path)
    assert response["Referrer-Policy"] == "no-referrer"
    assert path.split("/")[2] not in opened(path).get(match.get_absolute_url()).content.decode()


def test_no_line_of_the_log_has_it(settings, path, capsys):
    assert settings.LOGGING["handlers"]["stderr"]["filters"] == ["masked"]
    record = logging.LogRecord("django.request", 30, "", 0, "%s: %s", ("Not Found", path), None)
    Masked().filter(record)
    assert record.getMessage() == "Not Found: /go/*/"
    other = logging.LogRecord("x", 30, "", 0, "%d of /match/%s/", (3, "abc"), None)
    Masked().filter(other)
    assert other.getMessage() == "3 of /match/abc/"


def test_a_session_opens_the_latest_twenty(alice, bob):
    client = Client()
    made = [seated(alice, bob, audience="seated") for _each in range(links.MOST + 1)]
    for match in made:
        opened(urlsplit(links.to_match(alice, match, 1)).path, client)
    assert len(client.session[links.KEY]) == links.MOST
    assert client.get(made[0].get_absolute_url()).status_code == 404
    assert client.get(made[-1].get_absolute_url()).status_code == 200


def test_a_match_in_the_lobby_is_not_opened(alice):
    from games.services import lobby

    match = lobby.create(alice, lobby.Proposal("red", 3, 0))
    page = opened(urlsplit(links.to_match(alice, match, 0)).path).get(match.get_absolute_url())
    assert not page.context["can_cancel"]
    assert page.context["link"] is None
    assert reverse("cancel", args=[match.slug]) not in page.content.decode()
