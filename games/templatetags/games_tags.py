"""Tags of the pages: sentences, pieces, times, and links that carry a half-made plan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from django import template
from django.template import Context, TemplateDoesNotExist
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.zones import abbreviation
from games import rendering
from games.models import Match
from games.services import wanted
from games.titles import Title

register = template.Library()


def _names(context: Context) -> list[str]:
    return [str(getattr(seat, "name", seat)) for seat in context.get("seats") or ()]


@register.simple_tag(takes_context=True)
def say(context: Context, sentence: rendering.Sayable, title: Title | None = None) -> SafeString:
    """A sentence as HTML, with the names of the context's seats and the pictures of its title."""
    return rendering.to_html(sentence, _names(context), title or context.get("title"), context.get("me"))


@register.simple_tag(takes_context=True)
def say_text(context: Context, sentence: rendering.Sayable, title: Title | None = None) -> str:
    """A sentence as plain text, for attributes and titles."""
    return rendering.to_text(sentence, _names(context), title or context.get("title"))


@register.simple_tag(takes_context=True)
def piece(context: Context, kind: str, value: str) -> SafeString:
    """The small picture of a piece."""
    return rendering.drawn(context["title"], "piece", kind, value)


@register.simple_tag(takes_context=True)
def drawn(context: Context, part: str, kind: str, value: str, size: str = "") -> SafeString:
    """A piece by another template of its title: ``{% drawn "card" "card" "R7" "small" %}`` draws red/card.html."""
    return rendering.drawn(context["title"], part, kind, value, size)


@register.simple_tag(takes_context=True)
def piece_name(context: Context, kind: str, value: str) -> str:
    """The name of a piece in words."""
    return rendering.piece_name(context.get("title"), kind, value)


@register.filter
def at(values: Sequence[Any], index: int | str | None) -> Any:
    """The value with that number, or None."""
    try:
        return values[int(index)] if index is not None else None
    except (IndexError, ValueError, TypeError):
        return None


@register.simple_tag(takes_context=True)
def title_part(context: Context, title: Title | None, part: str) -> SafeString:
    """A title's own template of that name (``<slug>/<part>.html``) in this context, or nothing if it has none."""
    if not title:
        return SafeString("")
    try:
        found = get_template(f"{title.slug}/{part}.html")
    except TemplateDoesNotExist:
        return SafeString("")
    known: dict[Any, Any] = context.flatten()
    return SafeString(found.render(known | {"title": title}))


@register.simple_tag
def title_css(title: Title | None) -> SafeString:
    """The link to a title's style sheet, if it has one."""
    if not title or not (title.path / "static" / title.slug / f"{title.slug}.css").exists():
        return SafeString("")
    return format_html('<link rel="stylesheet" href="{}">', static(f"{title.slug}/{title.slug}.css"))


@register.simple_tag
def lobby_conditions(match: Any) -> list[str]:
    """Whom the lobby offers a match to, in words; nothing for what is no match."""
    return wanted.asked(match) if isinstance(match, Match) else []


@register.simple_tag(takes_context=True)
def plan_url(context: Context, step: str = "", pick: str = "", undo: bool = False) -> str:
    """The address of this page with another half-made plan: one step more or less, or a piece picked up.

    It says on which version the plan was made. Without an argument the plan
    stays and nothing is picked up.
    """
    steps = list(context.get("plan") or ())
    steps = steps[:-1] if undo else [*steps, step] if step else steps
    query = f"?v={context.get('version') or ''}"
    for name, text in (("plan", ";".join(steps)), ("pick", pick)):
        if text:
            query += f"&{name}={quote(text, safe=':;>')}"
    return f"{query}#own"


def _absolute(moment: datetime) -> str:
    local = timezone.localtime(moment)
    # Translators: a time and the abbreviation of its zone: "Fri 4 Dec 16:30 CET".
    return gettext("%(date)s %(zone)s") % {"date": date_format(local, "D j M H:i"), "zone": abbreviation(local)}


@register.simple_tag
def due_text(deadline: datetime, now: datetime) -> str:
    """A deadline as absolute time in the reader's zone, with the time left beside it, as plain text."""
    return f"{_absolute(deadline)} ({time_left(deadline - now)})"


@register.simple_tag
def due(deadline: Any, now: Any = None) -> SafeString:
    """A deadline as absolute time in the reader's zone, with the time left beside it.

    The page's script takes the browser's zone where the reader has set none.
    Nothing for what is no time, as a template's missing values are.
    """
    if not isinstance(deadline, datetime):
        return SafeString("")
    shown = _absolute(deadline)
    stamp = f"{deadline.astimezone(UTC):%FT%TZ}"
    clock = format_html('<time class="zoned" datetime="{}">{}</time>', stamp, shown)
    if not isinstance(now, datetime):
        return clock
    left = deadline - now
    mark = "due late" if left < timedelta(hours=24) else "due"
    return format_html('<span class="{}">{}, <span class="kept">{}</span></span>', mark, clock, time_left(left))


@register.simple_tag
def until(match: Any, now: Any) -> SafeString:
    """The deadline of a match as ``due`` tells it; nothing without a clock, until it comes near.

    Nothing for what is no match, as a template's missing values are.
    """
    if not isinstance(match, Match) or not isinstance(now, datetime):
        return SafeString("")
    return due(match.told_deadline(now), now)


def time_left(left: timedelta) -> str:
    """A span of time in its two largest units: "in 2 d 4 h"."""
    minutes = int(left.total_seconds() // 60)
    if minutes < 0:
        return gettext("time is up")
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return gettext("in %(days)d d %(hours)d h") % {"days": days, "hours": hours}
    if hours:
        return gettext("in %(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    return gettext("in %(minutes)d min") % {"minutes": minutes}


@register.simple_tag
def when(moment: Any, now: Any = None) -> SafeString:
    """A past time in the reader's zone, short: the clock of today, the weekday within a week, else the date."""
    if not isinstance(moment, datetime):
        return SafeString("")
    local = timezone.localtime(moment)
    clock = f"{local:%H:%M}"
    if not isinstance(now, datetime) or now - moment > timedelta(days=6):
        shown = date_format(local, "j M Y")
    elif timezone.localtime(now).date() == local.date():
        shown = clock
    else:
        shown = f"{date_format(local, 'D')} {clock}"
    stamp, whole = f"{moment.astimezone(UTC):%FT%TZ}", f"{local:%F %H:%M} {abbreviation(local)}"
    return format_html('<time class="past" datetime="{}" title="{}">{}</time>', stamp, whole, shown)


@register.simple_tag
def change_of(before: int, after: int) -> str:
    """By how much a number has changed, with its sign."""
    change = after - before
    return f"+{change}" if change > 0 else f"\N{MINUS SIGN}{-change}" if change else "0"
