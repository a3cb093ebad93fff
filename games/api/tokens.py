"""For whom a request to the API acts: a token, or the session of a browser."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from accounts import tokens
from accounts.models import Token, User
from games.services.errors import Refused

SCHEME = "bearer"


class BadToken(Refused):
    """The token is none, or none any more."""

    code = "bad_token"
    status = 401
    sentence = _("This token is not valid, or not any more.")


class NeedsScope(Refused):
    """The token does not allow this."""

    code = "needs_scope"
    status = 403
    sentence = _("This token does not allow that. Make another one in the settings.")


def token_of(given: HttpRequest | Request | str) -> Token | None:
    """The token of a request, or of the text of its Authorization header; None if there is none. Raises BadToken.

    That it is used is noted.
    """
    header = given if isinstance(given, str) else given.META.get("HTTP_AUTHORIZATION", "")
    if not header:
        return None
    scheme, _blank, text = header.partition(" ")
    token = tokens.find(text.strip()) if scheme.lower() == SCHEME else None
    if token is None:
        raise BadToken
    tokens.used(token)
    return token


def user_of(given: HttpRequest | Request | str, scope: str = Token.Scope.READ) -> User | None:
    """Whose token the request, or the Authorization header, carries; None if it carries none.

    Raises BadToken, and NeedsScope if the token does not have the scope.
    """
    token = token_of(given)
    if token is None:
        return None
    check(token, scope)
    return token.user


def check(token: Token, scope: str) -> None:
    """Raises NeedsScope if the token does not allow what needs the scope."""
    if scope not in token.scopes.split():
        raise NeedsScope


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer nt_...``; ``request.auth`` is the token then."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """The user and the token; None without the header. Raises BadToken."""
        token = token_of(request)
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="Na tahu"'


class BrowserAuthentication(SessionAuthentication):
    """The session of a browser, guests included; what writes needs the token against forgery, as forms do."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """The user of the session; None for nobody. Raises PermissionDenied for a forged request."""
        user = getattr(request._request, "user", None)
        if user is None or isinstance(user, AnonymousUser) or not user.is_active:
            return None
        self.enforce_csrf(request)
        return user, None
