"""Form widgets that Django has no own of."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.renderers import BaseRenderer
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class LongSelect(forms.Select):
    """A select of hundreds of options. It is the same to a reader; Django renders a template for each option."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        """The element, its options under their groups."""
        chosen = {str(one) for one in self.format_value(value)}
        parts = [
            format_html('<optgroup label="{}">{}</optgroup>', label, _options(group, chosen))
            if isinstance(group, list | tuple)
            else _options([(label, group)], chosen)
            for label, group in self.choices
        ]
        inside = format_html_join("", "{}", ((part,) for part in parts))
        return format_html(
            "<select{}>{}</select>", flatatt(self.build_attrs({"name": name, **self.attrs}, attrs)), inside
        )


def _options(choices: Any, chosen: set[str]) -> SafeString:
    rows = ((value, flatatt({"selected": str(value) in chosen}), label) for value, label in choices)
    return format_html_join("", '<option value="{}"{}>{}</option>', rows)
