"""Mails and sudden death: whatever happens to who sends them, each arrives, and a copy is known by its Message-ID."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from email import message_from_bytes

import pytest
from aiosmtpd.controller import Controller

from tests.serving import ROOT, Server, free_port

ASK = """
from datetime import UTC, datetime
from django.db import transaction
from accounts.models import User
from games.models import Choice, Match
from games.services import lobby, turns
def ask(number):
    user = User.objects.create(username=f"person{number}", email=f"person{number}@example.org", password="!")
    User.objects.filter(pk=user.pk).update(seen_at=datetime(2026, 1, 1, tzinfo=UTC))
    Choice.objects.create(user=user, kind="turn", channel="mail", mode="instant")
    match = lobby.create(user, lobby.Proposal("red", 2, 1, days=7))
    turns.play_bots(match.pk)
with transaction.atomic():
    for number in range(PEOPLE):
        ask(number)
"""

SENDERS = """
import os, signal, sys, time, django
django.setup()
from datetime import timedelta
from django.conf import settings
from games.delivery import sending
settings.EMAIL_TIMEOUT = 0.5
sending.LEASE = timedelta(seconds=0.2)
sending.PAUSES = (timedelta(seconds=0.1),) * 100
from games import tasks
from games.models import Delivery

def send(fail_at):
    settings.FAIL_AT = fail_at
    while True:
        tasks.deliveries()
        if not Delivery.objects.filter(status__in=("waiting", "sending")).exists():
            break
        time.sleep(0.05)

for order in sys.argv[1:]:
    child = os.fork()
    if not child:
        send(order if ":" in order else "")
        os._exit(0)
    if order.startswith("0."):
        time.sleep(float(order))
        os.kill(child, signal.SIGKILL)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""One process after the other sends what is due. For each there is an argument: the point at which it dies, the time
after which it is killed, or "whole" for one that goes on until nothing is left. Prints how each ended."""

POINTS = ("after_claim_delivery", "after_send", "after_mark")


class Sink:
    """A mail server that does with each mail what its script says next, and accepts when that is at its end."""

    def __init__(self) -> None:
        self.copies: list[str] = []
        self.unanswered = 0
        self.script: Iterator[str] = iter(())

    async def handle_DATA(self, server, session, envelope):
        """Takes a mail, or does not."""
        act = next(self.script, "accept")
        if act == "stall":
            await asyncio.sleep(1.5)
            return "451 4.3.0 too late"
        if act == "later":
            return "451 4.3.0 not now"
        self.copies.append(message_from_bytes(envelope.content)["Message-ID"])
        if act == "drop":  # it has the mail and dies before it says so
            self.unanswered += 1
            server.transport.abort()
        return "250 OK"


@pytest.fixture
def sink():
    """A running mail server."""
    sink = Sink()
    controller = Controller(sink, hostname="127.0.0.1", port=free_port())
    controller.start()
    sink.port = controller.port
    yield sink
    controller.stop()


def asked(tmp_path, database, sink, people) -> Server:
    """A site, not running, on which people are asked to move."""
    server = Server(tmp_path / "var", **database, EMAIL_URL=f"smtp://127.0.0.1:{sink.port}", LOG_LEVEL="CRITICAL")
    server.manage("shell", "-c", ASK.replace("PEOPLE", str(people)))
    return server


def sent_by(server: Server, *orders: str) -> list[int]:
    """How the processes ended that sent what was due, see SENDERS."""
    environment = {**server.environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", SENDERS, *orders]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=600
    )
    return [int(line) for line in done.stdout.split()]


def rows(server: Server) -> list[tuple[str, str]]:
    """Status and Message-ID of each delivery by mail."""
    return server.ask("SELECT status, message_id FROM games_delivery WHERE channel = 'mail' ORDER BY id")


def test_o11_whoever_is_killed_each_mail_arrives(tmp_path, database, sink, thorough):
    kills, chance = 100 if thorough else 6, random.Random(11)
    server = asked(tmp_path, database, sink, 3 * kills)
    orders = [f"{POINTS[number % 3]}:{chance.randint(1, 2)}" for number in range(kills)]
    orders[3::4] = [f"{chance.uniform(0, 0.1):.3f}" for _order in orders[3::4]]
    assert sent_by(server, *orders, "whole") == [-signal.SIGKILL] * kills + [0]
    found = rows(server)
    assert [status for status, _mark in found] == ["sent"] * 3 * kills
    marks = [mark for _status, mark in found]
    assert len(set(marks)) == len(marks)
    assert set(sink.copies) == set(marks)
    assert len(sink.copies) <= len(marks) + kills
    [(told, distinct)] = server.ask("SELECT count(*), count(DISTINCT user_id || ' ' || key) FROM games_notice")
    assert told == distinct
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def test_o11_whatever_the_mail_server_does_each_mail_arrives(tmp_path, sink):
    sink.script = iter(["later", "stall", "drop", "accept", "drop", "later", "drop"])
    server = asked(tmp_path, {}, sink, 4)
    assert sent_by(server, "whole") == [0]
    found = rows(server)
    assert [status for status, _mark in found] == ["sent"] * 4
    assert sink.unanswered == 3
    assert set(sink.copies) == {mark for _status, mark in found}
    assert len(sink.copies) == 4 + 3
