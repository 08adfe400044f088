"""A database of an older version, with a game at each kind of decision, continues without a difference.

The real bot opens it on a Discord with the recorded messages; the members press the buttons that they still see.
`tests/stored/README.md` describes its contents.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import LOT, OTHER
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
"""Kinds of decisions that the archive contains, by game."""
UNSENT_PURPOSES = ("pending", "leased", "unrecorded", "refused")
"""Purposes of archived games with a card that was not sent, or not recorded as sent."""
pytestmark = pytest.mark.usefixtures("random_language")

UNWANTED_ANSWERS = ("answer.unexpected", "refusal.unknown_button", "error.frozen")
"""Answers that a genuine button of this bot must never get."""
DECISION_OPS = {Op.GO, Op.ACT, LOT, OTHER}
"""Operations of buttons by which a decision is made."""
SETTING_OPS = {Op.REMOVE, Op.CHANGE, Op.SETTING, Op.MODE}
"""Operations that change a lobby or a member's settings; pressed last."""


@pytest.fixture
async def archive(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[ArchivedServer]:
    """Yield the opened archive; all requests have to keep Discord's limits."""
    async with open_archive(tmp_path) as archive:
        yield archive
    assert recorder.problems() == []


def check_answer(sent: SentInteraction) -> None:
    """Check that a press was answered, and with none of the unwanted answers."""
    assert sent.record.responded, sent.payload["data"]
    for key in UNWANTED_ANSWERS:
        assert not says(sent.text, key), (sent.payload["data"], sent.text)


async def check_replays(archive: ArchivedServer) -> None:
    """Check that every game equals the replay of its log."""
    assert (await archive.host.game_checks.check_all()).frozen == ()
    with closing(sqlite3.connect(archive.table.database)) as file:
        assert file.execute("select count(*) from games where status = 'frozen'").fetchone() == (0,)


async def player_to_act(archive: ArchivedServer, code: str) -> int:
    """Return the user id of the player to move."""
    person = (await archive.host.games.get(code)).person_to_act
    assert person is not None
    return person.user_id


def unsent_nonces(archive: ArchivedServer) -> list[Any]:
    """Return the nonces of posts that are not sent."""
    with closing(sqlite3.connect(archive.table.database)) as file:
        return file.execute("select nonce from outbox where sent_at is null").fetchall()


async def test_every_game_is_opened_and_unsent_posts_are_sent_once(archive: ArchivedServer) -> None:
    """No game is frozen, each offers its recorded actions, and has its newest card once, after two starts."""
    report = await archive.host.game_checks.check_all()
    running = {code for code, facts in archive.games.items() if facts["about"] != "finished"}
    assert (set(report.verified), report.frozen, report.thawed, report.unclear) == (running, (), (), ())
    steps: dict[str, set[str]] = {name: set() for name in GAMES}
    for code, facts in archive.games.items():
        position = (await archive.host.games.table(code)).position
        texts = sorted(map(str, position.legal_actions)) if position.step else []
        hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
        assert [position.ply, position.player, [*position.scores], len(texts), hashed] == facts["offer"], code
        steps[facts["game"]] |= {type(position.step).__name__} if position.step else set()
    assert steps == STEPS
    before = {}
    for again in (False, True):
        if again:
            await archive.restart()
        await archive.table.env.settle()
        assert unsent_nonces(archive) == []
        for code, facts in archive.games.items():
            await archive.open_game(code)
            marker = card_marker(code, facts["offer"][0])
            newest = [card.handle.id for card in archive.table.cards() if marker in custom_ids(card)]
            assert len(newest) == 1, code
            assert before.setdefault(code, newest) == newest
    recorded = {message["id"] for message in archive.recorded["messages"]}
    posted = {code for code, (card,) in before.items() if card not in recorded}
    assert posted == {
        code for purpose in UNSENT_PURPOSES if purpose != "unrecorded" for code in archive.games_for(purpose)
    }


async def test_newest_cards_lead_to_moves(archive: ArchivedServer) -> None:
    """All other buttons are answered; the decision is made, and its card is posted."""
    for code in [*archive.games_for(""), *archive.games_for("resigned")]:
        card = await archive.open_game(code)
        mover, ply = await player_to_act(archive, code), (await archive.host.games.get(code)).ply
        for custom_id in [button.custom_id for button in buttons_by_kind(card.components).get(Kind.OTHER_PURPOSE, [])]:
            sent = await archive.press(mover, card, custom_id)
            check_answer(sent)
            assert sent.text
        await check_decisions(archive, code, card, mover)
        if (await archive.host.games.get(code)).ply == ply:
            await Clicker(archive.table, Random(code), Habits(wavering=0)).move(card)
        assert (await archive.host.games.get(code)).ply > ply, code
        newer = archive.table.card()
        assert card_marker(code, (await archive.host.games.get(code)).ply) in custom_ids(newer)
    await check_replays(archive)


async def check_decisions(archive: ArchivedServer, code: str, card: Shown, mover: int) -> None:
    """Check that the buttons of a decision ask for confirmation if the player has enabled it."""
    asks = (await archive.host.preferences.get(mover)).confirm
    for button in buttons_by_kind(card.components).get(Kind.ACT, []) if asks else []:
        sent = await archive.press(mover, card, button.custom_id)
        check_answer(sent)
        (confirm,) = buttons_by_kind(sent.answers[-1].components)[Kind.CONFIRM]
        assert confirm.key == Key(Op.GO, code, button.key.revision, button.key.argument)
    assert (await archive.host.games.get(code)).revision == parse(custom_ids(card)[0]).revision


def parse(custom_id: str) -> Key:
    """Return the key in a custom id of the bot."""
    key = parse_key(custom_id)
    assert key is not None, custom_id
    return key


async def test_open_panels_lead_to_moves(archive: ArchivedServer) -> None:
    """Every button is answered; composers and questions lead to the move, whatever was pressed before."""
    open_panels = [
        (owner, panel, [parse(custom_id) for custom_id in custom_ids(panel)]) for owner, panel in archive.panels()
    ]
    assert {key.op for _, _, keys in open_panels for key in keys} >= {
        Op.PLAN,
        Op.MODE,
        Op.GO,
        Op.ACT,
        *SETTING_OPS,
        Op.STEP,
    }
    for owner, panel, keys in open_panels:
        for key in keys:
            if key.op not in DECISION_OPS | SETTING_OPS:
                check_answer(await archive.press(owner, panel, str(key)))
    for owner, panel, keys in open_panels:
        if any(key.op in {Op.PLAN, *DECISION_OPS} for key in keys) and not {Op.SETTING, Op.CHANGE} & {
            k.op for k in keys
        }:
            await complete_move(archive, owner, panel, keys)
    for owner, panel, keys in open_panels:
        for key in keys:
            if key.op in SETTING_OPS:
                check_answer(await archive.press(owner, panel, str(key)))
    await check_replays(archive)


async def complete_move(archive: ArchivedServer, owner: int, panel: Shown, keys: list[Key]) -> None:
    """Complete a move from a panel in its recorded or current state."""
    (code,) = {key.ref for key in keys if key.op in {Op.PLAN, *DECISION_OPS}}
    ply = (await archive.host.games.get(code)).ply
    await archive.open_game(code)
    decided = [key for key in keys if key.op is Op.GO] or [key for key in keys if key.op in DECISION_OPS]
    if decided:
        sent = await archive.press(owner, panel, str(decided[0]))
        check_answer(sent)
        if decided[0].op is not Op.GO and Kind.CONFIRM in buttons_by_kind(sent.answers[-1].components):
            confirmation = Shown(sent.answers[-1], sent.answers[-1].components)
            check_answer(await archive.press(owner, confirmation, custom_ids(confirmation)[0]))
    else:
        await Clicker(archive.table, Random(code), Habits(wavering=0)).complete_turn(owner, archive.reread(panel))
    assert (await archive.host.games.get(code)).ply > ply, (code, words(panel.components))


OLD_CARDS = [pytest.param(1, id="newest"), pytest.param(1000, id="all", marks=pytest.mark.soak)]
"""Numbers of old cards of each game that are pressed at most."""


@pytest.mark.parametrize("most", OLD_CARDS)
async def test_old_cards_are_answered_and_change_nothing(archive: ArchivedServer, most: int) -> None:
    """The player to move presses the removed buttons of each game's newest old cards."""
    places: dict[int, list[dict[str, Any]]] = {}
    for message in archive.recorded["messages"]:
        if "components" not in message:
            places.setdefault(message["channel"], []).append(message)
    running = {code for code, facts in archive.games.items() if facts["about"] != "finished"}
    for messages in places.values():
        for message in messages[-most:]:
            code = parse(message["shown"][0]).ref
            if code not in running:
                continue
            ply, mover = (await archive.host.games.get(code)).ply, await player_to_act(archive, code)
            shown = archive.message(message)
            for custom_id in message["shown"]:
                sent = await archive.press(mover, shown, custom_id)
                check_answer(sent)
                assert sent.text or await is_own_decision(archive, mover, parse(custom_id)), custom_id
            assert (await archive.host.games.get(code)).ply == ply
    await check_replays(archive)


async def is_own_decision(archive: ArchivedServer, member: int, key: Key) -> bool:
    """Return whether the member made this decision at this point of the game, so that the press is a repetition."""
    entry = (await archive.host.games.table(key.ref)).log[key.revision]
    return (entry.user_id, str(entry.action)) == (member, key.argument)


async def test_open_lobbies_start(archive: ArchivedServer) -> None:
    """The open lobby starts once another member has joined, the full one at once, the rematch with its other player."""
    lobbies = [archive.message(message) for message in archive.recorded["messages"] if is_lobby(message)]
    assert len(lobbies) == 3
    with closing(sqlite3.connect(archive.table.database)) as file:
        owners = dict(file.execute("select message_id, owner_id from lobbies where state = 'open'").fetchall())
    for lobby in lobbies:
        offered = {parse(custom_id).op: custom_id for custom_id in custom_ids(lobby)}
        for member in list(archive.table.members)[-2:] if Op.JOIN in offered else []:
            check_answer(await archive.press(member, lobby, offered[Op.JOIN]))
        codes_before = set(games(archive))
        check_answer(
            await archive.press(owners[lobby.handle.id], lobby, str(Key(Op.START, parse(offered[Op.LEAVE]).ref)))
        )
        (code,) = set(games(archive)) - codes_before
        card = await archive.open_game(code)
        assert card_marker(code, 0) in custom_ids(card)
        await Clicker(archive.table, Random(1), Habits(wavering=0)).move(card)
        assert (await archive.host.games.get(code)).ply > 0


def is_lobby(message: dict[str, Any]) -> bool:
    """Return whether a message is the card of an open lobby."""
    return "components" in message and any(parse(custom_id).op is Op.LEAVE for custom_id in message["shown"])


def games(archive: ArchivedServer) -> list[str]:
    """Return the codes of all games."""
    with closing(sqlite3.connect(archive.table.database)) as file:
        return [code for (code,) in file.execute("select code from games")]


async def play_to_the_end(archive: ArchivedServer, code: str) -> None:
    """Play by clicks until the game is over."""
    clicker = Clicker(archive.table, Random(code), Habits(quick=True, wavering=0))
    await archive.open_game(code)
    while not archive.table.over:
        await clicker.move(archive.table.card())
    assert (await archive.host.games.get(code)).status is GameStatus.FINISHED
    assert (await archive.host.games.table(code)).position.is_over


async def test_a_late_game_of_each_kind_is_finished(archive: ArchivedServer) -> None:
    for code in archive.games_for("late"):
        await play_to_the_end(archive, code)
    await check_replays(archive)


@pytest.mark.soak
async def test_every_game_is_finished(archive: ArchivedServer) -> None:
    for code in archive.games:
        await play_to_the_end(archive, code)
    await check_replays(archive)


async def press_final_cards(archive: ArchivedServer) -> None:
    """Check that all buttons of the final cards of finished games are answered."""
    for code in archive.games_for("finished"):
        card = await archive.open_game(code)
        player = (await archive.host.games.get(code)).seats[0].user_id
        for custom_id in custom_ids(card):
            check_answer(await archive.press(player, card, custom_id))


async def test_the_buttons_of_final_cards_are_answered(
    archive: ArchivedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in ("carcassonne", "the_castle"):
        monkeypatch.setattr(f"cogs.games.{game}.presenter.replay", lambda *_, **__: PIXEL)
    await press_final_cards(archive)


@pytest.mark.soak
async def test_the_buttons_of_final_cards_are_answered_with_real_replays(archive: ArchivedServer) -> None:
    await press_final_cards(archive)
