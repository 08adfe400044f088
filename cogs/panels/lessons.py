"""The explanations of a first lesson, on its cards and in the composer.

They follow from the setup and the log of the game (:class:`cogs.presenting.lesson_topics.Course`); the composer adds
what the tile on trial brings up. All of it runs in worker threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from discord import ButtonStyle

from cogs.interactions.replies import Press, button
from cogs.presenting.ids import Op
from cogs.presenting.lesson_topics import Course
from cogs.presenting.presenter import ButtonSpec, Panel, Presenter, TilePanel
from cogs.presenting.turn import Plan
from cogs.texts import t
from cogs.texts.languages import by_ear
from engine import Action, Setup
from host import Game, LoggedAction, Table

AGAIN: Final = "again"
"""The argument of ``Op.LESSON`` that begins another lesson."""
ANEW: Final = "anew"
"""The one that leaves the running lesson, and begins another one."""
BACK: Final = "back"
"""The one that takes the last move back."""
LEAVE: Final = "leave"
"""The one that asks whether to leave the lesson."""
LEFT: Final = "left"
"""The one that leaves it."""


def course_of(presenter: Presenter[Any], setup: Setup, log: Iterable[LoggedAction]) -> Course:
    """Return a lesson as far as these actions lead."""
    return Course.of(presenter.lesson_topics, setup, (entry.action for entry in log))


def explanations(names: Iterable[str]) -> str:
    """Return the explanations of these topics, set off from the words around them; to listeners, as plain lines."""
    mark = "" if by_ear() else "> "
    return "\n".join(mark + t(f"lesson.{name}") for name in names)


def summary(course: Course) -> str:
    """Recall in a line each what a lesson has explained that is most easily forgotten, and say how to go on."""
    names = [topic.name for topic in course.topics if topic.is_recalled and topic.name in course.explained]
    lines = [t(f"lesson.learned_{name}") for name in names]
    return "\n".join([*([t("lesson.learned")] if lines else []), *lines, t("lesson.next")])


def lesson_buttons(game: Game, revision: int) -> list[Press]:
    """Return the buttons that only the card of a lesson has."""
    labels = {BACK: t("button.take_back"), LEAVE: t("button.leave_lesson")}
    return [button(Op.LESSON, game.code, revision, label, argument=argument) for argument, label in labels.items()]


def again_button(game: Game, argument: str = AGAIN) -> Press:
    """Return the button that begins another lesson; with :data:`ANEW` in place of the running one."""
    label = t("button.play_again" if argument == AGAIN else "button.begin_anew")
    return button(Op.LESSON, game.code, game.revision, label, argument=argument, style=ButtonStyle.primary)


def with_explanations(presenter: Presenter[Any], table: Table, panel: Panel) -> Panel:
    """Return a panel of the composer with what a lesson explains about the tile on trial.

    A piece such as a bridge is not offered before it was explained. Outside of lessons, the panel is returned as it is.
    """
    if not (table.game.settings.lesson and isinstance(panel, TilePanel)):
        return panel
    course = course_of(presenter, table.position.setup, table.log)
    if hides_piece(presenter, table):
        panel = replace(panel, offers=[list(_without_piece(offers)) for offers in panel.offers])
    laid = False
    for action in panel.decided or _laying(panel):
        course, laid = course.then(action), True
    if not (laid and course.due):
        return panel
    gap = "\n" if by_ear() else "\n\n"
    return replace(panel, text=f"{explanations(course.due)}{gap}{panel.text}")


def hides_piece(presenter: Presenter[Any], table: Table) -> bool:
    """Return whether a lesson does not offer the extra piece of a turn yet, because it has not explained it."""
    piece = presenter.turn.piece
    if piece is None or not table.game.settings.lesson:
        return False
    course = course_of(presenter, table.position.setup, table.log)
    return piece.name not in {*course.explained, *course.due}


def _laying(panel: TilePanel) -> Iterator[Action]:
    """Yield the actions that lay the tile on trial, with the piece built beside it."""
    if panel.place is not None:
        yield panel.place
        if panel.piece is not None and panel.piece != panel.place.aid:
            yield panel.piece


def _without_piece(offers: Sequence[ButtonSpec]) -> Iterator[ButtonSpec]:
    """Yield the buttons of a panel, without those that build an extra piece."""
    for offer in offers:
        plan = Plan.parse(offer.argument) if offer.op is Op.PLAN else Plan()
        if not (plan.aided or plan.built):
            yield offer
