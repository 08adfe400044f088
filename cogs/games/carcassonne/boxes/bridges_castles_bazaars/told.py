"""Bridges, castles and bazaars told in words alone, for who does not see the pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cogs.games.carcassonne.words import lying
from cogs.texts import listed, t
from cogs.words.names import segment_aloud, sides
from engine.carcassonne import tile
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    bazaar_of,
    bridge_on,
    castles_of,
    still_to_lay,
    tokens_on,
)
from engine.carcassonne.placing import fitting
from engine.geometry import Cell
from engine.hints import Hint

if TYPE_CHECKING:
    from cogs.presenting.presenter import Listener
    from engine import tiles
    from engine.carcassonne import Position
    from engine.carcassonne.expansions.bridges_castles_bazaars import Bazaar, Castle
    from engine.carcassonne.landscape import PlacedTile as LaidTile
    from engine.views import PlacedTile


def upon(position: Position, placed: PlacedTile) -> Iterator[str]:
    """The bridge on a tile, and the sides at which it ends."""
    laid: LaidTile | None = position.tile_at(placed.cell)
    axis = bridge_on(laid) if laid is not None else None
    if axis is not None:
        yield t("tell.bridge", where=sides(side.name for side in sorted(axis.sides)))


# -- bazaars -----------------------------------------------------------------------------------------------------------


def bazaar(listener: Listener, position: Position) -> Iterator[str]:
    """What is offered tile by tile, the bid and who may still bid; then who has still to lay which tile."""
    going_on = bazaar_of(position)
    if isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell) and going_on is not None:
        yield from _bid(listener, position, going_on)
        for lot, kind in enumerate(going_on.tiles):
            yield t(
                "tell.lot", lot=lot + 1, owner=_owner(listener, going_on, lot), tile=_tile(listener, position, kind)
            )
        yield from (
            t("tell.score", player=name, count=points)
            for name, points in zip(listener.names, position.scores, strict=True)
        )
    for seat, kind in still_to_lay(position):
        yield t("tell.to_lay", player=listener.names[seat], tile=_tile(listener, position, kind))


def _bid(listener: Listener, position: Position, going_on: Bazaar) -> Iterator[str]:
    yield t("tell.selector", player=listener.names[going_on.selector])
    if going_on.lot < 0:
        return
    yield t("tell.bid", player=listener.names[going_on.bidder], lot=going_on.lot + 1, count=going_on.bid)
    bidders = list(_may_bid(position, going_on)) if isinstance(position.step, BidOnLot) else []
    if bidders:
        yield t("tell.may_bid", players=listed([listener.names[seat] for seat in bidders]))
    else:
        yield t("tell.nobody_bids")


def _may_bid(position: Position, going_on: Bazaar) -> Iterator[int]:
    """Who is asked now, and after that one up to the selector."""
    yield position.player
    for seat in position.round_table(position.player):
        if seat == going_on.selector:
            return
        if seat not in going_on.owners and not position.withdrawn[seat]:
            yield seat


def _owner(listener: Listener, going_on: Bazaar, lot: int) -> str:
    owner = going_on.owners[lot]
    if owner >= 0:
        return t("tell.lot_of", player=listener.names[owner])
    return t("tell.lot_up" if lot == going_on.lot else "tell.lot_open")


def _tile(listener: Listener, position: Position, kind: tiles.TileKind) -> str:
    """A tile as drawn, and where it would fit now."""
    words = lying(kind, 0)
    if not listener.allows(Hint.CELLS):
        return words
    places = dict.fromkeys(Cell.at(square) for square, _ in fitting(position.land, tile(kind.id)))
    cells = [cell.label for cell in sorted(places, key=lambda cell: (cell.y, cell.x))]
    return "; ".join([words, t("tell.goes", cells=listed(cells)) if cells else t("tell.goes_nowhere")])


# -- castles -----------------------------------------------------------------------------------------------------------


def castles(listener: Listener, position: Position) -> Iterator[str]:
    """Each castle with its fief, who is in it, and whether it has scored."""
    for castle in castles_of(position):
        yield "; ".join(_castle(listener, position, castle))


def _castle(listener: Listener, position: Position, castle: Castle) -> Iterator[str]:
    one, other = castle.cells
    yield t("tell.castle", one=one.label, other=other.label, player=listener.names[castle.player])
    for follower in castle.followers:
        cell, segment = position.land.part(follower.segment)
        where = t("segment.at", segment=segment_aloud(segment), cell=cell.label)
        yield t(
            "tell.figure", player=listener.names[follower.player], figure=t(f"figure.{follower.figure}"), where=where
        )
    tokens = tokens_on(position, castle).shown
    if tokens > 1:
        yield t("piece.castle", count=tokens)
    yield t("tell.fief", cells=listed([cell.label for cell in castle.fief]))
    yield t("tell.castle_scored" if castle.scored else "tell.castle_waits")
