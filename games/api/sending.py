"""The forms of the pages, filled in by programs: what may be asked for is checked at one place for both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms
from django.http import QueryDict

F = TypeVar("F", bound=forms.Form)


def filled(kind: type[F], values: Mapping[str, Any], *given: Any, **named: Any) -> F:
    """The form, filled in with JSON values; a field that is left out is as the form would show it."""
    shown = kind(*given, **named)
    known = {name: shown.get_initial_for_field(field, name) for name, field in shown.fields.items()}
    return kind(*given, **named, data=as_sent({**known, **values}))  # type: ignore[misc]


def as_sent(values: Mapping[str, Any]) -> QueryDict:
    """The values as a browser sends them."""
    sent = QueryDict(mutable=True)
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            sent.setlist(name, [str(one) for one in value])
        elif value is True:
            sent[name] = "on"
        elif value is not None and value is not False:
            sent[name] = str(value)
    return sent


def forms_errors(form: forms.Form, names: Mapping[str, str] | None = None, prefix: str = "") -> dict[str, Any]:
    """The sentences by field; ``names`` are those that are called otherwise, what has the prefix is one of options."""
    found: dict[str, Any] = {}
    for field, sentences in form.errors.items():
        name = (names or {}).get(field, field)
        if prefix and name.startswith(prefix):
            found.setdefault("options", {})[name.removeprefix(prefix)] = list(sentences)
        else:
            found[name if name != "__all__" else "_"] = [str(sentence) for sentence in sentences]
    return found
