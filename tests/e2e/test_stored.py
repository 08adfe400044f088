"""A file by the version before the rebuilding, with games at every kind of step, goes on as if nothing had happened.

The real bot opens it, on a Discord that shows what it showed then; the people press what is still before them.
`tests/stored/README.md` says what is in it.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.operations import LOT, OTHER
from cogs.presenting.ids import Key, Op, card_marker, parse_key
from engine import GAMES
from host import GameStatus
from tests.discord_limits.recorder import Recorder
from tests.e2e.archive import ArchivedServer, custom_ids, open_archive
from tests.e2e.pictures import PIXEL
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.raw_interactions import SentInteraction
from tests.e2e.screen import Kind, buttons_by_kind, says, words

STEPS = {
    "carcassonne": {
        "PlaceTile", "DeployFollower", "DecideTown", "ChooseCastleSource", "ChooseLot", "BidOnLot", "BuyOrSell",
    },
    "the-castle": {"PlaceTile", "DeployFollower", "ChooseFeature", "DoubleFeature", "ExtraTurn"},
}  # fmt: skip
UNSENT = ("pending", "leased", "unrecorded", "refused")
pytestmark = pytest.mark.usefixtures("random_language")

NEVER = ("answer.unexpected", "refusal.unknown_button", "error.frozen")
"""What nobody may be told who presses a button that this bot has made."""
DECIDING = {Op.GO, Op.ACT, LOT, OTHER}
CHANGING = {Op.REMOVE, Op.CHANGE, Op.SETTING, Op.MODE}
"""What changes a table that gathers, or how somebody plays: pressed last."""


@pytest.fixture
async def old(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[ArchivedServer]:
    """The file, opened; whatever is sent must keep Discord's limits."""
    async with open_archive(tmp_path) as old:
        yield old
    assert recorder.problems() == []


def check_answer(sent: SentInteraction) -> None:
    """Whoever pressed was answered, privately, and not told that something is wrong."""
    assert sent.record.responded, sent.payload["data"]
    for never in NEVER:
        assert not says(sent.said, never), (sent.payload["data"], sent.said)


async def check_whole(old: ArchivedServer) -> None:
    """Every game is what its log says."""
    assert (await old.host.game_checks.check_all()).frozen == ()
    with closing(sqlite3.connect(old.table.database)) as file:
        assert file.execute("select count(*) from games where status = 'frozen'").fetchone() == (0,)


async def to_act(old: ArchivedServer, code: str) -> int:
    """Whose decision a game waits for."""
    person = (await old.host.games.get(code)).person_to_act
    assert person is not None
    return person.user_id


def unsent(old: ArchivedServer) -> list[Any]:
    with closing(sqlite3.connect(old.table.database)) as file:
        return file.execute("select nonce from outbox where sent_at is null").fetchall()


async def test_every_game_is_opened_and_what_was_not_posted_is_posted_once(old: ArchivedServer) -> None:
    """None is frozen, each offers what it did; its newest card is in its place once, also after another start."""
    report = await old.host.game_checks.check_all()
    running = {code for code, known in old.games.items() if known["about"] != "finished"}
    assert (set(report.verified), report.frozen, report.thawed, report.unclear) == (running, (), (), ())
    asked: dict[str, set[str]] = {name: set() for name in GAMES}
    for code, known in old.games.items():
        position = (await old.host.games.table(code)).position
        texts = sorted(map(str, position.legal_actions)) if position.step else []
        hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
        assert [position.ply, position.player, [*position.scores], len(texts), hashed] == known["offer"], code
        asked[known["game"]] |= {type(position.step).__name__} if position.step else set()
    assert asked == STEPS
    before = {}
    for again in (False, True):
        if again:
            await old.restart()
        await old.table.env.settle()
        assert unsent(old) == []
        for code, known in old.games.items():
            await old.open_game(code)
            marker = card_marker(code, known["offer"][0])
            newest = [card.handle.id for card in old.table.cards() if marker in custom_ids(card)]
            assert len(newest) == 1, code
            assert before.setdefault(code, newest) == newest
    made = {message["id"] for message in old.recorded["messages"]}
    posted = {code for code, (card,) in before.items() if card not in made}
    assert posted == {code for what in UNSENT if what != "unrecorded" for code in old.games_for(what)}


async def test_newest_cards_act(old: ArchivedServer) -> None:
    """All that they offer beside the decision answers; the decision is made, and its card follows."""
    for code in [*old.games_for(""), *old.games_for("resigned")]:
        card = await old.open_game(code)
        mover, ply = await to_act(old, code), (await old.host.games.get(code)).ply
        for custom_id in [button.custom_id for button in buttons_by_kind(card.components).get(Kind.ASIDE, [])]:
            sent = await old.press(mover, card, custom_id)
            check_answer(sent)
            assert sent.said
        await check_decisions(old, code, card, mover)
        if (await old.host.games.get(code)).ply == ply:
            await Clicker(old.table, Random(code), Habits(wavering=0)).move(card)
        assert (await old.host.games.get(code)).ply > ply, code
        newer = old.table.card()
        assert card_marker(code, (await old.host.games.get(code)).ply) in custom_ids(newer)
    await check_whole(old)


async def check_decisions(old: ArchivedServer, code: str, card: Shown, mover: int) -> None:
    """Each button of a decision that asks first, does so; of a player who does not want to be asked, one acts."""
    asks = (await old.host.preferences.get(mover)).confirm
    for button in buttons_by_kind(card.components).get(Kind.ACT, []) if asks else []:
        sent = await old.press(mover, card, button.custom_id)
        check_answer(sent)
        (confirm,) = buttons_by_kind(sent.answers[-1].components)[Kind.CONFIRM]
        assert confirm.key == Key(Op.GO, code, button.key.revision, button.key.argument)
    assert (await old.host.games.get(code)).revision == parse(custom_ids(card)[0]).revision


def parse(custom_id: str) -> Key:
    key = parse_key(custom_id)
    assert key is not None, custom_id
    return key


async def test_panels_half_played_are_played_on(old: ArchivedServer) -> None:
    """Every button of theirs answers; composers and questions lead to the move, whatever was pressed before."""
    left = [(owner, panel, [parse(custom_id) for custom_id in custom_ids(panel)]) for owner, panel in old.panels()]
    assert {key.op for _, _, keys in left for key in keys} >= {Op.PLAN, Op.MODE, Op.GO, Op.ACT, *CHANGING, Op.STEP}
    for owner, panel, keys in left:
        for key in keys:
            if key.op not in DECIDING | CHANGING:
                check_answer(await old.press(owner, panel, str(key)))
    for owner, panel, keys in left:
        if any(key.op in {Op.PLAN, *DECIDING} for key in keys) and not {Op.SETTING, Op.CHANGE} & {k.op for k in keys}:
            await play_on(old, owner, panel, keys)
    for owner, panel, keys in left:
        for key in keys:
            if key.op in CHANGING:
                check_answer(await old.press(owner, panel, str(key)))
    await check_whole(old)


async def play_on(old: ArchivedServer, owner: int, panel: Shown, keys: list[Key]) -> None:
    """From a panel, as it was left or as it is now, to the move."""
    (code,) = {key.ref for key in keys if key.op in {Op.PLAN, *DECIDING}}
    ply = (await old.host.games.get(code)).ply
    await old.open_game(code)
    decided = [key for key in keys if key.op is Op.GO] or [key for key in keys if key.op in DECIDING]
    if decided:
        sent = await old.press(owner, panel, str(decided[0]))
        check_answer(sent)
        if decided[0].op is not Op.GO and Kind.CONFIRM in buttons_by_kind(sent.answers[-1].components):
            asked = Shown(sent.answers[-1], sent.answers[-1].components)
            check_answer(await old.press(owner, asked, custom_ids(asked)[0]))
    else:
        await Clicker(old.table, Random(code), Habits(wavering=0)).lay(owner, old.reread(panel))
    assert (await old.host.games.get(code)).ply > ply, (code, words(panel.components))


OLD_CARDS = [pytest.param(1, id="newest"), pytest.param(1000, id="all", marks=pytest.mark.soak)]


@pytest.mark.parametrize("most", OLD_CARDS)
async def test_old_cards_answer_and_change_nothing(old: ArchivedServer, most: int) -> None:
    """Of each game the newest of the cards that have lost their buttons, pressed late by whose turn it is now."""
    places: dict[int, list[dict[str, Any]]] = {}
    for message in old.recorded["messages"]:
        if "components" not in message:
            places.setdefault(message["channel"], []).append(message)
    running = {code for code, known in old.games.items() if known["about"] != "finished"}
    for messages in places.values():
        for message in messages[-most:]:
            code = parse(message["shown"][0]).ref
            if code not in running:
                continue
            ply, mover = (await old.host.games.get(code)).ply, await to_act(old, code)
            shown = old.message(message)
            for custom_id in message["shown"]:
                sent = await old.press(mover, shown, custom_id)
                check_answer(sent)
                assert sent.said or await done_by(old, mover, parse(custom_id)), custom_id
            assert (await old.host.games.get(code)).ply == ply
    await check_whole(old)


async def done_by(old: ArchivedServer, member: int, key: Key) -> bool:
    """Whether a button's decision is what this member did at its ply: then it counts as tapped twice."""
    entry = (await old.host.games.table(key.ref)).log[key.revision]
    return (entry.user_id, str(entry.action)) == (member, key.argument)


async def test_tables_that_gather_start(old: ArchivedServer) -> None:
    """The open one after somebody more has joined, the full one as it is, the rematch with its other player."""
    lobbies = [old.message(message) for message in old.recorded["messages"] if is_lobby(message)]
    assert len(lobbies) == 3
    with closing(sqlite3.connect(old.table.database)) as file:
        owners = dict(file.execute("select message_id, owner_id from lobbies where state = 'open'").fetchall())
    for lobby in lobbies:
        offered = {parse(custom_id).op: custom_id for custom_id in custom_ids(lobby)}
        for member in list(old.table.members)[-2:] if Op.JOIN in offered else []:
            check_answer(await old.press(member, lobby, offered[Op.JOIN]))
        known = set(games(old))
        check_answer(await old.press(owners[lobby.handle.id], lobby, str(Key(Op.START, parse(offered[Op.LEAVE]).ref))))
        (code,) = set(games(old)) - known
        card = await old.open_game(code)
        assert card_marker(code, 0) in custom_ids(card)
        await Clicker(old.table, Random(1), Habits(wavering=0)).move(card)
        assert (await old.host.games.get(code)).ply > 0


def is_lobby(message: dict[str, Any]) -> bool:
    """Whether a message is the card of a table that gathers."""
    return "components" in message and any(parse(custom_id).op is Op.LEAVE for custom_id in message["shown"])


def games(old: ArchivedServer) -> list[str]:
    """The codes of all games."""
    with closing(sqlite3.connect(old.table.database)) as file:
        return [code for (code,) in file.execute("select code from games")]


async def to_the_end(old: ArchivedServer, code: str) -> None:
    """Play by clicks until the game is over; its last card says so."""
    clicker = Clicker(old.table, Random(code), Habits(quick=True, wavering=0))
    await old.open_game(code)
    while not old.table.over:
        await clicker.move(old.table.card())
    assert (await old.host.games.get(code)).status is GameStatus.FINISHED
    assert (await old.host.games.table(code)).position.is_over


async def test_a_game_of_each_kind_is_finished(old: ArchivedServer) -> None:
    for code in old.games_for("late"):
        await to_the_end(old, code)
    await check_whole(old)


@pytest.mark.soak
async def test_every_game_is_finished(old: ArchivedServer) -> None:
    for code in old.games:
        await to_the_end(old, code)
    await check_whole(old)


async def look_at_finished(old: ArchivedServer) -> None:
    """All buttons of the last cards of games that are over answer."""
    for code in old.games_for("finished"):
        card = await old.open_game(code)
        player = (await old.host.games.get(code)).seats[0].user_id
        for custom_id in custom_ids(card):
            check_answer(await old.press(player, card, custom_id))


async def test_finished_games_can_be_looked_at(old: ArchivedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("carcassonne", "the_castle"):
        monkeypatch.setattr(f"cogs.games.{game}.presenter.replay", lambda *_, **__: PIXEL)
    await look_at_finished(old)


@pytest.mark.soak
async def test_finished_games_can_be_watched(old: ArchivedServer) -> None:
    await look_at_finished(old)
