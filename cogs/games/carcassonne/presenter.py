"""Carcassonne, as it is presented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cogs.games.carcassonne import pictures
from cogs.games.carcassonne.box import BOXES
from cogs.games.carcassonne.lying import lying
from cogs.games.carcassonne.questions import details, headline, offers, prospect
from cogs.games.carcassonne.story import sentence
from cogs.games.carcassonne.turn import TURN
from cogs.games.carcassonne.words import action_words, tile_words
from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from engine.carcassonne import DEFAULT_EXPANSIONS, REGISTRY, Position, outlook, tile
from engine.carcassonne.tiles import BASE_SET
from renderers.carcassonne import replay, warm_up

if TYPE_CHECKING:
    from cogs.presenting.presenter import PlanForm
    from engine.carcassonne.box import Box
    from engine.events import Event
    from engine.views import PlacedTile


def _in_short(expansions: tuple[str, ...]) -> Iterator[str]:
    """The base game, then each expansion with the box that it comes from."""
    yield t(f"rules.{BASE_SET}")
    for name in expansions:
        yield t(f"rules.{name}")
        yield _which_box(REGISTRY[name])


def _which_box(box: Box) -> str:
    """Where an expansion stands among those of its publisher."""
    years = listed([str(year) for year in box.years])
    if not box.number:
        return t("rules.box_small")
    return t("rules.box" if years else "rules.box_undated", number=box.number, years=years)


def _asking_aside(expansions: tuple[str, ...]) -> list[str]:
    """Find the expansions of which a step is asked beside a turn (:attr:`engine.agenda.Step.aside`)."""
    return [name for name in expansions if any(step.aside for step in BOXES[name].questions)]


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """What is left of each piece, where figures are of which each player has one, and what boxes give."""
    for piece, counts in position.supply.items():
        if piece in position.figures and position.figures[piece].count == 1:
            yield t(f"piece.{piece}_{'home' if counts[seat] else 'out'}")
        else:
            yield t(f"piece.{piece}", count=counts[seat])
    for box in BOXES.values():
        yield from box.belongings(position, seat)


def _out_of_turn(position: Position, seat: int) -> str:
    return next(filter(None, (box.out_of_turn(position, seat) for box in BOXES.values())), "")


def _plan_form(position: Position, seat: int) -> PlanForm | None:
    return next(filter(None, (box.plan_form(position, seat) for box in BOXES.values())), None)


def _gains(event: Event) -> Iterator[tuple[int, str, int]]:
    return (gain for box in BOXES.values() for gain in box.gains(event))


def _upon(position: Position, placed: PlacedTile) -> Iterator[str]:
    return (words for box in BOXES.values() for words in box.upon(position, placed))


_FEATURES: Final = ("city", "road", "monastery", "field")
PRESENTER: Final[Presenter[Position]] = Presenter(
    choices=dict(pair for box in BOXES.values() for pair in box.choices.items()),
    calling=tuple(event for box in BOXES.values() for event in box.calling),
    categories=(*_FEATURES, *(category for box in BOXES.values() for category in box.categories)),
    expansions=DEFAULT_EXPANSIONS,
    played=lambda expansions: [t(f"expansion.{name}") for name in expansions or (BASE_SET,)],
    in_short=_in_short,
    asking_aside=_asking_aside,
    headline=headline,
    details=details,
    sentence=sentence,
    action_words=action_words,
    prospect=prospect,
    kind=lambda _position, tile_id: tile(tile_id),
    tile_words=tile_words,
    lying=lying,
    worth=lambda position, feature: outlook(position, feature.parts[0][0], feature.parts[0][1].name),
    upon=_upon,
    chapters={name: chapter for box in BOXES.values() for name, chapter in box.chapters.items()},
    belongings=_belongings,
    out_of_turn=_out_of_turn,
    gains=_gains,
    turn=TURN,
    offers=offers,
    plan_form=_plan_form,
    ahead=warm_up,
    turn_pictures=pictures.turn_pictures,
    board_picture=pictures.board_picture,
    hints_picture=pictures.hints_picture,
    decision_pictures=pictures.decision_pictures,
    composer_pictures=pictures.composer_pictures,
    score_pictures=pictures.score_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=pictures.tiles_picture,
)
