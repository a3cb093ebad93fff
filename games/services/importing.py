"""Records that somebody brings: checked as a whole, kept to be looked at, and played on with bots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games import clock, registry, verify
from games.models import Match, Record, new_slug
from games.now import now
from games.rest import Rest
from games.services import records
from games.services.errors import Refused
from games.services.lobby import BOTS, usual_policy
from games.verify import reading
from games.verify.words import plain, reason
from games.wording import Sentence, mark

MOST_KEPT = 50
"""Records that one user may keep."""


class NotARecord(Refused):
    """The file is no record, or not a true one; ``why`` says what is wrong, to be rendered by who shows it."""

    code = "not_a_record"
    status = 422

    def __init__(self, why: Sentence) -> None:
        super().__init__(plain(why))
        self.why = why


class TooManyRecords(Refused):
    """The user keeps as many records as they may."""

    code = "too_many_records"


class CannotGoOn(Refused):
    """A match cannot go on from that row of a record, or not with that seat."""

    code = "cannot_go_on"
    status = 422


OVER = _("The match was over at this move: choose an earlier one.")
PAUSED = _("The match was paused at this move: choose another one.")
VACANT = _("A seat waited for somebody at this move: choose another one.")
GONE = _("Who sat there had left the match by then: choose another seat.")


def read(text: bytes) -> dict[str, Any]:
    """The record in a file, once it is found true. Raises NotARecord, with the reason, for anything else."""
    try:
        record = reading.read(text)
    except reading.Unreadable as wrong:
        raise NotARecord(wrong.why) from wrong
    try:
        game = registry.title(record["game"]).rules(record["rules_version"])
    except KeyError:
        text_ = mark("This site does not have these rules: {game}, version {version}.")
        missing = Sentence(text_, game=record["game"], version=record["rules_version"])
        raise NotARecord(missing) from None
    if found := verify.check_file(record, game):
        raise NotARecord(reason(found[0]))
    return record


def keep(owner: User, text: bytes) -> Record:
    """The record in a file, kept for its owner; the same one that was brought before is found again.

    Raises NotARecord and TooManyRecords; then nothing is written.
    """
    record = read(text)
    kept = verify.canonical(record).decode()
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=owner.pk).values_list("pk"))
        own = Record.objects.filter(owner=owner)
        if same := own.filter(text=kept).first():
            return same
        if own.count() >= MOST_KEPT:
            text_ = gettext("You keep %(number)d records, which is the most. Throw one away first.")
            raise TooManyRecords(text_ % {"number": MOST_KEPT})
        return Record.objects.create(
            slug=new_slug(), owner=owner, game=record["game"], rows=len(record["rows"]), text=kept, at=now()
        )


def differences(record: Record) -> list[verify.Difference]:
    """Where a kept record is not what the rules make of it (any more); empty when all is true."""
    try:
        read(record.text.encode())
    except NotARecord as wrong:
        return [verify.Difference(0, plain(wrong.why))]
    return []


def throw_away(record: Record) -> None:
    """The record is kept no longer; matches that went on from it stay."""
    Record.objects.filter(pk=record.pk).delete()


def play_on(record: Record, version: int, seat: int) -> Match:
    """A new match of the record's owner on ``seat`` against bots, which goes on from row ``version``.

    Its log begins with the record's own rows, under the record's seed, so that the chain of digests holds and the
    whole can be verified. Who has the record knows what is drawn next: the match is therefore against bots alone,
    unrated, and in no list, history or statistic. Raises CannotGoOn; then nothing is written.
    """
    value = record.value
    try:
        rules = registry.title(record.game).rules(value["rules_version"])
    except KeyError:
        raise CannotGoOn(_("This site does not have the rules of this record any more.")) from None
    if not (1 <= version <= len(value["rows"]) and 0 <= seat < len(value["seats"])):
        raise CannotGoOn
    part = value | {"rows": value["rows"][:version], "outcome": None}
    state = verify.last_state(part, rules)
    gone = verify.left(part["rows"])
    if rules.outcome(state) is not None or verify.ends(part["rows"][-1]):
        raise CannotGoOn(OVER)
    if verify.paused_at(part["rows"]) is not None:
        raise CannotGoOn(PAUSED)
    if any(then == "vacant" for _row, _how, then in gone.values()):
        raise CannotGoOn(VACANT)
    if seat in gone:
        raise CannotGoOn(GONE)
    with transaction.atomic():
        bots = iter(BOTS)
        users = [
            record.owner if number == seat else User.objects.bot(next(bots)) for number in range(len(part["seats"]))
        ]
        return _going_on(record.owner, part, users, rules.active_seat(state))


def _going_on(owner: User, part: Mapping[str, Any], users: list[User], active: int | None) -> Match:
    """The match whose log so far is the part of a record, with these users on its seats."""
    is_asked = active is not None and users[active] == owner
    moment = now()
    allowance = clock.Allowance.from_json({})
    last = part["rows"][-1]
    match = Match.objects.create(
        **records.columns(part, active),
        slug=new_slug(),
        origin=part["id"],
        origin_rows=last["number"],
        audience=Match.Audience.LINK,
        leave_policy=usual_policy(len(users)),
        allowance=allowance.to_json(),
        status=Match.Status.PLAYING,
        active_bot=not is_asked,
        decision_at=moment,
        deadline=allowance.deadline(moment, None, Rest()) if is_asked else None,
        created_by=owner,
        created_at=moment,
        started_at=moment,
        moved_at=moment,
    )
    records.store_rows(match, part, users, moment - timedelta(seconds=last["at"]))
    return match
