"""The addresses of what is held open: sockets, and the one answer that has no end."""

from __future__ import annotations

from django.urls import path

from games.consumers.pages import Watcher
from games.consumers.streams import EventSocket, EventStream

urlpatterns = [path("ws/", Watcher.as_asgi()), path("ws/events", EventSocket.as_asgi())]

STREAM = "/api/v1/events"

stream = EventStream.as_asgi()
