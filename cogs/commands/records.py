"""Records of games as files: ``/carc export`` attaches one, ``/carc import`` opens one to step through the game.

A record is a text with the setup and all actions. The panel of an opened record has the record as an attachment, and
its buttons contain the ply (the number of actions) to show. So nothing has to be stored, and the panel works after a
restart, as long as its message exists. An opened file may contain anything; reading it is limited in size and time.
"""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Final

import discord
from discord import ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.games.presenters import PRESENTERS
from cogs.interactions.admission import on_game
from cogs.interactions.context import table_of
from cogs.interactions.selection import run_operation
from cogs.messages import layout, rows
from cogs.panels.stepping import SteppedGame, SteppedScene, Stops, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, gallery, private_theme
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import Costly
from cogs.services.render_pool import NO_COST
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import MAX_NAME, clip, clip_name, fit_text
from engine.grammar.tags import MAX_TEXT_LENGTH, VERSION_KEY, RecordError
from engine.notation.records import VERSION, Record, format_record, read_record
from host import Game, GameStatus, Person, Substitution, Table, clean_text, unique_names

READ_TIMEOUT_SECONDS: Final = 2.0
"""The time limit for reading a record; that of a long game takes a hundredth of it."""
SLOW_READ_SECONDS: Final = 0.5
"""The reading time above which the user has to wait before they can open another record."""
OPENED_FILE_NAME: Final = "record.txt"
"""The name of the attachment in the panel of an opened record."""
NO_GAME_CODE: Final = "FILE"
"""The text in place of a game's code in custom ids; real codes have no vowels."""
MAX_REASON: Final = 300
"""Maximum length, in units, of the reason why a record cannot be read."""


class RecordCommands(commands.Cog):
    """``/carc export``, ``/carc import``."""

    @command("export")
    async def export(self, interaction: Interaction, game: str = "") -> None:
        """Attach the record of a game."""
        await run_operation(interaction, game, Op.EXPORT)

    @command("import")
    async def open(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Open an attached record to step through."""
        interaction.client.pace.require(interaction.user.id, Costly.RECORD)
        await _show(interaction, await _downloaded(interaction, file.read, file.size), lambda stops: stops.last)


# -- exporting --------------------------------------------------------------------------------------------------------


async def _export(interaction: Interaction, named_game: Game) -> None:
    """Attach the record of a game to the private answer."""
    client = interaction.client
    table = await table_of(interaction, named_game.code)
    taken_over = await client.host.seats.substitutions(named_game.id)
    text = await client.render_pool.run_for(interaction.user.id, lambda: format_record(record_of(table, taken_over)))
    game, name = table.game, file_name(table.game)
    position = table.position
    if position.is_over:
        words = t("records.finished", name=game.name, code=game.code, count=position.turn)
    else:  # the turn at hand is not counted
        words = t("records.running", name=game.name, code=game.code, count=position.turn - 1)
    view = layout(words, ui.File(f"attachment://{name}"))
    await interaction.edit_original_response(view=view, attachments=[_file(text, name)])


def record_of(table: Table, taken_over: Sequence[Substitution] = ()) -> Record:
    """Return the record of a game; that of a running game reveals nothing that lies face down.

    A seat that was taken over has the names of all its players, the latest first.
    """
    actions = [entry.action for entry in table.log]
    seated = len(table.game.seats)
    unique = unique_names([*table.game.seats, *(entry.before for entry in taken_over)])
    names = unique[:seated]
    for entry, before in zip(reversed(taken_over), reversed(unique[seated:]), strict=True):
        names[entry.seat] = t("records.taken_over", substitute=names[entry.seat], player=before)
    return Record.of(table.position.setup, actions, names=names, title=table.game.name)


def file_name(game: Game) -> str:
    """Return the file name: the game's name, its code and its ply."""
    words = re.sub(r"[^a-z0-9]+", "-", game.name.lower()).strip("-")
    return "-".join(filter(None, (words, game.code, str(game.ply)))) + ".txt"


def _file(text: str, name: str) -> discord.File:
    return discord.File(io.BytesIO(text.encode()), name)


# -- importing --------------------------------------------------------------------------------------------------------


async def press_record(interaction: Interaction, key: Key) -> None:
    """Go to another ply of the record that is attached to the panel."""
    require_private(interaction)
    attached = attached_file(interaction.message)
    if attached is None:
        raise RefusedError("record_gone")
    fetch = partial(interaction.client.http.get_from_cdn, attached.media.url)
    await _show(interaction, await _downloaded(interaction, fetch), lambda _: key.revision)


def attached_file(message: discord.Message | None) -> discord.FileComponent | None:
    """Return the file among the components of a message, or None."""
    parts = list(message.components) if message else []
    while parts:
        component = parts.pop(0)
        if isinstance(component, discord.FileComponent):
            return component
        parts += getattr(component, "children", ())
    return None


async def _downloaded(interaction: Interaction, fetch: Callable[[], Awaitable[bytes]], size: int = 0) -> Record:
    """Download and read a record; the file may hold anything.

    The ``size`` that Discord states can only lead to a refusal: the content is checked in any case.

    Raises:
        RefusedError: the file is too large, gone, no text, no record, or too slow to read.
    """
    if size > MAX_TEXT_LENGTH:
        raise RefusedError("record_large", size=_kib(size), most=_kib(MAX_TEXT_LENGTH))
    try:
        raw = await fetch()
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise RefusedError("record_gone") from error
    person, pace = interaction.user.id, interaction.client.pace

    def timed() -> Record:
        start = perf_counter()
        try:
            return read_bytes(raw)
        finally:
            if perf_counter() - start > SLOW_READ_SECONDS:
                pace.start_pause(person, Costly.RECORD)

    return await interaction.client.render_pool.read(person, timed)


def read_bytes(raw: bytes) -> Record:
    """Read a record; runs in a worker thread.

    Raises:
        RefusedError: it is no text, no record, or too slow to read.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("record_no_text", place=error.start + 1) from error
    if f"[{VERSION_KEY} " not in text:
        raise RefusedError("record_none", start=f'[{VERSION_KEY} "{VERSION}"]')
    try:
        return _cleaned(read_record(text, watch=_time_limit(READ_TIMEOUT_SECONDS)))
    except RecordError as error:
        reason = safe(fit_text(error.reason, MAX_REASON))
        raise RefusedError("record_wrong", line=error.line, reason=reason) from error


def _cleaned(record: Record) -> Record:
    """Return the record without control characters in its names and title, which could reorder or hide text."""
    return replace(
        record, names=tuple(clean_text(name) or "?" for name in record.names), title=clean_text(record.title)
    )


def _time_limit(seconds: float) -> Callable[[int], None]:
    """Return a callback for the reader that refuses the record after this time."""
    end = perf_counter() + seconds

    def watch(_: int) -> None:
        if perf_counter() > end:
            raise RefusedError("record_slow")

    return watch


def _kib(size: int) -> int:
    """Return a size in KiB, rounded up."""
    return -(-size // 1024)


async def _show(interaction: Interaction, record: Record, where: Callable[[Stops], int]) -> None:
    """Fill the panel with the ply that ``where`` picks, and attach the record in canonical form."""
    client, game = interaction.client, shown_game(record)
    walk = SteppedGame(PRESENTERS[record.setup.game], game, record.setup, record.actions)
    theme = private_theme(await client.host.preferences.get(interaction.user.id), game)

    def work() -> tuple[SteppedScene, str]:
        return walk.step(where, theme), format_record(record)

    message = interaction.message
    # No cost: reading the record has already taken its share.
    place = message.id if message else None
    step, text = await client.render_pool.run_for(interaction.user.id, work, place=place, cost=NO_COST)
    lines = [t("records.title", name=safe(game.name)), *walk.lines(step)]
    attached = ui.File[ui.LayoutView](f"attachment://{OPENED_FILE_NAME}")
    steps = rows(step_buttons(Op.RECORD, NO_GAME_CODE, step))
    view = layout(gallery(step.pictures), "\n".join(lines), steps, attached)
    await interaction.edit_original_response(
        view=view, attachments=[*attachments(step.pictures), _file(text, OPENED_FILE_NAME)]
    )


def shown_game(record: Record) -> Game:
    """Return a game made from a record, for the functions that draw and describe games; it is not stored."""
    names = record.names or [t("records.seat", seat=seat + 1) for seat in range(record.setup.players)]
    now = discord.utils.utcnow()
    return Game(
        id=0,
        code=NO_GAME_CODE,
        name=clip(record.title or t("records.untitled"), MAX_NAME),
        guild_id=0,
        channel_id=0,
        thread_id=None,
        seats=tuple(Person(-seat, clip_name(name)) for seat, name in enumerate(names, 1)),
        ply=len(record.actions),
        seat_to_act=None,
        status=GameStatus.FINISHED,
        created_at=now,
        updated_at=now,
        setup_text=record.setup.to_json(),
    )


HANDLERS: Final = {Op.RECORD: Handler(Ack.UPDATE, press_record), Op.EXPORT: Handler(Ack.PANEL, on_game(_export))}
