"""Whether work is being done: red when sweeps stand still or a decision is overdue."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import health


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 with ``ok`` true, or 503 with what is wrong, see ``health.report``."""
    found = health.report()
    return JsonResponse(found, status=200 if found["ok"] else 503)
