"""Registering the commands: only when Discord knows others, because that is limited to so many a day.

While ``CASTELLAN_GUILD_ID`` names a server, that server has a copy of its own. Which servers have one is remembered,
so that it is taken away when the setting is removed or names another; one that nobody remembers is noticed at its
first use.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands
from discord.http import Route
from structlog.contextvars import bind_contextvars

from cogs.interactions.context import language_for, log_fields
from cogs.interactions.replies import begin_to_suggest
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import SUGGESTION
from cogs.texts.catalogue import number_commands
from cogs.texts.languages import speak
from host import attribute_to

if TYPE_CHECKING:
    from cogs.services.bot import BotServices, Interaction

log = logging.getLogger(__name__)

_COMPARED: Final = (
    "type", "name", "description", "name_localizations", "description_localizations", "nsfw",
    "default_member_permissions", "required", "autocomplete",
    "min_value", "max_value", "min_length", "max_length", "value",
)  # fmt: skip
_PLACES: Final = ("contexts", "integration_types")
"""Where a command that is registered for all servers can be used; Discord keeps neither for a server's own."""
_ALL_CONTEXTS: Final = (0, 1, 2)


class UnknownServerError(Exception):
    """Commands are to be registered for a server in which the bot is not."""

    def __init__(self, guild_id: int) -> None:
        super().__init__(f"the bot is not in server {guild_id}")
        self.guild_id = guild_id


REGISTERING: Final = "register commands"
"""What one process does at a time."""


class RegisteredTree(app_commands.CommandTree[Any]):
    """The command tree, which knows where its commands are registered."""

    client: BotServices
    known: Mapping[str, int] = MappingProxyType({})
    """The numbers of the commands at Discord, by their names."""

    async def register(self) -> None:
        """Have the commands registered as they are: everywhere, or for the one server that the settings name.

        Raises:
            UnknownServerError: the bot is not in that server.
        """
        chosen = self.client.guild_id
        guild = discord.Object(chosen) if chosen else None
        if guild is not None:
            self.copy_global_to(guild=guild)
            await self.client.host.command_copies.remember(guild.id)  # before it is made: a crash may follow
        try:
            crew = self.client.host.crew
            if await crew.is_newer_about():
                log.info("the commands of a newer release stay")
            elif not await same_commands(self, guild) and await crew.take(REGISTERING):
                self.known = {command.name: command.id for command in await self.sync(guild=guild)}
                log.info("commands registered", extra={"server": chosen or "all"})
        except discord.HTTPException as error:
            if guild is not None and isinstance(error, discord.Forbidden | discord.NotFound):
                raise UnknownServerError(guild.id) from error
            log.exception("commands could not be registered: those that Discord knows stay", extra={"server": chosen})
        number_commands(self.known, self.client)
        for copy in await self.client.host.command_copies.all() - {chosen}:
            await self._take_away(copy)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Let every command through; one that came from a copy which should not be there is its last.

        Nothing is suggested to who types, or presses, too much.
        """
        self.client.answering.begin()
        bind_contextvars(**log_fields(interaction))  # in the task of this interaction
        speak(language_for(interaction))
        attribute_to(interaction.user.id)
        begin_to_suggest(interaction)
        if interaction.type is discord.InteractionType.autocomplete and _types_too_much(interaction):
            return False
        data: Mapping[str, Any] = interaction.data or {}
        copy = int(data.get("guild_id") or 0)
        if copy and copy != self.client.guild_id:
            await self.client.host.command_copies.remember(copy)
            self.client.beside(self._take_away(copy), name="take away a copy of the commands")
        return True

    async def _take_away(self, guild_id: int) -> None:
        """Take a server's own copy of the commands away; where that fails, the next start tries again."""
        guild = discord.Object(guild_id)
        self.clear_commands(guild=guild)
        try:
            await self.sync(guild=guild)
        except (discord.Forbidden, discord.NotFound):
            log.info("a server with its own copy of the commands is not ours any more", extra={"server": guild_id})
        except (TimeoutError, discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a copy of the commands stays for now: %r", error, extra={"server": guild_id})
            return
        else:
            log.info("a server's own copy of the commands was taken away", extra={"server": guild_id})
        await self.client.host.command_copies.forget(guild_id)


def _types_too_much(interaction: Interaction) -> bool:
    """Whether somebody is asked to wait for suggestions; commands are counted where they are answered."""
    return interaction.client.press_limiter.take(interaction.user.id, interaction.guild_id, SUGGESTION) > 0


async def same_commands(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> bool:
    """Whether the commands registered at Discord are those of the tree."""
    translator = tree.translator
    commands = tree.get_commands(guild=guild)
    if translator is None:
        ours = [command.to_dict(tree) for command in commands]
    else:
        ours = [await command.get_translated_payload(tree, translator) for command in commands]
    # Left open it means what the application allows, and that is what Discord answers.
    left_open = {command["name"] for command in ours if command.get("integration_types") is None}
    theirs = [
        {**command, "integration_types": None} if command["name"] in left_open else command
        for command in await _registered(tree, guild)
    ]
    places = _PLACES if guild is None else ()
    return shape(theirs, places) == shape(ours, places)


async def _registered(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> list[dict[str, Any]]:
    """What Discord knows, with all translations, which discord.py does not ask for."""
    path = "/applications/{application_id}/commands" if guild is None else _GUILD_COMMANDS
    values = {"application_id": tree.client.application_id, **({} if guild is None else {"guild_id": guild.id})}
    found: list[dict[str, Any]] = await tree.client.http.request(
        Route("GET", path, **values), params={"with_localizations": "true"}
    )
    if isinstance(tree, RegisteredTree):
        tree.known = {command["name"]: int(command["id"]) for command in found if "id" in command}
    return found


_GUILD_COMMANDS: Final = "/applications/{application_id}/guilds/{guild_id}/commands"


def shape(commands: Iterable[Mapping[str, Any]], places: Iterable[str] = _PLACES) -> list[object]:
    """What matters of commands, options and choices; the order of the commands does not."""
    return sorted((_shape_of(command, tuple(places)) for command in commands), key=repr)


def _shape_of(part: Mapping[str, Any], places: tuple[str, ...] = ()) -> object:
    values = {name: _plain(name, part.get(name)) for name in (*_COMPARED, *places)}
    seen = tuple((name, value) for name, value in values.items() if value not in (None, False, ""))
    options = part.get("options") or ()
    return seen, tuple(map(_shape_of, options)), tuple(map(_shape_of, part.get("choices") or ()))


def _plain(name: str, value: Any) -> object:  # noqa: ANN401 - JSON of any shape
    """A value in the one form in which both sides can be compared."""
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
