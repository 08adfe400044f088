"""Random games of Carcassonne for the property tests: every option, every number of players, lively play.

Uniformly random play hardly ever closes a town, nor passes when it may bid a thousand points. So tiles are laid where
many neighbours lie, towns mostly become castles, and bids are often passed; all else is drawn from what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine import Action, Cell, Deploy, Pass, Place
from engine import Position as AnyPosition
from engine.actions import FOLLOWER
from engine.carcassonne import PRESETS, Axis, Decline, DeployFollower, Options, PlaceTile, Position, Setup, new_setup
from engine.carcassonne.expansions import (
    BCB,
    DEFAULT_EXPANSIONS,
    FAIRY,
    INNS_CATHEDRALS,
    OFFERED,
    REGISTRY,
    RIVER,
    TRADERS_BUILDERS,
)
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bid,
    BidOnLot,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    DecideTown,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)
from engine.carcassonne.steps import NextTurn
from engine.geometry import AROUND
from engine.selfplay import random_action

CROWD = ("base/E", "base/E", "base/H", "base/I", "base/D", "base/L", "base/X", "base/U", "base/A", "base/B")
"""Tiles that make for many towns, short roads and bridges."""
CROWD_BAZAARS = ("bcb/FFFF", "bcb/CFRF", "bcb/CCRC")
"""The same, of the expansion."""
CROWD_INNS = ("ic/FRFR-b", "ic/FFRR", "ic/CFRC", "ic/CCCC-b")
"""The same, of roads with inns and of cities with cathedrals."""
CROWD_CASTLES = ("base/E", "base/E", "base/H", "base/H", "base/H", "base/I", "base/N")
"""Caps, two of them on many tiles: castles lie side by side, and two on one tile."""
SEGMENTS = ("city.N", "city.E", "road.N", "road.W", "road.E", "field.NL", "field.WR", "monastery", "river.N")
BOXES = (
    DEFAULT_EXPANSIONS,
    (),
    OFFERED,
    *((name,) for name, box in REGISTRY.items() if not box.offered and box.tiles is not None),
    *((name, *DEFAULT_EXPANSIONS) for name in OFFERED if name not in DEFAULT_EXPANSIONS),
    tuple(reversed(REGISTRY)),
)
"""Sets of boxes that are played: most of those offered, and those that only the engine knows."""
SAMPLED = (BCB, TRADERS_BUILDERS, INNS_CATHEDRALS, RIVER)
"""The boxes of sample games: a seed at which something happens plays another game with one box more."""
MODELLED = {*SAMPLED, FAIRY}
"""The boxes that the naive reimplementations of legal actions and majorities cover."""


def options() -> st.SearchStrategy[Options]:
    """A preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in Options.values().items()}
    return st.one_of(st.sampled_from(list(PRESETS.values())), st.builds(Options, **values))


def setups(
    *, expansions: st.SearchStrategy[tuple[str, ...]] | None = None, rules: st.SearchStrategy[Options] | None = None
) -> st.SearchStrategy[Setup]:
    """Games of 2 to 6 players, with and without expansions, some full of towns and roads."""
    whole = st.builds(
        new_setup,
        players=st.integers(2, 6),
        seed=st.integers(0, 2**32).map(str),
        options=options() if rules is None else rules,
        expansions=st.sampled_from(BOXES) if expansions is None else expansions,
    )
    return st.one_of(whole, st.builds(_shortened, st.builds(crowded, whole)))


def modelled() -> st.SearchStrategy[Setup]:
    """Games with boxes of which the slow twins know all figures and pieces."""
    combinations = [tuple(name for name in boxes if name in MODELLED) for boxes in BOXES]
    return setups(expansions=st.sampled_from(combinations))


def everything(seed: int) -> tuple[str, ...]:
    """All that is offered, or all that the engine knows."""
    return BOXES[-1] if seed % 4 == 3 else OFFERED


def crowded(setup: Setup) -> Setup:
    """The same game with a pile in which towns are closed and roads are bridged all the time, or castles crowd."""
    random = Random(setup.seed)
    bazaars = CROWD_BAZAARS if setup.expansions else ()
    inns = CROWD_INNS if INNS_CATHEDRALS in setup.expansions else ()
    tiles = random.choice(((*CROWD, *bazaars, *inns), CROWD_CASTLES))
    return replace(setup, pile=tuple(random.choice(tiles) for _ in range(80)))


def _shortened(setup: Setup) -> Setup:
    return replace(setup, pile=setup.pile[: Random(setup.seed).randint(0, 80)])


def lively_action(position: Position, random: Random) -> Action:
    """A legal action, chosen so that features close and castles are built."""
    match position.step:
        case PlaceTile():
            actions = position.legal_actions
            return max((random.choice(actions) for _ in range(4)), key=lambda action: _company(position, action))
        case DecideTown():
            return BuildCastle() if random.random() < 0.8 else ScoreTown()
        case BidOnLot() if random.random() < 0.4:
            return Pass()
        case DeployFollower() if TRADERS_BUILDERS in position.setup.expansions and random.random() < 0.8:
            return _companion(position, random)
        case DeployFollower() if {*CROWD_CASTLES}.issuperset(position.setup.pile) and random.random() < 0.8:
            return _knight(position, random)
        case _:
            return random_action(position, random)


def _companion(position: Position, random: Random) -> Action:
    """A builder or pig if there is a place for one, else where one may follow."""
    deployments = [action for action in position.legal_actions if isinstance(action, Deploy)]
    figures = [action for action in deployments if action.figure != FOLLOWER]
    return random.choice(figures or deployments or [Pass()])


def _knight(position: Position, random: Random) -> Action:
    """A follower in a city if there is one to hold."""
    knights = [action for action in position.legal_actions if str(action).startswith("@city")]
    return random.choice(knights) if knights else random_action(position, random)


def _company(position: Position, action: Action) -> int:
    """Return the number of tiles around the place."""
    if not isinstance(action, Place):
        return 0
    return sum(action.cell.square + step in position.land.placed for step in AROUND)


def begun_by(setup: Setup, seat: int) -> Position:
    """The position before the first move, in which this seat begins."""
    position = Position(setup, begin=False)
    position.lay_start_tile()
    position.agenda.append(NextTurn((seat - 1) % setup.players))
    position.resume()
    return position


def near_misses(position: AnyPosition, chance: Random) -> Iterator[Action]:
    """Actions of every kind, most of them not legal."""
    cells = [*position.open_cells(), *(placed.cell for placed in position.placed()), Cell(40, -40)]
    cell, other = chance.choice(cells), chance.choice(cells)
    axis = chance.choice(list(Axis))
    yield from (Decline(), Pass(), BuildCastle(), ScoreTown(), Buy(), Sell())
    yield from (Place(cell, rotation) for rotation in (0, 90, 180, 270, 45, 360))
    yield from (Place(cell, rotation, BuildBridge(other, axis)) for rotation in (0, 90))
    yield from (Place(cell, 0, BuildBridge(cell, axis)), BuildBridge(cell, axis), BuildBridge(other, axis))
    yield from (Deploy(segment, figure) for segment in SEGMENTS for figure in (FOLLOWER, "big-follower"))
    yield from (Deploy("road.N", "builder"), ChooseSource(cell, "road.N"), ChooseSource(cell, "castle"))
    yield from (Bid(amount) for amount in (-1, 0, 1, 5, 998, 999, 1000))
    yield from (SelectLot(lot, bid) for lot in (0, 1, 2, 7) for bid in (-1, 0, 3, 1000))
    yield from (PickLot(lot) for lot in (0, 1, 2, 7))
