"""Positions of The Castle and helpers for its composer, the panel in which a player puts a move together.

Cells are columns and rows, as E2; a placement such as ``D20 E2 180`` is tile, cell and rotation in degrees.
"""

from collections.abc import Iterator
from random import Random

from cogs.games.presenters import PRESENTERS
from cogs.panels.composer import Composer
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, TilePanel
from cogs.presenting.turn import Plan
from engine import Deploy
from engine.the_castle import PlaceTile, Position, new_setup
from host import Preferences
from tests.cogs.positions import LONG_NAMES, game_of

CASTLE = PRESENTERS["the-castle"]
"""The presenter of the game: its texts, buttons and pictures."""
TOWER_OF_THREE = {"tiles": ["D20 E2 180", "D20 G2 90"], "figures": ["0 E2 tower.NR"], "hand": "D07"}
"""D07 on F2 completes a tower of 3."""
PATH_AND_HOUSE = {
    "tiles": ["D56 D12 0", "D22 C12 270", "D10 C13 90"],
    "figures": ["0 D12 path.S", "0 C13 house.NR"],
    "hand": "D34",
}
"""D34 on D13 completes a path of 2 and a house of 3, both of the player to move."""
PATH_ONTO_SPACE_33 = {"tiles": ["D49 E3"], "figures": ["0 E3 path.N"], "hand": "D29", "scores": (31, 0)}
"""D29 on E2 completes a path of 2: the marker of the player to move comes to rest on space 33."""


def composer(position: Position, *, confirm: bool = True, **choices: str) -> Composer:
    """Return the composer of the player to move; keys of choices are given without the game's prefix."""
    stored = {f"castle.{name}": value for name, value in choices.items()}
    return Composer(CASTLE, game_of(position, LONG_NAMES), position, Preferences(confirm=confirm, choices=stored))


def buttons_with(panel: TilePanel, op: Op) -> list[ButtonSpec]:
    """Return the buttons of a panel with this operation."""
    return [offer for group in panel.offers for offer in group if offer.op is op]


def moves_offered(panel: TilePanel) -> list[str]:
    """Return the moves that a panel's buttons submit."""
    return [offer.argument for offer in buttons_with(panel, Op.GO)]


def next_plans(panel: TilePanel) -> list[Plan]:
    """Return the longer plans that a panel's buttons lead to, excluding those that go back."""
    plans = [Plan.parse(offer.argument) for offer in buttons_with(panel, Op.PLAN)]
    return [plan for plan in plans if len(plan.actions) > 1]


def plan_of(*tokens: str) -> Plan:
    """Return a plan of these actions."""
    return Plan.parse(" ".join(tokens))


def placement_positions(seed: int) -> Iterator[Position]:
    """Yield the positions of a random game in which a tile is to be placed; figures are deployed where possible."""
    rng = Random(seed)
    position = Position(new_setup(seed=str(seed)))
    while position.step is not None:
        if isinstance(position.step, PlaceTile):
            yield position.copy()
        actions = list(position.legal_actions)
        deploys = [action for action in actions if isinstance(action, Deploy) and "court" not in action.segment]
        position.apply(rng.choice(deploys or actions))
