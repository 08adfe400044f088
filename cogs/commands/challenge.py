"""``/carc challenge``: challenge people to a game, see what challenges are open, and choose whom to avoid.

The card of a challenge, and its buttons, are those of a lobby (:mod:`cogs.commands.lobby`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.commands import autocomplete
from cogs.commands.lobby import open_lobby
from cogs.commands.slash import command
from cogs.games.presenters import PRESENTERS
from cogs.interactions.admission import number_of, person_of
from cogs.interactions.replies import acknowledge, button
from cogs.interactions.threads import require_table_permissions
from cogs.messages import layout, rows
from cogs.panels.own_settings import NO_TABLE
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.words.names import isolate, link, owner_name, safe
from cogs.words.refusals import RefusedError
from cogs.words.table_options import with_boxes
from engine import DEFAULT_GAME
from host import NO_PACE, Lobby, NewLobby, Person, unique_names
from tournaments.formats import MATCH_LENGTHS

MATCH_CHOICES: Final = [
    app_commands.Choice(name=t(f"match_choice.{games}"), value=games) for games in MATCH_LENGTHS if games
]
"""The numbers of games that a match may have, for Discord's list."""
MATCH_PACE: Final = "standard"
"""The pace of a match in a server whose tables usually have no clocks."""


class ChallengeCommands(commands.Cog):
    """``/carc challenge``."""

    @command("challenge", ack=None, game="new.game", third="challenge.second")
    @app_commands.choices(game=autocomplete.GAME_CHOICES)
    @app_commands.choices(match=MATCH_CHOICES)
    async def challenge(
        self,
        interaction: Interaction,
        player: discord.Member | None = None,
        second: discord.Member | None = None,
        third: discord.Member | None = None,
        game: str = DEFAULT_GAME,
        match: int = 1,
        rated: bool = False,  # noqa: FBT001, FBT002 - an option of a command
        avoid: discord.Member | None = None,
    ) -> None:
        """Challenge people, avoid somebody, or list the open challenges of the server."""
        challenged = [member for member in (player, second, third) if member is not None]
        if not challenged:
            await acknowledge(interaction, Ack.PANEL)
            view = await (_list(interaction) if avoid is None else _avoid(interaction, avoid))
            await interaction.edit_original_response(view=view)
            return
        require_table_permissions(interaction)
        new = replace(_new_challenge(interaction, game, challenged), best_of=match, rated=rated)
        if not await acknowledge(interaction, Ack.PANEL):
            return
        settings = await interaction.client.host.servers.usual_settings(new.guild_id)
        pace = MATCH_PACE if new.is_match and settings.pace == NO_PACE else settings.pace
        await open_lobby(interaction, replace(new, settings=replace(settings, pace=pace)))


def _new_challenge(interaction: Interaction, game: str, challenged: Collection[discord.Member]) -> NewLobby:
    """Return a challenge of the user, with the expansions that a table usually has.

    Raises:
        RefusedError: ``bot_challenged``.
    """
    if any(member.bot for member in challenged):
        raise RefusedError("bot_challenged")
    boxes = PRESENTERS[game].default_expansions
    return NewLobby(
        guild_id=interaction.guild_id or 0,
        channel_id=interaction.channel_id or 0,
        owner=person_of(interaction),
        game=game,
        capacity=1 + len(challenged),
        expansions=boxes,
        options=with_boxes(game, (), boxes, {}),
        challenged=tuple(Person(member.id, member.display_name) for member in challenged),
    )


async def _list(interaction: Interaction) -> ui.LayoutView:
    """Return the open challenges of the server, and a button for the people whom the user avoids."""
    challenges = await interaction.client.host.challenges.open_in(interaction.guild_id or 0)
    lines = [t("challenge.open"), *map(_line, challenges)] if challenges else [t("challenge.none")]
    avoiding = button(Op.AVOID, NO_TABLE, 0, t("button.avoided"))
    return layout("\n".join([*lines, t("challenge.how")]), rows([avoiding]))


def _line(lobby: Lobby) -> str:
    """Return the line of an open challenge."""
    names = [safe(name) for name in unique_names([*lobby.members, *lobby.challenged])]
    others = " · ".join(names[1:])
    game, url = t(f"rulebook.game.{lobby.game}"), link(lobby.guild_id, lobby.channel_id, lobby.message_id)
    return t("challenge.line", owner=owner_name(lobby), players=others, game=game, url=url)


async def _avoid(interaction: Interaction, member: discord.Member) -> ui.LayoutView:
    """Put a member on the user's list of people to avoid, and return the list."""
    person = Person(member.id, member.display_name)
    await interaction.client.host.challenges.avoid(interaction.user.id, person)
    return await _avoided(interaction)


async def press_avoid(interaction: Interaction, key: Key) -> None:
    """Show the people whom the user avoids, after removing the one in the argument."""
    if key.argument:
        await interaction.client.host.challenges.meet_again(interaction.user.id, number_of(key))
    await interaction.edit_original_response(view=await _avoided(interaction))


async def _avoided(interaction: Interaction) -> ui.LayoutView:
    """Return the list of people whom the user avoids, with a button to remove each."""
    people = await interaction.client.host.challenges.avoided_by(interaction.user.id)
    removing = [
        button(Op.AVOID, NO_TABLE, 0, t("button.remove", player=isolate(name)), argument=str(person.user_id))
        for person, name in zip(people, unique_names(people), strict=True)
    ]
    return layout(t("challenge.avoiding" if people else "challenge.avoiding_nobody"), rows(removing))


HANDLERS: Final = {Op.AVOID: Handler(Ack.UPDATE, press_avoid)}
