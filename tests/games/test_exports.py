"""A history as a file: the same matches as on its page, in a form that nothing takes for anything else."""

from __future__ import annotations

import csv
import gc
import io
import json
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import histories
from games.models import Departure, Match, Seat
from games.services import favourites
from games.views import exports
from tests.client import client_of
from tests.games.ended import ended

T = datetime(2026, 11, 20, 12, tzinfo=UTC)


def rows_of(answer) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    assert answer.status_code == 200, answer.status_code
    text = b"".join(answer.streaming_content).decode()
    assert text.count("\n") == text.count("\r\n")
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def matches_of(answer) -> list[dict[str, object]]:
    """The matches of a JSON file."""
    assert answer.status_code == 200, answer.status_code
    whole = json.loads(b"".join(answer.streaming_content))
    assert whole["format"] == "na-tahu/history/1"
    return whole["matches"]


@pytest.fixture
def visitor(alice):
    """A browser of alice."""
    return client_of(alice)


def test_a_file_has_a_documented_column_for_everything(alice, bob, visitor, settings):
    settings.SITE_URL = "https://play.example.org"
    match = ended([bob, alice], [1, 1], T, rated=True, end_reason="cards")
    favourites.star(match, alice)
    answer = visitor.get("/history/export.csv")
    assert answer["Content-Type"].startswith("text/csv; charset=utf-8")
    assert answer["Content-Disposition"] == 'attachment; filename="na-tahu-alice.csv"'
    [row] = rows_of(answer)
    assert row == {
        "match": match.slug, "url": f"https://play.example.org/match/{match.slug}/", "game": "red",
        "options": "game=basic; icons=no", "players": "2", "seat": "2", "place": "1", "result": "shared",
        "opponents": "bob", "rated": "yes", "moves": "29", "ended_by": "cards", "favourite": "yes",
        "started": "2026-11-20T12:00:00Z", "finished": "2026-11-20T12:00:00Z",
    }  # fmt: skip
    [same] = matches_of(visitor.get("/history/export.json"))
    assert same == row | {
        "options": {"game": "basic", "icons": False}, "players": 2, "seat": 2, "place": 1, "opponents": ["bob"],
        "rated": True, "moves": 29, "favourite": True,
    }  # fmt: skip
    page = visitor.get("/history/").content.decode()
    described = Path("docs/history.md").read_text()
    for column in row:
        assert f"<code>{column}</code>" in page
        assert f"`{column}`" in described
    assert list(row) == list(exports.COLUMNS)


def test_a_file_has_what_the_filter_shows_and_no_more(alice, bob, charlie, visitor):
    mine = [ended([alice, bob], [1, 2], T + timedelta(hours=n)) for n in range(30)]
    ended([alice, charlie], [1, 2], T)
    ended([bob, charlie], [1, 2], T)
    secret = ended([alice, bob], [2, 1], T, audience="seated")
    rows = rows_of(visitor.get("/history/export.csv?opponent=bob&result=won"))
    assert [row["match"] for row in rows] == [match.slug for match in mine[::-1]]
    assert len(rows_of(visitor.get("/history/export.csv"))) == 32
    assert len(matches_of(visitor.get("/history/export.json?opponent=charlie"))) == 1
    lost = matches_of(client_of(bob).get("/history/export.json?opponent=alice&result=won"))
    assert [row["match"] for row in lost] == [secret.slug]
    assert matches_of(client_of(charlie).get("/history/export.json?rated=yes")) == []
    page = visitor.get("/history/?opponent=bob&result=won&before=2026-11-21T00:00:00%2B00:00&id=5").content.decode()
    assert 'href="/history/export.csv?opponent=bob&amp;result=won"' in page


@pytest.mark.parametrize("name", ["-1-2", "-cmd"])
def test_no_cell_is_a_formula(alice, person, visitor, name):
    match = ended([alice, person(name)], [1, 2], T, end_reason="=1+1")
    [row] = rows_of(visitor.get("/history/export.csv"))
    assert (row["opponents"], row["ended_by"]) == (f"'{name}", "'=1+1")
    assert row["match"] == match.slug
    [same] = matches_of(visitor.get("/history/export.json"))
    assert same["opponents"] == [name]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_whatever_starts_a_formula_is_text(start):
    text = f'{start}HYPERLINK("http://evil.example","x")'
    assert exports.cell(text) == f"'{text}"
    assert exports.cell([text, "x"]).startswith("'")
    assert exports.cell({start: "x"}).startswith("'")
    assert exports.cell("a" + text) == "a" + text


def test_commas_quotes_and_letters_of_all_kinds_come_back_as_they_were(alice, bob, visitor):
    odd = 'žluťoučký "kůň", \r\n a'
    ended([alice, bob], [1, 2], T, end_reason=odd)
    [row] = rows_of(visitor.get("/history/export.csv"))
    assert row["ended_by"] == odd
    [same] = matches_of(visitor.get("/history/export.json"))
    assert same["ended_by"] == odd


def test_a_match_whose_seat_was_handed_on_is_there_too(alice, bob, charlie, visitor):
    match = ended([bob, charlie], [1, 2], T)
    Departure.objects.create(match=match, seat=0, user=alice, version=4, how="resign", at=T, taken_over=5)
    [row] = rows_of(visitor.get("/history/export.csv"))
    assert (row["seat"], row["place"], row["result"], row["opponents"]) == ("", "", "left", "bob, charlie")


def test_who_is_nobody_gets_no_file_and_a_guest_their_own(client, bob):
    assert client.get("/history/export.csv").status_code == 404
    assert client.get("/history/export.json").status_code == 404
    guest = User.objects.create_guest()
    ended([guest, bob], [1, 2], T)
    answer = client_of(guest).get("/history/export.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="na-tahu-guest.csv"'
    assert len(rows_of(answer)) == 1
    assert client_of(guest).post("/history/export.csv").status_code == 405


def test_files_are_limited(visitor, settings):
    settings.LIMITS = settings.LIMITS | {"export": (2, 3600)}
    codes = [visitor.get(f"/history/export.{kind}").status_code for kind in ("csv", "json", "csv")]
    assert codes == [200, 200, 429]
    assert visitor.get("/history/export.csv?game=chess").status_code == 400  # costs nothing


def fill(users: list[User], number: int) -> None:
    """So many finished matches of the users, of five moments."""
    made = Match.objects.bulk_create(
        Match(
            slug=f"bulk{n}", game="red", rules_version=1, seat_count=len(users), leave_policy="bot", seed=b"",
            commitment="", status="finished", created_at=T, finished_at=T + timedelta(days=n % 5),
        )
        for n in range(number)
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(match=m, number=n, joined=n, user=u, entropy=b"", place=n + 1, finished_at=m.finished_at)
        for m in made
        for n, u in enumerate(users)
    )


def test_a_long_history_is_sent_in_chunks_each_match_once(alice, bob, visitor, monkeypatch):
    monkeypatch.setattr(histories, "CHUNK", 50)
    fill([alice, bob], 430)
    answer = visitor.get("/history/export.csv")
    with CaptureQueriesContext(connection) as made:
        rows = rows_of(answer)
    assert len({row["match"] for row in rows}) == len(rows) == 430
    assert [row["finished"] for row in rows] == sorted((row["finished"] for row in rows), reverse=True)
    assert len(made) == 9 * 4  # seats, handed-on seats, and who sat there, a chunk


def test_a_file_takes_the_memory_of_a_chunk(alice, bob, visitor, monkeypatch):
    monkeypatch.setattr(histories, "CHUNK", 40)
    fill([alice, bob], 1600)
    peaks = []
    for query in ("?until=2026-11-20", ""):  # a fifth, and all
        assert list(visitor.get(f"/history/export.json{query}").streaming_content)  # what is made once
        answer, kept = visitor.get(f"/history/export.json{query}"), []
        tracemalloc.start()
        for _part in answer.streaming_content:
            gc.collect()  # matches and their seats refer to one another
            kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        peaks.append(max(kept))
    assert peaks[1] < 1.3 * peaks[0], peaks


def test_an_asynchronous_server_sends_it_in_parts_too(alice, bob, monkeypatch):
    from asgiref.sync import async_to_sync
    from django.core.handlers.asgi import ASGIRequest

    fill([alice, bob], 230)
    scope = {"type": "http", "method": "GET", "path": "/history/export.csv", "headers": [], "query_string": b""}
    answer = exports.answer(
        ASGIRequest(scope, io.BytesIO()), alice, histories.all_entries(alice, histories.Wanted()), "csv"
    )
    assert answer.is_async

    async def parts():
        return [part async for part in answer]

    found = async_to_sync(parts)()
    assert [part.count(b"\r\n") for part in found] == [100, 100, 31]
