"""Suggestions while a player types: his games, and moves that are legal now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from discord import app_commands

from cogs.games.presenters import presenter_of
from cogs.interactions.replies import suggesting
from cogs.interactions.selection import find_game, game_here, game_label, table_to_move
from cogs.panels.new_tables import preset_choices
from cogs.services.render_pool import NOTHING, SupersededError
from cogs.texts import t
from cogs.texts.languages import folded
from cogs.texts.rule_book import rulebook
from cogs.words.names import called, isolated
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from cogs.words.typed_moves import typed_moves
from engine import DEFAULT_GAME, GAMES
from host import HostError, setup_of

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from cogs.texts.rule_book import RuleBookEntry

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
