"""Find the places where a tile fits (BA-07, BA-08, BR-38): one, any, or all of them.

A tile fits on an empty cell if its edges match those of the neighbours, and no box vetoes it. A placement with aid is
one that only a piece of a box makes possible. Codes such as BA-07 are rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Action, Place, Seat
from engine.caching import lazy_property
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import TileKind
from engine.geometry import Cell, Square
from engine.lazy_actions import LazyActions


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """Discard a tile that fits only with a piece of a box (BR-13)."""

    def __str__(self) -> str:
        return "decline"


def fits(land: Landscape, kind: TileKind, cell: Cell, rotation: int) -> bool:
    """Return True if a tile fits there without aid: next to another tile, with all touching edges matching."""
    constraint = land.frontier.get(cell.square)
    if constraint is None or rotation not in kind.fits.get(constraint, ()):
        return False
    return kind not in land.vetoes or not forbidden(land, kind, cell.square, rotation)


def fitting(land: Landscape, kind: TileKind) -> list[tuple[Square, int]]:
    """Return all placements without aid as squares and rotations, including rotations that look the same."""
    rotations = kind.fits
    places = [
        (place, rotation)
        for place, constraint in land.frontier.items()
        if constraint in rotations
        for rotation in rotations[constraint]
    ]
    return [entry for entry in places if not forbidden(land, kind, *entry)] if kind in land.vetoes else places


def forbidden(land: Landscape, kind: TileKind, place: Square, rotation: int) -> bool:
    """Return True if a box vetoes a placement whose edges fit; ``kind`` must be in ``land.vetoes``."""
    for veto in land.vetoes[kind]:  # noqa: SIM110 - asked of every place where the edges fit
        if veto(land, kind, place, rotation):
            return True
    return False


def fits_somewhere(land: Landscape, kind: TileKind) -> bool:
    """Return True if a tile fits anywhere without aid; stops at the first place, which makes replaying fast."""
    if kind not in land.vetoes:
        return not kind.fits.keys().isdisjoint(land.frontier.values())
    return any(
        not forbidden(land, kind, place, rotation)
        for place, constraint in land.frontier.items()
        for rotation in kind.fits.get(constraint, ())
    )


def aided(position: Tabletop, player: Seat, kind: TileKind, at: Cell | None = None) -> list[Place]:
    """Return the placements that need a piece of an expansion: all, or those on the cell ``at``, for fast replaying."""
    land = position.land
    places = [
        place
        for expansion in position.hook_handlers[Expansion.aided_placements]
        for place in expansion.aided_placements(position, player, kind, at)
    ]
    if kind not in land.vetoes:
        return places
    return [place for place in places if not forbidden(land, kind, place.cell.square, place.rotation)]


class Placements(LazyActions):
    """The legal placements of a tile: those without aid first, and declining last if all of them need aid (BR-13).

    They are computed when they are first listed, and each becomes an action on demand.
    """

    def __init__(self, position: Tabletop, player: Seat, kind: TileKind) -> None:
        self._position = position
        self._player = player
        self._kind = kind

    @lazy_property
    def _plain(self) -> list[tuple[Square, int]]:
        """The placements without aid."""
        return fitting(self._position.land, self._kind)

    @lazy_property
    def _aided(self) -> list[Place]:
        """The placements that need aid."""
        return aided(self._position, self._player, self._kind)

    def __len__(self) -> int:
        plain, aids = len(self._plain), len(self._aided)
        return plain + aids if plain or not aids else aids + 1

    def action(self, index: int) -> Action:
        """Return the placement with this number."""
        plain = self._plain
        if index < len(plain):
            place, rotation = plain[index]
            return Place(Cell.at(place), rotation)
        index -= len(plain)
        return self._aided[index] if index < len(self._aided) else Decline()

    def __contains__(self, action: object) -> bool:
        match action:
            case Place(cell=cell, rotation=rotation, aid=None):
                return fits(self._position.land, self._kind, cell, rotation)
            case Place(cell=cell):
                return action in aided(self._position, self._player, self._kind, cell)
            case Decline():
                return not fits_somewhere(self._position.land, self._kind) and bool(self._aided)
            case _:
                return False
