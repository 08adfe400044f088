"""The command tree: discord.py's registry of the bot's slash commands, and their registration with Discord.

Discord limits the number of registrations in a day, so commands are only registered if they differ from the registered
ones (:func:`same_commands`). While the setting ``CASTELLAN_GUILD_ID`` names a server, that server has its own copy of
the commands, which is up to date at once. Servers with a copy are stored, so that the copy is removed when the setting
is removed or names another server; an unknown copy is noticed when one of its commands is used.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import discord
from discord import app_commands
from discord.http import Route
from structlog.contextvars import bind_contextvars

from cogs.commands.renamed import renamed_command
from cogs.interactions.context import language_for, log_fields
from cogs.interactions.replies import answer_error, begin_to_suggest
from cogs.services.bot import BotServices, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import SUGGESTION_COST
from cogs.texts.catalogue import number_commands
from cogs.texts.languages import speak
from host import attribute_to

log = logging.getLogger(__name__)

_COMPARED_FIELDS: Final = (
    "type", "name", "description", "name_localizations", "description_localizations", "nsfw",
    "default_member_permissions", "required", "autocomplete",
    "min_value", "max_value", "min_length", "max_length", "value",
)  # fmt: skip
_CONTEXT_FIELDS: Final = ("contexts", "integration_types")
"""Fields that say where a global command can be used; commands of a single server do not have them."""
_ALL_CONTEXTS: Final = (0, 1, 2)
"""Discord's numbers of all places in which commands can be used: servers, direct messages with the bot, and others."""


class UnknownServerError(Exception):
    """Commands cannot be registered for a server that the bot is not in."""

    def __init__(self, guild_id: int) -> None:
        super().__init__(f"the bot is not in server {guild_id}")
        self.guild_id = guild_id


REGISTRATION_LEASE: Final = "register commands"
"""The name of the lease under which a single process of the bot registers the commands."""


class RegisteredTree(app_commands.CommandTree[Any]):
    """The command tree, which knows the ids under which Discord has registered its commands."""

    client: BotServices
    command_ids: Mapping[str, int] = MappingProxyType({})
    """Discord's ids of the commands by their names."""

    async def register(self) -> None:
        """Register the commands if they have changed: for all servers, or for the one that the settings name.

        Raises:
            UnknownServerError: the bot is not in that server.
        """
        chosen = self.client.guild_id
        guild = discord.Object(chosen) if chosen else None
        if guild is not None:
            self.copy_global_to(guild=guild)
            await self.client.host.command_copies.remember(guild.id)  # first, since a crash may follow
        try:
            processes = self.client.host.processes
            if await processes.has_newer_release():
                log.info("keeping the commands of a newer release")
            elif not await same_commands(self, guild) and await processes.take(REGISTRATION_LEASE):
                self.command_ids = {command.name: command.id for command in await self.sync(guild=guild)}
                log.info("commands registered", extra={"server": chosen or "all"})
        except discord.HTTPException as error:
            if guild is not None and isinstance(error, discord.Forbidden | discord.NotFound):
                raise UnknownServerError(guild.id) from error
            log.exception("commands could not be registered: Discord keeps the earlier ones", extra={"server": chosen})
        number_commands(self.command_ids, self.client)
        for copy in await self.client.host.command_copies.all() - {chosen}:
            await self._remove_copy(copy)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Prepare the context of a command or completion; return False for completions above the rate limit.

        A command with a new name is answered here, and False returned. One that came from an unexpected copy of a
        server is answered as usual, and the copy removed.
        """
        self.client.answering.begin()
        bind_contextvars(**log_fields(interaction))  # in the task of this interaction
        speak(language_for(interaction))
        attribute_to(interaction.user.id)
        begin_to_suggest(interaction)
        if interaction.type is discord.InteractionType.autocomplete and _is_above_limit(interaction):
            return False
        data: Mapping[str, Any] = interaction.data or {}
        copy = int(data.get("guild_id") or 0)
        if copy and copy != self.client.guild_id:
            await self.client.host.command_copies.remember(copy)
            self.client.run_in_background(self._remove_copy(copy), name="remove a copy of the commands")
        if (renamed := renamed_command(data)) is None:
            return True
        if interaction.type is discord.InteractionType.application_command:  # there is nothing to suggest for it
            await answer_error(interaction, renamed)
        return False

    async def _remove_copy(self, guild_id: int) -> None:
        """Remove a server's own copy of the commands; if that fails, the next start retries it."""
        guild = discord.Object(guild_id)
        self.clear_commands(guild=guild)
        try:
            await self.sync(guild=guild)
        except (discord.Forbidden, discord.NotFound):
            log.info("a server with its own copy of the commands has removed the bot", extra={"server": guild_id})
        except (TimeoutError, discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning(
                "a server's own copy of the commands could not be removed yet: %r", error, extra={"server": guild_id}
            )
            return
        else:
            log.info("a server's own copy of the commands was removed", extra={"server": guild_id})
        await self.client.host.command_copies.forget(guild_id)


def _is_above_limit(interaction: Interaction) -> bool:
    """Count a request for suggestions, and return whether it exceeds the rate limit; commands are counted later."""
    return interaction.client.press_limiter.take(interaction.user.id, interaction.guild_id, SUGGESTION_COST) > 0


async def same_commands(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> bool:
    """Return whether the commands registered with Discord equal those of the tree."""
    translator = tree.translator
    commands = tree.get_commands(guild=guild)
    if translator is None:
        ours = [command.to_dict(tree) for command in commands]
    else:
        ours = [await command.get_translated_payload(tree, translator) for command in commands]
    # Discord fills in the application's own integration types for commands that do not state any.
    unstated = {command["name"] for command in ours if command.get("integration_types") is None}
    theirs = [
        {**command, "integration_types": None} if command["name"] in unstated else command
        for command in await _registered(tree, guild)
    ]
    places = _CONTEXT_FIELDS if guild is None else ()
    return compared_fields(theirs, places) == compared_fields(ours, places)


async def _registered(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> list[dict[str, Any]]:
    """Return the commands that Discord has, with all translations, which discord.py does not request."""
    path = "/applications/{application_id}/commands" if guild is None else _GUILD_COMMANDS
    values = {"application_id": tree.client.application_id, **({} if guild is None else {"guild_id": guild.id})}
    commands: list[dict[str, Any]] = await tree.client.http.request(
        Route("GET", path, **values), params={"with_localizations": "true"}
    )
    if isinstance(tree, RegisteredTree):
        tree.command_ids = {command["name"]: int(command["id"]) for command in commands if "id" in command}
    return commands


_GUILD_COMMANDS: Final = "/applications/{application_id}/guilds/{guild_id}/commands"


def compared_fields(commands: Iterable[Mapping[str, Any]], places: Iterable[str] = _CONTEXT_FIELDS) -> list[object]:
    """Return the compared fields of commands, options and choices; the order of the commands does not matter."""
    return sorted((_shape_of(command, tuple(places)) for command in commands), key=repr)


def _shape_of(part: Mapping[str, Any], places: tuple[str, ...] = ()) -> object:
    """Return the compared fields of a command, an option or a choice, with those of its parts."""
    values = {name: _normalised(name, part.get(name)) for name in (*_COMPARED_FIELDS, *places)}
    compared = tuple((name, value) for name, value in values.items() if value not in (None, False, ""))
    options = part.get("options") or ()
    return compared, tuple(map(_shape_of, options)), tuple(map(_shape_of, part.get("choices") or ()))


def _normalised(name: str, value: Any) -> object:  # noqa: ANN401 - JSON of any shape
    """Return a value in the form in which both sides can be compared."""
    match name:
        case "default_member_permissions":
            return None if value is None else str(value)
        case "contexts":
            return None if value is None or set(value) == set(_ALL_CONTEXTS) else tuple(sorted(value))
        case "integration_types":
            return None if value is None else tuple(sorted(value))
        case "name_localizations" | "description_localizations":
            return tuple(sorted(value.items())) if value else None
        case _:
            return getattr(value, "value", value)
