"""The course of a turn, as steps and tasks of the agenda (TC-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.actions import FOLLOWER, NO_SEAT, Action, Deploy, Pass, Place, Seat, Skip
from engine.agenda import Step, Task
from engine.board import SegmentNumber
from engine.events import TileDiscarded, TileDrawn, TilePlaced
from engine.figures import deploy
from engine.geometry import Cell
from engine.the_castle.actions import Double, PlayAgain, ScoreFeature, Triple
from engine.the_castle.final import FinalScoring
from engine.the_castle.scoring import feature_points, owner_of, pick_up, score, usable, use_wall_tiles
from engine.the_castle.table import Tabletop
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import DOUBLING, WallTile
from engine.the_castle.ward import Placements, fits_somewhere


@dataclass(frozen=True, slots=True)
class NextTurn(Task[Tabletop]):
    """The other player takes a turn, or the game ends (TC-69)."""

    after: Seat

    def run(self, position: Tabletop) -> None:
        """Begin a turn, or the final scoring when the pile is empty."""
        if not position.pile_left:
            position.agenda.append(FinalScoring())
            return
        player = position.next_player(self.after)
        position.agenda.append(NextTurn(player))
        position.agenda.append(BeginTurn(player))


@dataclass(frozen=True, slots=True)
class BeginTurn(Task[Tabletop]):
    """A turn, an extra one too (TC-63): what was taken before may be used from now on (TC-59)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Draw a tile."""
        position.fresh = ()
        position.agenda.append(Draw(self.player))


@dataclass(frozen=True, slots=True)
class Draw(Task[Tabletop]):
    """A player draws, until a tile has a place (TC-22)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Turn up the next tile; the turn is over when none is left."""
        drawn = position.draw()
        if drawn is None:
            return
        position.emit(TileDrawn(self.player, drawn))
        if fits_somewhere(position.ward, drawn):
            position.turn += 1
            position.agenda.append(PlaceTile(self.player, drawn))
        else:
            position.emit(TileDiscarded(self.player, drawn, declined=False))
            position.agenda.append(self)


@dataclass(frozen=True, slots=True)
class PlaceTile(Step[Tabletop]):
    """Lay the tile in hand (TC-16 to TC-23)."""

    player: Seat
    tile: TileKind

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Every placement in every rotation."""
        return Placements(position.ward, self.tile)

    def apply(self, position: Tabletop, action: Place) -> None:
        """Lay the tile; then a figure may be deployed, and what is complete is scored."""
        position.ward.place(action.cell.square, self.tile.faces[action.rotation // 90], self.player)
        position.emit(TilePlaced(self.player, action.cell, self.tile, action.rotation))
        # The agenda is a stack: what is put there last comes first.
        position.agenda += (TurnOver(self.player), ScoringRound(self.player), DeployFollower(self.player, action.cell))

    def default_action(self, position: Tabletop) -> Action:
        """No tile is laid for anybody."""
        return Skip()

    def skip(self, position: Tabletop) -> None:
        """The tile is left to the opponent."""
        position.return_to_pile(self.player, self.tile.id)

    def forfeit(self, position: Tabletop) -> None:
        """Nothing is placed; the game is over."""


@dataclass(frozen=True, slots=True)
class DeployFollower(Step[Tabletop]):
    """Put a figure on the tile just laid, or not (TC-24)."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Passing, and the features of the tile that hold no figure (TC-26), completed or not (TC-44)."""
        actions: list[Action] = [Pass()]
        if position.supply[FOLLOWER][self.player] > 0:
            ward = position.ward
            tile = ward.placed[self.cell.square]
            names = zip(ward.numbers_at(tile.square), tile.face.names, strict=True)
            actions += [Deploy(name) for number, name in names if not ward.holders[ward.find(number)]]
        return actions

    def allows(self, position: Tabletop, action: Action) -> bool:
        """Passing always."""
        return isinstance(action, Pass) or action in self.actions(position)

    def apply(self, position: Tabletop, action: Deploy | Pass) -> None:
        """Put the figure there.

        Raises:
            IllegalActionError: the tile has no such segment.
        """
        if isinstance(action, Pass):
            return
        deploy(position, self.player, self.cell, action.segment, action.figure)

    def forfeit(self, position: Tabletop) -> None:
        """Nobody is deployed."""


@dataclass(frozen=True, slots=True)
class ScoringRound(Task[Tabletop]):
    """Everything that the placement of ``player`` completed is scored at once (TC-45, TC-47)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """List what is complete."""
        finished = position.ward.take_finished()
        if finished:
            position.agenda.append(ScoreNext(self.player, finished))


@dataclass(frozen=True, slots=True)
class ScoreNext(Task[Tabletop]):
    """The features (by a segment) that are still to be scored: first the player's own, then the opponent's (TC-47)."""

    player: Seat
    features: tuple[SegmentNumber, ...]

    def run(self, position: Tabletop) -> None:
        """Score the next one, ask which, or let those go that nobody scores."""
        _, candidates = next_candidates(position, self.player, self.features)
        if len(candidates) > 1:
            position.agenda.append(feature_question(position, self.player, self.features))
        elif candidates:
            begin_scoring(position, self.player, self.features, candidates[0])
        else:
            for segment in self.features:
                score(position, self.player, segment, 0)


def next_candidates(
    position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...]
) -> tuple[Seat, tuple[SegmentNumber, ...]]:
    """Whose features come next, and which they are; none when nobody scores what is left."""
    owners = {segment: owner_of(position, segment) for segment in features}
    for seat in (player, position.opponent(player)):
        candidates = tuple(segment for segment, owner in owners.items() if owner == seat)
        if candidates:
            return seat, candidates
    return NO_SEAT, ()


def begin_scoring(
    position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...], feature: SegmentNumber
) -> None:
    """Score one of the features, then the others; its owner may double it in his own turn (TC-60, TC-62)."""
    rest = tuple(segment for segment in features if segment != feature)
    if rest:
        position.agenda.append(ScoreNext(player, rest))
    kind = DOUBLING.get(position.ward.kind[position.ward.find(feature)])
    if kind is not None and usable(position, player, kind) and owner_of(position, feature) == player:
        position.agenda.append(doubling_question(position, player, feature))
    else:
        score(position, player, feature, 0)


def named(position: Tabletop, segment: SegmentNumber) -> ScoreFeature:
    """How an action names a feature by one of its segments."""
    cell, part = position.ward.part(segment)
    return ScoreFeature(cell, part.name)


def feature_question(position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...]) -> ChooseFeature:
    """The question which of the features that come next is scored first."""
    scorer, candidates = next_candidates(position, player, features)
    options = tuple((named(position, segment), feature_points(position, segment)) for segment in candidates)
    return ChooseFeature(player, scorer, options, candidates, features)


@dataclass(frozen=True, slots=True)
class ChooseFeature(Step[Tabletop]):
    """Which of several completed features of one player (``scorer``) is scored next (TC-47).

    ``options`` are the actions with the points that the features bring, undoubled; ``candidates`` are segments of these
    features, ``features`` of all that are still to be scored.
    """

    player: Seat
    scorer: Seat
    options: tuple[tuple[ScoreFeature, int], ...]
    candidates: tuple[SegmentNumber, ...]
    features: tuple[SegmentNumber, ...]

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """One for each feature."""
        return tuple(action for action, _ in self.options)

    def apply(self, position: Tabletop, action: Action) -> None:
        """Score it."""
        chosen = self.candidates[self.actions(position).index(action)]
        begin_scoring(position, self.player, self.features, chosen)

    def forfeit(self, position: Tabletop) -> None:
        """Score the first."""
        begin_scoring(position, self.player, self.features, self.candidates[0])


def doubling_question(position: Tabletop, player: Seat, segment: SegmentNumber) -> DoubleFeature:
    """The question whether wall tiles are used on a tower or house."""
    kind = DOUBLING[position.ward.kind[position.ward.find(segment)]]
    name, points = named(position, segment), feature_points(position, segment)
    return DoubleFeature(player, name, points, kind, usable(position, player, kind), segment)


@dataclass(frozen=True, slots=True)
class DoubleFeature(Step[Tabletop]):
    """Use wall tiles on an own tower or house that is scored, or not: ``count`` of this kind may be (TC-65 to TC-68).

    ``feature`` names it; ``points`` is what it brings undoubled.
    """

    player: Seat
    feature: ScoreFeature
    points: int
    kind: WallTile
    count: int
    segment: SegmentNumber

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Not to, to double, to triple where both tiles are there."""
        return (Pass(), Double(), Triple())[: self.count + 1]

    def apply(self, position: Tabletop, action: Action) -> None:
        """Score the feature."""
        score(position, self.player, self.segment, self.actions(position).index(action))

    def forfeit(self, position: Tabletop) -> None:
        """Keep the tiles."""
        score(position, self.player, self.segment, 0)


@dataclass(frozen=True, slots=True)
class TurnOver(Task[Tabletop]):
    """The end of a turn: wall tiles by the house rule (HV-06), and perhaps another turn (TC-64)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Take what the markers stand on, the player's first; ask whether to go on."""
        for seat in sorted(position.moved, key=lambda seat: seat != self.player):
            pick_up(position, self.player, seat)
        position.moved = ()
        if position.pile_left and not position.is_ending and self._may_play_again(position):
            position.agenda.append(ExtraTurn(self.player))

    def _may_play_again(self, position: Tabletop) -> bool:
        if position.options.tc_tile1_timing == "later_turn_only":
            return usable(position, self.player, WallTile.EXTRA_TURN) > 0
        return WallTile.EXTRA_TURN in position.hands[self.player]


@dataclass(frozen=True, slots=True)
class ExtraTurn(Step[Tabletop]):
    """Use a wall tile 1 for another turn, or keep it (TC-63, TC-64)."""

    player: Seat

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Both."""
        return (Pass(), PlayAgain())

    def apply(self, position: Tabletop, action: Action) -> None:
        """Take another turn."""
        if isinstance(action, PlayAgain):
            use_wall_tiles(position, self.player, WallTile.EXTRA_TURN, 1)
            position.agenda.append(BeginTurn(self.player))

    def forfeit(self, position: Tabletop) -> None:
        """The turn is over."""
