"""Which pictures go with what, each with its alt text: the same for every game. Runs in worker threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cogs.presenting.presenter import Shown, table_theme
from cogs.texts import t
from cogs.words.alt_texts import LONGEST, board_alt, move_alt, news, sentences
from cogs.words.names import pictured_names, plain_names
from cogs.words.story import places, sentence, whole, without_marks
from cogs.words.table_options import table_words
from engine.events import TilePlaced
from renderers import SheetLine, score_sheet, summary

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Position
    from host import Game, Moment
    from renderers import Picture, Theme

_MOST_RULES: Final = 5
"""Lines of the score sheet that say what was played."""


def card_pictures(presenter: Presenter[Any], moment: Moment) -> list[Shown]:
    """The pictures of a card: what is decided now, then the last move and the whole board."""
    game, position, theme = moment.game, moment.after, table_theme(moment.game)
    asked = presenter.decision_pictures(game, position, theme)
    if asked and not any(isinstance(event, TilePlaced) for event in moment.events):
        first, *others = asked  # a bid changes nothing on the board
        return [replace(first, alt=sentences(news(presenter, moment), first.alt)), *others]
    move, *board = presenter.turn_pictures(position, theme)
    return [
        *asked,
        Shown(move, move_alt(presenter, moment)),
        *(Shown(picture, board_alt(presenter, moment)) for picture in board),
    ]


def final_pictures(presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]]) -> list[Shown]:
    """The points by category as bars, the score sheet, and the board at the end."""
    theme = table_theme(moment.game)
    return [*result_pictures(presenter, moment, points, theme), *board_pictures(presenter, moment, theme)]


def result_pictures(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], theme: Theme
) -> list[Shown]:
    """The points by category as bars, and the score sheet."""
    game, position = moment.game, moment.after
    seats = [seat for group in position.ranking() for seat in group]
    names, written = plain_names(game), pictured_names(game)
    rows = [{t(f"legend.{kind}"): points[seat].get(kind, 0) for kind in presenter.categories} for seat in seats]
    bars = summary([written[seat] for seat in seats], rows, seats, theme=theme)
    scores = ", ".join(t("alt.score", player=names[seat], points=position.scores[seat]) for seat in seats)
    notes = _notes(presenter, game)
    sheet = " ".join(map(sentence, [t("alt.sheet", name=game.name, scores=scores), *notes]))
    return [
        Shown(bars, whole(t("alt.summary", scores=scores), LONGEST)),
        Shown(_sheet(presenter, moment, points, notes, theme), whole(sheet, LONGEST)),
    ]


def _notes(presenter: Presenter[Any], game: Game) -> list[str]:
    """What has to be known of a finished game to file it: its dates, and what was played."""
    dates = [instant.date().isoformat() for instant in (game.created_at, game.updated_at)]
    rules = without_marks(table_words(presenter, game)).splitlines()
    return [t("sheet.dates", start=dates[0], end=dates[1]), *rules[:_MOST_RULES]]


def _sheet(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], notes: Sequence[str], theme: Theme
) -> Picture:
    """The score sheet of a finished game: places and points, with these notes."""
    game, position = moment.game, moment.after
    names, won = pictured_names(game), position.winners()
    kinds = [kind for kind in presenter.categories if any(row.get(kind) for row in points)]
    lines = [
        SheetLine(
            seat,
            names[seat],
            str(place),
            tuple(points[seat].get(kind, 0) for kind in kinds),
            position.scores[seat],
            first=seat in won,
        )
        for seat, place in places(position)
    ]
    columns = [t("sheet.player"), *(t(f"legend.{kind}") for kind in kinds), t("sheet.total")]
    return score_sheet(t("sheet.title", name=game.name, code=game.code), columns, lines, notes, theme=theme)


def board_pictures(presenter: Presenter[Any], moment: Moment, theme: Theme) -> list[Shown]:
    """The whole board."""
    return [Shown(presenter.board_picture(moment.after, theme), board_alt(presenter, moment))]


def tiles_pictures(
    presenter: Presenter[Any], position: Position, left: Mapping[str, int], words: str, theme: Theme
) -> list[Shown]:
    """Every tile of the game with how many are left, by id; ``words`` sum up what they show."""
    alt = t("alt.tiles", count=sum(left.values()), words=words)
    return [Shown(presenter.tiles_picture(position, left, theme), whole(alt.strip(), LONGEST))]
