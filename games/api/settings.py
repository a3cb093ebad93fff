"""What a user has set: preferences, when time stands still, what they are told by which way."""

from __future__ import annotations

from typing import Any

from django import forms
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token, User
from accounts.preferences import PreferencesForm
from games import access
from games.api import shapes
from games.api.operations import Operation, operation, somebody
from games.api.problems import Invalid
from games.api.reading import Choice, Flag, Strict, Text, Whole
from games.api.sending import as_sent, forms_errors
from games.delivery.routing import KINDS
from games.models import Channel, Choice as Cell
from games.notice_forms import NoticesForm
from games.now import now
from games.rest_forms import HolidayForm, RestForm
from games.services import choices, holidays, preferences
from games.services.holidays import BadHoliday

MANAGE = Token.Scope.MANAGE
DAY = 24 * 60


class Preferences(Strict):
    """How the pages look and how turns are sent; what is left out stays as it is."""

    theme = Choice(User.Theme.choices, required=False)
    size = Choice(User.Size.choices, required=False)
    order = Choice(User.Order.choices, required=False)
    sound = Flag(required=False)
    confirm = Flag(required=False)
    profile = Choice(User.Profile.choices, required=False, help_text="Who sees it; people with an account have one.")
    zone = Text(required=False, allow_blank=True, max_length=40, help_text="Such as Europe/Prague; empty for none.")
    language = Text(required=False, allow_blank=True, max_length=10)


class PreferencesShape(shapes.Answer):
    """The preferences of a user."""

    class Meta:
        ref_name = "PreferencesOfUser"

    theme = serializers.ChoiceField(User.Theme.values)
    size = serializers.ChoiceField(User.Size.values)
    order = serializers.ChoiceField(User.Order.values)
    sound = shapes.flag()
    confirm = shapes.flag()
    profile = serializers.ChoiceField(User.Profile.values)
    zone = shapes.text()
    language = shapes.text()


def _preferences(user: User) -> dict[str, Any]:
    names = ("theme", "size", "order", "sound", "confirm", "profile", "zone", "language")
    return {name: getattr(user, name) for name in names}


def valid(form: forms.Form) -> forms.Form:
    """The form. Raises Invalid if it has faults."""
    if not form.is_valid():
        raise Invalid(forms_errors(form))
    return form


class MyPreferences(Operation):
    """Preferences."""

    @operation("readPreferences", PreferencesShape)
    def get(self, request: Request) -> dict[str, Any]:
        """Your preferences."""
        return _preferences(somebody(request))

    @operation("changePreferences", PreferencesShape, scope=MANAGE, body=Preferences)
    def patch(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Changes the preferences that are given."""
        user = somebody(request)
        shown = PreferencesForm(user)
        if unknown := {name: ["You do not have this preference."] for name in body if name not in shown.fields}:
            raise Invalid(unknown)
        form = valid(PreferencesForm(user, as_sent({**shown.initial, **body})))
        preferences.save(user, **{name: form.cleaned_data[name] for name in body})
        user.refresh_from_db()
        return _preferences(user)


class Rest(Strict):
    """When time stands still."""

    night_from = Whole(allow_null=True, min_value=0, max_value=DAY, help_text="Minutes of the local day.")
    night_to = Whole(allow_null=True, min_value=0, max_value=DAY)
    free_days = serializers.ListField(
        child=Whole(min_value=0, max_value=6), max_length=7, help_text="Weekdays, 0 is Monday; two at most."
    )
    auto_holiday = Flag(help_text="Whether a day of holiday is taken instead of a time-out.")


class HolidayShape(shapes.Answer):
    """Days on which time stands still."""

    class Meta:
        ref_name = "Holiday"

    id = shapes.number()
    starts = shapes.moment(null=False)
    ends = shapes.moment(null=False)
    automatic = shapes.flag()


class RestShape(shapes.Answer):
    """When a user's time stands still."""

    class Meta:
        ref_name = "RestOfUser"

    zone = shapes.text("In which these times are.")
    night_from = shapes.maybe()
    night_to = shapes.maybe()
    free_days = serializers.ListField(child=serializers.IntegerField())
    auto_holiday = shapes.flag()
    holidays = HolidayShape(many=True, help_text="Present and coming.")
    days_left = shapes.number("Of this year.")


def _rest(user: User) -> dict[str, Any]:
    zone = holidays.zone_of(user)
    return {
        "zone": zone.key,
        "night_from": user.night_from,
        "night_to": user.night_to,
        "free_days": [int(day) for day in user.free_days],
        "auto_holiday": user.auto_holiday,
        "holidays": [
            {"id": one.pk, "starts": one.starts, "ends": one.ends, "automatic": one.automatic}
            for one in holidays.present(user)
        ],
        "days_left": holidays.left(user, now().astimezone(zone).year),
    }


class MyRest(Operation):
    """Nights, free days and holidays."""

    @operation("readRest", RestShape)
    def get(self, request: Request) -> dict[str, Any]:
        """When your time stands still: nights, free days, holidays."""
        return _rest(somebody(request))

    @operation("changeRest", RestShape, scope=MANAGE, body=Rest)
    def put(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Sets nights and free days."""
        user = somebody(request)
        form = valid(RestForm(user, as_sent(body)))
        preferences.save_rest(user, **form.cleaned_data)
        user.refresh_from_db()
        return _rest(user)


class Days(Strict):
    """The first and the last day of a holiday."""

    first = serializers.DateField()
    last = serializers.DateField()


class MyHolidays(Operation):
    """Holidays."""

    @operation("takeHoliday", RestShape, scope=MANAGE, status=201, body=Days)
    def post(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Takes days of holiday."""
        user = somebody(request)
        self.spend("holiday", user.pk)
        form = valid(HolidayForm(as_sent(body)))
        try:
            holidays.take(user, form.cleaned_data["first"], form.cleaned_data["last"])
        except BadHoliday as refused:
            raise Invalid({"_": [str(refused.sentence)]}) from refused
        return _rest(user)


class HolidayOf(Operation):
    """One holiday."""

    @operation("endHoliday", RestShape, scope=MANAGE)
    def delete(self, request: Request, pk: int) -> dict[str, Any]:
        """Ends a holiday now, or takes it back before it begins."""
        holidays.end(access.holiday_of(request.user, pk).pk)
        return _rest(somebody(request))


CELLS = [f"{kind}_{channel}" for kind in KINDS for channel in Channel.values]
"""What is told, and how."""


class NoticeChoices(Strict):
    """What is told by which way, and when; what is left out stays as it is."""

    cells = serializers.DictField(
        child=Choice(Cell.Mode.choices), required=False, help_text=f"By kind and way: {', '.join(CELLS)}."
    )
    quiet_from = Whole(required=False, allow_null=True, min_value=0, max_value=DAY)
    quiet_to = Whole(required=False, allow_null=True, min_value=0, max_value=DAY)
    reminder_share = Whole(required=False, min_value=0, max_value=100, help_text="Per cent of the time left.")
    mail_delay = Whole(required=False, min_value=0, max_value=DAY, help_text="Minutes in which others may join a mail.")


class NoticeChoicesShape(shapes.Answer):
    """What a user is told by which way."""

    class Meta:
        ref_name = "NoticeChoicesOfUser"

    cells = serializers.DictField(child=serializers.CharField())
    quiet_from = shapes.maybe()
    quiet_to = shapes.maybe()
    reminder_share = shapes.number()
    mail_delay = shapes.number()


FIELDS = ("quiet_from", "quiet_to", "reminder_share", "mail_delay")


def _choices(user: User) -> dict[str, Any]:
    form = NoticesForm(user, choices.of(user))
    return {"cells": {name: str(form.initial[name]) for name in form.cells}} | {
        name: getattr(user, name) for name in FIELDS
    }


class MyNoticeChoices(Operation):
    """What one is told."""

    @operation("readNoticeChoices", NoticeChoicesShape)
    def get(self, request: Request) -> dict[str, Any]:
        """What you are told by which way, and when."""
        return _choices(somebody(request))

    @operation("changeNoticeChoices", NoticeChoicesShape, scope=MANAGE, body=NoticeChoices)
    def patch(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Changes what is given of it."""
        user = somebody(request)
        shown = NoticesForm(user, choices.of(user))
        asked = {**{name: body[name] for name in FIELDS if name in body}, **body.get("cells", {})}
        if unknown := {name: ["There is no such way for you."] for name in asked if name not in shown.fields}:
            raise Invalid(unknown)
        form = NoticesForm(user, {}, as_sent({**shown.initial, **asked}))
        valid(form)
        choices.save(user, form.chosen(), **form.preferences())
        user.refresh_from_db()
        return _choices(user)

    @operation("resetNoticeChoices", NoticeChoicesShape, scope=MANAGE)
    def delete(self, request: Request) -> dict[str, Any]:
        """Makes all ways as they are for everybody who has chosen nothing."""
        user = somebody(request)
        choices.reset(user)
        return _choices(user)
