"""Finding the game that a player means, and who may do what there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from cogs.interactions.admission import admitted, sees_table
from cogs.interactions.press import button
from cogs.interactions.snapshots import snapshot_of
from cogs.messages import rows
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.words.names import called, isolated, others_at
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped, clipped_name
from host import HostError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from engine import Action
    from host import Game, GameSummary, Table

MOST_ASKED: Final = 10
"""Games among which one is asked to choose."""
LONGEST_LABEL: Final = 80
LONGEST_TO_ACT: Final = 20
"""Units of the name of who has to decide, in a list."""


async def find_game(interaction: Interaction, code: str | None, *, own: bool, op: Op | None = None) -> Game:
    """The game with a code; without one that which is meant here, as :func:`host.choosing.meant` says.

    Where several may be meant they are asked about, with buttons for ``op`` if there is one.

    Raises:
        HostError: unknown_game, also for a game that somebody neither plays nor may see.
        RefusedError: no game, or several, could be meant.
    """
    if code:
        return await admitted(interaction, code)
    meant = await _meant(interaction, own=own)
    if not meant:
        raise RefusedError("no_game")
    if len(meant) > 1:
        raise _which(meant, op, interaction.user.id)
    return await admitted(interaction, meant[0].code)


async def game_here(interaction: Interaction) -> Game | None:
    """The game that is meant here, if it is one."""
    try:
        return await find_game(interaction, "", own=False)
    except (HostError, RefusedError):
        return None


async def _meant(interaction: Interaction, *, own: bool) -> list[GameSummary]:
    place, thread = interaction.channel_id or 0, isinstance(interaction.channel, discord.Thread)
    meant = await interaction.client.host.game_lists.candidates(
        interaction.user.id, interaction.guild_id or 0, place, own=own, thread=thread
    )
    return [game for game in meant[:MOST_ASKED] if game.playing or await sees_table(interaction, game)]


def _which(games: Sequence[GameSummary], op: Op | None, user_id: int) -> RefusedError:
    """The question which game is meant."""
    codes = ", ".join(game.code for game in games)
    if op is None:
        return RefusedError("which_game", codes=codes)
    labels = [game_label(game, user_id, LONGEST_LABEL) for game in games]
    pairs = zip(games, labels, strict=True)
    buttons: list[ui.Item[Any]] = [button(op, game.code, game.revision, label) for game, label in pairs]
    return RefusedError("which_game_pressed", codes=codes, offers=rows(buttons))


def game_label(game: GameSummary, user_id: int, longest: int) -> str:
    """A game in somebody's list: what has to be told apart stands first, with six long names the last are cut off."""
    key = "game.waiting" if game.waiting_for_me else "game.running"
    to_act = isolated(clipped_name(called(game, game.to_act.user_id), LONGEST_TO_ACT)) if game.to_act else ""
    players = ", ".join(isolated(name) for name in others_at(game, user_id))
    return clipped(t(key, name=game.name, code=game.code, player=to_act, players=players), longest)


async def table_to_move(
    interaction: Interaction, ref: str, revision: int | None = None, actions: Sequence[Action] = ()
) -> Table:
    """The table at which who asks has to decide something, at this revision if one is given; he may do these actions.

    Raises:
        HostError: unknown_game, and as for :meth:`host.Host.moves.table_to_move`.
    """
    look = await snapshot_of(interaction, ref)
    return await interaction.client.host.moves.table_to_move(look, interaction.user.id, revision, actions)
