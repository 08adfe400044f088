"""Castles (rules CA-21 to CA-60): what is completed in the fief of a castle brings its holder the same points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, assert_never

from engine.actions import Action, Seat
from engine.agenda import Step, Task
from engine.board import Follower, SegmentNumber, bits
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import CASTLE_SOURCE, ChooseSource
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import (
    CASTLE,
    Castle,
    castle_by_side,
    castles_of,
    fief_tiles,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.expansions.bridges_castles_bazaars.sources import Sources
from engine.carcassonne.expansions.bridges_castles_bazaars.towns import AskTowns, deciders, is_town
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.scoring import send_home, structure_points
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.events import Completed, Scored, Term
from engine.geometry import Cell

SOURCES: Final = "castle sources"
"""Key in ``position.extra`` while a round is scored: see :func:`chosen`."""
CASTLES: Final = "castles"
"""What a field's score calls them."""


class Castles(Expansion):
    """A completed town of two tiles may become a castle, which scores what is completed next in its fief."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Three tokens for up to four players, else two (SU-05)."""
        return {CASTLE: 3 if players <= 4 else 2}

    def structures_completed(self, position: Tabletop) -> None:
        """Ask the holders of towns (CA-28a step 2), active player first, then clockwise."""
        if options_of(position).castle_simultaneous_choice == "order_first":
            position.agenda.append(ChooseSources())
        land, completed = position.land, position.current_round.completed
        towns = [root for root in completed if land.kind[root] == FeatureKind.CITY and is_town(position, root)]
        if towns:
            towns.sort(key=lambda root: position.seats_from(deciders(position, root)[0]))
            position.agenda.append(AskTowns(tuple(towns)))

    def structures_paid(self, position: Tabletop) -> None:
        """Then the castles score (CA-28a steps 4 to 6)."""
        position.agenda.append(PayCastles())
        if options_of(position).castle_simultaneous_choice == "choose_feature":
            position.agenda.append(ChooseSources())

    def field_value(self, position: Tabletop, root: SegmentNumber, city_points: int) -> tuple[str, int] | None:
        """A castle is worth one point more than a city (CA-56), scored or not (CA-58)."""
        if position.land.kind[root] != CASTLE:
            return None
        if options_of(position).castle_farm_needs_completed:
            castle = next(castle for castle in castles_of(position) if castle.root == root)
            if not castle.scored:
                return (CASTLES, 0)
        return (CASTLES, city_points + 1)

    def game_ending(self, position: Tabletop) -> None:
        """Castles that never scored are worth nothing (CA-54)."""
        for castle in castles_of(position):
            for player in _holders(castle.followers):
                position.award(Scored(player, 0, CASTLE, (), castle.cells, final=True))


def chosen(position: Tabletop) -> tuple[tuple[int, int], ...]:
    """What castles that score in this round take their points from, as far as it is settled: castles with sources."""
    settled: tuple[tuple[int, int], ...] = position.extra.get(SOURCES, ())
    return settled


def choose(position: Tabletop, sources: Mapping[int, int]) -> None:
    """Settle where castles take their points from."""
    position.extra[SOURCES] = tuple(sources.items())


def triggered(position: Tabletop) -> Sources:
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
    return sum(1 << land.placed[cell.square].number for cell in castle.cells)


def _may_score(position: Tabletop, castle: Castle) -> bool:
    """Occupied, and not too fresh (CA-34 to CA-36, option O-09)."""
    if castle.scored:
        return False
    match options_of(position).castle_first_score:
        case "next_scoring_round":
            return castle.tile_number < len(position.land.order) - 1
        case "next_turn":
            return castle.turn < position.turn and castle.tile_number != first_tile(position)
        case "same_round":
            return True
        case never:
            assert_never(never)


@dataclass(frozen=True, slots=True)
class ChooseSources(Task[Tabletop]):
    """Settle what each triggered castle takes, asking where there is a choice (CA-40)."""

    def run(self, position: Tabletop) -> None:
        """Fix what is forced, ask the next holder for the rest."""
        sources = triggered(position)
        settled = sources.forced(dict(chosen(position)))
        for castle in sources.options:
            if castle in settled:
                continue
            open_sources = sources.offered(castle, settled)
            if options_of(position).castle_auto_choose:
                best = max(open_sources, key=lambda source: sources.best(source, {**settled, castle: source}))
                settled = sources.forced({**settled, castle: best})
                continue
            choose(position, settled)
            position.agenda.append(self)
            position.agenda.append(castle_question(position, castle, sources, settled))
            return
        choose(position, settled)
        if options_of(position).castle_simultaneous_choice == "order_first":
            current = position.current_round
            completed = sorted(current.completed, key=lambda root: root not in settled.values())
            position.round = current._replace(completed=tuple(completed))


def castle_question(
    position: Tabletop, castle: int, sources: Sources, settled: Mapping[int, int]
) -> ChooseCastleSource:
    """What a castle's holder has to decide, when so much has been chosen."""
    castles = castles_of(position)
    offered = sources.offered(castle, settled)
    names: list[ChooseSource] = []
    for source in offered:
        name = name_source(position, castles[castle], source)
        names.append(_by_side(position, source, name.cell) if name in names else name)
    points = (sources.best(source, {**settled, castle: source}) for source in offered)
    options = tuple(zip(names, points, strict=True))
    return ChooseCastleSource(castles[castle].player, castles[castle], options, castle, offered)


def _by_side(position: Tabletop, source: int, cell: Cell) -> ChooseSource:
    """How an action names a castle beside one on the same tile, which is called as if it were alone there."""
    return ChooseSource(cell, castle_by_side(position.land, castles_of(position)[-1 - source], cell))


def name_source(position: Tabletop, castle: Castle, source: int) -> ChooseSource:
    """How an action names a source: by the first of its tiles that lies in the fief."""
    if source < 0:
        other = castles_of(position)[-1 - source]
        return ChooseSource(next(cell for cell in other.cells if cell in castle.fief), CASTLE_SOURCE)
    land = position.land
    inside = (land.placed[land.order[number]] for number in bits(land.tiles[source] & fief_tiles(land, castle)))
    return next(
        ChooseSource(tile.cell, segment.name)
        for tile in inside
        for index, segment in land.segments(tile)
        if land.find(index) == source
    )


@dataclass(frozen=True, slots=True)
class ChooseCastleSource(Step[Tabletop]):
    """Several structures were completed in a fief: which one feeds the castle (CA-40).

    ``options`` are the actions with the points they bring, at best where that depends on other castles' choices.
    """

    out_of_turn: ClassVar[bool] = True
    player: Seat
    castle: Castle
    options: tuple[tuple[ChooseSource, int], ...]
    index: int
    sources: tuple[int, ...]

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """One for each structure."""
        return tuple(action for action, _ in self.options)

    def castle_named(self, position: Tabletop, action: ChooseSource) -> Castle | None:
        """The castle that one of the actions names; None where it names a structure."""
        source = self.sources[self.actions(position).index(action)]
        return castles_of(position)[-1 - source] if source < 0 else None

    def apply(self, position: Tabletop, action: ChooseSource) -> None:
        """Remember the choice."""
        self._choose(position, self.sources[self.actions(position).index(action)])

    def forfeit(self, position: Tabletop) -> None:
        """Take the most."""
        points = [points for _, points in self.options]
        self._choose(position, self.sources[points.index(max(points))])

    def _choose(self, position: Tabletop, source: int) -> None:
        choose(position, {**dict(chosen(position)), self.index: source})


@dataclass(frozen=True, slots=True)
class PayCastles(Task[Tabletop]):
    """Every castle that scores gets the points of its source, and its followers go home (CA-29, CA-43)."""

    def run(self, position: Tabletop) -> None:
        """Pay in the order of the round, then close the castles."""
        settled: dict[int, int] = dict(position.extra.pop(SOURCES, ()))
        if not settled:
            return
        sources = triggered(position)
        castles = list(castles_of(position))
        for index in sources.options:
            points = sources.points(index, settled)
            castle = castles[index]
            position.emit(Completed(CASTLE, castle.cells, points))
            for player in _holders(castle.followers):
                terms = (Term(CASTLE if settled[index] < 0 else position.land.kind[settled[index]], 1, points),)
                position.award(Scored(player, points, CASTLE, terms, castle.cells, final=False))
        for index in sources.options:
            send_home(position, castles[index].followers)
            castles[index] = castles[index]._replace(scored=True, followers=())
        position.extra[CASTLE] = tuple(castles)


def _holders(followers: Iterable[Follower]) -> tuple[Seat, ...]:
    """Everybody in the castle (CA-63)."""
    return tuple(sorted({follower.player for follower in followers}))
