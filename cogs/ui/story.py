"""What happened, in sentences, as a card, the log and an alt text tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import t
from cogs.ui.names import plain_names, seat_names
from engine.events import Completed, Event, Scored, Term

if TYPE_CHECKING:
    from cogs.ui.presenter import Presenter
    from engine import Cell
    from host import Game

STORY: Final = 1700
"""Characters of a message given to what happened: the rest of the 4000 is for the scores."""


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Tells the events of a game with these names of the seats; ``tell`` puts one of them into words."""

    tell: Callable[[Sequence[str], Event], str]
    names: Sequence[str]

    @staticmethod
    def marked_up(presenter: Presenter[Any], game: Game) -> Storyteller:
        """For messages."""
        return Storyteller(presenter.sentence, seat_names(game))

    @staticmethod
    def plain(presenter: Presenter[Any], game: Game) -> Storyteller:
        """For alt texts."""
        return Storyteller(presenter.sentence, plain_names(game))

    def sentences(self, events: Iterable[Event]) -> Iterator[str]:
        """One sentence for each event that a player has to know."""
        held: set[tuple[str, tuple[Cell, ...]]] = set()
        nothing: set[str] = set()
        listed = tuple(events)
        for event in listed:
            if isinstance(event, Scored):
                held.add((event.kind, event.cells))
        for event in listed:
            if isinstance(event, Completed) and (event.kind, event.cells) in held:
                continue
            sentence = self.tell(self.names, event)
            if isinstance(event, Scored) and not event.points:
                if sentence in nothing:
                    continue  # several fields that bring nothing are told once
                nothing.add(sentence)
            if sentence:
                yield sentence


def terms_words(terms: Iterable[Term]) -> str:
    """The summands of a score: ``3 tiles 6 + 1 pennant 2``."""
    return " + ".join(t(f"term.{term.name}", count=term.count, points=term.points) for term in terms)


def without_marks(text: str) -> str:
    """A sentence without the marks that only a message shows."""
    return text.replace("**", "").replace("`", "")


def clipped(text: str, most: int) -> str:
    """The text, cut at a word when it is longer than so many characters."""
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(maxsplit=1)[0] + "…"
