"""Signing up by an account elsewhere: a name is still to be chosen, and the address verified if nobody has done so."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.socialaccount import forms as given
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import signup
from accounts.forms import Naming, Plain


class SocialSignupForm(Naming, given.SignupForm):
    """A name, and the address that the provider told."""

    def verified(self) -> bool:
        """Whether the provider says that the address in the form is verified."""
        email = self.cleaned_data["email"]
        return any(found.verified and found.email.lower() == email for found in self.sociallogin.email_addresses)

    def try_save(self, request: HttpRequest) -> tuple[None, HttpResponse]:
        """The next page. The account elsewhere is connected once the address is verified."""
        request.session[signup.CONNECTION] = self.sociallogin.serialize()
        if self.account_already_exists or not self.verified():
            return None, self.begin(request)
        guest = self.take_name(request)
        request.user = guest
        address = EmailAddress(user=guest, email=self.cleaned_data["email"])
        get_adapter().confirm_email(request, address)
        return None, redirect(self.sociallogin.get_redirect_url(request) or "dashboard")


class DisconnectForm(Plain, given.DisconnectForm):
    """Which account elsewhere is not to be connected any more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["account"].label = _("Account")
