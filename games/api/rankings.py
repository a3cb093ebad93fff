"""The rankings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from games import rankings
from games.api import paging, shapes
from games.api.games import Named
from games.api.operations import ANYBODY, Operation, operation
from games.models import Ranking
from games.rankings import Period
from games.views.rankings import AROUND, FOLLOWED, WHO

RANKED = "ranked"
PARTS = (RANKED, "provisional", "inactive", FOLLOWED, AROUND)


class Families(shapes.Answer):
    """What is ranked."""

    items = Named(many=True)
    periods = Named(many=True)


class Place(shapes.Answer):
    """A row of a ranking."""

    rank = shapes.maybe("Null for who is not ranked.")
    moved = shapes.maybe("By how many ranks since last week.")
    name = shapes.text()
    me = shapes.flag()
    rating = shapes.number()
    matches = shapes.number()


class RankingShape(shapes.Answer):
    """A ranking, or a part of one."""

    class Meta:
        ref_name = "Ranking"

    family = shapes.text()
    period = serializers.ChoiceField(Period.values)
    as_of = shapes.moment()
    mine = Place(allow_null=True)
    items = Place(many=True)
    next = shapes.text(allow_null=True)


class Part(paging.Paged):
    """Which part of a ranking."""

    period = serializers.ChoiceField(Period.choices, default=str(Period.ALL))
    part = serializers.ChoiceField(PARTS, default=RANKED, help_text="me is what is around you.")


def _place(row: Ranking, me: int | None) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "moved": row.moved,
        "name": row.user.name,
        "me": row.user_id == me,
        "rating": row.shown,
        "matches": row.matches,
    }


class AllRankings(Operation):
    """What is ranked."""

    @operation("listRankings", Families, who=ANYBODY)
    def get(self, request: Request) -> dict[str, Any]:
        """What is ranked: all games together and each family of games, of all time and of the quarter."""
        return {
            "items": [{"value": name, "label": label} for name, label in rankings.families().items()],
            "periods": [{"value": value, "label": str(label)} for value, label in Period.choices],
        }


class RankingOf(Operation):
    """One ranking."""

    @operation("readRanking", RankingShape, who=ANYBODY, query=Part)
    def get(self, request: Request, family: str, query: dict[str, Any]) -> dict[str, Any]:
        """A ranking from the top, or a part of it: around you, those you follow, the provisional, the inactive."""
        if family not in rankings.families():
            raise Http404
        period, part = query["period"], query["part"]
        after = paging.row_of(query.get("cursor"))
        user = None if isinstance(request.user, AnonymousUser) else request.user
        mine = rankings.mine(user, family, period) if user is not None and not user.is_guest else None
        more = ""
        if part in (AROUND, FOLLOWED):
            if after is not None:
                raise ValidationError({"cursor": [paging.WRONG]})
            near = list(rankings.around(mine, user)) if mine is not None and part == AROUND else []
            rows = near if part == AROUND else rankings.followed(mine, user, family, period) if user else []
        else:
            found = list(rankings.rows(family, period, WHO["" if part == RANKED else part], user, after))
            rows = found[: rankings.PAGE]
            more = paging.after_row(rows[-1].position) if len(found) > rankings.PAGE else ""
        me = user.pk if user is not None else None
        return paging.page(request, [_place(row, me) for row in rows], more) | {
            "family": family,
            "period": period,
            "as_of": rankings.as_of(),
            "mine": _place(mine, me) if mine is not None else None,
        }
