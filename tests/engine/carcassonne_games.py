"""Random Carcassonne games for the property tests: every option, every number of players, and lively play.

Uniformly random play hardly ever completes a town, and with a thousand legal bids it hardly ever passes. So lively play
places tiles beside many neighbours, builds castles and passes in auctions with raised probability; all other decisions
are drawn uniformly from the legal actions.
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
    PHANTOM,
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

CROWDED_TILES = ("base/E", "base/E", "base/H", "base/I", "base/D", "base/L", "base/X", "base/U", "base/A", "base/B")
"""Base game tiles that lead to many towns (cities of two tiles), short roads and bridges."""
CROWDED_BAZAARS = ("bcb/FFFF", "bcb/CFRF", "bcb/CCRC")
"""Tiles of *Bridges, Castles and Bazaars* with the same effect."""
CROWDED_INNS = ("ic/FRFR-b", "ic/FFRR", "ic/CFRC", "ic/CCCC-b")
"""Tiles of *Inns and Cathedrals* with the same effect."""
CROWDED_CASTLES = ("base/E", "base/E", "base/H", "base/H", "base/H", "base/I", "base/N")
"""City caps, two of them on many tiles, which lead to castles side by side and to two on one tile."""
SEGMENTS = ("city.N", "city.E", "road.N", "road.W", "road.E", "field.NL", "field.WR", "monastery", "garden", "river.N")
"""Names of segments on which figures may be deployed."""
EXPANSION_SETS = (
    DEFAULT_EXPANSIONS,
    (),
    OFFERED,
    *((name,) for name, box in REGISTRY.items() if not box.offered and box.tiles is not None),
    *((name, *DEFAULT_EXPANSIONS) for name in OFFERED if name not in DEFAULT_EXPANSIONS),
    tuple(reversed(REGISTRY)),
)
"""Combinations of expansions to play: those offered to players, and those that only the engine knows."""
SAMPLE_EXPANSIONS = (BCB, TRADERS_BUILDERS, INNS_CATHEDRALS, RIVER)
"""Expansions for tests with a chosen seed. Adding an expansion would change the course of their games."""
MODELLED_EXPANSIONS = {*SAMPLE_EXPANSIONS, FAIRY, PHANTOM}
"""Expansions covered by the naive reimplementations of legal actions and majorities."""


def options() -> st.SearchStrategy[Options]:
    """Draw a preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in Options.values().items()}
    return st.one_of(st.sampled_from(list(PRESETS.values())), st.builds(Options, **values))


def setups(
    *, expansions: st.SearchStrategy[tuple[str, ...]] | None = None, rules: st.SearchStrategy[Options] | None = None
) -> st.SearchStrategy[Setup]:
    """Draw games of 2 to 6 players with and without expansions, some with a crowded, shortened pile."""
    whole_games = st.builds(
        new_setup,
        players=st.integers(2, 6),
        seed=st.integers(0, 2**32).map(str),
        options=options() if rules is None else rules,
        expansions=st.sampled_from(EXPANSION_SETS) if expansions is None else expansions,
    )
    return st.one_of(whole_games, st.builds(_shortened, st.builds(crowded, whole_games)))


def modelled_setups() -> st.SearchStrategy[Setup]:
    """Draw games with expansions that the naive reimplementations cover."""
    expansion_sets = [tuple(name for name in boxes if name in MODELLED_EXPANSIONS) for boxes in EXPANSION_SETS]
    return setups(expansions=st.sampled_from(expansion_sets))


def expansions_for(seed: int) -> tuple[str, ...]:
    """Return the expansions offered to players or, for one seed in four, all that the engine knows."""
    return EXPANSION_SETS[-1] if seed % 4 == 3 else OFFERED


def crowded(setup: Setup) -> Setup:
    """Return the game with a pile that leads to many towns and bridges, or to neighbouring castles."""
    rng = Random(setup.seed)
    bazaars = CROWDED_BAZAARS if setup.expansions else ()
    inns = CROWDED_INNS if INNS_CATHEDRALS in setup.expansions else ()
    tiles = rng.choice(((*CROWDED_TILES, *bazaars, *inns), CROWDED_CASTLES))
    return replace(setup, pile=tuple(rng.choice(tiles) for _ in range(80)))


def _shortened(setup: Setup) -> Setup:
    """Return the setup with a pile of random length, so that games end early."""
    return replace(setup, pile=setup.pile[: Random(setup.seed).randint(0, 80)])


def lively_action(position: Position, rng: Random) -> Action:
    """Choose a legal action that favours completed features and castles."""
    match position.step:
        case PlaceTile():
            actions = position.legal_actions
            return max((rng.choice(actions) for _ in range(4)), key=lambda action: _neighbour_count(position, action))
        case DecideTown():
            return BuildCastle() if rng.random() < 0.8 else ScoreTown()
        case BidOnLot() if rng.random() < 0.4:
            return Pass()
        case DeployFollower() if TRADERS_BUILDERS in position.setup.expansions and rng.random() < 0.8:
            return _builder_or_pig(position, rng)
        case DeployFollower() if {*CROWDED_CASTLES}.issuperset(position.setup.pile) and rng.random() < 0.8:
            return _city_follower(position, rng)
        case _:
            return random_action(position, rng)


def _builder_or_pig(position: Position, rng: Random) -> Action:
    """Deploy a builder or pig if possible, else any figure."""
    deployments = [action for action in position.legal_actions if isinstance(action, Deploy)]
    figures = [action for action in deployments if action.figure != FOLLOWER]
    return rng.choice(figures or deployments or [Pass()])


def _city_follower(position: Position, rng: Random) -> Action:
    """Deploy a follower in a city if possible."""
    knights = [action for action in position.legal_actions if str(action).startswith("@city")]
    return rng.choice(knights) if knights else random_action(position, rng)


def _neighbour_count(position: Position, action: Action) -> int:
    """Return the number of tiles around the placed one."""
    if not isinstance(action, Place):
        return 0
    return sum(action.cell.square + step in position.land.placed for step in AROUND)


def start_from_seat(setup: Setup, seat: int) -> Position:
    """Return the position before the first move with this seat to begin."""
    position = Position(setup, begin=False)
    position.lay_start_tile()
    position.agenda.append(NextTurn((seat - 1) % setup.players))
    position.resume()
    return position


def near_misses(position: AnyPosition, rng: Random) -> Iterator[Action]:
    """Yield actions of every kind, most of them illegal."""
    cells = [*position.open_cells(), *(placed.cell for placed in position.placed()), Cell(40, -40)]
    cell, other = rng.choice(cells), rng.choice(cells)
    axis = rng.choice(list(Axis))
    yield from (Decline(), Pass(), BuildCastle(), ScoreTown(), Buy(), Sell())
    yield from (Place(cell, rotation) for rotation in (0, 90, 180, 270, 45, 360))
    yield from (Place(cell, rotation, BuildBridge(other, axis)) for rotation in (0, 90))
    yield from (Place(cell, 0, BuildBridge(cell, axis)), BuildBridge(cell, axis), BuildBridge(other, axis))
    yield from (Deploy(segment, figure) for segment in SEGMENTS for figure in (FOLLOWER, "big-follower"))
    yield from (Deploy("road.N", "builder"), ChooseSource(cell, "road.N"), ChooseSource(cell, "castle"))
    yield from (Bid(amount) for amount in (-1, 0, 1, 5, 998, 999, 1000))
    yield from (SelectLot(lot, bid) for lot in (0, 1, 2, 7) for bid in (-1, 0, 3, 1000))
    yield from (PickLot(lot) for lot in (0, 1, 2, 7))
