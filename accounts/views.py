"""The pages of accounts that are not allauth's own, or differ from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as given
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts import names, notes, signup, visitors
from accounts.doors import door
from accounts.resend import SignupCodeView

NO_CODE = _("There is no code to enter any more. Sign up again: what you have played stays with you.")

ANOTHER = _("Another code is on its way. Only the newest one counts.")


def resending(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator for views where a code is entered: who asks for another one is told that it was sent."""

    @wraps(view)
    def told(request: HttpRequest) -> HttpResponse:
        answer = view(request)
        here = answer.headers.get("Location", "").partition("?")[0] == request.path
        if request.POST.get("action") == "resend" and here and not notes.waits(request):
            notes.leave(request, ANOTHER)
        return answer

    return told


@door(hide=False)
def account(request: HttpRequest) -> HttpResponse:
    """What there is to see and change of an account; for everybody else, the ways to one."""
    context: dict[str, Any] = {"pending": EmailVerificationProcess.resume(request)}
    user = request.user
    if user.is_authenticated and not user.is_guest:
        context["address"] = EmailAddress.objects.filter(user=user, verified=True).first()
        if settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]:
            context["connections"] = SocialAccount.objects.filter(user=user).count()
    return render(request, "account/account.html", context)


class StillOpen:
    """A page that a code which is waited for does not close: it may have gone to a mailbox that one cannot read."""

    def _redirect_to_pending_stage(self, _request: HttpRequest, _stage: object) -> None:
        """Nowhere; the code still counts until another is asked for or somebody has logged in."""


class LoginView(StillOpen, given.LoginView):
    """Logging in with a password."""


class RequestLoginCodeView(StillOpen, given.RequestLoginCodeView):
    """Asking for a code, also for another one to another address."""


class SignupView(given.SignupView):
    """Signing up by form."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """The next page, or the form again if somebody was faster to take the name."""
        try:
            return super().form_valid(form)
        except signup.NameTaken:
            form.add_error("username", names.TAKEN)
            return self.form_invalid(form)


class EmailView(given.EmailView):
    """The address of an account, and changing it; it cannot be taken away."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Mails a code to the new address."""
        form = self.get_form()
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def get_success_url(self) -> str:
        """Where the code is entered, and then back to the account."""
        return f"{reverse('account_email_verification_sent')}?{urlencode({'next': reverse('account')})}"


@resending
def verify(request: HttpRequest) -> HttpResponse:
    """Entering the code that was mailed to a new address; leads to the account's page if none is awaited."""
    if EmailVerificationProcess.resume(request) is None:
        clear_login(request)
        if visitors.guest_of(request):
            notes.leave(request, NO_CODE, good=False)
        return redirect("account")
    response: HttpResponse = SignupCodeView.as_view()(request)
    return response


@door(hide=False)
def reset_done(request: HttpRequest) -> HttpResponse:
    """Where a reset leads whom it does not log in."""
    return redirect("account")
