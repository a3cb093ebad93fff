"""How allauth does things here: names, addresses, mails, and what happens to the guest of a browser at a login."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts import mail, names, notes, signals, signup, visitors
from accounts.models import User

TOO_OFTEN = _("That was too often. Please wait a while, at most an hour, and try again.")


class AccountAdapter(DefaultAccountAdapter):
    """allauth's hooks."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": _("This is the address that you have already."),
        "email_taken": _("This address belongs to another account."),
        "email_password_mismatch": _("The name or address and the password do not belong together."),
        "username_password_mismatch": _("The name or address and the password do not belong together."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_code": _("This is not the code. Please look at the mail again; only the latest code counts."),
        "incorrect_password": _("This is not your password."),
        "invalid_login": _("The name or address and the password do not belong together."),
        "too_many_login_attempts": TOO_OFTEN,
        "rate_limited": TOO_OFTEN,
        "username_taken": names.TAKEN,
        "username_blacklisted": names.TAKEN,
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that limits count."""
        return visitors.address(request)

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: every answer is a page of ours."""
        return False

    def is_safe_url(self, url: str) -> bool:
        """Whether a form may lead on to this address: a path of this site and nothing else."""
        plain = url.isascii() and url.isprintable() and "\\" not in url and len(url) < 1000
        return plain and url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name, if it may be taken. Raises ValidationError."""
        names.check(username)
        if not shallow and not signup.is_free(username, visitors.guest_of(context.request)):
            raise ValidationError(names.TAKEN, code="taken")
        return username

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Keeps the password and nothing else: what others have changed in the row meanwhile stays."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The account's page."""
        return reverse("account")

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Logs in; the guest whose browser it was comes along, with the browser itself."""
        guest = visitors.guest_of(request)
        device = request.session.get(visitors.DEVICE) if guest is not None else None
        super().login(request, user)  # of another user than the guest it begins an empty session
        if device is not None:
            request.session[visitors.DEVICE] = device
        request.session.set_expiry(settings.ACCOUNT_SESSION_COOKIE_AGE)
        if guest is not None and guest.pk != user.pk:
            for _receiver, said in signals.guest_came_along.send(User, guest=guest, user=user):
                if said:
                    notes.leave(request, said)

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Whether the address is now verified; not if another account was faster."""
        try:
            with transaction.atomic():
                return super().confirm_email(request, email_address)
        except IntegrityError:
            return False

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Leaves the sentences that matter for the next page."""
        sentence = message or str(MESSAGES.get(message_template or "", "")) % (message_context or {})
        if sentence:
            notes.leave(request, sentence, good=level < messages.WARNING)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """The code for a new address: of a guest who signs up, or of a person who changes it."""
        email = emailconfirmation.email_address
        new = bool(email.user_id) and email.user.is_guest
        template = "account/email/email_confirmation_signup" if new else "account/email/email_confirmation"
        self.send_mail(template, email.email, {"user": email.user, "code": emailconfirmation.key})

    def render_mail(
        self, template_prefix: str, email: Any, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> EmailMessage:
        """A mail of plain text."""
        to = [email] if isinstance(email, str) else email
        facts = {**context, "site_url": _site_url()}
        subject = " ".join(render_to_string(f"{template_prefix}_subject.txt", facts).split())
        body = render_to_string(f"{template_prefix}_message.txt", facts).strip() + "\n"
        automatic = {"Auto-Submitted": "auto-generated", **(headers or {})}
        return EmailMessage(subject, body, self.get_from_email(), to, headers=automatic)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends a mail that somebody waits for. Raises mail.NotSent."""
        mail.send(self.render_mail(template_prefix, email, context))

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tells the owner of an account what was changed; after the transaction, and without holding anything up."""
        to = email or user.email
        if to:
            message = self.render_mail(template_prefix, to, {"user": user, **(context or {})})
            transaction.on_commit(partial(mail.send, message), robust=True)


def _site_url() -> str:
    """How the reader reaches the site: embedded, it has any port; in production no header of a request is believed."""
    request = context.request
    if settings.EMBEDDED and request is not None:
        return f"{request.scheme}://{request.get_host()}"
    return settings.SITE_URL


MESSAGES = {
    "account/messages/password_changed.txt": _("Your password is changed. Other browsers are logged out."),
    "account/messages/password_set.txt": _("Your password is set. Other browsers are logged out."),
    "account/messages/email_confirmed.txt": _("%(email)s is verified: it is the address of your account."),
    "account/messages/email_confirmation_failed.txt": _("This address could not be verified: it has another account."),
    "account/messages/logged_out.txt": _("You are logged out."),
    "socialaccount/messages/account_connected.txt": _("The account is connected: you can log in with it."),
    "socialaccount/messages/account_connected_updated.txt": _("This account was connected already."),
    "socialaccount/messages/account_connected_other.txt": _("This account belongs to somebody else here."),
    "socialaccount/messages/account_disconnected.txt": _("The account is not connected any more."),
}
"""Our sentences for the messages of allauth that a user should see."""
