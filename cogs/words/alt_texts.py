"""Alt texts: each picture in words, for those who hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import t
from cogs.words.names import plain_names
from cogs.words.story import Storyteller, fitting, without_final, without_marks
from cogs.words.terms import segment_words, turn_words
from engine.events import TilePlaced

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Place, Position
    from engine.tiles import Segment
    from host import Game, Moment

LONGEST: Final = 1024
"""Characters that Discord takes."""
NEWS: Final = 250
"""Units of what has just happened: as much as one listens to; the card tells the rest beside the picture."""


def move_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """The picture of a move: what was done, what it completed, whose turn it is, the scores."""
    game, position = moment.game, moment.after
    return sentences(news(presenter, moment), _turn(presenter, game, position), _scores(game, position))


def board_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """The picture of the whole board: what was done, how far it has grown, whose turn it is, the scores."""
    game, position = moment.game, moment.after
    count = sum(1 for _ in position.placed())
    board = t("alt.board", count=count, turn=_turn(presenter, game, position), scores=_scores(game, position))
    return sentences(news(presenter, moment), board)


def news(presenter: Presenter[Any], moment: Moment) -> str:
    """What led to a moment, in whole sentences, but for the final scoring; more shortly where it would be too long."""
    teller = Storyteller.plain(presenter, moment.game)
    told = teller.sentences(without_final(moment.events), moment.preset)
    whole = [without_marks(sentence) for sentence in told]
    placed = next((event for event in moment.events if isinstance(event, TilePlaced)), None)
    if fitting(whole, NEWS) or placed is None:
        return fitting(whole, NEWS)
    shortly = t("alt.placed", player=teller.names[placed.player], cell=placed.cell.label)
    return fitting([shortly, *whole[1:]], NEWS)


def ghost_alt(place: Place, numbers: Sequence[tuple[int, Segment]], figure: str) -> str:
    """The picture of a tile on trial: where a figure may stand, or where the one that was chosen (in words) will."""
    values = {"cell": place.cell.label, "turn": turn_words(place.rotation)}
    if not numbers:
        return t("alt.ghost_nobody", **values)
    if not figure:
        return t("alt.ghost_figure", **values)
    [(number, segment)] = numbers
    return t("alt.ghost_standing", figure=figure, number=number, segment=segment_words(segment), **values)


def sentences(*parts: str) -> str:
    """The parts of an alt text one after the other, as many as Discord takes."""
    return fitting(filter(None, parts), LONGEST)


def _turn(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """What is asked, as a sentence."""
    if position.player < 0:
        return _ended(t("alt.over"))
    names = plain_names(game)
    return _ended(without_marks(presenter.headline(names, position, names[position.player])))


def _ended(sentence: str) -> str:
    """A sentence with the mark at its end."""
    return sentence if sentence.endswith(("?", ".", "!")) else f"{sentence}."


def _scores(game: Game, position: Position) -> str:
    scores = zip(plain_names(game), position.scores, strict=True)
    return ", ".join(t("alt.score", player=name, points=points) for name, points in scores)
