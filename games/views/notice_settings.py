"""What a user is told by which way: the matrix, quiet hours, single matches, the address, and feeds."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games import access
from games.delivery import webpush
from games.delivery.words import WHY
from games.models import Feed
from games.notice_forms import NoticesForm
from games.services import choices, feeds, holidays, limits, mailing
from games.views import devices
from games.views.preferences import SAVED
from games.views.visitors import user_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def notice_settings(request: HttpRequest) -> HttpResponse:
    """The form; saving makes a guest of a visitor who is nobody yet."""
    if request.method != "POST":
        return _page(request, _form(request.user))
    user = user_or_guest(request)
    form = _form(user, request.POST)
    if not form.is_valid():
        return _page(request, form)
    choices.save(user, form.chosen(), **form.preferences())
    return _saved(request)


def _form(user: User | AnonymousUser, data: QueryDict | None = None) -> NoticesForm:
    someone = User(kind=User.Kind.GUEST) if isinstance(user, AnonymousUser) else user
    cells = choices.of(someone) if someone.pk else {}
    return NoticesForm(someone, cells, data, pushes=bool(webpush.public_key()))


def _page(request: HttpRequest, form: NoticesForm) -> HttpResponse:
    user = request.user
    someone = None if isinstance(user, AnonymousUser) else user
    feed = feeds.of(someone) if someone else None
    context: dict[str, Any] = {
        "form": form,
        "saved": not form.is_bound and request.method == "GET" and request.session.pop(SAVED, False),
        "zone": holidays.zone_of(someone or User()).key.replace("_", " "),
        "mail_off_why": WHY.get(someone.mail_off_why, "") if someone else "",
        "feeds": _addresses(request, feed) if feed else {},
        **devices.shown(request),
    }
    return render(request, "games/notice_settings.html", context, status=422 if form.is_bound else 200)


def _addresses(request: HttpRequest, feed: Feed) -> dict[str, str]:
    return {
        name: request.build_absolute_uri(reverse(name, args=[feed.token])) for name in ("deadlines_feed", "turns_feed")
    }


def _saved(request: HttpRequest) -> HttpResponse:
    request.session[SAVED] = True
    return redirect("notice_settings")


def _somebody(request: HttpRequest) -> User:
    """The visitor. Raises Http404 for who is nobody yet."""
    if isinstance(request.user, AnonymousUser):
        raise Http404
    return request.user


@require_POST
def usual(request: HttpRequest) -> HttpResponse:
    """The whole matrix goes back to the defaults."""
    choices.reset(_somebody(request))
    return _saved(request)


@require_POST
def try_again(request: HttpRequest) -> HttpResponse:
    """The user's address takes mail again, until it comes back once more."""
    user = _somebody(request)
    limits.spend("address", user.pk)
    mailing.try_again(user.pk)
    return _saved(request)


@require_POST
def new_feed(request: HttpRequest) -> HttpResponse:
    """Makes addresses for calendars and feed readers; those before lead nowhere from now on."""
    user = _somebody(request)
    limits.spend("link", user.pk)
    feeds.make(user)
    return redirect(reverse("notice_settings") + "#feeds")


@require_POST
def take_feed_away(request: HttpRequest) -> HttpResponse:
    """Takes the addresses away."""
    feeds.take_away(_somebody(request))
    return redirect(reverse("notice_settings") + "#feeds")


@require_POST
def of_match(request: HttpRequest, slug: str) -> HttpResponse:
    """How the notices of one match reach who plays in it."""
    table, seat = access.seat_for(request.user, slug)
    choices.choose(table.match, seat.user, request.POST.get("mode", ""))
    return redirect(table.match)
