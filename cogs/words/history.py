"""The log in words: each turn with its date and what came of it, told from the setup and the actions alone.

A turn is one tile that has come up for laying, with everything that was decided before the next one came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cogs.texts import t
from cogs.words.aloud import whole
from cogs.words.names import seat_names
from cogs.words.story import Storyteller, units, without_final
from engine import Position

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine.events import Event
    from host import LoggedAction, Table, UndoneAction


LONGEST_ENTRY: Final = 1200
"""Units of an entry; a turn that takes more, as the end of a big game, is told in several."""
LONGEST_SENTENCE: Final = 700
"""Units of one sentence: none that is told is as long."""


class LogPage(NamedTuple):
    """Some entries, newest first, and how many older ones there are."""

    lines: tuple[str, ...]
    older: int


@dataclass(slots=True)
class _Turn:
    """What was told of one turn; the end of the game counts as one."""

    title: str
    at: datetime
    sentences: list[str] = field(default_factory=list)

    def entries(self) -> Iterator[str]:
        """The turn in as many parts as it needs, nothing left out."""
        parts: list[str] = []
        for sentence in (whole(sentence, LONGEST_SENTENCE) for sentence in self.sentences):
            if parts and units(parts[-1]) + 1 + units(sentence) <= LONGEST_ENTRY:
                parts[-1] = f"{parts[-1]} {sentence}"
            else:
                parts.append(sentence)
        for number, part in enumerate(parts):
            key = "log.entry" if not number else "log.entry_goes_on"
            yield t(key, title=self.title, at=int(self.at.timestamp()), story=part)


def log_page(
    presenter: Presenter[Any],
    table: Table,
    skipped: int,
    most: int,
    undone: Sequence[UndoneAction] = (),
    *,
    start: int = 0,
) -> LogPage:
    """The entries after skipping the newest ones, as many as fit into so many units; one at least, if there are any.

    ``start`` is the ply before which nothing is told. What was undone stands among them at its time, marked.
    """
    since = [entry for entry in undone if not start or entry.action.at > table.log[start - 1].at]
    turns = sorted((*_turns(presenter, table, start), *_undone(table, since)), key=lambda turn: turn.at)
    entries = [entry for turn in turns for entry in turn.entries()][::-1][skipped:]
    length = list(accumulate(units(entry) + 1 for entry in entries))
    shown = max(sum(1 for reached in length if reached <= most), min(1, len(entries)))
    return LogPage(tuple(entries[:shown]), len(entries) - shown)


def last_decided(table: Table, user_id: int) -> int:
    """The ply after the last action that somebody has decided himself; the beginning if he has decided none."""
    own = (entry.ply + 1 for entry in reversed(table.log) if entry.user_id == user_id and not entry.preset)
    return next(own, 0)


def since_last(presenter: Presenter[Any], table: Table, user_id: int, most: int) -> str:
    """What has happened since somebody last decided anything, as much of the newest as fits into so many units."""
    start = last_decided(table, user_id)
    told = [sentence for turn in _turns(presenter, table, start) for sentence in turn.sentences] if start else []
    kept: list[str] = []
    for sentence in reversed(told):
        if units(" ".join([sentence, *kept])) > most:
            break
        kept.insert(0, sentence)
    return " ".join(kept)


def turns_since(
    presenter: Presenter[Any], table: Table, start: int, teller: Storyteller
) -> Iterable[tuple[str, Sequence[str]]]:
    """The turns of a game from a ply on, each by its title with what was done in it, as this storyteller tells it."""
    return [(turn.title, turn.sentences) for turn in _turns(presenter, table, start, teller)]


def _turns(
    presenter: Presenter[Any], table: Table, start: int = 0, teller: Storyteller | None = None
) -> Iterable[_Turn]:
    """The turns of a game from a ply on, and its end."""
    teller = teller or Storyteller.marked_up(presenter, table.game)
    position = table.at(start)
    turns: dict[str, _Turn] = {}
    events: list[Event] = []
    preset: list[range] = []
    title = _title(position)
    for entry in table.log[start:]:
        words, first = _plain(presenter, teller, position, entry), len(events)
        events += position.apply(entry.action)
        if entry.preset:
            preset.append(range(first, len(events)))
        if presenter.goes_on(position):
            continue  # the move goes on
        told, final = without_final(events), [event for event in events if getattr(event, "final", False)]
        turn = turns.setdefault(title, _Turn(title, entry.at))
        turn.sentences += list(teller.sentences(told, preset)) or ([] if final else [words])
        if final:
            title = t("log.end")
            turns[title] = _Turn(title, entry.at, list(teller.sentences(final)))
        events, preset, title = [], [], _title(position)
    return [turn for turn in turns.values() if turn.sentences]


def _undone(table: Table, undone: Sequence[UndoneAction]) -> Iterator[_Turn]:
    """Each undo with what it took back, as it is typed: the positions in which it was done are no more."""
    names = seat_names(table.game)
    for _, group in groupby(undone, key=lambda entry: entry.by):
        actions = [entry.action for entry in group]
        told = [t("log.taken_back", player=names[action.seat], action=action.text) for action in actions]
        yield _Turn(t("log.undone"), actions[0].at, told)


def _title(position: Position) -> str:
    return t("log.turn", number=position.turn)


def _plain(presenter: Presenter[Any], teller: Storyteller, position: Position, entry: LoggedAction) -> str:
    words = t("log.plain", player=teller.names[entry.seat], action=presenter.action_words(position, entry.action))
    return t("story.preset", sentence=words) if entry.preset else words
