"""Carcassonne, as it is presented."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cogs.games.carcassonne import pictures, words
from cogs.games.carcassonne.choices import choice_offers
from cogs.games.carcassonne.headlines import bazaar_words, headline
from cogs.games.carcassonne.prospects import prospect
from cogs.games.carcassonne.story import sentence
from cogs.games.carcassonne.turn import TURN
from cogs.presenting.presenter import Panel, Presenter, TilePanel
from cogs.texts import listed, t
from engine.carcassonne import DEFAULT_EXPANSIONS, REGISTRY, Position, TileKind, bazaar_of, goods_of, tile
from engine.carcassonne.events import BANK, LotSold
from engine.carcassonne.tiles import BASE_SET
from renderers.carcassonne import replay

if TYPE_CHECKING:
    from cogs.presenting.offers import Offer
    from cogs.presenting.pictures import Shown
    from cogs.presenting.turn import Turn
    from engine import Action, tiles
    from engine.carcassonne.box import Box
    from engine.events import Event
    from engine.hints import DeadCells, Holding
    from host import Game
    from renderers import Picture, Theme


class CarcassonnePresenter(Presenter[Position]):
    """The words, buttons and pictures of Carcassonne."""

    categories: ClassVar[Sequence[str]] = ("city", "road", "monastery", "field", "castle", "bazaar", "goods")
    expansions: ClassVar[tuple[str, ...]] = DEFAULT_EXPANSIONS
    turn: ClassVar[Turn[Any]] = TURN

    # -- the game itself --------------------------------------------------------------------------------------------

    def played(self, expansions: tuple[str, ...]) -> Sequence[str]:
        """The expansions, or that there are none."""
        return [t(f"expansion.{name}") for name in expansions or (BASE_SET,)]

    def in_short(self, expansions: tuple[str, ...]) -> Iterator[str]:
        """The base game, then each expansion with the box that it comes from."""
        yield t(f"rules.{BASE_SET}")
        for name in expansions:
            box = REGISTRY[name]
            yield t(f"rules.{name}")
            yield _which_box(box)

    # -- words ------------------------------------------------------------------------------------------------------

    def headline(self, names: Sequence[str], position: Position, player: str) -> str:
        """See the base class."""
        return headline(names, position, player)

    def details(self, names: Sequence[str], position: Position) -> str:
        """The lots of a bazaar, or what has still to be laid of them."""
        return bazaar_words(names, position)

    def sentence(self, names: Sequence[str], event: Event) -> str:
        """See the base class."""
        return sentence(names, event)

    def action_words(self, position: Position, action: Action) -> str:
        """See the base class."""
        return words.action_words(position, action)

    def prospect(self, names: Sequence[str], position: Position, action: Action) -> str:
        """Points and castles."""
        return prospect(names, position, action)

    def kind(self, position: Position, tile_id: str) -> TileKind:  # noqa: ARG002 - the same in every game
        """See the base class."""
        return tile(tile_id)

    def tile_words(self, kind: tiles.TileKind) -> str:
        """See the base class."""
        return words.tile_words(kind)

    def belongings(self, position: Position, seat: int) -> Iterator[str]:
        """What is left of each piece, where figures are of which each player has one, and the goods taken."""
        for piece, counts in position.supply.items():
            if piece in position.figures and position.figures[piece].count == 1:
                yield t(f"piece.{piece}_{'home' if counts[seat] else 'out'}")
            else:
                yield t(f"piece.{piece}", count=counts[seat])
        yield from (t(f"piece.{kind}", count=count) for kind, count in goods_of(position)[seat].items() if count)

    def out_of_turn(self, position: Position, seat: int) -> str:
        """Who has a lot does not bid any more (BZ-15)."""
        bazaar = bazaar_of(position)
        return "has_a_lot" if bazaar is not None and bazaar.active >= 0 and seat in bazaar.owners else ""

    # -- scores -----------------------------------------------------------------------------------------------------

    def points(self, events: Iterable[Event], players: int) -> list[dict[str, int]]:
        """The points of each kind of structure, and what was won or paid in bazaars."""
        listed = tuple(events)
        points = super().points(listed, players)
        for event in listed:
            if isinstance(event, LotSold) and event.price:
                points[event.payer]["bazaar"] -= event.price
                if event.payee != BANK:
                    points[event.payee]["bazaar"] += event.price
        return points

    # -- decisions --------------------------------------------------------------------------------------------------

    def offers(self, position: Position) -> Sequence[Offer]:
        """Castles and the bazaar."""
        return choice_offers(position)

    # -- pictures ---------------------------------------------------------------------------------------------------

    def turn_pictures(self, position: Position, theme: Theme) -> Sequence[Picture]:
        """See the base class."""
        return pictures.turn_pictures(position, theme)

    def board_picture(self, position: Position, theme: Theme) -> Picture:
        """See the base class."""
        return pictures.board_picture(position, theme)

    def hints_picture(self, position: Position, dead: DeadCells, holdings: Sequence[Holding], theme: Theme) -> Picture:
        """See the base class."""
        return pictures.hints_picture(position, dead, holdings, theme)

    def decision_pictures(self, game: Game, position: Position, theme: Theme) -> list[Shown]:
        """A castle with its fief, or the lots of a bazaar."""
        return pictures.decision_pictures(game, position, theme)

    def panel_pictures(self, game: Game, position: Position, panel: Panel, theme: Theme) -> list[Shown]:
        """The board with what the composer is about."""
        if isinstance(panel, TilePanel):
            return pictures.composer_pictures(position, panel, theme)
        return pictures.decision_pictures(game, position, theme)

    def score_pictures(self, game: Game, position: Position, theme: Theme) -> list[Shown]:
        """See the base class."""
        return pictures.score_pictures(game, position, theme)

    def replay_picture(self, positions: Sequence[Position], names: Sequence[str], theme: Theme) -> Picture:
        """See the base class."""
        return replay(positions, names, theme=theme)

    def tiles_picture(self, position: Position, left: Mapping[str, int], theme: Theme) -> Picture:
        """See the base class."""
        return pictures.tiles_picture(position, left, theme)


def _which_box(box: Box) -> str:
    """Where an expansion stands among those of its publisher."""
    years = listed([str(year) for year in box.years])
    if not box.number:
        return t("rules.box_small")
    return t("rules.box" if years else "rules.box_undated", number=box.number, years=years)
