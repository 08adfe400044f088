"""Random games with the Phantom and each other box, followed by a slow model of its question.

After a figure, or what was done instead of one, the player may put the phantom on a free feature of the tile. The model
joins the segments of all tiles anew (``naive.py``) and finds figures by what stands on the tiles. Codes such as PH-03
are rules of the rule digest.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import Action, Cell, Deploy, Pass, Resign, state_digest
from engine.carcassonne import DeployFollower, FeatureKind, Position, new_setup
from engine.carcassonne.expansions import PHANTOM, REGISTRY
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildBridge, castles_of
from engine.carcassonne.expansions.phantom import DeployPhantom, PutPhantom
from engine.carcassonne.options import Options
from engine.carcassonne.table import Expansion
from engine.events import Deployed, TilePlaced
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from tests.engine import naive
from tests.engine.carcassonne_games import crowded, lively_action
from tests.soak import first

BESIDE = [(), *((name,) for name in REGISTRY if name != PHANTOM), tuple(name for name in REGISTRY if name != PHANTOM)]
"""The other boxes in the game: none, each one, and all."""
GAMES = 50
"""The number of random games with each of them."""


def boxes_with(beside: tuple[str, ...]) -> tuple[str, ...]:
    """Return the boxes of a game, with those on which they depend, in the order of the registry."""
    needed = {*beside, *(other for name in beside for other in REGISTRY[name].depends_on), PHANTOM}
    return tuple(name for name in REGISTRY if name in needed)


def free_segments(position: Position, cell: Cell) -> set[str]:
    """Return the segments of a tile that belong to no feature with a figure (BA-10, PH-04)."""
    table = naive.table_of(position)
    lords = [follower for castle in castles_of(position) for follower in castle.followers]
    in_castles = {(position.land.part(lord.segment)[0], position.land.part(lord.segment)[1].name) for lord in lords}
    taken = {(figure.cell, figure.segment.name) for figure in position.standing_figures()} - in_castles
    return {
        segment.name
        for index, segment in enumerate(table[cell].all_segments)
        if segment.kind in {*FeatureKind}
        and (position.options.farmers or segment.kind is not FeatureKind.FIELD)
        and not any(
            (other, table[other].all_segments[number].name) in taken
            for other, number in naive.joined(table, (cell, index))
        )
    }


def is_asked(position: Position, step: DeployFollower, action: Action) -> bool | None:
    """Return whether the phantom is to be asked for after this action (PH-03, PH-05, PH-07); None if that is open.

    A bridge that is built after the figure may add a free road; no more than that the model does not know.
    """
    if isinstance(action, BuildBridge) or (isinstance(action, Pass) and not step.deployed):
        return None if isinstance(action, BuildBridge) else False
    free, home = free_segments(position, step.cell), position.supply[PHANTOM][step.player] == 1
    if isinstance(action, Deploy):
        free -= {part.name for cell, part in position.feature_at(step.cell, action.segment).parts if cell == step.cell}
        home = home and action.figure != PHANTOM
    return home and bool(free)


def play(number: int, beside: tuple[str, ...]) -> None:
    """Play a random game and compare each question for the phantom with the model."""
    random = Random(f"{number} {beside}")
    options = Options.of({"bridge_timing": random.choice(("after_tile", "any_time")), "farmers": random.random() < 0.8})
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes_with(beside))
    setup = crowded(setup) if number % 3 == 0 else setup
    position = Position(setup)
    actions: list[Action] = []
    figures: list[str] = []
    while (step := position.step) is not None:
        leaves = random.random() < 0.002 and position.withdrawn.count(False) > 2
        action = Resign(position.player) if leaves else lively_action(position, random)
        if random.random() < 0.05:
            before = state_digest(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == before
        if isinstance(step, DeployPhantom):
            text = format_position(position)
            assert format_position(parse_position(text)) == text
            puts = {answer.segment for answer in position.legal_actions if isinstance(answer, PutPhantom)}
            assert puts == free_segments(position, step.cell) != set()
        expected = is_asked(position, step, action) if isinstance(step, DeployFollower) and not leaves else None
        actions.append(action)
        events = position.apply(action)
        if expected is not None and not isinstance(position.step, DeployFollower):
            assert isinstance(position.step, DeployPhantom) == expected
        for event in events:
            if isinstance(event, TilePlaced):
                figures = []
            elif isinstance(event, Deployed):
                figures.append(event.figure)
                assert len(figures) == 1 or (len(figures) == 2 and figures[1] == PHANTOM != figures[0])
    record = read_record(format_record(Record.of(setup, actions)))
    assert state_digest(record.position()) == state_digest(position)


@pytest.mark.parametrize("beside", BESIDE, ids=lambda beside: " ".join(beside) or "alone")
@pytest.mark.parametrize("number", first(1, range(GAMES)))
def test_the_question_for_the_phantom_is_that_of_the_model(number: int, beside: tuple[str, ...]) -> None:
    play(number, beside)


def test_the_phantom_comes_second_alone_and_not_at_all_in_random_games() -> None:
    seen = set()
    for number in range(3):
        random = Random(number)
        position = Position(new_setup(players=2, seed=str(number), expansions=(PHANTOM,)))
        while (step := position.step) is not None:
            action = lively_action(position, random)
            seen |= {type(action)} if isinstance(step, DeployPhantom) else set()
            seen |= {"alone"} if isinstance(action, Deploy) and action.figure == PHANTOM else set()
            position.apply(action)
    assert seen == {PutPhantom, Pass, "alone"}


def test_the_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    alone = Position(new_setup(players=2, seed="1", expansions=(PHANTOM,)))
    called_hooks = [hook for hook, handlers in alone.hook_handlers.items() if handlers]
    assert called_hooks == [Expansion.figures, Expansion.after_deployment]
    without = Position(new_setup(players=2, seed="1", expansions=boxes_with(())[1:]))
    own = REGISTRY[PHANTOM].mechanisms
    assert not [handler for handlers in without.hook_handlers.values() for handler in handlers if handler in own]
