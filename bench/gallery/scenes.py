"""What there is to see: matches of every game in every state, and people with much and with nothing.

Run inside the site's process by ``manage.py shell``: ``build()`` fills an
empty database and prints what it made as JSON.
"""

from __future__ import annotations

import json
from datetime import timedelta
from importlib import import_module
from random import Random
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db.models import F

from accounts.models import User
from bench.repeatable import draw_from
from games import engine, registry, states
from games.chance import seeded
from games.models import Match, RankingRun, Rating, Statistic, Webhook
from games.now import now
from games.services import (
    api_bots,
    favourites,
    following,
    importing,
    leaving,
    lobby,
    rankings,
    records,
    standings,
    turns,
    webhooks,
)
from games.titles.red.table import END

SEATS = (2, 4)
UNUSABLE = "!"
LUCK = 7
"""Of the scenes: every colour and material of a game is on some table."""


def session(user: User) -> str:
    """The key of a new session of the user."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def match(game: str, people: list[User], bots: int = 0, /, **options: Any) -> Match:
    """A running public match of the people and bots."""
    proposal = lobby.Proposal(game, len(people) + bots, bots, options=options, days=2)
    made = lobby.create(people[0], proposal)
    for user in people[1:]:
        made = lobby.join(made.pk, user, made.invitations.get(to=None).token)
    return Match.objects.get(pk=made.pk)


def chosen(played: Match) -> list[str]:
    """What the game's bot would do for whoever is to move."""
    state = states.load(played, list(played.seats.all()))
    return played.title.bot(played.rules, played.rules.observe(state, played.active_seat), seeded(played.version))


def advance(played: Match, rows: int, until: User | None = None, not_until: User | None = None) -> Match:
    """Plays on by bots' choices: at least ``rows`` rows, then until (or not until) this user is to move."""
    while played.status == Match.Status.PLAYING:
        mover = played.seats.get(number=played.active_seat).user
        wanted = (until is None or mover == until) and (not_until is None or mover != not_until)
        if played.version >= rows and wanted:
            break
        turns.play(played.pk, played.active_seat, chosen(played), version=played.version, key=None)
        played.refresh_from_db()
    return played


def in_the_middle(game: str, people: list[User], rounds: tuple[int, ...] = (8, 6, 4, 2), *, mine: bool = True) -> Match:
    """A match on its way, after one of these numbers of ``rounds``, in which the first of the people is to move.

    With ``mine`` false somebody else is.
    """
    until, not_until = (people[0], None) if mine else (None, people[0])
    for number in rounds:
        for _try in range(5):
            played = advance(match(game, people), number * len(people), until, not_until)
            if played.status == Match.Status.PLAYING:
                return played
    raise AssertionError(f"every match of {game} is over too soon")


def of_game(game: str, seats: int, people: list[User]) -> dict[str, tuple[str, str]]:
    """The scenes of one game: name to (address, who looks)."""
    me, scenes = people[0], {}
    seated = people[:seats]
    start = in_the_middle(game, seated, (1,))
    scenes["start"] = (start.get_absolute_url(), me.username)
    middle = in_the_middle(game, seated)
    scenes["my turn"] = (middle.get_absolute_url(), me.username)
    steps = chosen(middle)
    if len(steps) > 1 and steps[-1] == END:
        steps = steps[:-1]  # which the button adds
    for name, plan in (("plan begun", steps[:1]), ("plan whole", steps)):
        text = quote(engine.join(plan).replace("; ", ";"), safe=":;>")
        scenes[name] = (f"{middle.get_absolute_url()}?v={middle.version}&plan={text}", me.username)
    scenes["looking on"] = (middle.get_absolute_url(), "")
    waiting = in_the_middle(game, seated, (2, 1), mine=False)
    scenes["waiting"] = (waiting.get_absolute_url(), me.username)
    done = advance(match(game, seated), 10_000)
    scenes["finished"] = (done.get_absolute_url(), me.username)
    scenes["replay"] = (f"{done.get_absolute_url()}at/{done.version // 2}/", me.username)
    return {f"{game} {seats} {name}": scene for name, scene in scenes.items()}


FACTS = {
    "matches": 1212,
    "moves": {"14": 700, "31": 512},
    "days": {"2.5": 700, "11": 512},
    "endings": {"round": 1000, "resign": 112, "timeout": 100},
    "variants": {'{"game": "basic", "icons": false}': 700, '{"game": "advanced", "icons": true}': 512},
    "begun": {"2": 800, "4": 412},
    "won": {"2": 420.0, "4": 99.5},
    "joined:2": {"0": 390, "1": 410},
    "joined:4": {"0": 103, "1": 99, "2": 108, "3": 102},
    "drawn:first": {"R": 180, "O": 170, "Y": 166, "G": 171, "B": 181, "I": 175, "V": 169},
}
"""What the statistics of Red might be."""


def hooked(user: User) -> None:
    """Gives the user webhooks: one that works, one that fails, one that was given up."""
    for kind, place in (("json", "bot.example.org/notices"), ("discord", "discord.com/api/webhooks/1/abcd")):
        webhooks.add(user, kind=kind, url=f"https://{place}")
    last = webhooks.add(user, kind="slack", url="https://hooks.slack.com/services/T1/B1/wxyz")
    Webhook.objects.filter(user=user, kind="json").update(used_at=now())
    Webhook.objects.filter(user=user, kind="discord").update(failing_since=now(), error="503")
    webhooks.failed(last, "404", timedelta(), gone=True)


def build(only: str, long: int) -> None:
    """Fills the database and prints the scenes and sessions as JSON; ``long``: running matches of who has many."""
    draw_from(Random(LUCK))  # noqa: S311 - nothing here is secret
    settings.MATCHES_AT_ONCE = dict.fromkeys(settings.MATCHES_AT_ONCE, 10_000)
    people = [User.objects.create(username=name, password=UNUSABLE) for name in ("Zuzana", "Marek", "Ludmila", "Vit")]
    many, nobody = (User.objects.create(username=name, password=UNUSABLE) for name in ("Kamil", "Nova"))
    scenes: dict[str, tuple[str, str]] = {}
    for game, title in registry.all_titles().items():
        if only and only not in (game, "tables"):
            continue
        for seats in SEATS:
            if seats in title.game.seat_counts:
                scenes |= of_game(game, seats, people)
        scenes[f"{game} rules"] = (f"/rules/{game}/", "")
        scenes[f"{game} new match"] = (f"/new/{game}/", people[0].username)
    if not only or only == "pages":
        scenes |= of_pages(people, many, nobody, long)
        hooked(people[0])
        facts = api_bots.Facts(about="Looks two moves ahead.", games=list(registry.all_titles()), everybody=True)
        api_bots.make(people[0], "Zuzanas-program", facts)
    sessions = {user.username: session(user) for user in (*people, many, nobody)}
    print(json.dumps({"scenes": scenes, "sessions": sessions}))


def of_ratings(people: list[User]) -> Match:
    """Rated matches over the last months, and a ranking of many players that changed since last week; the latest."""
    moment = now()
    for number in range(45):
        users = people[:3] if number == 44 else [people[number % 5], people[(number + 1 + number % 3) % 5]]
        made = seated_rated(users)
        at = moment - timedelta(days=150 - 3.3 * number)
        gone = made.seats.exclude(left_how="").values_list("user", flat=True)  # comes last, as it is with the real
        ranked = sorted(users, key=lambda user: (user.pk in gone, user.pk * (number % 4 - 1)))
        for place, user in enumerate(ranked, start=1):
            made.seats.filter(user=user).update(place=place, finished_at=at)
        Match.objects.filter(pk=made.pk).update(status=Match.Status.FINISHED, started_at=at, finished_at=at)
    standings.rebuild()
    for number in range(60):
        other = User.objects.create(username=f"Player-{number}", password=UNUSABLE)
        for family in ("red", "overall"):
            last = {"last_at": moment, "sure_until": moment + timedelta(days=90 if number % 9 else 0)}
            Rating.objects.create(user=other, family=family, mu=15 + number % 23, sigma=3, matches=30 + number, **last)
    Rating.objects.filter(user__in=people[:3]).update(sigma=3, sure_until=moment + timedelta(days=90))
    rankings.refresh()
    Rating.objects.filter(user__username__startswith="Player-1").update(mu=F("mu") - 5)
    RankingRun.objects.update(week=moment.date() - timedelta(days=14))
    rankings.refresh()
    return made


def seated_rated(users: list[User]) -> Match:
    """A rated match of the users that nobody has left."""
    made = lobby.create(users[0], lobby.Proposal("red", len(users), 0, days=2, rated=True))
    for user in users[1:]:
        made = lobby.join(made.pk, user, made.invitations.get(to=None).token)
    leaving.resign(made.pk, made.active_seat or 0, version=made.version)
    return Match.objects.get(pk=made.pk)


def of_pages(people: list[User], many: User, nobody: User, long: int) -> dict[str, tuple[str, str]]:
    """The pages that belong to no running match."""
    for number in range(long):
        game = list(registry.all_titles())[number % 3]
        match(game, [many, people[number % 4]])
    played = of_ratings([*people, many])
    for number, other in enumerate([*people[1:], people[1]]):
        over = advance(match(list(registry.all_titles())[number % 3], [people[0], other]), 10_000)
        following.follow(people[0], other)
    favourites.star(over, people[0])
    record = importing.keep(people[0], json.dumps(records.dump(over)).encode())
    half = f"{record.get_absolute_url()}at/{record.rows // 2}/"
    onward = importing.play_on(record, record.rows // 2, 0)
    waiting = lobby.create(people[0], lobby.Proposal("red", 3, 0, days=2, listed=True), [people[1]])
    lobby.create(people[1], lobby.Proposal("barvosauri", 2, 0, days=7), [people[0]])
    Statistic.objects.create(game="red", facts=FACTS, at=waiting.created_at)
    link = f"/match/{waiting.slug}/join/{waiting.invitations.get(to=None).token}/"
    return {
        "front, nobody": ("/", ""),
        "front, somebody": ("/", people[0].username),
        "dashboard, nobody": ("/turns/", ""),
        "dashboard, empty": ("/turns/", nobody.username),
        "dashboard, some": ("/turns/", people[0].username),
        "dashboard, many": ("/turns/", many.username),
        "history": ("/history/", people[0].username),
        "history, empty": ("/history/", nobody.username),
        "history, filtered": ("/history/?game=barvosauri&opponent=Marek&result=won", people[0].username),
        "history, refused": ("/history/?game=red&opponent=nobody-here", people[0].username),
        "history of another": ("/player/Marek/history/", people[0].username),
        "profile": ("/player/Marek/", people[0].username),
        "profile, own": ("/player/Zuzana/", people[0].username),
        "profile, empty": ("/player/Nova/", ""),
        "head to head": ("/player/Zuzana/with/Marek/", people[0].username),
        "following": ("/following/", people[0].username),
        "following, nobody": ("/following/", nobody.username),
        "lobby": ("/lobby/", people[0].username),
        "lobby, filtered": ("/lobby/?game=red&seats=4", people[0].username),
        "rated match": (played.get_absolute_url(), people[0].username),
        "rankings": ("/rankings/", people[0].username),
        "rankings, nobody": ("/rankings/red/?period=quarter", ""),
        "rankings, empty": ("/rankings/power_cards/?around=me", nobody.username),
        "changes of a rating": (f"/player/{people[0].username}/ratings/red/", ""),
        "find an opponent": ("/find/", people[0].username),
        "statistics": ("/statistics/red/", ""),
        "for programs": ("/api/", ""),
        "watch": ("/watch/", ""),
        "settings": ("/settings/", people[0].username),
        "notice settings": ("/settings/notices/", people[0].username),
        "webhooks": ("/settings/webhooks/", people[0].username),
        "bots": ("/bots/", people[1].username),
        "own bots": ("/settings/bots/", people[0].username),
        "account": ("/account/", people[0].username),
        "sign up": ("/account/signup/", ""),
        "log in": ("/account/login/", ""),
        "log in by code": ("/account/login/code/", ""),
        "reset": ("/account/reset/", ""),
        "sessions": ("/account/sessions/", people[0].username),
        "mails": ("/dev/mail/", ""),
        "rules": ("/rules/", ""),
        "open match": (waiting.get_absolute_url(), people[0].username),
        "open match, stranger": (waiting.get_absolute_url(), ""),
        "invitation": (link, ""),
        "bring a record": ("/import/", people[0].username),
        "bring a record, nobody": ("/import/", ""),
        "record": (record.get_absolute_url(), ""),
        "record, to play on": (half, people[0].username),
        "match from a record": (onward.get_absolute_url(), people[0].username),
        "chance verified": (f"{over.get_absolute_url()}verify/", ""),
        "embedded": (f"/embed/match/{over.slug}/", ""),
        "not found": ("/nowhere/", ""),
    }
