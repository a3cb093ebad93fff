"""How requests of the API are read and answers written: strict JSON in, one byte for one meaning out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy as _
from rest_framework import exceptions, serializers
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.utils.encoders import JSONEncoder

DEEPEST = 20
"""Levels of lists and objects within one another; no request of ours has more than three."""


class TooLarge(exceptions.APIException):
    """A body beyond what the site reads."""

    status_code = 413


class PlainJson(BaseParser):
    """Reads an object as JSON: in UTF-8, each name once, without numbers that are none and texts that are none."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The object. Raises ParseError, or TooLarge."""
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        try:
            found = json.loads(body.decode(), object_pairs_hook=_once, parse_constant=_no_number)
        except (ValueError, RecursionError) as wrong:
            raise exceptions.ParseError(gettext("This is not JSON as the API reads it.")) from wrong
        if not isinstance(found, dict) or not _is_plain(found, 0):
            raise exceptions.ParseError(gettext("The API reads one JSON object."))
        return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


def _is_plain(value: Any, depth: int) -> bool:
    """Whether every text can be stored and no number is beyond what a database keeps."""
    if depth > DEEPEST:
        return False
    if isinstance(value, dict):
        return all(_is_plain(name, depth) and _is_plain(one, depth + 1) for name, one in value.items())
    if isinstance(value, list):
        return all(_is_plain(one, depth + 1) for one in value)
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 2**63


class Json(BaseRenderer):
    """Writes JSON: UTF-8, no blanks, names in the order in which they were given."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The bytes; none for None."""
        if data is None:
            return b""
        return json.dumps(data, cls=JSONEncoder, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


UNKNOWN = _("There is no such field.")


class Strict(serializers.Serializer[Any]):
    """A serializer that refuses what it does not know, by name."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The values. Raises ValidationError."""
        if isinstance(data, Mapping) and (unknown := sorted(str(name) for name in set(data) - set(self.fields))):
            raise serializers.ValidationError({name: [UNKNOWN] for name in unknown})
        found: dict[str, Any] = super().to_internal_value(data)
        return found


class Text(serializers.CharField):
    """A text that is one in JSON as well."""

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError for a number."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number that is one in JSON as well."""

    def to_internal_value(self, data: Any) -> int:
        """The number. Raises ValidationError for a text, a fraction or a truth value."""
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """A truth value that is one in JSON as well."""

    def to_internal_value(self, data: Any) -> bool:
        """The value. Raises ValidationError for a text or a number."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """One of some texts."""

    def to_internal_value(self, data: Any) -> Any:
        """The text. Raises ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)
