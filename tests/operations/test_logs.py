"""The log: the form of a line, secrets that are removed, levels, and the lines that a game leaves.

A line is logfmt, `key=value` pairs, or JSON. An interaction is a command or press of a member, and its reference the
code that they see if it fails; a game is named by its code, as K7QF.
"""

import asyncio
import functools
import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from structlog.contextvars import bound_contextvars

import bot
from cogs.presenting.ids import Op
from operations.logs import OWN_LOGGERS, Formatter, start_logging
from operations.settings import LogFormat, Settings
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import buttons
from tests.e2e.sockets import SocketTable
from tests.loopback import ForkedBot, LoopbackDiscord

BOT = Path(bot.__file__)


def line(message: str, *args: object, logger: str = "host.host", form: LogFormat = "logfmt", **extra: object) -> str:
    """Format a record as a line of the log."""
    fields = {"name": logger, "levelno": logging.INFO, "levelname": "INFO", "msg": message, "args": args}
    return Formatter("SeCrEt.bot.token", form=form).format(logging.makeLogRecord({**fields, **extra}))


def raised_by(error: Exception) -> object:
    """Raise an error, and return its ``exc_info``."""
    try:
        raise error
    except type(error):
        return sys.exc_info()


# -- one line ----------------------------------------------------------------------------------------------------


def test_an_event_is_a_line_of_logfmt_with_common_fields_first() -> None:
    text = line("move made", user=5, ply=3, game="K7QF", server=9, interaction=7, actions="M12/90 pass")
    assert re.fullmatch(r"time=\S+Z level=info logger=host\.host event=\"move made\" .*", text)
    assert text.endswith(' game=K7QF ply=3 server=9 interaction=7 user=5 actions="M12/90 pass"')


def test_lines_of_an_interaction_have_its_fields() -> None:
    with bound_contextvars(interaction=7, server=9, game="AAAA"):
        assert line("card posted", game="K7QF").endswith(' event="card posted" game=K7QF server=9 interaction=7')
    assert "interaction" not in line("card posted")


def test_a_traceback_follows_its_line() -> None:
    raised = raised_by(RuntimeError("a bug of ours"))
    first, *rest = line("oops", exc_info=raised, reference="AB12CD34").splitlines()
    assert first.endswith("event=oops reference=AB12CD34")
    assert rest[0] == "Traceback (most recent call last):"
    assert rest[-1] == "RuntimeError: a bug of ours"


def test_a_json_line_is_an_object_with_fields_and_traceback() -> None:
    raised = raised_by(RuntimeError(f"a bug of ours, with {SEED}"))
    fields = {"game": "K7QF", "ply": 3, "reference": "AB12CD34"}
    with bound_contextvars(interaction=7, server=9):
        text = line("oops\nSeCrEt.bot.token", form="json", exc_info=raised, **fields)
    assert "\n" not in text
    assert not any(secret in text for secret in (SEED, "SeCrEt.bot.token"))
    read = json.loads(text)
    assert {name: read[name] for name in fields} == fields
    assert (read["interaction"], read["server"], read["level"], read["logger"]) == (7, 9, "info", "host.host")
    assert read["exception"].splitlines()[0] == "Traceback (most recent call last):"
    assert read["exception"].endswith("RuntimeError: a bug of ours, with …")


@pytest.mark.parametrize("character", ["\r", "\x1b[2J", "\u2028", "\n", "\u202e"])
def test_user_input_cannot_forge_a_line(character: str) -> None:
    text = line("pressed", pressed=f"c1:go{character}time=0 level=error event=forged")
    assert len(text.splitlines()) == 1
    assert character not in text


# -- secrets -----------------------------------------------------------------------------------------------------

TOKEN = "aW50ZXJhY3Rpb24:MTIz_-x.y"  # noqa: S105 - a made-up token
SEED = "0123456789abcdef0123456789abcdef"
"""A seed of a running game, which no line may contain."""


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("Webhook ID %s with POST https://discord.com/api/v10/webhooks/12/%s/messages/@original?wait=1", (12, TOKEN)),
        ("POST https://discord.com/api/v10/interactions/34/%s/callback has returned 204", (TOKEN,)),
        ("For Shard ID %s: WebSocket Event: %s", (None, {"d": {"token": TOKEN, "id": "5"}})),
        ("sent %s", (json.dumps({"token": TOKEN}),)),
        ("sent %r", (json.dumps({"op": 2, "d": {"token": TOKEN}}),)),
        ("Authorization: Bot %s", ("MTIz.GabcdE.x-y_z",)),
        ("logged in with %s", ("SeCrEt.bot.token",)),
        ("setup %s", (json.dumps({"game": "carcassonne", "seed": SEED, "pile": ["base/A"]}),)),
        ("setup %r", (json.dumps({"seed": SEED}),)),
        ("Setup(players=2, seed=%r)", (SEED,)),
        ("seed: %s", (SEED,)),
        ("**Seed** of the pile, which nobody knew: `%s`", (SEED,)),
    ],
)
@pytest.mark.parametrize("logger", ["discord.http", "aiosqlite"])
def test_tokens_and_seeds_are_removed_from_any_record(message: str, args: tuple[object, ...], logger: str) -> None:
    for text in (line(message, *args, logger=logger), line("x", about=message % args)):
        assert not any(secret in text for secret in (TOKEN, SEED, "GabcdE", "SeCrEt"))


def test_the_drivers_statements_are_logged_without_values() -> None:
    call = functools.partial(print, "INSERT INTO games\n VALUES (?, ?)", ("setup", SEED))
    assert 'event="executing print INSERT INTO games VALUES (?, ?)"' in line("executing %s", call, logger="aiosqlite")


def test_secrets_are_removed_from_tracebacks() -> None:
    assert TOKEN not in line("oops", exc_info=raised_by(RuntimeError(f"POST /webhooks/12/{TOKEN} failed")))


def test_a_commitment_is_not_a_secret() -> None:
    assert "f" * 64 in line("game opened", commitment="f" * 64)


# -- levels ------------------------------------------------------------------------------------------------------


@pytest.fixture
def _levels() -> Iterator[None]:
    """Restore the levels and handlers of loggers after the test."""
    root = logging.getLogger()
    before = {name: logging.getLogger(name).level for name in (*OWN_LOGGERS, "alembic")}
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, value in before.items():
        logging.getLogger(name).setLevel(value)


@pytest.mark.usefixtures("_levels")
@pytest.mark.parametrize(
    ("own", "libraries", "expected"),
    [
        ("DEBUG", None, ("DEBUG", "INFO", "WARNING")),
        ("INFO", None, ("INFO", "INFO", "WARNING")),
        ("ERROR", None, ("ERROR", "ERROR", "WARNING")),
        ("WARNING", "DEBUG", ("WARNING", "DEBUG", "DEBUG")),
    ],
)
def test_libraries_log_details_on_request_only(own: str, libraries: str | None, expected: tuple[str, str, str]) -> None:
    start_logging(Settings(log_level=own, libraries_log_level=libraries))
    names = ("cogs.background.publisher", "aiosqlite", "alembic")
    assert tuple(logging.getLevelName(logging.getLogger(name).getEffectiveLevel()) for name in names) == expected


# -- a game ------------------------------------------------------------------------------------------------------


async def test_a_game_logs_each_event_and_no_secret_at_level_debug(tmp_path: Path) -> None:
    everything = {"CASTELLAN_LOG_LEVEL": "DEBUG", "CASTELLAN_LIBRARY_LOG_LEVEL": "DEBUG"}
    async with LoopbackDiscord() as server:
        database = tmp_path / "games.sqlite3"
        process = ForkedBot(server, BOT, database=database, log=tmp_path / "bot.log", environment=everything)
        await process.start()
        table = SocketTable(server, process, database)
        try:
            await table.open(2, game="the-castle")
            await table.settle()
            clicker = Clicker(table, Random(3), Habits(quick=True))
            for _ in range(2):
                await clicker.move(table.card())
                await table.settle()
            await resign(table)
            await table.settle()
            async with asyncio.timeout(60):
                while not lines_of(process.output, "ready"):  # noqa: ASYNC110  # another process, which waits for more servers
                    await asyncio.sleep(0.1)
            assert await process.stop() == 0
        finally:
            await process.kill()
    log, stored = process.output, table.stored()
    assert stored.status == "finished"
    where = f"server={server.guild.id} interaction="
    assert lines_of(log, "lobby opened") == 1
    assert lines_of(log, "lobby joined") == 1
    assert lines_of(log, "lobby started") == 1
    assert lines_of(log, "game opened", f"game={stored.code} ply=0 {where}") == 1
    assert lines_of(log, "move made", f"game={stored.code} ply=", where) == 2
    assert lines_of(log, "player resigned", f"game={stored.code} ply={stored.ply} {where}") == 1
    assert lines_of(log, "game over", f"game={stored.code} ply={stored.ply}", "scores=") == 1
    assert lines_of(log, "card posted", f"game={stored.code} ply=") == len(stored.posts)
    for event in ("starting", "commands registered", "games checked", "ready", "stopped"):
        assert lines_of(log, event) == 1
    assert "logger=aiosqlite" in log, "all details were requested"
    assert "logger=discord.gateway" in log
    secrets = {interaction.payload["token"] for interaction in server.interactions}
    assert len(secrets) > 8
    leaked = [secret for secret in (*secrets, server.token, stored.replayed().setup.seed) if secret in log]
    assert leaked == []
    lines = [fields_of(text) for text in log.splitlines()]
    own_lines = [fields for fields in lines if fields.get("logger", "").startswith(("cogs.", "host."))]
    assert all(fields.keys() >= {"ply", "reference"} for fields in own_lines if "game" in fields)
    clicks = {(fields["interaction"], fields["reference"]) for fields in own_lines if "interaction" in fields}
    assert len(clicks) == len({number for number, _ in clicks}) == len({reference for _, reference in clicks}) > 5
    decisions = [fields for fields in own_lines if fields.get("event") in {"move made", "player resigned", "game over"}]
    assert len(decisions) == 4
    assert {fields.get("reference") for fields in decisions} <= {reference for _, reference in clicks}
    cards = {fields["ply"]: fields for fields in own_lines if fields.get("event") == "card posted"}
    assert all(cards[fields["ply"]].items() >= {(name, fields[name]) for name in CAUSE_FIELDS} for fields in decisions)


CAUSE_FIELDS = ("interaction", "reference")
"""Fields that connect a line with the interaction that caused it."""


def fields_of(text: str) -> dict[str, str]:
    """Parse a line of logfmt."""
    return {name: value.strip('"') for name, value in re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)', text)}


async def resign(table: SocketTable) -> None:
    """Let the first member leave, by the command and its button."""
    member = table.server.members[0]
    answer = await table.server.slash(member, table.place, "carc", sub="resign")
    await table.server.finished(answer)
    panel = answer.ephemeral_messages[-1]
    (custom_id,) = [button.custom_id for button in buttons(panel.components) if button.key.op == Op.RESIGN]
    await table.press(member.id, Shown(panel, panel.components), custom_id)


def lines_of(log: str, event: str, *parts: str) -> int:
    """Count the lines of an event that contain all of these texts."""
    named = f'event="{event}" ' if " " in event else f"event={event}"
    return sum(f"{named}" in f"{text} " and all(part in text for part in parts) for text in log.splitlines())
