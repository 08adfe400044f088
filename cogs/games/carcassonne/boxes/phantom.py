"""*The Phantom*: the question for a second figure on the tile just laid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter, Question
from cogs.games.carcassonne.words import segment_on
from cogs.presenting.presenter import ButtonSpec, act
from cogs.presenting.turn import PlanOutcome
from cogs.texts import t
from cogs.words.names import capital, segment_words
from engine import Action, Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions import PHANTOM
from engine.carcassonne.expansions.phantom import DeployPhantom, PutPhantom


def _put_words(position: Position, action: PutPhantom) -> str:
    """Describe the action of putting the phantom on a segment."""
    return t("action.phantom", segment=_segment(position, action))


def _segment(position: Position, action: PutPhantom) -> str:
    """Name a segment of the tile just laid; if the question is over, only by its name in the engine."""
    step = position.step
    if not isinstance(step, DeployPhantom):
        return action.segment
    return segment_words(segment_on(position, step.cell, action.segment))


def _headline(_: Sequence[str], __: Position, step: DeployPhantom, player: str) -> str:
    """Ask the player whether the phantom comes, too."""
    return t("headline.phantom", player=player, cell=step.cell.label)


def _offers(position: Position, step: DeployPhantom) -> list[ButtonSpec]:
    """Return a button for each place of the phantom, and one to keep it."""
    places = [action for action in step.actions(position) if isinstance(action, PutPhantom)]
    buttons = [act(place, capital(_segment(position, place))) for place in places]
    return [*buttons, act(Pass(), t("button.no_phantom"))]


def _asked(_: Position, __: DeployPhantom) -> Iterator[str]:
    """Ask for the phantom while the player composes the move."""
    yield t("panel.phantom")


def _afterwards(_: Sequence[str], __: PlanOutcome[Position], ___: DeployPhantom) -> Iterator[str]:
    """Say that the card will ask for the phantom."""
    yield t("panel.then_phantom_own")


def _answer_figure(action: Action) -> tuple[str, str] | None:
    """Return the segment of an answer that puts the phantom, and the figure."""
    return (action.segment, PHANTOM) if isinstance(action, PutPhantom) else None


BOX: Final = BoxPresenter(
    actions={PutPhantom: _put_words},
    questions={
        DeployPhantom: Question(
            headline=_headline,
            offers=_offers,
            prospect=lambda *_: "",
            pictures=lambda *_: [],
            commits_least=lambda _step, action: action == Pass(),
            passing="action.no_phantom",
            asked=_asked,
            afterwards=_afterwards,
        )
    },
    answer_figure=_answer_figure,
)
