"""The titles: one folder a game, found by looking. Pure.

A title is a package that offers ``GAMES`` (its rules, one instance a
version, the current one last), ``BOT``, the module ``words`` and, if it wants
more than the plain table, ``table``; also ``WISHES``, automatic moves that it has beside those of every game, by
name, and ``DRAWS``, by which its chance is counted. Its pictures, pages and translations lie
beside it in ``static/<slug>/``, ``templates/<slug>/`` and ``locale/``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from games import plain_table
from games.bots import Bot
from games.engine import Game
from games.wishes import EVERYWHERE, Wish
from games.wording import Words

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Draw:
    """Something that the server draws, each of ``values`` equally likely, found by ``of`` in a news value (else None).

    ``kind`` is the title's word for such pieces, by which they are named.
    """

    label: str
    kind: str
    values: tuple[str, ...]
    of: Callable[[Mapping[str, Any]], str | None]


@dataclass(frozen=True)
class Title:
    """A game with all that belongs to it."""

    path: Path
    package: ModuleType

    @cached_property
    def slug(self) -> str:
        """The name of the folder, used in addresses and the database."""
        return self.path.name

    @property
    def name(self) -> str:
        """The printed title, which is not translated."""
        return str(self.words.NAME)

    @property
    def game(self) -> Game[Any]:
        """The current rules: a new match takes these."""
        return self.package.GAMES[-1]  # type: ignore[no-any-return]

    def rules(self, version: int) -> Game[Any]:
        """The rules of one version: a match ends under those it began with. Raises KeyError for an unknown one."""
        games: tuple[Game[Any], ...] = self.package.GAMES
        return {game.version: game for game in games}[version]

    @property
    def bot(self) -> Bot:
        """The title's own bot."""
        return self.package.BOT  # type: ignore[no-any-return]

    @property
    def families(self) -> Mapping[str, str]:
        """What is rated apart, by name with a label: the title itself, or what its ``FAMILIES`` says."""
        found: Mapping[str, str] = getattr(self.package, "FAMILIES", {self.slug: self.name})
        return found

    def family(self, options: Mapping[str, Any]) -> str:
        """In which of its families a match with these options is rated."""
        if (own := getattr(self.package, "family", None)) is None:
            return self.slug
        name: str = own(options)
        return name

    @property
    def draws(self) -> Mapping[str, Draw]:
        """What its chance is counted by, by name; none if the title says nothing of it."""
        found: Mapping[str, Draw] = getattr(self.package, "DRAWS", {})
        return found

    @cached_property
    def wishes(self) -> dict[str, Wish]:
        """The automatic moves that a player may wish for, by name: the title's own first, as they know more."""
        return {**getattr(self.package, "WISHES", {}), **EVERYWHERE}

    @cached_property
    def words(self) -> Words:
        """Sentences for news, refusals, steps and states."""
        return cast(Words, importlib.import_module(f"{self.package.__name__}.words"))

    @cached_property
    def table_template(self) -> str:
        """The template of the title's table; the plain one if it has none of its own."""
        return f"{self.slug}/table.html" if self._has_table else plain_table.TEMPLATE

    @cached_property
    def _has_table(self) -> bool:
        return (self.path / "table.py").exists()

    def table(self, game: Game[Any], observation: Mapping[str, Any], legal: Sequence[str], **looking: Any) -> Any:
        """What the table's template is given: a dictionary made of the observation and the legal steps.

        ``looking`` is ``me`` (seat or None), ``picked`` (a piece), ``my_turn``, ``asking`` (the turn is not
        complete), ``over``, ``recent`` (the newest news that may be known, oldest first; only for a title whose
        ``table.RECENT`` is true) and ``order`` (how the player likes the hand; only for one whose ``table.ORDERED`` is
        true). Its ``end`` is the step that ends a turn, if the game has one. A ``tone`` "bad" or
        "warn" of the ``consequence`` warns: such a turn is never sent without the player's confirming it.
        """
        if not self._has_table:
            return plain_table.table(self.words, observation, legal, asking=looking["asking"], over=looking["over"])
        module = importlib.import_module(f"{self.package.__name__}.table")
        for name, wanted in (("recent", "RECENT"), ("order", "ORDERED")):
            if not getattr(module, wanted, False):
                looking.pop(name, None)
        return module.table(game, observation, legal, **looking)


def find(paths: Iterable[Path]) -> dict[str, Title]:
    """All titles in the folders, by slug, sorted. Raises ValueError for a slug met twice."""
    titles: dict[str, Title] = {}
    for folder in paths:
        for path in sorted(folder.iterdir()):
            if not (path / "rules.py").exists():
                continue
            if path.name in titles:
                raise ValueError(f"two games are called {path.name!r}")
            titles[path.name] = Title(path, _package(path))
    return dict(sorted(titles.items()))


def _package(path: Path) -> ModuleType:
    """The title's package: by its dotted name at home, from its file elsewhere."""
    name = f"games.titles.{path.name}"
    if path.parent.resolve() == HERE.resolve() or name in sys.modules:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, path / "__init__.py", submodule_search_locations=[str(path)])
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is no game")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
