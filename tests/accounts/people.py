"""People with accounts, and the ways in, as the tests walk them: by form and by mail."""

from __future__ import annotations

import re
from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import User
from tests.client import Client

PASSWORD = "violet kettle under moss"
CODE = re.compile(r"^ {4}([A-Z]{4}-[A-Z]{4})$", re.MULTILINE)


def account(name: str, password: str = PASSWORD) -> User:
    """A person with a verified address: ``name`` at example.org."""
    user = User(username=name, email=f"{name}@example.org")
    user.set_password(password)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def code(mails: list[Any] | None = None) -> str:
    """The code in the latest mail."""
    found = CODE.search((mail.outbox if mails is None else mails)[-1].body)
    assert found, mail.outbox[-1].body
    return found[1]


def sign_up(client: Client, name: str, email: str = "", password: str = "") -> Any:
    """Fills in the form for signing up; the answer."""
    fields = {"username": name, "email": email or f"{name}@example.org", "password1": password}
    return client.post("/account/signup/", fields)


def verify(client: Client, entered: str = "") -> Any:
    """Enters the code that was mailed; the answer."""
    return client.post("/account/verify/", {"action": "verify", "code": entered or code()})


def log_in(client: Client, login: str, password: str = PASSWORD, query: str = "") -> Any:
    """Fills in the form for logging in; the answer."""
    return client.post(f"/account/login/{query}", {"login": login, "password": password})


def whose(client: Client) -> User | None:
    """Whose session the client has."""
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def bare(answer: Any, *words: str) -> tuple[int, str, str]:
    """Status, where it leads, and the page, without the words and what is random."""
    page = TOKEN.sub("", answer.content.decode())
    for word in words:
        page = page.replace(word, "")
    return answer.status_code, answer.headers.get("Location", ""), page
