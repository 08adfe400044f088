"""The Castle, as it is presented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cogs.games.the_castle import pictures, words
from cogs.games.the_castle.choices import offers
from cogs.games.the_castle.headlines import headline, rest_line, rest_lines
from cogs.games.the_castle.standing import CHOICES
from cogs.games.the_castle.story import sentence
from cogs.games.the_castle.turn import TURN
from cogs.presenting.presenter import Panel, Presenter, TilePanel
from cogs.texts import t
from engine.the_castle import GAME, Position, Setup, TileKind, designed
from renderers.the_castle import replay

if TYPE_CHECKING:
    from cogs.presenting.offers import Offer
    from cogs.presenting.pictures import Shown
    from cogs.presenting.turn import Turn
    from engine import Action, tiles
    from engine.events import Event
    from engine.hints import DeadCells, Holding
    from host import Game
    from renderers import Picture, Theme


class CastlePresenter(Presenter[Position]):
    """The words, buttons and pictures of The Castle."""

    categories: ClassVar[Sequence[str]] = (
        "path",
        "tower",
        "house",
        "keep",
        "court",
        "wall_tile_4",
        "wall_tile_5",
        "wall_tile_6",
        "wall_tile_9",
    )
    choices: ClassVar[Mapping[str, Sequence[str]]] = CHOICES
    turn: ClassVar[Turn[Any]] = TURN

    # -- the game itself --------------------------------------------------------------------------------------------

    def played(self, expansions: tuple[str, ...]) -> Sequence[str]:  # noqa: ARG002 - there are none
        """The game alone."""
        return [t(f"rulebook.game.{GAME}")]

    def in_short(self, expansions: tuple[str, ...]) -> Iterator[str]:  # noqa: ARG002 - there are none
        """See the base class."""
        yield t(f"rules.{GAME}")

    def remarks(self) -> Iterator[str]:
        """Whose tiles they are."""
        yield t("lobby.designed")

    def remarks_on(self, setup: Setup) -> Iterator[str]:
        """Whose tiles a game is played with."""
        yield t("lobby.designed_here" if setup.tiles == designed() else "lobby.loaded_here")

    # -- words ------------------------------------------------------------------------------------------------------

    def headline(self, names: Sequence[str], position: Position, player: str) -> str:
        """See the base class."""
        return headline(names, position, player)

    def details(self, names: Sequence[str], position: Position) -> str:  # noqa: ARG002 - the marker is enough
        """Where the marker comes to rest with each answer."""
        return "\n".join(rest_lines(position))

    def sentence(self, names: Sequence[str], event: Event) -> str:
        """See the base class."""
        return sentence(names, event)

    def action_words(self, position: Position, action: Action) -> str:
        """See the base class."""
        return words.action_words(position, action)

    def prospect(self, names: Sequence[str], position: Position, action: Action) -> str:  # noqa: ARG002 - no others
        """Where the marker comes to rest."""
        return rest_line(position, action)

    def kind(self, position: Position, tile_id: str) -> TileKind:
        """See the base class."""
        return position.setup.tiles[tile_id]

    def tile_words(self, kind: tiles.TileKind) -> str:
        """See the base class."""
        return words.tile_words(kind)

    def belongings(self, position: Position, seat: int) -> Iterator[str]:
        """Figures, the keep, and the wall tiles that lie face up (TC-53)."""
        yield t("piece.figure", count=position.supply["follower"][seat])
        keep = position.keeps[seat]
        yield t("piece.keep_stands", size=keep.size) if keep else t("piece.keep_home")
        tiles = position.hands[seat]
        if tiles:
            yield t("piece.wall_tiles", count=len(tiles), tiles=words.wall_tiles_words(tiles))

    # -- decisions --------------------------------------------------------------------------------------------------

    def offers(self, position: Position) -> Sequence[Offer]:
        """What is asked after the tile: the order of scoring, wall tiles, another turn."""
        return offers(position)

    # -- pictures ---------------------------------------------------------------------------------------------------

    def turn_pictures(self, position: Position, theme: Theme) -> Sequence[Picture]:
        """See the base class."""
        return pictures.turn_pictures(position, theme)

    def board_picture(self, position: Position, theme: Theme) -> Picture:
        """See the base class."""
        return pictures.board_picture(position, theme)

    def hints_picture(self, position: Position, dead: DeadCells, holdings: Sequence[Holding], theme: Theme) -> Picture:  # noqa: ARG002
        """The cells where nothing fits; there are no fields."""
        return pictures.hints_picture(position, dead, theme)

    def replay_picture(self, positions: Sequence[Position], names: Sequence[str], theme: Theme) -> Picture:
        """See the base class."""
        return replay(positions, names, theme=theme)

    def decision_pictures(self, game: Game, position: Position, theme: Theme) -> list[Shown]:  # noqa: ARG002
        """The features that a question is about."""
        return pictures.decision_pictures(position, theme)

    def panel_pictures(self, game: Game, position: Position, panel: Panel, theme: Theme) -> list[Shown]:  # noqa: ARG002
        """The castle with what the composer is about."""
        if isinstance(panel, TilePanel):
            return pictures.composer_pictures(position, panel, theme)
        return pictures.decision_pictures(position, theme)

    def tiles_picture(self, position: Position, left: Mapping[str, int], theme: Theme) -> Picture:
        """See the base class."""
        return pictures.tiles_picture(position, left, theme)
