"""The presentation of bridges and castles: words, two questions, and the preference about towns in one game.

A *town* is a completed city of two tiles, which its player may turn into a castle instead of scoring it. A castle later
scores as much as a feature that is completed in its *fief*: its own two cells and the four beside them. That feature is
the *source* of its points, and is said to feed the castle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cogs.games.carcassonne.box import ActionWords, EventWords, Question, Questions
from cogs.games.carcassonne.one_game import GamePreference
from cogs.games.carcassonne.words import place_of
from cogs.presenting.ids import OwnOp, register_operation
from cogs.presenting.presenter import AltPicture, ButtonSpec, Listener, act
from cogs.presenting.turn import Piece, PlanOutcome
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.names import capital, segment_aloud, sides
from engine import Action, Cell
from engine.carcassonne import Axis, Decline, Position
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    ALWAYS,
    NEVER,
    TOWNS,
    BridgeBuilt,
    BuildBridge,
    BuildCastle,
    Castle,
    CastleBuilt,
    ChooseCastleSource,
    ChooseSource,
    DecideTown,
    ScoreTown,
    bridge_on,
    castles_of,
    fief_of,
    tokens_on,
)
from engine.carcassonne.landscape import PlacedTile as LaidTile
from engine.views import PlacedTile
from host import Game
from renderers import Theme
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question

SHOW_TOWNS: Final = register_operation(OwnOp("towns", private=True))
"""Choose what to do with towns in one game; the argument is the value of the preference."""


# -- bridges -----------------------------------------------------------------------------------------------------------


def axis_words(axis: Axis) -> str:
    """Return the line along which a bridge runs, in words."""
    if by_ear():
        return sides(side.name for side in sorted(axis.sides))
    return t("compass.to").join(t(f"compass.{side.name}") for side in axis.sides)


def _bridge_words(_: Position, action: BuildBridge) -> str:
    """Describe the action of building a bridge."""
    return t("action.bridge", **_bridge_place(action))


def _bridge_built(names: Sequence[str], event: BridgeBuilt) -> str:
    """Tell that a player has built a bridge, where, and in which direction."""
    return t("story.bridge", player=names[event.player], cell=event.cell.label, axis=axis_words(event.axis))


def _bridge_place(bridge: BuildBridge) -> Mapping[str, str]:
    """Return the values for sentences about a bridge: its cell and its direction."""
    return {"cell": bridge.cell.label, "axis": axis_words(bridge.axis)}


def trial(action: Action) -> tuple[Cell, Axis] | None:
    """Return where a bridge on trial is drawn, or None for other actions."""
    return (action.cell, action.axis) if isinstance(action, BuildBridge) else None


def bridge_on_tile(position: Position, placed: PlacedTile) -> Iterator[str]:
    """Describe the bridge on a tile by the sides at which it ends."""
    laid: LaidTile | None = position.tile_at(placed.cell)
    axis = bridge_on(laid) if laid is not None else None
    if axis is not None:
        yield t("tell.bridge", where=sides(side.name for side in sorted(axis.sides)))


PIECE: Final = Piece(name="bridge", action=BuildBridge, words=_bridge_place, declining=Decline())


# -- castles -----------------------------------------------------------------------------------------------------------


def castle_words(castle: Castle) -> str:
    """Return a castle by its tiles: ``castle on M12 and M13``."""
    first, second = castle.cells
    return t("segment.castle", one=first.label, other=second.label)


def _source_words(position: Position, action: ChooseSource) -> str:
    """Name the feature whose points a castle takes over: by its place on the tile, or another castle by its tiles."""
    step = position.step
    castle = step.castle_named(position, action) if isinstance(step, ChooseCastleSource) else None
    return castle_words(castle) if castle else place_of(position, action.cell, action.segment)


def _castle_built(names: Sequence[str], event: CastleBuilt) -> str:
    """Tell that a player has turned a town into a castle."""
    first, second = event.cells
    return t("story.castle", player=names[event.player], one=first.label, other=second.label)


def tell_castles(listener: Listener, position: Position) -> Iterator[str]:
    """Tell each castle with its fief, its figures, and whether it has scored."""
    for castle in castles_of(position):
        yield "; ".join(_castle_parts(listener, position, castle))


def _castle_parts(listener: Listener, position: Position, castle: Castle) -> Iterator[str]:
    """Yield the parts of the sentence about a castle: its fief, its figures, and whether it has scored."""
    first, second = castle.cells
    yield t("tell.castle", one=first.label, other=second.label, player=listener.names[castle.player])
    for follower in castle.followers:
        cell, segment = position.land.part(follower.segment)
        where = t("segment.at", segment=segment_aloud(segment), cell=cell.label)
        yield t(
            "tell.figure", player=listener.names[follower.player], figure=t(f"figure.{follower.figure}"), where=where
        )
    tokens = tokens_on(position, castle).shown
    if tokens > 1:
        yield t("piece.castle", count=tokens)
    yield t("tell.fief", cells=listed([cell.label for cell in castle.fief]))
    yield t("tell.castle_scored" if castle.scored else "tell.castle_waits")


# -- the town ----------------------------------------------------------------------------------------------------------


def _town_headline(_: Sequence[str], __: Position, step: DecideTown, player: str) -> str:
    """Ask the player whether to build a castle or to score the town."""
    first, second = step.cells
    return t("headline.town", player=player, one=first.label, other=second.label, count=step.points)


def _town_offers(_: Position, step: DecideTown) -> list[ButtonSpec]:
    """Return the buttons to build a castle and to score the town."""
    return [act(BuildCastle(), t("button.castle")), act(ScoreTown(), t("button.town", count=step.points))]


def _town_prospect(_: Sequence[str], position: Position, step: DecideTown, action: Action) -> str:
    """Say how many castles the player has, or how many points the town brings."""
    if isinstance(action, BuildCastle):
        return t("prospect.castle", count=position.supply["castle"][position.player])
    return _gain(position, step.points) if isinstance(action, ScoreTown) else ""


def _town_pictures(_: Game, position: Position, step: DecideTown, theme: Theme) -> list[AltPicture]:
    """Draw the town with the fief that the castle would have."""
    first, second = cells = step.cells
    alt = t("alt.castle", one=first.label, other=second.label)
    return [AltPicture(castle_question(position, cells, fief_of(first, second), theme=theme), alt)]


def _town_asked(position: Position, step: DecideTown) -> Iterator[str]:
    """Describe the town while the player composes the move, and how many castles they have left."""
    first, second = step.cells
    yield t("panel.town", one=first.label, other=second.label, count=step.points)
    yield t("panel.castles_left", count=position.supply["castle"][position.player])


def _town_afterwards(names: Sequence[str], outcome: PlanOutcome[Position], step: DecideTown) -> Iterator[str]:
    """Say who will be asked about a town once the move is made."""
    first, second = step.cells
    key = "panel.then_town_own" if outcome.pending else "panel.then_town"
    yield t(key, player=names[step.player], one=first.label, other=second.label)


# -- the source of a castle --------------------------------------------------------------------------------------------


def _source_headline(_: Sequence[str], __: Position, step: ChooseCastleSource, player: str) -> str:
    """Ask the player which feature feeds the castle."""
    first, second = step.castle.cells
    return t("headline.source", player=player, one=first.label, other=second.label)


def _source_offers(position: Position, step: ChooseCastleSource) -> list[ButtonSpec]:
    """Return a button for each feature that may feed the castle."""
    return [
        act(action, t("button.source", source=capital(_source_words(position, action)), count=points))
        for action, points in step.options
    ]


def _source_prospect(_: Sequence[str], position: Position, step: ChooseCastleSource, action: Action) -> str:
    """Say how many points this feature would bring to the castle."""
    return _gain(position, next((points for source, points in step.options if source == action), 0))


def _source_pictures(_: Game, position: Position, step: ChooseCastleSource, theme: Theme) -> list[AltPicture]:
    """Draw the castle and the features that may feed it."""
    castle = step.castle
    first, second = castle.cells
    alt = t("alt.source", one=first.label, other=second.label)
    return [AltPicture(castle_question(position, castle.cells, castle.fief, theme=theme), alt)]


def _source_asked(_: Position, step: ChooseCastleSource) -> Iterator[str]:
    """Ask, in the composer, which feature feeds the castle."""
    first, second = step.castle.cells
    yield t("panel.source", one=first.label, other=second.label)


def _source_afterwards(names: Sequence[str], outcome: PlanOutcome[Position], step: ChooseCastleSource) -> Iterator[str]:
    """Say who will be asked about the source of a castle once the move is made."""
    first, second = step.castle.cells
    key = "panel.then_source_own" if outcome.pending else "panel.then_source"
    yield t(key, player=names[step.player], one=first.label, other=second.label)


def _gain(position: Position, points: int) -> str:
    """Say how many points an answer brings, and the total that the player would have."""
    return t("prospect.gain", count=points, left=position.scores[position.player] + points)


ACTIONS: Final[ActionWords] = {
    BuildBridge: _bridge_words,
    BuildCastle: lambda _position, _action: t("action.BuildCastle"),
    ScoreTown: lambda _position, _action: t("action.ScoreTown"),
    ChooseSource: _source_words,
}
EVENTS: Final[EventWords] = {BridgeBuilt: _bridge_built, CastleBuilt: _castle_built}
QUESTIONS: Final[Questions] = {
    DecideTown: Question(
        headline=_town_headline,
        offers=_town_offers,
        prospect=_town_prospect,
        pictures=_town_pictures,
        asked=_town_asked,
        afterwards=_town_afterwards,
    ),
    ChooseCastleSource: Question(
        headline=_source_headline,
        offers=_source_offers,
        prospect=_source_prospect,
        pictures=_source_pictures,
        asked=_source_asked,
        afterwards=_source_afterwards,
    ),
}


TOWNS_IN_ONE_GAME: Final = GamePreference(
    name=TOWNS, box=BCB, orders=(ALWAYS, NEVER), operation=SHOW_TOWNS, refusal="no_castles"
)
"""The preference about towns, in all games and in one."""
