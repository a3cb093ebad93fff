"""What goes wrong, as documents of RFC 9457: one form for every refusal, also for those of the outer rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext, gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from games.services.errors import Refused, TooMany

ROOT = "/api/v1/"
"""Every address below is answered to programs."""

MEDIA_TYPE = "application/problem+json"

CODES = {
    400: ("bad_request", _("This is no request that the API knows.")),
    401: ("not_authenticated", _("This needs a token, or the session of a browser.")),
    403: ("forbidden", _("This is not allowed.")),
    404: ("not_found", _("There is no such thing, or it is not for you.")),
    405: ("method_not_allowed", _("This address does not know the method.")),
    406: ("not_acceptable", _("The API answers in JSON only.")),
    413: ("too_large", _("This is too much at once.")),
    415: ("unsupported_media_type", _("The API reads JSON only.")),
    429: ("too_many", _("That was too often. Please wait a little and try again.")),
    500: ("fault", _("A fault of ours. We have been told.")),
    503: ("unavailable", _("The site is out of order for a moment. Please try again.")),
}
"""The code and the sentence of a status where nothing more is known."""


class Invalid(Refused):
    """What was sent is of the right form, but not what can be done; ``errors`` are sentences by field."""

    code = "invalid"
    status = 422
    sentence = _("Please look at the fields that are named.")

    def __init__(self, errors: Mapping[str, Any]) -> None:
        super().__init__()
        self.errors = errors


class NeedsPerson(Refused):
    """Only people with an account may do it."""

    code = "needs_account"
    status = 403
    sentence = _("This needs an account.")


def document(status: int, code: str = "", detail: Any = "", **more: Any) -> dict[str, Any]:
    """The members of a problem; ``more`` are those that are its own."""
    known, sentence = CODES.get(status, ("refused", _("That cannot be done.")))
    code = code or known
    return {
        "type": f"/api/#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": str(detail or sentence),
        "code": code,
        **more,
    }


def of(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer for what a view raised; None for a fault, which is logged as any other. For REST framework."""
    headers: dict[str, str] = {}
    if isinstance(error, Refused):
        body = document(error.status, error.code, error.sentence, **_own(error))
        headers = {"Retry-After": str(error.wait)} if isinstance(error, TooMany) else {}
        if error.status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="Na tahu", error="invalid_token"'
    elif isinstance(error, Http404):
        body = document(404)
    elif isinstance(error, PermissionDenied):
        body = document(403)
    elif isinstance(error, exceptions.ValidationError):
        body = document(400, "invalid", gettext("Please look at the fields that are named."), errors=_errors(error))
    elif isinstance(error, exceptions.APIException):
        forged = isinstance(error, exceptions.PermissionDenied)  # raised only where a form would need its token
        body = document(error.status_code, "csrf_failed", str(error.detail)) if forged else _plain(error)
        if authenticate := getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = authenticate
    else:
        return None
    response = Response(body, status=body["status"], headers=headers)
    response.content_type = MEDIA_TYPE
    return response


def _plain(error: exceptions.APIException) -> dict[str, Any]:
    detail = str(error.detail) if isinstance(error, exceptions.ParseError) else ""
    return document(error.status_code, "", detail)


def _own(error: Refused) -> dict[str, Any]:
    """The members that a refusal has of its own: errors by field, or what ``problem`` of it says."""
    if isinstance(error, Invalid):
        return {"errors": dict(error.errors)}
    more: dict[str, Any] = getattr(error, "problem", {})
    return more


def _errors(error: exceptions.ValidationError) -> dict[str, Any]:
    """Sentences by field; what is wrong as a whole stands under "_"."""
    detail = error.detail
    return {
        name or "_": _texts(value) for name, value in (detail.items() if isinstance(detail, dict) else [("", detail)])
    }


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _texts(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_texts(one) for one in value]
    return str(value)


class Problems:
    """Middleware: what was refused as a page before or behind the views of the API becomes a problem document."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer; a page of an error is exchanged, with the headers that say something besides."""
        response = self.get_response(request)
        if not request.path.startswith(ROOT) or response.status_code < 400:
            return response
        if response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
            return response
        status = response.status_code
        answer = JsonResponse(document(status), status=status, content_type=MEDIA_TYPE)
        for name, value in response.items():
            if name not in ("Content-Type", "Content-Length"):
                answer[name] = value
        answer.cookies = response.cookies
        return answer
