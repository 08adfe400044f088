"""What happened, in sentences, as a card, the log and an alt text tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import t
from cogs.words.names import plain_names, seat_name, seat_names
from engine import Adjudicate, Resign, Skip
from engine.events import Adjudicated, Completed, Event, Scored, Term
from host import DEPARTED, NOBODY
from renderers import shortened

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from host import Game, Moment

LONGEST_NAME: Final = 32
"""Units of a name, as on Discord."""
_APART: Final = "\N{FIRST STRONG ISOLATE}"
_TOGETHER: Final = "\N{POP DIRECTIONAL ISOLATE}"
STORY: Final = 1700
"""Units of a message given to what happened: the rest of the 4000 is for the scores."""


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

    def sentences(self, events: Iterable[Event], preset: Sequence[range] = ()) -> Iterator[str]:
        """One sentence for each event that a player has to know, and one for all that is complete but not scored.

        Of what was decided beforehand (``preset``, the numbers of the events of each decision) the first one says so.
        """
        nothing: set[str] = set()
        listed = tuple(events)
        unscored, unmarked = list(_unscored(listed)), list(preset)
        for number, event in enumerate(listed):
            if isinstance(event, Completed):
                if unscored and event is unscored[0]:
                    yield _unscored_words(unscored)
                continue
            sentence = self._told(event)
            if isinstance(event, Scored) and not event.points:
                if sentence in nothing:
                    continue  # several fields that bring nothing are told once
                nothing.add(sentence)
            if sentence:
                marked = any(number in decision for decision in unmarked)
                unmarked = [decision for decision in unmarked if number not in decision]
                yield t("story.preset", sentence=sentence) if marked else sentence

    def _told(self, event: Event) -> str:
        if not isinstance(event, Adjudicated):
            return self.tell(self.names, event)
        last = "" if event.last is None else t("story.ranks_last", player=self.names[event.last])
        return " ".join(filter(None, [t("story.adjudicated"), last]))


def removals(moment: Moment) -> Iterator[str]:
    """Who was taken out of the game by somebody else, or by the clock, which the rules do not tell from leaving it."""
    game = moment.game
    late = {entry.seat: entry.action for entry in moment.actions if entry.user_id == NOBODY}
    for seat, action in late.items():
        if not isinstance(action, Skip | Adjudicate):  # they tell of themselves
            key = "story.ran_out_for_good" if isinstance(action, Resign) else "story.ran_out"
            yield t(key, player=seat_name(game, seat))
    for entry in moment.actions:
        if entry.user_id == NOBODY:
            continue
        if isinstance(entry.action, Resign) and entry.user_id != game.seats[entry.seat].user_id:
            agreed = "story.removed" if game.seat_of(entry.user_id) is None else "story.agreed"
            key = "story.departed" if entry.user_id == DEPARTED else agreed
            yield t(key, player=seat_name(game, entry.seat))


def _unscored(events: Sequence[Event]) -> Iterator[Completed]:
    """What is complete without a score for anybody."""
    held = {(event.kind, event.cells) for event in events if isinstance(event, Scored)}
    return (event for event in events if isinstance(event, Completed) and (event.kind, event.cells) not in held)


def _unscored_words(features: Sequence[Completed]) -> str:
    named = [t("story.worth", kind=place_words(feature), count=feature.points) for feature in features]
    return t("story.unscored", features=", ".join(named), count=len(named))


def place_words(event: Scored | Completed) -> str:
    """What points are given for, and where it lies: on the first of its tiles that was laid."""
    kind = t(f"feature.{event.kind}")
    return t("story.at", kind=kind, cell=event.cells[0].label) if event.cells else kind


def without_final(events: Iterable[Event]) -> list[Event]:
    """What happened but for the final scoring, which the card of the end tells in a table."""
    return [event for event in events if not getattr(event, "final", False)]


def reason(terms: Sequence[Term]) -> str:
    """What follows a score to explain it: ``: 4 tiles (8) + 1 pennant (2)``; empty where that would say nothing."""
    match terms:
        case ():
            return ""
        case (Term(name="tiles", count=count, points=points),) if count == points:
            return ""  # a number that stands there already
        case _:
            return t("story.reason", terms=terms_words(terms))


def terms_words(terms: Sequence[Term]) -> str:
    """The summands of a score, with the points of each where there are several: ``4 tiles (8) + 1 pennant (2)``."""
    words = [t(f"term.{term.name}", count=term.count) for term in terms]
    if len(words) > 1:
        words = [t("story.term", term=word, points=term.points) for word, term in zip(words, terms, strict=True)]
    return " + ".join(words)


def without_marks(text: str) -> str:
    """A sentence without the marks that only a message shows."""
    return text.replace("**", "").replace("`", "")


def units(text: str) -> int:
    """How long a text is as Discord may count it: in units of UTF-16, of which most emoji have two or more.

    What keeps a limit counted so keeps it however it is counted.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fitting(parts: Iterable[str], most: int, between: str = " ") -> str:
    """The first of these parts, whole, as many as stand in so many :func:`units`."""
    told = ""
    for part in parts:
        longer = f"{told}{between}{part}" if told else part
        if units(longer) > most:
            break
        told = longer
    return told


def lines_within(lines: Iterable[str], most: int, between: str = "\n") -> str:
    """As many of these lines, whole, as stand in so many :func:`units`; a last one says how many are left out."""
    every = list(lines)
    whole = between.join(every)
    if units(whole) <= most:
        return whole
    room, reached, kept = most - units(between) - units(_and_more(len(every))), 0, 0
    for line in every:
        reached += units(line) + (units(between) if kept else 0)
        if reached > room:
            break
        kept += 1
    return between.join([*every[:kept], _and_more(len(every) - kept)])


def _and_more(number: int) -> str:
    return t("card.and_more", number=number)


def clipped(text: str, most: int) -> str:
    """A name, a label or what somebody has typed, cut at a word when it is longer than so many :func:`units`.

    Sentences are never cut so (:func:`lines_within`, :func:`cogs.words.aloud.whole`).
    """
    if units(text) <= most:
        return text
    turns = text.count(_APART)
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * max(0, most - 1 - turns)].decode("utf-16-le", "ignore")
    kept = "".join([*kept.rsplit(maxsplit=1)[:1], "…"])
    return kept + _TOGETHER * (kept.count(_APART) - kept.count(_TOGETHER))


def clipped_name(name: str, most: int = LONGEST_NAME) -> str:
    """A name, cut when it is longer than so many :func:`units`; the number that tells it apart stays behind it."""
    return shortened(name, lambda shorter: units(shorter) <= most)
