"""The select of many options is the one that Django writes."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.test.html import parse_html

from accounts import zones
from accounts.widgets import LongSelect

CHOICES = [("", "none"), ("<a>", 'A "quoted" & angled'), ("Group <1>", [("x", "X"), ("y", "Y")]), *zones.by_region()]


def written(kind, value):
    """What a widget of this kind writes, as elements; blanks between them mean nothing."""
    widget = kind(attrs={"class": "wide"}, choices=CHOICES)
    text = widget.render("zone", value, {"id": "id_zone", "required": True, "aria-invalid": "true"})
    assert text.count("<option") > 400
    return parse_html(re.sub(r"\s*\n\s*", "", text))


@pytest.mark.parametrize("value", ["", None, "x", "<a>", "Europe/Prague", "nowhere"])
def test_it_writes_what_django_writes(value):
    assert written(LongSelect, value) == written(forms.Select, value)
