"""Finished matches of oneself and of others, and one's own as a file."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.models import User
from games import access, histories, lists, people, records, registry
from games.api import facts, paging, shapes
from games.api.lobby import checked
from games.api.operations import ANYBODY, Operation, operation, somebody
from games.history_forms import HistoryFilter
from games.views import exports

KINDS = ("json", "csv")


class EntryShape(shapes.Answer):
    """A finished match of somebody."""

    class Meta:
        ref_name = "Entry"

    match = shapes.MatchShape()
    seat = shapes.maybe("Theirs; null where somebody else had it at the end.")
    place = shapes.maybe()
    result = serializers.ChoiceField([histories.WON, histories.SHARED, histories.LOST, histories.LEFT])
    starred = shapes.flag("Whether it is a favourite of yours.")


EntryPage = shapes.listing(EntryShape, "EntryPage")


def entry_of(one: histories.Entry, viewer: User | AnonymousUser) -> dict[str, Any]:
    """A finished match of somebody."""
    return {
        "match": facts.match(one.match, list(one.match.seats.all()), viewer),
        "seat": one.seat.number if one.seat else None,
        "place": one.seat.place if one.seat else None,
        "result": one.result,
        "starred": one.starred,
    }


def _filters(own: bool, *more: OpenApiParameter) -> list[OpenApiParameter]:
    """The filter of a history as parameters; the options of every game that has some."""
    found: dict[str, OpenApiParameter] = {}
    for title in (None, *registry.all_titles().values()):
        data = QueryDict(f"game={title.slug}" if title else "")
        form = HistoryFilter(registry.all_titles(), data, find=lambda _name: None, own=own)
        for name, field in form.fields.items():
            found.setdefault(name, OpenApiParameter(name, str, description=str(field.label or "")))
    return [*found.values(), *more]


CURSOR = OpenApiParameter("cursor", str, description="Of the page before: see next.")
KIND = OpenApiParameter("kind", str, enum=KINDS, description="What file; json if it is not given.")


def _filter(request: Request, user: User, *more: str) -> HistoryFilter:
    """The filter that the address asks for in the history of ``user``. Raises ValidationError."""

    def find(name: str) -> User | None:
        return histories.opponent(user, request.user, name)

    form = HistoryFilter(registry.all_titles(), request.query_params, find=find, own=user == request.user)
    found: HistoryFilter = checked(request, form, *more)
    return found


def _page(request: Request, user: User) -> dict[str, Any]:
    wanted = _filter(request, user, "cursor").wanted()
    before = paging.moment_of(request.query_params.get("cursor"))
    found = histories.entries(user, request.user, wanted, lists.PAGE + 1, before)
    page = found[: lists.PAGE]
    last = page[-1].match if len(found) > lists.PAGE else None
    more = paging.after_moment(last.finished_at, last.pk) if last else ""
    return paging.page(request, [entry_of(one, request.user) for one in page], more)


class MyHistory(Operation):
    """My history."""

    @operation("listMyHistory", EntryPage, filters=_filters(True, CURSOR))
    def get(self, request: Request) -> dict[str, Any]:
        """Your finished matches, the latest first; the filters are those of the page."""
        return _page(request, somebody(request))


class HistoryOf(Operation):
    """Somebody's history."""

    @operation("listHistory", EntryPage, who=ANYBODY, filters=_filters(False, CURSOR))
    def get(self, request: Request, name: str) -> dict[str, Any]:
        """What somebody has played, as far as you may see it, the latest first."""
        person = people.find(request.user, name)
        if person is None:
            raise Http404
        return _page(request, person)


FILE = {
    (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "The matches, see the page of the history."),
    (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "The same as a table."),
}


RECORD = {
    (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "The record, as docs/record.schema.json has it.")
}


class RecordOf(Operation):
    """A match as a record."""

    @extend_schema(responses=RECORD)
    @operation("readRecord", None, who=ANYBODY)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The record of a match: whole with its secrets once it is over, before that what you may know of it."""
        found = access.match_for(request.user, slug)
        return records.for_viewer(found.match, found.seats, found.viewer)


class Export(Operation):
    """My history as a file."""

    @extend_schema(responses=FILE)
    @operation("exportHistory", None, filters=_filters(True, KIND))
    def get(self, request: Request) -> HttpResponse:
        """Your finished matches as one file of any length, JSON or CSV, with the filters of the history."""
        user, kind = somebody(request), request.query_params.get("kind", KINDS[0])
        if kind not in KINDS:
            raise ValidationError({"kind": ["One of json, csv."]})
        wanted = _filter(request, user, "kind").wanted()
        self.spend("export", user.pk)
        return exports.answer(request._request, user, histories.all_entries(user, wanted), kind)
