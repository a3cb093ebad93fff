"""Preferences as a form: how one user likes the pages, and its zone and language."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.models import User
from accounts.widgets import LongSelect


class PreferencesForm(forms.Form):
    """The preferences of a user as they are, or as a visitor who is nobody yet would have them.

    The language is asked for where there are several, who sees the profile if there is one; ``cleaned_data`` has the
    names of the user's fields.
    """

    theme = forms.ChoiceField(
        label=_("Colours"),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("There are no such colours. Choose one of these.")},
    )
    size = forms.ChoiceField(
        label=_("Size of cards and pieces"),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("There is no such size. Choose one of these.")},
    )
    order = forms.ChoiceField(
        label=_("Order of the hand"),
        widget=forms.RadioSelect,
        help_text=_("In games in which you hold cards with colours and numbers."),
        error_messages={"invalid_choice": _("There is no such order. Choose one of these.")},
    )
    sound = forms.BooleanField(
        label=_("A soft sound when a turn of mine begins"),
        required=False,
        help_text=_("While a page is open; this needs JavaScript."),
    )
    confirm = forms.BooleanField(
        label=_("Ask before a turn is sent"),
        required=False,
        help_text=_(
            "Without it a turn is sent as soon as it is complete; this needs JavaScript. "
            "It still asks about what it warns of, such as giving up a round."
        ),
    )
    profile = forms.ChoiceField(
        label=_("Who sees my profile"),
        widget=forms.RadioSelect,
        required=False,
        help_text=_(
            "Your page with ratings and results, your place in rankings, and your lists of matches. "
            "In a match, whoever may watch it still sees your name."
        ),
        error_messages={"invalid_choice": _("There is no such choice. Choose one of these.")},
    )
    zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        widget=LongSelect,
        help_text=_("All times are shown in this zone."),
        error_messages={"invalid_choice": _("This site does not know that time zone. Choose one of the list.")},
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        error_messages={"invalid_choice": _("This site is not written in that language. Choose one of the list.")},
    )

    def __init__(self, user: User | None, data: QueryDict | None = None) -> None:
        profile = user is not None and user.has_profile
        user = user or User()
        choices: dict[str, list[Any]] = {
            **{
                name: [(value, capfirst(label)) for value, label in kind.choices]
                for name, kind in (
                    ("theme", User.Theme),
                    ("size", User.Size),
                    ("order", User.Order),
                    ("profile", User.Profile),
                )
            },
            "zone": [("", _("as this browser")), *zones.by_region()],
            "language": [("", _("as this browser")), *settings.LANGUAGES],
        }
        zone, language = user.zone_info, user.language
        known = {
            "theme": user.theme,
            **{name: getattr(user, name) for name in ("size", "order", "sound", "confirm", "profile")},
            "zone": zone.key if zone else "",
            "language": language if language in dict(settings.LANGUAGES) else "",
        }
        super().__init__(data, initial=known)
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
        if not profile:
            del self.fields["profile"]
        if len(settings.LANGUAGES) < 2:
            self.fields["language"].widget = forms.HiddenInput()

    def clean_profile(self) -> str:
        """Who sees the profile; as it was, if the form that was sent does not say."""
        chosen: str = self.cleaned_data["profile"] or self.initial["profile"]
        return chosen
