"""Games as files: ``/carc export`` hands out the record of a game, ``/carc import`` opens one for looking through.

The panel of an opened record carries it as an attachment, in our own spelling; its buttons carry the ply. So they need
nothing that the bot remembers, and work after a restart as long as the message is there.
"""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.games.presenters import PRESENTERS
from cogs.interactions.admission import admitted
from cogs.interactions.context import table_of
from cogs.interactions.replies import acknowledge, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, rows
from cogs.panels.stepping import SteppedScene, Stops, Walk, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, gallery, private_theme
from cogs.services.bot import Ack, Handling
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import Costly
from cogs.services.render_pool import NOTHING
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import LONGEST_NAME, clipped, clipped_name, whole
from engine.grammar.tags import LARGEST, VERSION_KEY, RecordError
from engine.notation.reading import read_record
from engine.notation.records import VERSION, Record, format_record
from host import Game, GameStatus, Person, cleaned, told_apart

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Substitution, Table

SECONDS: Final = 2.0
"""How long the reading of a record may take; that of a long game takes a hundredth of it."""
UNUSUAL: Final = 0.5
"""Who has sent what took longer waits a while before he opens the next one."""
OPENED: Final = "record.txt"
"""The attachment of a panel with an opened record."""
NO_GAME: Final = "FILE"
"""Where other ids name a game: no code of a game has vowels."""
LONGEST_REASON: Final = 300
"""Characters of what is wrong with a record."""


class RecordCommands(commands.Cog):
    """``/carc export``, ``/carc import``."""

    @app_commands.command(name="export", description=t("command.export.description"))
    @about_game
    async def export(self, interaction: Interaction, game: str = "") -> None:
        """Attach the record of a game."""
        await guarded(interaction, _export(interaction, game))

    @app_commands.command(name="import", description=t("command.import.description"))
    @app_commands.describe(file=t("command.import.file"))
    async def open(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Open an attached record for looking through."""
        await guarded(interaction, _import(interaction, file))


# -- handing out ------------------------------------------------------------------------------------------------------


async def _export(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await _hand_out(interaction, await find_game(interaction, code, own=False, op=Op.EXPORT))


async def press_export(interaction: Interaction, key: Key) -> None:
    """Attach the record of a game."""
    await _hand_out(interaction, await admitted(interaction, key.ref))


async def _hand_out(interaction: Interaction, found: Game) -> None:
    client = interaction.client
    table = await table_of(interaction, found.code)
    taken_over = await client.host.seats.substitutions(found.id)
    text = await client.render_pool.look(interaction.user.id, lambda: format_record(record_of(table, taken_over)))
    game, name = table.game, file_name(table.game)
    key = "records.finished" if table.position.is_over else "records.running"
    words = t(key, name=game.name, code=game.code, count=len(table.log))
    view = layout(ui.TextDisplay(words), ui.File(f"attachment://{name}"))
    await interaction.edit_original_response(view=view, attachments=[_file(text, name)])


def record_of(table: Table, taken_over: Sequence[Substitution] = ()) -> Record:
    """The record of a game as it stands; of a running one without anything that lies face down.

    A seat that was taken over bears the names of all who sat there, the last one first.
    """
    actions = [entry.action for entry in table.log]
    seated = len(table.game.seats)
    called = told_apart([*table.game.seats, *(entry.before for entry in taken_over)])
    names = called[:seated]
    for entry, before in zip(reversed(taken_over), reversed(called[seated:]), strict=True):
        names[entry.seat] = t("records.taken_over", substitute=names[entry.seat], player=before)
    return Record.of(table.position.setup, actions, names=names, title=table.game.name)


def file_name(game: Game) -> str:
    """A name for the file: the game's own, its code, and how far it has come."""
    words = re.sub(r"[^a-z0-9]+", "-", game.name.lower()).strip("-")
    return "-".join(filter(None, (words, game.code, str(game.ply)))) + ".txt"


def _file(text: str, name: str) -> discord.File:
    return discord.File(io.BytesIO(text.encode()), name)


# -- opening ----------------------------------------------------------------------------------------------------------


async def _import(interaction: Interaction, file: discord.Attachment) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        interaction.client.pace.require(interaction.user.id, Costly.RECORD)
        await _show(interaction, await _downloaded(interaction, file.read, file.size), lambda stops: stops.last)


async def press_record(interaction: Interaction, key: Key) -> None:
    """Go to another ply of the record that hangs on the panel."""
    require_private(interaction)
    hanging = hanging_file(interaction.message)
    if hanging is None:
        raise RefusedError("record_gone")
    fetch = partial(interaction.client.http.get_from_cdn, hanging.media.url)
    await _show(interaction, await _downloaded(interaction, fetch), lambda _: key.revision)


def hanging_file(message: discord.Message | None) -> discord.FileComponent | None:
    """The file that a message shows among its components."""
    parts = list(message.components) if message else []
    while parts:
        part = parts.pop(0)
        if isinstance(part, discord.FileComponent):
            return part
        parts += getattr(part, "children", ())
    return None


async def _downloaded(interaction: Interaction, fetch: Callable[[], Awaitable[bytes]], size: int = 0) -> Record:
    """The record in a file, which may hold anything; what Discord says of it is only believed to refuse it.

    Raises:
        RefusedError: too large, gone, no text, no record, or too slow to read.
    """
    if size > LARGEST:
        raise RefusedError("record_large", size=_kib(size), most=_kib(LARGEST))
    try:
        raw = await fetch()
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise RefusedError("record_gone") from error
    person, pace = interaction.user.id, interaction.client.pace

    def timed() -> Record:
        begun = perf_counter()
        try:
            return read(raw)
        finally:
            if perf_counter() - begun > UNUSUAL:
                pace.rest(person, Costly.RECORD)

    return await interaction.client.render_pool.read(person, timed)


def read(raw: bytes) -> Record:
    """Read a record; runs in a worker thread.

    Raises:
        RefusedError: no text, no record, or too slow to read.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("record_no_text", place=error.start + 1) from error
    if f"[{VERSION_KEY} " not in text:
        raise RefusedError("record_none", start=f'[{VERSION_KEY} "{VERSION}"]')
    try:
        return _in_plain_lines(read_record(text, watch=_for_seconds(SECONDS)))
    except RecordError as error:
        reason = safe(whole(error.reason, LONGEST_REASON))
        raise RefusedError("record_wrong", line=error.line, reason=reason) from error


def _in_plain_lines(record: Record) -> Record:
    """The record with names and a title that cannot turn or hide the words around them."""
    return replace(record, names=tuple(cleaned(name) or "?" for name in record.names), title=cleaned(record.title))


def _for_seconds(seconds: float) -> Callable[[int], None]:
    end = perf_counter() + seconds

    def watch(_: int) -> None:
        if perf_counter() > end:
            raise RefusedError("record_slow")

    return watch


def _kib(size: int) -> int:
    return -(-size // 1024)


async def _show(interaction: Interaction, record: Record, where: Callable[[Stops], int]) -> None:
    """Fill the panel; the record is attached anew each time, in our own spelling."""
    client, game = interaction.client, shown_game(record)
    walk = Walk(PRESENTERS[record.setup.game], game, record.setup, record.actions)
    theme = private_theme(await client.host.preferences.get(interaction.user.id), game)

    def work() -> tuple[SteppedScene, str]:
        return walk.step(where, theme), format_record(record)

    message = interaction.message
    # Reading the record was a look's worth already.
    place = message.id if message else None
    step, text = await client.render_pool.look(interaction.user.id, work, place=place, cost=NOTHING)
    lines = [t("records.title", name=safe(game.name)), *walk.lines(step)]
    words = ui.TextDisplay[ui.LayoutView]("\n".join(lines))
    hanging = ui.File[ui.LayoutView](f"attachment://{OPENED}")
    steps = rows(step_buttons(Op.RECORD, NO_GAME, step))
    view = layout(gallery(step.pictures), words, steps, hanging)
    await interaction.edit_original_response(view=view, attachments=[*attachments(step.pictures), _file(text, OPENED)])


def shown_game(record: Record) -> Game:
    """The game of a record as words and pictures want it: it is played nowhere."""
    names = record.names or [t("records.seat", seat=seat + 1) for seat in range(record.setup.players)]
    now = discord.utils.utcnow()
    return Game(
        id=0,
        code=NO_GAME,
        name=clipped(record.title or t("records.untitled"), LONGEST_NAME),
        guild_id=0,
        channel_id=0,
        thread_id=None,
        seats=tuple(Person(-seat, clipped_name(name)) for seat, name in enumerate(names, 1)),
        ply=len(record.actions),
        seat_to_act=None,
        status=GameStatus.FINISHED,
        created_at=now,
        updated_at=now,
        setup_text=record.setup.to_json(),
    )


HANDLINGS: Final = {Op.RECORD: Handling(Ack.UPDATE, press_record), Op.EXPORT: Handling(Ack.PANEL, press_export)}
