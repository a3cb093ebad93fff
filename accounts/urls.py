"""The addresses of accounts: these and no others."""

from __future__ import annotations

from allauth.account import views as given
from allauth.socialaccount import views as given_social
from django.conf import settings
from django.urls import path

from accounts import dev_mail, sessions, social, token_pages, views
from accounts.codes import while_address_holds
from accounts.doors import door
from accounts.resend import LoginCodeView

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/signup/", door()(views.SignupView.as_view()), name="account_signup"),
    path("account/verify/", door(hide=False)(views.verify), name="account_email_verification_sent"),
    path("account/login/", door()(views.LoginView.as_view()), name="account_login"),
    path("account/login/code/", door()(views.RequestLoginCodeView.as_view()), name="account_request_login_code"),
    path(
        "account/login/code/enter/",
        door()(views.resending(while_address_holds(LoginCodeView.as_view()))),
        name="account_confirm_login_code",
    ),
    path("account/logout/", door()(given.logout), name="account_logout"),
    path("account/inactive/", door()(given.account_inactive), name="account_inactive"),
    path("account/email/", door(fresh=True)(views.EmailView.as_view()), name="account_email"),
    path("account/password/", door()(given.password_change), name="account_change_password"),
    path("account/password/set/", door(fresh=True)(given.password_set), name="account_set_password"),
    path("account/reset/", door()(given.password_reset), name="account_reset_password"),
    path(
        "account/reset/enter/",
        door()(while_address_holds(given.confirm_password_reset_code)),
        name="account_confirm_password_reset_code",
    ),
    path(
        "account/reset/password/",
        door()(while_address_holds(given.complete_password_reset)),
        name="account_complete_password_reset",
    ),
    path("account/reset/done/", views.reset_done, name="account_password_reset_completed"),
    path("account/again/", door()(given.reauthenticate), name="account_reauthenticate"),
    path(
        "account/again/code/",
        door()(given.request_reauthentication_code),
        name="account_request_reauthentication_code",
    ),
    path(
        "account/again/code/enter/",
        door()(views.resending(given.confirm_reauthentication_code)),
        name="account_confirm_reauthentication_code",
    ),
    path("account/sessions/", sessions.sessions, name="usersessions_list"),
    path("settings/tokens/", door(fresh=True)(token_pages.tokens), name="tokens"),
    path("settings/tokens/<int:pk>/end/", door()(token_pages.end_token), name="end_token"),
    path("dev/mail/", dev_mail.mails, name="dev_mail"),
    path("dev/mail/<int:pk>/", dev_mail.html, name="dev_mail_html"),
]

social_patterns = [
    path("account/with/<slug:provider_id>/", door(counts=True)(social.begin), name="openid_connect_login"),
    path("account/with/<slug:provider_id>/back/", door(counts=True)(social.back), name="openid_connect_callback"),
    path("account/with/", door()(social.SignupView.as_view()), name="socialaccount_signup"),
    path("account/connections/", door(fresh=True)(given_social.connections), name="socialaccount_connections"),
    path("account/cancelled/", door()(given_social.login_cancelled), name="socialaccount_login_cancelled"),
    path("account/failed/", door()(given_social.login_error), name="socialaccount_login_error"),
]

if settings.OIDC_PROVIDERS:
    urlpatterns += social_patterns
