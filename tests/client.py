"""Django's test client, sending forms as the pages of the site do."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import test

FORM = "application/x-www-form-urlencoded"


class Client(test.Client):
    """A client whose ``post`` sends a plain form, as a browser does for ours."""

    def post(self, path: str, data: Any = None, content_type: str = FORM, **more: Any) -> Any:
        """Posts a dictionary of fields as a plain form."""
        body = urlencode(data or {}) if content_type == FORM and not isinstance(data, (str, bytes)) else data
        return super().post(path, body, content_type=content_type, **more)


def client_of(user: Any) -> Client:
    """A browser of the user."""
    client = Client()
    client.force_login(user)
    return client
