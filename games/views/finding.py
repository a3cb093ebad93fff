"""Finding an opponent by one form: at a table that waits already, or at a new one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import visitors
from games import registry
from games.finding_forms import FindForm
from games.forms import PACES, pace_label
from games.services import limits, matching
from games.views.visitors import entropy_of, user_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def find(request: HttpRequest) -> HttpResponse:
    """Asks for game and pace, and leads to the match; whoever is nobody yet becomes a guest."""
    titles = registry.all_titles()
    guest = not request.user.is_authenticated or request.user.is_guest
    offered = [(name, pace_label(*pace)) for name, pace in PACES.items()]
    data = request.POST if request.method == "POST" else None
    form = FindForm(titles.values(), PACES, offered, data, guest=guest, game=request.GET.get("game", ""))
    if form.is_valid():
        entropy = entropy_of(request)
        user = user_or_guest(request)
        limits.spend("match", user.pk)
        limits.spend("listed", visitors.counted(request))
        return redirect(matching.find(user, form.search(), entropy))
    context = {"form": form, "titles": list(titles.values())}
    return render(request, "games/find.html", context, status=422 if form.is_bound else 200)
