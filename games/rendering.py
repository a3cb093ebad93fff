"""From sentences to HTML or text: names for seats, small pictures for pieces, everything escaped.

Nothing here raises for a text that a translator got wrong: a place that is
not filled reads as a dash, a piece without a template as its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from games.titles import Title
from games.wording import Piece, Pieces, Seat, Sentence

PLACE = re.compile(r"\{(\w+)\}([.,:;!?)]?)")
"""A place, with the mark behind it: a full stop stays on the line of the picture it follows."""

MISSING = "–"  # noqa: RUF001 - a dash is meant

Names = Sequence[str] | Mapping[int, str]
Sayable = Sentence | str | None


def to_html(sentence: Sayable, names: Names = (), title: Title | None = None, me: int | None = None) -> SafeString:
    """The sentence as HTML: seats as bold names, pieces as small pictures with their names. "" for None."""

    def whole(sentence: Sayable, mark: str) -> str:
        return _filled(escape(_translated(sentence)) + mark, sentence, shown)

    def shown(value: Any, mark: str) -> str:
        if isinstance(value, Sentence):
            return whole(value, mark)
        if isinstance(value, Seat):
            kind = "who me" if value.number == me and not value.name else "who"
            return format_html('<b class="{}">{}</b>', kind, _name(value, names)) + mark
        if isinstance(value, Piece):
            picture = _picture(value, title)
            return f'<span class="kept">{picture}{mark}</span>' if mark else picture
        if isinstance(value, Pieces):
            return _each([Piece(value.kind, one) for one in value.values], "", mark, shown)
        if isinstance(value, (list, tuple)):
            return _each(value, ",", mark, shown)
        return escape(value) + mark

    return mark_safe(whole(sentence, ""))  # noqa: S308 - text and every part are escaped


def to_text(sentence: Sayable, names: Names = (), title: Title | None = None) -> str:
    """The sentence as plain text: names of seats and pieces. "" for None."""

    def shown(value: Any, mark: str) -> str:
        return named(value) + mark

    def named(value: Any) -> str:
        if isinstance(value, Sentence):
            return to_text(value, names, title)
        if isinstance(value, Seat):
            return _name(value, names)
        if isinstance(value, Piece):
            return piece_name(title, value.kind, value.value)
        if isinstance(value, Pieces):
            return ", ".join(piece_name(title, value.kind, one) for one in value.values)
        if isinstance(value, (list, tuple)):
            return ", ".join(named(one) for one in value)
        return str(value)

    return _filled(_translated(sentence), sentence, shown)


def piece_name(title: Title | None, kind: str, value: str) -> str:
    """The name of a piece by the title's words ("red 7"); its notation where there are none."""
    name = getattr(title.words, "piece", None) if title else None
    return to_text(name(kind, value)) if name else value


def _translated(sentence: Sayable) -> str:
    if isinstance(sentence, Sentence):
        if sentence.count is not None and sentence.plural:
            return ngettext(sentence.text, sentence.plural, sentence.count)
        return gettext(sentence.text) if sentence.text else ""
    return "" if sentence is None else str(sentence)


def _each(values: Sequence[Any], between: str, mark: str, shown: Callable[[Any, str], str]) -> str:
    """All values in a row, and the mark behind the last."""
    last = len(values) - 1
    return " ".join(shown(one, mark if index == last else between) for index, one in enumerate(values)) or mark


def _filled(text: str, sentence: Sayable, shown: Callable[[Any, str], str]) -> str:
    """The text with its places filled; a plain text has none."""
    if not isinstance(sentence, Sentence):
        return text
    places = sentence.places
    return PLACE.sub(
        lambda found: shown(places[found[1]], found[2]) if found[1] in places else MISSING + found[2], text
    )


def _name(seat: Seat, names: Names) -> str:
    if seat.name:
        return seat.name
    try:
        return str(names[seat.number])
    except (IndexError, KeyError):
        return gettext("Seat %(number)d") % {"number": seat.number + 1}


def _picture(piece: Piece, title: Title | None) -> str:
    """The piece by the title's template ``<slug>/piece.html``, or its name."""
    return drawn(title, "piece", piece.kind, piece.value) if title else escape(piece.value)


def drawn(title: Title, part: str, kind: str, value: str, size: str = "") -> SafeString:
    """A piece by the title's template ``<slug>/<part>.html``, or its name if there is none.

    The template gets ``kind``, ``value``, ``size``, ``name`` and ``title``, and nothing that differs between
    visitors: pictures are kept, they were half of the time of a page.
    """
    return _drawn(title, part, kind, value, size, get_language())


@lru_cache(maxsize=2048)
def _drawn(title: Title, part: str, kind: str, value: str, size: str, language: str | None) -> SafeString:
    name = piece_name(title, kind, value)
    try:
        template = get_template(f"{title.slug}/{part}.html")
    except TemplateDoesNotExist:
        return SafeString(escape(name))
    context = {"kind": kind, "value": value, "size": size, "name": name, "title": title}
    return SafeString(template.render(context).strip())
