"""The log in words: each move with what came of it, told from the setup and the actions alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cogs.texts import t
from cogs.ui.story import Storyteller, clipped
from engine import Position, begin

if TYPE_CHECKING:
    from cogs.ui.presenter import Presenter
    from engine.events import Event
    from host import LoggedAction, Table


LONGEST_LINE: Final = 1200
"""Characters of one move: the final scoring of a big game would fill a message of its own."""


class LogPage(NamedTuple):
    """Some moves, newest first, and how many older ones there are."""

    lines: tuple[str, ...]
    older: int


def log_page(presenter: Presenter[Any], table: Table, skipped: int, most: int) -> LogPage:
    """The moves after skipping the newest ones, as many as fit into so many characters.

    Laying a tile is one move together with its figure.
    """
    moves = [clipped(line, LONGEST_LINE) for line in _told(presenter, table)][::-1][skipped:]
    length = list(accumulate(len(line) + 1 for line in moves))
    shown = sum(1 for reached in length if reached <= most)
    return LogPage(tuple(moves[:shown]), len(moves) - shown)


def _told(presenter: Presenter[Any], table: Table) -> Iterator[str]:
    teller = Storyteller.marked_up(presenter, table.game)
    position = begin(table.game.setup)
    events: list[Event] = []
    number = 0
    for entry in table.log:
        words = _plain(presenter, teller, position, entry)
        events += position.apply(entry.action)
        if presenter.goes_on(position):
            continue  # the move goes on
        number += 1
        yield t("log.line", number=number, story=" ".join(teller.sentences(events)) or words)
        events = []


def _plain(presenter: Presenter[Any], teller: Storyteller, position: Position, entry: LoggedAction) -> str:
    return t("log.plain", player=teller.names[entry.seat], action=presenter.action_words(position, entry.action))
