"""Castles (rules CA-01 to CA-60)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.actions import Action
from engine.agenda import Step, Task
from engine.carcassonne.actions import CASTLE_SOURCE, BuildCastle, ChooseSource, ScoreTown
from engine.carcassonne.events import CastleBuilt
from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.expansions.sources import Sources
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.scoring import TOWN_TILES, return_follower, structure_points
from engine.carcassonne.tiles import FeatureKind
from engine.events import Completed, Scored, Term
from engine.geometry import Cell
from engine.joining import Follower, bits, majority

if TYPE_CHECKING:
    from engine.carcassonne.position import Position

CASTLE: Final = "castle"
"""The name of the supply, of the feature that a town becomes, and of the key in ``position.extra``."""


class Castle(NamedTuple):
    """A castle on two tiles; ``fief`` holds the six cells of CA-21, ``tile_number`` that of the tile that built it."""

    player: int
    cells: tuple[Cell, Cell]
    fief: tuple[Cell, ...]
    followers: tuple[Follower, ...]
    root: int
    tile_number: int
    turn: int
    scored: bool = False


def castles_of(position: Position) -> tuple[Castle, ...]:
    """All castles, in the order of building."""
    castles: tuple[Castle, ...] = position.extra.get(CASTLE, ())
    return castles


def fief_of(one: Cell, other: Cell) -> tuple[Cell, ...]:
    """The block of 2 by 3 at right angles to the line that joins the tiles (CA-21, CA-22), in reading order."""
    if one.x == other.x:
        block = ((x, y) for y in sorted((one.y, other.y)) for x in (one.x - 1, one.x, one.x + 1))
    else:
        block = ((x, y) for y in (one.y - 1, one.y, one.y + 1) for x in sorted((one.x, other.x)))
    return tuple(Cell(x, y) for x, y in block)


def fief_tiles(land: Landscape, castle: Castle) -> int:
    """Bit set of the numbers of the tiles that lie in the fief now (CA-23)."""
    tiles = 0
    for cell in castle.fief:
        tile = land.placed.get(cell.position)
        if tile is not None:
            tiles |= 1 << tile.number
    return tiles


class Castles(Expansion):
    """A completed town of two tiles may become a castle, which scores what is completed next in its fief."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Three tokens for up to four players, else two (SU-05)."""
        return {CASTLE: 3 if players <= 4 else 2}

    def structures_completed(self, position: Position) -> None:
        """Ask the holders of towns (CA-28a step 2), active player first, then clockwise."""
        if position.options.castle_simultaneous_choice == "order_first":
            position.agenda.append(ChooseSources())
        land, completed = position.land, position.current_round.completed
        towns = [root for root in completed if land.kind[root] == FeatureKind.CITY and is_town(position, root)]
        if towns:
            towns.sort(key=lambda root: position.seats_from(majority(land.holders[root])[0]))
            position.agenda.append(AskTowns(tuple(towns)))

    def structures_paid(self, position: Position) -> None:
        """Then the castles score (CA-28a steps 4 to 6)."""
        position.agenda.append(PayCastles())
        if position.options.castle_simultaneous_choice == "choose_feature":
            position.agenda.append(ChooseSources())

    def field_value(self, position: Position, root: int, city_points: int) -> tuple[str, int] | None:
        """A castle is worth one point more than a city (CA-56), scored or not (CA-58)."""
        if position.land.kind[root] != CASTLE:
            return None
        if position.options.castle_farm_needs_completed:
            castle = next(castle for castle in castles_of(position) if castle.root == root)
            if not castle.scored:
                return ("castle", 0)
        return ("castle", city_points + 1)

    def game_ending(self, position: Position) -> None:
        """Castles that never scored are worth nothing (CA-54)."""
        for castle in castles_of(position):
            for player in _holders(castle.followers):
                position.award(Scored(player, 0, CASTLE, (), castle.cells, final=True))


def is_town(position: Position, root: int) -> bool:
    """Whether a completed city may become a castle: by shape (CA-01 to CA-05) and holder (CA-06 to CA-08, CA-61)."""
    land = position.land
    owners = majority(land.holders[root])
    if len(owners) != 1 or land.tiles[root].bit_count() != TOWN_TILES:
        return False
    if position.options.castle_conversion_trigger == "own_tile_only" and owners[0] != position.current_round.player:
        return False
    pieces = [
        segment
        for number in bits(land.tiles[root])
        for index, segment in land.segments(land.placed[land.order[number]])
        if land.find(index) == root
    ]
    match position.options.castle_town_shape:
        case "semicircles":
            return all(piece.cap for piece in pieces)
        case "city_ends":
            return all(len(piece.places) == 1 for piece in pieces)
        case "any_two_tiles":
            return True


@dataclass(frozen=True, slots=True)
class AskTowns(Task["Position"]):
    """Ask about one town after the other."""

    towns: tuple[int, ...]

    def run(self, position: Position) -> None:
        """Ask the first holder who has a token left (CA-13, CA-19)."""
        for index, root in enumerate(self.towns):
            player = majority(position.land.holders[root])[0]
            if position.supply[CASTLE][player]:
                position.agenda.append(AskTowns(self.towns[index + 1 :]))
                one, other = position.land.cells(root)
                position.agenda.append(DecideTown(player, (one, other), structure_points(position, root), root))
                return


@dataclass(frozen=True, slots=True)
class DecideTown(Step["Position"]):
    """Score a town, or build a castle on it (CA-01); ``points`` are what scoring gives."""

    player: int
    cells: tuple[Cell, Cell]
    points: int
    root: int

    def actions(self, position: Position) -> Sequence[Action]:
        """Both."""
        return (ScoreTown(), BuildCastle())

    def apply(self, position: Position, action: Action) -> None:
        """Build the castle: the town leaves the round and is a city no more (CA-12 to CA-18)."""
        if not isinstance(action, BuildCastle):
            return
        land = position.land
        one, other = self.cells
        followers = tuple(entry for entry in land.holders[self.root] if entry.player == self.player)
        for follower in land.holders[self.root]:
            if follower.player != self.player:
                return_follower(position, follower)
        land.holders[self.root] = ()
        land.kind[self.root] = CASTLE
        castle = Castle(
            self.player, self.cells, fief_of(one, other), followers, self.root, len(land.order) - 1, position.turn
        )
        position.extra[CASTLE] = (*castles_of(position), castle)
        position.supply[CASTLE][self.player] -= 1
        current = position.current_round
        position.round = current._replace(completed=tuple(root for root in current.completed if root != self.root))
        position.note(CastleBuilt(self.player, self.cells))

    def forfeit(self, position: Position) -> None:
        """The town is scored."""


def triggered(position: Position) -> Sources:
    """The castles that score in this round, each with what it may take (CA-28a steps 4 and 5).

    A source is the root of a listed structure, or ``-1 - i`` for the points of castle ``i``.
    """
    land, completed = position.land, position.current_round.completed
    castles = castles_of(position)
    fiefs = {index: fief_tiles(land, castle) for index, castle in enumerate(castles) if _may_score(position, castle)}
    options = {index: [root for root in completed if land.tiles[root] & fief] for index, fief in fiefs.items()}
    own_tiles = {index: _tiles_under(land, castles[index]) for index in fiefs}
    active = {index for index, sources in options.items() if sources}
    while True:
        reached = {index for index in fiefs.keys() - active if any(own_tiles[other] & fiefs[index] for other in active)}
        if not reached:
            break
        active |= reached
    return Sources(
        {
            index: (
                *options[index],
                *(-1 - other for other in sorted(active) if other != index and own_tiles[other] & fiefs[index]),
            )
            for index in sorted(active, key=lambda index: (position.seats_from(castles[index].player), index))
        },
        {root: structure_points(position, root) for root in completed},
    )


def _tiles_under(land: Landscape, castle: Castle) -> int:
    return sum(1 << land.placed[cell.position].number for cell in castle.cells)


def _may_score(position: Position, castle: Castle) -> bool:
    """Occupied, and not too fresh (CA-34 to CA-36, option O-09)."""
    if castle.scored:
        return False
    match position.options.castle_first_score:
        case "next_scoring_round":
            return castle.tile_number < len(position.land.order) - 1
        case "next_turn":
            return castle.turn < position.turn
        case "same_round":
            return True


@dataclass(frozen=True, slots=True)
class ChooseSources(Task["Position"]):
    """Settle what each triggered castle takes, asking where there is a choice (CA-40)."""

    def run(self, position: Position) -> None:
        """Fix what is forced, ask the next holder for the rest."""
        current = position.current_round
        sources = triggered(position)
        chosen = sources.forced(dict(current.sources))
        for castle in sources.options:
            if castle in chosen:
                continue
            open_sources = sources.offered(castle, chosen)
            if position.options.castle_auto_choose:
                best = max(open_sources, key=lambda source: sources.best(source, {**chosen, castle: source}))
                chosen = sources.forced({**chosen, castle: best})
                continue
            position.round = current._replace(sources=tuple(chosen.items()))
            position.agenda.append(self)
            position.agenda.append(_question(position, castle, sources, chosen))
            return
        completed = current.completed
        if position.options.castle_simultaneous_choice == "order_first":
            first = [source for source in chosen.values() if source >= 0]
            completed = tuple(sorted(completed, key=lambda root: root not in first))
        position.round = current._replace(sources=tuple(chosen.items()), completed=completed)


def _question(position: Position, castle: int, sources: Sources, chosen: Mapping[int, int]) -> ChooseCastleSource:
    castles = castles_of(position)
    options = tuple(
        (name_source(position, castles[castle], source), sources.best(source, {**chosen, castle: source}))
        for source in sources.offered(castle, chosen)
    )
    return ChooseCastleSource(castles[castle].player, castles[castle], options, castle, sources.offered(castle, chosen))


def name_source(position: Position, castle: Castle, source: int) -> ChooseSource:
    """How an action names a source: by the first of its tiles that lies in the fief."""
    if source < 0:
        other = castles_of(position)[-1 - source]
        return ChooseSource(next(cell for cell in other.cells if cell in castle.fief), CASTLE_SOURCE)
    land = position.land
    for number in bits(land.tiles[source] & fief_tiles(land, castle)):
        tile = land.placed[land.order[number]]
        for index, segment in land.segments(tile):
            if land.find(index) == source:
                return ChooseSource(tile.cell, segment.name)
    raise KeyError(source)


@dataclass(frozen=True, slots=True)
class ChooseCastleSource(Step["Position"]):
    """Several structures were completed in a fief: which one feeds the castle (CA-40).

    ``options`` are the actions with the points they bring, at best where that depends on other castles' choices.
    """

    player: int
    castle: Castle
    options: tuple[tuple[ChooseSource, int], ...]
    index: int
    sources: tuple[int, ...]

    def actions(self, position: Position) -> Sequence[Action]:
        """One for each structure."""
        return tuple(action for action, _ in self.options)

    def apply(self, position: Position, action: Any) -> None:
        """Remember the choice."""
        self._choose(position, self.sources[self.actions(position).index(action)])

    def forfeit(self, position: Position) -> None:
        """Take the most."""
        points = [points for _, points in self.options]
        self._choose(position, self.sources[points.index(max(points))])

    def _choose(self, position: Position, source: int) -> None:
        current = position.current_round
        position.round = current._replace(sources=(*current.sources, (self.index, source)))


@dataclass(frozen=True, slots=True)
class PayCastles(Task["Position"]):
    """Every castle that scores gets the points of its source, and its followers go home (CA-29, CA-43)."""

    def run(self, position: Position) -> None:
        """Pay in the order of the round, then close the castles."""
        chosen = dict(position.current_round.sources)
        if not chosen:
            return
        sources = triggered(position)
        castles = list(castles_of(position))
        for index in sources.options:
            points = sources.points(index, chosen)
            castle = castles[index]
            position.note(Completed(CASTLE, castle.cells, points))
            for player in _holders(castle.followers):
                terms = (Term(CASTLE if chosen[index] < 0 else position.land.kind[chosen[index]], 1, points),)
                position.award(Scored(player, points, CASTLE, terms, castle.cells, final=False))
        for index in sources.options:
            for follower in castles[index].followers:
                return_follower(position, follower)
            castles[index] = castles[index]._replace(scored=True, followers=())
        position.extra[CASTLE] = tuple(castles)


def _holders(followers: Iterable[Follower]) -> tuple[int, ...]:
    """Everybody in the castle (CA-63)."""
    return tuple(sorted({follower.player for follower in followers}))
