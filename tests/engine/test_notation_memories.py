"""The text form of expansion state that random games seldom reach: it round trips, or is refused.

Expansions keep state between turns, such as the goods of each player or the place of the fairy, each in a tag of its
own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import Position
from engine.carcassonne.expansions import BCB, TRADERS_BUILDERS
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import DELAYED
from engine.carcassonne.expansions.traders_builders import GOODS
from engine.notation.positions import format_position, parse_position
from engine.notation.records import RecordError
from gallery.built_positions import arrange
from tests.scenarios.test_castles_shared import answer_questions, shared_town


def with_extra_state(**extra: Any) -> Position:
    """Return a position with this state of its expansions."""
    position = arrange(expansions=(BCB, TRADERS_BUILDERS))
    position.extra.update(extra)
    return position


@pytest.mark.parametrize(
    ("key", "value", "tag"),
    [(DELAYED, (2, 0), '[Delayed "3 1"]'), (GOODS, ((1, 0, 2), (0, 0, 0), (0, 3, 0)), '[Goods "1/0/2 0/0/0 0/3/0"]')],
)
def test_state_of_expansions_round_trips(key: str, value: object, tag: str) -> None:
    text = format_position(with_extra_state(**{key: value}))
    assert tag in text
    assert parse_position(text).extra[key] == value


GOODS_TAG = '[Goods "1/0/2 0/0/0 0/3/0"]'
"""Goods of three players: wine, grain and cloth."""


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0"]'), "not the goods of each player"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/3"]'), "not the goods of each player"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/-3/0"]'), "not a number: '-3'"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/1234567/0"]'), "not a number: '1234567'"),
        (lambda text: text.replace('[Tiles "M13/0:base/D:-"]', '[Tiles ""]'), "there is no tile"),
    ],
)
def test_impossible_state_is_refused(change: Callable[[str], str], reason: str) -> None:
    text = format_position(with_extra_state(**{GOODS: ((1, 0, 2), (0, 0, 0), (0, 3, 0))}))
    assert change(text) != text
    with pytest.raises(RecordError, match=reason):
        parse_position(change(text))


def test_a_town_with_one_owner_needs_no_settlement() -> None:
    position = shared_town(0)
    assert "pay towns: town:1:M14.city.N" in format_position(position)
    answer_questions(position, True)
    text = format_position(position)
    assert "[Castles " in text
    assert "[SharedCastles " not in text
