"""The addresses of the sockets."""

from __future__ import annotations

from django.urls import path

from games.consumers import Watcher

urlpatterns = [path("ws/", Watcher.as_asgi())]
