"""People: profiles, ratings, what two have played against each other, and whom one follows."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token, User
from games import access, achievements, histories, lists, pace, people, rankings
from games.api import facts, paging, shapes
from games.api.histories import EntryShape, entry_of
from games.api.operations import ANYBODY, PERSON, Operation, operation, somebody
from games.models import RatingChange
from games.ratings import Skill
from games.services import following
from games.views.people import OPPONENTS, SHOWN
from games.views.rankings import CHANGES


class Strength(shapes.Answer):
    """A rating as it is shown."""

    shown = shapes.number("In points.")
    provisional = shapes.flag()


class Standing(shapes.Answer):
    """A rating in one family of games."""

    family = shapes.text()
    label = shapes.text()  # type: ignore[assignment]
    rating = Strength()
    spread = shapes.number("How far off it may well be.")
    matches = shapes.number()
    best = shapes.maybe()
    rank = shapes.maybe()


class Tally(shapes.Answer):
    """How many matches went how."""

    won = shapes.number()
    shared = shapes.number()
    lost = shapes.number()
    left = shapes.number()


class OfFamily(Tally):
    """The same in one family of a game."""

    game = shapes.text()
    family = shapes.text()


class Against(Tally):
    """The same against one opponent."""

    name = shapes.text()


class Earned(shapes.Answer):
    """Something that somebody has done."""

    title = shapes.text()
    words = shapes.text()
    at = shapes.moment(null=False)


class Profile(shapes.Answer):
    """Somebody, as you may see them."""

    name = shapes.text()
    me = shapes.flag()
    followed = shapes.flag("Whether you follow them.")
    pace = shapes.text("How fast they play and how many matches they finish.")
    ratings = Standing(many=True)
    results = Tally(help_text="Of the latest matches with people.")
    families = OfFamily(many=True)
    opponents = Against(many=True, help_text="Those met most often.")
    achievements = Earned(many=True)
    running = shapes.MatchShape(many=True)
    finished = EntryShape(many=True, help_text="The latest.")


class Balance(shapes.Answer):
    """Who of two was ahead how often."""

    ahead = shapes.number()
    level = shapes.number()
    behind = shapes.number()


class BalanceOf(Balance):
    """The same in one family of a game."""

    game = shapes.text()
    family = shapes.text()


class HeadToHead(shapes.Answer):
    """How two stand who have played with each other."""

    one = shapes.text()
    other = shapes.text()
    families = BalanceOf(many=True)
    matches = EntryShape(many=True)


class Change(shapes.Answer):
    """What one match did to a rating."""

    at = shapes.moment(null=False)
    kind = serializers.ChoiceField(RatingChange.Kind.values)
    match = shapes.text("Its name, where you may know it.", allow_null=True)
    game = shapes.text()
    place = shapes.maybe()
    expected = serializers.FloatField(allow_null=True, help_text="The place that was expected.")
    before = Strength()
    after = Strength()


class Changes(shapes.Answer):
    """A rating with what moved it."""

    standing = Standing()
    items = Change(many=True)
    next = shapes.text(allow_null=True)


class Followed(shapes.Answer):
    """Somebody whom you follow."""

    name = shapes.text()
    running = shapes.MatchShape(many=True)


FollowedPage = shapes.listing(Followed, "FollowedPage")


def strength(skill: Skill) -> dict[str, Any]:
    """A rating as it is shown."""
    return {"shown": skill.shown, "provisional": skill.provisional}


def _standing(one: rankings.Standing) -> dict[str, Any]:
    return {
        "family": one.family,
        "label": one.label,
        "rating": strength(one.skill),
        "spread": one.spread,
        "matches": one.matches,
        "best": one.best,
        "rank": one.rank,
    }


def _tally(one: histories.Tally) -> dict[str, Any]:
    return {"won": one.won, "shared": one.shared, "lost": one.lost, "left": one.left}


class ProfileOf(Operation):
    """Somebody."""

    @operation("readProfile", Profile, who=ANYBODY)
    def get(self, request: Request, name: str) -> dict[str, Any]:
        """Somebody's profile: ratings, results, what they play and have played, as far as you may see it."""
        person, viewer = access.person_for(request.user, name), request.user
        results = histories.results(person, viewer)
        most = sorted(results.opponents.items(), key=lambda row: (-row[1].total, row[0]))[: 4 * OPPONENTS]
        seen = User.objects.filter(people.visible_to(viewer)).only("username", "kind").in_bulk(dict(most))
        families = sorted(results.families.items())
        running = lists.played_now([person.pk], SHOWN)
        return {
            "name": person.name,
            "me": person == viewer,
            "followed": people.follows(viewer, person),
            "pace": pace.of(person).text,
            "ratings": [_standing(one) for one in rankings.profile_ratings(person)],
            "results": _tally(results.whole),
            "families": [{"game": key[0], "family": key[1], **_tally(tally)} for key, tally in families],
            "opponents": [{"name": seen[user].name, **_tally(tally)} for user, tally in most if user in seen][
                :OPPONENTS
            ],
            "achievements": [
                {"title": facts.said(one.title), "words": facts.said(one.words), "at": one.at}
                for one in achievements.of(person)
            ],
            "running": facts.many([seat.match for seat in running], viewer),
            "finished": [entry_of(one, viewer) for one in histories.entries(person, viewer, number=SHOWN)],
        }


class HeadToHeadOf(Operation):
    """Two people."""

    @operation("readHeadToHead", HeadToHead, who=ANYBODY)
    def get(self, request: Request, name: str, other: str) -> dict[str, Any]:
        """How two stand who have played with each other."""
        one, two = access.person_for(request.user, name), access.person_for(request.user, other)
        if one == two:
            raise Http404
        found = sorted(histories.between(one, two, request.user).items())
        wanted = histories.Wanted(opponent=two)
        return {
            "one": one.name,
            "other": two.name,
            "families": [
                {"game": key[0], "family": key[1], "ahead": it.ahead, "level": it.level, "behind": it.behind}
                for key, it in found
            ],
            "matches": [
                entry_of(entry, request.user) for entry in histories.entries(one, request.user, wanted, 2 * SHOWN)
            ],
        }


class RatingOf(Operation):
    """One rating."""

    @operation("readRating", Changes, who=ANYBODY, query=paging.Paged)
    def get(self, request: Request, name: str, family: str, query: dict[str, Any]) -> dict[str, Any]:
        """One rating of somebody with all that moved it, the latest first."""
        person = access.person_for(request.user, name)
        before = paging.moment_of(query.get("cursor"))
        standing = next(iter(rankings.profile_ratings(person, family)), None)
        if standing is None:
            raise Http404
        found = list(rankings.changes(person, family, request.user, before)[: CHANGES + 1])
        page = found[:CHANGES]
        more = paging.after_moment(page[-1].at, page[-1].pk) if len(found) > CHANGES else ""
        return paging.page(request, [_change(one) for one in page], more) | {"standing": _standing(standing)}


def _change(one: RatingChange) -> dict[str, Any]:
    return {
        "at": one.at,
        "kind": one.kind,
        "match": one.match.slug if one.open else None,  # type: ignore[attr-defined]
        "game": one.match.game,
        "place": one.place,
        "expected": one.expected,
        "before": strength(one.before),
        "after": strength(one.after),
    }


class FollowOf(Operation):
    """Following."""

    @operation("follow", None, who=PERSON, scope=Token.Scope.MANAGE, status=204)
    def put(self, request: Request, name: str) -> None:
        """Follows somebody."""
        person = access.person_for(request.user, name)
        self.spend("follow", request.user.pk)
        following.follow(somebody(request), person)

    @operation("unfollow", None, who=PERSON, scope=Token.Scope.MANAGE, status=204)
    def delete(self, request: Request, name: str) -> None:
        """Follows them no more."""
        person = access.person_for(request.user, name)
        self.spend("follow", request.user.pk)
        following.unfollow(somebody(request), person)


class Following(Operation):
    """Whom one follows."""

    @operation("listFollowed", FollowedPage, query=paging.Paged)
    def get(self, request: Request, query: dict[str, Any]) -> dict[str, Any]:
        """Whom you follow, the latest first, with what they play."""
        found = list(people.followed(somebody(request), paging.row_of(query.get("cursor")))[: lists.PAGE + 1])
        page = found[: lists.PAGE]
        seats = lists.played_now([one.followed_id for one in page], 3)
        shown = facts.many([seat.match for seat in seats], request.user)
        running: dict[int, list[dict[str, Any]]] = {}
        for seat, match in zip(seats, shown, strict=True):
            running.setdefault(seat.user_id, []).append(match)
        items = [{"name": one.followed.name, "running": running.get(one.followed_id, [])} for one in page]
        return paging.page(request, items, paging.after_row(page[-1].pk) if len(found) > lists.PAGE else "")
