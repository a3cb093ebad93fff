"""Passwords that are long but hardly thought of: the site's words, one's own name, repetitions and runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

LOOKED_AT = 128
"""Characters that are looked at; more than that is not guessed anyway."""

OWN = 8
"""Characters that must be left when all that is easily guessed is taken away."""

WORDS = (
    "password",
    "passwort",
    "heslo",
    "tahu",
    "cards",
    "power",
    "game",
    "hra",
    "login",
    "letmein",
    "admin",
    "welcome",
)

ROWS = ("qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm")


class OwnThought:
    """Django's validator for passwords of ``words`` and the like."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = (*words, *WORDS, *ROWS)

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError if too little is left of the password."""
        own = [part for text in _texts(user) for part in re.split(r"[\W_]+", text.casefold()) if len(part) > 2]
        if len(_rest(password, {*self.words, *own})) < OWN:
            raise ValidationError(
                _(
                    "This password is easily guessed: it is made of words of this site, your name, repetitions or runs "
                    "like 12345. Take some words that come to nobody else's mind."
                ),
                code="guessed",
            )

    def get_help_text(self) -> str:
        """One sentence for a form."""
        return gettext("Not made of the names of this site, your own name, repetitions or runs.")


def _texts(user: Any) -> list[str]:
    if user is None:
        return []
    return [user.username or "", (user.email or "").partition("@")[0]]


def _rest(password: str, words: Iterable[str]) -> str:
    """What is left without words, repetitions, runs and the punctuation between them."""
    text = re.sub(r"[\s!-/:-@\[-`{-~]+", "", password[:LOOKED_AT].casefold())
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, "")
    text = re.sub(r"(.{1,8}?)\1+", r"\1", text)
    return "".join(letter for index, letter in enumerate(text) if not _in_run(text, index))


def _in_run(text: str, index: int) -> bool:
    """Whether the character goes on a run, up or down: the third of "abc"."""
    if index < 2:
        return False
    step = ord(text[index]) - ord(text[index - 1])
    return step in (-1, 1) and ord(text[index - 1]) - ord(text[index - 2]) == step
