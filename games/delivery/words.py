"""The words of notices: what each one says, and what became of its deliveries. One source for page, mail and push."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, prefetch_related_objects
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from games import lists, registry, rendering, telling
from games.access import Table
from games.lists import Former
from games.models import Invitation, Match, Move, Notice
from games.titles import Title
from games.wording import Seat, Sentence, mark as _

WHY: dict[str, str | Promise] = {
    "seen": gettext_lazy("you had seen it on the page"),
    "moved": gettext_lazy("the turn was over"),
    "over": gettext_lazy("the match was over"),
    "paused": gettext_lazy("the match was paused"),
    "answered": gettext_lazy("it no longer waited for an answer"),
    "off": gettext_lazy("you have switched it off"),
    "mute": gettext_lazy("you have muted the match"),
    "address": gettext_lazy("your address takes no mail"),
    "hard": gettext_lazy("its mail server says that there is no such address"),
    "complaint": gettext_lazy("its mail server was told that our mails are unwanted"),
    "refused": gettext_lazy("its mail server refuses what is sent to it"),
    "rejected": gettext_lazy("the mail server refused the mail"),
    "busy": gettext_lazy("the mail server did not take the mail yet"),
    "server": gettext_lazy("no mail server answered"),
    "bad": gettext_lazy("it could not be written as a mail"),
    "fault": gettext_lazy("a fault of ours"),
    "no_key": gettext_lazy("this site does not push any more"),
    "no_device": gettext_lazy("none of your devices takes pushes any more"),
    "service": gettext_lazy("the push services of your devices did not take it"),
    "service_refused": gettext_lazy("the push services of your devices refused it"),
    "webhook": gettext_lazy("a webhook of yours did not take it"),
    "webhook_refused": gettext_lazy("your webhooks refused it"),
    "no_webhook": gettext_lazy("none of your webhooks is switched on any more"),
    "failing": gettext_lazy("it had taken nothing for a day"),
    "gone": gettext_lazy("it said that it is gone for good"),
    "changed": gettext_lazy("you have a new password or a new e-mail, so look whether it is yours"),
}
"""Why a delivery did not leave, as the end of a sentence; a code that is not here says nothing more."""


@dataclass(frozen=True)
class Said:
    """A notice in words, with all that renders them; ``url`` is the page that it leads to, "" for none."""

    notice: Notice
    sentence: Sentence
    title: Title | None
    names: Sequence[str]
    me: int | None
    url: str

    @property
    def text(self) -> str:
        """As plain text, in the active language."""
        return rendering.to_text(self.sentence, self.names, self.title)

    @property
    def html(self) -> SafeString:
        """As HTML, with small pictures of pieces."""
        return rendering.to_html(self.sentence, self.names, self.title, self.me)


def said(notices: Iterable[Notice]) -> list[Said]:
    """The notices in words, by the same number of queries for few and for many."""
    found = list(notices)
    prefetch_related_objects(found, "match__seats__user")
    rows, invitations = _rows(found), _invitations(found)
    former = lists.formers(notice.match for notice in found if notice.match)
    return [
        _said(
            notice,
            rows.get((notice.match_id, notice.version)),
            invitations.get(_asked(notice)),
            former.get(notice.match_id or 0, []),
        )
        for notice in found
    ]


def titles(shown: Iterable[Said]) -> list[Title]:
    """The titles of these notices, each once: a page needs their pictures."""
    return list({one.title.slug: one.title for one in shown if one.title}.values())


def sentence(notice: Notice) -> Sentence:
    """What one notice says; to be rendered with names and title, which ``said`` gives besides."""
    return said([notice])[0].sentence


ROW = ("match", "number", "at", "kind", "seat", "by", "news")
"""What of a row is read to tell it."""


def _rows(notices: list[Notice]) -> dict[tuple[int | None, int | None], Move]:
    """The rows of the log that notices of what happened at the table tell of."""
    wanted = Q()
    for notice in notices:
        if notice.kind == Notice.Kind.TABLE:
            wanted |= Q(match=notice.match_id, number=notice.version)
    if not wanted:
        return {}
    return {(row.match_id, row.number): row for row in Move.objects.filter(wanted).only(*ROW)}


def _asked(notice: Notice) -> int:
    """The invitation that a notice tells of; 0 for none."""
    return int(notice.key.partition(":")[2]) if notice.kind == Notice.Kind.INVITED else 0


def _invitations(notices: list[Notice]) -> dict[int, Invitation]:
    wanted = [pk for notice in notices if (pk := _asked(notice))]
    return Invitation.objects.select_related("created_by").in_bulk(wanted) if wanted else {}


def _said(notice: Notice, row: Move | None, invitation: Invitation | None, former: Sequence[Former]) -> Said:
    match = notice.match
    if match is None:
        page = "webhooks" if notice.facts.get("what") == "webhook" else "notice_settings"
        url = "" if notice.kind == Notice.Kind.DIGEST else reverse(page)
        return Said(notice, _of_the_site(notice), None, (), None, url)
    title = registry.all_titles().get(match.game)
    if title is None:
        return Said(notice, Sentence(_("This site does not have the game any more.")), None, (), None, "")
    seats = list(match.seats.all())
    table = Table(match, seats, next((seat for seat in seats if seat.user_id == notice.user_id), None))
    names = [seat.user.name for seat in seats]
    url = match.get_absolute_url()
    if notice.kind == Notice.Kind.INVITED:
        url = reverse("dashboard")  # it is answered there, and the match may be hidden from who has no seat yet
        told = _invited(title, invitation)
    elif table.mine is None and match.audience == Match.Audience.SEATED:
        url, told = "", Sentence(_("You no longer play in this match of {game}."), game=title.name)
    else:
        told = _of_match(notice, table, title, row, former)
    return Said(notice, told, title, names, table.me, url)


def _of_match(notice: Notice, table: Table, title: Title, row: Move | None, former: Sequence[Former]) -> Sentence:
    others = [Seat(seat.number) for seat in table.seats if seat is not table.mine]
    places: dict[str, Any] = {"game": title.name, "others": others}
    if notice.kind == Notice.Kind.ENDED:
        return _ended(table, places)
    if notice.kind == Notice.Kind.TABLE:
        if text := PROPOSED.get(notice.facts.get("proposed", "")):
            return Sentence(text, **places, seat=_asks(notice, former))
        news = telling.rows(title, [row], table.viewer, table.me, former)[0].sentences if row else []
        if news:
            return Sentence(_("{game}, with {others}: {news}"), **places, news=_joined(news))
    if notice.kind == Notice.Kind.NUDGE and "seat" in notice.facts:
        return Sentence(_("{seat} asks you to move: {game}."), seat=_asks(notice, former), game=title.name)
    return Sentence(OF_A_MATCH.get(notice.kind, OF_A_MATCH[Notice.Kind.TABLE]), **places)


def _asks(notice: Notice, former: Sequence[Former]) -> Seat:
    """Who asks or proposes: who sat there then, ``after`` that row, whoever sits there now."""
    number = notice.facts["seat"]
    return Seat(number, telling.names_at(notice.facts["after"], former).get(number, ""))


OF_A_MATCH: dict[str, str] = {
    Notice.Kind.TURN: _("Your turn has begun: {game}, with {others}."),
    Notice.Kind.REMINDER: _("Your time runs short: {game}, with {others}."),
    Notice.Kind.NUDGE: _("You are asked to move: {game}, with {others}."),
    Notice.Kind.TABLE: _("Something has happened at the table: {game}, with {others}."),
}


PROPOSED: dict[str, str] = {
    "pause": _("{seat} proposes a pause: {game}, with {others}."),
    "cancel": _("{seat} proposes calling off {game}, with {others}."),
}
"""What somebody proposes at a table, by the kind of consent it needs."""


def _joined(sentences: list[Sentence]) -> Sentence:
    """Several sentences one after the other, as one."""
    places: dict[str, Any] = {f"part{number}": one for number, one in enumerate(sentences)}
    return Sentence(" ".join(f"{{{name}}}" for name in places), **places)


def _ended(table: Table, places: dict[str, Any]) -> Sentence:
    if table.match.status == Match.Status.CANCELLED:
        return Sentence(_("{game}, with {others}, was called off."), **places)
    first = [seat for seat in table.seats if seat.place == 1]
    winners = [Seat(seat.number) for seat in first]
    if table.mine in first:
        if len(first) > 1:
            return Sentence(_("{game}, with {others}, is over: you share the first place."), **places)
        return Sentence(_("{game}, with {others}, is over: you have won."), **places)
    if not first:
        return Sentence(_("{game}, with {others}, is over."), **places)
    return Sentence(_("{game}, with {others}, is over: won by {winners}."), **places, winners=winners)


def _invited(title: Title, invitation: Invitation | None) -> Sentence:
    host = invitation.created_by if invitation else None
    if host is None:
        return Sentence(_("You are invited to a match of {game}."), game=title.name)
    return Sentence(_("{host} invites you to a match of {game}."), host=host.name, game=title.name)


OF_THE_SITE: dict[str, str] = {
    "parked": _("A notice could not be delivered, and we have given up: {why}."),
    "address": _("We have stopped writing to your address: {why}."),
    "webhook": _("We have switched off your webhook {place}: {why}."),
}
"""Notices of the site about notices, by ``what`` in their facts."""


def _of_the_site(notice: Notice) -> Sentence:
    if notice.kind == Notice.Kind.DIGEST:
        return Sentence(_("A mail with all that waited."))
    text = OF_THE_SITE.get(notice.facts.get("what", ""), _("There is something about your notices."))
    why = WHY.get(notice.facts.get("why", ""), gettext_lazy("for a reason that we do not know"))
    return Sentence(text, why=why, place=notice.facts.get("place", ""))
