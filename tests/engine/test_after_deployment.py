"""The hook between a deployment and the scoring of the tile, with a decision that only these tests define."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pytest

from engine import Cell, Pass, Resign, parse_action
from engine.actions import Action, Seat
from engine.agenda import Step
from engine.carcassonne import DeployFollower, Options, Position
from engine.carcassonne.table import Deployment, Expansion, Tabletop
from engine.events import Event
from gallery.built_positions import arrange
from tests.engine import pedlars
from tests.scenarios.vocabulary import BCB, place_tile, placement, play_turn, points


@dataclass(frozen=True, slots=True)
class Pause(Step[Tabletop]):
    """A decision in which a player can only pass."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:  # noqa: ARG002
        """Offer to pass."""
        return (Pass(),)

    def apply(self, position: Tabletop, action: Action) -> None:
        """Do nothing."""

    def forfeit(self, position: Tabletop) -> None:
        """Do nothing."""


class Pausing(Expansion):
    """An expansion that asks the player to pass after each deployment."""

    def after_deployment(self, position: Tabletop, step: Deployment) -> None:
        """Add the pause to the agenda."""
        position.agenda.append(Pause(step.player, step.cell))


closing_a_city = partial(arrange, tiles=["base/E 0,0 180"], hand="base/E")
"""Build a position in which the tile in hand can complete a city."""


def paused(expansions: tuple[str, ...] = ()) -> Position:
    """Return a position in which the pause of this module follows each deployment."""
    position = closing_a_city(expansions=expansions)
    position.hook_handlers = {**position.hook_handlers, Expansion.after_deployment: (Pausing(),)}
    return position


@pytest.mark.parametrize("boxes", [(), (pedlars.NAME,)], ids=["alone", "with the box of the tests"])
def test_the_decision_comes_after_the_figure_and_before_the_points(boxes: tuple[str, ...]) -> None:
    with pedlars.registered():
        position = paused(boxes)
        position.apply(placement("0,1", 0))
        assert isinstance(position.step, DeployFollower)
        events: list[Event] = play_turn_from(position)
        assert position.step == Pause(Seat(0), Cell(0, 1))
        assert points(events) == []
        assert points(position.apply(Pass())) == [(0, 4)]


def play_turn_from(position: Position) -> list[Event]:
    """Put a knight into the city."""
    return list(position.apply(next(action for action in position.legal_actions if str(action) == "@city.N")))


def test_without_the_hook_nothing_comes_between() -> None:
    assert points(play_turn(closing_a_city(expansions=()), "0,1", deploy="city.N")) == [(0, 4)]


class Remembering(Expansion):
    """An expansion that remembers each deployment that is over."""

    def __init__(self) -> None:
        self.seen: list[Deployment] = []

    def after_deployment(self, position: Tabletop, step: Deployment) -> None:  # noqa: ARG002
        """Remember the deployment."""
        self.seen.append(step)


@pytest.mark.parametrize(
    ("actions", "built", "deployed"),
    [
        (["pass"], False, False),
        (["@road.N", "pass"], False, True),
        (["~M14WE", "pass"], True, False),
        (["~M14WE", "@road.N"], True, True),
        (["@road.N", "~M14WE"], False, True),
    ],
)
def test_a_deployment_is_over_once_in_any_order(actions: list[str], *, built: bool, deployed: bool) -> None:
    """A figure and a bridge may come in either order (BR-14); the hook learns only of the last state of the step."""
    position = arrange(
        tiles=["base/U 0,0 90"], hand="base/U", expansions=BCB, options=Options(bridge_timing="any_time")
    )
    remembering = Remembering()
    position.hook_handlers = {**position.hook_handlers, Expansion.after_deployment: (remembering,)}
    place_tile(position, "0,1", 90)
    for action in actions:
        assert remembering.seen == []
        position.apply(parse_action(action))
    assert [(step.built, step.deployed) for step in remembering.seen] == [(built, deployed)]


def test_a_player_who_resigns_is_asked_nothing_more() -> None:
    position = paused()
    position.apply(placement("0,1", 0))
    position.apply(Resign(Seat(0)))
    assert not isinstance(position.step, Pause)
    assert position.player == 1
