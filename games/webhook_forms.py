"""The form of one more webhook."""

from __future__ import annotations

from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.delivery import guarded
from games.models import Webhook


class WebhookForm(forms.Form):
    """Where notices are to be posted, and in which form."""

    kind = forms.ChoiceField(
        label=_("For what"),
        choices=Webhook.Kind.choices,
        error_messages={"invalid_choice": _("There is no such kind. Choose one of these.")},
    )
    url = forms.CharField(
        label=_("Address"),
        max_length=guarded.LONGEST,
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
        help_text=_("It begins with https:// and can be reached from the internet."),
    )

    def clean_url(self) -> str:
        """The address, if it is one that may be asked, as far as can be seen without asking."""
        url: str = self.cleaned_data["url"]
        try:
            if guarded.check(url).hostname == urlsplit(settings.SITE_URL).hostname:
                raise guarded.Inside  # what the site posts to itself it would take for a visitor's
        except guarded.Inside:
            raise forms.ValidationError(
                _("Notices are posted to public https addresses only, at the usual port.")
            ) from None
        return url
