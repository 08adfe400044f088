"""Carcassonne, as it is presented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cogs.games.carcassonne import pictures
from cogs.games.carcassonne.choices import choice_offers
from cogs.games.carcassonne.headlines import bazaar_words, headline
from cogs.games.carcassonne.prospects import prospect
from cogs.games.carcassonne.story import sentence
from cogs.games.carcassonne.turn import TURN
from cogs.games.carcassonne.words import action_words, tile_words
from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from engine.carcassonne import DEFAULT_EXPANSIONS, REGISTRY, Position, bazaar_of, goods_of, tile
from engine.carcassonne.events import BANK, LotSold
from engine.carcassonne.tiles import BASE_SET
from renderers.carcassonne import replay

if TYPE_CHECKING:
    from engine.carcassonne.box import Box
    from engine.events import Event


def _in_short(expansions: tuple[str, ...]) -> Iterator[str]:
    """The base game, then each expansion with the box that it comes from."""
    yield t(f"rules.{BASE_SET}")
    for name in expansions:
        yield t(f"rules.{name}")
        yield _which_box(REGISTRY[name])


def _which_box(box: Box) -> str:
    """Where an expansion stands among those of its publisher."""
    years = listed([str(year) for year in box.years])
    if not box.number:
        return t("rules.box_small")
    return t("rules.box" if years else "rules.box_undated", number=box.number, years=years)


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """What is left of each piece, where figures are of which each player has one, and the goods taken."""
    for piece, counts in position.supply.items():
        if piece in position.figures and position.figures[piece].count == 1:
            yield t(f"piece.{piece}_{'home' if counts[seat] else 'out'}")
        else:
            yield t(f"piece.{piece}", count=counts[seat])
    yield from (t(f"piece.{kind}", count=count) for kind, count in goods_of(position)[seat].items() if count)


def _out_of_turn(position: Position, seat: int) -> str:
    """Who has a lot does not bid any more (BZ-15)."""
    bazaar = bazaar_of(position)
    return "has_a_lot" if bazaar is not None and bazaar.active >= 0 and seat in bazaar.owners else ""


def _gains(event: Event) -> Iterator[tuple[int, str, int]]:
    """What was won or paid in bazaars."""
    if isinstance(event, LotSold) and event.price:
        yield event.payer, "bazaar", -event.price
        if event.payee != BANK:
            yield event.payee, "bazaar", event.price


PRESENTER: Final[Presenter[Position]] = Presenter(
    categories=("city", "road", "monastery", "field", "castle", "bazaar", "goods"),
    expansions=DEFAULT_EXPANSIONS,
    played=lambda expansions: [t(f"expansion.{name}") for name in expansions or (BASE_SET,)],
    in_short=_in_short,
    headline=headline,
    details=bazaar_words,
    sentence=sentence,
    action_words=action_words,
    prospect=prospect,
    kind=lambda _position, tile_id: tile(tile_id),
    tile_words=tile_words,
    belongings=_belongings,
    out_of_turn=_out_of_turn,
    gains=_gains,
    turn=TURN,
    offers=choice_offers,
    turn_pictures=pictures.turn_pictures,
    board_picture=pictures.board_picture,
    hints_picture=pictures.hints_picture,
    decision_pictures=pictures.decision_pictures,
    composer_pictures=pictures.composer_pictures,
    score_pictures=pictures.score_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=pictures.tiles_picture,
)
