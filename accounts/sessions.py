"""In which browsers one is logged in, and ending that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.account.internal.flows.logout import logout
from allauth.account.signals import email_changed
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts import notes, signals
from accounts.doors import door
from accounts.models import User

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True)
class Place:
    """A browser in which the user is logged in."""

    pk: int
    device: str
    ip: str
    since: datetime
    last: datetime
    here: bool


@door()
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """The list; a post ends the session it names, or all of them."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required
    if request.method == "POST":
        return _end_asked(request, user)
    return render(request, "usersessions/usersession_list.html", {"places": places(request, user)})


def _end_asked(request: HttpRequest, user: User) -> HttpResponse:
    if "everywhere" in request.POST:
        end(user)
        logout(request)
        return redirect("front")
    asked = request.POST.get("end", "")
    found = UserSession.objects.filter(user=user, pk=asked).first() if asked.isdecimal() and len(asked) < 18 else None
    if found is None:
        notes.leave(request, _("That browser was logged out already."), good=False)
    elif found.session_key == request.session.session_key:
        logout(request)
        return redirect("front")
    else:
        end(user, [found.session_key])
        notes.leave(request, _("That browser is logged out."))
    return redirect("usersessions_list")


def places(request: HttpRequest, user: User) -> list[Place]:
    """Where the user is logged in, this browser first, then the latest used."""
    rows = {row.session_key: row for row in UserSession.objects.filter(user=user)}
    living = Session.objects.filter(session_key__in=rows, expire_date__gt=timezone.now())
    present = user.get_session_auth_hash()
    found = []
    for session in living:
        row, begun_with = rows[session.session_key], session.get_decoded().get(HASH_SESSION_KEY, "")
        if constant_time_compare(begun_with, present):
            here = row.session_key == request.session.session_key
            found.append(Place(row.pk, device(row.user_agent), row.ip, row.created_at, row.last_seen_at, here))
    return sorted(found, key=lambda place: (place.here, place.last), reverse=True)


def device(agent: str) -> str:
    """A browser and a system by name, as far as the browser tells: "Firefox, Android"."""
    first = [next((name for mark, name in known if mark in agent), "") for known in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, first))


def end(user: User, keys: list[str] | None = None) -> None:
    """Ends the user's sessions with these keys, or all; who listens to ``sessions_ended`` closes what hangs on them."""
    with transaction.atomic():
        ended = UserSession.objects.filter(user=user)
        if keys is not None:
            ended = ended.filter(session_key__in=keys)
        sessions = Session.objects.filter(session_key__in=list(ended.values_list("session_key", flat=True)))
        kept = [session.get_decoded() for session in sessions]
        sessions.delete()
        ended.delete()
    signals.sessions_ended.send(User, user=user, kept=kept)


def forget() -> int:
    """Deletes what is listed of sessions that are no more; how many."""
    gone = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    return gone.delete()[0]


def _email_changed(
    sender: object, request: HttpRequest, user: User, from_email_address: object, **_more: object
) -> None:
    """Another address ends the sessions of other browsers: they may be of whom the address was taken from."""
    if from_email_address is None:  # the first one: somebody has just signed up
        return
    others = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    end(user, list(others.values_list("session_key", flat=True)))


email_changed.connect(_email_changed, dispatch_uid="accounts.email_changed")
