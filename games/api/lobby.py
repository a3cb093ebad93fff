"""What can be joined and watched, and one's own matches."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts import visitors
from accounts.models import Token
from games import lists, pace, registry
from games.api import facts, paging, shapes
from games.api.operations import ANYBODY, Operation, operation, somebody
from games.api.problems import Invalid
from games.api.reading import UNKNOWN, Choice, Flag, Strict, Text
from games.api.sending import filled, forms_errors
from games.finding_forms import FindForm
from games.forms import PACES, LobbyFilter, pace_label
from games.models import Match, Seat
from games.services import matching, wanted as conditions
from games.views import lobby as pages


class Offer(shapes.Answer):
    """A match with seats for anybody."""

    match = shapes.MatchShape()
    why_not = shapes.text("Why it is not for you; empty if it is.")
    pace = shapes.text("How whoever made it plays; empty where that is not known.")


class Offers(shapes.Answer):
    """A page of the lobby."""

    items = Offer(many=True)
    vacancies = Offer(many=True, help_text="Running matches with a seat to take over; on the first page only.")
    next = shapes.text(allow_null=True)


Watched = shapes.listing(shapes.MatchShape, "WatchedPage")


def _filters() -> list[OpenApiParameter]:
    """The filter of the lobby as parameters; the options of every game that has some."""
    found = {"cursor": OpenApiParameter("cursor", str, description="Of the page before: see next.")}
    for title in (None, *registry.all_titles().values()):
        data = {"game": title.slug} if title else {}
        for name, field in LobbyFilter(registry.all_titles(), data).fields.items():
            found.setdefault(name, OpenApiParameter(name, str, description=str(field.label or "")))
    return list(found.values())


def checked(request: Request, form: Any, *more: str) -> Any:
    """The form that the address fills in. Raises ValidationError for what it does not know or take."""
    query = request.query_params
    known = {*form.fields, *more}
    unknown = {name: [UNKNOWN] for name in sorted(query) if name not in known}
    twice = {name: [_("This stands here twice.")] for name, texts in query.lists() if len(texts) > 1}
    if unknown or twice:
        raise ValidationError({**unknown, **twice})
    if not form.is_valid():
        raise ValidationError(forms_errors(form))
    return form


class Lobby(Operation):
    """The lobby."""

    @operation("listLobby", Offers, who=ANYBODY, filters=_filters())
    def get(self, request: Request) -> dict[str, Any]:
        """Open matches that anybody may join, the newest first; the filters are those of the page.

        Options of a game can be filtered by once the game is chosen: option_name=value.
        """
        form = checked(request, LobbyFilter(registry.all_titles(), request.query_params), "cursor")
        before = paging.row_of(request.query_params.get("cursor"))
        visitor = request.user if request.user.is_authenticated else None
        record = conditions.record_of(visitor)
        found, older = pages.page_of(form, visitor, record, before)
        vacant = [] if before else list(lists.vacant(visitor, form.lookups())[: lists.PAGE])
        more = paging.after_row(older) if older else ""
        return paging.page(request, _offers(found, request, record), more) | {
            "vacancies": _offers(vacant, request, record)
        }


def _offers(found: list[Match], request: Request, record: conditions.Record) -> list[dict[str, Any]]:
    paces = pace.of_many([match.created_by_id for match in found if match.created_by_id], request.user)
    return [
        {
            "match": shown,
            "why_not": conditions.why_not(match, record),
            "pace": paces[match.created_by_id].text if match.created_by_id in paces else "",
        }
        for match, shown in zip(found, facts.many(found, request.user), strict=True)
    ]


class Finding(Strict):
    """What somebody wants to play."""

    game = Text(help_text="See games.")
    family = Text(required=False, help_text="One of the game's families; the first if it is not given.")
    pace = Choice([*PACES], default="2")
    rated = Flag(default=False)


class Find(Operation):
    """An opponent."""

    @operation("findMatch", shapes.MatchShape, scope=Token.Scope.PLAY, body=Finding)
    def post(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Finds an opponent: you sit down where somebody waits for one like you, or you wait for them."""
        user, titles = somebody(request), registry.all_titles()
        title = titles.get(body["game"])
        family = body.get("family") or next(iter(title.families), "") if title else ""
        offered = [(name, pace_label(*pace)) for name, pace in PACES.items()]
        sent = {"kind": f"{body['game']}:{family}", "days": body["pace"], "rated": body["rated"]}
        form = filled(FindForm, sent, titles.values(), PACES, offered, guest=user.is_guest)
        if not form.is_valid():
            raise Invalid(forms_errors(form, {"kind": "game", "days": "pace"}))
        self.spend("match", user.pk)
        self.spend("listed", visitors.house(request._request) if user.is_guest else user.pk)
        return facts.fresh(matching.find(user, form.search()).slug, user)


class Watching(paging.Paged):
    """Which running matches."""

    game = serializers.CharField(required=False, max_length=40, help_text="Only those of this game.")


class Watch(Operation):
    """Running matches."""

    @operation("listRunning", Watched, who=ANYBODY, query=Watching)
    def get(self, request: Request, query: dict[str, Any]) -> dict[str, Any]:
        """Running matches that everybody may watch, the last moved first."""
        game = query.get("game", "")
        if game and game not in registry.all_titles():
            raise ValidationError({"game": [_("There is no such game.")]})
        found = list(lists.running(game, paging.moment_of(query.get("cursor")))[: lists.PAGE + 1])
        page = found[: lists.PAGE]
        more = paging.after_moment(page[-1].moved_at, page[-1].pk) if len(found) > lists.PAGE else ""
        return paging.page(request, facts.many(page, request.user), more)


class Mine(shapes.Answer):
    """My matches that have no result yet; those that have stand in the history."""

    my_turns = shapes.MatchShape(many=True, help_text="The most urgent first.")
    waiting = shapes.MatchShape(many=True, help_text="Where others are to move, or nobody in a pause.")
    open = shapes.MatchShape(many=True, help_text="Not begun.")
    stopped = shapes.MatchShape(many=True, help_text="Stopped by a fault of ours.")
    left = shapes.MatchShape(many=True, help_text="Left, and still running.")
    came_to_nothing = shapes.MatchShape(many=True, help_text="Called off or unfilled in the last days.")


class MyMatches(Operation):
    """My matches."""

    @operation("listMyMatches", Mine)
    def get(self, request: Request) -> dict[str, Any]:
        """Your matches that have no result yet, by what they wait for."""
        user = somebody(request)

        def of(seats: Any) -> list[dict[str, Any]]:
            rows: list[Seat] = list(seats[: lists.MOST])
            return facts.many([seat.match for seat in rows], user)

        return {
            "my_turns": of(lists.my_turns(user)),
            "waiting": of(lists.waiting_for_others(user)),
            "open": of(lists.not_started(user)),
            "stopped": of(lists.stopped(user)),
            "left": of(lists.left(user)),
            "came_to_nothing": of(lists.fallen_through(user)),
        }
