"""How accounts work: a name, an address verified by a code, a password if one wants.

Sessions end when nobody comes: an account's after 90 days, a guest's, who has nothing else, after a year
(SESSION_COOKIE_AGE).
"""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.People"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]

LOGIN_URL, LOGIN_REDIRECT_URL = "account_login", "dashboard"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1"]
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "confirm_login_code": "accounts.forms.ConfirmLoginCodeForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmEmailForm",
    "add_email": "accounts.forms.NewEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmResetForm",
    "reset_password_from_key": "accounts.forms.NewPasswordForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "confirm_reauthentication_code": "accounts.forms.ConfirmReauthenticationForm",
}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 3600
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS = 5
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SESSION_COOKIE_AGE = 90 * 24 * 3600
ACCOUNT_LOGOUT_REDIRECT_URL = "front"

SOCIALACCOUNT_ADAPTER = "accounts.social.SocialAdapter"
SOCIALACCOUNT_FORMS = {
    "signup": "accounts.social_forms.SocialSignupForm",
    "disconnect": "accounts.social_forms.DisconnectForm",
}
SOCIALACCOUNT_AUTO_SIGNUP = SOCIALACCOUNT_LOGIN_ON_GET = SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_EMAIL_REQUIRED = True


def openid_providers(entries: list[dict[str, str]]) -> dict[str, Any]:
    """SOCIALACCOUNT_PROVIDERS for the entries of OIDC_PROVIDERS. Raises ImproperlyConfigured."""
    for entry in entries:
        if lacking := {"id", "name", "server_url", "client_id", "secret"} - set(entry):
            raise ImproperlyConfigured(f"A provider of OIDC_PROVIDERS lacks {', '.join(sorted(lacking))}.")
    apps = [
        {
            "provider_id": entry["id"],
            "name": entry["name"],
            "client_id": entry["client_id"],
            "secret": entry["secret"],
            "settings": {"server_url": entry["server_url"]},
        }
        for entry in entries
    ]
    return {"openid_connect": {"provider_class": "accounts.social.Provider", "OAUTH_PKCE_ENABLED": True, "APPS": apps}}
