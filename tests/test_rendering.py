"""Sentences as HTML and text: escaped, filled, and never a reason to fail."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils.translation import override

from games import registry, rendering
from games.titles import Title
from games.wording import Piece, Pieces, Seat, Sentence

EVIL = "<script>alert('x')</script> & \"{seat}\""
SAFE = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;{seat}&quot;"
NOON = datetime(2026, 12, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def red():
    return registry.title("red")


def rendered(source: str, **context) -> str:
    return Template("{% load games_tags %}" + source).render(Context(context))


def test_text_names_and_values_are_escaped():
    sentence = Sentence("{seat} <b>says</b> {word}", seat=Seat(0), word=EVIL)
    assert rendering.to_html(sentence, [EVIL]) == f'<b class="who">{SAFE}</b> &lt;b&gt;says&lt;/b&gt; {SAFE}'
    assert rendering.to_text(sentence, [EVIL]) == f"{EVIL} <b>says</b> {EVIL}"


def test_pieces_without_a_title_or_template_are_their_escaped_notation():
    assert rendering.to_html(Sentence("{card}", card=Piece("card", "<i>"))) == "&lt;i&gt;"

    class Nameless:
        """A title without pictures or names of its pieces."""

        slug = "nameless"
        words = object()

    assert rendering.to_html(Sentence("{card}", card=Piece("card", "<i>")), (), Nameless()) == "&lt;i&gt;"


def test_a_piece_is_a_picture_with_its_name(red: Title):
    sentence = Sentence("{seat} lays {card}", seat=Seat(1), card=Piece("card", "R7"))
    page = rendering.to_html(sentence, ["Anna", "Bert"], red, 1)
    assert page.startswith('<b class="who me">Bert</b> lays <span class="chip c-R" role="img" aria-label="red 7"')
    assert rendering.to_text(sentence, ["Anna", "Bert"], red) == "Bert lays red 7"


def test_several_at_once(red: Title):
    cards, seats = Pieces("card", ("R7", "V1")), [Seat(0), Seat(1)]
    assert rendering.to_text(Sentence("{cards} of {seats}", cards=cards, seats=seats), ["A", "B"], red) == (
        "red 7, violet 1 of A, B"
    )
    assert rendering.to_html(Sentence("{cards}", cards=cards), (), red).count('class="chip') == 2


def test_a_full_stop_stays_with_the_picture_before_it(red: Title):
    cards = Pieces("card", ("R7", "V1"))
    inner = [Sentence("{n} with {card}", n=n, card=Piece("card", card)) for n, card in ((1, "G2"), (2, "B3"))]
    for sentence in (Sentence("{c}.", c=Piece("card", "R7")), Sentence("{c}.", c=cards), Sentence("{all}.", all=inner)):
        page = rendering.to_html(sentence, (), red)
        assert page.count(".") == 1
        assert re.search(r'<span class="kept"><span class="chip.*</span>\.</span>$', page)
        assert not re.search(r"</span>[.,](?!</span>)", page)
    assert rendering.to_html(Sentence("{all}.", all=[]), (), red) == "."


def test_sentences_within_sentences_and_plurals():
    inner = Sentence("{count} card", "{count} cards", 2)
    assert rendering.to_text(Sentence("with {inner}", inner=inner)) == "with 2 cards"
    assert rendering.to_text(Sentence("{count} card", "{count} cards", 1)) == "1 card"
    assert rendering.to_html(Sentence("{inner}", inner=Sentence("<b>"))) == "&lt;b&gt;"


@pytest.mark.parametrize(
    "text", ["{card} and {nothing}", "{", "}", "{}", "{0}", "{card.value}", "{card!r}", "{{card}}", "%s"]
)
def test_a_broken_text_never_raises(text, red: Title):
    sentence = Sentence(text, card=Piece("card", "R7"))
    assert "nothing" not in rendering.to_text(sentence, (), red)
    assert isinstance(rendering.to_html(sentence, (), red), str)


def test_a_missing_name_or_sentence_never_raises():
    assert rendering.to_text(Sentence("{seat}", seat=Seat(3)), ["A"]) == "Seat 4"
    assert rendering.to_html(None) == rendering.to_text(None) == rendering.to_html(Sentence("")) == ""
    assert rendering.to_html("plain <b>") == "plain &lt;b&gt;"


def test_a_language_without_the_text_reads_english(red: Title):
    with override("cs"):
        assert rendering.to_text(Sentence("{card}!", card=Piece("card", "R7")), (), red) == "red 7!"


def test_the_tags_that_say(red: Title):
    seats = [type("Seat", (), {"name": "<A>"})()]
    context = {"seats": seats, "title": red, "sentence": Sentence("{s} {c}", s=Seat(0), c=Piece("card", "G4"))}
    assert rendered("{% say sentence %}", **context).startswith('<b class="who">&lt;A&gt;</b> <span class="chip c-G"')
    assert rendered("{% say_text sentence %}", **context) == "&lt;A&gt; green 4"
    assert rendered("{% say missing %}{% say_text missing %}") == ""
    assert rendered('{{ seats|at:0 }}{{ seats|at:7 }}{{ seats|at:"x" }}', seats=["a"]) == "aNoneNone"


def test_links_carry_the_plan():
    context = {"plan": ["P:R7", "C:V2"], "version": 8}
    assert rendered("{% plan_url %}", **context) == "?v=8&amp;plan=P:R7;C:V2#own"
    assert rendered("{% plan_url undo=1 %}", **context) == "?v=8&amp;plan=P:R7#own"
    assert rendered('{% plan_url step="END" %}', **context) == "?v=8&amp;plan=P:R7;C:V2;END#own"
    assert rendered('{% plan_url pick="A&B" %}', version=1) == "?v=1&amp;pick=A%26B#own"
    assert rendered('{% plan_url step="move R2>R5" %}', version=1) == "?v=1&amp;plan=move%20R2&gt;R5#own"


def test_a_deadline_is_absolute_with_the_time_left_beside():
    page = rendered("{% due deadline now %}", deadline=NOON + timedelta(days=2, hours=4, minutes=30), now=NOON)
    assert page == (
        '<span class="due"><time class="zoned" datetime="2026-12-04T16:30:00Z">Fri 4 Dec 16:30 UTC</time>'
        ', <span class="kept">in 2 d 4 h</span></span>'
    )
    assert ">in 3 h 5 min<" in rendered("{% due at now %}", at=NOON + timedelta(hours=3, minutes=5), now=NOON)
    assert ">in 0 min<" in rendered("{% due at now %}", at=NOON + timedelta(seconds=5), now=NOON)
    assert "time is up" in rendered("{% due at now %}", at=NOON - timedelta(seconds=5), now=NOON)
    assert rendered("{% due nothing now %}", now=NOON) == ""
    assert rendered("{% due at nothing %}", at=NOON).startswith("<time")


def test_past_times_are_short():
    def shown(moment: datetime) -> str:
        return rendered("{% when moment now %}", moment=moment, now=NOON).split(">")[1].split("<")[0]

    assert shown(NOON - timedelta(hours=2)) == "10:00"
    assert shown(NOON - timedelta(hours=20)) == "Tue 16:00"
    assert shown(NOON - timedelta(days=30)) == "2 Nov 2026"
    assert rendered("{% when nothing %}") == ""


def test_a_title_without_a_part_or_a_style_sheet_has_none(red: Title, tmp_path: Path):
    assert "red-R" in rendered('{% title_part title "sprite" %}', title=red)
    assert rendered('{% title_part title "nothing" %}{% title_part none "sprite" %}', title=red) == ""
    assert "red/red" in rendered("{% title_css title %}", title=red)
    bare = type("Bare", (), {"slug": "bare", "path": tmp_path})()
    assert rendered("{% title_css title %}", title=bare) == ""
