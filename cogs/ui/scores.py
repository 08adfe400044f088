"""The score table, the ranking and the points by category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cogs.texts import listed, t
from cogs.ui.names import MARKS, seat_name
from engine.carcassonne.events import BANK, LotSold
from engine.events import Event, Scored

if TYPE_CHECKING:
    from engine.carcassonne import Position
    from host import Game

CATEGORIES: Final = ("city", "road", "monastery", "field", "castle", "bazaar")


def score_table(game: Game, position: Position) -> str:
    """One line a player: mark, name, points, what is left of each piece; an arrow at who has to decide."""
    return "\n".join(_line(game, position, seat) for seat in range(position.players))


def _line(game: Game, position: Position, seat: int) -> str:
    name = seat_name(game, seat)
    if position.withdrawn[seat]:
        return t("score.withdrawn", mark=MARKS[seat], player=name, count=position.scores[seat])
    pieces = " · ".join(t(f"piece.{piece}", count=counts[seat]) for piece, counts in position.supply.items())
    key = "score.deciding" if seat == position.player else "score.line"
    return t(key, mark=MARKS[seat], player=name, count=position.scores[seat], pieces=pieces)


def points_by_category(events: Iterable[Event], players: int) -> list[dict[str, int]]:
    """For each seat what it has got for each kind of structure, and what it won or paid in bazaars."""
    points: list[dict[str, int]] = [defaultdict(int) for _ in range(players)]
    for event in events:
        match event:
            case Scored():
                points[event.player][event.kind] += event.points
            case LotSold(price=price, payer=payer, payee=payee) if price:
                points[payer]["bazaar"] -= price
                if payee != BANK:
                    points[payee]["bazaar"] += price
            case _:
                pass
    return points


def ranking_table(game: Game, position: Position, categories: list[dict[str, int]]) -> str:
    """The final table: place, mark, name, points and where they come from."""
    lines: list[str] = []
    place = 1
    for group in position.ranking():
        for seat in group:
            parts = [
                t(f"category.{kind}", points=categories[seat][kind])
                for kind in CATEGORIES
                if categories[seat].get(kind)
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
    """The names of those who share the first place (BA-34)."""
    return listed([seat_name(game, seat) for seat in position.ranking()[0]])
