"""A whole match by a plain client: it follows links and submits the forms of the pages, nothing else."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

import pytest

from games import tasks
from games.models import Match
from tests.client import Client
from tests.reading import Page, chosen_turn

pytestmark = pytest.mark.django_db


class Visitor:
    """Somebody with a browser that has no JavaScript; CSRF is checked as for everybody."""

    def __init__(self, seed: int = 0) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.random = random.Random(seed)
        self.url = "/"

    def go(self, url: str) -> Page:
        """Opens an address and follows redirects."""
        response = self.client.get(url, follow=True)
        assert response.status_code == 200, (url, response.status_code)
        if response.redirect_chain:
            url = response.redirect_chain[-1][0]
        self.url = urlsplit(url).path
        return Page(response.content.decode())

    def send(self, form, **more: str) -> Page:
        """Submits a form and follows redirects."""
        assert form.method == "post"
        response = self.client.post(form.action or self.url, {**form.fields, **more}, follow=True)
        assert response.status_code == 200, (form, response.status_code, response.content[:2000])
        if response.redirect_chain:
            self.url = urlsplit(response.redirect_chain[-1][0]).path
        return Page(response.content.decode())


def play_a_turn(visitor: Visitor, url: str) -> Page:
    """Finds a turn by the links of the match page and confirms it."""
    form = chosen_turn(visitor.go, url, visitor.random)
    assert form is not None
    visitor.url = url
    return visitor.send(form)


@pytest.mark.parametrize("options", [{}, {"option_icons": "on", "seats": "3", "bots": "2"}])
def test_a_guest_plays_a_whole_match_by_the_forms_of_the_pages(options):
    visitor = Visitor(7)
    page = visitor.go("/")
    if options:
        page = visitor.go("/new/red/")
        page = visitor.send(page.form(field="seats"), **options)
    else:
        page = visitor.send(page.form(action="/play-now/"))
    match = Match.objects.get()
    match_url = match.get_absolute_url()
    assert visitor.url == match_url
    for _turn in range(400):
        tasks.bots()
        match.refresh_from_db()
        if match.status == Match.Status.FINISHED:
            break
        before = match.version
        page = play_a_turn(visitor, match_url)
        match.refresh_from_db()
        assert match.version > before
    assert match.status == Match.Status.FINISHED
    page = visitor.go(match_url)
    assert not page.refresh
    history = visitor.go("/history/")
    assert match_url in [link.href for link in history.links]
    for number in (1, match.version // 2, match.version):
        visitor.go(f"{match_url}at/{number}/")
    visitor.go(match_url)
    page = visitor.send(visitor.go(match_url).form(action=f"{match_url}again/"))
    assert Match.objects.count() == 2
    assert visitor.url != match_url


def test_the_page_waits_for_the_bot_by_itself():
    visitor = Visitor()
    visitor.send(visitor.go("/").form(action="/play-now/"))
    match = Match.objects.get()
    while not match.active_bot:
        play_a_turn(visitor, match.get_absolute_url())
        match.refresh_from_db()
        if match.over:
            visitor.send(visitor.go("/").form(action="/play-now/"))
            match = Match.objects.latest("pk")
    assert visitor.go(match.get_absolute_url()).refresh
    tasks.bots()
    assert not visitor.go(match.get_absolute_url()).refresh


def test_a_friend_comes_in_by_link():
    host, friend = Visitor(1), Visitor(2)
    host.send(host.go("/new/red/").form(field="seats"), seats="2", bots="0")
    match = Match.objects.get()
    assert match.status == Match.Status.OPEN
    link = f"/match/{match.slug}/join/{match.invitations.get().token}/"
    assert link in host.client.get(match.get_absolute_url()).content.decode()
    page = friend.go(link)
    friend.url = link
    friend.send(page.form(action=""))
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert friend.url == match.get_absolute_url()
    mover = next(one for one in (host, friend) if "steps" in str(one.go(match.get_absolute_url()).forms))
    play_a_turn(mover, match.get_absolute_url())
    match.refresh_from_db()
    assert match.version == 2
