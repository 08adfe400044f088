"""Panels, pictures and suggestions of The Castle do not depend on hidden wall tiles or on the pile.

Each test compares a position with one that differs only in what no player can know: the wall tiles that have not been
turned up, and the order of the pile.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from cogs.games.the_castle.presenter import answers
from cogs.games.the_castle.wishes import AT_ONCE, EXTRA
from cogs.games.the_castle.words import wall_tile_words
from cogs.presenting.ids import Op
from cogs.presenting.turn import Plan
from cogs.words.story import Storyteller
from cogs.words.typed_moves import typed_moves
from engine import Pass, parse_action
from engine.the_castle import PlayAgain, Position, WallTile, wall
from engine.the_castle.events import WallTileTaken
from renderers import DAY
from tests.cogs.castle import (
    CASTLE,
    PATH_ONTO_SPACE_33,
    TOWER_OF_THREE,
    buttons_with,
    composer,
    moves_offered,
    next_plans,
    placement_positions,
    plan_of,
)
from tests.cogs.positions import game_of
from tests.engine.built_castle_positions import arrange


def with_other_hidden_state(position: Position, rng: Random) -> Position:
    """Return the same visible game with another order of the hidden tiles."""
    setup = position.setup
    visible = [wall().corners.index(corner) for corner in position.taken]
    hidden = [place for place in range(len(setup.wall_tiles)) if place not in visible]
    kinds = [setup.wall_tiles[place] for place in hidden]
    rng.shuffle(kinds)
    tiles = list(setup.wall_tiles)
    for place, kind in zip(hidden, kinds, strict=True):
        tiles[place] = kind
    pile = list(setup.pile[position.next_tile :])
    rng.shuffle(pile)
    changed = position.copy()
    changed.setup = replace(setup, wall_tiles=tuple(tiles), pile=(*setup.pile[: position.next_tile], *pile), seed="x")
    return changed


@pytest.mark.parametrize("seed", range(3))
def test_panels_do_not_depend_on_hidden_tiles(seed: int) -> None:
    rng = Random(seed)
    for position in placement_positions(seed):
        if rng.random() < 0.6:
            continue  # a sample of the turns is enough
        position.scores = [rng.choice(wall().corners) - rng.randint(1, 4) for _ in range(2)]
        changed = with_other_hidden_state(position, rng)
        plan = Plan()
        for _ in range(6):
            panel = composer(position).panel(plan)
            assert panel == composer(changed).panel(plan)
            plan = rng.choice(
                [*next_plans(panel), *(Plan.parse(o.argument) for o in buttons_with(panel, Op.PLAN)), Plan()]
            )
        assert typed_moves(CASTLE, position, "", 40) == typed_moves(CASTLE, changed, "", 40)


def test_pictures_do_not_depend_on_hidden_tiles() -> None:
    rng = Random(5)
    for position in list(placement_positions(5))[20::25]:
        changed = with_other_hidden_state(position, rng)
        game, pictures = game_of(position), []
        for table in (position, changed):
            panel = composer(position).panel(Plan())
            pictures.append(
                [
                    CASTLE.card_picture(game, table, DAY),
                    CASTLE.board_picture(table, DAY),
                    *(alt_picture.picture for alt_picture in CASTLE.panel_pictures(game, table, panel, DAY)),
                    CASTLE.tiles_picture(table, Counter(table.setup.pile[table.next_tile :]), DAY),
                ]
            )
        assert pictures[0] == pictures[1]


@pytest.mark.parametrize("hidden", [1, 2, 9])
def test_a_wall_tile_is_not_revealed_before_it_is_taken(hidden: int) -> None:
    position = arrange(**PATH_ONTO_SPACE_33, wall_tiles={32: hidden})
    panel = composer(position).panel(plan_of("E2/0", "pass"))
    assert moves_offered(panel) == ["E2/0 pass"]
    assert "take the wall tile there" in panel.text
    assert wall_tile_words(WallTile(hidden)) not in panel.text
    assert panel == composer(arrange(**PATH_ONTO_SPACE_33, wall_tiles={32: 5})).panel(plan_of("E2/0", "pass"))


def test_a_new_extra_turn_tile_is_asked_about_on_the_card() -> None:
    position = arrange(**PATH_ONTO_SPACE_33, wall_tiles={32: 1})
    events = [event for token in ("E2/0", "pass") for event in position.apply(parse_action(token))]
    text = " ".join(Storyteller(CASTLE.sentence, ["Ana", "Ben"]).sentences(events))
    assert "turns up wall tile 1 (another turn)" in text
    assert [answer.action for answer in answers(position)] == [PlayAgain(), Pass()]
    assert any(isinstance(event, WallTileTaken) for event in events)


def test_a_plan_ends_with_the_turn() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1,), ()))
    outcome = CASTLE.turn.outcome(position, plan_of("F2/0", "pass"), {EXTRA: AT_ONCE})
    assert outcome.actions[-1] == PlayAgain()
    assert not outcome.asks
