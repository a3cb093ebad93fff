"""manage.py makemessages: Django's, which also finds the sentences with a plural in ``Sentence("one", "many", n)``."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=Sentence:1,2"]  # noqa: RUF012
