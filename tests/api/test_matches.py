"""How a match comes to be and goes, by the API alone: what the pages can do, and to the same rows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Consent, Favourite, Invitation, Match, MatchChoice, Nudge, Seat
from tests.api.calling import Program, problem
from tests.conftest import move, play_out, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def programs(alice, bob, charlie):
    """alice's, bob's and charlie's programs."""
    return Program(alice), Program(bob), Program(charlie)


def made(program, **asked):
    """A match made by the API."""
    answer = program.post("/matches", {"game": "red", "seats": 2, **asked})
    assert answer.status_code == 201, answer.content
    return Match.objects.get(slug=answer.json()["id"])


def test_a_match_against_bots_begins_at_once(programs, alice):
    match = made(programs[0], game="power_cards", bots=1, pace="none", options={"quick": "agree"})
    assert (match.status, match.created_by, match.clock.none) == ("playing", alice, True)
    body = programs[0].get(f"/matches/{match.slug}").json()
    assert [seat["player"]["kind"] for seat in body["seats"]].count("bot") == 1
    assert body["clock"]["pace"] == "none"


def test_what_is_left_out_is_as_on_the_page(programs):
    match = made(programs[0])
    assert (match.seat_count, match.clock.days, match.clock.rests, match.audience) == (2, 2, True, "public")
    assert (match.status, match.rated, match.listed) == ("open", False, False)


def test_every_pace_and_option_that_is_offered_can_be_had(programs):
    for game in programs[0].get("/games").json()["items"]:
        for pace in game["paces"]:
            assert made(programs[0], game=game["slug"], seats=min(game["seat_counts"]), pace=pace["value"])
        for option in game["options"]:
            for choice in option["choices"]:
                match = made(
                    programs[0],
                    game=game["slug"],
                    seats=min(game["seat_counts"]),
                    options={option["name"]: choice["value"]},
                )
                assert match.options[option["name"]] == choice["value"]


def test_joining_by_link(programs, bob):
    match = made(programs[0])
    link = programs[0].get(f"/matches/{match.slug}/invitations").json()["link"]
    assert link["token"] in link["url"]
    problem(programs[1].post(f"/matches/{match.slug}/join", {"token": "zz"}), 404, "unknown_invitation")
    problem(programs[1].post(f"/matches/{match.slug}/join"), 404, "not_found")
    problem(programs[1].get(f"/matches/{match.slug}/invitations"), 404, "not_found")
    joined = programs[1].post(f"/matches/{match.slug}/join", {"token": link["token"]})
    assert joined.json()["status"] == "playing"
    assert programs[1].post(f"/matches/{match.slug}/join", {"token": link["token"]}).status_code in (200, 404)
    problem(programs[2].post(f"/matches/{match.slug}/join", {"token": link["token"]}), 409, "seats_taken")
    assert match.seats.count() == 2


def test_the_link_is_renewed_and_withdrawn_by_who_made_the_match(programs):
    match = made(programs[0], seats=3)
    path = f"/matches/{match.slug}/link"
    first = programs[0].get(f"/matches/{match.slug}/invitations").json()["link"]["token"]
    second = programs[0].post(path).json()["link"]["token"]
    assert first != second
    programs[1].post(f"/matches/{match.slug}/join", {"token": second})
    problem(programs[1].post(path), 404, "not_found")
    assert programs[0].call("DELETE", path).json()["link"] is None
    problem(programs[2].post(f"/matches/{match.slug}/join", {"token": second}), 404, "unknown_invitation")


def test_invitations_by_name(programs, bob, charlie):
    match = made(programs[0], seats=3, invite=["bob"])
    asked = programs[1].get("/me/invitations").json()["items"]
    assert [(one["by"], one["fate"], one["match"]["id"]) for one in asked] == [("alice", "waiting", match.slug)]
    path = f"/invitations/{asked[0]['id']}"
    for action in ("accept", "decline", "withdraw"):
        problem(programs[2].post(f"{path}/{action}"), 404, "not_found")
    problem(programs[0].post(f"/matches/{match.slug}/invitations", {"names": ["bob"]}), 422, "cannot_invite")
    assert programs[0].post(f"/matches/{match.slug}/invitations", {"names": ["charlie"]}).status_code == 201
    assert programs[1].post(f"{path}/accept").json()["my_seat"] is not None
    hers = Invitation.objects.get(to=charlie)
    assert programs[2].post(f"/invitations/{hers.pk}/decline").status_code == 204
    fates = {one["to"]: one["fate"] for one in programs[0].get(f"/matches/{match.slug}/invitations").json()["items"]}
    assert fates == {"bob": "accepted", "charlie": "declined"}
    problem(programs[0].post(f"/invitations/{hers.pk}/withdraw"), 409, "not_waiting")


def test_the_lobby_and_leaving_it(programs):
    match = made(programs[0], seats=3, listed=True)
    offers = programs[1].get("/lobby").json()["items"]
    assert [one["match"]["id"] for one in offers] == [match.slug]
    assert programs[1].get("/lobby?game=barvosauri").json()["items"] == []
    assert programs[1].post(f"/matches/{match.slug}/join").json()["my_seat"] == 1
    assert programs[1].post(f"/matches/{match.slug}/leave").status_code == 204
    assert match.seats.count() == 1
    problem(programs[1].post(f"/matches/{match.slug}/leave"), 404, "not_found")
    problem(programs[0].post(f"/matches/{match.slug}/leave"), 409, "refused")
    problem(programs[1].post(f"/matches/{match.slug}/call-off", {"version": 0}), 404, "not_found")
    assert programs[0].post(f"/matches/{match.slug}/call-off", {"version": 0}).json()["status"] == "cancelled"
    assert programs[1].get("/lobby").json()["items"] == []
    assert programs[0].get("/me/matches").json()["came_to_nothing"][0]["id"] == match.slug


def test_two_who_search_find_each_other(programs):
    first = programs[0].post("/lobby/find", {"game": "red"}).json()
    assert first["status"] == "open"
    second = programs[1].post("/lobby/find", {"game": "red"}).json()
    assert (second["id"], second["status"]) == (first["id"], "playing")
    assert "game" in problem(programs[2].post("/lobby/find", {"game": "zz"}), 422, "invalid")["errors"]


def test_giving_up(programs, alice, bob):
    match = seated(alice, bob)
    path = f"/matches/{match.slug}/resign"
    assert problem(programs[0].post(path, {"version": 0}), 409, "stale_version")["version"] == 1
    problem(programs[2].post(path, {"version": 1}), 404, "not_found")
    body = programs[0].post(path, {"version": 1}).json()
    assert body["status"] == "finished"
    assert programs[0].post(path, {"version": 1}).status_code == 200, "sent twice"
    assert Match.objects.get(pk=match.pk).version == 2


def test_calling_off_early(programs, alice, bob):
    match = seated(alice, bob)
    assert programs[0].get(f"/matches/{match.slug}/table").json()["can_call_off"]
    assert programs[0].post(f"/matches/{match.slug}/call-off", {"version": 1}).json()["status"] == "cancelled"
    assert programs[0].post(f"/matches/{match.slug}/call-off", {"version": 1}).status_code == 200, "sent twice"
    late = play_out(seated(alice, bob, game="barvosauri"), rows=7)
    assert late.status == "playing"
    problem(programs[0].post(f"/matches/{late.slug}/call-off", {"version": late.version}), 409, "too_late")


def test_once_more(programs, alice, bob):
    match = play_out(seated(alice, bob))
    answer = programs[0].post(f"/matches/{match.slug}/again")
    assert answer.status_code == 201
    assert Match.objects.get(slug=answer.json()["id"]).rematch_of == match
    problem(programs[2].post(f"/matches/{match.slug}/again"), 404, "not_found")
    assert programs[1].post(f"/matches/{match.slug}/again").json()["id"] == answer.json()["id"]


def test_seats_that_change_hands(programs, alice, bob, charlie, clock):
    match = seated(alice, bob, leave_policy="substitute")
    seat = match.seats.get(user=alice).number
    programs[0].post(f"/matches/{match.slug}/resign", {"version": 1})
    assert programs[0].get(f"/matches/{match.slug}/table").json()["can_return"]
    assert programs[0].post(f"/matches/{match.slug}/return").json()["my_seat"] == seat
    version = Match.objects.get(pk=match.pk).version
    programs[0].post(f"/matches/{match.slug}/resign", {"version": version})
    assert [one["match"]["id"] for one in programs[2].get("/lobby").json()["vacancies"]] == [match.slug]
    problem(programs[1].post(f"/matches/{match.slug}/seats/{seat}/take"), 409, "own_match")
    problem(programs[2].post(f"/matches/{match.slug}/seats/9/take"), 404, "not_found")
    assert programs[2].post(f"/matches/{match.slug}/seats/{seat}/take").json()["my_seat"] == seat
    assert match.seats.get(number=seat).user == charlie
    problem(programs[0].post(f"/matches/{match.slug}/return"), 409, "taken_over")


def test_what_players_want_of_each_other(programs, alice, bob, clock):
    match = seated(alice, bob)
    base = f"/matches/{match.slug}"
    assert programs[0].post(f"{base}/propose", {"kind": "pause", "version": 1}).json()["match"]["status"] == "playing"
    seen = programs[1].get(f"{base}/table").json()["proposals"]
    assert [(one["kind"], one["agreed"], one["missing"]) for one in seen] == [("pause", ["alice"], [])]
    problem(programs[2].get(f"{base}/table"), 404, "not_found")
    problem(programs[1].post(f"{base}/agree", {"kind": "pause", "proposal": 0}), 409, "no_proposal")
    number = seen[0]["proposal"]
    assert programs[1].post(f"{base}/agree", {"kind": "pause", "proposal": number}).json()["match"]["paused_until"]
    assert problem(programs[0].post(f"{base}/resume", {"version": 1}), 409, "stale_version")["version"] == 2
    assert programs[0].post(f"{base}/resume", {"version": 2}).json()["match"]["paused_until"] is None
    programs[0].post(f"{base}/propose", {"kind": "cancel", "version": 3})
    programs[0].post(f"{base}/withdraw", {"kind": "cancel"})
    assert not Consent.objects.exists()
    programs[0].post(f"{base}/propose", {"kind": "cancel", "version": 3})
    number = programs[1].get(f"{base}/table").json()["proposals"][0]["proposal"]
    assert programs[1].post(f"{base}/decline", {"kind": "cancel", "proposal": number}).status_code == 200
    assert not Consent.objects.exists()


def test_time_and_reminders(programs, alice, bob, clock):
    match = seated(alice, bob)
    waiting = next(
        index for index, user in enumerate((alice, bob)) if match.seats.get(user=user).number != match.active_seat
    )
    other, base = programs[waiting], f"/matches/{match.slug}"
    problem(other.post(f"{base}/nudge", {"version": 1}), 409, "too_early")
    before = match.deadline
    assert other.get(f"{base}/table").json()["can_give_time"]
    assert other.post(f"{base}/give-time", {"version": 1}).status_code == 200
    match.refresh_from_db()
    assert match.deadline > before
    clock.forward(hours=13)
    assert other.post(f"{base}/nudge", {"version": 2}).status_code == 200
    assert Nudge.objects.count() == 1
    mover = programs[1 - waiting]
    assert mover.get(f"{base}/table").json()["nudged_by"] == [("alice", "bob")[waiting]]
    problem(mover.post(f"{base}/nudge", {"version": 2}), 409, "cannot_nudge")
    assert timedelta(0) < match.deadline - before


def test_wishes_notices_and_favourites(programs, alice, bob):
    match = seated(alice, bob)
    base = f"/matches/{match.slug}"
    wishes = [one["name"] for one in programs[0].get("/games/red").json()["wishes"]]
    assert programs[0].call("PUT", f"{base}/wishes", {"wishes": wishes[:1]}).json() == {"wishes": wishes[:1]}
    assert programs[0].get(f"{base}/wishes").json() == {"wishes": wishes[:1]}
    assert Seat.objects.get(match=match, user=alice).auto == wishes[:1]
    problem(programs[0].call("PUT", f"{base}/wishes", {"wishes": ["zz"]}), 400, "bad_request")
    problem(programs[2].get(f"{base}/wishes"), 404, "not_found")
    assert programs[0].call("PUT", f"{base}/notices", {"mode": "mute"}).json() == {"mode": "mute"}
    assert MatchChoice.objects.get().mode == "mute"
    programs[0].call("PUT", f"{base}/notices", {"mode": "usual"})
    assert not MatchChoice.objects.exists()
    problem(programs[0].call("PUT", f"{base}/star"), 409, "not_over")
    match = play_out(match)
    assert programs[0].call("PUT", f"{base}/star").status_code == 204
    assert Favourite.objects.count() == 1
    assert programs[0].get("/me/history?starred=yes").json()["items"][0]["starred"]
    assert programs[0].call("DELETE", f"{base}/star").status_code == 204
    assert not Favourite.objects.exists()


def test_my_matches_stand_where_they_belong(programs, alice, bob):
    running, waiting = seated(alice, bob), made(programs[0])
    found = programs[0].get("/me/matches").json()
    own = "my_turns" if running.seats.get(user=alice).number == running.active_seat else "waiting"
    assert [one["id"] for one in found[own]] == [running.slug]
    assert [one["id"] for one in found["open"]] == [waiting.slug]
    mine = programs[0].get("/me").json()
    assert mine["turns"] == len(found["my_turns"])
    move(running)
    assert programs[2].get("/me/matches").json()["my_turns"] == []
