"""*Abbey & Mayor*: the question before a draw, the one about a scored wagon, and the barn at the corners of tiles.

Both questions may be answered in advance, in all games or in one. The player who lays the abbey does so in one move
with what follows, so that it can be taken back like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter, Question
from cogs.games.carcassonne.one_game import GamePreference, PresentValues
from cogs.games.carcassonne.words import place_of
from cogs.presenting.ids import Op, OwnOp, register_operation
from cogs.presenting.presenter import AltPicture, ButtonSpec, Listener, Menu, MenuEntry, act
from cogs.presenting.turn import Plan, PlanOutcome, opened_text
from cogs.services.bot import merge_handlers
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import capital, plain_names, segment_words
from cogs.words.story import fit_text
from engine import Action, Cell, Pass
from engine.actions import Seat
from engine.board import SegmentNumber
from engine.carcassonne import Position, Segment
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY_ORDER,
    BARN,
    DRAW,
    NAME,
    STAYS,
    WAGON,
    WAGON_ORDER,
    WELL,
    DecideAbbey,
    DecideWagon,
    MoveWagon,
    PlaceAbbey,
    PutBarn,
    UseAbbey,
    abbey_cells,
    possible_wagon_orders,
)
from engine.events import Deployed
from engine.geometry import CORNERS
from host import Game
from renderers import Theme
from renderers.carcassonne.questions.abbey_mayor import wagon_question

MAX_TARGETS: Final = 8
"""The places of a wagon among the buttons; further ones are in a menu."""
MAX_ENTRIES: Final = 25
"""The entries of a menu."""
_CORNER_POINTS: Final = dict(zip(CORNERS, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), strict=True))
"""The corners of a tile as points of it, by their names."""

# -- the abbey --------------------------------------------------------------------------------------------------------


def _abbey_headline(_: Sequence[str], position: Position, __: DecideAbbey, player: str) -> str:
    """Ask the player whether to lay the abbey instead of drawing, or at the end at all."""
    return t("headline.abbey" if position.pile_left else "headline.abbey_last", player=player)


def _abbey_offers(position: Position, _: DecideAbbey) -> list[ButtonSpec]:
    """Return the buttons to draw (or, at the end, to lay nothing), and to lay the abbey."""
    pass_label = t("button.draw" if position.pile_left else "button.no_abbey")
    lay = ButtonSpec(Op.PLAY, t("button.abbey"), opened_text(UseAbbey(), Plan()))
    return [act(Pass(), pass_label), lay]


def _gaps(_: Sequence[str], position: Position) -> str:
    """Name the gaps into which the abbey of the player fits who is asked for it."""
    if not isinstance(position.step, DecideAbbey):
        return ""
    return t("panel.abbey_gaps", cells=listed([cell.label for cell in abbey_cells(position)]))


# -- the wagon --------------------------------------------------------------------------------------------------------


def _stood(position: Position, step: DecideWagon) -> str:
    """Name the place where the scored wagon stood."""
    cell, segment = position.land.part(step.segment)
    return place_of(position, cell, segment.name)


def _wagon_headline(_: Sequence[str], position: Position, step: DecideWagon, player: str) -> str:
    """Ask the player where the scored wagon goes."""
    return t("headline.wagon", player=player, place=_stood(position, step))


def _targets(position: Position, step: DecideWagon) -> list[MoveWagon]:
    """Return the places to which the wagon may move: one of each feature first, nearest to where it stood."""
    moves = (action for action in step.actions(position) if isinstance(action, MoveWagon))
    return _nearest(position, position.land.part(step.segment)[0], moves)


def _nearest(position: Position, stood: Cell, moves: Iterable[MoveWagon]) -> list[MoveWagon]:
    """Return the moves of a wagon: one to each feature first, those nearest to where it stands before the others."""
    land = position.land

    def distance(target: MoveWagon) -> tuple[int, int, int]:
        return (target.cell.x - stood.x) ** 2 + (target.cell.y - stood.y) ** 2, target.cell.y, target.cell.x

    nearest = sorted(moves, key=distance)
    first = {land.find(_number(position, target)): target for target in reversed(nearest)}
    return [*sorted(first.values(), key=distance), *(target for target in nearest if target not in first.values())]


def _number(position: Position, target: MoveWagon) -> SegmentNumber:
    """Return the number of the segment to which a wagon would move."""
    placed = position.land.placed[target.cell.square]
    return next(number for number, segment in position.land.segments(placed) if segment.is_named(target.segment))


def _target_label(position: Position, target: MoveWagon) -> str:
    """Return the label of a place to which the wagon may move."""
    return capital(place_of(position, target.cell, target.segment))


def _wagon_offers(position: Position, step: DecideWagon) -> list[ButtonSpec]:
    """Return the buttons to leave the wagon at home, and to the nearest places."""
    targets = _targets(position, step)[:MAX_TARGETS]
    buttons = [act(target, _target_label(position, target)) for target in targets]
    return [act(Pass(), t("button.wagon_home")), *buttons]


def _wagon_pictures(game: Game, position: Position, step: DecideWagon, theme: Theme) -> list[AltPicture]:
    """Draw the surroundings of the wagon, with the tiles to which the buttons move it."""
    targets = _targets(position, step)[:MAX_TARGETS]
    question = _wagon_headline((), position, step, plain_names(game)[step.player])
    places = listed([_target_label(position, target) for target in targets])
    stood, _ = position.land.part(step.segment)
    picture = wagon_question(position, stood, {target.cell for target in targets}, theme=theme)
    return [AltPicture(picture, fit_text(f"{question} {places}", MAX_ALT_LENGTH))]


def _wagon_menus(position: Position, step: DecideWagon) -> list[Menu]:
    """Return a menu of further places, if there are more than the buttons have."""
    further = _targets(position, step)[MAX_TARGETS : MAX_TARGETS + MAX_ENTRIES]
    entries = [MenuEntry(_target_label(position, target), str(target)) for target in further]
    return [Menu(Op.ACT, t("button.wagon_further"), entries)] if entries else []


def _wagon_words(position: Position, action: MoveWagon) -> str:
    """Describe the move of a wagon."""
    return t("action.wagon", place=place_of(position, action.cell, action.segment))


def _wagon_asked(position: Position, step: DecideWagon) -> Iterator[str]:
    """Ask for the wagon while its player composes the move."""
    yield t("panel.wagon", place=_stood(position, step))


def _wagon_afterwards(names: Sequence[str], outcome: PlanOutcome[Position], step: DecideWagon) -> Iterator[str]:
    """Say who will be asked about a wagon once the move is made."""
    key = "panel.then_wagon_own" if outcome.pending else "panel.then_wagon"
    yield t(key, player=names[step.player], place=_stood(outcome.after, step))


# -- the barn ---------------------------------------------------------------------------------------------------------


def _corner_cells(cell: Cell) -> str:
    """Name the four tiles that meet at the north-western corner of a cell, where a barn stands."""
    x, y = cell
    return listed([Cell(*at).label for at in ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y))])


def _barn_words(_: Position, action: PutBarn) -> str:
    """Describe the action of putting the barn on a corner of the tile just laid."""
    return t("action.barn", corner=t(f"direction.{action.corner}"))


def _corner_figure(action: Action) -> tuple[str, tuple[float, float]] | None:
    """Return the barn, and its point of the tile just laid, for the action that puts it there."""
    return (BARN, _CORNER_POINTS[action.corner]) if isinstance(action, PutBarn) else None


def _deployed(names: Sequence[str], event: Deployed) -> str:
    """Tell where a barn or a wagon stands now: not always on the tile just laid, or on a single tile."""
    if event.figure == BARN:
        return t("story.barn", player=names[event.player], cells=_corner_cells(event.cell))
    if event.figure == WAGON:
        place = t("segment.at", segment=segment_words(event.segment), cell=event.cell.label)
        return t("story.wagon", player=names[event.player], place=place)
    return ""


def _tell_barns(listener: Listener, position: Position) -> Iterator[str]:
    """Tell where the barns stand, for a player who listens."""
    for figure in position.standing_figures():
        if figure.figure == BARN:
            yield t("tell.barn", player=listener.names[figure.player], cells=_corner_cells(figure.cell))


# -- decisions in advance ---------------------------------------------------------------------------------------------

SHOW_WAGON: Final = register_operation(OwnOp("wagon", private=True))
SHOW_ABBEY: Final = register_operation(OwnOp("abbey", private=True))
"""Choose what to do with a scored wagon, or before a draw, in one game; the argument is the value."""


def _present_wagon(position: Position, seat: int) -> PresentValues:
    """Return the nearest places to which the player's wagon could move now, as orders for when it has scored."""
    orders = {order.move: order for order in possible_wagon_orders(position, Seat(seat))}
    if not orders:
        return PresentValues()
    first = next(iter(orders.values()))
    moves = _nearest(position, first.cell, orders)[:MAX_TARGETS]
    place = place_of(position, first.cell, first.segment)
    labels = {str(orders[move]): _target_label(position, move) for move in moves}
    return PresentValues(t("one_game.wagon_places", place=place), labels)


PREFERENCES: Final = (
    GamePreference(
        name=WAGON_ORDER, box=NAME, orders=(STAYS,), operation=SHOW_WAGON, refusal="no_abbeys", present=_present_wagon
    ),
    GamePreference(name=ABBEY_ORDER, box=NAME, orders=(DRAW,), operation=SHOW_ABBEY, refusal="no_abbeys"),
)


def _drawn(segment: Segment) -> str:
    """Return ``well`` for a road with a well."""
    return "well" if segment.shows(WELL) is not None else ""


BOX: Final = BoxPresenter(
    categories=(BARN,),
    actions={UseAbbey: lambda _position, _action: t("action.abbey"), MoveWagon: _wagon_words, PutBarn: _barn_words},
    questions={
        DecideAbbey: Question(
            headline=_abbey_headline,
            offers=_abbey_offers,
            prospect=lambda *_: "",
            pictures=lambda *_: [],
            commits_least=lambda _step, action: action == Pass(),
            at_once=lambda position, _step, action: action == Pass() and position.pile_left > 0,
            passing="action.no_abbey",
        ),
        DecideWagon: Question(
            headline=_wagon_headline,
            offers=_wagon_offers,
            menus=_wagon_menus,
            prospect=lambda *_: "",
            pictures=_wagon_pictures,
            commits_least=lambda _step, action: action == Pass(),
            passing="action.wagon_home",
            asked=_wagon_asked,
            afterwards=_wagon_afterwards,
        ),
    },
    handlers=merge_handlers(*(preference.handlers for preference in PREFERENCES)),
    choices={preference.name: preference.values for preference in PREFERENCES},
    in_one_game={preference.name: preference.override for preference in PREFERENCES},
    openings=(UseAbbey,),
    tile_origins={PlaceAbbey: "_abbey"},
    instead=(PutBarn,),
    corner_figure=_corner_figure,
    deployed=_deployed,
    drawn=_drawn,
    details=_gaps,
    chapters={"barns": _tell_barns},
)
