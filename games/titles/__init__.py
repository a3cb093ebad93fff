"""The titles: one folder a game, found by looking. Pure.

A title is a package that offers ``GAMES`` (its rules, one instance a
version, the current one last), ``BOT``, and the modules ``words`` and
``table``. Its pictures, pages and translations lie beside it in
``static/<slug>/``, ``templates/<slug>/`` and ``locale/``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from games.bots import Bot
from games.engine import Game

HERE = Path(__file__).parent


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
        return {game.version: game for game in self.package.GAMES}[version]

    @property
    def bot(self) -> Bot:
        """The title's own bot."""
        return self.package.BOT  # type: ignore[no-any-return]

    @cached_property
    def words(self) -> ModuleType:
        """Sentences for news, refusals, steps and states."""
        return importlib.import_module(f"{self.package.__name__}.words")

    @cached_property
    def table(self) -> ModuleType | None:
        """What the title's own table template is given; None where the generic table serves."""
        if not (self.path / "table.py").exists():
            return None
        return importlib.import_module(f"{self.package.__name__}.table")


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
