"""The filter of a history: what may be asked for, checked at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import names
from accounts.models import User
from games import histories
from games.forms import NO, YES, option_filters, option_lookups
from games.titles import Title

DAYS = (date(2000, 1, 1), date(2999, 12, 31))
"""Days that may be asked for: with any zone they are moments that every database knows."""

NOT_A_DAY = _("Choose a day, such as 2026-11-30.")

RESULT_NAMES = {
    histories.WON: _("won"),
    histories.SHARED: _("shared first place"),
    histories.LOST: _("lost"),
    histories.LEFT: _("left"),
}
"""How a match went, in words."""


def _day(label: Any) -> forms.DateField:
    sentence = _("Choose a day from 2000 on.")
    return forms.DateField(
        label=label,
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
        validators=[MinValueValidator(DAYS[0], sentence), MaxValueValidator(DAYS[1], sentence)],
        error_messages={"invalid": NOT_A_DAY},
    )


class HistoryFilter(forms.Form):
    """Which finished matches to show; the options of a game are on offer once it is chosen.

    ``find`` says who is called so, or None. ``own`` is whether the user's favourites can be asked for. Days are those
    of the zone that is active.
    """

    game = forms.ChoiceField(label=_("Which game"), required=False)
    opponent = forms.CharField(
        label=_("Played with"),
        max_length=names.LONGEST,
        required=False,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"max_length": _("No player has so long a name.")},
    )
    result = forms.ChoiceField(label=_("Result"), required=False)
    since = _day(_("From"))
    until = _day(_("To"))
    rated = forms.ChoiceField(label=_("Rated"), required=False)
    starred = forms.ChoiceField(label=_("Favourites"), required=False)

    def __init__(
        self, titles: Mapping[str, Title], data: QueryDict, *, find: Callable[[str], User | None], own: bool
    ) -> None:
        super().__init__(data)
        self.find = find
        self._offer("game", {slug: title.name for slug, title in titles.items()})
        self._offer("result", {name: str(text) for name, text in RESULT_NAMES.items()})
        self._offer("rated", {YES: gettext("yes"), NO: gettext("no")})
        self._offer("starred", {YES: gettext("only favourites")})
        if not own:
            del self.fields["starred"]
        self.title = titles.get(self.data.get("game", ""))
        self.fields |= option_filters(self.title)
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                field.error_messages["invalid_choice"] = gettext("There is no such choice. Choose one of these.")

    def _offer(self, name: str, choices: Mapping[str, str]) -> None:
        self.fields[name].choices = [("", gettext("any")), *choices.items()]  # type: ignore[attr-defined]

    def clean_opponent(self) -> User | None:
        """Who is named. Raises ValidationError for an unknown name; that of a hidden profile is unknown."""
        name = self.cleaned_data["opponent"]
        found = self.find(name) if name else None
        if name and found is None:
            raise forms.ValidationError(_("No player of that name is found here."))
        return found

    def clean(self) -> dict[str, Any]:
        """Checks that the period does not end before it begins."""
        values = super().clean() or {}
        since, until = values.get("since"), values.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first one."))
        return values

    def query(self) -> dict[str, str]:
        """What is asked for, by the names of the fields, as it stands in addresses."""
        return {name: text for name in self.fields if (text := self.data.get(name, "").strip())}

    def wanted(self) -> histories.Wanted:
        """What a valid form asks for."""
        values = self.cleaned_data
        facts: dict[str, Any] = {"game": values["game"]} if values["game"] else {}
        if values["rated"]:
            facts["rated"] = values["rated"] == YES
        return histories.Wanted(
            facts=facts | option_lookups(self.title, values),
            opponent=values["opponent"],
            result=values["result"],
            since=_begins(values["since"]),
            until=_begins(values["until"], days=1),
            starred=values.get("starred") == YES,
        )


def _begins(day: date | None, days: int = 0) -> datetime | None:
    """When the day begins in the active zone, or one so many days later."""
    if day is None:
        return None
    return timezone.make_aware(datetime.combine(day + timedelta(days=days), time.min))
