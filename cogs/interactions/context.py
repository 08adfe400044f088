"""The context of an interaction: the game that it is about, the user's language, its log fields and error messages.

The *snapshot* of a game that access control has read is remembered, which saves a second query within one interaction.
It is discarded when the interaction has changed the game.

A private answer is in the language of its reader: the one that they have chosen in the bot, else that of their Discord
client if the bot supports it, else that of the game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import discord

from cogs.messages import custom_id_of
from cogs.presenting.ids import EVENT_OPS, LOBBY_OPS, parse_key
from cogs.services.bot import Interaction
from cogs.texts import has_text, t
from cogs.texts.languages import offered_language_of, speak
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError, refusal_words, shown_value
from host import ErrorCode, Game, GameSnapshot, HostError, Preferences, Table, TableSettings, UserLocale, observability

_SNAPSHOT: Final = "snapshot"
"""The key of the snapshot in the ``extras`` of an interaction."""


def remember_snapshot(interaction: Interaction, snapshot: GameSnapshot) -> None:
    """Remember the snapshot of a game for the rest of the interaction."""
    interaction.extras[_SNAPSHOT] = snapshot


def forget_snapshot(interaction: Interaction) -> None:
    """Discard the snapshot, because the interaction has changed the game."""
    interaction.extras.pop(_SNAPSHOT, None)


def known_game(interaction: Interaction, ref: str) -> Game | None:
    """Return the game with this code if access to it was granted before in this interaction, else None."""
    snapshot = _snapshot(interaction)
    return snapshot.game if snapshot is not None and snapshot.game.code == ref else None


async def snapshot_of(interaction: Interaction, ref: str) -> GameSnapshot:
    """Return the remembered snapshot of a game, or read one.

    Raises:
        HostError: ``unknown_game``.
    """
    snapshot = _snapshot(interaction)
    if snapshot is not None and snapshot.game.code == ref:
        return snapshot
    return await interaction.client.host.games.snapshot(ref, interaction.user.id)


async def table_of(interaction: Interaction, ref: str) -> Table:
    """Return a game with its position and log.

    Raises:
        HostError: ``unknown_game``, ``frozen``.
    """
    return await interaction.client.host.games.table(await snapshot_of(interaction, ref))


async def preferences_of(interaction: Interaction) -> Preferences:
    """Return the preferences of the user, from the snapshot if it has them."""
    snapshot = _snapshot(interaction)
    preferences = None if snapshot is None else snapshot.preferences
    return await interaction.client.host.preferences.get(interaction.user.id) if preferences is None else preferences


async def set_preferences(interaction: Interaction, preferences: Preferences) -> None:
    """Store the preferences of the user, and put them into the snapshot."""
    await interaction.client.host.preferences.set(interaction.user.id, preferences)
    snapshot = _snapshot(interaction)
    if snapshot is not None:
        remember_snapshot(interaction, replace(snapshot, preferences=preferences))


def _snapshot(interaction: Interaction) -> GameSnapshot | None:
    """Return the remembered snapshot; None if there is none."""
    return interaction.extras.get(_SNAPSHOT)


_UNDECIDED: Final = "language undecided"
"""The key in the ``extras`` of an interaction that is true if the user has no language that the bot supports."""
_COMMUNITY: Final = "COMMUNITY"
"""The feature of servers that have a preferred language; all others report English."""


def language_for(interaction: Interaction) -> str:
    """Return the language of the user, and record the locale of their Discord client.

    Empty if the bot supports neither; then :func:`fall_back_to_language` sets that of the game.
    """
    locales, user_id, locale = interaction.client.host.locales, interaction.user.id, str(interaction.locale)
    locales.record(user_id, locale)
    language = offered_language_of(locales.chosen_by(user_id)) or offered_language_of(locale)
    interaction.extras[_UNDECIDED] = not language
    return language


def listens(interaction: Interaction) -> bool:
    """Return whether the user plays in screen reader mode: in words, without pictures."""
    return interaction.client.host.locales.plays_by_ear(interaction.user.id)


def fall_back_to_language(interaction: Interaction, language: str) -> None:
    """Answer in the language of a game or event if the bot supports none of the user's own."""
    if interaction.extras.get(_UNDECIDED):
        speak(language)


def language_of_new_table(interaction: Interaction, settings: TableSettings) -> str:
    """Return the language of a game that is being opened: that of the server, else that of the user."""
    guild = interaction.guild
    preferred = str(guild.preferred_locale) if guild is not None and _COMMUNITY in guild.features else ""
    return offered_language_of(settings.language) or offered_language_of(preferred) or language_for(interaction)


def language_from(locale: UserLocale, settings: TableSettings) -> str:
    """Return the language of a direct message to a user about a game with these settings."""
    return offered_language_of(locale.chosen) or offered_language_of(locale.locale) or settings.language


GAME: Final = "game"
"""The key of the game's code in the ``extras`` of an interaction."""


async def words_for(interaction: Interaction, error: HostError | RefusedError) -> str:
    """Return the sentence that explains a refusal to the user; about a game, with a link to it if there is such a text.

    A button that is ahead of the database also causes a check whether the database was restored.
    """
    if isinstance(error, RefusedError):
        return t(f"refusal.{error.key}", **error.values)
    values = {name: shown_value(value) for name, value in error.values.items()}
    game = await _game_of(interaction)
    if game is None:
        return refusal_words(error.code, error.values)
    if error.code is ErrorCode.STALE and _is_ahead(error):
        interaction.client.publisher.check_for_restore(game)
        return t("error.ahead", link=await table_link(interaction.client.host, game))
    own_key = await _out_of_turn(interaction, game) if error.code is ErrorCode.NOT_YOUR_TURN else ""
    if own_key:
        return t(f"error.{own_key}", **values)
    place = await table_link(interaction.client.host, game)
    key = f"error.{error.code}_at"
    return t(key if has_text(key) else f"error.{error.code}", link=place, **values)


def _is_ahead(error: HostError) -> bool:
    """Return whether a button has a newer revision than its game."""
    revision, current = error.values.get("revision"), error.values.get("current")
    return isinstance(revision, int) and isinstance(current, int) and revision > current


async def _game_of(interaction: Interaction) -> Game | None:
    """Return the game that an interaction is about; None if it is about no game, or that cannot be read."""
    code = interaction.extras.get(GAME)
    if code is None:
        return None
    try:
        return (await snapshot_of(interaction, code)).game
    except HostError:
        return None


async def _out_of_turn(interaction: Interaction, game: Game) -> str:
    """Return the key of a sentence that the kind of game has for a player out of turn; empty if it has none."""
    position = (await table_of(interaction, game.code)).position
    seat = game.seat_of(interaction.user.id)
    return "" if seat is None else interaction.client.presenters[position.setup.game].out_of_turn(position, seat)


_TYPED: Final = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
"""The types of interactions that are typed commands."""
_NO_GAME: Final = "0"
"""The word in a custom id, in place of a game's code, of a button that is about no game."""
_REFERENCE: Final = "reference"
"""The key of the reference in the ``extras`` of an interaction, by which operators find its log lines."""
_MAX_LOGGED: Final = 100
"""The most characters of user input in a log line."""


def log_fields(interaction: Interaction) -> dict[str, object]:
    """Return the log fields that describe an interaction; they contain no token or other secret."""
    fields: dict[str, object] = {
        "interaction": interaction.id,
        "reference": interaction.extras.setdefault(_REFERENCE, observability.new_reference()),
        "server": interaction.guild_id,
        "channel": interaction.channel_id,
        "user": interaction.user.id,
    }
    custom_id = custom_id_of(interaction)
    if custom_id:
        fields["pressed"] = custom_id[:_MAX_LOGGED]
    elif interaction.type in _TYPED:
        fields["command"] = interaction.command.qualified_name if interaction.command else "unknown"
    key = parse_key(custom_id)
    if key is not None:
        game_ref: object = key.ref
    elif interaction.command is not None and interaction.command.name == "new":
        game_ref = None  # the option ``game`` of ``/carc new`` is a kind of game, not a code
    else:
        game_ref = interaction.namespace.game
    if key is not None and key.op in LOBBY_OPS | EVENT_OPS:
        fields["lobby" if key.op in LOBBY_OPS else "event"] = game_ref
        return fields
    game = interaction.extras.get(GAME) or game_ref  # the admitted game wins over what was typed
    if game and game != _NO_GAME:
        fields["game"] = str(game)[:_MAX_LOGGED]
        stored = known_game(interaction, str(game))
        if stored is not None:
            fields["ply"] = stored.ply
        elif key is not None:
            fields["revision"] = key.revision  # the game is not read yet
    return fields


def bind_game(interaction: Interaction, game: Game) -> None:
    """Record which game an interaction is about, for error messages and log lines."""
    interaction.extras[GAME] = game.code
    observability.bind_fields(game=game.code, ply=game.ply)
