"""The form of what a user is told by which way, and when."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games.delivery.routing import DEFAULTS, KINDS
from games.models import Channel, Choice, Notice
from games.rest_forms import HALF_HOURS
from games.services.choices import Cells

MODES: dict[str, tuple[str, ...]] = {
    Channel.MAIL: (Choice.Mode.OFF, Choice.Mode.INSTANT, Choice.Mode.DIGEST),
    Channel.PUSH: (Choice.Mode.OFF, Choice.Mode.INSTANT),
    Channel.WEBHOOK: (Choice.Mode.OFF, Choice.Mode.INSTANT),
}
"""What can be chosen for a channel; only mails wait for others."""

SHARES: dict[int, str | Promise] = {
    10: _("a tenth of the time is left"),
    25: _("a quarter of the time is left"),
    50: _("half of the time is left"),
}

DELAYS: dict[int, str | Promise] = {15: _("15 minutes"), 60: _("1 hour"), 240: _("4 hours"), 720: _("12 hours")}

WRONG_CELL = _("There is no such way. Choose one of these.")
WRONG_TIME = _("Choose one of these times.")


class NoticesForm(forms.Form):
    """A field for each kind of notice and channel ("turn_mail"), quiet hours, and how long things wait.

    Guests have no mail, and no fields for it; only who has a webhook has fields for those. Without ``pushes`` there
    are none for devices, and what ``cells`` say of them is kept.
    """

    quiet_from = forms.TypedChoiceField(label=_("Quiet hours begin"), coerce=int, empty_value=None, required=False)
    quiet_to = forms.TypedChoiceField(label=_("Quiet hours end"), coerce=int, empty_value=None, required=False)
    reminder_share = forms.TypedChoiceField(
        label=_("I am reminded when"),
        coerce=int,
        choices=list(SHARES.items()),
        help_text=_("Once for every turn, at least two hours before its end."),
        error_messages={"invalid_choice": WRONG_TIME},
    )
    mail_delay = forms.TypedChoiceField(
        label=_("A mail with others waits"),
        coerce=int,
        choices=list(DELAYS.items()),
        help_text=_("Then all that waits comes in one mail, and none further until you have been here again."),
        error_messages={"invalid_choice": WRONG_TIME},
    )

    def __init__(self, user: User, cells: Cells, data: QueryDict | None = None, *, pushes: bool = True) -> None:
        known: dict[str, Any] = {
            name: getattr(user, name) for name in ("quiet_from", "quiet_to", "reminder_share", "mail_delay")
        }
        super().__init__(data, initial=known)
        for name in ("quiet_from", "quiet_to"):
            self.fields[name].choices = [("", gettext("none")), *HALF_HOURS]  # type: ignore[attr-defined]
            self.fields[name].error_messages["invalid_choice"] = WRONG_TIME
        self.channels = [*([] if user.is_guest else [Channel.MAIL]), *([Channel.PUSH] if pushes else [])]
        if user.pk is not None and user.webhooks.exists():
            self.channels.append(Channel.WEBHOOK)
        if Channel.MAIL not in self.channels:
            del self.fields["mail_delay"]
        self.kept = {} if pushes else {cell: mode for cell, mode in cells.items() if cell[1] == Channel.PUSH}
        self.cells = {_name(kind, channel): (kind, channel) for kind in KINDS for channel in self.channels}
        for name, cell in self.cells.items():
            self.fields[name] = _cell(*cell)
            self.initial[name] = cells.get(cell, DEFAULTS[cell])

    @property
    def rows(self) -> list[tuple[str | Promise, list[tuple[str | Promise, forms.BoundField]]]]:
        """The matrix: the name of each kind with its fields, each with the name of its channel; empty without any."""
        return [
            (capfirst(kind.label), [(channel.label, self[_name(kind, channel)]) for channel in self.channels])
            for kind in map(Notice.Kind, KINDS if self.channels else ())
        ]

    @property
    def times(self) -> list[forms.BoundField]:
        """The fields beside the matrix and the quiet hours."""
        return [self[name] for name in ("reminder_share", "mail_delay") if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Checks that quiet hours have a beginning and an end, and that some of the day is left."""
        values = super().clean() or {}
        begins, ends = values.get("quiet_from"), values.get("quiet_to")
        if not {"quiet_from", "quiet_to"} & self.errors.keys():
            if (begins is None) != (ends is None):
                self.add_error("quiet_to", _("Quiet hours need a beginning and an end; or neither."))
            elif begins is not None and begins == ends:
                self.add_error("quiet_to", _("Quiet hours cannot last the whole day."))
        return values

    def chosen(self) -> dict[tuple[str, str], str]:
        """The cells of a valid form that differ from the defaults."""
        wanted = {cell: self.cleaned_data[name] for name, cell in self.cells.items()}
        return self.kept | {cell: mode for cell, mode in wanted.items() if mode != DEFAULTS[cell]}

    def preferences(self) -> dict[str, Any]:
        """The user's other fields, by a valid form."""
        return {name: value for name, value in self.cleaned_data.items() if name not in self.cells}


def _name(kind: str, channel: str) -> str:
    return f"{kind}_{channel}"


def _cell(kind: str, channel: str) -> forms.ChoiceField:
    """The field of one kind and channel; its default says that it is one."""
    usual = DEFAULTS[kind, channel]
    choices = [
        (mode, gettext("%(mode)s (as usual)") % {"mode": label} if mode == usual else label)
        for mode in MODES[channel]
        for label in [Choice.Mode(mode).label]
    ]
    label = f"{capfirst(Notice.Kind(kind).label)}, {Channel(channel).label}"
    return forms.ChoiceField(label=label, choices=choices, error_messages={"invalid_choice": WRONG_CELL})
