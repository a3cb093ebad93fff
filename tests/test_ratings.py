"""Ratings as values, against a plain implementation of the same formula."""

from __future__ import annotations

from math import exp, sqrt

import pytest
from hypothesis import given, strategies as st

from games.ratings import FADING, MU, SIGMA, SURE, Skill, expected, rate, undone


def plackett_luce(before: list[tuple[float, float]], places: list[int]) -> list[tuple[float, float]]:
    """Algorithm 4 of Weng and Lin (2011) for players alone, with the drift that openskill adds before every match."""
    beta2, drift2, least = (SIGMA / 2) ** 2, (MU / 300) ** 2, 0.0001
    skills = [(mu, sigma**2 + drift2) for mu, sigma in before]
    c = sqrt(sum(variance + beta2 for _mu, variance in skills))
    weight = [exp(mu / c) for mu, _variance in skills]
    after = []
    for i, (mu, variance) in enumerate(skills):
        omega = delta = 0.0
        for q in range(len(skills)):
            if places[q] > places[i]:
                continue
            share = weight[i] / sum(weight[s] for s in range(len(skills)) if places[s] >= places[q])
            ties = places.count(places[q])
            omega += ((1 if q == i else 0) - share) / ties
            delta += share * (1 - share) / ties
        omega *= variance / c
        delta *= sqrt(variance) / c * variance / c**2
        after.append((mu + omega, sqrt(variance) * sqrt(max(1 - delta, least))))
    return after


skills = st.tuples(st.floats(0, 50), st.floats(0.5, SIGMA))


@st.composite
def results(draw):
    """Skills of two to four players and their places, with ties."""
    before = draw(st.lists(skills, min_size=2, max_size=4))
    merits = [draw(st.integers(0, 3)) for _each in before]
    return before, [1 + sum(other > merit for other in merits) for merit in merits]


@given(results())
def test_a_rating_is_what_the_formula_says(result):
    before, places = result
    after = rate([Skill(*one) for one in before], places)
    for got, wanted in zip(after, plackett_luce(before, places), strict=True):
        assert (got.mu, got.sigma) == pytest.approx(wanted, rel=1e-9)


@given(results())
def test_the_winner_of_equals_gains_and_the_last_loses(result):
    _before, places = result
    if len(set(places)) == 1:
        return
    after = rate([Skill()] * len(places), places)
    best, worst = places.index(1), places.index(max(places))
    assert after[best].mu > MU > after[worst].mu
    assert all(skill.sigma < SIGMA for skill in after)


@given(results())
def test_the_places_that_may_be_expected_add_up(result):
    before, _places = result
    means = expected([Skill(*one) for one in before])
    count = len(before)
    assert sum(means) == pytest.approx(count * (count + 1) / 2)
    assert all(1 <= mean <= count for mean in means)
    order = sorted(range(count), key=lambda player: -before[player][0])
    assert [means[player] for player in order] == pytest.approx(sorted(means))


def test_of_two_equals_each_may_expect_the_middle():
    assert expected([Skill(), Skill()]) == pytest.approx([1.5, 1.5])


def test_how_a_skill_is_shown():
    assert (Skill().shown, Skill().provisional) == (1500, True)
    assert Skill(27.5, 3.9).shown == 1600
    assert not Skill(27.5, SURE).provisional


def test_certainty_fades_but_not_strength():
    skill = Skill(30, 3)
    later = skill.rested(skill.sure_days)
    assert later.sigma == pytest.approx(SURE)
    assert later.mu == 30
    assert skill.rested(1).sigma == pytest.approx(sqrt(9 + FADING**2))
    assert skill.rested(10**6).sigma == SIGMA
    assert skill.rested(-1) == skill
    assert Skill().sure_days == 0


@given(results())
def test_what_is_annulled_at_once_is_as_before(result):
    before, places = result
    old = [Skill(*one) for one in before]
    for one, new in zip(old, rate(old, places), strict=True):
        back = undone(new, one, new)
        assert back.mu == pytest.approx(one.mu)
        assert back.sigma == pytest.approx(one.sigma, rel=1e-3) or back.sigma <= SIGMA


@pytest.mark.parametrize(("before", "places"), [([], []), ([Skill()], [1]), ([Skill(), Skill()], [1])])
def test_a_result_needs_two_players(before, places):
    with pytest.raises(ValueError, match="two players"):
        rate(before, places)
