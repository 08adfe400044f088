"""Finding the game that a player means, and who may do what there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from cogs.ui.refusals import GAME, RefusedError
from host import ErrorCode, GameStatus, HostError

if TYPE_CHECKING:
    from cogs.client import Interaction
    from host import Game, GameSummary, Host, Table


async def find_game(interaction: Interaction, code: str | None, *, own: bool) -> Game:
    """The game with a code; without one the game of this channel, else the player's only game, or only one waiting.

    Raises:
        HostError: unknown_game, also for a game that somebody neither plays nor may see.
        RefusedError: no game, or several, could be meant.
    """
    host = interaction.client.host
    if code:
        game = await host.game(code)
        if not _may_see(interaction, game):
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=code)
    else:
        game = await _game_here(interaction, own=own) or await host.game((await _only_game(interaction)).game_id)
    interaction.extras[GAME] = game.code
    return game


def _may_see(interaction: Interaction, game: Game) -> bool:
    """Whether somebody plays the game, or sees the place where it is played: nobody looks on by its code alone."""
    guild, member = interaction.guild, interaction.user
    if game.seat_of(member.id) is not None or game.place == interaction.channel_id:
        return True
    if guild is None or guild.id != game.guild_id or not isinstance(member, discord.Member):
        return False
    place = guild.get_channel_or_thread(game.place) or guild.get_channel(game.channel_id)  # a thread may be archived
    if place is None or (isinstance(place, discord.Thread) and place.is_private()):
        return False
    return place.permissions_for(member).view_channel


async def _game_here(interaction: Interaction, *, own: bool) -> Game | None:
    game = await interaction.client.host.game_in_channel(interaction.channel_id or 0)
    if game is None or (own and game.seat_of(interaction.user.id) is None):
        return None
    return game


async def _only_game(interaction: Interaction) -> GameSummary:
    games = await interaction.client.host.games_of(interaction.user.id, guild_id=interaction.guild_id)
    if not games:
        raise RefusedError("no_game")
    waiting = [game for game in games if game.waiting_for_me]
    if len(games) > 1 and len(waiting) != 1:
        raise RefusedError("which_game", codes=", ".join(game.code for game in games[:10]))
    return waiting[0] if waiting else games[0]


async def table_to_move(host: Host, ref: str, user_id: int, ply: int | None = None) -> Table:
    """The table at which this player has to decide something, at this ply if one is given.

    Raises:
        HostError: unknown_game, frozen, game_over, stale, not_a_player, resigned, not_your_turn.
    """
    table = await host.table(ref)
    game, position = table.game, table.position
    if game.status is GameStatus.FROZEN:
        raise HostError(ErrorCode.FROZEN)
    if position.is_over:
        raise HostError(ErrorCode.GAME_OVER)
    if ply is not None and ply != position.ply:
        raise HostError(ErrorCode.STALE, ply=ply, current=position.ply)
    seat = game.seat_of(user_id)
    if seat is None:
        raise HostError(ErrorCode.NOT_A_PLAYER)
    if position.withdrawn[seat]:
        raise HostError(ErrorCode.RESIGNED)
    if seat != position.player:
        raise HostError(ErrorCode.NOT_YOUR_TURN, player=game.seats[position.player].name)
    return table
