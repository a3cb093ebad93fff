"""The doors of the API to one match, for tests that compare what they answer in two worlds."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from uuid import UUID

from games.models import Match
from tests.client import Client

READS = ("", "/observation", "/log", "/record", "/table")
"""What is read of a match."""

LISTS = ("/me/matches", "/me/notices")

KEY = UUID(int=7)


def answered(client: Client, method: str, path: str, body: Any = None) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of an answer, without what is left of limits."""
    headers = {"Idempotency-Key": str(KEY)}
    if body is None:
        answer = client.generic(method, f"/api/v1{path}")
    else:
        answer = client.generic(
            method, f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers
        )
    assert method == "GET" or not path.endswith("/moves") or answer.status_code in (404, 409, 422), answer.content
    kept = {name: value for name, value in answer.items() if name not in ("RateLimit", "Set-Cookie")}
    return answer.status_code, answer.content, kept


def doors(client: Client, match: Match) -> list[partial[tuple[int, bytes, dict[str, str]]]]:
    """Everything that the browser's user reads of a match by the API, previews, and moves that are refused."""
    base = f"/matches/{match.slug}"
    version = match.version
    paths = [*(base + tail for tail in READS), f"{base}/observation?version={(version + 1) // 2}", *LISTS]
    found = [partial(answered, client, "GET", path) for path in paths]
    seen = json.loads(answered(client, "GET", f"{base}/observation")[1])
    for steps in (["zz"], *([step] for step in seen.get("legal", [])[:1])):
        body = {"version": version, "steps": steps}
        found.append(partial(answered, client, "POST", f"{base}/preview", body))
        refused = {"version": version, "steps": [*steps, "zz"]}
        found.append(partial(answered, client, "POST", f"{base}/moves", refused))
    found.append(partial(answered, client, "POST", f"{base}/moves", {"version": max(version - 2, 0), "steps": ["zz"]}))
    return found
