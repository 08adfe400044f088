"""The text of what expansions remember, where lively games come to it seldom, and what is refused there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import Position
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions import BCB, TRADERS_BUILDERS
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import DELAYED
from engine.carcassonne.expansions.traders_builders import GOODS
from engine.notation.positions import format_position, parse_position
from engine.notation.reading import RecordError
from tests.scenarios.test_castles_shared import answer, shared


def having(**extra: Any) -> Position:
    """A position in which expansions remember this."""
    position = arrange(expansions=(BCB, TRADERS_BUILDERS))
    position.extra.update(extra)
    return position


@pytest.mark.parametrize(
    ("key", "value", "tag"),
    [(DELAYED, (2, 0), '[Delayed "3 1"]'), (GOODS, ((1, 0, 2), (0, 0, 0), (0, 3, 0)), '[Goods "1/0/2 0/0/0 0/3/0"]')],
)
def test_what_is_remembered_is_written_and_read(key: str, value: object, tag: str) -> None:
    text = format_position(having(**{key: value}))
    assert tag in text
    assert parse_position(text).extra[key] == value


GOODS_TAG = '[Goods "1/0/2 0/0/0 0/3/0"]'


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0"]'), "not the goods of each player"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/3"]'), "not the goods of each player"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/-3/0"]'), "not a number: '-3'"),
        (lambda text: text.replace(GOODS_TAG, '[Goods "1/0/2 0/0/0 0/1234567/0"]'), "not a number: '1234567'"),
        (lambda text: text.replace('[Tiles "M13/0:base/D:-"]', '[Tiles ""]'), "there is no tile"),
    ],
)
def test_what_cannot_be_is_refused(changed: Callable[[str], str], reason: str) -> None:
    text = format_position(having(**{GOODS: ((1, 0, 2), (0, 0, 0), (0, 3, 0))}))
    assert changed(text) != text
    with pytest.raises(RecordError, match=reason):
        parse_position(changed(text))


def test_of_a_town_that_one_player_holds_nothing_has_to_be_settled_or_shared() -> None:
    position = shared(0)
    assert "pay towns: town:1:M14.city.N" in format_position(position)
    answer(position, True)
    text = format_position(position)
    assert "[Castles " in text
    assert "[SharedCastles " not in text
