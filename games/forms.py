"""Forms: what a person may ask for, checked at the door."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts.models import User
from games import pace, people
from games.clock import BANKS, TURN_DAYS
from games.finding_forms import FREE, WantedFields, shares
from games.models import Match
from games.services import invitations
from games.services.lobby import Proposal
from games.titles import Title

OPTION = "option_"
"""Prefix of the fields made from a game's Options."""


INVITED, ANYBODY = "invited", "anybody"

YES, NO = "yes", "no"


Bank = tuple[int, int, int]

PACES: dict[str, tuple[int | None, Bank | None]] = {
    **{str(days): (days, None) for days in TURN_DAYS},
    **{f"bank{bank[0]}": (None, bank) for bank in BANKS},
}
"""The clocks on offer as (days, bank), by what stands for them in forms and addresses; beside them is none at all."""


def pace_label(days: int | None, bank: Bank | None = None) -> str:
    """The name of a pace."""
    if bank is not None:
        return gettext("%(start)d hours, %(more)d more a turn") % {"start": bank[0], "more": bank[1]}
    if days is None:
        return gettext("no clock")
    return ngettext("%(days)d day a turn", "%(days)d days a turn", days) % {"days": days}


def _paces(none: str) -> list[tuple[str, str]]:
    """The paces as choices; ``none`` stands for no clock."""
    return [*((name, pace_label(*pace)) for name, pace in PACES.items()), (none, pace_label(None))]


class NewMatchForm(WantedFields):
    """A new match of one title; the fields of its Options come from the dataclass."""

    seats = forms.TypedChoiceField(label=_("Players"), coerce=int, help_text=_("Including you."))
    bots = forms.TypedChoiceField(
        label=_("How many of them are bots"),
        coerce=int,
        help_text=_("Seats that are left over are for friends, or for the lobby."),
    )
    days = forms.ChoiceField(label=_("Time"), required=False)
    rests = forms.BooleanField(
        label=_("Nights, free days and holidays of the players do not count"),
        required=False,
        initial=True,
        help_text=_("Each player sets their own in the settings. Without a clock nothing is counted anyway."),
    )
    listed = forms.TypedChoiceField(
        label=_("Who may take the free seats"),
        choices=[(INVITED, _("only people I invite")), (ANYBODY, _("anybody: it is shown in the lobby"))],
        coerce=lambda text: text == ANYBODY,
        initial=INVITED,
        required=False,
        widget=forms.RadioSelect,
    )
    invite = forms.CharField(
        label=_("Invite by name"),
        max_length=200,
        required=False,
        help_text=_("User names, with spaces or commas between them. A seat is kept for each until they answer."),
    )
    audience = forms.ChoiceField(label=_("Who may watch"), choices=Match.Audience.choices)
    leave_policy = forms.ChoiceField(
        label=_("If somebody leaves"),
        choices=[
            ("", _("as usual")),
            (Match.LeavePolicy.BOT, _("a bot takes the seat")),
            (Match.LeavePolicy.SUBSTITUTE, _("somebody else may, else a bot")),
            (Match.LeavePolicy.END, _("the match ends")),
        ],
        required=False,
        help_text=_(
            "As usual: with two players the match ends, with more a bot takes the seat. "
            "If somebody else may take it, a bot does after 3 days in which nobody sat down."
        ),
    )
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
        self.fields["days"].choices = _paces("")  # type: ignore[attr-defined]
        self.fields["days"].initial = "2"
        self.fields["audience"].initial = Match.Audience.LINK if guest else Match.Audience.PUBLIC
        if guest:
            self.fields["rated"].disabled = True
            del self.fields["invite"]  # who can be forgotten tomorrow does not write to people today
        for name in ("listed", "invite", "rated"):
            if name in self.fields:
                self.fields[name].shown = FREE  # type: ignore[attr-defined]
        self.option_names = [field.name for field in dataclasses.fields(title.game.Options)]
        for field in dataclasses.fields(title.game.Options):
            self.fields[OPTION + field.name] = _option_field(field)
        free = ["listed", *WantedFields.base_fields, "invite"]
        self.order_fields(["seats", "bots", *free, *(OPTION + name for name in self.option_names), "days", "rests"])

    def clean(self) -> dict[str, Any]:
        """Checks what only holds between fields."""
        values = super().clean() or {}
        seats, bots = values.get("seats"), values.get("bots")
        if seats is not None and bots is not None and bots >= seats:
            self.add_error("bots", _("One seat is yours: there are fewer bots than players."))
        if values.get("rated") and (bots or not values.get("days")):
            self.add_error("rated", _("A rated match needs people on every seat, and a clock."))
        free = (seats or 0) - (bots or 0) - 1
        if values.get("listed") and free > 0 and values.get("audience") == Match.Audience.SEATED:
            self.add_error("listed", _("What stands in the lobby cannot be hidden: choose who else may watch."))
        if (
            values.get("leave_policy") == Match.LeavePolicy.SUBSTITUTE
            and values.get("audience") == Match.Audience.SEATED
        ):
            text = _("Where only the players may watch, nobody else finds a seat to take over: choose who else may.")
            self.add_error("leave_policy", text)
        if values.get("listed") and seats is not None and free == 0:
            self.add_error("listed", _("No seat is free for anybody: choose more players or fewer bots."))
        if "invite" in values and len(values["invite"]) > max(free, 0):
            self.add_error("invite", _("There are fewer free seats than people to invite."))
        return values

    def clean_invite(self) -> list[User]:
        """The people who are named."""
        try:
            return invitations.named(self.cleaned_data["invite"])
        except invitations.CannotInvite as unknown:
            raise forms.ValidationError(str(unknown.sentence)) from unknown

    def invited(self) -> list[User]:
        """Who is invited by name by a valid form."""
        return self.cleaned_data.get("invite") or []

    def proposal(self) -> Proposal:
        """What a valid form asks for."""
        values = self.cleaned_data
        days, bank = PACES.get(values["days"], (None, None))
        return Proposal(
            game=self.title.slug,
            seats=values["seats"],
            bots=values["bots"],
            options={name: values[OPTION + name] for name in self.option_names},
            days=days,
            bank=bank,
            rests=values["rests"],
            rated=values["rated"],
            audience=values["audience"],
            listed=bool(values["listed"]),
            **self.wanted(),
            leave_policy=values["leave_policy"],
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


class LobbyFilter(forms.Form):
    """Which open matches to show; the options are on offer once a game is chosen. What is not a choice is ignored."""

    game = forms.ChoiceField(label=_("Which game"), required=False)
    days = forms.ChoiceField(label=_("Time"), required=False)
    seats = forms.ChoiceField(label=_("Players"), required=False)
    rated = forms.ChoiceField(label=_("Rated"), required=False)
    finishes = forms.ChoiceField(label=_("Host finishes"), required=False)
    fits = forms.ChoiceField(label=_("Open to me"), required=False)

    def __init__(self, titles: Mapping[str, Title], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer("game", [(slug, title.name) for slug, title in titles.items()])
        self._offer("days", _paces(NO))
        counts = {count for title in titles.values() for count in title.game.seat_counts}
        self._offer("seats", [(str(count), str(count)) for count in sorted(counts)])
        self._offer("rated", [(YES, gettext("yes")), (NO, gettext("no"))])
        self.fields["finishes"].choices = shares(gettext("any"))  # type: ignore[attr-defined]
        self._offer("fits", [(YES, gettext("yes"))])
        self.title = titles.get(self.data.get("game", ""))
        self.fields |= option_filters(self.title)

    def _offer(self, name: str, choices: Iterable[tuple[str, str]]) -> None:
        self.fields[name].choices = [("", gettext("any")), *choices]  # type: ignore[attr-defined]

    def chosen(self) -> dict[str, str]:
        """What is asked for, by the names of the fields."""
        self.is_valid()
        return {name: text for name, text in self.cleaned_data.items() if text}

    @property
    def only_fitting(self) -> bool:
        """Whether only tables are wanted at which the visitor may sit down."""
        return "fits" in self.chosen()

    def also(self, viewer: people.Viewer) -> Q | None:
        """What is asked of those who made the matches, as far as the viewer may know of them; None for nothing."""
        share = self.chosen().get("finishes")
        if share is None:
            return None
        return pace.finishes(int(share), "created_by__pace__") & people.visible_to(viewer, "created_by__")

    def lookups(self) -> dict[str, Any]:
        """What is asked for, as lookups of matches."""
        chosen = self.chosen()
        found: dict[str, Any] = {}
        if "game" in chosen:
            found["game"] = chosen["game"]
        if "days" in chosen:
            days, bank = PACES.get(chosen["days"], (None, None))
            found["allowance__days"] = days
            found |= {"allowance__bank__0": bank[0]} if bank else {"allowance__bank": None} if days is None else {}
        if "seats" in chosen:
            found["seat_count"] = int(chosen["seats"])
        if "rated" in chosen:
            found["rated"] = chosen["rated"] == YES
        return found | option_lookups(self.title, chosen)


def option_filters(title: Title | None) -> dict[str, forms.Field]:
    """Fields for the options of a title by which matches are looked for; none without one."""
    found: dict[str, forms.Field] = {}
    for option in dataclasses.fields(title.game.Options) if title else ():
        choices = option.metadata.get("choices")
        named = choices.items() if choices else ((True, gettext("yes")), (False, gettext("no")))
        offered = [("", gettext("any")), *((_text(value), gettext(text)) for value, text in named)]
        label = gettext(option.metadata["label"])
        found[OPTION + option.name] = forms.ChoiceField(label=label, required=False, choices=offered)
    return found


def option_lookups(title: Title | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What is ``chosen`` in such fields, as lookups of matches."""
    found: dict[str, Any] = {}
    for option in dataclasses.fields(title.game.Options) if title else ():
        if text := chosen.get(OPTION + option.name):
            values = option.metadata.get("choices") or (True, False)
            found[f"options__{option.name}"] = next(value for value in values if _text(value) == text)
    return found


def _text(value: Any) -> str:
    """The text that stands for an option's value in an address."""
    return {True: YES, False: NO}[value] if isinstance(value, bool) else str(value)
