"""User names: which may be taken, and which are too much like another one."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 2, 30
"""Characters of a user name."""

ALPHABET = re.compile(r"[A-Za-z0-9_-]+\Z")
"""ASCII only: letters of other alphabets that look the same cannot stand in for these."""

PROGRAM = re.compile(r"[bB][oO0][tT](?![a-z])|[bB][oO0][tT][-_]", re.ASCII)
"""How the names of bots begin, as they are stored and shown ("bot-ada", "Bot Ada"), in whatever letters."""

TAKEN = _("This name is taken, or too much like one that is. Please choose another.")
"""The one sentence for taken, reserved and confusable names, so that it tells nothing about which it is."""

_LOOKS_LIKE = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("-", ""), ("_", ""))


def skeleton(name: str) -> str:
    """What is left of a name when all that is easily mixed up is the same: two with one skeleton are too alike."""
    plain = name.lower()
    for looks, like in _LOOKS_LIKE:
        plain = plain.replace(looks, like)
    return plain


_WORDS = """
    abuse account accounts admin administrator admins all anonymous anyone api bot bots deleted everybody everyone
    guest guests help helpdesk host info login logout mail me mod moderator moderators natahu nobody none null
    operator owner player players postmaster privacy root security server settings site staff superuser support
    sysadmin system team undefined unknown user users webmaster www you
"""
RESERVED = frozenset(map(skeleton, _WORDS.split()))
"""Skeletons of names under which nobody may speak."""


def check(name: str) -> None:
    """Raises ValidationError for a name that nobody may have; whether somebody has it, the database says."""
    if not ALPHABET.match(name):
        raise ValidationError(_("Only letters (a to z), digits, - and _ are allowed."), code="alphabet")
    if not SHORTEST <= len(name) <= LONGEST or not skeleton(name):
        raise ValidationError(
            _("A name has %(shortest)d to %(longest)d characters, not only dashes.")
            % {"shortest": SHORTEST, "longest": LONGEST},
            code="length",
        )
    if reserved(name):
        raise ValidationError(TAKEN, code="taken")


def reserved(name: str) -> bool:
    """Whether the name would speak for the site, or for a guest or a bot."""
    bare = name.lstrip("-_")
    return skeleton(name) in RESERVED or bool(PROGRAM.match(bare)) or skeleton(name).startswith("guest")
