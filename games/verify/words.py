"""What is wrong with a record, in sentences. Pure."""

from __future__ import annotations

from typing import Any, Protocol

from games.wording import Sentence, mark as _

WHY = {
    "seed": _("The seed is not the one whose fingerprint stands there."),
    "seats": _("The seats are not in the order that seed and seats' bytes give, or the game is not for so many."),
    "rules": _("The record is of another game, or of another version of its rules."),
    "checksum": _("A name or a time was changed or damaged: the checksum does not fit."),
    "replay (BadOptions)": _("The game has no such options."),
    "order": _("The rows are not in order."),
    "seat": _("It was another seat's turn."),
    "news": _("What happened is not what the rules make of seed and moves."),
    "digest": _("The row, or the table after it, is not the one that the chain of digests was made of."),
    "pause": _("The row cannot stand in a pause, or ends one that there is not."),
    "end": _("The match was over before this row."),
    "seats left": _("Somebody left twice, or came back without having left."),
    "outcome": _("The result is not what the rules make of the last table."),
}
"""What a difference means."""


class Found(Protocol):
    """A difference: its row (0: the head of the record) and what differs."""

    @property
    def version(self) -> int: ...

    @property
    def what(self) -> str: ...


def reason(found: Found) -> Sentence:
    """A difference in a sentence."""
    if found.what.startswith("text ("):
        why = Sentence(_("The rules refuse the move ({reason})."), reason=found.what[6:-1])
    elif found.what in WHY:
        why = Sentence(WHY[found.what])
    else:
        broken = found.what.removeprefix("replay (").removesuffix(")")
        why = Sentence(_("The rules cannot go on from here ({reason})."), reason=broken)
    if not found.version:
        return why
    return Sentence(_("Row {number}: {why}"), number=found.version, why=why)


def plain(sentence: Sentence) -> str:
    """The sentence in English, its places filled."""
    places: dict[str, Any] = {
        name: plain(value) if isinstance(value, Sentence) else value for name, value in sentence.places.items()
    }
    return sentence.text.format_map(places)
