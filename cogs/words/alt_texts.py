"""Alt texts: each picture in words, for those who hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import t
from cogs.words.names import plain_names
from cogs.words.story import Storyteller, clipped, without_marks
from cogs.words.terms import segment_words, turn_words

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Place, Position
    from engine.tiles import Segment
    from host import Game, Moment

LONGEST: Final = 250
"""Characters of an alt text: less than Discord takes, as much as one listens to."""
LONGEST_EVER: Final = 1024
"""Characters that Discord takes."""
_NAME: Final = 12
_STORY: Final = 112
TURN: Final = 136
"""Room for the longest name of a tile that somebody has to lay."""


def move_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """The picture of a move: what was done, what it completed, whose turn it is, the scores."""
    story = without_marks(" ".join(Storyteller.plain(presenter, moment.game).sentences(moment.events, moment.preset)))
    turn = _turn(presenter, moment.game, moment.after)
    scores = _scores(moment.game, moment.after)
    return clipped(" ".join(part for part in (clipped(story, _STORY), turn, scores) if part), LONGEST)


def board_alt(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """The picture of the whole board."""
    tiles = sum(1 for _ in position.placed())
    text = t("alt.board", count=tiles, turn=_turn(presenter, game, position), scores=_scores(game, position))
    return clipped(text, LONGEST)


def ghost_alt(place: Place, numbers: Sequence[tuple[int, Segment]], figure: str) -> str:
    """The picture of a tile on trial: where a figure may stand, or where the one that was chosen (in words) will."""
    values = {"cell": place.cell.label, "turn": turn_words(place.rotation)}
    if not numbers:
        return t("alt.ghost_nobody", **values)
    if not figure:
        return t("alt.ghost_figure", **values)
    [(number, segment)] = numbers
    return t("alt.ghost_standing", figure=figure, number=number, segment=segment_words(segment), **values)


def _turn(presenter: Presenter[Any], game: Game, position: Position) -> str:
    if position.player < 0:
        return t("alt.over")
    headline = presenter.headline(plain_names(game), position, _short(game, position.player))
    return clipped(without_marks(headline), TURN)


def _scores(game: Game, position: Position) -> str:
    return ", ".join(
        t("alt.score", player=_short(game, seat), points=points) for seat, points in enumerate(position.scores)
    )


def _short(game: Game, seat: int) -> str:
    name = game.seats[seat].name
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
