"""Matches made before there were other clocks than days: the same clock in the new notation, and 30 days for none."""

from datetime import timedelta

from django.db import migrations
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

IDLE, NOTICE = timedelta(days=30), timedelta(days=7)


def fill(apps, schema_editor):
    Match, Move = apps.get_model("games", "Match"), apps.get_model("games", "Move")
    for days in (None, 1, 2, 3, 7):
        Match.objects.filter(allowance__days=days).update(allowance={"days": days, "bank": None, "rests": False})
    playing = Match.objects.filter(status="playing")
    begun = Move.objects.filter(match=OuterRef("pk"), number=OuterRef("since_version")).values("at")[:1]
    playing.update(decision_at=Subquery(begun))
    waiting = playing.filter(deadline=None, active_bot=False, decision_at__isnull=False)
    told = timezone.now() + NOTICE  # nobody is overdue without having been told before
    waiting.filter(decision_at__gt=told - IDLE).update(deadline=F("decision_at") + IDLE)
    waiting.filter(deadline=None).update(deadline=told)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_clocks")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
