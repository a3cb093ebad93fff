"""What pages know of accounts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from accounts import dev_mail, notes as notes_left


def notes(request: HttpRequest) -> dict[str, Any]:
    """``note``: what was left for this page, taken when a template asks for it; ``mail_here``: see ``dev_mail``."""
    return {
        "note": lambda: notes_left.take(request) if hasattr(request, "session") else None,
        "mail_here": lambda: dev_mail.here(request),
    }
