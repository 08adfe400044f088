"""Which pictures go with what: calls the renderers, and gives each picture its alt text. Runs in worker threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cogs.texts import t
from cogs.ui.alt import LONGEST, board_alt, move_alt
from cogs.ui.headlines import lots_words
from cogs.ui.names import plain_names
from cogs.ui.scores import CATEGORIES
from cogs.ui.story import clipped, without_marks
from cogs.ui.words import turn_words
from engine.carcassonne import BidOnLot, BuyOrSell, ChooseCastleSource, ChooseLot, DecideTown, Position, TileKind, tile
from engine.carcassonne.expansions.castles import fief_of
from engine.events import TilePlaced
from renderers import (
    PLAYER_MARKS,
    Choice,
    Ghost,
    Mark,
    Picture,
    Spot,
    castle_question,
    composer,
    lots,
    remaining,
    summary,
    turn_card,
)

if TYPE_CHECKING:
    from cogs.ui.panels import Panel
    from engine import Cell
    from host import Game, Moment


def colour_of(seat: int) -> int:
    """The colour of a seat, as Discord numbers colours."""
    red, green, blue = PLAYER_MARKS[seat].colour
    return red << 16 | green << 8 | blue


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and its alt text."""

    picture: Picture
    alt: str


def card_pictures(moment: Moment) -> list[Shown]:
    """The pictures of a card: what is decided now, then the last move and the whole board."""
    asked = decision_pictures(moment.game, moment.after)
    if asked and not any(isinstance(event, TilePlaced) for event in moment.events):
        return asked  # a bid changes nothing on the board
    return [*asked, *_board_pictures(moment)]


def _board_pictures(moment: Moment) -> list[Shown]:
    position = moment.after
    pictures = turn_card(position, _marks(position))
    shown = [Shown(pictures.focus, move_alt(moment))]
    if not pictures.alike:
        shown.append(Shown(pictures.board, board_alt(moment.game, position)))
    return shown


def _marks(position: Position) -> list[Mark]:
    """The last tile of each player."""
    return [Mark(cell, player) for player, cell in _last_cells(position).items() if player >= 0]


def _last_cells(position: Position) -> dict[int, Cell]:
    return {placed.player: placed.cell for placed in position.placed()}


def decision_pictures(game: Game, position: Position) -> list[Shown]:
    """The picture of a decision about a castle or in a bazaar; none for others."""
    match position.step:
        case DecideTown(cells=(one, other) as cells):
            alt = t("alt.castle", one=one.label, other=other.label)
            return [Shown(castle_question(position, cells, fief_of(one, other)), alt)]
        case ChooseCastleSource(castle=castle):
            one, other = castle.cells
            alt = t("alt.source", one=one.label, other=other.label)
            return [Shown(castle_question(position, castle.cells, castle.fief), alt)]
        case ChooseLot(bazaar=bazaar) | BidOnLot(bazaar=bazaar) | BuyOrSell(bazaar=bazaar):
            names = plain_names(game)
            words = without_marks(lots_words(names, bazaar)).replace("\n", "; ")
            picture = lots(bazaar.tiles, bazaar.owners, bazaar.lot, names)
            return [Shown(picture, clipped(t("alt.lots", lots=words), LONGEST))]
        case _:
            return []


def final_pictures(moment: Moment, categories: Sequence[Mapping[str, int]]) -> list[Shown]:
    """The points by category as bars, and the board at the end."""
    game, position = moment.game, moment.after
    seats = [seat for group in position.ranking() for seat in group]
    names = plain_names(game)
    rows = [{t(f"legend.{kind}"): categories[seat].get(kind, 0) for kind in CATEGORIES} for seat in seats]
    bars = summary([names[seat] for seat in seats], rows, seats)
    scores = ", ".join(t("alt.score", player=names[seat], points=position.scores[seat]) for seat in seats)
    return [Shown(bars, clipped(t("alt.summary", scores=scores), LONGEST)), *board_pictures(game, position)]


def board_pictures(game: Game, position: Position) -> list[Shown]:
    """The whole board."""
    return [Shown(turn_card(position, _marks(position)).board, board_alt(game, position))]


def tiles_pictures(position: Position, left: Mapping[str, int]) -> list[Shown]:
    """Every tile of the game with how many are left, by id."""
    kinds: dict[TileKind, None] = dict.fromkeys(map(tile, sorted(set(position.setup.pile))))
    counts = [(kind, left.get(kind.id, 0)) for kind in kinds]
    return [Shown(remaining(counts), t("alt.tiles", count=sum(left.values())))]


def panel_pictures(game: Game, position: Position, panel: Panel) -> list[Shown]:
    """The picture of a private panel: the spots with their letters, or the tile on trial with its numbers."""
    if position.hand is None:
        return decision_pictures(game, position)
    spots = [Spot(cell, letter) for cell, letter in panel.letters]
    ghost, alt = None, t("alt.spots", spots=_listed(spots))
    if panel.place is not None:
        place, bridge = panel.place, panel.bridge or panel.place.aid
        spanned = (bridge.cell, bridge.axis) if bridge else None
        ghost = Ghost(place.cell, position.hand, place.rotation, spanned)
        alt = t("alt.ghost", cell=place.cell.label, turn=turn_words(place.rotation))
    choices = [Choice(number, segment) for number, segment in enumerate(panel.numbers, 1)]
    picture = composer(position, spots, ghost, choices)
    return [Shown(picture, clipped(alt, LONGEST))]


def _listed(spots: Iterable[Spot]) -> str:
    return ", ".join(f"{spot.letter} {spot.cell.label}" for spot in spots)
