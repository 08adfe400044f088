"""What may be said when a table is opened: the game, how many play, its edition and what is added to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from discord import app_commands

from cogs.texts import listed, t
from cogs.texts.languages import folded, typed_for
from cogs.texts.translator import together
from cogs.words.refusals import RefusedError
from engine import GAMES

if TYPE_CHECKING:
    from engine import GameKind, Position, Setup

ALONE: Final = "base"
"""The choice of a game without any expansion."""
ALL: Final = "all"
"""The choice of a game with all of them: their names have no room in a choice."""
_WITH: Final = "+"
"""Between expansions that are named together, as older commands do."""
FEWEST: Final = min(game.players[0] for game in GAMES.values())
MOST: Final = max(game.players[-1] for game in GAMES.values())

GAME_CHOICES: Final = [app_commands.Choice(name=t(f"game_choice.{name}"), value=name) for name in GAMES]


def expansion_choices(expansions: Sequence[str]) -> list[app_commands.Choice[str]]:
    """Each of these alone, then all of them, then none; the panel of a table that gathers has every other choice."""
    named = {**{name: (name,) for name in expansions}, ALL: expansions, ALONE: (ALONE,)}
    return [
        app_commands.Choice(name=together(f"expansion.{name}" for name in names), value=value)
        for value, names in named.items()
    ]


EXPANSION_CHOICES: Final = expansion_choices([name for game in GAMES.values() for name in game.expansions])


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


def expansions_of(name: str, chosen: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """What is added to a game; ``usual`` when nobody says.

    Raises:
        RefusedError: an expansion belongs to another game.
    """
    if not chosen:
        return usual
    if chosen == ALONE:
        return ()
    known = GAMES[name].expansions
    if chosen == ALL:
        return known
    wanted = chosen.split(_WITH)
    if not set(wanted) <= set(known):
        raise RefusedError("foreign_expansion", game=t(f"rulebook.game.{name}"))
    return tuple(expansion for expansion in known if expansion in wanted)


def options_of(name: str, preset: str) -> dict[str, Any]:
    """The options of a preset that differ from the game's standard.

    Raises:
        RefusedError: the game has no such preset.
    """
    game, title = GAMES[name], t(f"rulebook.game.{name}")
    values = _preset(game, preset)
    if values is None:
        presets = listed([t(f"preset.{known}") for known in game.presets])
        raise RefusedError("unknown_preset", game=title, presets=presets)
    return values


def _preset(game: GameKind[Position, Setup], preset: str) -> dict[str, Any] | None:
    """The differences of a preset by its name or its words; the first when none is named."""
    if not preset:
        return next(iter(game.presets.values())).differences()
    wanted = folded(preset)
    return next((o.differences() for name, o in game.presets.items() if wanted in [name, *_preset_words(name)]), None)


def preset_choices(name: str, typed: str) -> list[app_commands.Choice[str]]:
    """The presets of a game in which the typed text occurs."""
    wanted = folded(typed)
    found = [preset for preset in GAMES[name].presets if any(wanted in words for words in _preset_words(preset))]
    return [app_commands.Choice(name=t(f"preset.{preset}"), value=preset) for preset in found]


def _preset_words(preset: str) -> list[str]:
    """How a preset may be typed."""
    return list(typed_for(lambda: t(f"preset.{preset}")))
