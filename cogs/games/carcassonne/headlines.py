"""Who has to do what: the sentence of each step, and the lots of a bazaar in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cogs.games.carcassonne.words import tile_words
from cogs.texts import t
from cogs.words.story import clipped
from engine import IllegalActionError
from engine.carcassonne import (
    BidOnLot,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
    DeployFollower,
    PlaceTile,
    Position,
    still_to_lay,
)
from engine.carcassonne.double_turns import first_tile

if TYPE_CHECKING:
    from cogs.presenting.turn import Course
    from engine.carcassonne import Bazaar

TO_LAY: Final = 600
"""Characters of a message given to the tiles that wait: six lots of players with long names take no more space."""


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
        case ChooseLot() as step:
            return t("headline.pick" if step.picks(position) else "headline.lot", player=player)
        case BidOnLot(bazaar=bazaar):
            bidder = names[bazaar.bidder]
            return t("headline.bid", player=player, lot=bazaar.lot + 1, bid=bazaar.bid, bidder=bidder)
        case BuyOrSell(bazaar=bazaar):
            bidder = names[bazaar.bidder]
            return t("headline.buy", player=player, lot=bazaar.lot + 1, count=bazaar.bid, bidder=bidder)
        case _:
            return ""


def tile_line(position: Position) -> str:
    """Which tile is to be laid, while its player composes the move."""
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    key = f"panel.tile{origin(position, position.step)}"
    return t(key, turn=position.turn, tile=tile_words(position.step.tile))


def asked_lines(position: Position) -> Iterator[str]:
    """What is asked about a castle while its player still composes the move, and how many he has at home."""
    match position.step:
        case DecideTown(cells=(one, other), points=points):
            yield t("panel.town", one=one.label, other=other.label, count=points)
            yield t("panel.castles_left", count=position.supply["castle"][position.player])
        case ChooseCastleSource(castle=castle):
            one, other = castle.cells
            yield t("panel.source", one=one.label, other=other.label)
        case _:
            return


def then_lines(names: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    """Who is asked about a castle when the move is made: its player, who left it open, or somebody else."""
    match ahead.after.step:
        case DecideTown(player=player, cells=(one, other)):
            key = "panel.then_town_own" if ahead.pending else "panel.then_town"
            yield t(key, player=names[player], one=one.label, other=other.label)
        case ChooseCastleSource(player=player, castle=castle):
            one, other = castle.cells
            key = "panel.then_source_own" if ahead.pending else "panel.then_source"
            yield t(key, player=names[player], one=one.label, other=other.label)
        case _:
            return


def origin(position: Position, step: PlaceTile) -> str:
    """How the keys of sentences end that say where the tile in hand comes from: from the pile when they say nothing."""
    if not step.drawn:
        return "_bought"
    return "_second" if first_tile(position) >= 0 else ""


def bazaar_words(names: Sequence[str], position: Position) -> str:
    """The lots while they are handed out; then who has still to lay which."""
    match position.step:
        case ChooseLot(bazaar=bazaar) | BidOnLot(bazaar=bazaar) | BuyOrSell(bazaar=bazaar):
            return lots_words(names, bazaar)
        case _:
            return to_lay_words(names, position)


def to_lay_words(names: Sequence[str], position: Position) -> str:
    """One line with the bought tiles that wait to be laid; empty when there are none."""
    waiting = [t("lots.of", player=names[seat], tile=tile_words(kind)) for seat, kind in still_to_lay(position)]
    return clipped(t("lots.to_lay", tiles=" · ".join(waiting)), TO_LAY) if waiting else ""


def lots_words(names: Sequence[str], bazaar: Bazaar) -> str:
    """One line a lot: number, what is drawn on it, who has it."""
    lines: list[str] = []
    for lot, (kind, owner) in enumerate(zip(bazaar.tiles, bazaar.owners, strict=True)):
        key = "lots.sold" if owner >= 0 else "lots.up" if lot == bazaar.lot else "lots.open"
        owner_name = names[owner] if owner >= 0 else ""
        lines.append(t(key, lot=lot + 1, tile=tile_words(kind), owner=owner_name))
    return "\n".join(lines)
