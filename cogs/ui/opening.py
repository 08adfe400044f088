"""What may be said when a table is opened: the game, how many play, its edition and what is added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from discord import app_commands

from cogs.presenters import PRESENTERS
from cogs.texts import listed, t
from cogs.ui.refusals import RefusedError
from engine import GAMES, EngineError

if TYPE_CHECKING:
    from engine import Game

ALONE: Final = "base"
"""The choice of a game without any expansion."""
FEWEST: Final = min(game.players[0] for game in GAMES.values())
MOST: Final = max(game.players[-1] for game in GAMES.values())

GAME_CHOICES: Final = [app_commands.Choice(name=t(f"game_choice.{name}"), value=name) for name in GAMES]
EXPANSION_CHOICES: Final = [
    app_commands.Choice(name=t(f"expansion.{name}"), value=name)
    for name in dict.fromkeys((*(name for game in GAMES.values() for name in game.expansions), ALONE))
]


def capacity_of(name: str, players: int | None) -> int:
    """How many may sit down; as many as can play when nobody says.

    Raises:
        RefusedError: so many cannot play this game (TC-01).
    """
    able = GAMES[name].players
    if players is None:
        return able[-1]
    if players not in able:
        title = t(f"rulebook.game.{name}")
        if len(able) == 1:
            raise RefusedError("fixed_players", game=title, count=able[0])
        raise RefusedError("players_out_of_range", game=title, least=able[0], most=able[-1])
    return players


def expansions_of(name: str, chosen: str) -> tuple[str, ...]:
    """What is added to a game; what it is usually played with when nobody says.

    Raises:
        RefusedError: the expansion belongs to another game.
    """
    if not chosen:
        return PRESENTERS[name].expansions
    if chosen != ALONE and chosen not in GAMES[name].expansions:
        raise RefusedError("foreign_expansion", game=t(f"rulebook.game.{name}"))
    return () if chosen == ALONE else (chosen,)


def options_of(name: str, preset: str, **chosen: str) -> dict[str, Any]:
    """The options of a preset that differ from the game's standard, with single ones chosen otherwise.

    Raises:
        RefusedError: the game has no such preset, or no such option.
    """
    game, title = GAMES[name], t(f"rulebook.game.{name}")
    values = _preset(game, preset)
    if values is None:
        presets = listed([t(f"preset.{known}") for known in game.presets])
        raise RefusedError("unknown_preset", game=title, presets=presets)
    values.update({option: value for option, value in chosen.items() if value})
    try:
        return game.options.of(values).differences()
    except EngineError as error:
        raise RefusedError("foreign_option", game=title) from error


def _preset(game: Game, preset: str) -> dict[str, Any] | None:
    """The differences of a preset by its name or its words; the first when none is named."""
    if not preset:
        return next(iter(game.presets.values())).differences()
    return next((o.differences() for name, o in game.presets.items() if preset in {name, t(f"preset.{name}")}), None)


def preset_choices(name: str, typed: str) -> list[app_commands.Choice[str]]:
    """The presets of a game in which the typed text occurs."""
    labelled = [(t(f"preset.{preset}"), preset) for preset in GAMES[name].presets]
    wanted = typed.lower()
    return [app_commands.Choice(name=label, value=preset) for label, preset in labelled if wanted in label.lower()]
