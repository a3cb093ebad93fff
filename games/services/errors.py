"""What a service may refuse: small exceptions with a code, a safe sentence and an HTTP status."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import engine


class Refused(Exception):
    """The request cannot be done; nothing was written. ``sentence`` may be shown to anybody who asked."""

    code = "refused"
    status = 409
    sentence: Promise | str = _("That cannot be done.")

    def __init__(self, sentence: Promise | str | None = None) -> None:
        super().__init__(self.code)
        if sentence is not None:
            self.sentence = sentence


class StaleMatch(Refused):
    """Somebody (or the clock) was first: show the new table and let the player choose again."""

    code = "stale_version"
    sentence = _("The match has moved on since you looked. Here is how it stands now.")


class NotYourTurn(Refused):
    """The seat is not the one whose step is awaited."""

    code = "not_your_turn"
    sentence = _("It is not your turn.")


class TimeIsUp(Refused):
    """The deadline passed before the move came; the sweep takes the seat out in a moment."""

    code = "turn_expired"
    sentence = _("Your time for this turn has run out.")


class NotRunning(Refused):
    """The match is not being played: open, over, cancelled or stopped."""

    code = "not_running"
    sentence = _("This match is not running.")


class Paused(Refused):
    """The match stands still by everybody's consent."""

    code = "paused"
    sentence = _("The match is paused. Everybody who plays can end the pause.")


class TooLate(Refused):
    """The match cannot be called off any more: everybody has moved, or it is under way for long enough."""

    code = "too_late"
    sentence = _("The match is under way: it can be given up, but not be called off any more.")


class KeyReused(Refused):
    """The same key came with another body: a fault of the sender."""

    code = "key_reused"
    status = 422
    sentence = _("This form was already sent with other content. Nothing was changed; please look at the table again.")


class Illegal(Refused):
    """The rules refuse the steps; ``move`` says why."""

    code = "illegal_move"
    status = 422
    sentence = _("The rules do not allow that.")

    def __init__(self, move: engine.IllegalMove) -> None:
        super().__init__()
        self.move = move


class BadRequest(Refused):
    """What came is not of the form's making."""

    code = "bad_request"
    status = 400
    sentence = _("No page of this site asks for such a thing. Nothing was changed.")


class TooMany(Refused):
    """A limit is used up; ``wait`` is the number of seconds until it opens again."""

    code = "too_many"
    status = 429
    sentence = _("That was too often. Please wait a little and try again.")

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait
