from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users and how they come in."""

    name = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Lets those listen who do something when an address is verified or changed."""
        from accounts import sessions, signup, social  # noqa: F401
