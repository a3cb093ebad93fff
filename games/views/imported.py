"""Records that somebody brings: the form for them, playing one back, and playing on from it with bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import notes
from accounts.models import User
from games import access, engine, registry, rendering, telling, verify
from games.models import Match, Move, Record
from games.services import importing, limits
from games.services.errors import BadRequest
from games.services.importing import CannotGoOn, NotARecord, TooManyRecords
from games.services.seating import NeedsAccount
from games.verify.reading import MOST_BYTES
from games.views import records
from games.views.seats import SeatView
from games.views.table_page import LOG_ROWS, number, replay_links

ACCOUNT = _("Only who has an account can keep records here.")


def _owner(request: HttpRequest) -> User | None:
    """The visitor, if they may keep records: guests may be forgotten, and their records with them."""
    user = request.user
    return user if user.is_authenticated and user.has_profile else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """The form for a record, and those the visitor has brought; a true one is kept and shown."""
    owner, sentence, status = _owner(request), "", 200
    if request.method == "POST":
        if owner is None:
            raise NeedsAccount(ACCOUNT)
        limits.spend("import", owner.pk)
        try:
            return redirect(importing.keep(owner, _file(request)))
        except NotARecord as refused:
            sentence, status = rendering.to_text(refused.why), refused.status
        except TooManyRecords as refused:
            sentence, status = str(refused.sentence), refused.status
    titles = registry.all_titles()
    kept = Record.objects.filter(owner=owner, game__in=list(titles)) if owner else Record.objects.none()
    context = {
        "account": owner is not None,
        "records": [(record, titles[record.game]) for record in kept.defer("text").order_by("-pk")],  # texts are long
        "titles": list(titles.values()),
        "refused_sentence": sentence,
        "most": MOST_BYTES // 1024,
    }
    return render(request, "games/import.html", context, status=status)


def _file(request: HttpRequest) -> bytes:
    """What the form brings; no more of it is read than a record may have. Raises BadRequest if it brings nothing."""
    file = request.FILES.get("record")
    if file is None:
        raise BadRequest(_("No file was chosen."))
    text: bytes = file.read(MOST_BYTES + 1)
    return text


@never_cache
@require_safe
def imported(request: HttpRequest, slug: str, version: int | None = None) -> HttpResponse:
    """A record as it ended, or after one of its rows, to who has the address. Raises Http404."""
    return _page(request, access.record_for(slug), version)


def _page(
    request: HttpRequest, record: Record, version: int | None, sentence: Any = None, status: int = 200
) -> HttpResponse:
    if version is not None and not 1 <= version <= record.rows:
        raise Http404
    context = _context(request, record, version) | {"refused_sentence": sentence}
    return render(request, "games/imported.html", context, status=status)


def _context(request: HttpRequest, record: Record, version: int | None) -> dict[str, Any]:
    """The context of a record after a row. Raises Http404 if its rules are not here any more."""
    value, title = record.value, registry.title(record.game)
    try:
        game = title.rules(value["rules_version"])
    except KeyError:
        raise Http404 from None
    shown = record.rows if version is None else version
    part = value | {"rows": value["rows"][:shown]}
    state = verify.last_state(part, game)
    observation = game.observe(state, "open")
    names = [told_name(seat["name"]) for seat in value["seats"]]
    moves = [_move(record, row) for row in part["rows"][: -LOG_ROWS - 1 : -1]]
    outcome = value["outcome"] if shown == record.rows else None
    table = title.table(
        game, observation, [], me=None, picked="", my_turn=False, asking=False, over=outcome is not None,
        recent=[news for move in reversed(moves) for news in engine.seen(move.news, "open")], order="",
    )  # fmt: skip
    owner = request.user.is_authenticated and record.owner_id == request.user.pk
    going = outcome is None and game.outcome(state) is None
    return {
        "record": record,
        "title": title,
        "table": table,
        "table_template": title.table_template,
        "observation": observation,
        "seats": _seats(names, outcome),
        "log": telling.rows(title, moves, "open", None),
        "replay": replay_links("imported", "imported_at", record.slug, version, record.rows),
        "result": _result(value, title, observation, names) if outcome else None,
        "ask": title.words.ask(observation, []) if going else None,
        "owner": owner,
        "can_go_on": owner and going,
        "active": game.active_seat(state),
        "shown": shown,
        "options": telling.values_of(game, value["options"]),
        "commitment": value["commitment"],
    }


def told_name(name: str) -> str:
    """The name in a record as pages show it; it may belong to somebody here, or to nobody."""
    kind, _dash, rest = name.partition("-")
    if kind == "bot" and rest:
        return gettext("Bot %(name)s") % {"name": rest.capitalize()}
    if kind == "guest" and rest:
        return gettext("Guest %(mark)s") % {"mark": rest}
    return name


def _move(record: Record, row: dict[str, Any]) -> Move:
    """A row of the record, to be told like one of a match."""
    return Move(
        number=row["number"],
        kind=row["kind"],
        seat=row["seat"],
        by=Move.By.USER,
        news=row["news"],
        at=record.at + timedelta(seconds=row["at"]),
    )


def _seats(names: list[str], outcome: dict[str, Any] | None) -> list[SeatView]:
    places = outcome["places"] if outcome else [None] * len(names)
    return [SeatView(seat, name, False, False, "", "", places[seat], seat * 5 % 12) for seat, name in enumerate(names)]


def _result(value: dict[str, Any], title: Any, observation: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """What decided the match of the record, and the places, the first ones first."""
    match = Match(game=title.slug, end_reason=value["outcome"]["reason"])
    places = value["outcome"]["places"]
    left = (verify.leavers(value["rows"]) or [0])[-1]
    return {
        "sentence": telling.decided(match, observation, places, None, left),
        "places": sorted(zip(places, names, strict=True)),
    }


@require_safe
def imported_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The record as it was brought, as a file. Raises Http404."""
    record = access.record_for(slug)
    return records.sent(record.value, record.slug)


@require_POST
def throw_away(request: HttpRequest, slug: str) -> HttpResponse:
    """The owner keeps the record no longer. Raises Http404 for anybody else."""
    importing.throw_away(access.record_of(request.user, slug))
    notes.leave(request, _("The record is thrown away."))
    return redirect("import")


@require_POST
def play_on(request: HttpRequest, slug: str) -> HttpResponse:
    """A match of the owner against bots that goes on from a row of the record. Raises Http404, BadRequest, TooMany."""
    record = access.record_of(request.user, slug)
    version, seat = number(request.POST.get("version", "")), number(request.POST.get("seat", ""))
    limits.spend("match", record.owner_id)
    limits.spend("play_on", record.owner_id)  # thousands of rows at once, which no match of people writes
    try:
        return redirect(importing.play_on(record, version, seat))
    except CannotGoOn as refused:
        shown = version if 1 <= version <= record.rows else None
        return _page(request, record, shown, refused.sentence, refused.status)
