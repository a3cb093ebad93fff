"""Requests of another charset than UTF-8, which no page of ours sends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Answer = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

OURS = ("utf-8", "utf8")


class OneCharset:
    """WSGI: calls every other charset Latin-1. Django reads the query by it before anything of ours is asked, and fails
    on what Python takes for a charset and is none ("base64", "undefined"). A form in it is refused later on.
    """

    def __init__(self, app: Answer) -> None:
        self.app = app

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The answer of the application."""
        kind, _semicolon, more = environ.get("CONTENT_TYPE", "").partition(";")
        _before, said, charset = more.lower().partition("charset=")
        if said and charset.strip(" \"'") not in OURS:
            environ["CONTENT_TYPE"] = f"{kind}; charset=iso-8859-1"
        return self.app(environ, start_response)
