"""Parameters of commands: suggestions of games and legal moves while somebody types, choices when a table is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from discord import app_commands

from cogs.games.presenters import presenter_of
from cogs.interactions.replies import suggesting
from cogs.interactions.selection import find_game, game_here, game_label, table_to_move
from cogs.services.render_pool import NOTHING, SupersededError
from cogs.texts import listed, t
from cogs.texts.languages import folded, typed_for
from cogs.texts.rule_book import rulebook
from cogs.texts.translator import together
from cogs.words.names import called, isolated
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from cogs.words.typed_moves import typed_moves
from engine import DEFAULT_GAME, GAMES
from host import HostError, setup_of

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from cogs.texts.rule_book import RuleBookEntry
    from engine import GameKind, Position, Setup


ALONE: Final = "base"
"""The choice of a game without any expansion."""
ALL: Final = "all"
"""The choice of a game with all of them: their names have no room in a choice."""
_WITH: Final = "+"
"""Between expansions that are named together, as older commands do."""
FEWEST_PLAYERS: Final = min(game.players[0] for game in GAMES.values())
MOST_PLAYERS: Final = max(game.players[-1] for game in GAMES.values())

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


MOST: Final = 25
"""Suggestions that Discord shows."""
LONGEST: Final = 100
"""Characters of a suggestion."""

Command = TypeVar("Command", bound=Callable[..., Awaitable[None]])


@suggesting
async def complete_game(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The player's games, those that wait for him first."""
    most = None if typed else MOST
    games = await interaction.client.host.game_lists.of_user(
        interaction.user.id, guild_id=interaction.guild_id, limit=most
    )
    labelled = [(game_label(game, interaction.user.id, LONGEST), game.code) for game in games]
    wanted = folded(typed)
    return [app_commands.Choice(name=label, value=code) for label, code in labelled if wanted in folded(label)][:MOST]


def about_game(command: Command) -> Command:
    """Give a command the option ``game``, described and completed."""
    described = app_commands.describe(game=t("command.game"))(command)
    return app_commands.autocomplete(game=complete_game)(described)


@suggesting
async def complete_player(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Who plays in the game that is meant."""
    try:
        game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=False)
    except (HostError, RefusedError):
        return []
    names = [(person.user_id, called(game, person.user_id)) for person in game.players]
    return [
        app_commands.Choice(name=clipped(isolated(name), LONGEST), value=str(user_id))
        for user_id, name in names
        if folded(typed) in folded(name)
    ]


@suggesting
async def complete_rule(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Topics and rules, those of the game that is meant first."""
    code = getattr(interaction.namespace, "game", "") or ""
    try:
        game = await find_game(interaction, code, own=False) if code else await game_here(interaction)
    except (HostError, RefusedError):
        game = None
    played = setup_of(game).game if game else DEFAULT_GAME
    found = rulebook().search(typed, played, MOST)
    return [app_commands.Choice(name=clipped(_entry(entry, played), LONGEST), value=entry.id) for entry in found]


def _entry(entry: RuleBookEntry, played: str) -> str:
    """A topic or rule; of a topic of another game which game's, since both have some that are called alike."""
    if entry.game == played or entry.id in rulebook().rules:
        return entry.label
    return t("setting.typed", name=t(f"rulebook.game.{entry.game}"), value=entry.label)


async def complete_preset(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The editions of the game that is chosen."""
    game = getattr(interaction.namespace, "game", "") or DEFAULT_GAME
    return preset_choices(game, typed)[:MOST] if game in GAMES else []


@suggesting
async def complete_move(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Moves that the player may make now, of which every typed word is a part."""
    client = interaction.client
    try:
        game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=True)
        table = await table_to_move(interaction, game.code)
    except RefusedError as error:
        asked = error.key.startswith("which_game")
        return [app_commands.Choice(name=t("game.which"), value=typed or "?")] if asked else []
    except HostError:
        return []
    position, person = table.position, interaction.user.id
    try:
        moves = await client.render_pool.look(
            person,
            lambda: typed_moves(presenter_of(position), position, typed, MOST),
            place=("completion", person),
            cost=NOTHING,
        )
    except SupersededError:  # the next key was pressed meanwhile, and nobody sees the suggestions for this one
        return []
    return [app_commands.Choice(name=clipped(move.words, LONGEST), value=move.text) for move in moves]
