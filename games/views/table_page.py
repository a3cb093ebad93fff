"""What the page of a match shows, from what its viewer may know and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import engine, lists, people, states, telling
from games.access import Table
from games.models import Match, Move
from games.services import leaving
from games.services.errors import BadRequest
from games.views import rated, together
from games.views.seats import changes, seat_views
from games.views.wishes import offered

LOG_ROWS = 40
"""Rows of the log beside the table; the rest is on pages of its own."""

STOPPED = _("A fault of ours stopped this match. Its clock stands still, and we have been told.")

WARNINGS = ("bad", "warn")
"""Tones of a consequence that is asked about whatever the player prefers."""


@dataclass
class Plan:
    """What the visitor has in mind: steps chosen so far, a piece picked up, or an earlier version to look at."""

    steps: list[str] = field(default_factory=list)
    picked: str = ""
    stale: bool = False
    refused: engine.IllegalMove | None = None
    sentence: str | Promise = ""
    viewing: int | None = None


def check_version(match: Match, version: int) -> None:
    """Raises Http404 for a version the match does not have."""
    if not 1 <= version <= match.version:
        raise Http404


def number(text: str) -> int:
    """The number that a form or link of ours carries. Raises BadRequest for anything else."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadRequest
    return int(text)


def context(request: HttpRequest, table: Table, plan: Plan) -> dict[str, Any]:
    """The context of a running or finished match, or of an earlier version of it. Raises states.Unreplayable."""
    viewing = plan.viewing
    state = table.state(viewing)
    match, title, game, me = table.match, table.match.title, table.match.rules, table.me
    mine = table.mine is not None and table.mine.left_version is None and me is not None
    full = mine and not table.by_link
    ended = match.over and viewing in (None, match.version)
    plays = mine and viewing is None and match.status == Match.Status.PLAYING
    my_turn = plays and match.active_seat == me and match.paused_at is None
    try:
        before = game.observe(state, table.viewer)
        open_steps = list(game.legal_moves(state)) if my_turn else []
    except Exception as fault:  # of the rules, on what is stored: the plan in the address has no part in it
        raise states.Unreplayable(f"{match}: {fault!r}") from fault
    steps, refused, planned = _planned(game, state, plan, my_turn)
    observation = game.observe(planned, table.viewer)
    undecided = my_turn and game.active_seat(planned) == me
    legal = list(game.legal_moves(planned)) if undecided else []
    moves = _moves(match, viewing)
    shown = title.table(
        game,
        observation,
        legal,
        me=me if mine or match.over else None,  # who left looks at the seat as everybody does
        picked=plan.picked,
        my_turn=my_turn,
        asking=undecided,
        over=match.over and viewing in (None, match.version),
        recent=[value for move in reversed(moves) for value in engine.seen(move.news, table.viewer)],
        order=table.mine.user.order if table.mine else "",
    )
    confirm = steps if steps and not undecided else [*steps, shown["end"]] if shown.get("end") in legal else []
    former = lists.former(match)
    log = telling.rows(title, moves, table.viewer, me, former)
    playing = match.status == Match.Status.PLAYING and viewing is None
    seats_left = changes(table, request.user, former) if playing else {}
    return {
        "match": match,
        "title": title,
        "seats": seat_views(table, former, viewing),
        "me": me,
        "observation": observation,
        "table": shown,
        "table_template": title.table_template,
        "plan": steps,
        "plan_sentences": [title.words.step(step, before) for step in steps],
        "refusal": title.words.refusal(refused.reason, refused.facts, observation) if refused else None,
        "refused_sentence": plan.sentence,
        "ask": title.words.ask(before, open_steps),
        "my_turn": my_turn,
        "can_confirm": bool(confirm),
        "why_not": _why_not(steps, plan.picked) if my_turn and not confirm and not _owed(shown) else "",
        "revealing": bool(steps) and not undecided and _owes(game, planned),
        "confirm_steps": engine.join(confirm),
        "at_once": bool(confirm) and steps == plan.steps and len(legal) < 2 and _at_once(table, plan, shown),
        "picked": plan.picked,
        "key": uuid4(),
        "version": match.version,
        "clock": match.clock.sentence(),
        "if_left": telling.if_left(match),
        **seats_left,
        "banks": [(seat.user.name, telling.span_of(seat.bank)) for seat in table.seats if seat.bank is not None],
        "next": _next(table, match) if viewing is None else None,
        "by_link": table.mine.user.name if table.by_link and table.mine else "",
        "log": log,
        "log_more_url": reverse("log", args=[match.slug]) if moves and moves[-1].number > 1 else "",
        **_since(match, log, me, strip=mine and viewing is None and not match.over),
        "waiting_for_bot": playing and match.active_bot and match.paused_at is None and not seats_left["held_until"],
        "paused_until": match.paused_until if viewing is None else None,
        "together": together.context(table) if full and plays else None,
        "outcome": _outcome(table, before) if ended else None,
        "rating": rated.context(table, request.user) if ended else None,
        "viewing": viewing,
        "profiles": _profiles(request, table) if match.over else [],
        "replay": replay_links("match", "replay", match.slug, viewing, match.version),
        "can_call_off": full and viewing is None and leaving.is_early(match, moves),
        "can_resign": full and plays,
        "wishes": offered(table) if full and plays else None,
        "can_repeat": table.full is not None and match.over,
        "with_people": any(not (seat.user.is_bot or seat is table.mine) for seat in table.seats),
        "rematch": lists.rematches(match, table.full.user).first() if table.full and match.over else None,
        "stale": plan.stale,
        "kept_plan": plan.stale and bool(steps),
    }


def _next(table: Table, match: Match) -> dict[str, Any] | None:
    """The other match that waits for the visitor most urgently."""
    if table.full is None:
        return None
    seats = lists.next_turn(table.full.user, match)
    if not seats:
        return None
    others = [seat.user.name for seat in seats if seat.user_id != table.full.user_id]
    return {"match": seats[0].match, "title": seats[0].match.title, "names": others}


def _at_once(table: Table, plan: Plan, shown: dict[str, Any]) -> bool:
    """Whether a complete turn may be sent unasked: its player wants it so, and neither is it old nor a warning."""
    wanted = table.mine is not None and not table.mine.user.confirm
    chosen = bool(plan.steps) and not (plan.picked or plan.stale or plan.refused)
    return wanted and chosen and shown.get("tone") not in WARNINGS


def _why_not(steps: list[str], picked: str) -> str | Promise:
    """Why the button that confirms a turn is dead."""
    if steps:
        return _("Your turn needs more: choose on, or undo.")
    return _("Choose where it goes first.") if picked else _("Your turn: nothing is chosen yet.")


def _owed(shown: dict[str, Any]) -> bool:
    """Whether the table itself says in words what is to be chosen next."""
    return bool(shown.get("consequence")) and shown.get("tone") in ("plain", "good")


def _owes(game: engine.Game[Any], planned: Any) -> bool:
    """Whether the server acts next, behind which nothing can be planned."""
    return game.active_seat(planned) is None and game.outcome(planned) is None


def _planned(
    game: engine.Game[Any], state: Any, plan: Plan, my_turn: bool
) -> tuple[list[str], engine.IllegalMove | None, Any]:
    """The steps that stand, why the next one was refused, and the state after those that stand."""
    refused = plan.refused
    if not my_turn:
        return [], refused, state
    steps: list[str] = []
    planned = state
    for step in plan.steps[: engine.MAX_STEPS]:
        try:
            planned, _news = engine.plan(game, state, [*steps, step])
        except engine.IllegalMove as why:
            # An old plan simply no longer fits; only what was chosen on this version is worth a reason.
            return steps, refused or (None if plan.stale else why), planned
        steps.append(step)
    return steps, refused, planned


def _moves(match: Match, viewing: int | None) -> list[Move]:
    """The newest rows up to the version shown, the newest first."""
    moves = Move.objects.filter(match=match).order_by("-number")
    if viewing is not None:
        moves = moves.filter(number__lte=viewing)
    return list(moves.only("number", "at", "kind", "seat", "by", "news")[:LOG_ROWS])


def _since(match: Match, log: list[telling.Row], me: int | None, *, strip: bool) -> dict[str, Any]:
    """The strip of what happened since the viewer's last move, if the page has one."""
    since = _since_my_move(log, me) if strip else []
    return {
        "strip": strip,
        "since": since,
        "since_wished": any(row.automatic for row in since),
        "play_back": reverse("replay", args=[match.slug, max(1, since[0].number - 1)]) if since else "",
        "since_start": not any(_made_by(row, me) for row in log),
        "since_other": not any(_made_by(row, me) and row.mine for row in log),
    }


def _since_my_move(log: list[telling.Row], me: int | None) -> list[telling.Row]:
    """What happened after the last move that was made by hand in the viewer's seat, in the order of happening.

    What was played for them in the meantime belongs to it: they come back to read just that.
    """
    since: list[telling.Row] = []
    for row in log:
        if _made_by(row, me):
            break
        since.append(row)
    return since[::-1]


def _made_by(row: telling.Row, me: int | None) -> bool:
    """Whether the row is a move made by hand in seat ``me``."""
    return row.kind == Move.Kind.PLAY and row.seat == me and not row.automatic


def _outcome(table: Table, observation: dict[str, Any]) -> dict[str, Any]:
    places = [seat.place or 0 for seat in table.seats]
    left = max(table.seats, key=lambda seat: seat.left_version or 0).number
    return {
        "places": sorted(seat_views(table), key=lambda seat: (seat.place or 0, seat.number)),
        "sentence": telling.decided(table.match, observation, places, table.me, left),
        "won": table.mine is not None and table.mine.place == 1,
    }


def _profiles(request: HttpRequest, table: Table) -> list[str]:
    """The address of each seat's player, as far as the visitor may see their profile; else ""."""
    users = [seat.user for seat in table.seats]
    return [reverse("profile", args=[user.username]) if people.sees(request.user, user) else "" for user in users]


def replay_links(whole: str, one: str, slug: str, viewing: int | None, head: int) -> dict[str, Any]:
    """Where a replay can go from here; ``version`` is the one shown, ``head`` the newest.

    ``whole`` and ``one`` are the names of the addresses of the newest version and of any.
    """
    shown = head if viewing is None else viewing

    def url(number: int) -> str:
        return reverse(one, args=[slug, number])

    return {
        "first": url(1) if shown > 1 else "",
        "previous": url(shown - 1) if shown > 1 else "",
        "next": url(shown + 1) if viewing is not None and shown < head else "",
        "last": reverse(whole, args=[slug]) if viewing is not None else "",
        "start": url(1),
        "version": shown,
        "head": head,
    }


def stopped_context(table: Table) -> dict[str, Any]:
    """The context of a match that a fault stopped."""
    return {"sentence": STOPPED, "title": table.match.title}


def log_context(table: Table, before: str) -> dict[str, Any]:
    """A page of the whole log, up to row ``before``. Raises BadRequest for a page no link leads to."""
    match = table.match
    moves = Move.objects.filter(match=match).order_by("-number")
    if before:
        moves = moves.filter(number__lt=number(before))
    found = list(moves.only("number", "at", "kind", "seat", "by", "news")[: LOG_ROWS + 1])
    older = reverse("log", args=[match.slug]) + f"?before={found[LOG_ROWS - 1].number}" if len(found) > LOG_ROWS else ""
    return {
        "match": match,
        "title": match.title,
        "seats": seat_views(table),
        "me": table.me,
        "log": telling.rows(match.title, found[:LOG_ROWS], table.viewer, table.me, lists.former(match)),
        "older_url": older,
    }
