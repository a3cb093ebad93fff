"""The schema against the site: it stands in the repository, and whatever is sent, every answer is as it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings as how, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.api.pages import schema
from games.models import Invitation, Notice
from games.services import lobby, notices
from tests.api.calling import Program
from tests.conftest import move, play_out, seated

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

KEPT = Path(__file__).parents[2] / "docs" / "openapi.yaml"

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

ROLES = ("stranger", "player", "opponent")


def test_the_schema_in_the_repository_is_that_of_the_site(tmp_path):
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(made))
    assert made.read_text() == KEPT.read_text(), "run: manage.py spectacular --file docs/openapi.yaml"


def test_every_operation_says_what_can_go_wrong():
    for path, methods in schema()["paths"].items():
        for method, one in methods.items():
            assert one["summary"], (method, path)
            expected = {"400", "401", "403", "406", "429", "500", "503"}
            expected |= {"404", "409"} if "{" in path else set()
            expected |= {"409", "413", "415", "422"} if method != "get" else {"304"}
            assert expected <= set(one["responses"]), (method, path)


@pytest.fixture
def _open_connections():
    """The site's way of closing connections would close the test's own."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def known(alice, bob, charlie) -> dict[str, list[Any]]:
    """What addresses may name: matches in every status, people, and rows of alice."""
    running, three = seated(alice, bob, days=2), seated(alice, bob, game="power_cards", bots=1)
    waiting = lobby.create(alice, lobby.Proposal("barvosauri", 3, 0, listed=True), [bob])
    lobby.create(bob, lobby.Proposal("red", 2, 0), [alice])
    over = play_out(seated(alice, bob, rated=True), 3)
    hidden = seated(alice, bob, audience="seated")
    move(running)
    notices.store([notices.tell(alice.pk, Notice.Kind.TURN, "turn:x", running, version=1)])
    return {
        "slug": [found.slug for found in (running, three, waiting, over, hidden)] + ["aaaaaaaaaa"],
        "name": ["alice", "bob", "charlie", "nobody"],
        "other": ["bob", "charlie"],
        "game": ["red", "barvosauri", "zz"],
        "family": ["overall", "red", "zz"],
        "id": [*Invitation.objects.values_list("pk", flat=True), 0],
        "number": [0, 1, 9],
    }


@pytest.mark.usefixtures("unlimited", "_open_connections")
@pytest.mark.parametrize("role", ROLES)
def test_whatever_is_sent_is_answered_as_the_schema_says(role, known, thorough, alice, bob):
    loaded = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application())
    program = Program({"player": alice, "opponent": bob, "stranger": None}[role])
    headers = {"Authorization": f"Bearer {program.token}"} if program.token else {}
    statuses: set[int] = set()

    def tried(operation: Any, mode: GenerationMode, number: int) -> None:
        @how(
            max_examples=number,
            derandomize=not thorough,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
        def run(case: Any, data: Any) -> None:
            for name in case.path_parameters or {}:
                if mode == GenerationMode.POSITIVE or data.draw(st.booleans()):
                    case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
            answer = case.call_and_validate(headers=headers, checks=CHECKS)
            statuses.add(answer.status_code)

        run()

    for result in loaded.get_all_operations():
        operation = result.ok()
        tried(operation, GenerationMode.POSITIVE, 40 if thorough else 2)
        if operation.body or operation.query:
            tried(operation, GenerationMode.NEGATIVE, 20 if thorough else 1)
    assert {200, 400, 404} <= statuses
    assert role == "stranger" or {201, 204, 409, 422} & statuses
    assert (401 in statuses) == (role == "stranger")


def test_the_kept_schema_is_one(tmp_path):
    kept = yaml.safe_load(KEPT.read_text())
    assert len(kept["paths"]) == len(schema()["paths"])
