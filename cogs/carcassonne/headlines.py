"""Who has to do what: the sentence of each step, and the lots of a bazaar in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cogs.carcassonne.words import tile_words
from cogs.texts import t
from engine.carcassonne import (
    BidOnLot,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
    DeployFollower,
    PlaceTile,
    Position,
)
from engine.carcassonne.double_turns import first_tile

if TYPE_CHECKING:
    from engine.carcassonne import Bazaar


def headline(names: Sequence[str], position: Position, player: str) -> str:  # noqa: PLR0911 - one return a step
    """What ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile) as step:
            ending = origin(position, step)
            return t(f"headline.place{ending}", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy", player=player)
        case DecideTown(cells=(one, other), points=points):
            return t("headline.town", player=player, one=one.label, other=other.label, count=points)
        case ChooseCastleSource(castle=castle):
            one, other = castle.cells
            return t("headline.source", player=player, one=one.label, other=other.label)
        case ChooseLot(bazaar=bazaar):
            return t("headline.pick" if bazaar.draft else "headline.lot", player=player)
        case BidOnLot(bazaar=bazaar):
            bidder = names[bazaar.bidder]
            return t("headline.bid", player=player, lot=bazaar.lot + 1, bid=bazaar.bid, bidder=bidder)
        case BuyOrSell(bazaar=bazaar):
            bidder = names[bazaar.bidder]
            return t("headline.buy", player=player, lot=bazaar.lot + 1, count=bazaar.bid, bidder=bidder)
        case _:
            return ""


def origin(position: Position, step: PlaceTile) -> str:
    """How the keys of sentences end that say where the tile in hand comes from: from the pile when they say nothing."""
    if not step.drawn:
        return "_bought"
    return "_second" if first_tile(position) >= 0 else ""


def lots_words(names: Sequence[str], bazaar: Bazaar) -> str:
    """One line a lot: number, what is drawn on it, who has it."""
    lines: list[str] = []
    for lot, (kind, owner) in enumerate(zip(bazaar.tiles, bazaar.owners, strict=True)):
        key = "lots.sold" if owner >= 0 else "lots.up" if lot == bazaar.lot else "lots.open"
        owner_name = names[owner] if owner >= 0 else ""
        lines.append(t(key, lot=lot + 1, tile=tile_words(kind), owner=owner_name))
    return "\n".join(lines)
