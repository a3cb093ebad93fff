"""What every operation of the API has: who may, what may be asked, what is counted, and how the answer may be kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import visitors
from accounts.middleware import preferred
from accounts.models import Token, User
from games.api import tokens
from games.api.problems import NeedsPerson
from games.api.reading import Strict
from games.services import limits, people
from games.services.limits import Left

SAFE = ("GET", "HEAD")

ANYBODY, USER, PERSON = "anybody", "user", "person"
"""For whom an operation is: everybody; users, guests included; people with an account."""

VARY = ("Authorization", "Cookie", "Accept-Language")

Method = Callable[..., Any]


class Operation(APIView):
    """An address of the API; its methods are made by ``operation``."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]  # noqa: RUF012 - Django's
    spent: list[Left]
    active: ExitStack

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer, made in the language and the zone of its reader."""
        self.spent, of_session = [], request.user
        with ExitStack() as self.active:
            try:
                return super().dispatch(request, *args, **kwargs)
            finally:
                request.user = of_session  # REST framework has put the token's user there, for whom no session begins

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Finds out who asks."""
        super().initial(request, *args, **kwargs)
        if request.auth is not None:  # middleware has seen to it for a session
            self.active.enter_context(preferred(somebody(request)))

    def spend(self, what: str, who: object) -> None:
        """Counts one ``what`` by ``who``, and tells in the answer what is left. Raises TooMany."""
        left = limits.spend(what, who)
        if left is not None:
            self.spent.append(left)

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """The answer with what it says of limits and of keeping it; 304 for who has it already."""
        response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, VARY)
        if self.spent:
            response["RateLimit-Policy"] = ", ".join(
                f'"{one.what}";q={one.number};w={one.seconds}' for one in self.spent
            )
            response["RateLimit"] = ", ".join(f'"{one.what}";r={one.left};t={one.opens}' for one in self.spent)
        if isinstance(response, Response):
            response.render()  # here, where the reader's language is still the active one
            if request.method in SAFE and response.status_code == 200:
                return self._unless_known(request, response)
        return response

    def _unless_known(self, request: Request, response: Response) -> HttpResponseBase:
        """304 if this very answer is the one that the caller has kept: its tag is made of the bytes themselves."""
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        response["ETag"] = tag
        kept = get_conditional_response(request._request, etag=tag, response=response)
        if kept is not None and kept is not response:
            for name in ("RateLimit", "RateLimit-Policy"):
                if name in response:
                    kept[name] = response[name]
        return response if kept is None else kept


def operation(
    name: str,
    answer: Any,
    *,
    who: str = USER,
    scope: str = Token.Scope.READ,
    status: int = 200,
    body: type[Strict] | None = None,
    query: type[Strict] | None = None,
    filters: list[OpenApiParameter] | None = None,
    headers: list[OpenApiParameter] | None = None,
) -> Callable[[Method], Method]:
    """A decorator for the methods of an Operation, which get ``body`` and ``query`` checked, and give plain values.

    ``name`` names it in the schema, ``answer`` is a serializer that describes what it gives (None for nothing). A
    query that a form checks is described by ``filters``, and is for the method to check.
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def run(self: Operation, request: Request, **named: Any) -> HttpResponseBase:
            _may(request, who, scope)
            user = request.user
            self.spend("api", user.pk if user.is_authenticated else visitors.house(request._request))
            if filters is None:
                asked = _query(request, query or Strict)
                named |= {"query": asked} if query else {}
            if request.method not in SAFE:
                sent = _checked(body or Strict, request.data)
                named |= {"body": sent} if body else {}
                if request.auth is not None:
                    people.was_here(somebody(request))
            given = method(self, request, **named)
            return given if isinstance(given, HttpResponseBase) else Response(given, status=status)

        asked_by: list[Any] = [*([query] if query else []), *(headers or []), *(filters or [])]
        return extend_schema(
            operation_id=name,
            parameters=asked_by,
            request=body,
            responses={status: answer},
            extensions={"x-for": who, "x-scope": str(scope)},
        )(run)

    return decorate


def _may(request: Request, who: str, scope: str) -> None:
    """Raises NotAuthenticated, NeedsScope or NeedsPerson."""
    user = request.user
    if isinstance(request.auth, Token):
        tokens.check(request.auth, scope)
    if who == ANYBODY:
        return
    if isinstance(user, AnonymousUser):
        raise exceptions.NotAuthenticated
    if who == PERSON and (user.is_guest or user.is_bot):
        raise NeedsPerson


def _query(request: Request, wanted: type[Strict]) -> dict[str, Any]:
    """What the address asks for. Raises ValidationError, also for a name that stands there twice."""
    twice = [name for name, texts in request.query_params.lists() if len(texts) > 1]
    if twice:
        raise exceptions.ValidationError({name: ["This stands here twice."] for name in twice})
    return _checked(wanted, request.query_params.dict())


def _checked(wanted: type[Strict], data: Any) -> dict[str, Any]:
    found = wanted(data=data)
    found.is_valid(raise_exception=True)
    return dict(found.validated_data)


def somebody(request: Request) -> User:
    """The user of an operation that is not for everybody."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - seen to by ``operation``
    return user
