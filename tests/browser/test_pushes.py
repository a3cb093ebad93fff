"""Pushes in a browser: enabled by a click, received by a push service on this machine, read, and shown.

The push service of the browser itself cannot be reached from a test. Its two
ends are stood in for: ``PushManager.subscribe`` gives a subscription at our
own push service, with keys that the test knows; and what arrives there is
decrypted by the test and handed to the service worker through DevTools. All
between them is the real thing.
"""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.playing import still
from tests.pushing import KEY, Browser as Keys, first_to_move, push_service
from tests.serving import Player, Server
from tests.waiting import happens, wait_for

pytestmark = pytest.mark.browser

PAGE = "/settings/notices/"

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36"
"""Without a head chromium calls itself otherwise."""

SUBSCRIBE = """
(() => {
  const told = %s;
  const unsubscribe = async () => { localStorage.clear(); return true; };
  const made = { endpoint: told.endpoint, toJSON: () => told, unsubscribe };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("on") ? made : null);
  PushManager.prototype.subscribe = async (options) => {
    window.asked = options;
    localStorage.setItem("on", "yes");
    return made;
  };
})();
"""


@pytest.fixture(scope="module")
def service():
    """The push service."""
    with push_service() as found:
        yield found


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site with a key for pushes, which may go to this machine."""
    server = Server(tmp_path_factory.mktemp("pushes") / "var", VAPID_PRIVATE_KEY=KEY, PUSH_ALLOW_LOOPBACK="1")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def keys():
    """What the browser keeps of its subscription."""
    return Keys()


@pytest.fixture
def context(browser: Browser, site: Server, service, keys):
    """A browser that agrees to pushes when it is asked."""
    context = browser.new_context(base_url=site.url, user_agent=AGENT)
    context.add_init_script(SUBSCRIBE % json.dumps({"endpoint": service.endpoint(), "keys": keys.keys}))
    service.received.clear()
    yield context
    context.close()


def enable(page: Page) -> None:
    """Clicks the button, with the permission given."""
    page.context.grant_permissions(["notifications"])
    page.goto(PAGE)
    page.get_by_role("button", name="Enable on this device").click()
    expect(page.get_by_text("This device takes pushes.")).to_be_visible()


def hand_over(page: Page, text: bytes) -> list[dict[str, str]]:
    """Gives a push to the service worker; the notifications that are shown then."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"] if not one["isDeleted"]),
    )
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for(lambda: page.evaluate("true") and found, what="the service worker is known")
    origin = re.match(r"https?://[^/]+", page.url)[0]
    push = {"origin": origin, "registrationId": found[-1], "data": text.decode()}
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
        ({title, body, tag, data}) => ({title, body, tag, url: data.url}))"""
    # A busy chromium may drop what DevTools hand over; a push of the same tag replaces the first.
    for seconds in (10, 10, 20):
        devtools.send("ServiceWorker.deliverPushMessage", push)
        if notifications := happens(lambda: page.evaluate(shown), seconds):
            return notifications
    raise AssertionError("the service worker shows nothing")


def click_notification(context: BrowserContext) -> str:
    """Clicks the notification that is shown; where it leads. What opens pages is looked at in the worker: browsers let
    it open one only for a click of a hand."""
    (worker,) = context.service_workers
    return worker.evaluate("""async () => {
        const opened = [];
        Object.defineProperty(self, "clients", { value: {
          matchAll: async () => [], openWindow: async (url) => { opened.push(url); },
        }});
        const [notification] = await self.registration.getNotifications();
        const event = new NotificationEvent("notificationclick", { notification });
        const waits = [];
        event.waitUntil = (one) => waits.push(one);
        self.dispatchEvent(event);
        await Promise.all(waits);
        return opened[0];
    }""")


def play(page: Page, player: Player) -> None:
    """Begins to play, in the browser and beside it as the same guest."""
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    page.wait_for_url("**/match/**")
    for cookie in page.context.cookies():
        player.client.cookies.set(cookie["name"], cookie["value"])


def test_a_turn_arrives_on_the_device_and_its_notice_opens_the_match(page: Page, site: Server, service, keys):
    with Player(site) as player, Player(site) as friend:
        play(page, player)
        assert page.context.service_workers == []  # nothing is registered before one asks for it
        enable(page)
        page.goto("about:blank")  # an open page of the site is a visit
        url = first_to_move(site, player, friend)
    site.manage("shell", "-v0", "-c", "from games import tasks; tasks.deliveries()")  # as the schedule does by and by
    push = wait_for(lambda: next((one for one in service.received if keys.told(one.body)["url"] == url), None))
    page.goto(PAGE)
    told = keys.told(push.body)
    assert told["body"].startswith("Your turn has begun: Red, with Guest ")
    assert push.headers["urgency"] == "normal"
    (shown,) = hand_over(page, keys.read(push.body))
    assert shown == told
    assert click_notification(page.context) == site.url + url
    page.goto(url)
    expect(page.locator("#confirm")).to_be_attached()


def test_a_test_is_sent_to_this_device_and_removing_it_ends_it(page: Page, site: Server, service, keys):
    with Player(site) as player:
        play(page, player)
    enable(page)
    own = page.locator("#devices li", has_text="this device")
    expect(own).to_contain_text("Chrome, Linux")
    own.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("The push service has taken the push")).to_be_visible()
    (push,) = service.received
    (shown,) = hand_over(page, keys.read(push.body))
    assert shown["body"].startswith("This is what a push looks like here.")
    expect(own.locator("small")).to_contain_text("last push")
    own.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Enable on this device")).to_be_visible()
    expect(page.locator("#devices li")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('on')") is None
    assert site.ask("SELECT count(*) FROM games_device WHERE endpoint = %s", service.endpoint()) == [(0,)]


def test_what_cannot_be_is_said(page: Page, browser: Browser, site: Server):
    with Player(site) as player:
        play(page, player)
    page.goto(PAGE)
    expect(page.locator("[data-state]:visible")).to_have_count(1)
    button = page.get_by_role("button", name="Enable on this device")
    if button.is_visible():  # a chromium with a head would ask now; without one it refuses
        button.click()
    expect(page.get_by_text("to show no notifications of this site")).to_be_visible()
    cookies = page.context.cookies()
    old = browser.new_context(base_url=site.url)
    old.add_cookies(cookies)
    old.add_init_script("delete window.PushManager")
    other = old.new_page()
    other.goto(PAGE)
    expect(other.get_by_text("This browser takes no pushes.")).to_be_visible()
    old.close()
    plain = browser.new_context(base_url=site.url, java_script_enabled=False)
    plain.add_cookies(cookies)
    other = plain.new_page()
    other.goto(PAGE)
    expect(other.get_by_text("Pushes need JavaScript.")).to_be_visible()
    expect(other.get_by_role("button", name="Enable on this device")).to_be_hidden()
    plain.close()


@pytest.mark.statuses(409)
def test_a_refusal_is_told_in_place(page: Page, site: Server):
    with Player(site) as player:
        play(page, player)
        page.goto(PAGE)
        token = page.locator("#devices [name=csrfmiddlewaretoken]").first.input_value()
        for number in range(10):
            body = {"csrfmiddlewaretoken": token, "endpoint": f"https://push.example.org/{number}", **Keys().keys}
            answer = player.client.post(PAGE + "devices/add.json", data=body)
            assert answer.status_code == 201
    page.context.grant_permissions(["notifications"])
    page.goto(PAGE)
    page.get_by_role("button", name="Enable on this device").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("as many devices here as one can have"))
    assert page.evaluate("localStorage.getItem('on')") is None


def test_the_service_worker_renews_what_the_push_service_has_changed(page: Page, site: Server, service, keys):
    with Player(site) as player:
        play(page, player)
    enable(page)
    new, (worker,) = service.endpoint("/renewed"), page.context.service_workers
    worker.evaluate(
        """async ([old, told]) => {
            const event = new Event("pushsubscriptionchange");
            const waits = [];
            event.oldSubscription = { endpoint: old };
            event.newSubscription = { toJSON: () => told };
            event.waitUntil = (one) => waits.push(one);
            self.dispatchEvent(event);
            await Promise.all(waits);
        }""",
        [service.endpoint(), {"endpoint": new, "keys": Keys().keys}],
    )
    found = site.ask("SELECT endpoint FROM games_device WHERE endpoint LIKE %s", "http://127%")
    assert found == [(new,)]


@pytest.mark.parametrize(("width", "colours"), [(320, "light"), (1280, "dark")])
def test_the_page_fits(page: Page, site: Server, width: int, colours: str):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=colours)
    with Player(site) as player:
        play(page, player)
    enable(page)
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for button in page.locator("#devices button:visible").all():
        assert button.bounding_box()["height"] >= 44
