"""Whole games by clicks alone, from `/carc new` to the final card, with a restart of the bot on the way.

Nothing here calls the host or the engine to play: members press the buttons of the newest card and of the
private panels that it opens. Afterwards the engine replays the stored log.

Drawing some 200 moves and 800 panels takes long, so only the game of two has real pictures, one in six, and all of
them in `make soak`; in the others each picture is one pixel, with the file name and alt text that it would have.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from cogs.presenting.ids import card_marker
from cogs.texts import MINUS
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import MARKS
from engine import state_digest
from tests.discord_limits.recorder import Recorder
from tests.discord_limits.routes import Request
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.pictures import MIN_DRAWN_BYTES, is_stub_size
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import alt_texts, buttons, localized, mentioned_users, words
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import Table, open_table

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language", "all_posts_kept")]

MAX_CARDS = 400
"""Cards after which a game counts as endless."""
CARCASSONNE_NOTATION = ("~", " castle ", " lot:")
"""Notation of a bridge, a castle and a bazaar."""
CASTLE_NOTATION = ("score:", " again")
"""Notation of an order of scoring, and of an extra turn by a wall tile."""


@dataclass
class RestartingClient:
    """A client that restarts the bot once, before a given press, possibly in the middle of a panel."""

    table: Table
    before_press: int
    presses: int = 0

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button, after a restart if it is the given press."""
        self.presses += 1
        if self.presses == self.before_press:
            await self.table.restart()
        return await self.table.press(member, shown, custom_id)

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal."""
        return await self.table.submit(member, shown, values)

    async def turn_off_confirming(self, member: int) -> None:
        """Choose, in the member's settings, that moves need no confirmation."""
        await self.table.turn_off_confirming(member)


async def play(table: Table, seed: int, latest: int = 300, player: type[Clicker] = Clicker) -> int:
    """Click until the game is over, checking that each move is followed by one card; return the number of presses.

    The restart comes before press number ``latest``; ``player`` is the class of the players.
    """
    random = Random(seed)
    client = RestartingClient(table, before_press=random.randrange(40, latest))
    clicker = player(client, random, Habits(quick=bool(seed % 2)))
    while not table.over:
        cards = table.card_count
        await clicker.move(table.card())
        assert table.card_count == cards + 1
        assert cards < MAX_CARDS
    assert client.presses > client.before_press
    return client.presses


async def check_game(table: Table, recorder: Recorder, notation: Sequence[str] = CARCASSONNE_NOTATION) -> None:
    """Check log, result, cards and messages of a finished game; ``signs`` have to occur in its log."""
    stored = table.stored()
    check_log(stored, notation)
    check_result(table, stored)
    check_cards(table, stored, recorder)
    check_messages(recorder)


def check_log(stored: StoredGame, notation: Sequence[str]) -> None:
    """Check that the stored log replays to the stored state and contains these signs."""
    assert stored.status == "finished"
    position = stored.replayed()
    assert (position.ply, state_digest(position), position.step) == (stored.ply, stored.digest, None)
    log = " ".join(stored.log)
    assert not [sign for sign in notation if sign not in log]


def check_result(table: Table, stored: StoredGame) -> None:
    """Check that the final card has the scores of the replay, and reveals the seed that the first card withheld."""
    position = stored.replayed()
    final = words(table.card().components)
    shown = [re.search(rf"{mark} \*\*.* ({MINUS}?\d+)\*\*", final) for mark in MARKS[: position.players]]
    assert [int(line[1].replace(MINUS, "-")) for line in shown if line] == list(position.scores)
    first = words(table.cards()[0].components)
    assert localized("button.proof") in [button.label for button in buttons(table.cards()[-1].components)]
    assert position.setup.seed not in first
    assert position.setup.seed in final


def check_cards(table: Table, stored: StoredGame, recorder: Recorder) -> None:
    """Check that each published move has one message in database, requests and thread, which pings the next player."""
    sent = recorder.requests_to("POST", f"/channels/{table.place.id}/messages")
    assert [request.payload["nonce"] for request in sent] == [f"{stored.code}-{post.ply}" for post in stored.posts]
    assert [post.message_id for post in stored.posts] == [card.handle.id for card in table.cards()]
    assert [post.from_ply for post in stored.posts] == [0, *(post.ply for post in stored.posts[:-1])]
    for post, request in zip(stored.posts, sent, strict=True):
        components = request.payload["components"]
        assert card_marker(stored.code, post.ply) in [button.custom_id for button in buttons(components)]
        pinged = [int(number) for number in request.payload["allowed_mentions"].get("users", ())]
        assert pinged == mentioned_users(components)
        plans = localized("card.plan", players="|").split("|")[1] in words(components)
        assert len(pinged) == (len(stored.seats) if plans or post.kind == "final" else 1)
    check_old_buttons(table)


def check_old_buttons(table: Table) -> None:
    """Check that only the newest card has buttons."""
    assert not [card for card in table.cards()[:-1] if buttons(card.components)]


def check_messages(recorder: Recorder, min_requests: int = 100) -> None:
    """Check all requests against Discord's limits, and that at least this many pictures have alt texts."""
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []
    pictures = [alt for request in recorder.requests for alt in alts(request)]
    assert len(pictures) > min_requests
    assert all(0 < len(alt) <= MAX_ALT_LENGTH for alt in pictures)


def alts(request: Request) -> list[str]:
    """Return the alt texts of a request's message, in a channel or as the answer to an interaction."""
    payload = request.payload if isinstance(request.payload, dict) else {}
    data = payload.get("data") if isinstance(payload.get("data"), dict) else payload
    return list(alt_texts((data or {}).get("components") or ()))


def sizes(recorder: Recorder) -> list[int]:
    """Return the size of each sent file, in bytes."""
    return [upload.size for request in recorder.requests for upload in request.files]


@pytest.mark.soak
@pytest.mark.parametrize(("players", "seed"), [(3, 1), (6, 2)])
async def test_a_game_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None, players: int, seed: int
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"game {seed}") as table:
        await table.start(players)
        await play(table, seed)
        await check_game(table, recorder)


async def test_a_game_with_every_sixth_picture_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, seldom_drawing: None, game_length: str
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 3") as table:
        await table.start(2)
        await play(table, 3)
        await check_game(table, recorder)
    drawn = [size for size in sizes(recorder) if not is_stub_size(size)]
    assert len(drawn) > {"short": 30, "whole": 50}[game_length]
    assert min(drawn) > MIN_DRAWN_BYTES


@pytest.mark.soak
async def test_a_game_with_all_pictures_is_played_by_clicks(tmp_path: Path, recorder: Recorder) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 3") as table:
        await table.start(2)
        await play(table, 3)
        await check_game(table, recorder)
    assert min(sizes(recorder)) > MIN_DRAWN_BYTES


async def test_a_game_of_the_castle_is_played_by_clicks(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game="the-castle")
        await play(table, 5, latest=200)
        await check_game(table, recorder, CASTLE_NOTATION)


async def test_the_castle_with_all_pictures_is_played_by_clicks(tmp_path: Path, recorder: Recorder) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 5") as table:
        await table.start(2, game="the-castle")
        clicker = Clicker(table, Random(5))
        for _ in range(12):
            await clicker.move(table.card())
        check_messages(recorder, min_requests=60)
    assert min(sizes(recorder)) > MIN_DRAWN_BYTES
