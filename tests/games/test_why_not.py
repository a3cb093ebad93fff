"""The button that confirms a turn says why it is dead, and the page where choosing ends."""

from __future__ import annotations

import re

import pytest

from games import states
from tests.client import Client
from tests.conftest import seated


def page(match, plan: str) -> str:
    """The page of the match with a plan, for whoever is to move."""
    client = Client()
    client.force_login(match.seats.get(number=match.active_seat).user)
    return client.get(match.get_absolute_url(), {"v": match.version, "plan": plan}).content.decode()


def dead(html: str) -> bool:
    """Whether the button cannot be pressed."""
    return "disabled" in re.findall(r'<button[^>]*id="confirm"[^>]*>', html)[0]


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_every_dead_button_has_a_reason_beside_it(alice, bob, game):
    match = seated(alice, bob, game=game)
    state = states.load(match, list(match.seats.all()))
    for plan in ("", *match.rules.legal_moves(state)):
        html = page(match, plan)
        reason = 'id="why-not"' in html or 'class="consequence ' in html
        assert reason or not dead(html), plan
        told = re.search('class="consequence (plain|good)"', html)
        assert ('id="why-not"' in html) == (dead(html) and not told), plan  # one of the two says it, not both
        if plan and 'id="why-not"' in html:
            assert "Your turn needs more: choose on, or undo." in html


def test_the_page_says_where_choosing_ends(alice, bob):
    match = seated(alice, bob, game="power_cards")
    said = "What comes next shows once you confirm."
    assert said not in page(match, "")
    html = page(match, "call speed")
    assert said in html
    assert not dead(html)
