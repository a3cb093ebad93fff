"""What all people at a table agree on beside the rules: a pause, or calling the match off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from games import live, states
from games.models import Consent, Match, Move, Seat
from games.now import now
from games.services import notices, rows
from games.services.errors import NotRunning, Paused, Refused, StaleMatch


class NoProposal(Refused):
    """What was to be agreed to is not proposed any more: withdrawn, declined, done, or somebody has left."""

    code = "no_proposal"
    sentence = _("This proposal does not stand any more.")


def people(seats: list[Seat]) -> list[int]:
    """The seats that must agree: people who have not left."""
    return [seat.number for seat in seats if seat.has_player]


def propose(match_id: int, seat: int, kind: Consent.Kind, *, version: int) -> Move | None:
    """The seat wants it; the row, if nobody else has to agree any more. Wanted twice it is wanted once.

    Raises NotRunning, StaleMatch, or Paused for a pause of a paused match; then nothing is written.
    """
    with _locked(match_id) as (match, seats):
        if match.version != version:
            raise StaleMatch
        return _want(match, seats, seat, kind)


def agree(match_id: int, seat: int, kind: Consent.Kind, *, proposal: int) -> Move | None:
    """The seat agrees to what it saw proposed (``proposal``: its oldest consent); the row, once all have agreed.

    Raises NotRunning or NoProposal; then nothing is written.
    """
    with _locked(match_id) as (match, seats):
        _standing(match, kind, proposal)
        return _want(match, seats, seat, kind)


def decline(match_id: int, seat: int, kind: Consent.Kind, *, proposal: int) -> None:
    """The seat does not want what it saw proposed: it is off the table. Raises NotRunning or NoProposal."""
    with _locked(match_id) as (match, seats):
        _taking_part(seats, seat)
        _standing(match, kind, proposal)
        match.consents.filter(kind=kind).delete()
        changed(match, seats)


def withdraw(match_id: int, seat: int, kind: Consent.Kind) -> None:
    """The seat does not want it any more; harmless if it never did. Raises NotRunning."""
    with _locked(match_id) as (match, seats):
        if match.consents.filter(kind=kind, seat=seat).delete()[0]:
            changed(match, seats)


@contextmanager
def _locked(match_id: int) -> Iterator[tuple[Match, list[Seat]]]:
    """The running match and its seats in a transaction, locked: of two who agree at once the second counts the first.

    Raises NotRunning.
    """
    with rows.sound(Match.objects.get(pk=match_id)), transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.status != Match.Status.PLAYING:
            raise NotRunning
        yield match, list(match.seats.select_related("user"))


def _taking_part(seats: list[Seat], seat: int) -> None:
    if seat not in people(seats):
        raise NotRunning  # left meanwhile


def _standing(match: Match, kind: Consent.Kind, proposal: int) -> None:
    """Raises NoProposal unless the consent that was seen is still the oldest."""
    if match.consents.filter(kind=kind).order_by("pk").values_list("pk", flat=True).first() != proposal:
        raise NoProposal


def _want(match: Match, seats: list[Seat], seat: int, kind: Consent.Kind) -> Move | None:
    """Notes that the seat agrees, and does what all want."""
    _taking_part(seats, seat)
    if kind == Consent.Kind.PAUSE and match.paused_at is not None:
        raise Paused
    own, new = Consent.objects.get_or_create(match=match, kind=kind, seat=seat, defaults={"at": now()})
    agreed = set(match.consents.filter(kind=kind).values_list("seat", flat=True))
    if agreed >= set(people(seats)):
        return DONE[kind](match, seats, seat)
    if new:
        changed(match, seats)
        if agreed == {seat}:
            others = [other for other in seats if other.has_player and other.number != seat]
            notices.store(notices.proposed(match, own, others), announced=True)
    return None


def _pause(match: Match, seats: list[Seat], seat: int) -> Move:
    """From now on no time runs."""
    news = [{"what": "paused", "agreed": people(seats)}]
    state = states.load(match, seats)
    return rows.append(match, seats, Move.Kind.PAUSE, seat=seat, by=Move.By.USER, state=state, news=news)


def _cancel(match: Match, seats: list[Seat], seat: int) -> Move:
    """The match ends without a result, as one that is called off early."""
    news = [{"what": "cancelled", "seat": seat, "agreed": people(seats)}]
    state = states.load(match, seats)
    return rows.append(
        match, seats, Move.Kind.CANCEL, seat=seat, by=Move.By.USER, state=state, news=news, ends="agreed"
    )


DONE: dict[str, Callable[[Match, list[Seat], int], Move]] = {
    Consent.Kind.PAUSE: _pause,
    Consent.Kind.CANCEL: _cancel,
}
"""What happens once all have agreed."""


def changed(match: Match, seats: list[Seat]) -> None:
    """Notes inside the transaction that something beside the log is new; the pages of the people look again after it.

    Raises StaleMatch if the match has moved on meanwhile.
    """
    if not Match.objects.filter(pk=match.pk, version=match.version).update(gathered=F("gathered") + 1):
        raise StaleMatch
    users = [seat.user_id for seat in seats if not seat.plays_itself]
    transaction.on_commit(partial(live.announce, match.pk, users), robust=True)
