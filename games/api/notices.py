"""What one was told, what became of it on its other ways, and who one is here."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token, User
from games import lists
from games.api import paging, shapes
from games.api.operations import Operation, operation, somebody
from games.api.reading import Strict, Whole
from games.delivery import fates, words
from games.models import Channel, Delivery, Notice
from games.now import now
from games.services import notices


class Me(shapes.Answer):
    """For whom you act."""

    name = shapes.text()
    kind = serializers.ChoiceField(["person", "guest", "bot"])
    scopes = shapes.texts("Of the token; all for a session.")
    token_ends = shapes.moment("When the token ends; null for a session.")
    turns = shapes.number("Matches that wait for you.")
    notices = shapes.number("Notices that you have not seen.")
    invitations = shapes.number("Invitations that wait for your answer.")


class NoticeShape(shapes.Answer):
    """Something that you were told."""

    class Meta:
        ref_name = "Notice"

    id = shapes.number()
    kind = serializers.ChoiceField(Notice.Kind.values)
    at = shapes.moment(null=False)
    seen_at = shapes.moment()
    match = shapes.text("The name of the match it is about, where you may see it.", allow_null=True)
    version = shapes.maybe()
    text = shapes.text()
    url = shapes.text("The page that it leads to; empty for none.")


class FateShape(shapes.Answer):
    """What became of a notice on one way."""

    class Meta:
        ref_name = "Fate"

    channel = shapes.text()
    what = shapes.text("A word: sent, dropped, waiting and others.")
    at = shapes.moment()
    why = shapes.text()
    tries = shapes.number()


class DeliveryShape(NoticeShape):
    """A notice with what became of it."""

    class Meta:
        ref_name = "Delivery"

    deliveries = FateShape(many=True)


NoticePage = shapes.listing(NoticeShape, "NoticePage")
DeliveryPage = shapes.listing(DeliveryShape, "DeliveryPage")


class Seen(Strict):
    """Which notices."""

    ids = serializers.ListField(child=Whole(min_value=1), min_length=1, max_length=100)


def _notice(said: words.Said) -> dict[str, Any]:
    notice = said.notice
    may_see = said.title is not None and said.url.startswith("/match/")
    return {
        "id": notice.pk,
        "kind": notice.kind,
        "at": notice.at,
        "seen_at": notice.seen_at,
        "match": notice.match.slug if notice.match is not None and may_see else None,
        "version": notice.version,
        "text": said.text,
        "url": said.url,
    }


def _page(rows: QuerySet[Notice]) -> tuple[list[Notice], str]:
    """One page of notices and the cursor of the next one."""
    found = list(rows[: lists.PAGE + 1])
    page = found[: lists.PAGE]
    return page, paging.after_row(page[-1].pk) if len(found) > lists.PAGE else ""


class MeHere(Operation):
    """Oneself."""

    @operation("readMe", Me)
    def get(self, request: Request) -> dict[str, Any]:
        """For whom you act, what the token allows, and how much waits for you."""
        user, token = somebody(request), request.auth
        return {
            "name": user.name,
            "kind": user.kind,
            "scopes": token.scopes.split() if isinstance(token, Token) else list(Token.Scope.values),
            "token_ends": token.expires_at if isinstance(token, Token) else None,
            "turns": lists.my_turns(user).order_by().count(),
            "notices": notices.unseen(user).count(),
            "invitations": lists.invitations(user).order_by().count(),
        }


class Notices(Operation):
    """Notices."""

    @operation("listNotices", NoticePage, query=paging.Paged)
    def get(self, request: Request, query: dict[str, Any]) -> dict[str, Any]:
        """What you were told, the newest first. To read them does not make them seen."""
        found, more = _page(lists.notices(somebody(request), paging.row_of(query.get("cursor"))))
        return paging.page(request, [_notice(one) for one in words.said(found)], more)


class SeenNotices(Operation):
    """Seen."""

    @operation("seeNotices", None, scope=Token.Scope.MANAGE, status=204, body=Seen)
    def post(self, request: Request, body: dict[str, Any]) -> None:
        """Marks notices as seen, so that the bell does not count them and no mail repeats them."""
        user: User = somebody(request)
        notices.saw_list(user, Notice.objects.filter(user=user, pk__in=body["ids"]))


class Deliveries(Operation):
    """Deliveries."""

    @operation("listDeliveries", DeliveryPage, query=paging.Paged)
    def get(self, request: Request, query: dict[str, Any]) -> dict[str, Any]:
        """What became of your notices on their other ways, the newest first."""
        rows = lists.notices(somebody(request), paging.row_of(query.get("cursor")), with_mails=True)
        sent = Delivery.objects.select_related("digest").prefetch_related("digest__deliveries").order_by("channel")
        found, more = _page(rows.select_related("user", "match").prefetch_related(Prefetch("deliveries", sent)))
        moment = now()
        items = [
            _notice(one) | {"deliveries": [_fate(row, moment) for row in one.notice.deliveries.all()]}
            for one in words.said(found)
        ]
        return paging.page(request, items, more)


def _fate(row: Delivery, moment: Any) -> dict[str, Any]:
    fate = fates.of(row, moment)
    return {
        "channel": str(Channel(row.channel)),
        "what": fate.what,
        "at": fate.at,
        "why": str(fate.why),
        "tries": fate.tries,
    }
