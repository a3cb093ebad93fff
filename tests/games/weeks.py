"""Weeks of play in simulated time: the people, their matches, and what happens when."""

from __future__ import annotations

import heapq
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

from django.db import transaction
from django.db.models import Min

from accounts.models import User
from games import tasks
from games.clock import BANKS, GRACE, LONGEST_PAUSE, TURN_DAYS
from games.delivery import mails, routing, truth
from games.models import Consent, Departure, Heartbeat, Match, Notice, Seat
from games.services import (
    capacity,
    consent,
    grants,
    holidays,
    nudges,
    pauses,
    returning,
    substitutes,
    turns,
    wishes,
)
from games.services.errors import Refused
from tests.conftest import seated, steps_for

START = datetime(2027, 3, 1, 9, 30, tzinfo=UTC)
MOST_OVERDUE = timedelta(seconds=60)
ZONES = ("Europe/Prague", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "")
GAMES = (("red", 2), ("red", 3), ("barvosauri", 2), ("power_cards", 2), ("red", 4))


class Weeks:
    """The people, their matches, and what happens when: a heap of moments at which something does."""

    def __init__(self, clock, person, chance: Random, days: int, matches: int) -> None:
        self.clock, self.chance, self.events, self.order = clock, chance, [], 0
        self.end = START + timedelta(days=days)
        self.people = [person(f"person{number}") for number in range(max(matches // 5, 6))]
        self.gone = {user.pk: START + timedelta(days=chance.uniform(3, 2 * days)) for user in self.people}
        self.spare = [person(f"spare{number}") for number in range(max(matches // 20, 3))]
        self.gone |= {user.pk: self.end for user in self.spare}
        self.numbers: dict[int, int] = {}
        self.frozen: dict[int, tuple] = {}
        self.seen: dict[int, int] = {}
        self.awaited: dict[int, datetime] = {}
        self.departed: set[int] = set()
        self.worst = timedelta()
        self.next: datetime | None = None
        self.counts: Counter[str] = Counter()
        self.visits = {user.pk: [START] for user in [*self.people, *self.spare]}
        self.digests: dict[int, datetime] = {}
        self.told: Counter[tuple[int, str]] = Counter()
        for user in self.people:
            self.at(START + timedelta(days=chance.uniform(0, 2)), "visit", user.pk)
            quiet = chance.choice([(None, None), (1320, 420), (90, 210)])
            User.objects.filter(pk=user.pk).update(
                email=f"{user.username}@example.org", quiet_from=quiet[0], quiet_to=quiet[1], seen_at=START
            )
            night = chance.choice([(None, None), (1320, 420), (0, 480), (150, 420)])
            free = "".join(sorted(chance.sample("0123456", chance.choice([0, 0, 1, 2]))))
            User.objects.filter(pk=user.pk).update(
                zone=chance.choice(ZONES), night_from=night[0], night_to=night[1], free_days=free,
                auto_holiday=chance.random() < 0.5,
            )  # fmt: skip
        for number in range(matches):
            self.at(START + timedelta(days=chance.uniform(0, days / 2)), "begin", number)
        for _each in range(max(matches // 5, 2)):
            self.at(START + timedelta(days=chance.uniform(1, days)), "holiday")
        for _each in range(matches):
            for what in ("pause", "grant", "nudge"):
                self.at(START + timedelta(days=chance.uniform(1, days)), what)
        self.at(START + timedelta(days=days * 0.4), "outage")
        self.at(START, "tick")

    def at(self, moment: datetime, what: str, *facts: int) -> None:
        self.order += 1
        heapq.heappush(self.events, (moment, self.order, what, facts))

    def begin(self, number: int) -> None:
        game, seats = GAMES[number % len(GAMES)]
        pace = self.chance.choice([{"days": days} for days in TURN_DAYS] + [{"days": None, "bank": b} for b in BANKS])
        if number % 10 == 9:
            pace = {"days": None}
        rests = self.chance.random() < 0.6
        bots = int(self.chance.random() < 0.2)
        people = self.chance.sample(self.people, seats - bots)
        try:
            with transaction.atomic():
                for user in people:
                    capacity.check(user)
        except Refused:
            self.counts["limited"] += 1
            self.at(self.clock() + timedelta(hours=7), "begin", number)
            return
        policy = ("substitute", "bot", "substitute", "")[number % 4]
        match = seated(*people, bots=bots, game=game, rests=rests, leave_policy=policy, **pace)
        for user in people:
            if self.chance.random() < 0.5:
                wishes.choose(match.pk, user, match.title.wishes)

    def holiday(self) -> None:
        first = self.clock().date() + timedelta(days=self.chance.randint(1, 3))
        try:
            user = self.chance.choice(self.people)
            taken = holidays.take(user, first, first + timedelta(days=self.chance.randint(0, 9)))
        except Refused:
            return
        self.counts["holidays"] += 1
        if self.chance.random() < 0.3:
            self.at(taken.starts + timedelta(hours=self.chance.uniform(1, 40)), "back", taken.pk)

    def back(self, pk: int) -> None:
        holidays.end(pk)

    def some(self, paused: bool = False) -> tuple[Match, list[int]] | None:
        """A running match with the people who play in it, or one that is paused."""
        running = list(Match.objects.filter(status="playing", paused_at__isnull=not paused).order_by("pk"))
        if not running:
            return None
        match = self.chance.choice(running)
        return match, consent.people(list(match.seats.all()))

    def pause(self) -> None:
        """All agree on a pause, which one of them may end; now and then on calling the match off."""
        if (found := self.some()) is None:
            return
        match, people = found
        kind = Consent.Kind.CANCEL if self.chance.random() < 0.05 else Consent.Kind.PAUSE
        for seat in people:
            consent.propose(match.pk, seat, kind, version=match.version)
        self.counts[kind] += 1
        if self.chance.random() < 0.7:
            self.at(self.clock() + timedelta(days=self.chance.uniform(0, 9)), "resume", match.pk)

    def resume(self, pk: int) -> None:
        match = Match.objects.get(pk=pk)
        people = consent.people(list(match.seats.all()))
        if match.status == "playing" and match.paused_at is not None and people:
            pauses.resume(pk, self.chance.choice(people), version=match.version)
            self.counts["resumed"] += 1

    def grant(self) -> None:
        """Somebody who may, and now and then somebody who may not, gives time to whoever is to move."""
        if (found := self.some()) is None:
            return
        match, people = found
        try:
            grants.give(match.pk, self.chance.choice(people), version=match.version)
            self.counts["grants"] += 1
        except Refused:
            self.counts["no grant"] += 1

    def nudge(self) -> None:
        """Somebody asks whoever is to move."""
        if (found := self.some()) is None:
            return
        match, people = found
        try:
            nudges.nudge(match.pk, match.seats.get(number=self.chance.choice(people)).user, version=match.version)
            self.counts["nudges"] += 1
        except Refused:
            self.counts["no nudge"] += 1

    def outage(self) -> None:
        self.clock.forward(hours=self.chance.uniform(1, 3))
        self.counts["outages"] += 1

    def sit_down(self, pk: int, number: int) -> None:
        """Somebody takes over a seat, if it is still free."""
        try:
            substitutes.take_over(pk, number, self.chance.choice(self.spare))
            self.counts["substitutes"] += 1
        except Refused as refused:
            self.counts[refused.code] += 1

    def come_back(self, pk: int, user: int) -> None:
        """Who left comes back, if nobody has played on."""
        try:
            returning.come_back(pk, User.objects.get(pk=user))
            self.counts["returns"] += 1
        except Refused as refused:
            self.counts[refused.code] += 1

    def leavers(self) -> None:
        """Who has left may think again, and others may take the seat."""
        for gone in Departure.objects.filter(match__status="playing").exclude(pk__in=self.departed).order_by("pk"):
            self.departed.add(gone.pk)
            if self.chance.random() < 0.4:
                moment = self.clock() + timedelta(hours=self.chance.choice([0.2, 0.9, 20]))
                self.at(moment, "come_back", gone.match_id, gone.user_id)
            if self.chance.random() < 0.9:
                self.at(
                    self.clock() + timedelta(days=self.chance.uniform(0, 3.5)), "sit_down", gone.match_id, gone.seat
                )

    def visit(self, user: int) -> None:
        """Somebody looks in, and will again; then nothing is written for a while, and mails begin anew."""
        self.here(user)
        if self.clock() < min(self.gone[user], self.end):
            self.at(self.clock() + timedelta(days=self.chance.expovariate(0.5)), "visit", user)

    def here(self, user: int) -> None:
        self.visits[user].append(self.clock())
        User.objects.filter(pk=user).update(seen_at=self.clock())

    def tick(self) -> None:
        """What waits in the outbox is looked at now and then, as long as something may come."""
        if Match.objects.filter(status__in=("open", "playing")).exists() or self.clock() < self.end:
            self.at(self.clock() + timedelta(minutes=110), "tick")

    def leave(self, row) -> None:
        """Takes what is sent, and compares it with how things stand at this moment."""
        digest = row.notice.kind == Notice.Kind.DIGEST
        user = row.notice.user_id
        told = mails.carried(row.notice) if digest else [row.notice]
        assert told, "a mail without anything in it"
        for one in told:
            self.told[user, one.key] += 1
            if one.kind in truth.ASKS:
                match = Match.objects.get(pk=one.match_id)
                assert (match.status, match.since_version) == ("playing", one.version), "the decision was made"
                assert self.mover(match) == user
        local = User.objects.get(pk=user)
        if digest:
            last = self.digests.get(user)
            assert last is None or any(last < visit for visit in self.visits[user]), "a second mail without a visit"
            self.digests[user] = self.clock()
            self.counts["digests"] += 1
        elif row.notice.kind == Notice.Kind.REMINDER:
            self.counts["reminders"] += 1
            urgent = row.notice.match.deadline
            assert routing.quiet_until(local, row.due_at) == row.due_at or urgent is not None

    def play(self, pk: int, since: int) -> None:
        match = Match.objects.get(pk=pk)
        if match.status != "playing" or match.since_version != since or match.active_bot:
            return
        if match.paused_at is not None:  # looks again when it may go on
            self.at(self.clock() + timedelta(days=1), "play", pk, since)
            return
        if self.clock() >= min(self.gone[self.mover(match)], self.end):
            return
        self.here(self.mover(match))
        try:
            turns.play(
                pk,
                match.active_seat,
                steps_for(match, self.numbers.setdefault(pk, len(self.numbers))),
                version=match.version,
                key=None,
            )
            self.counts["moves"] += 1
        except Refused:
            self.counts["refused"] += 1

    def wish(self, pk: int) -> None:
        """The moment of a move by wish: the sweep, which comes with every event, makes it."""

    @staticmethod
    def mover(match: Match) -> int:
        return match.seats.get(number=match.active_seat).user_id

    def look(self) -> None:
        """Notes what is new: decisions get a moment at which they are taken or missed, and the end stands still."""
        self.leavers()
        for match in Match.objects.exclude(pk__in=self.frozen).order_by("pk"):
            if match.status in ("finished", "cancelled"):
                self.frozen[match.pk] = self.facts(match)
                continue
            if match.auto_at is not None and self.awaited.get(match.pk) != match.auto_at:
                self.awaited[match.pk] = match.auto_at
                self.at(match.auto_at + timedelta(seconds=self.chance.uniform(0, 5)), "wish", match.pk)
            if match.deadline is not None and self.seen.get(match.pk) != match.since_version:
                self.seen[match.pk] = match.since_version
                share = self.chance.choice([0.02, 0.05, 0.1, 0.3, 0.8, 1.01])
                moment = self.clock() + (match.deadline - self.clock()) * share
                self.at(moment, "play", match.pk, match.since_version)

    @staticmethod
    def facts(match: Match) -> tuple:
        banks = tuple(match.seats.values_list("bank", "place"))
        times = match.deadline, match.auto_at, match.finished_at, match.credited_to
        return match.version, match.active_seat, *times, banks

    def sweep(self, *, lived: bool = True) -> None:
        """What the worker does; ``lived`` if it has done so all along."""
        if lived:
            Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": self.clock()})
        tasks.deadlines()
        tasks.wishes()
        tasks.bots()
        tasks.reminders()
        tasks.deliveries()
        overdue = Match.objects.filter(status="playing", deadline__lt=self.clock() - GRACE).count()
        assert overdue == 0, "a sweep left somebody overdue"
        assert not substitutes.overdue(1), "a sweep left a seat free for too long"

    def due(self) -> datetime | None:
        """When the next sweep finds something: who is overdue, a pause, a free seat or a bot that waited long enough.

        Up to 15 seconds after the grace.
        """
        playing = Match.objects.filter(status="playing")
        first = playing.aggregate(deadline=Min("deadline"), paused=Min("paused_at"))
        free = Seat.objects.filter(match__status="playing").aggregate(until=Min("vacant_until"))
        held = playing.filter(active_bot=True, paused_at=None).aggregate(until=Min("held_until"))
        self.next = first["deadline"]
        moments = [first["deadline"], first["paused"] and first["paused"] + LONGEST_PAUSE, free["until"], held["until"]]
        known = [moment for moment in moments if moment is not None]
        return min(known) + GRACE + timedelta(seconds=self.chance.uniform(0.1, 15)) if known else None

    def run(self) -> None:
        """Lets everything happen until nothing is left to wait for."""
        while True:
            self.look()
            due, event = self.due(), self.events[0][0] if self.events else None
            if due is None and event is None:
                return
            if event is None or (due is not None and due < event):
                moment = max(due, self.clock())
                if self.next is not None:
                    self.worst = max(self.worst, moment - self.next)
                self.clock.moment = moment
                self.sweep()
                continue
            moment, _order, what, facts = heapq.heappop(self.events)
            self.clock.moment = max(moment, self.clock())
            Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": self.clock()})
            getattr(self, what)(*facts)
            self.sweep(lived=what != "outage")
