"""Links of mails: what they open, and ending that."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import notes
from games import links
from games.services import mailing

MOVED_ON = _("The match has moved on since this mail was written. This is how it stands now.")
ENDED = _("The links in all mails that you have had so far open nothing any more.")


@never_cache
@require_safe
def go(request: HttpRequest, token: str) -> HttpResponse:
    """Opens the match of a link and leaves its address at once: it is in no page, and no other site is told it.

    Who is not logged in as the link's user may act for them in this match from now on, and nowhere else.
    """
    try:
        link = links.read(token)
    except links.Void:
        response: HttpResponse = redirect("void")
    else:
        if request.method == "GET" and request.user.pk != link.user.pk:
            _let_in(request, link, token)
        if request.method == "GET" and link.match.version != link.version:
            notes.leave(request, MOVED_ON)
        response = redirect(link.match)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _let_in(request: HttpRequest, link: links.Link, token: str) -> None:
    """Keeps the link in the session. That of a visitor who is nobody gets another key: it may have been planted."""
    if isinstance(request.user, AnonymousUser):
        request.session.cycle_key()
        request.session.set_expiry(links.LASTS)
    links.keep(request.session, link, token)


@require_safe
def void(request: HttpRequest) -> HttpResponse:
    """Says that a link opens nothing; 410."""
    return render(request, "games/void.html", status=410)


@require_POST
def unlink(request: HttpRequest, slug: str) -> HttpResponse:
    """This browser acts for nobody in the match any more."""
    links.drop(request.session, slug)
    return redirect("match", slug)


@require_POST
def end_links(request: HttpRequest) -> HttpResponse:
    """Makes the links in all mails to the user void. Raises Http404 for who gets none."""
    if isinstance(request.user, AnonymousUser):
        raise Http404
    mailing.end_links(request.user.pk)
    notes.leave(request, ENDED)
    return redirect("settings")
