"""The database after a test that has committed: emptied in milliseconds, for which Django takes a tenth of a second."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.management.commands import flush
from django.db.backends.postgresql.operations import DatabaseOperations


def quickly() -> None:
    """Makes Django's ``flush`` quick, in this process.

    On PostgreSQL it truncates, which makes a new file for each table and index, however few rows there are. It also
    tells all apps that the tables are new, and permissions are written that nothing here asks for.
    """
    DatabaseOperations.sql_flush = _delete  # type: ignore[method-assign]
    flush.emit_post_migrate_signal = lambda *_arguments, **_options: None  # type: ignore[attr-defined]


def _delete(
    self: DatabaseOperations, style: Any, tables: Iterable[str], *, reset_sequences: bool = False, **_options: Any
) -> list[str]:
    """Statements that empty the tables. In one transaction their order does not matter: all keys are deferred."""
    assert not reset_sequences
    return ["; ".join(f"DELETE FROM {self.quote_name(table)}" for table in tables)]
