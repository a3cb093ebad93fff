"""The answers of the API about matches, described for the schema. What fills them stands in ``facts``."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Match, Move


class Answer(serializers.Serializer[Any]):
    """What an answer or a part of one holds."""


def listing(item: type[Answer], name: str) -> type[Answer]:
    """A page of a list of such items."""
    fields = {
        "items": item(many=True),
        "next": serializers.CharField(allow_null=True, help_text="The address of the next page; null on the last."),
        "__doc__": "A page of a list.",
    }
    return type(name, (Answer,), fields)


def number(text: str = "", **more: Any) -> serializers.IntegerField:
    """A whole number."""
    return serializers.IntegerField(help_text=text or None, **more)


def maybe(text: str = "") -> serializers.IntegerField:
    """A whole number or null."""
    return serializers.IntegerField(allow_null=True, help_text=text or None)


def text(said: str = "", **more: Any) -> serializers.CharField:
    """A text."""
    return serializers.CharField(help_text=said or None, **more)


def flag(said: str = "") -> serializers.BooleanField:
    """True or false."""
    return serializers.BooleanField(help_text=said or None)


def moment(said: str = "", *, null: bool = True) -> serializers.DateTimeField:
    """A moment in UTC, or null."""
    return serializers.DateTimeField(allow_null=null, help_text=said or None)


def texts(said: str = "") -> serializers.ListField:
    """Texts."""
    return serializers.ListField(child=serializers.CharField(), help_text=said or None)


def free(said: str = "", *, null: bool = False) -> serializers.DictField:
    """An object whose members are the game's own."""
    return serializers.DictField(allow_null=null, help_text=said or None)


class Player(Answer):
    """Who sits at a seat, or is met elsewhere."""

    name = text("As it is shown.")
    kind = serializers.ChoiceField(["person", "guest", "bot"])


class Seat(Answer):
    """A place at a match."""

    number = number("From 0; drawn at the start, before it the order of joining.")
    player = Player()
    me = flag("Whether it is yours.")
    bot_plays = flag("Whether a bot decides here, its own or the one that took the seat over.")
    left = serializers.ChoiceField(["resign", "timeout", "cancel"], allow_null=True, help_text="How it was left.")
    vacant_until = moment("Until when somebody else may take it.")
    place = maybe("After the end; the first is 1, ties share a place.")
    bank = maybe("Seconds in the bank at the start of the seat's decision.")


class Clock(Answer):
    """The time that a turn has."""

    pace = text("As in games: days a turn, a bank, or none.")
    rests = flag("Whether nights, free days and holidays of the players do not count.")
    sentence = text()


class MatchShape(Answer):
    """A match, as you may see it."""

    class Meta:
        ref_name = "Match"

    id = text("Its name in addresses.")
    url = text("Its page.")
    game = text()
    rules_version = number()
    options = free("By name, see the game.")
    status = serializers.ChoiceField(Match.Status.values)
    version = number("How many rows its log has.")
    gathered = number("Counts what is new beside the log: seats, proposals, ratings.")
    seat_count = number()
    seats = Seat(many=True)
    my_seat = maybe("Also after leaving it.")
    active_seat = maybe("Who is to move.")
    my_turn = flag()
    since_version = number("When the present decision began.")
    deadline = moment("Until when whoever is to move has time; without a clock only when it comes near.")
    paused_until = moment("When a pause ends by itself.")
    clock = Clock()
    audience = serializers.ChoiceField(Match.Audience.values)
    listed = flag("Whether it stands in the lobby until it begins.")
    rated = flag()
    rating_from = maybe("Whom the lobby offers it to.")
    rating_to = maybe()
    finish_share = maybe("Per cent of matches that they have finished at least.")
    leave_policy = serializers.ChoiceField(Match.LeavePolicy.values)
    commitment = text("SHA-256 of the seed: the fingerprint of the shuffle, fixed before the first draw.")
    created_at = moment(null=False)
    started_at = moment()
    moved_at = moment()
    finished_at = moment()
    end_reason = text("What ended it; empty before.")
    outcome = text("What decided it, in a sentence; empty before the end.")


class Row(Answer):
    """A row of the log, as you may read it."""

    number = number("The version that the match has after it.")
    at = moment(null=False)
    kind = serializers.ChoiceField(Move.Kind.values)
    seat = maybe()
    by = serializers.ChoiceField(["user", "auto", "bot", "server"], help_text="A wish of others reads as user.")
    news = serializers.ListField(child=serializers.DictField(), help_text="What it caused, as far as you may know.")
    sentences = texts("The same in words.")
    text = text("The steps; only after the end of the match, null before.", allow_null=True)


class Observation(Answer):
    """What you may know of a match at one of its versions."""

    match = text()
    version = number()
    head = number("The newest version.")
    viewer = text("Whose eyes: the number of your seat, or open after the end; null for a spectator.", allow_null=True)
    active_seat = maybe()
    my_turn = flag("Whether it is your move now, at this version.")
    observation = free("What the game shows to this viewer.")
    legal = texts("The steps from here, if they are yours to know; each can be completed to a whole turn.")
    ask = text("What is asked of whoever is to move, in a sentence.")


class Preview(Answer):
    """What would become of your steps, before anything is drawn or revealed."""

    match = text()
    version = number()
    observation = free()
    legal = texts("The steps that may follow.")
    complete = flag("Whether a move with these steps would be accepted.")
    news = serializers.ListField(child=serializers.DictField())
    sentences = texts("The steps in words.")


class Moved(Answer):
    """A move that was accepted."""

    row = Row()
    match = MatchShape()


class Log(Answer):
    """Rows of a log, the earliest first."""

    rows = Row(many=True)
    head = number("The newest version.")
    next = text("The address of the rows behind these; null at the head.", allow_null=True)


class Proposal(Answer):
    """Something that all must agree to."""

    kind = serializers.ChoiceField(["pause", "cancel"])
    proposal = number("What an answer must carry.")
    mine = flag("Whether you have agreed.")
    agreed = texts("The others who have.")
    missing = texts("Who has not.")


class Table(Answer):
    """What the players want of each other beside the moves."""

    proposals = Proposal(many=True)
    nudged_by = texts("Who asked you to make the present move.")
    nudge_from = moment("From when you may ask whoever is to move; null if there is nobody to ask.")
    can_give_time = flag()
    can_call_off = flag("Whether you may call it off alone, as not everybody has moved.")
    can_return = flag("Whether you may come back to the seat that you have left.")


class Done(Answer):
    """What a request to a match has led to."""

    match = MatchShape()
