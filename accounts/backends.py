"""Who may log in, and whose session it is."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.models import User


class People(AuthenticationBackend):
    """People log in by name or address and password; guests have a session and no other way in."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> AbstractBaseUser | None:
        """Whom the credentials belong to. A guest who has chosen a name and not verified the address is nobody yet."""
        user = super()._authenticate(request, **credentials)
        return user if isinstance(user, User) and user.kind == User.Kind.PERSON else None
