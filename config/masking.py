"""Keeps out of the log what opens something to whoever reads it: the addresses of links and feeds."""

from __future__ import annotations

import logging
import re

SECRET = re.compile(r"/(go|unsubscribe|join|feeds)/[^/\s\"']+")


class Masked(logging.Filter):
    """Lets every line through, with a star for what follows the name of such an address."""

    def filter(self, record: logging.LogRecord) -> bool:
        """True; changes the line if need be."""
        line = record.getMessage()
        masked = SECRET.sub(r"/\1/*", line)
        if masked != line:
            record.msg, record.args = masked, ()
        return True
