"""When a user's time stands still, as a page: nights, free days, and holidays."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games import access
from games.clock import HOLIDAYS
from games.now import now
from games.rest_forms import HolidayForm, RestForm
from games.services import holidays, limits, preferences
from games.services.holidays import BadHoliday
from games.views.preferences import SAVED
from games.views.visitors import user_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def rest(request: HttpRequest) -> HttpResponse:
    """Nights, free days and holidays; saving makes a guest of a visitor who is nobody yet."""
    form = _form(_user(request), request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.save_rest(user_or_guest(request), **form.cleaned_data)
        request.session[SAVED] = True
        return redirect("rest")
    return _page(request, form=form)


def _user(request: HttpRequest) -> User:
    """The visitor; somebody with nothing set for who is nobody yet."""
    return User() if isinstance(request.user, AnonymousUser) else request.user


def _form(user: User, data: QueryDict | None = None) -> RestForm:
    """The form of the week; a guest, who gets no automatic holidays, is not asked about them."""
    form = RestForm(user, data)
    form.fields["auto_holiday"].disabled = user.pk is None or user.is_guest
    return form


def _page(request: HttpRequest, **forms: Any) -> HttpResponse:
    user, moment = _user(request), now()
    year = moment.astimezone(holidays.zone_of(user)).year
    shown = {"form": _form(user), "holiday_form": HolidayForm(), **forms}
    bound = any(form.is_bound for form in shown.values())
    context = shown | {
        "saved": not bound and request.method == "GET" and request.session.pop(SAVED, False),
        "zone": holidays.zone_of(user).key.replace("_", " "),
        "holidays": list(holidays.present(user)) if user.pk else [],
        "year": year,
        "left": holidays.left(user, year) if user.pk else HOLIDAYS,
        "budget": HOLIDAYS,
    }
    return render(request, "games/rest.html", context, status=422 if bound else 200)


@require_POST
def take_holiday(request: HttpRequest) -> HttpResponse:
    """Takes days; those that cannot be taken are answered with a sentence. Raises Http404 for who is nobody yet."""
    if isinstance(request.user, AnonymousUser):
        raise Http404
    limits.spend("holiday", request.user.pk)
    form = HolidayForm(request.POST)
    if form.is_valid():
        try:
            holidays.take(request.user, form.cleaned_data["first"], form.cleaned_data["last"])
        except BadHoliday as refused:
            form.add_error(None, str(refused.sentence))
        else:
            return redirect("rest")
    return _page(request, holiday_form=form)


@require_POST
def end_holiday(request: HttpRequest, pk: int) -> HttpResponse:
    """Ends a holiday now, or takes it back before it begins."""
    holidays.end(access.holiday_of(request.user, pk).pk)
    return redirect("rest")
