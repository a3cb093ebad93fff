"""The API for people to read: its documentation as a page of the site, and its schema as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from games.api.problems import CODES

REF = "#/components/schemas/"

METHODS = ("get", "post", "put", "patch", "delete")

WHO = {"anybody": "everybody", "user": "users, guests included", "person": "people with an account"}


@cache
def schema() -> dict[str, Any]:
    """The schema, made once a process; in English, as all names in it are."""
    with translation.override("en"):
        made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        found: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(made, renderer_context={}))
    return found


@require_safe
def schema_file(request: HttpRequest) -> HttpResponse:
    """The schema as JSON."""
    return HttpResponse(json.dumps(schema(), ensure_ascii=False, indent=1), content_type="application/json")


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """How to use the API, every operation, and what stands in requests and answers."""
    return render(request, "games/api.html", {"site_url": settings.SITE_URL, **described()})


@cache
def described() -> dict[str, Any]:
    """What the page shows of the schema."""
    found = schema()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in found["paths"].items():
        for method in METHODS:
            if method in methods:
                one = methods[method]
                groups.setdefault(one["tags"][0], []).append(_operation(path, method, one))
    shapes = [
        {"name": name, "text": shape.get("description", ""), "fields": _fields(shape)}
        for name, shape in sorted(found["components"]["schemas"].items())
    ]
    statuses = [{"status": status, "code": code, "sentence": sentence} for status, (code, sentence) in CODES.items()]
    return {"groups": groups, "shapes": shapes, "statuses": statuses}


def _operation(path: str, method: str, one: Mapping[str, Any]) -> dict[str, Any]:
    bodies = one.get("requestBody", {}).get("content", {})
    answers = {status: answer for status, answer in one["responses"].items() if status.startswith("2")}
    return {
        "id": one["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": one["summary"],
        "text": one.get("description", ""),
        "who": WHO[one["x-for"]],
        "scope": one["x-scope"],
        "parameters": [
            {
                "name": parameter["name"],
                "where": parameter["in"],
                "required": parameter.get("required", False),
                "type": _type(parameter["schema"]),
                "text": parameter.get("description", ""),
            }
            for parameter in one.get("parameters", ())
        ],
        "body": next((_type(body["schema"]) for body in bodies.values()), None),
        "answers": [
            {"status": status, "type": _type(body["schema"]), "media": media}
            for status, answer in answers.items()
            for media, body in (answer.get("content") or {"": {"schema": {}}}).items()
        ],
        "refusals": [status for status in one["responses"] if status[0] in "45"],
    }


def _fields(shape: Mapping[str, Any]) -> list[dict[str, Any]]:
    needed = shape.get("required", ())
    return [
        {"name": name, "type": _type(field), "text": field.get("description", ""), "required": name in needed}
        for name, field in shape.get("properties", {}).items()
    ]


def _type(field: Mapping[str, Any]) -> dict[str, str]:
    """The type of a value in words, with the shape that it leads to."""
    if "$ref" in field:
        return {"words": "", "shape": field["$ref"].removeprefix(REF)}
    for several in ("oneOf", "anyOf", "allOf"):
        if several in field:
            found = [_type(one) for one in field[several]]
            shape = next((one["shape"] for one in found if one["shape"]), "")
            words = " or ".join(one["words"] for one in found if one["words"])
            return {"words": f"or {words}" if shape and words else words, "shape": shape}
    if "enum" in field:
        return {"words": "one of " + ", ".join(str(one) for one in field["enum"] if one is not None), "shape": ""}
    kind = field.get("type", "anything")
    kinds = " or ".join(kind) if isinstance(kind, list) else str(kind)
    if "items" in field:
        inner = _type(field["items"])
        return {"words": f"list of {inner['words']}".strip(), "shape": inner["shape"]}
    return {"words": f"{kinds} ({field['format']})" if "format" in field else kinds, "shape": ""}
