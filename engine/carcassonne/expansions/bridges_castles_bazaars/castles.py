"""Castles (CA-21 to CA-60): a structure completed in the fief of a castle scores the same points for its holder.

The fief of a castle is the block of six cells around it. The source of a castle is the structure, or the other castle,
whose points it gets. A source is one number: the root of a structure (the segment that represents it), or ``-1 - i``
for castle ``i`` (see :mod:`.sources`). Codes such as CA-21 are rules of the rule digest.
"""

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
"""Key in ``position.extra`` during a scoring round; see :func:`chosen_sources`."""
CASTLES: Final = "castles"
"""The name of castles in the score of a field."""


class Castles(Expansion):
    """A completed town of two tiles may become a castle, which scores the next structure completed in its fief."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Return three tokens for up to four players, otherwise two (SU-05)."""
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
        """Push the scoring of the castles (CA-28a steps 4 to 6)."""
        position.agenda.append(PayCastles())
        if options_of(position).castle_simultaneous_choice == "choose_feature":
            position.agenda.append(ChooseSources())

    def field_value(self, position: Tabletop, root: SegmentNumber, city_points: int) -> tuple[str, int] | None:
        """Return a value one point higher than a city's (CA-56), for scored and unscored castles alike (CA-58)."""
        if position.land.kind[root] != CASTLE:
            return None
        if options_of(position).castle_farm_needs_completed:
            castle = next(castle for castle in castles_of(position) if castle.root == root)
            if not castle.scored:
                return (CASTLES, 0)
        return (CASTLES, city_points + 1)

    def game_ending(self, position: Tabletop) -> None:
        """Award 0 points for castles that never scored (CA-54)."""
        for castle in castles_of(position):
            for player in _holders(position.land, castle.followers):
                position.award(Scored(player, 0, CASTLE, (), castle.cells, final=True))


def chosen_sources(position: Tabletop) -> tuple[tuple[int, int], ...]:
    """Return the castles whose source has been chosen in this scoring round, each with that source."""
    settled: tuple[tuple[int, int], ...] = position.extra.get(SOURCES, ())
    return settled


def store_sources(position: Tabletop, sources: Mapping[int, int]) -> None:
    """Store the sources of castles."""
    position.extra[SOURCES] = tuple(sources.items())


def scoring_castles(position: Tabletop) -> Sources:
    """Return the castles that score in this round, each with its possible sources (CA-28a steps 4 and 5).

    A source is the root of a listed structure, or ``-1 - i`` for the points of castle ``i``.
    """
    land, completed = position.land, position.current_round.completed
    castles = castles_of(position)
    fiefs = {
        index: fief_tiles(land, castle.fief) for index, castle in enumerate(castles) if _may_score(position, castle)
    }
    sources = _possible_sources(position)
    options = {index: [root for root in sources if land.tiles[root] & fief] for index, fief in fiefs.items()}
    active = {index for index, roots in options.items() if roots}
    if not active:
        return Sources({}, {})  # the usual case, in which nobody needs to know what the structures are worth
    own_tiles = {index: _tiles_under(land, castles[index]) for index in fiefs}
    # A castle that scores can in turn trigger castles in whose fiefs it lies, so repeat until no castle is added.
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


def _possible_sources(position: Tabletop) -> Iterable[SegmentNumber]:
    """Return the completed features that may give a castle their points: by option OA-02 also those of other boxes."""
    kind, completed = position.land.kind, position.current_round.completed
    if options_of(position).castle_garden:
        return completed
    return [root for root in completed if kind[root] in {*FeatureKind}]


def _tiles_under(land: Landscape, castle: Castle) -> int:
    """Return the tiles below a castle as a bit set of their numbers."""
    return sum(1 << land.placed[cell.square].number for cell in castle.cells)


def _may_score(position: Tabletop, castle: Castle) -> bool:
    """Return True if a castle is occupied and not too new to score (CA-34 to CA-36, option O-09)."""
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
    """The choice of a source for each castle that scores; holders are asked where there are several (CA-40)."""

    def run(self, position: Tabletop) -> None:
        """Settle the forced choices, then ask the next holder."""
        sources = scoring_castles(position)
        settled = sources.forced(dict(chosen_sources(position)))
        for castle in sources.options:
            if castle in settled:
                continue
            open_sources = sources.offered(castle, settled)
            if options_of(position).castle_auto_choose:
                best = max(open_sources, key=lambda source: sources.best(source, {**settled, castle: source}))
                settled = sources.forced({**settled, castle: best})
                continue
            store_sources(position, settled)
            position.agenda.append(self)
            position.agenda.append(castle_question(position, castle, sources, settled))
            return
        store_sources(position, settled)
        if options_of(position).castle_simultaneous_choice == "order_first":
            current = position.current_round
            completed = sorted(current.completed, key=lambda root: root not in settled.values())
            position.round = current._replace(completed=tuple(completed))


def castle_question(
    position: Tabletop, castle: int, sources: Sources, settled: Mapping[int, int]
) -> ChooseCastleSource:
    """Return the step in which a castle's holder chooses a source, given the choices so far."""
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
    """Return the action for the second of two castles on a tile; it names the castle by its side."""
    return ChooseSource(cell, castle_by_side(position.land, castles_of(position)[-1 - source], cell))


def name_source(position: Tabletop, castle: Castle, source: int) -> ChooseSource:
    """Return the action that chooses a source, named by its first tile in the fief."""
    if source < 0:
        source_castle = castles_of(position)[-1 - source]
        return ChooseSource(next(cell for cell in source_castle.cells if cell in castle.fief), CASTLE_SOURCE)
    land = position.land
    tiles = (land.placed[land.order[number]] for number in bits(land.tiles[source] & fief_tiles(land, castle.fief)))
    return next(
        ChooseSource(tile.cell, segment.name)
        for tile in tiles
        for index, segment in land.segments(tile)
        if land.find(index) == source
    )


@dataclass(frozen=True, slots=True)
class ChooseCastleSource(Step[Tabletop]):
    """Choose which of several structures completed in a fief gives the castle its points (CA-40).

    ``options`` are the actions with their points: the maximum where these depend on the choices of other castles.
    """

    out_of_turn: ClassVar[bool] = True
    player: Seat
    castle: Castle
    options: tuple[tuple[ChooseSource, int], ...]
    index: int
    sources: tuple[int, ...]

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return one action for each structure."""
        return tuple(action for action, _ in self.options)

    def castle_named(self, position: Tabletop, action: ChooseSource) -> Castle | None:
        """Return the castle that an action names; None if it names a structure."""
        source = self.sources[self.actions(position).index(action)]
        return castles_of(position)[-1 - source] if source < 0 else None

    def apply(self, position: Tabletop, action: ChooseSource) -> None:
        """Store the choice."""
        self._choose(position, self.sources[self.actions(position).index(action)])

    def forfeit(self, position: Tabletop) -> None:
        """Choose the source with most points."""
        points = [points for _, points in self.options]
        self._choose(position, self.sources[points.index(max(points))])

    def _choose(self, position: Tabletop, source: int) -> None:
        """Store the chosen source of the castle."""
        store_sources(position, {**dict(chosen_sources(position)), self.index: source})


@dataclass(frozen=True, slots=True)
class PayCastles(Task[Tabletop]):
    """The scoring of castles: each gets the points of its source, and its followers return (CA-29, CA-43)."""

    def run(self, position: Tabletop) -> None:
        """Score in the order of the round, then mark the castles as scored."""
        settled: dict[int, int] = dict(position.extra.pop(SOURCES, ()))
        if not settled:
            return
        sources = scoring_castles(position)
        castles = list(castles_of(position))
        for index in sources.options:
            points = sources.points(index, settled)
            castle = castles[index]
            position.emit(Completed(CASTLE, castle.cells, points))
            for player in _holders(position.land, castle.followers):
                terms = (Term(CASTLE if settled[index] < 0 else position.land.kind[settled[index]], 1, points),)
                position.award(Scored(player, points, CASTLE, terms, castle.cells, final=False))
        for index in sources.options:
            send_home(position, castles[index].followers)
            castles[index] = castles[index]._replace(scored=True, followers=())
        position.extra[CASTLE] = tuple(castles)


def _holders(land: Landscape, followers: Iterable[Follower]) -> tuple[Seat, ...]:
    """Return all players with a follower in the castle that counts there (CA-63, IX-13)."""
    counting = (follower for follower in followers if land.figures[follower.figure].weight(land, follower))
    return tuple(sorted({follower.player for follower in counting}))
