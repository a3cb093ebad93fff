"""Matches as records: taken out for verification, put in as demo data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games import records, registry, verify
from games.clock import VACANT, Allowance
from games.models import Match, Move, Seat
from games.now import now
from games.rest import Rest
from games.services.leaving import BOT_LEVEL
from games.services.lobby import usual_policy


class NotTrue(ValueError):
    """A record whose log is not what the rules make of it."""

    def __init__(self, differences: list[verify.Difference]) -> None:
        super().__init__(", ".join(f"row {found.version}: {found.what}" for found in differences))
        self.differences = differences


def dump(match: Match) -> dict[str, Any]:
    """The whole match with its secrets, as ``verify.check`` reads it."""
    return records.whole(match, match.seats.select_related("user"))


def differences(match: Match) -> list[verify.Difference]:
    """Where the stored match is not what the rules make of its seed and texts; empty when all is true."""
    try:
        rules = match.rules
    except KeyError:
        return [verify.Difference(0, "rules")]
    record = dump(match)
    return verify.check(record, rules) or _columns(match, record)


def _columns(match: Match, record: Mapping[str, Any]) -> list[verify.Difference]:
    """Where the columns refreshed with every row do not follow from the log, which is known to be true."""
    last = record["rows"][-1]
    if (match.version, match.digest) != (last["number"], last["digest"]):
        return [verify.Difference(match.version, "head")]
    if match.status == Match.Status.QUARANTINED:
        return []
    state = verify.last_state(record, match.rules)
    outcome = match.rules.outcome(state)
    status, reason = Match.Status.PLAYING, ""
    if last["kind"] == Move.Kind.CANCEL:
        status, reason = Match.Status.CANCELLED, "agreed" if "agreed" in last["news"][-1] else "cancelled"
    elif outcome is not None:
        status, reason = Match.Status.FINISHED, outcome.reason
    elif last["kind"] in verify.LEAVING and last["news"][-1]["then"] == "end":
        status, reason = Match.Status.FINISHED, last["kind"]
    active = match.rules.active_seat(state) if status == Match.Status.PLAYING else None
    paused = status == Match.Status.PLAYING and verify.paused_at(record["rows"]) is not None
    wrong = {
        "status": match.status != status,
        "end reason": match.end_reason != reason,
        "active seat": match.active_seat != active,
        "pause": paused != (match.paused_at is not None) or (paused and match.deadline is not None),
        "seats left": _left(match) != _left_by_log(record, status),
    }
    return [verify.Difference(match.version, what) for what, differs in wrong.items() if differs]


Left = dict[int, tuple[int, str, bool, bool]]
"""By seat: the row by which it was left, how, whether a bot plays on, whether it waits for a substitute."""


def _left(match: Match) -> Left:
    """The seats that were left, as they are stored."""
    seats = match.seats.exclude(left_version=None)
    return {
        seat.number: (seat.left_version or 0, seat.left_how, seat.plays_itself, seat.vacant_until is not None)
        for seat in seats
    }


def _left_by_log(record: Mapping[str, Any], status: str) -> Left:
    """The seats that were left, as the log tells it; nobody waits for a substitute once the match is over."""
    playing = status == Match.Status.PLAYING
    return {
        seat: (number, how, then == "bot", then == "vacant" and playing)
        for seat, (number, how, then) in verify.left(record["rows"]).items()
    }


def load(record: Mapping[str, Any], *, ago: timedelta, days: int | None = None) -> Match:
    """Stores a public demo match whose last row was ``ago`` before now; users are made as they are named.

    A name that begins with "bot-" is a bot, the others are users who can
    never log in. Raises NotTrue for a record that does not replay, and then
    nothing is written.
    """
    game = registry.title(record["game"]).rules(record["rules_version"])
    if found := verify.check(record, game):
        raise NotTrue(found)
    state = verify.last_state(record, game)
    moment = now() - ago
    start = moment - timedelta(seconds=record["rows"][-1]["at"])
    outcome = record["outcome"]
    active = None if outcome else game.active_seat(state)
    gone = _left_by_log(record, Match.Status.FINISHED if outcome else Match.Status.PLAYING)
    paused = None if outcome else verify.paused_at(record["rows"])
    with transaction.atomic():
        users = [_user(seat["name"]) for seat in record["seats"]]
        clock = Allowance.from_json({"days": days})
        bot_moves = active is not None and (users[active].is_house_bot or _is_left_to_bot(gone, active))
        waits = outcome is None and not bot_moves and active not in gone
        match = Match.objects.create(
            **columns(record, active),
            slug=record["id"],
            leave_policy=_policy(record),
            allowance=clock.to_json(),
            status=Match.Status.FINISHED if outcome else Match.Status.PLAYING,
            active_bot=bot_moves,
            decision_at=None if outcome else moment,
            deadline=clock.deadline(moment, None, Rest()) if waits and paused is None else None,
            paused_at=None if paused is None else start + timedelta(seconds=paused),
            end_reason=outcome["reason"] if outcome else "",
            created_by=next((user for user in users if not user.is_bot), None),
            created_at=start,
            started_at=start,
            moved_at=moment,
            finished_at=moment if outcome else None,
        )
        store_rows(match, record, users, start)
    return match


def columns(record: Mapping[str, Any], active: int | None) -> dict[str, Any]:
    """The columns of a match that are a record's own, or follow from its last row, after which ``active`` is asked."""
    number = len(record["rows"])
    return {
        "game": record["game"],
        "rules_version": record["rules_version"],
        "options": record["options"],
        "seat_count": len(record["seats"]),
        "seed": bytes.fromhex(record["seed"]),
        "commitment": record["commitment"],
        "version": number,
        "since_version": number,
        "active_seat": active,
        "digest": record["rows"][-1]["digest"],
    }


def _is_left_to_bot(gone: Left, seat: int) -> bool:
    return seat in gone and gone[seat][2]


def _policy(record: Mapping[str, Any]) -> str:
    """What the match does when somebody leaves, as far as its log shows it; else what is usual."""
    then = {row["news"][-1]["then"] for row in record["rows"] if row["kind"] in verify.LEAVING}
    if "vacant" in then:
        return Match.LeavePolicy.SUBSTITUTE
    return Match.LeavePolicy.BOT if "bot" in then else usual_policy(len(record["seats"]))


def _user(name: str) -> User:
    if name.startswith("bot-"):
        return User.objects.bot(name.removeprefix("bot-"))
    user, _new = User.objects.get_or_create(username=name, defaults={"password": "!", "kind": User.Kind.PERSON})
    return user


def store_rows(match: Match, record: Mapping[str, Any], users: list[User], start: datetime) -> None:
    """The seats, with these users, and the rows of a match that was just stored from a record, begun at ``start``."""
    outcome = record["outcome"]
    gone = _left_by_log(record, match.status)
    stays = (None, "", False, False)
    left = [gone.get(number, stays) for number in range(len(users))]
    Seat.objects.bulk_create(
        Seat(
            match=match,
            number=number,
            joined=seat["joined"],
            user=users[number],
            bot_level=BOT_LEVEL if users[number].is_house_bot or left[number][2] else "",
            left_version=left[number][0],
            left_how=left[number][1],
            vacant_until=now() + VACANT if left[number][3] else None,
            entropy=bytes.fromhex(seat["entropy"]),
            place=outcome["places"][number] if outcome else None,
            finished_at=match.finished_at,
        )
        for number, seat in enumerate(record["seats"])
    )
    by = [Move.By.BOT if user.is_house_bot else Move.By.USER for user in users]
    Move.objects.bulk_create(
        Move(
            match=match,
            number=row["number"],
            kind=row["kind"],
            seat=row["seat"],
            by=Move.By.SERVER if row["seat"] is None else by[row["seat"]],
            text=row["text"],
            news=row["news"],
            digest=row["digest"],
            at=start + timedelta(seconds=row["at"]),
        )
        for row in record["rows"]
    )
