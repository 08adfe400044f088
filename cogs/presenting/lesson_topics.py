"""The topics of the first lesson, each with the moment at which it first comes up.

The topics of a game stand beside its presenter, those of a box beside the box's. :class:`Course` finds out from the
setup and the log of a lesson which of them it has explained, so nothing else has to be stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import Action, Position, Setup, begin
from engine.events import Event

MAX_TOPICS_AT_ONCE: Final = 2
"""The most topics that are explained at one decision; others wait for the next one at which they come up.

One that is only possible stands alone: the card also has the board, and has to fit a screen.
"""
LEARNER: Final = 0
"""The seat of the learner, who begins."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A thing that a lesson explains; the key of the explanation is ``lesson.NAME``."""

    name: str
    happens: Callable[[Any, Sequence[Event]], bool]
    """Returns True if it comes up at a decision of the learner, given the position and the events before it."""
    possible: Callable[[Any], bool] = lambda _position: False
    """Returns True if the decision of the learner can make it happen."""
    after: tuple[str, ...] = ()
    """The topics that are explained before it, as long as it is only possible."""
    is_recalled: bool = False
    """True if the end of the lesson recalls it, by the text ``lesson.learned_NAME``."""
    is_told_at_end: bool = False
    """True if it is a kind of score, and the last card tells what brought each of them at the end."""


@dataclass(frozen=True, slots=True)
class Course:
    """A lesson up to its present position: what was explained before, and what has happened since."""

    topics: Sequence[Topic]
    position: Position
    explained: tuple[str, ...] = ()
    """The names of the topics that were explained at earlier decisions of the learner."""
    events: tuple[Event, ...] = ()
    """The events since the last of these decisions."""

    @classmethod
    def of(cls, topics: Sequence[Topic], setup: Setup, actions: Iterable[Action]) -> Course:
        """Follow a lesson from its setup through these actions."""
        course = cls(topics, begin(setup))
        for action in actions:
            course = course.then(action)
        return course

    def then(self, action: Action) -> Course:
        """Return the lesson after one more action."""
        explained, events = (*self.explained, *self.due), () if self._asks_learner else self.events
        after = self.position.copy()
        return Course(self.topics, after, explained, (*events, *after.apply(action)))

    @property
    def due(self) -> list[str]:
        """The names of the topics that are explained at the present decision; none if the learner has none to make."""
        names: list[str] = []
        for topic in self.topics if self._asks_learner else ():
            if topic.name in self.explained or len(names) == MAX_TOPICS_AT_ONCE:
                continue
            is_prepared = not names and set(topic.after) <= {*self.explained}
            if topic.happens(self.position, self.events) or (is_prepared and topic.possible(self.position)):
                names.append(topic.name)
        return names

    @property
    def _asks_learner(self) -> bool:
        return self.position.step is not None and self.position.player == LEARNER
