"""The explanations of a first lesson, on its cards and in the composer.

They follow from the setup and the log of the game (:class:`cogs.presenting.lesson_topics.Course`); the composer adds
what the tile on trial brings up. All of it runs in worker threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from discord import ButtonStyle

from cogs.interactions.replies import Press, button
from cogs.presenting.ids import Op
from cogs.presenting.lesson_topics import Course
from cogs.presenting.presenter import ButtonSpec, Panel, Presenter, TilePanel
from cogs.presenting.turn import Plan
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import seat_names
from cogs.words.story import Storyteller
from engine import Action, Place, Setup
from engine.events import Scored
from host import Game, LoggedAction, Moment, Table

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
RECAP: Final = "recap"
"""The one that shows what was learned."""


def course_of(presenter: Presenter[Any], setup: Setup, log: Iterable[LoggedAction]) -> Course:
    """Return a lesson as far as these actions lead."""
    return Course.of(presenter.lesson_topics, setup, (entry.action for entry in log))


def explanations(names: Iterable[str]) -> str:
    """Return the explanations of these topics, set off from the words around them; to listeners, as plain lines."""
    mark = "" if by_ear() else "> "
    return "\n".join(mark + t(f"lesson.{name}") for name in names)


class Ending(NamedTuple):
    """The further paragraphs and buttons of the last card of a lesson, beside the result."""

    paragraphs: Sequence[str]
    """The final scoring, and how to go on."""
    buttons: Sequence[Press]
    """Buttons to what was learned, if anything was, and to another lesson."""


def ending(presenter: Presenter[Any], course: Course, whole_game: Moment) -> Ending:
    """Return what the last card of a lesson has beside the result."""
    game = whole_game.game
    paragraphs = [*filter(None, [_final_scoring(presenter, course, whole_game)]), t("lesson.next")]
    recap = button(Op.LESSON, game.code, game.revision, t("button.recap"), argument=RECAP)
    return Ending(paragraphs, [*([recap] if recalled(course) else []), again_button(game)])


def recap_words(course: Course) -> str:
    """Return what a lesson has taught, in a line for each topic."""
    return "\n".join([t("lesson.learned"), *(t(f"lesson.learned_{name}") for name in recalled(course))])


def recalled(course: Course) -> list[str]:
    """Return the names of the topics explained so far that are worth a line at the end."""
    return [topic.name for topic in course.topics if topic.is_recalled and topic.name in course.explained]


def _final_scoring(presenter: Presenter[Any], course: Course, whole_game: Moment) -> str:
    """Say which points came from the final scoring, and what brought those that only the end brings.

    Empty if there was none, since the learner left.
    """
    final = [event for event in whole_game.events if getattr(event, "final", False)]
    if not final:
        return ""
    points = presenter.points(final, whole_game.after.players)
    players = [
        t("lesson.final_player", player=name, points=sum(points[seat].values()))
        for seat, name in enumerate(seat_names(whole_game.game))
    ]
    kinds = {topic.name for topic in course.topics if topic.is_told_at_end}
    told = (event for event in final if isinstance(event, Scored) and event.kind in kinds)
    lines = Storyteller.marked_up(presenter, whole_game.game).sentences(told)
    return "\n".join([t("lesson.final", players=", ".join(players)), *lines])


def lesson_buttons(game: Game, revision: int) -> list[Press]:
    """Return the buttons that only the card of a lesson has."""
    labels = {BACK: t("button.take_back"), LEAVE: t("button.leave_lesson")}
    return [button(Op.LESSON, game.code, revision, label, argument=argument) for argument, label in labels.items()]


def again_button(game: Game, argument: str = AGAIN) -> Press:
    """Return the button that begins another lesson; with :data:`ANEW` in place of the running one."""
    is_over = argument == AGAIN
    label = t("button.play_again" if is_over else "button.begin_anew")
    style = ButtonStyle.primary if is_over else ButtonStyle.secondary
    return button(Op.LESSON, game.code, game.revision, label, argument=argument, style=style)


def with_explanations(presenter: Presenter[Any], table: Table, panel: Panel, before: str = "") -> Panel:
    """Return a panel of the composer with what a lesson explains about the tile on trial.

    What the panel of the plan ``before`` has explained about the same tile is not repeated: who chose a follower there
    has read it, who follows advice has not. A piece such as a bridge is not offered before it was explained, and later
    only where the tile needs it. Outside of lessons, the panel is returned as it is.
    """
    if not (table.game.settings.lesson and isinstance(panel, TilePanel)):
        return panel
    hidden = hides_piece(presenter, table)
    if hidden or panel.piece is None:
        panel = replace(panel, offers=[list(_without_piece(offers, needed=hidden)) for offers in panel.offers])
    read = Plan.parse(before).place if before and panel.decided else None
    explained = explanations_along(presenter, table, panel.decided or [*_laying(panel)], read)
    return replace(panel, text=f"{explained}{panel.text}")


def explanations_along(
    presenter: Presenter[Any], table: Table, actions: Iterable[Action], read: Place | None = None
) -> str:
    """Return what a lesson explains at the learner's decisions after each of these actions, with a gap below it.

    The explanations after the placement ``read`` were shown before. Outside of lessons, the text is empty.
    """
    due: list[str] = []
    if table.game.settings.lesson:
        course = course_of(presenter, table.position.setup, table.log)
        for action in actions:
            course = course.then(action)
            due += [] if action == read else course.due
    gap = "\n" if by_ear() else "\n\n"
    return f"{explanations(due)}{gap}" if due else ""


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


def _without_piece(offers: Sequence[ButtonSpec], *, needed: bool) -> Iterator[ButtonSpec]:
    """Yield the buttons of a panel, without those that build an extra piece; ``needed`` says even if it is needed."""
    for offer in offers:
        plan = Plan.parse(offer.argument) if offer.op is Op.PLAN else Plan()
        if not (plan.built or (needed and plan.aided)):
            yield offer
