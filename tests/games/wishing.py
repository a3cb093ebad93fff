"""Players who wish for automatic moves, and what pages say to them."""

from __future__ import annotations

import re
from itertools import count

from games import states
from games.models import Match
from tests.client import client_of
from tests.conftest import move, seated

TOLD = "It was played for you, as you wished."


def posted(user, match, *names):
    """The status of the form of the page, sent by the user with these boxes ticked."""
    return client_of(user).post(match.get_absolute_url() + "wishes/", [("wish", name) for name in names]).status_code


def legal(match):
    """The steps of whoever is to move."""
    return list(match.rules.legal_moves(states.load(match, list(match.seats.all()))))


def cannot_lead(*users, **more):
    """A match of Red whose mover can do nothing but give up the round."""
    for number in count():
        match = seated(*users, **more)
        while match.status == "playing" and number < 200:
            if legal(match) == ["PASS"]:
                return match
            match = move(match, number)
    raise AssertionError("somebody can always lead")


def facts(match):
    """All that a match shows or hides, but for its wishes."""
    return Match.objects.filter(pk=match.pk).values().get(), list(match.seats.values()), list(match.moves.values())


def page(user, match, tail=""):
    """What a page of the match says to the user, without what differs each time."""
    html = client_of(user).get(match.get_absolute_url() + tail).content.decode()
    html = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", html)
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", html)
