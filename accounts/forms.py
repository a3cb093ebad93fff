"""The forms of accounts: allauth's, with our labels and without placeholders."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as given
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.utils import passthrough_next_redirect_url
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names, signup, visitors
from accounts.models import User

LONG = _("At least 15 characters; some words in a row are best. Everything is allowed, spaces, too.")
NO_ADDRESS = _("This is no e-mail address. Please look at it again.")
OPTIONAL = _("You may leave this empty: then we mail you a code whenever you log in.")

SHOWN: dict[str, dict[str, Any]] = {
    "login": {"label": _("User name or e-mail"), "help_text": ""},
    "username": {"label": _("User name"), "help_text": _("Letters (a to z), digits, - and _. Everybody sees it.")},
    "email": {"label": _("E-mail"), "help_text": ""},
    "password": {"label": _("Password"), "help_text": ""},
    "oldpassword": {"label": _("Present password"), "help_text": ""},
    "password1": {"label": _("New password"), "help_text": LONG},
    "password2": {"label": _("New password, again"), "help_text": ""},
    "code": {"label": _("Code"), "help_text": _("Large or small letters, with or without the dash.")},
}
"""Label and help of every field."""


class Plain(forms.Form):
    """What all our forms have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            for attribute, text in SHOWN.get(name, {}).items():
                setattr(field, attribute, text)
            if isinstance(field.widget, forms.TextInput) and name in ("login", "username", "code"):
                field.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
        if "username" in self.fields:
            self.fields["username"].widget.attrs["maxlength"] = str(names.LONGEST)
        if "login" in self.fields:
            self.fields["login"].widget.attrs["autocomplete"] = "username"
        if "code" in self.fields:
            self.fields["code"].widget.attrs["autofocus"] = True  # the page is there for nothing else
        if "email" in self.fields:
            self.fields["email"].error_messages["invalid"] = NO_ADDRESS


class Naming(Plain):
    """What the two forms for signing up share: a guest gets the name, and a code is on its way."""

    account_already_exists: bool

    def begin(self, request: HttpRequest, password: str = "") -> HttpResponse:
        """Gives this browser's guest the name, mails the code, and leads to where it is entered.

        The same happens, as far as anybody can see, if the address has an
        account already. Raises signup.NameTaken, mail.NotSent or allauth's
        refusal of too many mails.
        """
        guest = self.take_name(request, password)
        user = None if self.account_already_exists else guest
        EmailVerificationProcess.initiate(request=request, user=user, email=self.cleaned_data["email"])
        return redirect(passthrough_next_redirect_url(request, reverse("account_email_verification_sent"), "next"))

    def take_name(self, request: HttpRequest, password: str = "") -> User:
        """The guest of this browser, made if need be, with the name. Raises signup.NameTaken."""
        guest = visitors.guest_of(request) or visitors.new_guest(request)
        guest = signup.claim(request, guest, self.cleaned_data["username"], password)
        request.guest = guest  # type: ignore[attr-defined]
        return guest


class SignupForm(Naming, given.SignupForm):
    """A name, an address, and a password if one wants."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password (optional)")
        self.fields["password1"].help_text = f"{OPTIONAL} {LONG}"

    def try_save(self, request: HttpRequest) -> tuple[None, HttpResponse]:
        """The next page. Raises what ``begin`` raises."""
        request.session.pop(signup.CONNECTION, None)
        return None, self.begin(request, self.cleaned_data.get("password1") or "")


class LoginForm(Plain, given.LoginForm):
    """Name or address, and password."""

    def user_credentials(self) -> dict[str, str]:
        """Name or address and the password; not both, or a known address would take twice the time of an unknown."""
        login, password = self.cleaned_data["login"], self.cleaned_data.get("password", "")
        return {"email" if "@" in login else "username": login, "password": password}


class RequestLoginCodeForm(Plain, given.RequestLoginCodeForm):
    """The address that the code is mailed to."""


class ConfirmLoginCodeForm(Plain, given.ConfirmLoginCodeForm):
    """The code."""


class ConfirmEmailForm(Plain, given.ConfirmEmailVerificationCodeForm):
    """The code."""


class NewEmailForm(Plain, given.AddEmailForm):
    """The new address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail")


class ChangePasswordForm(Plain, given.ChangePasswordForm):
    """The old password and a new one."""


class SetPasswordForm(Plain, given.SetPasswordForm):
    """A first password."""


class ResetPasswordForm(Plain, given.ResetPasswordForm):
    """The address that the code is mailed to."""


class ConfirmResetForm(Plain, given.ConfirmPasswordResetCodeForm):
    """The code."""


class NewPasswordForm(Plain, given.ResetPasswordKeyForm):
    """A new password after a reset."""


class ReauthenticateForm(Plain, given.ReauthenticateForm):
    """The password, once more."""


class ConfirmReauthenticationForm(Plain, given.ConfirmReauthenticationCodeForm):
    """The code."""
