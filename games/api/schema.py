"""The schema of the API: what drf-spectacular cannot know by itself."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from games.api.problems import CODES, MEDIA_TYPE

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string", "description": "The name of the status."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence that may be shown."},
        "code": {"type": "string", "description": "What went wrong, in a word that does not change."},
        "errors": {
            "type": "object",
            "description": "Sentences by field, as long as single fields are wrong.",
            "additionalProperties": True,
        },
        "reason": {"type": "string", "description": "Of an illegal move: why, in a word of the game's rules."},
        "version": {"type": "integer", "description": "Of a match that has moved on: where it is by now."},
        "match": {"$ref": "#/components/schemas/Match"},
        "rows": {
            "type": "array",
            "description": "Of a match that has moved on: what happened since.",
            "items": {"$ref": "#/components/schemas/Row"},
        },
        "observation": {"type": "object", "additionalProperties": True},
        "legal": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type", "title", "status", "detail", "code"],
}

ALWAYS = (400, 401, 403, 406, 429, 500, 503)
WITH_BODY = (409, 413, 415, 422)


class Schema(AutoSchema):
    """Operations with the texts of their docstrings, tokens and sessions, and summaries."""

    def get_summary(self) -> str:
        """The first line of the docstring."""
        return self._texts()[0]

    def get_description(self) -> str:  # type: ignore[override]
        """The other lines."""
        return self._texts()[1]

    def _texts(self) -> tuple[str, str]:
        method = getattr(self.view, self.method.lower())
        first, _line, rest = (method.__doc__ or "").strip().partition("\n")
        return first, " ".join(rest.split())

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A token or a session; or nothing, where everybody may."""
        return [{"token": []}, {"session": []}, *([{}] if self.get_extensions().get("x-for") == "anybody" else [])]


SCHEMES: dict[str, dict[str, str]] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token of the page “Tokens”."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "The session of a browser. What writes also needs the header X-CSRFToken.",
    },
}


def with_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """The schema with the refusals of every operation, and what no operation names by itself. For drf-spectacular."""
    components = result["components"]
    components["schemas"]["Problem"] = PROBLEM
    components["securitySchemes"] = SCHEMES
    components["responses"] = {
        f"Problem{status}": {
            "description": str(sentence),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, sentence in _sentences().items()
    }
    for path, methods in result["paths"].items():
        for method, found in methods.items():
            for body in found.get("requestBody", {}).get("content", {}).values():
                sent = components["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
                sent["additionalProperties"] = False  # see reading.Strict
            statuses = [*ALWAYS, *((404, 409) if "{" in path else ()), *(WITH_BODY if method != "get" else ())]
            if method == "get":
                found["responses"]["304"] = {"description": "What the caller has kept is still right."}
            for status in statuses:
                found["responses"][str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
            found["responses"] = dict(sorted(found["responses"].items()))
            for response in found["responses"].values():
                if response.get("description") == "":
                    response["description"] = "Done."
    _forget(result, "x-spec-enum-id")
    return result


def _forget(part: Any, name: str) -> None:
    """Takes a mark of drf-spectacular's own out of the schema."""
    if isinstance(part, dict):
        part.pop(name, None)
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _forget(one, name)


def _sentences() -> dict[int, Any]:
    known = {status: sentence for status, (_code, sentence) in CODES.items()}
    refused = {409: "Somebody was first, or it cannot be done as things stand.", 422: "The values cannot be used."}
    return dict(sorted({**known, **refused}.items()))
