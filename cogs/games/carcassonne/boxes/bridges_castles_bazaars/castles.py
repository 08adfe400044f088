"""Castles: the town that may become one, what feeds one, what is told of both, and standing orders about towns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, ui

from cogs.games.carcassonne.box import Actions, EventWords, Question, Questions
from cogs.games.carcassonne.boxes.bridges_castles_bazaars import operations
from cogs.games.carcassonne.words import place_of
from cogs.interactions.admission import admitted
from cogs.interactions.context import preferences_of, set_preferences
from cogs.interactions.replies import button
from cogs.messages import layout, rows
from cogs.presenting.presenter import ButtonSpec, Shown, act
from cogs.services.bot import Ack, Handling, InOneGame
from cogs.texts import t
from cogs.words.names import capital
from cogs.words.refusals import RefusedError
from engine import Action
from engine.carcassonne import Position
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    ALWAYS,
    NEVER,
    TOWNS,
    BuildCastle,
    Castle,
    CastleBuilt,
    ChooseCastleSource,
    ChooseSource,
    DecideTown,
    ScoreTown,
    fief_of,
)
from host import check_playing, setup_of
from renderers import Theme
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question

if TYPE_CHECKING:
    from cogs.presenting.ids import Key
    from cogs.presenting.turn import Course
    from cogs.services.bot import Interaction
    from host import Game, Preferences


def castle_words(castle: Castle) -> str:
    """A castle by its tiles: ``castle on M12 and M13``."""
    one, other = castle.cells
    return t("segment.castle", one=one.label, other=other.label)


def _source_words(position: Position, action: ChooseSource) -> str:
    """What feeds a castle: where it lies tells two roads of a tile apart, as both its tiles tell two castles."""
    step = position.step
    castle = step.castle_named(position, action) if isinstance(step, ChooseCastleSource) else None
    return castle_words(castle) if castle else place_of(position, action.cell, action.segment)


def _built(names: Sequence[str], event: CastleBuilt) -> str:
    one, other = event.cells
    return t("story.castle", player=names[event.player], one=one.label, other=other.label)


# -- the town ----------------------------------------------------------------------------------------------------------


def _town_headline(_: Sequence[str], __: Position, step: DecideTown, player: str) -> str:
    one, other = step.cells
    return t("headline.town", player=player, one=one.label, other=other.label, count=step.points)


def _town_offers(_: Position, step: DecideTown) -> list[ButtonSpec]:
    return [
        act(BuildCastle(), t("button.castle"), ButtonStyle.primary),
        act(ScoreTown(), t("button.town", count=step.points)),
    ]


def _town_prospect(_: Sequence[str], position: Position, step: DecideTown, action: Action) -> str:
    if isinstance(action, BuildCastle):
        return t("prospect.castle", count=position.supply["castle"][position.player])
    return _gain(position, step.points) if isinstance(action, ScoreTown) else ""


def _town_pictures(_: Game, position: Position, step: DecideTown, theme: Theme) -> list[Shown]:
    one, other = cells = step.cells
    alt = t("alt.castle", one=one.label, other=other.label)
    return [Shown(castle_question(position, cells, fief_of(one, other), theme=theme), alt)]


def _town_asked(position: Position, step: DecideTown) -> Iterator[str]:
    """While its player still composes the move: the town, and how many castles he has at home."""
    one, other = step.cells
    yield t("panel.town", one=one.label, other=other.label, count=step.points)
    yield t("panel.castles_left", count=position.supply["castle"][position.player])


def _town_afterwards(names: Sequence[str], ahead: Course[Position], step: DecideTown) -> Iterator[str]:
    one, other = step.cells
    key = "panel.then_town_own" if ahead.pending else "panel.then_town"
    yield t(key, player=names[step.player], one=one.label, other=other.label)


# -- what feeds a castle -----------------------------------------------------------------------------------------------


def _source_headline(_: Sequence[str], __: Position, step: ChooseCastleSource, player: str) -> str:
    one, other = step.castle.cells
    return t("headline.source", player=player, one=one.label, other=other.label)


def _source_offers(position: Position, step: ChooseCastleSource) -> list[ButtonSpec]:
    return [
        act(action, t("button.source", source=capital(_source_words(position, action)), count=points))
        for action, points in step.options
    ]


def _source_prospect(_: Sequence[str], position: Position, step: ChooseCastleSource, action: Action) -> str:
    return _gain(position, next((points for source, points in step.options if source == action), 0))


def _source_pictures(_: Game, position: Position, step: ChooseCastleSource, theme: Theme) -> list[Shown]:
    castle = step.castle
    one, other = castle.cells
    alt = t("alt.source", one=one.label, other=other.label)
    return [Shown(castle_question(position, castle.cells, castle.fief, theme=theme), alt)]


def _source_asked(_: Position, step: ChooseCastleSource) -> Iterator[str]:
    one, other = step.castle.cells
    yield t("panel.source", one=one.label, other=other.label)


def _source_afterwards(names: Sequence[str], ahead: Course[Position], step: ChooseCastleSource) -> Iterator[str]:
    one, other = step.castle.cells
    key = "panel.then_source_own" if ahead.pending else "panel.then_source"
    yield t(key, player=names[step.player], one=one.label, other=other.label)


def _gain(position: Position, points: int) -> str:
    return t("prospect.gain", count=points, left=position.scores[position.player] + points)


ACTIONS: Final[Actions] = {
    BuildCastle: lambda _position, _action: t("action.BuildCastle"),
    ScoreTown: lambda _position, _action: t("action.ScoreTown"),
    ChooseSource: _source_words,
}
EVENTS: Final[EventWords] = {CastleBuilt: _built}
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


ASK: Final = "ask"
AS_ALL: Final = "all"
"""As somebody has chosen for all his games."""
VALUES: Final = (AS_ALL, ASK, ALWAYS, NEVER)


def _label(value: str) -> str:
    return t("towns.all") if value == AS_ALL else t(f"setting.{TOWNS}.{value}")


async def choose_for_towns(interaction: Interaction, game: Game, value: str) -> None:
    """Keep what somebody chooses for a game that he plays, and show it.

    Raises:
        HostError: as for a move.
        RefusedError: ``unknown_button``; ``no_castles``: none are built in that game.
    """
    check_playing(game, interaction.user.id)
    if value not in VALUES:
        raise RefusedError("unknown_button")
    if BCB not in setup_of(game).expansions:
        raise RefusedError("no_castles")
    preferences = await preferences_of(interaction)
    preferences = preferences.having_in(game.code, TOWNS, "" if value == AS_ALL else value)
    await set_preferences(interaction, preferences)
    await interaction.edit_original_response(view=towns_panel(game, preferences))


def towns_panel(game: Game, preferences: Preferences) -> ui.LayoutView:
    """What holds in the game, and the other choices."""
    everywhere = preferences.choices.get(TOWNS, ASK)
    alone = preferences.having_in(game.code, TOWNS, "") != preferences
    now = preferences.in_game(game.code).get(TOWNS, ASK) if alone else AS_ALL
    words = t("towns.title", name=game.name, code=game.code, everywhere=t(f"setting.{TOWNS}.{everywhere}"))
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay("\n".join([words, t("setting.now", value=_label(now))]))
    buttons = [
        button(
            operations.TOWNS,
            game.code,
            game.revision,
            _label(value),
            argument=value,
            style=ButtonStyle.success if value == now else ButtonStyle.secondary,
        )
        for value in VALUES
    ]
    return layout(title, rows(buttons))


async def press_towns(interaction: Interaction, key: Key) -> None:
    """Choose what the button says."""
    await choose_for_towns(interaction, await admitted(interaction, key.ref), key.argument)


IN_ONE_GAME: Final = InOneGame(values=VALUES, called=_label, choose=choose_for_towns)
HANDLINGS: Final = {operations.TOWNS: Handling(Ack.UPDATE, press_towns)}
