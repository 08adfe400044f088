"""Alt texts: each picture in words, for those who hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import t
from cogs.words.names import plain_names
from cogs.words.story import Storyteller, fitting, units, without_marks
from cogs.words.terms import segment_words, turn_words
from engine.events import TilePlaced

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
TURN: Final = 136
"""Room for the longest name of a tile that somebody has to lay."""


def move_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """The picture of a move: what was done, what it completed, whose turn it is, the scores.

    Where all of it would be too long, it says what was done more shortly, and leaves out what the card tells beside it.
    """
    game, position = moment.game, moment.after
    teller = Storyteller.plain(presenter, game)
    whole = [without_marks(sentence) for sentence in teller.sentences(moment.events, moment.preset)]
    placed = next((event for event in moment.events if isinstance(event, TilePlaced)), None)
    scores, turn = _scores(game, position), _turn(presenter, game, position, TURN)
    room = LONGEST - units(turn) - units(scores) - 2
    told = fitting(whole, room)
    if not told and placed is not None:
        shortly = t("alt.placed", player=teller.names[placed.player], cell=placed.cell.label)
        told = fitting([shortly, *whole[1:]], room)
    return fitting(filter(None, (told, turn, scores)), LONGEST)


def board_alt(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """The picture of the whole board."""
    values = {"count": sum(1 for _ in position.placed()), "scores": _scores(game, position)}
    room = LONGEST - units(t("alt.board", turn="", **values))
    return t("alt.board", turn=_turn(presenter, game, position, room), **values)


def ghost_alt(place: Place, numbers: Sequence[tuple[int, Segment]], figure: str) -> str:
    """The picture of a tile on trial: where a figure may stand, or where the one that was chosen (in words) will."""
    values = {"cell": place.cell.label, "turn": turn_words(place.rotation)}
    if not numbers:
        return t("alt.ghost_nobody", **values)
    if not figure:
        return t("alt.ghost_figure", **values)
    [(number, segment)] = numbers
    return t("alt.ghost_standing", figure=figure, number=number, segment=segment_words(segment), **values)


def _turn(presenter: Presenter[Any], game: Game, position: Position, room: int) -> str:
    """What is asked, as a sentence of so many units; more shortly where that is too much."""
    if position.player < 0:
        return _ended(t("alt.over"))
    player = _short(game, position.player)
    headline = _ended(without_marks(presenter.headline(plain_names(game), position, player)))
    return headline if units(headline) <= room else _ended(t("alt.asked", turn=position.turn, player=player))


def _ended(sentence: str) -> str:
    """A sentence with the mark at its end."""
    return sentence if sentence.endswith(("?", ".", "!")) else f"{sentence}."


def _scores(game: Game, position: Position) -> str:
    return ", ".join(
        t("alt.score", player=_short(game, seat), points=points) for seat, points in enumerate(position.scores)
    )


def _short(game: Game, seat: int) -> str:
    name = game.seats[seat].name
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
