"""Codes that were mailed hold as long as the address is the account's: not after another has taken its place."""

from __future__ import annotations

from functools import wraps
from typing import Any

from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY
from allauth.account.internal.stagekit import clear_login, unstash_login
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse

from accounts.doors import View
from accounts.models import User


def while_address_holds(view: View) -> View:
    """A view that goes on with a code, and finds none if the address it went to is not the account's any more."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        _forget_outdated(request)
        response: HttpResponse = view(request, *args, **kwargs)
        return response

    return checked


def _forget_outdated(request: HttpRequest) -> None:
    """Ends a login or a reset in this browser whose code went to an address that is not the account's any more.

    The other browser's session cannot be reached when the address is changed,
    so it is looked at whenever it goes on.
    """
    reset = request.session.get(PASSWORD_RESET_VERIFICATION_SESSION_KEY)
    if reset and reset.get("user_id") and not _belongs(reset["email"], int(reset["user_id"])):
        del request.session[PASSWORD_RESET_VERIFICATION_SESSION_KEY]
    login = unstash_login(request, peek=True)
    if login and login.user and login.email and not _belongs(login.email, login.user.pk):
        clear_login(request)


def _belongs(email: str, user_id: int) -> bool:
    """Whether the address is the user's; that of one made by command may stand in the user's own row only."""
    addresses = EmailAddress.objects.filter(user=user_id)
    if addresses.exists():
        return addresses.filter(email=email.lower(), verified=True).exists()
    return User.objects.filter(pk=user_id, email__iexact=email).exists()
