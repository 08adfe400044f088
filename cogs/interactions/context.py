"""The context of an interaction: its snapshot of the game, the reader's language, log fields, error sentences.

The snapshot counts for this one interaction, and only until that has changed something; what is done next need not look
again. An answer is in the language of who reads it: what they have chosen comes first, then the language of their
Discord, then that of the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord

from cogs.messages import custom_id_of
from cogs.presenting.ids import EVENT_OPS, LOBBY_OPS, parse_key
from cogs.texts import known, t
from cogs.texts.languages import matched, speak
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError, refusal_words, shown_value
from host import ErrorCode, HostError, observability

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game, GameSnapshot, Preferences, Table, TableSettings, Tongue


_LOOK: Final = "look"


def remember_snapshot(interaction: Interaction, look: GameSnapshot) -> None:
    """Remember what was found."""
    interaction.extras[_LOOK] = look


def forget_snapshot(interaction: Interaction) -> None:
    """The game has changed: whoever wants to know more looks anew."""
    interaction.extras.pop(_LOOK, None)


def known_game(interaction: Interaction, ref: str) -> Game | None:
    """The game with this code, if this is the one to which the interaction was let through."""
    look = _look(interaction)
    return look.game if look is not None and look.game.code == ref else None


async def snapshot_of(interaction: Interaction, ref: str) -> GameSnapshot:
    """What was found of a game, or what is found now.

    Raises:
        HostError: ``unknown_game``.
    """
    look = _look(interaction)
    if look is not None and look.game.code == ref:
        return look
    return await interaction.client.host.games.snapshot(ref, interaction.user.id)


async def table_of(interaction: Interaction, ref: str) -> Table:
    """The table of a game.

    Raises:
        HostError: ``unknown_game``, ``frozen``.
    """
    return await interaction.client.host.games.table(await snapshot_of(interaction, ref))


async def preferences_of(interaction: Interaction) -> Preferences:
    """How who asks wants to play."""
    look = _look(interaction)
    found = None if look is None else look.preferences
    return await interaction.client.host.preferences.get(interaction.user.id) if found is None else found


async def prefer(interaction: Interaction, preferences: Preferences) -> None:
    """Store how who asks wants to play from now on."""
    await interaction.client.host.preferences.set(interaction.user.id, preferences)
    look = _look(interaction)
    if look is not None:
        remember_snapshot(interaction, replace(look, preferences=preferences))


def _look(interaction: Interaction) -> GameSnapshot | None:
    return interaction.extras.get(_LOOK)


_UNDECIDED: Final = "language undecided"
_COMMUNITY: Final = "COMMUNITY"
"""The servers that say which language they prefer; all others report English."""


def language_for(interaction: Interaction) -> str:
    """The language of who asks; empty where the table decides. How he uses Discord is remembered."""
    tongues, user_id, locale = interaction.client.host.tongues, interaction.user.id, str(interaction.locale)
    tongues.seen(user_id, locale)
    language = matched(tongues.chosen_by(user_id)) or matched(locale)
    interaction.extras[_UNDECIDED] = not language
    return language


def listens(interaction: Interaction) -> bool:
    """Whether who asks plays by ear."""
    return interaction.client.host.tongues.listens(interaction.user.id)


def in_the_language_of(interaction: Interaction, table: str) -> None:
    """The interaction is about a table, or an event, in this language: who speaks none of ours reads that."""
    if interaction.extras.get(_UNDECIDED):
        speak(table)


def language_of_new_table(interaction: Interaction, settings: TableSettings) -> str:
    """In which language a table is told that is being opened: as the server says, else as who opens it speaks."""
    guild = interaction.guild
    prefers = str(guild.preferred_locale) if guild is not None and _COMMUNITY in guild.features else ""
    return matched(settings.language) or matched(prefers) or language_for(interaction)


def language_from(tongue: Tongue, settings: TableSettings) -> str:
    """The language of somebody to whom no interaction answers, about a table."""
    return matched(tongue.chosen) or matched(tongue.locale) or settings.language


GAME: Final = "game"
"""Where an interaction's ``extras`` say which game (code) it is about."""


async def words_for(interaction: Interaction, error: HostError | RefusedError) -> str:
    """The sentence that answers an error."""
    if isinstance(error, RefusedError):
        return t(f"refusal.{error.key}", **error.values)
    values = {name: shown_value(value) for name, value in error.values.items()}
    game = await _game_of(interaction)
    if game is None:
        return refusal_words(error.code, error.values)
    if error.code is ErrorCode.STALE and _is_ahead(error):
        interaction.client.publisher.doubt(game)
        return t("error.ahead", link=await table_link(interaction.client.host, game))
    better = await _out_of_turn(interaction, game) if error.code is ErrorCode.NOT_YOUR_TURN else ""
    if better:
        return t(f"error.{better}", **values)
    place = await table_link(interaction.client.host, game)
    key = f"error.{error.code}_at"
    return t(key if known(key) else f"error.{error.code}", link=place, **values)


def _is_ahead(error: HostError) -> bool:
    """Whether somebody holds a card of a move that the game does not know."""
    revision, current = error.values.get("revision"), error.values.get("current")
    return isinstance(revision, int) and isinstance(current, int) and revision > current


async def _game_of(interaction: Interaction) -> Game | None:
    code = interaction.extras.get(GAME)
    if code is None:
        return None
    try:
        return (await snapshot_of(interaction, code)).game
    except HostError:
        return None


async def _out_of_turn(interaction: Interaction, game: Game) -> str:
    """The key of what the game has to say to a player whose turn it is not, if it has anything to say."""
    position = (await table_of(interaction, game.code)).position
    seat = game.seat_of(interaction.user.id)
    return "" if seat is None else interaction.client.presenters[position.setup.game].out_of_turn(position, seat)


_TYPED: Final = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
_NOTHING: Final = "0"
"""What is named in a button that is about no game."""
_REFERENCE: Final = "reference"
_LONGEST: Final = 100
"""Characters of what somebody typed or sent."""


def circumstances(interaction: Interaction) -> dict[str, object]:
    """For ``extra``; nothing in it lets anybody act for somebody else."""
    found: dict[str, object] = {
        "interaction": interaction.id,
        "reference": interaction.extras.setdefault(_REFERENCE, observability.new_reference()),
        "server": interaction.guild_id,
        "channel": interaction.channel_id,
        "user": interaction.user.id,
    }
    custom_id = custom_id_of(interaction)
    if custom_id:
        found["pressed"] = custom_id[:_LONGEST]
    elif interaction.type in _TYPED:
        found["command"] = interaction.command.qualified_name if interaction.command else "unknown"
    key = parse_key(custom_id)
    named = _named(interaction) if key is None else key.ref
    if key is not None and key.op in LOBBY_OPS | EVENT_OPS:
        found["lobby" if key.op in LOBBY_OPS else "event"] = named
        return found
    game = interaction.extras.get(GAME) or named  # which it turned out to be, else was named
    if game and game != _NOTHING:
        found["game"] = str(game)[:_LONGEST]
        stored = known_game(interaction, str(game))
        if stored is not None:
            found["ply"] = stored.ply
        elif key is not None:
            found["revision"] = key.revision  # nobody has looked yet where it stands
    return found


def is_about(interaction: Interaction, game: Game) -> None:
    """From here on this interaction is about a game."""
    interaction.extras[GAME] = game.code
    observability.known(game=game.code, ply=game.ply)


def _named(interaction: Interaction) -> object:
    """The code of a game that was typed; what `/carc new` calls a game is which one to play."""
    command = interaction.command
    return None if command is not None and command.name == "new" else interaction.namespace.game
