"""What Python takes for a charset and is none is no fault of the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory
from django.test.client import ClientHandler

from config import wsgi
from config.charsets import OneCharset

FORM = "application/x-www-form-urlencoded"


def status(method: str, kind: str) -> int:
    """The status of what a server with synchronous workers would answer."""
    django: Any = ClientHandler(enforce_csrf_checks=True)
    environ = RequestFactory().generic(method, "/lobby/?game=%41%ff", b"a=1" * (method == "POST"), FORM).environ
    answer: Any = OneCharset(lambda given, _start: django(given))({**environ, "CONTENT_TYPE": kind}, print)
    return int(answer.status_code)


def test_workers_are_served_through_it():
    assert isinstance(wsgi.application, OneCharset)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "charset", ["undefined", "base64", "utf-16", "rot13", "unicode_escape", "idna", "none;x", '"zip"']
)
def test_another_charset(charset):
    assert status("GET", f"text/html; charset={charset}") == 200
    assert status("POST", f"{FORM}; Charset={charset}") == 400


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [FORM, f"{FORM}; charset=UTF-8", f'{FORM};charset="utf-8"'])
def test_ours(kind):
    assert status("GET", kind) == 200
    assert status("POST", kind) == 403  # as far as the token that a form must have
