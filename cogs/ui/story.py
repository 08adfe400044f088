"""What happened, in sentences: events as a card, the log and an alt text tell them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cogs.texts import t
from cogs.ui.names import plain_names, seat_names
from cogs.ui.words import axis_words, segment_words, tile_words
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
    LotChosen,
    LotSold,
)
from engine.events import Completed, Deployed, Event, Resigned, Scored, Term, TileDiscarded, TilePlaced

if TYPE_CHECKING:
    from engine import Cell
    from host import Game

STORY: Final = 1700
"""Characters of a message given to what happened: the rest of the 4000 is for the scores."""


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Tells events with these names of the seats."""

    names: Sequence[str]

    @staticmethod
    def marked_up(game: Game) -> Storyteller:
        """For messages."""
        return Storyteller(seat_names(game))

    @staticmethod
    def plain(game: Game) -> Storyteller:
        """For alt texts."""
        return Storyteller(plain_names(game))

    def sentences(self, events: Iterable[Event]) -> Iterator[str]:
        """One sentence for each event that a player has to know."""
        held: set[tuple[str, tuple[Cell, ...]]] = set()
        listed = tuple(events)
        for event in listed:
            if isinstance(event, Scored):
                held.add((event.kind, event.cells))
        for event in listed:
            if isinstance(event, Completed) and (event.kind, event.cells) in held:
                continue
            sentence = self.sentence(event)
            if sentence:
                yield sentence

    def sentence(self, event: Event) -> str:
        """One event in words; empty for those that go without saying."""
        match event:
            case TilePlaced() | BridgeBuilt() | Deployed() | TileDiscarded() | CastleBuilt() | Resigned():
                return self._move(event)
            case Scored():
                return self._score(event)
            case Completed(kind=kind, points=points):
                return t("story.unheld", kind=t(f"feature.{kind}"), count=points)
            case BazaarOpened() | BazaarSkipped() | BazaarDelayed() | LotChosen() | BidMade() | BidPassed() | LotSold():
                return self._bazaar(event)
            case _:
                return ""

    def _move(  # noqa: PLR0911 - one return an event
        self, event: TilePlaced | BridgeBuilt | Deployed | TileDiscarded | CastleBuilt | Resigned
    ) -> str:
        name = self.names[event.player]
        match event:
            case TilePlaced():
                return t("story.placed", player=name, cell=event.cell.label, tile=tile_words(event.tile))
            case BridgeBuilt():
                axis = axis_words(BuildBridge(event.cell, event.axis))
                return t("story.bridge", player=name, cell=event.cell.label, axis=axis)
            case Deployed():
                return t("story.deployed", player=name, segment=segment_words(event.segment))
            case TileDiscarded(declined=True):
                return t("story.declined", player=name, tile=tile_words(event.tile))
            case TileDiscarded():
                return t("story.discarded", player=name, tile=tile_words(event.tile))
            case CastleBuilt():
                one, other = event.cells
                return t("story.castle", player=name, one=one.label, other=other.label)
            case Resigned():
                return t("story.resigned", player=name)

    def _score(self, event: Scored) -> str:
        name, kind = self.names[event.player], t(f"feature.{event.kind}")
        if not event.points:
            return t("story.scored_nothing", player=name, kind=kind)
        key = "story.scored_final" if event.final else "story.scored"
        return t(key, player=name, count=event.points, kind=kind, terms=terms_words(event.terms))

    def _bazaar(  # noqa: PLR0911 - one return an event
        self, event: BazaarOpened | BazaarSkipped | BazaarDelayed | LotChosen | BidMade | BidPassed | LotSold
    ) -> str:
        name = self.names[event.player]
        match event:
            case BazaarOpened():
                key = "story.draft_opened" if event.draft else "story.bazaar_opened"
                return t(key, player=name, count=len(event.tiles))
            case BazaarSkipped():
                return t("story.bazaar_skipped")
            case BazaarDelayed():
                return t("story.bazaar_delayed")
            case LotChosen():
                return t("story.lot_chosen", player=name, lot=event.lot, bid=event.bid)
            case BidMade():
                return t("story.bid", player=name, count=event.amount)
            case BidPassed():
                return t("story.passed", player=name)
            case LotSold():
                return self._sale(event)

    def _sale(self, event: LotSold) -> str:
        name = self.names[event.player]
        if not event.price:
            return t("story.lot_free", player=name, lot=event.lot)
        if event.payee == BANK:
            return t("story.lot_bank", player=name, lot=event.lot, count=event.price)
        payer, payee = self.names[event.payer], self.names[event.payee]
        return t("story.lot_sold", player=name, lot=event.lot, count=event.price, payer=payer, payee=payee)


def terms_words(terms: Iterable[Term]) -> str:
    """The summands of a score: ``3 tiles 6 + 1 pennant 2``."""
    return " + ".join(t(f"term.{term.name}", count=term.count, points=term.points) for term in terms)


def without_marks(text: str) -> str:
    """A sentence without the marks that only a message shows."""
    return text.replace("**", "").replace("`", "")


def clipped(text: str, most: int) -> str:
    """The text, cut at a word when it is longer than so many characters."""
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(maxsplit=1)[0] + "…"
