"""Many finished matches in PostgreSQL, to measure what pages cost when there are as many.

    python -m bench.load --matches 1000000 --url postgres://user@host/empty_database

The database is migrated first and must hold no matches. A fifth as many users as matches, some of whom play far more
than others: user 1 most of all. One match in a hundred has its whole log, which `manage.py verify` finds to be true;
of the others there are only the rows that lists read. Beside the finished ones some matches are running, open and in
the lobby. Skills move by a rule simpler than the site's: it is the number of rows that matters here. The same number of
matches gives the same rows, but for the times. It takes the rights of a superuser: foreign keys are not looked at, as
every row is known to be right.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.titles import Title

BATCH = 10_000
"""Matches copied at once."""

SPAN = timedelta(days=730)
"""Over so long the matches have ended, evenly."""

PER_USER = 5
"""Matches for each user there is."""

LOGGED = 100
"""One match in so many has its log."""

RECORDS = 8
"""Different logs of each game, options and number of seats; matches share them, under names of their own."""

LATEST = 500
"""So many matches that ended last are taken up by the sweeps; those before would take them hours."""

OWN = 20
"""Matches that user 1 plays now, however many there are: so long are the lists of what goes on."""

A_TURN = timedelta(hours=5)

CLOCK = '{"days": 2, "bank": null, "rests": false}'


@dataclass(frozen=True)
class Variant:
    """A game with options and a number of seats, with records of it and the open observation after each row."""

    title: Title
    options: dict[str, Any]
    seats: int
    records: list[tuple[dict[str, Any], list[dict[str, Any]]]]

    @cached_property
    def text(self) -> str:
        """The options as JSON."""
        return json.dumps(self.options)

    @cached_property
    def family(self) -> str:
        """In which a match of it is rated."""
        return self.title.family(self.options)


def variants() -> list[Variant]:
    """What is played: each game with every number of seats, Red also by its advanced rules."""
    from games import registry

    found = []
    for title in registry.all_titles().values():
        usual = asdict(title.game.Options())
        for options in [usual, {**usual, "game": "advanced"}] if "game" in usual else [usual]:
            for seats in title.game.seat_counts:
                records = [_record(title, options, seats, number) for number in range(RECORDS)]
                found.append(Variant(title, options, seats, records))
    return found


def _record(title: Title, options: dict[str, Any], seats: int, number: int) -> tuple[dict[str, Any], list[Any]]:
    """A match of bots as a record, and what everybody may know of it after each row."""
    from games import verify
    from games.bots import random_bot
    from games.chance import Stream, seeded

    game, chance = title.game, seeded(number)
    record = verify.make(
        game,
        options,
        match_id="load",
        seed=bytes([number]) * 32,
        entropy=[bytes([number, seat]) * 8 for seat in range(seats)],
        names=[str(seat) for seat in range(seats)],
        choose=lambda state, seat: random_bot(game, game.observe(state, seat), chance),
    )
    mixed = [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    state, seen = None, []
    for row in record["rows"]:
        drawn = Stream(bytes.fromhex(record["seed"]), mixed, row["number"])
        state, _news = verify.advance(game, options, seats, state, row["kind"], row["text"], drawn)
        seen.append(game.observe(state, "open"))
    return record, seen


class Load:
    """A load on its way: the rows that wait to be copied, and how strong everybody is by now."""

    def __init__(self, matches: int, now: datetime) -> None:
        from bench.copying import Copied
        from games.models import Departure, Match, Move, Rating, RatingChange, Seat

        self.number, self.users, self.now = matches, max(matches // PER_USER, 10), now
        self.dice, self.variants = random.Random(matches), variants()  # noqa: S311 - nothing here is secret
        self.strength = [self.dice.gauss(25, 5) for _user in range(self.users)]
        self.skills: dict[tuple[int, str], tuple[float, float, int, datetime]] = {}
        shared = ("id", "slug", "game", "rules_version", "options", "seat_count", "allowance", "leave_policy")
        secret = ("seed", "commitment", "digest", "created_by_id")
        fate = ("status", "version", "active_seat", "end_reason", "rated", "listed")
        times = ("created_at", "started_at", "moved_at", "decision_at", "deadline", "finished_at", "rated_at")
        self.matches = Copied(Match, (*shared, *secret, *fate, *times))
        self.seats = Copied(Seat, ("match_id", "number", "joined", "user_id", "entropy", "place", "finished_at"))
        row = ("match_id", "number", "kind", "seat", "by", "text", "news", "digest", "at")
        self.moves = Copied(Move, row)
        skills = ("mu_before", "sigma_before", "mu_after", "sigma_after")
        self.changes = Copied(RatingChange, ("match_id", "user_id", "family", "place", "expected", *skills, "at"))
        self.ratings = Copied(Rating, ("user_id", "family", "mu", "sigma", "matches", "last_at", "sure_until"))
        self.departures = Copied(Departure, ("match_id", "seat", "user_id", "version", "how", "at"))

    def flush(self) -> None:
        """Copies what waits."""
        for table in (self.matches, self.seats, self.moves, self.changes, self.ratings, self.departures):
            table.flush()

    def people(self) -> None:
        """The users, all with accounts."""
        from accounts.models import User
        from bench.copying import Copied

        users = Copied(User, ("id", "username", "password", "date_joined"))
        for user in range(1, self.users + 1):
            users.add(user, f"load-{user}", "!", self.now - SPAN)
        users.flush()

    def at_table(self, number: int) -> list[int]:
        """So many different users; those with small numbers far more often than others."""
        found: list[int] = []
        while len(found) < number:
            user = 1 + int(self.users * self.dice.random() ** 2)
            if user not in found:
                found.append(user)
        return found

    def finished(self, pk: int) -> None:
        """One match that is over, with all that belongs to it."""
        variant = self.dice.choice(self.variants)
        record, seen = self.dice.choice(variant.records)
        users, rated = self.at_table(variant.seats), self.dice.random() < 0.6
        ended = self.now - SPAN * (1 - pk / (self.number + 1)) - timedelta(minutes=1)
        digest, places = "0" * 64, record["outcome"]["places"]
        if pk % LOGGED == 0:
            digest = self._log(pk, record, seen, ended)
        else:
            form = [self.strength[user - 1] + self.dice.gauss(0, 6) for user in users]
            places = [1 + sum(other > own for other in form) for own in form]
            if self.dice.random() < 0.03:
                leaver = places.index(max(places))
                self.departures.add(pk, leaver, users[leaver], len(record["rows"]), "timeout", ended)
        fate = ("finished", len(record["rows"]), None, record["outcome"]["reason"], rated, False)
        times = (ended - A_TURN * len(record["rows"]),) * 2 + (ended, None, None, ended, ended if rated else None)
        self._match(pk, variant, record, users, places, digest, fate, times)
        for family in (variant.family, "overall") if rated else ():
            self._rate(pk, family, users, places, ended)

    def _match(
        self,
        pk: int,
        variant: Variant,
        record: dict[str, Any],
        users: list[int],
        places: list[int | None],
        digest: str,
        fate: tuple[Any, ...],
        times: tuple[Any, ...],
    ) -> None:
        """A match and its seats."""
        from games.chance import commitment

        title, slug, seed = variant.title, f"l{pk}", bytes.fromhex(record["seed"])
        policy = "end" if variant.seats == 2 else "bot"
        shared = (pk, slug, title.slug, title.game.version, variant.text, variant.seats, CLOCK, policy)
        self.matches.add(*shared, seed, commitment(slug, seed), digest, users[0], *fate, *times)
        for seat, (user, place) in enumerate(zip(users, places, strict=True)):
            made = record["seats"][seat]
            entropy = bytes.fromhex(made["entropy"])
            self.seats.add(pk, seat, made["joined"], user, entropy, place, times[5])

    def _log(self, pk: int, record: dict[str, Any], seen: list[dict[str, Any]], ended: datetime) -> str:
        """The rows of a record under the name of this match; the head of their chain."""
        from games import verify
        from games.chance import commitment

        seed = bytes.fromhex(record["seed"])
        digest = commitment(f"l{pk}", seed)
        begun = ended - A_TURN * (len(record["rows"]) - 1)
        for row, observation in zip(record["rows"], seen, strict=True):
            digest = verify.digest(seed, digest, row, observation)
            by, at = "server" if row["seat"] is None else "user", begun + A_TURN * (row["number"] - 1)
            self.moves.add(pk, row["number"], row["kind"], row["seat"], by, row["text"], row["news"], digest, at)
        return digest

    def _rate(self, pk: int, family: str, users: list[int], places: list[int], ended: datetime) -> None:
        before = [self.skills.get((user, family), (25.0, 25 / 3, 0, ended)) for user in users]
        mean = sum(skill[0] for skill in before) / len(users)
        for user, place, (mu, sigma, number, _at) in zip(users, places, before, strict=True):
            expected = (len(users) + 1) / 2 - (mu - mean) / 10
            after, surer = mu + (expected - place) * sigma**2 / 60, max(sigma * 0.97, 1.2)
            self.changes.add(pk, user, family, place, expected, mu, sigma, after, surer, ended)
            self.skills[user, family] = (after, surer, number + 1, ended)

    def standings(self) -> None:
        """The ratings as the matches have left them."""
        for (user, family), (mu, sigma, number, at) in self.skills.items():
            sure = at + timedelta(days=max(16 - sigma**2, 0) / 0.16**2)
            self.ratings.add(user, family, mu, sigma, number, at, sure)

    def unfinished(self, first: int) -> None:
        """A running match for every hundred that are over, and an open one for every thousand; at least 30 of each."""
        running, waiting = max(self.number // 100, 30), max(self.number // 1000, 30)
        for pk in range(first, first + running + waiting):
            variant, begun = self.dice.choice(self.variants), self.now - timedelta(minutes=pk - first)
            record, seen = self.dice.choice(variant.records)
            users, nobody = self.at_table(variant.seats), [None] * variant.seats
            while 1 in users:
                users = self.at_table(variant.seats)
            if pk - first < OWN:
                users[0] = 1
            if pk < first + running:
                digest = self._log(pk, record | {"rows": record["rows"][:2]}, seen[:2], begun)
                active = record["rows"][2]["seat"] if len(record["rows"]) > 2 else 0
                fate = ("playing", 2, active, "", False, False)
                times = (begun, begun, begun, begun, begun + timedelta(days=2), None, None)
                self._match(pk, variant, record, users, list(nobody), digest, fate, times)
            else:
                fate, times = ("open", 0, None, "", False, True), (begun, *[None] * 6)
                self._match(pk, variant, record, users[:1], [None], "", fate, times)


def load(matches: int) -> None:
    """Fills the database of the settings, which holds no matches."""
    from django.core.management import call_command
    from django.db import connection

    from accounts.models import User
    from bench import copying
    from games.models import Departure, Fold, Match, Move, Rating, RatingChange, Seat
    from games.now import now

    call_command("migrate", verbosity=0)
    if connection.vendor != "postgresql" or Match.objects.exists():
        raise SystemExit("It takes a PostgreSQL database without matches.")
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    rows = Load(matches, now())
    rows.people()
    for pk in range(1, matches + 1):
        rows.finished(pk)
        if pk % BATCH == 0:
            rows.flush()
    rows.standings()
    rows.unfinished(matches + 1)
    rows.flush()
    Fold.objects.create(name="ratings", at=rows.now, kind=0, match=matches)
    copying.ended([User, Match, Seat, Move, Rating, RatingChange, Departure])


def settle() -> None:
    """Migrates, and lets the sweeps take up what has ended last, as if they had kept up all along."""
    from django.core.management import call_command

    from games.management.commands.sweep import SWEEPS
    from games.models import Fold, Match

    call_command("migrate", verbosity=0)
    for latest in Match.objects.filter(status="finished").order_by("-finished_at", "-pk")[LATEST : LATEST + 1]:
        for name in ("pace", "statistics", "achievements"):
            Fold.objects.get_or_create(name=name, defaults={"at": latest.finished_at, "match": latest.pk})
    _weeks()
    for name in ("tallies", "rankings"):
        while name in SWEEPS and SWEEPS[name][0]() and name == "tallies":
            pass


def _weeks() -> None:
    """The rating of everybody at the end of each week in which it changed, as rating keeps it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT NOT EXISTS (SELECT FROM games_ratingweek) AND EXISTS (SELECT FROM games_ratingchange)")
        if cursor.fetchone() == (True,):
            cursor.execute(
                "INSERT INTO games_ratingweek (user_id, family, week, mu, sigma, at)"
                " SELECT DISTINCT ON (user_id, family, week)"
                " user_id, family, date_trunc('week', at AT TIME ZONE 'UTC')::date AS week, mu_after, sigma_after, at"
                " FROM games_ratingchange ORDER BY user_id, family, week, at DESC, id DESC"
            )
            cursor.execute("ANALYZE games_ratingweek")


def main() -> None:
    """Loads as many as asked and says how long it took."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--url", default="", help="the database; DATABASE_URL by default")
    parser.add_argument("--settle", action="store_true", help="load nothing: bring a loaded database up to date")
    asked = parser.parse_args()
    if asked.url:
        os.environ["DATABASE_URL"] = asked.url
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    begun = time.monotonic()
    if asked.settle:
        settle()
        return
    load(asked.matches)
    print(f"{asked.matches:,} matches in {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
