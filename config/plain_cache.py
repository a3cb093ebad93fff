"""What stands in Redis is JSON: who can write there must not be able to run code here."""

from __future__ import annotations

import json
from typing import Any


class JSONSerializer:
    """How values lie in the cache; plain numbers stay such, for counters are counted by Redis itself."""

    def dumps(self, value: Any) -> int | str:
        """What is stored for a value. Raises TypeError for what JSON does not know."""
        return value if type(value) is int else json.dumps(value)

    def loads(self, stored: bytes) -> Any:
        """The value again."""
        return json.loads(stored)
