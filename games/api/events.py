"""Events, where they cannot be had: the stream is served by asynchronous processes (see ``games.consumers``)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from games.api.operations import Operation, operation
from games.api.problems import MEDIA_TYPE
from games.api.reading import Strict
from games.services.errors import Refused


class NoStream(Refused):
    """This process answers whole pages only; the proxy has to ask another."""

    code = "no_stream"
    status = 421
    sentence = _("Events are not served by this address of the site. Please tell whoever runs it.")


class From(Strict):
    """From where on."""

    since = serializers.CharField(
        required=False,
        max_length=13,
        help_text="The id of the last event that you know: only what is new since then is told.",
    )


LAST = OpenApiParameter(
    "Last-Event-ID",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The same, as clients for server-sent events send it when they connect again.",
)

STREAM = OpenApiResponse(
    OpenApiTypes.STR,
    description="Server-sent events without end. “match”: one of your matches is at another version, with match, "
    "version and status. “counts”: turns, asked (invitations) and notices that wait; its id is what to go on from. "
    "“reset”: you were away too long to be told what changed, and everything follows. Comments are signs of life.",
)


ELSEWHERE = OpenApiResponse(OpenApiTypes.OBJECT, description="The site is not set up to serve events at this address.")


class Events(Operation):
    """What happens, as it happens."""

    @extend_schema(responses={(200, "text/event-stream"): STREAM, (421, MEDIA_TYPE): ELSEWHERE})
    @operation("events", None, query=From, headers=[LAST])
    def get(self, request: Request, query: dict[str, Any]) -> None:
        """What is new in your matches, as it happens.

        Events are hints: they say where a match is, and what happened is asked for by the other operations. At most
        five streams are open at once. The same is told by a WebSocket at /ws/events, to a token in the header.
        """
        raise NoStream
