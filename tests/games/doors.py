"""Every way by which somebody may come to sit at one more match with other people."""

from __future__ import annotations

from typing import Any

from games.models import Match
from games.services import lobby
from games.services.lobby import Proposal
from tests.conftest import seated
from tests.games.leaving import gives_up, seat_of

FIELDS = {"seats": "2", "bots": "0", "days": "2", "audience": "public", "option_game": "basic"}
"""A new match, as the form for it sends one."""


class Doors:
    """A match of the host for each way, and one that the user has played before (``old``) for a rematch."""

    def __init__(self, user: Any, host: Any, leaver: Any, old: Match) -> None:
        self.user, self.old = user, old
        self.listed = lobby.create(host, Proposal("red", 2, 0, listed=True))
        self.linked = lobby.create(host, Proposal("red", 2, 0))
        self.asked = lobby.create(host, Proposal("red", 2, 0), [user])
        self.free = gives_up(seated(host, leaver, leave_policy="substitute"), leaver)
        self.number = seat_of(self.free, leaver).number

    @property
    def sit(self) -> str:
        """The address for a seat at the match in the lobby."""
        return f"{self.listed.get_absolute_url()}sit/"

    @property
    def join(self) -> str:
        """The address of the link to a match."""
        return f"{self.linked.get_absolute_url()}join/{self.linked.invitations.get().token}/"

    @property
    def invitation(self) -> Any:
        """The invitation of the user by name, as it is now."""
        return self.asked.invitations.get(to=self.user)

    def posts(self) -> dict[str, dict[str, str]]:
        """What a browser sends where, for each way."""
        return {
            "/new/red/": FIELDS,
            self.sit: {},
            self.join: {},
            f"/invitation/{self.invitation.pk}/accept/": {},
            f"{self.old.get_absolute_url()}again/": {},
            f"{self.free.get_absolute_url()}take/{self.number}/": {},
        }
