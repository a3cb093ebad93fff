"""Logging in with an account elsewhere, by OpenID Connect. Stricter than allauth is by itself.

The identity token must be there, signed by the provider's key, for us, for
this very attempt (its nonce), and about whom the provider's other answer is
about.
"""

from __future__ import annotations

import secrets
from typing import Any

import requests
from allauth.account.signals import email_confirmed
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount import views as given
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django import forms
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from accounts import names, signup
from accounts.models import User

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
"""Signatures by a key pair; never by a secret that could be mistaken for a public key."""


class TokenAdapter(OpenIDConnectOAuth2Adapter):
    """How the provider is asked, and what of its answer is believed."""

    def complete_login(self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any) -> SocialLogin:
        """Who logs in. Raises OAuth2Error for an answer that is not in order."""
        if not kwargs["response"].get("id_token"):
            raise OAuth2Error("no identity token")
        try:
            return super().complete_login(request, app, token, **kwargs)
        except (KeyError, TypeError, ValueError) as malformed:
            raise OAuth2Error("malformed answer") from malformed

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """What the token says, its signature checked in any case."""
        import jwt

        try:
            algorithm = jwt.get_unverified_header(id_token).get("alg")
        except jwt.PyJWTError as malformed:
            raise OAuth2Error("malformed token") from malformed
        if algorithm not in ALGORITHMS:
            raise OAuth2Error(f"signed by {algorithm!r}")
        self.did_fetch_access_token = False  # else allauth trusts the connection alone
        claims: dict[str, Any] = super()._decode_id_token(app, id_token)
        return claims


class Provider(OpenIDConnectProvider):
    """A provider of OIDC_PROVIDERS."""

    oauth2_adapter_class = TokenAdapter

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **kwargs: Any
    ) -> HttpResponse:
        """Sends the visitor to the provider, with a nonce that its token must repeat."""
        nonce = secrets.token_urlsafe(24)
        params = {**self.get_auth_params(), "nonce": nonce}
        kwargs |= {"auth_params": params, "scope": self.get_scope(), "nonce": nonce}
        response: HttpResponse = super().redirect(request, process, next_url, data, **kwargs)
        return response


class SocialAdapter(DefaultSocialAccountAdapter):
    """allauth's hooks for accounts elsewhere."""

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[SocialApp]:
        """The configured ones; the table of allauth is not used."""
        from allauth.socialaccount.adapter import _build_apps_from_settings

        found = _build_apps_from_settings(provider=provider, client_id=client_id)
        return [app for apps in found.values() for app in apps]

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """A blank that holds what the provider tells, never stored: the guest of the browser becomes the user."""
        return User()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Raises ImmediateHttpResponse for a token of another attempt, or about somebody else."""
        answers = sociallogin.account.extra_data
        token, info = answers["id_token"], answers.get("userinfo", {})
        nonce, wanted = str(token.get("nonce", "")), str(sociallogin.state.get("nonce", ""))
        subject = token.get("sub")
        if not wanted or not constant_time_compare(nonce, wanted) or not subject or info.get("sub") != subject:
            failed = render_authentication_error(request, sociallogin.provider, exception=OAuth2Error("nonce"))
            raise ImmediateHttpResponse(failed)


def begin(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Leads to the provider. Raises Http404 for one that is not configured."""
    adapter = TokenAdapter(request, provider_id)
    try:
        response: HttpResponse = OAuth2LoginView.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except (requests.RequestException, KeyError) as fault:
        response = render_authentication_error(request, adapter.get_provider(), exception=fault)
    return response


def back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Where the provider sends the visitor back. Raises Http404 for one that is not configured."""
    adapter = TokenAdapter(request, provider_id)
    try:
        response: HttpResponse = OAuth2CallbackView.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    return response


class SignupView(given.SignupView):
    """Choosing a name, for somebody who comes from a provider for the first time."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """The next page, or the form again if somebody was faster to take the name."""
        try:
            return super().form_valid(form)
        except signup.NameTaken:
            self.request.session["socialaccount_sociallogin"] = self.sociallogin.serialize()
            form.add_error("username", names.TAKEN)
            return self.form_invalid(form)


def _confirmed(sender: object, request: HttpRequest, email_address: Any, **_more: object) -> None:
    """Connects the account elsewhere by which somebody signed up; not if it was connected meanwhile."""
    waiting = request.session.pop(signup.CONNECTION, None)
    if waiting is None:
        return
    try:
        with transaction.atomic():
            SocialLogin.deserialize(waiting).connect(request, User.objects.get(pk=email_address.user_id))
    except (IntegrityError, ValueError):
        return


email_confirmed.connect(_confirmed, dispatch_uid="accounts.connect")
