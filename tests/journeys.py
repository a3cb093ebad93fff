"""Ways through the pages of accounts over the network, with the mails that the site shows on its own machine."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

from tests.serving import Player

PASSWORD = "violet kettle under moss"
CODE = re.compile(r"^ {4}([A-Z]{4}-[A-Z]{4})$", re.MULTILINE)


def fill(player: Player, path: str, **fields: str) -> str:
    """Fills in the first form of the page that has the token and sends it; where the site leads then."""
    form = next(form for form in player.page(path).forms if "csrfmiddlewaretoken" in form.fields)
    answer = player.client.post(form.action or path, data={**form.fields, **fields})
    assert answer.status_code == 302, (path, answer.status_code, answer.text)
    return urlsplit(answer.headers["location"]).path


def code(player: Player) -> str:
    """The code in the latest mail."""
    found = CODE.search(unescape(player.client.get("/dev/mail/").text))
    assert found
    return found[1]


def sign_up(player: Player, name: str) -> None:
    """Signs up with a password and enters the code."""
    email = f"{name}@example.org"
    assert fill(player, "/account/signup/", username=name, email=email, password1=PASSWORD) == "/account/verify/"
    assert fill(player, "/account/verify/", code=code(player)) == "/turns/"


def log_in(player: Player, name: str, password: str = PASSWORD) -> None:
    """Logs in by the form."""
    assert fill(player, "/account/login/", login=name, password=password) == "/turns/"
