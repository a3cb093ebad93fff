"""Another code, please: it takes as long and counts as much whether or not the address has an account."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.signup import send_unknown_account_mail
from allauth.account.views._email_verification import ConfirmEmailVerificationCodeView
from allauth.account.views._login import ConfirmLoginCodeView
from allauth.core import ratelimit
from allauth.core.ratelimit import respond_429
from django import forms
from django.http import HttpResponse


class LoginCodeView(ConfirmLoginCodeView):
    """Entering the code for logging in."""

    def _resend_form_valid(self, form: forms.Form) -> HttpResponse:
        """Mails again, whoever it is, as long as the mailbox has not had its mails of the hour."""
        email = self._process.state["email"]
        if not ratelimit.consume(self.request, action="request_login_code", key=email.lower()):
            return respond_429(self.request)
        response: HttpResponse = super()._resend_form_valid(form)
        if self._process.user is None:
            send_unknown_account_mail(self.request, email)
        return response


class SignupCodeView(ConfirmEmailVerificationCodeView):
    """Entering the code that verifies an address."""

    def _resend_form_valid(self, form: forms.Form) -> HttpResponse:
        """Mails again, also to who has an account already; allauth counts it."""
        response: HttpResponse = super()._resend_form_valid(form)
        if self._process.user is None:
            get_adapter().send_account_already_exists_mail(self._process.email)
        return response
