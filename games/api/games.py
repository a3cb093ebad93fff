"""The games of this site: what a new match can be, and what the public ones add up to."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request

from games import registry
from games.api import shapes
from games.api.operations import ANYBODY, Operation, operation
from games.forms import PACES, pace_label
from games.models import Statistic
from games.titles import Title


class Named(shapes.Answer):
    """A value with its name."""

    value = serializers.JSONField(help_text="As it stands in requests and answers.")
    label = shapes.text()  # type: ignore[assignment]


class Option(shapes.Answer):
    """Something that can be chosen for a match of a game."""

    name = shapes.text()
    label = shapes.text()  # type: ignore[assignment]
    help = shapes.text()
    default = serializers.JSONField()
    choices = Named(many=True, help_text="For a yes or no these are true and false.")


class Wish(shapes.Answer):
    """A move that a player may have made without being asked."""

    name = shapes.text()
    label = shapes.text()  # type: ignore[assignment]
    help = shapes.text()


class GameShape(shapes.Answer):
    """A game."""

    class Meta:
        ref_name = "Game"

    slug = shapes.text()
    name = shapes.text()
    rules_version = shapes.number("What a new match takes.")
    url = shapes.text("The page with its rules.")
    seat_counts = serializers.ListField(child=serializers.IntegerField())
    options = Option(many=True)
    families = Named(many=True, help_text="What is rated apart.")
    wishes = Wish(many=True)
    paces = Named(many=True, help_text="The clocks on offer, the same for every game.")


class Games(shapes.Answer):
    """All games."""

    items = GameShape(many=True)


class StatisticsShape(shapes.Answer):
    """What the public matches of a game add up to."""

    class Meta:
        ref_name = "Statistics"

    game = shapes.text()
    as_of = shapes.moment()
    matches = shapes.number()
    facts = shapes.free("Counts by what is counted: moves, days, endings, variants, places, draws.")


def described(title: Title) -> dict[str, Any]:
    """A game, from what its package says."""
    game = title.game
    return {
        "slug": title.slug,
        "name": title.name,
        "rules_version": game.version,
        "url": f"/rules/{title.slug}/",
        "seat_counts": list(game.seat_counts),
        "options": [_option(field) for field in dataclasses.fields(game.Options)],
        "families": [{"value": name, "label": gettext(label)} for name, label in title.families.items()],
        "wishes": [
            {"name": name, "label": gettext(wish.label), "help": gettext(wish.help) if wish.help else ""}
            for name, wish in title.wishes.items()
        ],
        "paces": [
            *({"value": name, "label": pace_label(*pace)} for name, pace in PACES.items()),
            {"value": "none", "label": pace_label(None)},
        ],
    }


def _option(field: dataclasses.Field[Any]) -> dict[str, Any]:
    choices = field.metadata.get("choices") or {True: gettext("yes"), False: gettext("no")}
    help_text = field.metadata.get("help", "")
    return {
        "name": field.name,
        "label": gettext(field.metadata["label"]),
        "help": gettext(help_text) if help_text else "",
        "default": field.default,
        "choices": [{"value": value, "label": gettext(label)} for value, label in choices.items()],
    }


def title_of(game: str) -> Title:
    """The title. Raises Http404."""
    title = registry.all_titles().get(game)
    if title is None:
        raise Http404
    return title


class AllGames(Operation):
    """The games."""

    @operation("listGames", Games, who=ANYBODY)
    def get(self, request: Request) -> dict[str, Any]:
        """The games of this site, with what can be chosen for a match."""
        return {"items": [described(title) for title in registry.all_titles().values()]}


class GameOf(Operation):
    """One game."""

    @operation("readGame", GameShape, who=ANYBODY)
    def get(self, request: Request, game: str) -> dict[str, Any]:
        """One game, with what can be chosen for a match."""
        return described(title_of(game))


class StatisticsOf(Operation):
    """What a game's matches add up to."""

    @operation("readStatistics", StatisticsShape, who=ANYBODY)
    def get(self, request: Request, game: str) -> dict[str, Any]:
        """What the public matches of a game add up to, as a sweep has counted it."""
        title = title_of(game)
        row = Statistic.objects.filter(game=title.slug).first()
        facts = row.facts if row is not None else {}
        counted = {name: value for name, value in facts.items() if name != "matches"}
        return {
            "game": title.slug,
            "as_of": row.at if row is not None else None,
            "matches": facts.get("matches", 0),
            "facts": counted,
        }
