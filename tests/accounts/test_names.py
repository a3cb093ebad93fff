"""Which user names may be taken: ASCII, not reserved, not too much like another one."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import names
from accounts.models import User
from games.services.lobby import BOTS


@pytest.mark.parametrize(
    "name", ["alice", "Bob-2", "x_y", "Botond", "bottle", "B0tanik", "robot-2", "a" * 30, "Zdenda"]
)
def test_names_that_may_be_taken(name):
    names.check(name)


FOREIGN = [
    "\u0430lice",  # Cyrillic a
    "\u03b1lice",  # Greek alpha
    "\uff41lice",  # full width
    "alice\u200b",  # a space of no width
    "a\u0301lice",  # a combining accent
    "\u202ealice",  # right to left
    "alice\n",
    "ali ce",
    "a.b",
]
SHAPE = ["", "a", "a" * 31, "--", "__-"]
TAKEN = ["admin", "Adm1n", "ADMIN", "st-aff", "root", "Guest-7k2m", "guestxyz", "Bot-ada", "BotAda", "bot_1", "na-tahu"]
TAKEN += [
    "BOT-Ada",
    "bOt_ada",
    "B0T-Hana",
    "b0t-ada",
    "BOT1",
    "-bot-ada",
    "_BotAda",
    "G-uest7k2m",
    "_guest_7k2m",
    "GUEST1",
]


@pytest.mark.parametrize("name", [*FOREIGN, *SHAPE, *TAKEN])
def test_names_that_may_not(name):
    with pytest.raises(ValidationError):
        names.check(name)


@pytest.mark.parametrize("name", TAKEN)
def test_a_reserved_name_is_refused_like_a_taken_one(name):
    with pytest.raises(ValidationError) as refused:
        names.check(name)
    assert refused.value.messages == [str(names.TAKEN)]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ALICE", "Alice", "a1ice", "aLlce", "al-ice", "A_l1ce"])
def test_a_name_too_much_like_another_cannot_be_stored(alice, name):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=name)


@pytest.mark.django_db
def test_guests_and_bots_do_not_stand_in_the_way():
    guest, bot = User.objects.create_guest(), User.objects.bot("Ada")
    assert guest.skeleton is bot.skeleton is None
    assert (guest.name, bot.name) == (f"Guest {guest.mark[:4]}", "Bot Ada")


@pytest.mark.django_db
@pytest.mark.parametrize("bot", BOTS)
def test_nobody_can_take_the_name_that_a_bot_will_have(bot):
    for name in (f"bot-{bot}", f"BOT-{bot}".upper(), f"bOt-{bot.lower()}"):
        with pytest.raises(ValidationError):
            names.check(name)
    assert User.objects.bot(bot).is_bot
