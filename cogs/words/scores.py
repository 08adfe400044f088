"""The score table, the ranking and the points by category."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cogs.texts import listed, t
from cogs.words.names import MARKS, seat_name

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Position
    from host import Game


def score_table(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """One line a player: mark, name, points, what lies before him; an arrow at who has to decide."""
    return "\n".join(_line(presenter, game, position, seat) for seat in range(position.players))


def _line(presenter: Presenter[Any], game: Game, position: Position, seat: int) -> str:
    name = seat_name(game, seat)
    if position.withdrawn[seat]:
        return t("score.withdrawn", mark=MARKS[seat], player=name, count=position.scores[seat])
    pieces = " · ".join(presenter.belongings(position, seat))
    key = "score.deciding" if seat == position.player else "score.line"
    return t(key, mark=MARKS[seat], player=name, count=position.scores[seat], pieces=pieces)


def ranking_table(
    presenter: Presenter[Any], game: Game, position: Position, points: Sequence[Mapping[str, int]]
) -> str:
    """The final table: place, mark, name, points and where they come from."""
    lines: list[str] = []
    place = 1
    for group in position.ranking():
        for seat in group:
            parts = [
                t(f"category.{kind}", points=points[seat][kind])
                for kind in presenter.categories
                if points[seat].get(kind)
            ]
            key = "score.resigned_final" if position.withdrawn[seat] else "score.final"
            lines.append(
                t(
                    key,
                    place=place,
                    mark=MARKS[seat],
                    player=seat_name(game, seat),
                    count=position.scores[seat],
                    parts=" · ".join(parts) or t("category.none"),
                )
            )
        place += len(group)
    return "\n".join(lines)


def winners(game: Game, position: Position) -> str:
    """Who has won (BA-34), which may be nobody (TC-88)."""
    won = [seat_name(game, seat) for seat in position.winners()]
    return t("card.won", players=listed(won), count=len(won)) if won else t("card.nobody_won")


def places(position: Position) -> Iterator[tuple[int, int]]:
    """Each seat with its place, the best first; those who tie share one."""
    place = 1
    for group in position.ranking():
        yield from ((seat, place) for seat in group)
        place += len(group)
