"""Sentences for the refusals that every game shares. Pure."""

from __future__ import annotations

from games.wording import Sentence, mark as _

_SENTENCES = {
    "after_end": _("The turn ends before that step: nothing may follow it."),
    "unfinished": _("The turn is not complete yet."),
    "too_long": _("That is more than a turn can have."),
    "unknown_step": _("That is no step of this game."),
}


def shared(reason: str) -> Sentence:
    """Why the engine refused a turn; a general sentence for a reason that it does not know."""
    return Sentence(_SENTENCES.get(reason, _("The rules do not allow that.")))
