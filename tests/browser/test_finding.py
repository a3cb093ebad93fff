"""Finding each other: a QR code for a friend, the lobby, invitations by name, a rematch."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import segno
from playwright.sync_api import Page, expect

from tests.browser.playing import take_turn, this_match

pytestmark = pytest.mark.browser

SESSIONS = """
from importlib import import_module
from django.conf import settings
from django.contrib import auth
from accounts.models import User
for name in {names!r}:
    user, _new = User.objects.get_or_create(username=name)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[auth.SESSION_KEY] = str(user.pk)
    session[auth.BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[auth.HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    print(session.session_key)
"""


@pytest.fixture
def browsers(browser, site):
    """A page for each of some people with accounts, in browsers of their own."""
    contexts = []

    def pages(*names: str) -> list[Page]:
        keys = site.manage("shell", "-v0", "-c", SESSIONS.format(names=names)).split()
        for key in keys:
            context = browser.new_context(base_url=site.url)
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
            contexts.append(context)
        return [context.new_page() for context in contexts[-len(names) :]]

    yield pages
    for context in contexts:
        context.close()


def begin(page: Page, **fields: str) -> str:
    """Starts a match of Red for two people by the form; its address."""
    page.goto("/new/red/")
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_label("How many of them are bots").select_option("0")
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " ")).fill(text)
    page.locator("main form button").last.click()
    expect(page.locator("#seats")).to_be_visible()
    return page.url


def test_a_friend_opens_the_qr_code_on_a_phone_and_moves_first_as_a_guest(page: Page, browser, base_url):
    for _lot in range(12):  # until the friend is drawn to go first
        begin(page)
        link = page.locator("#invitation").input_value()
        page.locator(".show-qr summary").click()
        shown = page.locator(".qr .qrline").get_attribute("d")
        assert f'd="{shown}"' in segno.make(link, micro=False, error="m").svg_inline(omitsize=True, border=4)
        context = browser.new_context(base_url=base_url, viewport={"width": 390, "height": 800}, is_mobile=True)
        friend = context.new_page()
        friend.goto(link)
        expect(friend.get_by_text("No account is needed")).to_be_visible()
        friend.get_by_role("button", name="Sit down and play").click()
        expect(friend).to_have_url(re.compile(r"/match/\w+/$"))
        expect(page.locator("#own")).to_be_visible()
        if friend.locator("#confirm").count():
            break
        context.close()
    take_turn(friend, 1)
    expect(page.locator("#main:not([data-version='1'])")).to_be_attached()
    context.close()


def test_an_invitation_by_name_is_accepted_and_another_declined_while_the_inviter_watches(browsers):
    anna, berta = browsers("anna", "berta")
    address = begin(anna, Invite_by_name="Berta")
    expect(anna.locator(".fate")).to_contain_text("has not answered yet")
    berta.goto("/turns/")
    expect(berta.get_by_role("heading", name="anna invites you to Red")).to_be_visible()
    berta.get_by_role("button", name="Decline").click()
    expect(berta.get_by_text("anna invites you")).to_have_count(0)
    expect(anna.locator(".fate")).to_contain_text("declined")
    second = begin(anna, Invite_by_name="berta")
    assert second != address
    berta.goto("/turns/")
    berta.get_by_role("button", name="Accept").click()
    expect(berta).to_have_url(second)
    for one in (anna, berta):
        expect(one.locator("#own")).to_be_visible()


def test_an_invitation_and_a_turn_appear_on_an_open_page_of_turns_by_themselves(browsers):
    host, guest = browsers("frida-invites", "gerda-waits")
    guest.goto("/turns/")
    expect(guest.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    begin(host, Invite_by_name="gerda-waits")
    expect(guest.get_by_role("heading", name="frida-invites invites you to Red")).to_be_visible()
    expect(guest.locator("#live")).to_have_text("You are invited")
    host.get_by_role("button", name="Withdraw gerda-waits").click()
    expect(guest.get_by_text("frida-invites invites you")).to_have_count(0)
    address = begin(guest, Invite_by_name="frida-invites")
    host.goto("/turns/")
    other = host.context.new_page()
    other.goto("/turns/")
    other.get_by_role("button", name="Accept").click()
    expect(other.locator("#own")).to_be_visible()
    expect(host.get_by_text("invites you")).to_have_count(0)
    expect(host.locator(f".rows a[href='{urlsplit(address).path}']").first).to_be_visible()


def test_a_match_that_has_hardly_begun_is_called_off_and_the_other_page_says_so(browsers):
    clea, dorit = browsers("clea-calls-off", "dorit-is-told")
    begin(clea, Invite_by_name="dorit-is-told")
    dorit.goto("/turns/")
    dorit.get_by_role("button", name="Accept").click()
    expect(dorit.locator("#own")).to_be_visible()
    expect(clea.locator("#own")).to_be_visible()
    this_match(clea, "Call the match off", "link")
    expect(clea.get_by_text("counts for nobody")).to_be_visible()
    clea.get_by_role("button", name="Call the match off").click()
    expect(clea).to_have_url(re.compile(r"/turns/$"))
    expect(clea.get_by_text("You called this match off before everybody had moved")).to_be_visible()
    expect(dorit.get_by_text("clea-calls-off called this match off before everybody had moved")).to_be_visible()
    expect(dorit.get_by_role("button", name="New match like this")).to_be_visible()


def test_strangers_meet_in_the_lobby_and_have_a_rematch(browsers):
    clara, dora = browsers("clara-of-the-lobby", "dora-of-the-lobby")
    clara.goto("/new/red/")
    expect(clara.get_by_label("Invite by name")).to_be_hidden()  # as long as a bot has the only other seat
    expect(clara.get_by_label("anybody")).to_be_hidden()
    clara.get_by_label("How many of them are bots").select_option("0")
    expect(clara.get_by_label("Invite by name")).to_be_visible()
    clara.get_by_label("anybody").check()
    clara.locator("main form button").last.click()
    expect(clara.locator("#seats")).to_be_visible()
    dora.goto("/lobby/")
    dora.locator("summary", has_text="Filter").click()
    dora.get_by_label("Which game").select_option("power_cards")
    dora.get_by_role("button", name="Show", exact=True).click()
    expect(dora.get_by_text("No match like that waits")).to_be_visible()
    dora.get_by_label("Which game").select_option("red")
    dora.get_by_role("button", name="Show", exact=True).click()
    dora.get_by_label("Icons").select_option("no")
    dora.get_by_role("button", name="Show", exact=True).click()
    dora.locator(".offer", has_text="clara-of-the-lobby").get_by_role("button", name="Sit down").click()
    for one in (clara, dora):
        expect(one.locator("#own")).to_be_visible()
    this_match(dora, "Give up the match", "link")
    dora.locator("main form button").last.click()
    expect(clara.locator("[data-status=finished]")).to_be_attached()
    first = clara.url
    dora.get_by_role("button", name="Rematch").click()
    expect(dora.locator("#seats")).to_be_visible()
    # Clara, who still looks at the end, is asked there without doing anything.
    expect(clara.get_by_text("dora-of-the-lobby wants a rematch.")).to_be_visible()
    clara.get_by_role("button", name="Accept the rematch").click()
    expect(clara).to_have_url(dora.url)
    assert clara.url != first
    for one in (clara, dora):
        expect(one.locator("#own")).to_be_visible()


def test_a_name_that_cannot_be_invited_stays_in_its_field_also_where_nothing_can_be_copied(browsers):
    (emma,) = browsers("emma")
    emma.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    begin(emma)
    expect(emma.get_by_role("button", name="Copy")).to_be_hidden()
    emma.get_by_label("Invite by name").fill("nobody-of-that-name")
    emma.get_by_role("button", name="Invite", exact=True).click()
    expect(emma.get_by_role("alert")).to_contain_text("There is no player with an account called")
    expect(emma.get_by_label("Invite by name")).to_have_value("nobody-of-that-name")
    expect(emma.get_by_label("Invite by name")).to_be_focused()
