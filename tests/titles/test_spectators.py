"""A spectator sees what no seat hides, and nothing else: by the rules, and for one who has left a match."""

from __future__ import annotations

from typing import Any

import pytest

from games.services import leaving
from tests.client import Client
from tests.conftest import move, seated
from tests.titles.walks import COMBINATIONS, TITLES, walk

PERSONAL = {"viewer", "me", "legal"}
"""Facts that name who looks, or what that viewer may do."""


def facts(value: Any, path: tuple[str, ...] = ()) -> set[tuple[tuple[str, ...], Any]]:
    """Every single fact of an observation, by the way that leads to it; what is hidden is no fact."""
    if isinstance(value, dict):
        found = ((str(name), one) for name, one in value.items() if path or name not in PERSONAL)
    elif isinstance(value, (list, tuple)):
        # How many there are is a fact of its own: others see that instead of the cards.
        return {(path, len(value))}.union(*(facts(one, (*path, str(index))) for index, one in enumerate(value)))
    else:
        return set() if value is None else {(path, value)}
    return {fact for name, one in found for fact in facts(one, (*path, name))}


@pytest.mark.parametrize("slug", TITLES)
def test_o16_a_spectator_sees_nothing_that_a_seat_does_not_see(slug: str, thorough: bool):
    matches = versions = 0
    for _slug, options, seats in (one for one in COMBINATIONS if one[0] == slug):
        for seed in range(9 if thorough else 1):
            match = walk(slug, options, seats, seed)
            matches += 1
            for state in match.stored[:: 1 if thorough else 4]:
                seen = facts(match.game.observe(state, None))
                for seat in range(seats):
                    own = facts(match.game.observe(state, seat))
                    assert seen <= own, sorted(seen - own)[:5]
                versions += 1
    assert versions >= 2 * matches > 0


def test_a_hand_is_a_fact_that_only_its_seat_sees():
    game, options = TITLES["red"].game, TITLES["red"].game.Options()
    state = walk("red", options, 3, 0).stored[0]
    spectated, own, other = (facts(game.observe(state, viewer)) for viewer in (None, 0, 1))
    assert spectated < own
    assert own - spectated != other - spectated


@pytest.mark.parametrize("slug", TITLES)
def test_o16_who_has_left_and_who_comes_again_see_what_a_spectator_sees(slug: str, alice, bob, charlie, person):
    match = seated(alice, bob, charlie, game=slug)
    for _row in range(3):
        match = move(match)
    seat = match.seats.get(user=charlie)
    leaving.resign(match.pk, seat.number, version=match.version)
    match.refresh_from_db()
    second_account, nobody = person("charlie-two"), Client()
    truth = nobody.get(match.get_absolute_url()).context["observation"]
    for user in (charlie, second_account):
        client = Client()
        client.force_login(user)
        for tail in ("", "at/1/", f"at/{match.version}/"):
            seen, spectated = (one.get(match.get_absolute_url() + tail).context for one in (client, nobody))
            assert seen["observation"] == spectated["observation"], tail
            assert seen["table"].get("legal", []) == spectated["table"].get("legal", [])
    assert truth["viewer"] is None
    client = Client()
    client.force_login(alice)
    assert client.get(match.get_absolute_url()).context["observation"] != truth
