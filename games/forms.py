"""Forms: what a person may ask for, checked at the door."""

from __future__ import annotations

import dataclasses
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from games.clock import TURN_DAYS
from games.models import Match
from games.services.lobby import Proposal
from games.titles import Title

OPTION = "option_"
"""Prefix of the fields made from a game's Options."""


def pace_label(days: int | None) -> str:
    """The name of a pace."""
    if days is None:
        return gettext("no clock")
    return ngettext("%(days)d day a turn", "%(days)d days a turn", days) % {"days": days}


class NewMatchForm(forms.Form):
    """A new match of one title; the fields of its Options come from the dataclass."""

    seats = forms.TypedChoiceField(label=_("Players"), coerce=int, help_text=_("Including you."))
    bots = forms.TypedChoiceField(
        label=_("How many of them are bots"),
        coerce=int,
        help_text=_("The other seats are for friends: you get a link to send."),
    )
    days = forms.TypedChoiceField(
        label=_("Time"), coerce=lambda text: int(text) if text else None, empty_value=None, required=False
    )
    audience = forms.ChoiceField(label=_("Who may watch"), choices=Match.Audience.choices)
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Only between people with accounts, and with a clock.")
    )

    def __init__(self, title: Title, *args: Any, guest: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = title
        counts = list(title.game.seat_counts)
        self.fields["seats"].choices = [(count, count) for count in counts]  # type: ignore[attr-defined]
        self.fields["seats"].initial = counts[0]
        self.fields["bots"].choices = [(count, count) for count in range(counts[-1])]  # type: ignore[attr-defined]
        self.fields["bots"].initial = 1
        self.fields["days"].choices = [  # type: ignore[attr-defined]
            *((days, pace_label(days)) for days in TURN_DAYS),
            ("", pace_label(None)),
        ]
        self.fields["days"].initial = 2
        self.fields["audience"].initial = Match.Audience.LINK if guest else Match.Audience.PUBLIC
        if guest:
            self.fields["rated"].disabled = True
        self.option_names = [field.name for field in dataclasses.fields(title.game.Options)]
        for field in dataclasses.fields(title.game.Options):
            self.fields[OPTION + field.name] = _option_field(field)
        self.order_fields(["seats", "bots", *(OPTION + name for name in self.option_names)])

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields made from the game's Options."""
        return [self[OPTION + name] for name in self.option_names]

    def clean(self) -> dict[str, Any]:
        """Checks what only holds between fields."""
        values = super().clean() or {}
        seats, bots = values.get("seats"), values.get("bots")
        if seats is not None and bots is not None and bots >= seats:
            self.add_error("bots", _("One seat is yours: there are fewer bots than players."))
        if values.get("rated") and (bots or values.get("days") is None):
            self.add_error("rated", _("A rated match needs people on every seat, and a clock."))
        return values

    def proposal(self) -> Proposal:
        """What a valid form asks for."""
        values = self.cleaned_data
        return Proposal(
            game=self.title.slug,
            seats=values["seats"],
            bots=values["bots"],
            options={name: values[OPTION + name] for name in self.option_names},
            days=values["days"],
            rated=values["rated"],
            audience=values["audience"],
        )


def _option_field(field: dataclasses.Field[Any]) -> forms.Field:
    """The form field of one field of a game's Options."""
    label, help_text = gettext(field.metadata["label"]), gettext(field.metadata.get("help", "") or " ").strip()
    choices: dict[Any, str] | None = field.metadata.get("choices")
    default: Any = field.default
    if choices is None:
        return forms.BooleanField(label=label, help_text=help_text, required=False, initial=default)
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        coerce=lambda text: type(default)(text),
        initial=default,
        choices=[(value, gettext(text)) for value, text in choices.items()],
        widget=forms.RadioSelect if len(choices) <= 3 else forms.Select,
    )
