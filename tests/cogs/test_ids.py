"""Custom ids of buttons: text form, parsing, and length.

A custom id contains a version, the operation, the game's code, the ply (the number of actions so far) or revision, and
an argument: ``c1:play:K7QF:12:``.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.games.carcassonne.boxes.abbey_mayor import SHOW_ABBEY, SHOW_WAGON
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT, LOT, OTHER
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bridges_castles import SHOW_TOWNS
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plan_drafts import DRAFT, SEAL, TYPE_PLAN
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plans import SEALED
from cogs.presenting.ids import (
    CUSTOM_ID_PATTERN,
    MAX_CUSTOM_ID_LENGTH,
    VERSION,
    Key,
    Op,
    Operation,
    OwnOp,
    card_marker,
    notice_marker,
    operations,
    parse_key,
    register_operation,
)

game_codes = st.from_regex(r"[A-Z0-9]{1,12}", fullmatch=True)
"""Codes of games."""


@given(st.sampled_from(operations()), game_codes, st.integers(0, 999_999), st.text(max_size=60))
def test_a_key_survives_its_text_form(op: Operation, ref: str, ply: int, argument: str) -> None:
    key = Key(op, ref, ply, argument)
    assert parse_key(str(key)) == key
    assert CUSTOM_ID_PATTERN.fullmatch(str(key))


@pytest.mark.parametrize(
    "text",
    ["", "foreign", "c1", "c1:play", "c1:play:K7QF", "c1:play:K7QF:-1:", "c1:play:K7QF:x:", "c1:play:k7qf:1:",
     "c1:nothing:K7QF:1:", "c0:play:K7QF:1:", "c1:play::1:", "c1:play:K7QF:1234567:", "x c1:play:K7QF:1:"],
)  # fmt: skip
def test_a_foreign_id_is_not_parsed(text: str) -> None:
    assert parse_key(text) is None


@pytest.mark.parametrize("name", ["play", str(AMOUNT)])
def test_operations_have_distinct_names(name: str) -> None:
    with pytest.raises(ValueError, match="already"):
        register_operation(OwnOp(name))


def test_operations_of_boxes_keep_their_stored_names() -> None:
    """Buttons that were posted earlier stay valid."""
    ops = [SHOW_WAGON, SHOW_ABBEY, LOT, OTHER, AMOUNT, SHOW_TOWNS, DRAFT, SEAL, TYPE_PLAN, SEALED]
    names = ["wagon", "abbey", "lot", "other", "amount", "towns", "draft", "seal", "typeplan", "sealed"]
    assert [op for op in operations() if isinstance(op, OwnOp)] == ops
    assert [str(op) for op in ops] == names


def test_the_longest_turn_fits_an_id() -> None:
    turn = "-ZZ-499/270~-ZZ-498WE ~-ZZ-497NS @monastery pass"
    assert len(str(Key(Op.GO, "K7QF", 999_999, turn))) <= MAX_CUSTOM_ID_LENGTH


def test_a_card_is_identified_by_game_and_ply() -> None:
    markers = {
        card_marker("K7QF", 3),
        card_marker("K7QF", 33),
        card_marker("K7QX", 3),
        notice_marker("K7QF", 3, "K7QF-3-f1"),
    }
    assert len(markers) == 4
    assert all(marker.startswith(VERSION) for marker in markers)
