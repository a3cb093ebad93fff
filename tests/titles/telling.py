"""Sentences of a title's words, checked as they are rendered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games import rendering
from games.titles import Title
from games.wording import Sentence


def told_by(title: Title, names: Sequence[str], sentence: Sentence | None) -> str:
    """The sentence as text; fails if there is none or a place of it is not filled, in text or HTML."""
    assert sentence is not None
    text = rendering.to_text(sentence, names, title)
    markup = re.sub(r"<[^>]*>", "", rendering.to_html(sentence, names, title, 0))
    for shown in (text, markup):
        assert shown.strip()
        assert not re.search(rf"[{{}}]|{rendering.MISSING}", shown), shown
    return text
