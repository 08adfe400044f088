"""What happens in Carcassonne, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from cogs.games.carcassonne.words import axis_words, figure_words, tile_words
from cogs.texts import t
from cogs.words.story import place_words, reason
from cogs.words.terms import segment_words
from engine.carcassonne import BuildBridge
from engine.carcassonne.events import (
    BANK,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    BidMade,
    BidPassed,
    BridgeBuilt,
    CastleBuilt,
    FairyMoved,
    GoodsTaken,
    LotChosen,
    LotLost,
    LotSold,
    LotsSetAside,
)
from engine.events import Deployed, Event, Resigned, Scored, TileDiscarded, TilePlaced, TurnSkipped

_MoveEvent: TypeAlias = (
    TilePlaced | BridgeBuilt | Deployed | TileDiscarded | CastleBuilt | GoodsTaken | FairyMoved | Resigned | TurnSkipped
)
_BazaarEvent: TypeAlias = (
    BazaarOpened | BazaarSkipped | BazaarDelayed | LotsSetAside | LotChosen | BidMade | BidPassed | LotSold
)


def sentence(names: Sequence[str], event: Event) -> str:
    """One event in words; empty for those that go without saying."""
    match event:
        case TilePlaced() | BridgeBuilt() | Deployed() | TileDiscarded() | CastleBuilt():
            return _move(names, event)
        case GoodsTaken() | FairyMoved() | Resigned() | TurnSkipped():
            return _move(names, event)
        case Scored():
            return _score(names, event)
        case BazaarOpened() | BazaarSkipped() | BazaarDelayed() | LotsSetAside():
            return _bazaar(names, event)
        case LotChosen() | BidMade() | BidPassed() | LotSold():
            return _bazaar(names, event)
        case _:
            return ""


def _move(names: Sequence[str], event: _MoveEvent) -> str:  # noqa: PLR0911 - one return an event
    name = names[event.player]
    match event:
        case TilePlaced():
            return t("story.placed", player=name, cell=event.cell.label, tile=tile_words(event.tile))
        case BridgeBuilt():
            axis = axis_words(BuildBridge(event.cell, event.axis))
            return t("story.bridge", player=name, cell=event.cell.label, axis=axis)
        case Deployed():
            role = figure_words(event.figure)
            return t("story.deployed_role", player=name, role=role, segment=segment_words(event.segment))
        case TileDiscarded():
            return _discard(name, event)
        case CastleBuilt():
            one, other = event.cells
            return t("story.castle", player=name, one=one.label, other=other.label)
        case GoodsTaken():
            return t("story.goods", player=name, goods=t(f"goods.{event.kind}", count=event.count))
        case FairyMoved():
            return t("story.fairy", player=name, cell=event.cell.label)
        case Resigned():
            return t("story.resigned", player=name)
        case TurnSkipped():
            return t("story.skipped_turn", player=name)


def _discard(name: str, event: TileDiscarded) -> str:
    tile = tile_words(event.tile)
    if isinstance(event, LotLost):
        return t("story.lot_lost", lot=event.lot, tile=tile)
    ways = {"declined": event.declined, "forfeited": event.forfeited, "skipped": event.skipped}
    way = next((way for way, so in ways.items() if so), "discarded")
    return t(f"story.{way}", player=name, tile=tile)


def _score(names: Sequence[str], event: Scored) -> str:
    name = names[event.player]
    if not event.points:
        return t("story.scored_nothing", player=name, kind=t(f"feature.{event.kind}"))
    key = "story.scored_final" if event.final else "story.scored"
    return t(key, player=name, count=event.points, kind=place_words(event), reason=reason(event.terms))


def _bazaar(names: Sequence[str], event: _BazaarEvent) -> str:  # noqa: PLR0911 - one return an event
    name = names[event.player]
    match event:
        case BazaarOpened():
            key = "story.draft_opened" if event.draft else "story.bazaar_opened"
            return t(key, player=name, count=len(event.tiles))
        case BazaarSkipped():
            return t("story.bazaar_skipped")
        case BazaarDelayed():
            return t("story.bazaar_delayed")
        case LotsSetAside():
            return t("story.lots_set_aside", count=event.count)
        case LotChosen():
            return t("story.lot_chosen", player=name, lot=event.lot, bid=event.bid)
        case BidMade():
            return t("story.bid", player=name, count=event.amount)
        case BidPassed():
            return t("story.passed", player=name)
        case LotSold():
            return _sale(names, event)


def _sale(names: Sequence[str], event: LotSold) -> str:
    name = names[event.player]
    if event.picked:
        return t("story.lot_picked", player=name, lot=event.lot)
    if not event.price:
        return t("story.lot_free", player=name, lot=event.lot)
    if event.payee == BANK:
        return t("story.lot_bank", player=name, lot=event.lot, count=event.price)
    payer, payee = names[event.payer], names[event.payee]
    return t("story.lot_sold", player=name, lot=event.lot, count=event.price, payer=payer, payee=payee)
