"""The forms of when a user's time stands still: nights, free days, and holidays."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games.rest import BadRest, Rest

HALF_HOURS = [(str(minute), f"{minute // 60:02}:{minute % 60:02}") for minute in range(0, 24 * 60, 30)]


class RestForm(forms.Form):
    """When a user's time stands still: the night, free weekdays, and whether a day is taken instead of a time-out."""

    night_from = forms.TypedChoiceField(label=_("The night begins"), coerce=int, empty_value=None, required=False)
    night_to = forms.TypedChoiceField(label=_("The night ends"), coerce=int, empty_value=None, required=False)
    free_days = forms.MultipleChoiceField(
        label=_("Free days of the week"),
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Two at most."),
    )
    auto_holiday = forms.BooleanField(
        label=_("Take a day of holiday when my time would run out"),
        required=False,
        help_text=_("As long as days are left."),
    )

    def __init__(self, user: User, data: QueryDict | None = None) -> None:
        known = {
            "night_from": user.night_from,
            "night_to": user.night_to,
            "free_days": list(user.free_days),
            "auto_holiday": user.auto_holiday,
        }
        super().__init__(data, initial=known)
        for name in ("night_from", "night_to"):
            self.fields[name].choices = [("", gettext("none")), *HALF_HOURS]  # type: ignore[attr-defined]
            self.fields[name].error_messages["invalid_choice"] = gettext("Choose one of these times.")

    def clean(self) -> dict[str, Any]:
        """Checks that enough of every day and week is left."""
        values = super().clean() or {}
        start, end = values.get("night_from"), values.get("night_to")
        if (start is None) != (end is None) and not self.errors:
            self.add_error("night_to", _("A night needs a beginning and an end; or neither."))
            return values
        night = None if start is None or end is None else (start, end)
        try:
            Rest("UTC", night, frozenset(map(int, values.get("free_days", ()))))
        except BadRest as wrong:
            said = {
                "night": ("night_to", _("A night is at most 10 hours long, and not the whole day.")),
                "days": ("free_days", _("At most two days of the week can be free.")),
            }
            self.add_error(*said[wrong.why])
        return values


class HolidayForm(forms.Form):
    """The first and the last day of a holiday."""

    first = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}))
