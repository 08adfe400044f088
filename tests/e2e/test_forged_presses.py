"""Forged presses of every kind of button, menu and modal are answered, and none causes an error.

A custom id is the hidden text that a button sends: operation, game, ply (the number of actions so far) or revision, and
argument. The tests press every operation with valid, foreign and nonsensical parts.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import timedelta
from itertools import islice
from pathlib import Path

import discord
import pytest

from cogs.commands import board as in_words
from cogs.commands import manage, table_options
from cogs.commands.settings import SETTINGS
from cogs.commands.tourneys import exchanging, managing, teams, tourney
from cogs.interactions.admission import is_typed
from cogs.panels import rule_book_pages
from cogs.panels.events import private as planning
from cogs.panels.events.exchanging import LISTS
from cogs.panels.own_settings import PAGE
from cogs.presenting.ids import EVENT_OPS, LOBBY_OPS, MAX_CUSTOM_ID_LENGTH, VERSION, Op, Operation, operations
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import is_sentence
from tests.e2e.event_table import EventTable, open_event
from tests.e2e.raw_interactions import SentInteraction, last_answer, send_modal, send_press
from tests.e2e.screen import says
from tests.e2e.table import Table, give_role, open_table
from tests.e2e.test_bad_input import play_to_bidding

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

SUPERSCRIPT, ARABIC = "\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT THREE}"
"""A digit that is not decimal, and a decimal digit that is not ASCII."""
COMMON_NONSENSE = ("", "x", "-1", "1 2 3", "9" * 40, SUPERSCRIPT, "list 9")
"""Arguments that almost every operation has to refuse."""
RARE_NONSENSE = (
    *(" ", "0", "1", "1 2", "9" * 19, "1e3", "x y z", "a\nb", "\0", ARABIC, "e1", "p99999", "p1b1", "list 0", "z" * 90),
    *(
        "9999-12-31",
        "0001-01-01",
        "2030-13-01",
        "A1",
        "M12/0",
        "M12/0 pass",
        "pass",
        "bid:1",
        "@",
        "::::",
        "menu",
        "1" * 90,
    ),
)
"""Further arguments, most of them valid for one operation only."""
FOREIGN_REFERENCES = ("0", "ZZZZ", "9" * 12)
"""References that are no game code, or the id of another kind of object."""
SUFFIXES = ("", " x", " -1", f" {'9' * 40}", " 1 2 3", f" {SUPERSCRIPT}", " ZZZZZ99999")
"""Texts that are appended to the first word of a valid argument."""
LAST_OPS = (Op.LEAVE, Op.START, Op.CLOSE, Op.REMOVE, Op.HERE, Op.RESIGN, Op.FORGET)
"""Operations that are pressed last: whatever their argument, they end a game or close a lobby."""
FIRST_WORDS: Mapping[Op, Iterable[str]] = {
    Op.MANAGE: manage.ACTIONS,
    Op.SETTING: (PAGE, *SETTINGS),
    Op.CHANGE: [value for value in vars(table_options).values() if isinstance(value, str) and value.isalpha()],
    Op.RULE: (rule_book_pages.MENU, rule_book_pages.MORE, rule_book_pages.SHORT),
    Op.TELL: (in_words.LIST_ARGUMENT, "since", "around", "overview", "features"),
    Op.EVENT: (*tourney.CARD_HANDLERS, *managing.CARD_HANDLERS, *teams.CARD_HANDLERS),
    Op.EVENT_PAGE: (
        *tourney.PANEL_HANDLERS,
        *managing.PANEL_HANDLERS,
        *exchanging.PANEL_HANDLERS,
        *(f"{planning.EXCHANGE} {name}" for name in LISTS),
        *teams.PANEL_HANDLERS,
    ),
    Op.EVENT_FORM: planning.FORMS,
    Op.EVENT_TYPED: (*managing.ORGANISER_ACTIONS, planning.EXCHANGE),
}
"""The valid first words of arguments, by operation."""
BATCH_SIZE = 20
"""Presses that are sent before the bot settles."""
every_second = pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.soak)])
"""Send every second press, and with `make soak` all of them."""


class Forger:
    """A member with all permissions who presses forged buttons on a private panel."""

    def __init__(self, table: Table, event: str) -> None:
        self.table = table
        self._event = event
        self._actor = give_role(table, 0, discord.Permissions(manage_threads=True))
        self.sent: list[SentInteraction] = []

    async def forge(self, presses: Iterable[tuple[Operation, str, int, str]]) -> None:
        """Send an interaction for each of these ids: alternately a button and a menu, or a modal."""
        env, actor = self.table.env, self._actor
        panel = (await actor.slash(self.table.channel, "carc settings")).response
        assert panel is not None
        for op, reference, revision, argument in presses:
            custom_id = f"{VERSION}:{op}:{reference}:{revision}:{argument}"[:MAX_CUSTOM_ID_LENGTH]
            if is_typed(op):
                self.sent.append(send_modal(env, actor, panel, custom_id))
            else:
                chosen = [argument] if len(self.sent) % 2 else None
                self.sent.append(send_press(env, actor, panel, custom_id, offered=False, chosen=chosen))
            if len(self.sent) % BATCH_SIZE == 0:
                await env.settle()
        await env.settle()

    def genuine_ref(self, op: Operation) -> tuple[str, int]:
        """Return the reference and the revision that a genuine button of an operation has."""
        if op in EVENT_OPS:
            return self._event, 0
        stored = self.table.stored()
        return ("2", 0) if op in LOBBY_OPS else (stored.code, stored.ply)

    @property
    def unanswered(self) -> list[object]:
        """The presses without an answer, or answered with an apology for an error."""
        return [
            sent.payload["data"]
            for sent in self.sent
            if not sent.record.responded or says(sent.text, "answer.unexpected") or says(sent.text, "answer.refused")
        ]


def forged_presses(forger: Forger, nonsense: Iterable[str]) -> Iterable[tuple[Operation, str, int, str]]:
    """Yield all operations with each of these arguments, with foreign references, and with a future revision."""
    for op in sorted(operations(), key=lambda op: op in LAST_OPS):
        code, revision = forger.genuine_ref(op)
        for argument in nonsense:
            yield op, code, revision, argument
        for other in FOREIGN_REFERENCES:
            yield op, other, revision, ""
        yield op, code, 999999, ""


@pytest.fixture
async def forger(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Forger]:
    """Yield a forger beside a started game of three, an open lobby, and an event with open sign-up."""
    monkeypatch.setattr("host.events.log.GAME_CREATION_SPACING", timedelta(0))
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        cup = EventTable(table)
        await open_event(cup, "duel-weekend", rounds="2", pace="live")
        await table.start(3)
        await table.actors[0].slash(table.channel, "carc new", players=3)
        yield Forger(table, cup.code)
    assert recorder.problems() == []


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log lines with a traceback or of level ERROR."""
    return [record.getMessage() for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


@pytest.mark.parametrize("op", [Op.AGREE, Op.DECLINE])
async def test_an_answer_to_an_unknown_request_is_refused_with_one_log_line(
    forger: Forger, caplog: pytest.LogCaptureFixture, op: Op
) -> None:
    code, revision = forger.genuine_ref(op)
    for argument in ("", "x", "-1", "1 2", "9" * 40, SUPERSCRIPT, ARABIC):
        caplog.clear()
        with caplog.at_level(logging.INFO):
            await forger.forge([(op, code, revision, argument)])
        sent = forger.sent[-1]
        assert is_sentence("refusal.unknown_button", last_answer(sent)), argument
        (line,) = [vars(record) for record in caplog.records if record.name.startswith(("cogs", "host"))]
        assert (line["message"], line["why"], line["exc_info"]) == ("refused", "unknown_button", None)
        assert (line["interaction"], line["user"]) == (sent.record.id, sent.record.user_id)


@every_second
async def test_forged_arguments_are_answered(forger: Forger, caplog: pytest.LogCaptureFixture, step: int) -> None:
    await forger.forge(islice(forged_presses(forger, COMMON_NONSENSE), None, None, step))
    assert forger.unanswered == []
    assert errors(caplog) == []


@every_second
async def test_forged_suffixes_are_answered(forger: Forger, caplog: pytest.LogCaptureFixture, step: int) -> None:
    presses = (
        (op, *forger.genuine_ref(op), word + rest)
        for op, words in FIRST_WORDS.items()
        for word in words
        for rest in SUFFIXES
    )
    await forger.forge(islice(presses, None, None, step))
    assert forger.unanswered == []
    assert errors(caplog) == []


@pytest.mark.soak
@pytest.mark.parametrize("state", ["begun", "bazaar", "over"])
async def test_forged_presses_are_answered_in_every_state_of_a_game(
    forger: Forger, caplog: pytest.LogCaptureFixture, state: str
) -> None:
    if state == "bazaar":
        await play_to_bidding(forger.table)
    if state == "over":
        host, code = forger.table.bot.host, forger.table.stored().code
        for number, person in enumerate((await host.games.get(code)).seats[1:]):
            await host.moves.resign(code, person.user_id, number)
    await forger.forge(forged_presses(forger, [*COMMON_NONSENSE, "", *RARE_NONSENSE]))
    assert forger.unanswered == []
    assert errors(caplog) == []
