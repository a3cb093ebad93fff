"""What the sweeps note of themselves."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """When a sweep last did its work."""

    sweep = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.sweep} at {self.at:%F %T}"


class Downtime(models.Model):
    """A span in which no deadline was looked after: no clock ran. ``credited`` once no match waits for its share."""

    starts = models.DateTimeField(unique=True)
    ends = models.DateTimeField()
    credited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.starts:%F %T} to {self.ends:%F %T}"
