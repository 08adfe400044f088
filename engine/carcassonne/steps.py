"""The course of a turn in the base game, as steps and tasks of the agenda (:mod:`engine.agenda`).

A turn is: draw, place the tile, deploy a figure, score. Boxes take part through hooks (``Expansion`` in
:mod:`engine.carcassonne.table`), which are called at each of these moments. Codes such as BA-05 are rules of the rule
digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.actions import Action, Deploy, Pass, Place, Seat, Skip
from engine.agenda import Step, Task
from engine.carcassonne.placing import Decline, Placements, aided, fits_somewhere
from engine.carcassonne.scoring import FinalScoring, PayStructures, SendHome
from engine.carcassonne.table import Deployment, Expansion, Figure, Placement, Round, Tabletop
from engine.carcassonne.tiles import TileKind
from engine.events import TileDiscarded, TileDrawn, TilePlaced, TurnSkipped
from engine.figures import deploy
from engine.geometry import Cell


@dataclass(frozen=True, slots=True)
class NextTurn(Task[Tabletop]):
    """The next player still in the game takes a turn (BA-05), or the game ends (BA-24)."""

    after: Seat

    def run(self, position: Tabletop) -> None:
        """Begin a turn, or the final scoring if the pile is empty."""
        if not position.pile_left:
            position.agenda.append(FinalScoring())
            for expansion in position.hook_handlers[Expansion.pile_used_up]:
                expansion.pile_used_up(position, self.after)
            return
        player = position.next_player(self.after)
        position.agenda.append(NextTurn(player))
        position.agenda.append(Draw(player))
        for expansion in position.hook_handlers[Expansion.turn_begins]:
            expansion.turn_begins(position, player)
        for expansion in position.hook_handlers[Expansion.before_draw]:
            expansion.before_draw(position, player)


@dataclass(frozen=True, slots=True)
class Draw(Task[Tabletop]):
    """A player draws until a tile fits somewhere (BA-08)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Draw the next tile and offer it; do nothing if none is left."""
        drawn = position.draw()
        if drawn is None:
            return
        position.emit(TileDrawn(self.player, drawn))
        if not offer_tile(position, self.player, drawn, drawn=True):
            position.agenda.append(self)


def offer_tile(position: Tabletop, player: Seat, kind: TileKind, *, drawn: bool) -> bool:
    """Let a player place a tile; discard it and return False if it fits nowhere (BA-08, BR-38)."""
    if not fits_somewhere(position.land, kind) and not aided(position, player, kind):
        position.emit(TileDiscarded(player, kind, declined=False))
        return False
    position.turn += 1
    position.agenda.append(PlaceTile(player, kind, drawn))
    return True


@dataclass(frozen=True, slots=True)
class PlaceTile(Placement, Step[Tabletop]):
    """Lay the tile in hand (BA-07)."""

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return every placement in every rotation, and declining if all of them need a piece of a box (BR-13)."""
        return Placements(position, self.player, self.tile)

    def apply(self, position: Tabletop, action: Place | Decline) -> None:
        """Lay the tile, together with the piece that it needs, or discard it."""
        if isinstance(action, Decline):
            position.emit(TileDiscarded(self.player, self.tile, declined=True))
            if self.drawn:
                position.agenda.append(Draw(self.player))
            for expansion in position.hook_handlers[Expansion.tile_declined]:
                expansion.tile_declined(position, self)
            return
        lay(position, self.player, action.cell, self.tile, action.rotation)
        position.agenda.append(ScoringRound(self.player, self.tile, self.drawn))
        if action.aid is not None:
            position.perform(self.player, action.aid)
        position.agenda.append(DeployFollower(self.player, action.cell, built=action.aid is not None))

    def default_action(self, position: Tabletop) -> Action:
        """Return the skip: no tile is laid on a player's behalf."""
        return Skip()

    def skip(self, position: Tabletop) -> None:
        """Return the tile to the pile for the next player; a bought tile leaves the game."""
        if self.drawn:
            position.return_to_pile(self.player, self.tile.id)
            return
        position.emit(TurnSkipped(self.player))
        position.emit(TileDiscarded(self.player, self.tile, declined=False, skipped=True))

    def forfeit(self, position: Tabletop) -> None:
        """Remove the tile from the game."""
        position.emit(TileDiscarded(self.player, self.tile, declined=False, forfeited=True))


@dataclass(frozen=True, slots=True)
class DeployFollower(Deployment, Step[Tabletop]):
    """Deploy a figure on the tile just laid, or not (BA-09); after a figure, do what may still follow (BR-14)."""

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, the deployments on free features of the tile, and the actions that expansions add."""
        actions: list[Action] = [Pass()]
        if self.takes_figures(position):
            actions += self.deployments(position)
            for expansion in position.hook_handlers[Expansion.instead_of_follower]:
                actions += expansion.instead_of_follower(position, self)
        for expansion in position.hook_handlers[Expansion.placement_extras]:
            actions += expansion.placement_extras(position, self)
        return actions

    def allows(self, position: Tabletop, action: Action) -> bool:
        """Return True if the action is legal; the common cases need no full list, which makes replaying fast."""
        match action:
            case Pass():
                return True
            case Deploy(figure=name) if name in position.figures:
                return self.takes_figures(position) and action.segment in self._places(position, position.figures[name])
            case _:
                return action in self.actions(position)

    def takes_figures(self, position: Tabletop) -> bool:
        """Return True if the player may still deploy a figure on this tile, or do something instead."""
        if self.deployed:
            return False
        for expansion in position.hook_handlers[Expansion.bars_figures]:  # a loop: asked often, and mostly empty
            if expansion.bars_figures(position, self):
                return False
        return True

    def deployments(self, position: Tabletop) -> list[Deploy]:
        """Return the deployments of the figures that the player has left."""
        player, supply = self.player, position.supply
        deployments = [
            Deploy(name, figure.name)
            for figure in position.figures.values()
            if supply[figure.name][player] > 0
            for name in figure.places(position, player, self.cell)
        ]
        for expansion in position.hook_handlers[Expansion.barred_places]:
            if barred := expansion.barred_places(position, self):
                deployments = [entry for entry in deployments if (entry.figure, entry.segment) not in barred]
        return deployments

    def _places(self, position: Tabletop, figure: Figure) -> Sequence[str]:
        """Return the segments on which the player may deploy this kind of figure; none if it is used up."""
        if not position.supply[figure.name][self.player]:
            return ()
        places = figure.places(position, self.player, self.cell)
        for expansion in position.hook_handlers[Expansion.barred_places]:
            barred = expansion.barred_places(position, self)
            places = [name for name in places if (figure.name, name) not in barred]
        return places

    def apply(self, position: Tabletop, action: Action) -> None:
        """Deploy, build or pass; the step returns to the agenda as long as the player may do more."""
        after = self if isinstance(action, Pass) else self._act(position, action)
        if after is not self and (
            not after.deployed
            or any(
                expansion.placement_extras(position, after)
                for expansion in position.hook_handlers[Expansion.placement_extras]
            )
        ):
            position.agenda.append(after)
            return
        for expansion in position.hook_handlers[Expansion.after_deployment]:
            expansion.after_deployment(position, after)

    def _act(self, position: Tabletop, action: Action) -> DeployFollower:
        """Deploy or build; return the step in which the player may do more, or this one if there is nothing more."""
        if isinstance(action, Deploy):
            deploy(position, self.player, self.cell, action.segment, action.figure)
            return DeployFollower(self.player, self.cell, self.built, deployed=True)
        replaces_figure = not self.deployed and any(
            action in expansion.instead_of_follower(position, self)
            for expansion in position.hook_handlers[Expansion.instead_of_follower]
        )
        position.perform(self.player, action)
        if replaces_figure:
            return DeployFollower(self.player, self.cell, self.built, deployed=True)
        return self if self.deployed else DeployFollower(self.player, self.cell, built=True)

    def forfeit(self, position: Tabletop) -> None:
        """Deploy no figure."""


@dataclass(frozen=True, slots=True)
class ScoringRound(Placement, Task[Tabletop]):
    """The scoring of everything that a placement completed (BA-23, CA-28a); then the placement is over."""

    def run(self, position: Tabletop) -> None:
        """Find the completed structures, and push the tasks that score them with those of the expansions."""
        for expansion in position.hook_handlers[Expansion.tile_laid]:
            expansion.tile_laid(position, self)
        position.agenda.append(PlacementOver(self.player, self.tile, self.drawn))
        for expansion in position.hook_handlers[Expansion.followers_returned]:
            expansion.followers_returned(position, self)
        completed = position.land.take_completed()
        if not completed:
            return
        position.round = Round(self.player, completed)
        # The agenda is a stack, so from here on the task that comes last is pushed first.
        position.agenda.append(SendHome())
        for expansion in position.hook_handlers[Expansion.structures_paid]:
            expansion.structures_paid(position)
        position.agenda.append(PayStructures())
        for expansion in position.hook_handlers[Expansion.structures_completed]:
            expansion.structures_completed(position)


@dataclass(frozen=True, slots=True)
class PlacementOver(Placement, Task[Tabletop]):
    """The end of a placement."""

    def run(self, position: Tabletop) -> None:
        """Notify the expansions, unless the game is ending."""
        if position.is_ending:
            return
        for expansion in position.hook_handlers[Expansion.placement_over]:
            expansion.placement_over(position, self)


def lay(position: Tabletop, player: Seat, cell: Cell, kind: TileKind, rotation: int) -> None:
    """Lay a tile on the table."""
    position.land.place(cell.square, kind.faces[rotation // 90], player)
    position.emit(TilePlaced(player, cell, kind, rotation))
