"""A program that calls the API with a token, as the tests use it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from django import test

from accounts import tokens

API = "/api/v1"


class Program:
    """Somebody's program: every call carries their token (none for nobody)."""

    def __init__(self, user: Any = None, *scopes: str) -> None:
        self.client = test.Client()
        self.user = user
        self.token = tokens.make(user, "test", scopes or ("read", "play", "manage"), 30)[1] if user else ""

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer of an operation; ``path`` without what all have in common."""
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        data = "" if body is None else json.dumps(body)
        kind = {} if body is None else {"content_type": "application/json"}
        path = path if path.startswith("/api/") else API + path
        return self.client.generic(method, path, data, headers=headers, **kind)

    def get(self, path: str, **headers: str) -> Any:
        """Reads."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """Sends."""
        return self.call("POST", path, {} if body is None else body, **headers)

    def move(self, slug: str, version: int, steps: list[str], key: Any = None) -> Any:
        """Makes a move."""
        headers = {"Idempotency-Key": str(key or uuid4())}
        return self.post(f"/matches/{slug}/moves", {"version": version, "steps": steps}, **headers)


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem document of an answer that must have that status and code."""
    assert answer.status_code == status, (answer.status_code, answer.content)
    assert answer["Content-Type"] == "application/problem+json"
    found = answer.json()
    assert (found["status"], found["code"]) == (status, code), found
    assert found["detail"]
    assert found["title"]
    return found
