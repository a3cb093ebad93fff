"""Rows straight into PostgreSQL by COPY: what varies is given, the rest are the defaults of the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.core.management.color import no_style
from django.db import connection
from django.db.models import Model

ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _text(value: object) -> str:
    return str(value).translate(ESCAPES)


def _json(value: object) -> str:
    return json.dumps(value).translate(ESCAPES)


CELLS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _value: r"\N",
    bool: lambda value: "t" if value else "f",
    int: repr,
    float: repr,
    bytes: lambda value: rf"\\x{value.hex()}",
    datetime: datetime.isoformat,
    dict: _json,
    list: _json,
}
"""How values of a type stand in the text format of COPY; others are texts. A table, as there are millions of them."""


def cell(value: Any) -> str:
    """A value in the text format of COPY."""
    return CELLS.get(type(value), _text)(value)


class Copied:
    """Rows of one model that wait to be copied; ``varies`` names the columns that each row gives."""

    def __init__(self, model: type[Model], varies: Sequence[str]) -> None:
        self.model, self.lines = model, list[str]()
        columns = {field.column: field for field in model._meta.concrete_fields}
        if unknown := set(varies) - set(columns):
            raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}")
        constant = {name: field.get_default() for name, field in columns.items() if name not in varies}
        constant.pop("id", None)
        # Whatever other columns there are by now: loading need not know them, as long as they have a default.
        self.columns = [*varies, *constant]
        fixed = [cell(value).replace("%", "%%") for value in constant.values()]
        self.line = "\t".join([*("%s" for _each in varies), *fixed]) + "\n"

    def add(self, *values: Any) -> None:
        """One more row."""
        self.lines.append(self.line % tuple(map(cell, values)))

    def flush(self) -> None:
        """Copies what waits."""
        names = ", ".join(f'"{name}"' for name in self.columns)
        with connection.cursor() as cursor, cursor.copy(f"COPY {self.model._meta.db_table} ({names}) FROM STDIN") as to:
            to.write("".join(self.lines))
        self.lines.clear()


def ended(models: Iterable[type[Model]]) -> None:
    """After all rows: numbers go on behind those that were given, and the planner knows what there is."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE")
