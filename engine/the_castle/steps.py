"""The course of a turn in The Castle, as steps and tasks of the agenda (:mod:`engine.agenda`; TC-14).

A turn is: draw, place the tile, deploy a figure, score what was completed. Wall tiles, bonuses taken from the castle
wall, may double a score (2 and 3) or give another turn (1). TC-22 and the like are rules of the rule digest.
"""

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
from engine.the_castle.scoring import (
    feature_points,
    owner_of,
    pick_up,
    score_feature,
    usable_wall_tiles,
    use_wall_tiles,
)
from engine.the_castle.table import Tabletop
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import DOUBLING_WALL_TILE, WallTile
from engine.the_castle.ward import Placements, fits_somewhere


@dataclass(frozen=True, slots=True)
class NextTurn(Task[Tabletop]):
    """The other player takes a turn, or the game ends (TC-69)."""

    after: Seat

    def run(self, position: Tabletop) -> None:
        """Begin a turn, or the final scoring if the pile is empty."""
        if not position.pile_left:
            position.agenda.append(FinalScoring())
            return
        player = position.next_player(self.after)
        position.agenda.append(NextTurn(player))
        position.agenda.append(BeginTurn(player))


@dataclass(frozen=True, slots=True)
class BeginTurn(Task[Tabletop]):
    """The beginning of a turn or extra turn (TC-63): wall tiles taken before may be used from now on (TC-59)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Draw a tile."""
        position.taken_this_turn = ()
        position.agenda.append(Draw(self.player))


@dataclass(frozen=True, slots=True)
class Draw(Task[Tabletop]):
    """A player draws until a tile fits somewhere (TC-22)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Draw the next tile; the turn is over if none is left."""
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
        """Return every placement in every rotation."""
        return Placements(position.ward, self.tile)

    def apply(self, position: Tabletop, action: Place) -> None:
        """Lay the tile; then a figure may be deployed, and completed features are scored."""
        position.ward.place(action.cell.square, self.tile.faces[action.rotation // 90], self.player)
        position.emit(TilePlaced(self.player, action.cell, self.tile, action.rotation))
        # The agenda is a stack: the entry pushed last comes first.
        position.agenda += (TurnOver(self.player), ScoringRound(self.player), DeployFollower(self.player, action.cell))

    def default_action(self, position: Tabletop) -> Action:
        """Return the skip: no tile is laid on a player's behalf."""
        return Skip()

    def skip(self, position: Tabletop) -> None:
        """Return the tile to the pile for the opponent."""
        position.return_to_pile(self.player, self.tile.id)

    def forfeit(self, position: Tabletop) -> None:
        """Place nothing; the game is over."""


@dataclass(frozen=True, slots=True)
class DeployFollower(Step[Tabletop]):
    """Deploy a figure on the tile just laid, or not (TC-24)."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, and the features of the tile without figures (TC-26), completed or not (TC-44)."""
        actions: list[Action] = [Pass()]
        if position.supply[FOLLOWER][self.player] > 0:
            ward = position.ward
            tile = ward.placed[self.cell.square]
            names = zip(ward.numbers_at(tile.square), tile.face.names, strict=True)
            actions += [Deploy(name) for number, name in names if not ward.holders[ward.find(number)]]
        return actions

    def allows(self, position: Tabletop, action: Action) -> bool:
        """Return True if the action is legal; passing always is."""
        return isinstance(action, Pass) or action in self.actions(position)

    def apply(self, position: Tabletop, action: Deploy | Pass) -> None:
        """Deploy the figure, or do nothing.

        Raises:
            IllegalActionError: the tile has no such segment.
        """
        if isinstance(action, Pass):
            return
        deploy(position, self.player, self.cell, action.segment, action.figure)

    def forfeit(self, position: Tabletop) -> None:
        """Deploy no figure."""


@dataclass(frozen=True, slots=True)
class ScoringRound(Task[Tabletop]):
    """The immediate scoring of everything that a placement of ``player`` completed (TC-45, TC-47)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Push the scoring of the completed features."""
        finished = position.ward.take_completed_segments()
        if finished:
            position.agenda.append(ScoreNext(self.player, finished))


@dataclass(frozen=True, slots=True)
class ScoreNext(Task[Tabletop]):
    """The scoring of the remaining features (by a segment): the player's own first, then the opponent's (TC-47)."""

    player: Seat
    features: tuple[SegmentNumber, ...]

    def run(self, position: Tabletop) -> None:
        """Score the next feature, or ask which one is next; if nobody gets the rest, return the figures on it."""
        _, candidates = next_candidates(position, self.player, self.features)
        if len(candidates) > 1:
            position.agenda.append(feature_question(position, self.player, self.features))
        elif candidates:
            begin_scoring(position, self.player, self.features, candidates[0])
        else:
            for segment in self.features:
                score_feature(position, self.player, segment, 0)


def next_candidates(
    position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...]
) -> tuple[Seat, tuple[SegmentNumber, ...]]:
    """Return the player whose features are scored next, and these features; none if nobody gets the rest."""
    owners = {segment: owner_of(position, segment) for segment in features}
    for seat in (player, position.opponent(player)):
        candidates = tuple(segment for segment, owner in owners.items() if owner == seat)
        if candidates:
            return seat, candidates
    return NO_SEAT, ()


def begin_scoring(
    position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...], feature: SegmentNumber
) -> None:
    """Score one of the features, then the others; owners may double it in their own turn (TC-60, TC-62)."""
    remaining = tuple(segment for segment in features if segment != feature)
    if remaining:
        position.agenda.append(ScoreNext(player, remaining))
    kind = DOUBLING_WALL_TILE.get(position.ward.kind[position.ward.find(feature)])
    if kind is not None and usable_wall_tiles(position, player, kind) and owner_of(position, feature) == player:
        position.agenda.append(doubling_question(position, player, feature))
    else:
        score_feature(position, player, feature, 0)


def feature_choice(position: Tabletop, segment: SegmentNumber) -> ScoreFeature:
    """Return the action that chooses a feature, which it names by one of its segments."""
    cell, part = position.ward.part(segment)
    return ScoreFeature(cell, part.name)


def feature_question(position: Tabletop, player: Seat, features: tuple[SegmentNumber, ...]) -> ChooseFeature:
    """Return the step in which the player chooses which of their features is scored first."""
    scorer, candidates = next_candidates(position, player, features)
    options = tuple((feature_choice(position, segment), feature_points(position, segment)) for segment in candidates)
    return ChooseFeature(player, scorer, options, candidates, features)


@dataclass(frozen=True, slots=True)
class ChooseFeature(Step[Tabletop]):
    """Choose which of several completed features of one player (``scorer``) is scored next (TC-47).

    ``options`` are the actions with the undoubled points of the features. ``candidates`` are segments of these
    features, ``features`` segments of all features still to be scored.
    """

    player: Seat
    scorer: Seat
    options: tuple[tuple[ScoreFeature, int], ...]
    candidates: tuple[SegmentNumber, ...]
    features: tuple[SegmentNumber, ...]

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return one action for each feature."""
        return tuple(action for action, _ in self.options)

    def apply(self, position: Tabletop, action: Action) -> None:
        """Score the chosen feature."""
        chosen = self.candidates[self.actions(position).index(action)]
        begin_scoring(position, self.player, self.features, chosen)

    def forfeit(self, position: Tabletop) -> None:
        """Score the first feature."""
        begin_scoring(position, self.player, self.features, self.candidates[0])


def doubling_question(position: Tabletop, player: Seat, segment: SegmentNumber) -> DoubleFeature:
    """Return the step in which the player may use wall tiles on a tower or house."""
    kind = DOUBLING_WALL_TILE[position.ward.kind[position.ward.find(segment)]]
    name, points = feature_choice(position, segment), feature_points(position, segment)
    return DoubleFeature(player, name, points, kind, usable_wall_tiles(position, player, kind), segment)


@dataclass(frozen=True, slots=True)
class DoubleFeature(Step[Tabletop]):
    """Use up to ``count`` wall tiles on the player's own tower or house when it is scored (TC-65 to TC-68).

    ``feature`` names the feature; ``points`` are its undoubled points.
    """

    player: Seat
    feature: ScoreFeature
    points: int
    kind: WallTile
    count: int
    segment: SegmentNumber

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, doubling, and tripling if the player has both wall tiles."""
        return (Pass(), Double(), Triple())[: self.count + 1]

    def apply(self, position: Tabletop, action: Action) -> None:
        """Score the feature with the wall tiles used."""
        score_feature(position, self.player, self.segment, self.actions(position).index(action))

    def forfeit(self, position: Tabletop) -> None:
        """Score the feature without wall tiles."""
        score_feature(position, self.player, self.segment, 0)


@dataclass(frozen=True, slots=True)
class TurnOver(Task[Tabletop]):
    """The end of a turn: wall tiles by the house rule (HV-06), and perhaps another turn (TC-64)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Take the wall tiles under the markers, the player's first; then offer an extra turn."""
        for seat in sorted(position.moved_markers, key=lambda seat: seat != self.player):
            pick_up(position, self.player, seat)
        position.moved_markers = ()
        if position.pile_left and not position.is_ending and self._may_play_again(position):
            position.agenda.append(ExtraTurn(self.player))

    def _may_play_again(self, position: Tabletop) -> bool:
        """Return True if the player has a wall tile 1 that they may use now."""
        if position.options.tc_tile1_timing == "later_turn_only":
            return usable_wall_tiles(position, self.player, WallTile.EXTRA_TURN) > 0
        return WallTile.EXTRA_TURN in position.hands[self.player]


@dataclass(frozen=True, slots=True)
class ExtraTurn(Step[Tabletop]):
    """Use a wall tile 1 for another turn, or keep it (TC-63, TC-64)."""

    player: Seat

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return keeping it and using it."""
        return (Pass(), PlayAgain())

    def apply(self, position: Tabletop, action: Action) -> None:
        """Begin another turn, or do nothing."""
        if isinstance(action, PlayAgain):
            use_wall_tiles(position, self.player, WallTile.EXTRA_TURN, 1)
            position.agenda.append(BeginTurn(self.player))

    def forfeit(self, position: Tabletop) -> None:
        """End the turn."""
