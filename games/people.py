"""Who may see whom beyond a table: profiles and all that lists people by name."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import User
from games.models import Follow

Viewer = User | AnonymousUser | None


def visible_to(viewer: Viewer, at: str = "") -> Q:
    """People whose profile ``viewer`` may see, as a condition on users; ``at`` leads there, as ``"user__"`` from seats.

    Only people with an account have one, neither guests nor bots. At a table names are told whatever this says.
    """
    shown = [User.Profile.PUBLIC]
    if viewer is not None and viewer.is_authenticated and viewer.has_profile:
        shown.append(User.Profile.PLAYERS)
    seen = Q(**{f"{at}profile__in": shown})
    if viewer is not None and viewer.is_authenticated:
        seen |= Q(**{f"{at}pk": viewer.pk})
    return seen & Q(**{f"{at}kind": User.Kind.PERSON, f"{at}is_active": True})


def sees(viewer: Viewer, user: User) -> bool:
    """The same of one user, without asking the database."""
    if not user.has_profile:
        return False
    if viewer is not None and viewer.is_authenticated and viewer.pk == user.pk:
        return True
    player = viewer is not None and viewer.is_authenticated and viewer.has_profile
    return user.profile == User.Profile.PUBLIC or (user.profile == User.Profile.PLAYERS and player)


def find(viewer: Viewer, name: str) -> User | None:
    """Who is called so, in whatever case, if ``viewer`` may see their profile; None as well if there is nobody."""
    named = User.objects.annotate(plain=Lower("username")).filter(plain=name.lower())
    return named.filter(visible_to(viewer)).first()


def follows(viewer: Viewer, person: User) -> bool:
    """Whether ``viewer`` follows the person."""
    if viewer is None or not viewer.is_authenticated or viewer == person:
        return False
    return Follow.objects.filter(follower=viewer.pk, followed=person).exists()


def followed(user: User, before: int | None = None) -> QuerySet[Follow]:
    """Whom the user follows and may see, with the users, the latest first, from behind the row ``before``."""
    found = Follow.objects.filter(visible_to(user, "followed__"), follower=user).select_related("followed")
    return (found if before is None else found.filter(pk__lt=before)).order_by("-pk")
