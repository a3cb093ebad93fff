"""What a user is told by which way: every cell of the matrix, quiet hours, times, the address, the defaults."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games import tasks
from games.delivery import mails, routing, sending
from games.models import Channel, Choice, Delivery, Device, Match, Notice
from games.notice_forms import MODES
from games.services import choices, notices, webhooks
from tests.client import Client, client_of
from tests.conftest import move, seated

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
CELLS = [(kind, channel) for kind in routing.KINDS for channel in Channel]
EVERY = [(kind, channel, mode) for kind, channel in CELLS for mode in MODES[channel]]


def form(**changes):
    """The fields of the form as a user who has chosen nothing would send them."""
    cells = {f"{kind}_{channel}": mode for (kind, channel), mode in routing.DEFAULTS.items()}
    return cells | {"quiet_from": "", "quiet_to": "", "reminder_share": "25", "mail_delay": "15"} | changes


def kept(user):
    """All that the page writes."""
    user = User.objects.get(pk=user.pk)
    return choices.of(user), user.quiet_from, user.quiet_to, user.reminder_share, user.mail_delay


NOTHING = ({}, None, None, 25, 15)


@pytest.fixture
def reached(alice):
    """Alice, whom a mail, a push and a webhook can reach, and who was here long ago."""
    User.objects.filter(pk=alice.pk).update(email="alice@example.org", seen_at=datetime(2026, 11, 1, tzinfo=UTC))
    Device.objects.create(user=alice, endpoint="https://push.example/1", endpoint_hash="1", created_at=alice.seen_at)
    webhooks.add(alice, kind="json", url="https://hooks.example/1")
    alice.refresh_from_db()
    return alice


@pytest.fixture
def sent(monkeypatch):
    """What leaves, as (channel, kinds): a mail with others has several."""
    found = []

    def leave(row):
        carried = mails.carried(row.notice) if row.notice.kind == Notice.Kind.DIGEST else [row.notice]
        how = "digest" if row.notice.kind == Notice.Kind.DIGEST else "instant"
        found.append((row.channel, how, [one.kind for one in carried]))

    monkeypatch.setattr(sending, "SENDERS", dict.fromkeys(Channel, leave))
    return found


def happen(user, kind, match):
    """A notice of that kind to the user which still holds; ``match`` waits for them."""
    version, key = match.since_version, f"{kind}:{match.pk}:{match.since_version}"
    if kind == Notice.Kind.INVITED:
        from games.services import invitations, lobby

        opened = lobby.create(match.seats.exclude(user=user).get().user, lobby.Proposal("red", 2, 0))
        invitations.invite(opened.pk, opened.seats.get().user, [user])
    else:
        Notice.objects.filter(user=user).delete()
        notices.store([notices.tell(user.pk, kind, key, match, version=version)])
    return Notice.objects.get(user=user, kind=kind)


def waits_for(user, other):
    """A match that waits for the user, and of which they were told nothing yet."""
    match = seated(user, other)
    while match.seats.get(user=user).number != match.active_seat:
        match = move(match)
    Notice.objects.all().delete()
    return match


@pytest.mark.parametrize(("kind", "channel", "mode"), EVERY)
def test_every_cell_does_what_it_says(clock, reached, bob, sent, kind, channel, mode):
    match = waits_for(reached, bob)
    # All else is off, so that what leaves leaves by this cell.
    others = {f"{one}_{way}": "off" for one, way in CELLS if (one, way) != (kind, channel)}
    body = form(**others, **{f"{kind}_{channel}": mode})
    assert client_of(reached).post(PAGE, body).status_code == 302
    User.objects.filter(pk=reached.pk).update(seen_at=clock() - timedelta(days=1))
    happen(reached, kind, match)
    clock.forward(seconds=5)
    tasks.deliveries()
    assert sent == ([(channel, "instant", [kind])] if mode == "instant" else [])
    clock.forward(minutes=20)
    tasks.deliveries()
    expected = {"off": [], "instant": [(channel, "instant", [kind])], "digest": [(channel, "digest", [kind])]}
    assert sent == expected[mode]
    row = Delivery.objects.get(notice__kind=kind, channel=channel)
    assert (row.status, row.why) == {"off": ("dropped", "off"), "instant": ("sent", ""), "digest": ("carried", "")}[
        mode
    ]
    tasks.deliveries()
    assert len(sent) == len(expected[mode])


@pytest.mark.parametrize(("kind", "channel"), CELLS)
def test_without_a_choice_the_default_holds(clock, reached, bob, sent, kind, channel):
    match = waits_for(reached, bob)
    happen(reached, kind, match)
    routing.route()
    row = Delivery.objects.get(notice__kind=kind, channel=channel)
    usual = routing.DEFAULTS[kind, channel]
    assert (row.status == "dropped", row.gathers) == (usual == "off", usual == "digest")


@pytest.mark.parametrize(("mode", "kind"), list(itertools.product(["mute", "instant", "digest"], ["turn", "reminder"])))
def test_a_choice_for_a_match_stands_above_the_matrix(clock, reached, bob, sent, mode, kind):
    match = waits_for(reached, bob)
    choices.choose(match, reached, mode)
    happen(reached, kind, match)
    clock.forward(minutes=20)
    tasks.deliveries()
    ways = {"mute": [], "instant": ["instant"] * 3, "digest": ["digest", "instant", "instant"]}[mode]  # only mails wait
    assert sorted(how for _way, how, _kinds in sent) == ways


def test_a_choice_for_a_match_brings_back_nothing_that_is_off(clock, reached, bob, sent):
    match = waits_for(reached, bob)
    client_of(reached).post(PAGE, form(turn_mail="off", turn_push="off", turn_webhook="off"))
    choices.choose(match, reached, "instant")
    happen(reached, "turn", match)
    clock.forward(minutes=20)
    tasks.deliveries()
    assert sent == []


@pytest.mark.parametrize("how", ["mute", "off"])
def test_what_waits_already_is_not_sent_once_it_is_switched_off(clock, reached, bob, sent, how):
    match = waits_for(reached, bob)
    other = seated(reached, bob)
    happen(reached, "turn", match)
    notices.store([notices.tell(reached.pk, Notice.Kind.TABLE, "table:1:1", other, version=1)])
    routing.route()
    if how == "mute":
        client_of(reached).post(f"{match.get_absolute_url()}notices/", {"mode": "mute"})
    else:
        client_of(reached).post(PAGE, form(turn_mail="off", turn_push="off", turn_webhook="off"))
    User.objects.filter(pk=reached.pk).update(seen_at=clock() - timedelta(days=1))
    clock.forward(minutes=20)
    tasks.deliveries()
    assert sent == [("mail", "digest", ["table"])]
    dropped = Delivery.objects.filter(notice__kind="turn").values_list("status", "why")
    assert set(dropped) == {("dropped", how)}


def test_the_page_shows_what_is_kept_and_what_is_usual(alice):
    client = client_of(alice)
    html = client.get(PAGE).content.decode()
    assert html.count("(as usual)") == len(CELLS) - len(routing.KINDS)  # by webhook only who has one
    assert "by webhook" not in html
    webhooks.add(alice, kind="json", url="https://hooks.example/1")
    html = client.get(PAGE).content.decode()
    assert html.count("(as usual)") == len(CELLS)
    assert html.count("(as usual)</option>") == len(CELLS)
    assert html.count(" selected>") >= len(CELLS)
    body = form(
        turn_mail="off", table_push="instant", quiet_from="1320", quiet_to="420", reminder_share="50", mail_delay="240"
    )
    assert client.post(PAGE, body).status_code == 302
    assert kept(alice) == ({("turn", "mail"): "off", ("table", "push"): "instant"}, 1320, 420, 50, 240)
    html = client.get(PAGE).content.decode()
    assert "Saved." in html
    assert "Saved." not in client.get(PAGE).content.decode()
    assert '<option value="1320" selected>22:00</option>' in html
    assert '<option value="50" selected>' in html


def test_back_to_the_defaults(alice):
    client = client_of(alice)
    client.post(PAGE, form(turn_mail="off", quiet_from="1320", quiet_to="420"))
    assert client.post(PAGE + "usual/").status_code == 302
    assert kept(alice) == ({}, 1320, 420, 25, 15)
    assert client.get(PAGE + "usual/").status_code == 405


def test_a_cell_set_to_the_default_is_no_choice(alice):
    client = client_of(alice)
    client.post(PAGE, form(turn_mail="off"))
    client.post(PAGE, form())
    assert not Choice.objects.filter(user=alice).exists()


WRONG = [
    ({"quiet_from": "1320"}, "a beginning and an end"),
    ({"quiet_to": "420"}, "a beginning and an end"),
    ({"quiet_from": "420", "quiet_to": "420"}, "the whole day"),
    ({"quiet_from": "421", "quiet_to": "480"}, "Choose one of these times."),
    ({"quiet_from": "-30", "quiet_to": "480"}, "Choose one of these times."),
    ({"quiet_from": "noon", "quiet_to": "480"}, "Choose one of these times."),
    ({"quiet_from": "1440", "quiet_to": "480"}, "Choose one of these times."),
    ({"reminder_share": "0"}, "Choose one of these times."),
    ({"reminder_share": "100"}, "Choose one of these times."),
    ({"reminder_share": ""}, "required"),
    ({"mail_delay": "1"}, "Choose one of these times."),
    ({"mail_delay": "9" * 40}, "Choose one of these times."),
    ({"turn_mail": "sometimes"}, "There is no such way."),
    ({"turn_push": "digest"}, "There is no such way."),
    ({"turn_mail": "mute"}, "There is no such way."),
    ({"ended_push": ""}, "required"),
]


@pytest.mark.parametrize(("wrong", "sentence"), WRONG)
def test_what_no_form_would_send_is_refused_whole(alice, wrong, sentence):
    answer = client_of(alice).post(PAGE, form(reminder_mail="off") | wrong)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert kept(alice) == NOTHING


@pytest.mark.parametrize("name", form())
def test_a_form_without_one_of_its_fields_changes_nothing_else(alice, name):
    webhooks.add(alice, kind="json", url="https://hooks.example/1")
    body = form(reminder_mail="off")
    del body[name]
    answer = client_of(alice).post(PAGE, body)
    if name.startswith("quiet"):  # an empty one and none are the same
        assert answer.status_code == 302
    else:
        assert answer.status_code == 422
        assert kept(alice) == NOTHING


def test_a_guest_is_told_that_mail_needs_an_account(client):
    guest = User.objects.create_guest()
    for visitor in (client_of(guest), client):
        html = visitor.get(PAGE).content.decode()
        assert "Mails need an account" in html
        assert "_mail" not in html
        assert "turn_push" in html
    body = {name: value for name, value in form(turn_push="off", turn_mail="off").items() if name != "mail_delay"}
    assert client_of(guest).post(PAGE, body).status_code == 302
    assert choices.of(guest) == {("turn", "push"): "off"}


def test_who_is_nobody_becomes_a_guest_by_saving(client):
    assert client.post(PAGE, form(turn_push="off")).status_code == 302
    guest = User.objects.get()
    assert guest.is_guest
    assert choices.of(guest) == {("turn", "push"): "off"}


def test_a_site_without_a_key_offers_no_pushes_and_forgets_none_that_were_chosen(alice, client, settings):
    choices.save(alice, {("turn", "push"): "off"})
    settings.VAPID_PRIVATE_KEY = ""
    assert "_push" not in client_of(alice).get(PAGE).content.decode()
    assert "no way yet to tell you" in client.get(PAGE).content.decode()
    fields = {name: mode for name, mode in form(table_mail="off").items() if "_push" not in name}
    assert client_of(alice).post(PAGE, fields).status_code == 302
    assert choices.of(alice) == {("turn", "push"): "off", ("table", "mail"): "off"}


@pytest.mark.parametrize("tail", ["usual/", "address/", "feeds/", "feeds/end/"])
def test_nobody_has_nothing_to_change(client, tail):
    assert client.post(PAGE + tail).status_code == 404
    assert client.get(PAGE + tail).status_code == 405
    assert not User.objects.exists()


def test_another_share_moves_the_reminders_of_turns_that_wait(clock, alice, bob):
    waiting, others = waits_for(alice, bob), waits_for(bob, alice)
    before = Match.objects.get(pk=others.pk).remind_at
    assert waiting.remind_at == waiting.deadline - timedelta(hours=12)
    client_of(alice).post(PAGE, form(reminder_share="50"))
    waiting.refresh_from_db()
    assert waiting.remind_at == waiting.deadline - timedelta(hours=24)
    assert Match.objects.get(pk=others.pk).remind_at == before
    client_of(alice).post(PAGE, form(reminder_share="10"))
    waiting.refresh_from_db()
    assert waiting.remind_at == waiting.deadline - timedelta(hours=4.8)


def test_another_share_never_reminds_twice_of_a_decision(clock, alice, bob):
    match = waits_for(alice, bob)
    clock.moment = match.remind_at
    assert tasks.reminders() == 1
    for share in ("10", "50"):
        client_of(alice).post(PAGE, form(reminder_share=share))
        clock.moment = match.deadline - timedelta(hours=2)
        tasks.reminders()
    assert Notice.objects.filter(kind="reminder").count() == 1


def test_who_is_late_already_by_the_new_share_is_reminded_at_once(clock, alice, bob):
    match = waits_for(alice, bob)
    clock.moment = match.deadline - timedelta(hours=20)
    assert tasks.reminders() == 0
    client_of(alice).post(PAGE, form(reminder_share="50"))
    assert tasks.reminders() == 1


def test_an_address_that_takes_no_mail(clock, reached, bob):
    client = client_of(reached)
    assert "takes no mail" not in client.get(PAGE).content.decode()
    User.objects.filter(pk=reached.pk).update(mail_off_at=clock(), mail_off_why="address")
    html = client.get(PAGE).content.decode()
    assert "Your address takes no mail." in html
    assert "29 Nov" in html
    assert client.post(PAGE + "address/").status_code == 302
    reached.refresh_from_db()
    assert (reached.mail_off_at, reached.mail_off_why) == (None, "")
    assert "takes no mail" not in client.get(PAGE).content.decode()


def test_trying_an_address_again_is_limited(reached):
    client = client_of(reached)
    answers = [client.post(PAGE + "address/").status_code for _each in range(6)]
    assert answers == [302] * 5 + [429]


def test_forms_of_other_sites_change_nothing(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    for tail in ("", "usual/", "address/", "feeds/"):
        assert client.post(PAGE + tail, form(turn_mail="off")).status_code == 403
    assert kept(alice) == NOTHING
