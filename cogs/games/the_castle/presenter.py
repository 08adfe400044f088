"""The Castle, as it is presented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.the_castle import pictures
from cogs.games.the_castle.lying import lying
from cogs.games.the_castle.questions import headline, offers, rest_line, rest_lines
from cogs.games.the_castle.story import sentence
from cogs.games.the_castle.turn import TURN
from cogs.games.the_castle.wall_words import also_seen, edge, wall_words
from cogs.games.the_castle.wishes import CHOICES
from cogs.games.the_castle.words import action_words, tile_words, wall_tiles_words
from cogs.presenting.presenter import Presenter
from cogs.texts import t
from engine import Action
from engine.the_castle import GAME, Position, Setup, designed, outlook
from renderers.the_castle import replay, warm_up


def _in_short(_: tuple[str, ...]) -> Iterator[str]:
    yield t(f"rules.{GAME}")


def _remarks() -> Iterator[str]:
    """Whose tiles they are."""
    yield t("lobby.designed")


def _remarks_on(setup: Setup) -> Iterator[str]:
    """Whose tiles a game is played with."""
    yield t("lobby.designed_here" if setup.tiles == designed() else "lobby.loaded_here")


def _details(_: Sequence[str], position: Position) -> str:
    """Where the marker comes to rest with each answer."""
    return "\n".join(rest_lines(position))


def _prospect(_: Sequence[str], position: Position, action: Action) -> str:
    """Where the marker comes to rest."""
    return rest_line(position, action)


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """Figures, the keep, and the wall tiles that lie face up (TC-53)."""
    yield t("piece.figure", count=position.supply["follower"][seat])
    keep = position.keeps[seat]
    yield t("piece.keep_stands", size=keep.size) if keep else t("piece.keep_home")
    tiles = position.hands[seat]
    if tiles:
        yield t("piece.wall_tiles", count=len(tiles), tiles=wall_tiles_words(tiles))


_WALL_TILES: Final = tuple(f"wall_tile_{number}" for number in (4, 5, 6, 9))
PRESENTER: Final[Presenter[Position]] = Presenter(
    categories=("path", "tower", "house", "keep", "court", *_WALL_TILES),
    choices=CHOICES,
    played=lambda _expansions: [t(f"rulebook.game.{GAME}")],
    in_short=_in_short,
    remarks=_remarks,
    remarks_on=_remarks_on,
    headline=headline,
    details=_details,
    sentence=sentence,
    action_words=action_words,
    prospect=_prospect,
    kind=lambda position, tile_id: position.setup.tiles[tile_id],
    tile_words=tile_words,
    lying=lying,
    worth=lambda position, feature: outlook(position, feature.parts[0][0], feature.parts[0][1].name),
    also_seen=also_seen,
    edge=edge,
    chapters={"wall": wall_words},
    belongings=_belongings,
    turn=TURN,
    offers=offers,
    ahead=warm_up,
    turn_pictures=pictures.turn_pictures,
    board_picture=pictures.board_picture,
    hints_picture=pictures.hints_picture,
    decision_pictures=pictures.decision_pictures,
    composer_pictures=pictures.composer_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=pictures.tiles_picture,
)
