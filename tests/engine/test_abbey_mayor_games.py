"""Random games with Abbey & Mayor and each other box, followed by a slow model of abbeys, wagons and barns.

The model joins the segments of all tiles anew (``naive.py``). It finds the gaps for abbeys, the places to which a wagon
may move and the corners for barns, and works out what farmers beside a barn and the barn itself score. Codes such as
AM-35 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest

from engine import Action, Cell, Deploy, Pass, Resign, state_digest
from engine.carcassonne import DeployFollower, FeatureKind, Options, Position, new_setup
from engine.carcassonne.expansions import ABBEY_MAYOR, REGISTRY
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY,
    ABBEY_TILE,
    BARN,
    WAGON,
    DecideAbbey,
    DecideWagon,
    MoveWagon,
    PlaceAbbey,
    PutBarn,
    ScoreBarns,
    UseAbbey,
)
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from engine.carcassonne.expansions.games_quarterly import PIG_FIELD
from engine.carcassonne.expansions.river_two import PIG_HERD
from engine.carcassonne.steps import ScoringRound
from engine.carcassonne.table import Expansion
from engine.events import Deployed, Scored
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from engine.views import StandingFigure
from tests.engine import naive
from tests.engine.carcassonne_games import crowded, lively_action
from tests.engine.naive import Part, Table
from tests.soak import first

BESIDE = [(), *((name,) for name in REGISTRY if name != ABBEY_MAYOR), tuple(REGISTRY)]
"""The other boxes in the game: none, each one with those that it depends on, and all."""
GAMES = 50
"""The number of random games with each of them."""
CORNER_TILES = {
    "NW": ((0, 0, 7, 0), (-1, 0, 1, 2), (-1, -1, 3, 4), (0, -1, 5, 6)),
    "NE": ((1, 0, 7, 0), (0, 0, 1, 2), (0, -1, 3, 4), (1, -1, 5, 6)),
    "SE": ((1, 1, 7, 0), (0, 1, 1, 2), (0, 0, 3, 4), (1, 0, 5, 6)),
    "SW": ((0, 1, 7, 0), (-1, 1, 1, 2), (-1, 0, 3, 4), (0, 0, 5, 6)),
}
"""The four tiles around each corner of a tile: the offset in x and y, and the half-sides that meet there."""
WEIGHTS = {"follower": 1, "phantom": 1, "big-follower": 2}
"""The weight of the figures that may be farmers."""


def boxes_beside(number: int) -> tuple[str, ...]:
    """Return the boxes of a game in the order of the registry."""
    beside = BESIDE[number % len(BESIDE)]
    needed = {*beside, *(other for name in beside for other in REGISTRY[name].depends_on), ABBEY_MAYOR}
    return tuple(name for name in REGISTRY if name in needed)


def gaps(table: Table) -> set[Cell]:
    """Return the empty cells with tiles on all four sides (AM-06)."""
    near = {naive.beside(cell, side) for cell in table for side in range(4)} - table.keys()
    return {cell for cell in near if all(naive.beside(cell, side) in table for side in range(4))}


def part_at(table: Table, cell: Cell, name: str) -> Part:
    """Return the part with this cell and name."""
    return cell, next(index for index, segment in enumerate(table[cell].all_segments) if segment.name == name)


def is_open(table: Table, feature: Iterable[Part]) -> bool:
    """Return whether a road, city or monastery is incomplete."""
    for cell, index in feature:
        segment = table[cell].all_segments[index]
        if segment.kind is FeatureKind.MONASTERY:
            return not all(Cell(cell.x + x, cell.y + y) in table for x in (-1, 0, 1) for y in (-1, 0, 1))
        if any(naive.beside(cell, side) not in table for side in segment.places):
            return True
    return False


def reached(position: Position, table: Table, stood: Part) -> Iterator[Part]:
    """Yield parts that a wagon can reach, of any kind and state (AM-35 to AM-37)."""
    if position.options.mapping()["wagon_move"] == "c2":
        for x, y in product((-1, 0, 1), repeat=2):
            cell = Cell(stood[0].x + x, stood[0].y + y)
            yield from ((cell, index) for index in range(len(table[cell].all_segments) if cell in table else 0))
        return
    for part in naive.joined(table, stood):
        yield from linked(position, table, part)
        yield from beside_abbeys(position, table, part)


def linked(position: Position, table: Table, part: Part) -> Iterator[Part]:
    """Yield the parts that meet another one on its tile; two cities never do."""
    cell, index = part
    placed = position.tile_at(cell)
    assert placed is not None
    printed = table[cell].segments
    for group in placed.tile.links:
        if index in group:
            kinds = {number: printed[number].kind for number in group}
            yield from ((cell, number) for number in group if not kinds[index] == kinds[number] == FeatureKind.CITY)


def beside_abbeys(position: Position, table: Table, part: Part) -> Iterator[Part]:
    """Yield the abbeys beside a road or city, or the roads and cities beside an abbey."""
    cell, index = part
    own = table[cell].all_segments[index]
    abbeys = {placed.cell for placed in position.placed() if placed.tile.id == ABBEY_TILE}
    for side in range(4):
        beyond = naive.beside(cell, side)
        if beyond in abbeys and side in own.places and own.kind != "field":
            yield beyond, 0
        if cell in abbeys and beyond in table:
            for number, segment in enumerate(table[beyond].all_segments):
                if segment.kind != "field" and (side + 2) % 4 in segment.places:
                    yield beyond, number


def wagon_places(position: Position, step: DecideWagon) -> set[MoveWagon]:
    """Return the places to which a wagon may move (AM-33 to AM-40)."""
    table = naive.table_of(position)
    cell, segment = position.land.part(step.segment)
    taken = {part_at(table, figure.cell, figure.segment.name) for figure in position.standing_figures()}
    within = set(reached(position, table, part_at(table, cell, segment.name)))
    places = set()
    for part in within:
        feature = naive.joined(table, part)
        kind = table[part[0]].all_segments[part[1]].kind
        if kind in {"road", "city", "monastery"} and is_open(table, feature) and not feature & taken:
            chosen = feature if position.options.mapping()["wagon_move"] == "c1" else feature & within
            places |= {MoveWagon(at, table[at].all_segments[index].name) for at, index in chosen}
    return places


def barn_corners(position: Position, cell: Cell) -> set[str]:
    """Return the corners of a tile on which a barn may stand (AM-48, AM-49)."""
    table, options = naive.table_of(position), position.options.mapping()
    barns = {
        part_at(table, entry.cell, entry.segment.name) for entry in position.standing_figures() if entry.figure == BARN
    }
    found = set()
    for corner, around in CORNER_TILES.items():
        fields = []
        for x, y, *halves in around:
            at = Cell(cell.x + x, cell.y + y)
            for index, segment in enumerate(table[at].segments if at in table else ()):
                if segment.kind is FeatureKind.FIELD and {*halves} <= {*segment.places}:
                    fields.append((at, index))
        free = options["barn_placement"] == "also_beside_barns" or (
            fields and not naive.joined(table, fields[0]) & barns
        )
        if len(fields) == 4 and free and options["farmers"]:
            found.add(corner)
    return found


def farm_worth(position: Position, table: Table, farm: set[Part], city: int) -> list[int]:
    """Return the points of each completed city and castle on a farm, if a city is worth ``city``."""
    castles = {cell: castle for castle in castles_of(position) for cell in castle.cells}
    needs_completed = position.options.mapping()["castle_farm_needs_completed"]
    cities: dict[frozenset[Part], int] = {}
    for cell, index in farm:
        for number in table[cell].segments[index].cities:
            feature = frozenset(naive.joined(table, (cell, number)))
            if is_open(table, feature):
                continue
            cells = {at for at, _ in feature}
            castle = castles.get(cell)
            is_castle = any(
                cells == {*castle.cells}
                and position.feature_at(cell, table[cell].segments[number].name).kind == "castle"
                for castle in castles_of(position)
            )
            cities[feature] = city + is_castle
            if is_castle and needs_completed and castle is not None:
                own = next(entry for entry in castles_of(position) if cells == {*entry.cells})
                cities[feature] = city + 1 if own.scored else 0
    return list(cities.values())


def majority(figures: Iterable[StandingFigure]) -> set[int]:
    """Return the players with most farmers."""
    weights = Counter[int]()
    for figure in figures:
        weights[figure.player] += WEIGHTS.get(figure.figure, 0)
    return {seat for seat, weight in weights.items() if weight and weight == max(weights.values())}


def has_herd(position: Position, farm: set[Part]) -> bool:
    """Return whether a farm has a herd of pigs that counts: that of The River II, or that of Games Quarterly 11."""
    boxes, options = position.setup.expansions, position.options.mapping()
    tiles = {placed.tile.id for cell, _ in farm if (placed := position.tile_at(cell)) is not None}
    table = naive.table_of(position)
    drawn = any(table[cell].segments[index].shows(PIG_HERD) is not None for cell, index in farm)
    counts = not options["pig_herd_needs_traders"] or "traders-builders" in boxes
    pigs = "games-quarterly" in boxes and options["gq11_pig_herd"] and PIG_FIELD in tiles
    return bool(pigs or ("river-two" in boxes and drawn and counts))


def scores_beside_barns(position: Position, standing: Iterable[StandingFigure]) -> Counter[tuple[int, int]]:
    """Return the points of the farmers whose farms have a barn, as (seat, points), given the figures before."""
    table, counts, figures = naive.table_of(position), Counter[tuple[int, int]](), list(standing)
    newest = position.land.order[-1]
    done: list[set[Part]] = []
    for barn in (figure for figure in figures if figure.figure == BARN):
        farm = naive.joined(table, part_at(table, barn.cell, barn.segment.name))
        if farm in done:
            continue
        done.append(farm)
        here = [figure for figure in figures if part_at(table, figure.cell, figure.segment.name) in farm]
        barns = [figure.cell for figure in here if figure.figure == BARN]
        if len(barns) == len(here):
            continue
        new = Cell.at(newest)
        is_new = any((cell.x - new.x, cell.y - new.y) in {(0, 0), (1, 0), (0, 1), (1, 1)} for cell in barns)
        worth = farm_worth(position, table, farm, 3 if is_new else 1)
        counting = sum(value > 0 for value in worth)
        for seat in majority(here):
            pigs = any((figure.player, figure.figure) == (seat, "pig") for figure in here)
            counts[seat, sum(worth) + (pigs + has_herd(position, farm)) * counting] += 1
    return counts


def final_barns(position: Position) -> Counter[tuple[int, int]]:
    """Return the points of all barns at the end, as (seat, points) (AM-58)."""
    table = naive.table_of(position)
    return Counter(
        (
            barn.player,
            sum(farm_worth(position, table, naive.joined(table, part_at(table, barn.cell, barn.segment.name)), 4)),
        )
        for barn in position.standing_figures()
        if barn.figure == BARN
    )


def is_pending(position: Position) -> bool:
    """Return whether the farms of the last placement are still to be scored."""
    return any(isinstance(entry, ScoringRound | ScoreBarns) for entry in position.agenda)


def next_action(position: Position, random: Random) -> Action:
    """Choose an action that often has to do with this box."""
    actions = position.legal_actions
    match position.step:
        case DecideAbbey():
            return UseAbbey() if random.random() < 0.4 else Pass()
        case DecideWagon() if random.random() < 0.8:
            return random.choice(actions[1:])
        case DeployFollower() if random.random() < 0.5:
            own = [
                action
                for action in actions
                if isinstance(action, PutBarn) or (isinstance(action, Deploy) and action.figure in {"mayor", WAGON})
            ]
            farmers = [
                action for action in actions if isinstance(action, Deploy) and action.segment.startswith("field")
            ]
            return random.choice(own or farmers or list(actions))
        case _:
            return lively_action(position, random)


def check_offers(position: Position) -> None:
    """Compare what this box offers now with the model."""
    match position.step:
        case DecideAbbey(player=player):
            assert position.supply[ABBEY][player] == 1
            assert gaps(naive.table_of(position))
        case PlaceAbbey():
            assert {action.cell for action in position.legal_actions} == gaps(naive.table_of(position))
        case DecideWagon() as step:
            moves = [action for action in position.legal_actions if isinstance(action, MoveWagon)]
            assert len(moves) == len({*moves})
            assert {*moves} == wagon_places(position, step) != set()
        case DeployFollower(player=player, cell=cell, deployed=False) if position.supply[BARN][player]:
            offered = {action.corner for action in position.legal_actions if isinstance(action, PutBarn)}
            bars = [box.bars_figures(position, position.step) for box in position.expansions]
            assert offered == (set() if any(bars) else barn_corners(position, cell))
        case _:
            pass


def play(number: int) -> Counter[str]:
    """Play a random game and compare it with the model; return how often things happened."""
    random = Random(number)
    names = (
        "wagon_move",
        "barn_placement",
        "barn_join_pig",
        "abbey_at_end",
        "mayor_castle",
        "castle_farm_needs_completed",
        "pig_herd_needs_traders",
        "gq11_pig_herd",
    )
    values = {name: random.choice(Options.values()[name]) for name in names}
    options = Options.of(values | {"farmers": random.random() < 0.9})
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes_beside(number))
    position = Position(crowded(setup) if number % 3 == 1 and setup.is_one_deck else setup)
    setup, actions, happened = position.setup, list[Action](), Counter[str]()
    while position.step is not None:
        check_offers(position)
        leaves = random.random() < 0.002 and position.withdrawn.count(False) > 2
        action = Resign(position.player) if leaves else next_action(position, random)
        if random.random() < 0.05:
            before = state_digest(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == before
        if random.random() < 0.05 or isinstance(position.step, DecideAbbey | PlaceAbbey | DecideWagon):
            text = format_position(position)
            assert format_position(parse_position(text)) == text
        standing, pending = list(position.standing_figures()), is_pending(position)
        actions.append(action)
        events = position.apply(action)
        happened[type(action).__name__] += 1
        standing += [
            StandingFigure(event.player, event.figure, event.cell, event.segment)
            for event in events
            if isinstance(event, Deployed)
        ]
        beside = Counter(
            (event.player, event.points)
            for event in events
            if isinstance(event, Scored) and event.kind == "field" and not event.final
        )
        if leaves:
            continue
        scored = pending and not is_pending(position)
        assert beside == (scores_beside_barns(position, standing) if scored else Counter())
        happened["joined"] += scored and not isinstance(action, PutBarn) and bool(beside)
        if scored:
            for figure in position.standing_figures():
                if figure.figure == BARN:
                    holders = position.feature_at(figure.cell, figure.segment.name).followers
                    assert {entry.figure for entry in holders} == {BARN}
        assert sum(placed.tile.id == ABBEY_TILE for placed in position.placed()) == position.players - sum(
            position.supply[ABBEY]
        )
    assert Counter(
        (event.player, event.points) for event in events if isinstance(event, Scored) and event.kind == BARN
    ) == final_barns(position)
    record = read_record(format_record(Record.of(setup, actions)))
    assert state_digest(record.position()) == state_digest(position)
    return happened


@pytest.mark.parametrize("number", first(len(BESIDE), range(GAMES * len(BESIDE))))
def test_a_random_game_is_that_of_the_model(number: int) -> None:
    """AM-05 to AM-61, with every number of players and every option."""
    play(number)


def test_everything_of_the_box_happens_in_random_games() -> None:
    happened = sum((play(number * len(BESIDE)) for number in range(6)), Counter[str]())
    assert all(happened[name] for name in ("UseAbbey", "MoveWagon", "PutBarn", "joined"))


def test_a_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=(ABBEY_MAYOR,)))
    called = {hook for hook, handlers in position.hook_handlers.items() if handlers}
    assert called == {
        Expansion.figures,
        Expansion.pieces,
        Expansion.vetoes,
        Expansion.barred_places,
        Expansion.instead_of_follower,
        Expansion.perform,
        Expansion.before_draw,
        Expansion.followers_returned,
        Expansion.bars_change,
        Expansion.pile_used_up,
        Expansion.face_up_tiles,
        Expansion.field_points,
        Expansion.game_ending,
    }
