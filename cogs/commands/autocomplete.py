"""Suggestions for options of slash commands while the user types, and the parsing of the options of ``/carc new``.

Discord shows at most 25 suggestions. An option with suggestions may still contain any text, so the functions that parse
it also accept a label in the user's language or in English.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from discord import app_commands

from cogs.games.presenters import presenter_of
from cogs.interactions.replies import MAX_CHOICE_NAME, MAX_CHOICES, suggesting
from cogs.interactions.selection import find_game, game_here, game_label, table_to_move
from cogs.services.bot import Interaction
from cogs.services.render_pool import NO_COST, SupersededError
from cogs.texts import listed, t
from cogs.texts.languages import folded, folded_versions
from cogs.texts.rule_book import RuleBookEntry, rulebook
from cogs.words.names import isolate, player_name
from cogs.words.refusals import RefusedError
from cogs.words.typed_moves import typed_moves
from engine import DEFAULT_GAME, GAMES, GameKind, Position, Setup
from host import HostError, setup_of

ALONE: Final = "base"
"""The value that stands for no expansion."""
ALL: Final = "all"
"""The value that stands for all expansions, whose names together would be too long for a value."""
_SEPARATOR: Final = "+"
"""The separator of several expansions in values that commands of older versions suggested."""
MIN_PLAYERS: Final = min(game.players[0] for game in GAMES.values())
MAX_PLAYERS: Final = max(game.players[-1] for game in GAMES.values())

GAME_CHOICES: Final = [app_commands.Choice(name=t(f"game_choice.{name}"), value=name) for name in GAMES]


def capacity_of(name: str, players: int | None, computers: int = 0) -> int:
    """Return the number of seats of a new table: by default the maximum of the game, or one more than its computers.

    The host refuses computers that do not fit.

    Raises:
        RefusedError: the game is not for so many players (rule TC-01).
    """
    allowed = GAMES[name].players
    if players is None and computers:
        players = min(max(allowed[0], computers + 1), allowed[-1])
    if players is None:
        return allowed[-1]
    if players not in allowed:
        title = t(f"rulebook.game.{name}")
        if len(allowed) == 1:
            raise RefusedError("fixed_players", game=title, count=allowed[0])
        raise RefusedError("players_out_of_range", game=title, least=allowed[0], most=allowed[-1])
    return players


def expansions_of(name: str, chosen: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return the expansions of a new table: the chosen ones, or ``usual`` if none are.

    ``chosen`` is a value that was suggested, or what a user typed instead: the label of one.

    Raises:
        RefusedError: an expansion belongs to another game, or to none.
    """
    if not chosen:
        return usual
    available, query = GAMES[name].expansions, folded(chosen)
    value = next((value for value, names in _combinations(name) if query in _expansion_words(names)), chosen)
    if value == ALONE:
        return ()
    if value == ALL:
        return available
    names = value.split(_SEPARATOR)
    if not set(names) <= set(available):
        raise RefusedError("foreign_expansion", game=t(f"rulebook.game.{name}"))
    return tuple(expansion for expansion in available if expansion in names)


def expansion_choices(name: str, typed: str) -> list[app_commands.Choice[str]]:
    """Return the expansions of a game whose label contains the typed text; the lobby's panel has more combinations.

    They are suggestions rather than fixed choices of the command. The choices of ten boxes (expansions) would make
    ``/carc`` longer than the 8,000 characters that Discord allows.
    """
    query = folded(typed)
    return [
        app_commands.Choice(name=_expansion_label(names), value=value)
        for value, names in _combinations(name)
        if any(query in words for words in _expansion_words(names))
    ]


def _combinations(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each expansion of a game alone, all, and none, as pairs of a value and the names in its label."""
    expansions = GAMES[name].expansions
    if expansions:
        yield from ((expansion, (expansion,)) for expansion in expansions)
        yield ALL, expansions
        yield ALONE, (ALONE,)


def _expansion_label(names: Iterable[str]) -> str:
    joined = listed([t(f"expansion.{name}") for name in names])
    return joined if len(joined) <= MAX_CHOICE_NAME else t("command.new.all")


def _expansion_words(names: Iterable[str]) -> list[str]:
    """Return a label of expansions, folded for comparison, in the user's language and in English."""
    return list(folded_versions(lambda: _expansion_label(names)))


def options_of(name: str, preset: str) -> dict[str, Any]:
    """Return the options of a preset that differ from the game's defaults.

    Raises:
        RefusedError: the game has no such preset.
    """
    game, title = GAMES[name], t(f"rulebook.game.{name}")
    values = _preset(game, preset)
    if values is None:
        presets = listed([t(f"preset.{label}") for label in game.presets])
        raise RefusedError("unknown_preset", game=title, presets=presets)
    return values


def _preset(game: GameKind[Position, Setup], preset: str) -> dict[str, Any] | None:
    """Return the differences of the preset with this name or label; if none is named, those of the first preset."""
    if not preset:
        return next(iter(game.presets.values())).differences()
    query = folded(preset)
    matching = (name for name in game.presets if query in [name, *_preset_words(name)])
    return next((game.presets[name].differences() for name in matching), None)


def preset_choices(name: str, typed: str) -> list[app_commands.Choice[str]]:
    """Return the presets of a game whose label contains the typed text."""
    query = folded(typed)
    matching = [preset for preset in GAMES[name].presets if any(query in words for words in _preset_words(preset))]
    return [app_commands.Choice(name=t(f"preset.{preset}"), value=preset) for preset in matching]


def _preset_words(preset: str) -> list[str]:
    """Return the labels of a preset, folded for comparison, in the user's language and in English."""
    return list(folded_versions(lambda: t(f"preset.{preset}")))


Command = TypeVar("Command", bound=Callable[..., Awaitable[None]])


@suggesting
async def complete_game(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest the user's games, those in which it is their turn first."""
    limit = None if typed else MAX_CHOICES
    games = await interaction.client.host.game_lists.of_user(
        interaction.user.id, guild_id=interaction.guild_id, limit=limit
    )
    labelled = [(game_label(game, interaction.user.id, MAX_CHOICE_NAME), game.code) for game in games]
    return [(label, code) for label, code in labelled if folded(typed) in folded(label)]


def about_game(command: Command) -> Command:
    """Describe and complete the option ``game`` of a command."""
    described = app_commands.describe(game=t("command.game"))(command)
    return app_commands.autocomplete(game=complete_game)(described)


@suggesting
async def complete_player(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest the players of the selected game."""
    game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=False)
    names = [(person.user_id, player_name(game, person.user_id)) for person in game.players]
    return [(isolate(name), str(user_id)) for user_id, name in names if folded(typed) in folded(name)]


@suggesting
async def complete_rule(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest topics and rules; the selected game comes first."""
    code = getattr(interaction.namespace, "game", "") or ""
    try:
        game = await find_game(interaction, code, own=False) if code else await game_here(interaction)
    except (HostError, RefusedError):
        game = None
    played = setup_of(game).game if game else DEFAULT_GAME
    return [(_entry_label(entry, played), entry.id) for entry in rulebook().search(typed, played, MAX_CHOICES)]


def _entry_label(entry: RuleBookEntry, played: str) -> str:
    """Return the label of a topic or rule; a topic of another game includes that game, since titles repeat."""
    if entry.game == played or entry.id in rulebook().rules:
        return entry.label
    return t("setting.typed", name=t(f"rulebook.game.{entry.game}"), value=entry.label)


async def complete_preset(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the presets of the chosen game."""
    game = getattr(interaction.namespace, "game", "") or DEFAULT_GAME
    return preset_choices(game, typed)[:MAX_CHOICES] if game in GAMES else []


async def complete_expansions(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the expansions of the chosen game."""
    game = getattr(interaction.namespace, "game", "") or DEFAULT_GAME
    return expansion_choices(game, typed)[:MAX_CHOICES] if game in GAMES else []


@suggesting
async def complete_move(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest the user's legal moves that contain every typed word."""
    client = interaction.client
    try:
        game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=True)
        table = await table_to_move(interaction, game.code)
    except RefusedError as error:
        ambiguous = error.key.startswith("which_game")
        return [(t("game.which"), typed or "?")] if ambiguous else []
    position, person = table.position, interaction.user.id
    try:
        moves = await client.render_pool.run_for(
            person,
            lambda: typed_moves(presenter_of(position), position, typed, MAX_CHOICES),
            place=("completion", person),
            cost=NO_COST,
        )
    except SupersededError:  # the user has typed on, so these suggestions would not be shown
        return []
    return [(move.words, move.text) for move in moves]
