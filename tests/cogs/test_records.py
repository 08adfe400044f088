"""Games as files, and going through them: ``/carc export``, ``/carc import``, ``/carc board``, the four buttons."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
import simcord

from cogs.commands import records
from cogs.commands.records import LONGEST_NAME, NO_GAME, OPENED, file_name, read, shown_game
from cogs.desk.refused import RefusedError
from cogs.games.presenters import PRESENTERS
from cogs.panels.stepping import Scene, Stops, Walk, step_buttons, stops_of
from cogs.presenting.ids import Key, Op, parse_key
from cogs.texts import t
from engine import GAMES, Action, Position, Resign, begin
from engine.carcassonne import MoveFairy
from engine.carcassonne.expansions import FAIRY
from engine.grammar.tags import LARGEST
from engine.notation.positions import format_position
from engine.notation.reading import read_record
from engine.notation.records import Record, format_record
from engine.selfplay import random_action, random_game
from host import Game, NewLobby, Person
from renderers import DAY
from tests.cogs.positions import LONG_NAMES
from tests.discord_limits.recorder import Recorder
from tests.e2e.forward import call_sent, decide
from tests.e2e.pictures import draw_nothing
from tests.e2e.player import Shown
from tests.e2e.screen import alt_texts, buttons, words
from tests.e2e.table import Table, seated
from tests.e2e.wire import press
from tests.engine.every_game import play

STORED = Path(__file__).parents[1] / "engine" / "records"
RECORD = (STORED / "carcassonne-finished.txt").read_text(encoding="utf-8")
SEED = "not to be told"
_interactions = itertools.count(1)
ALL_GAMES = pytest.mark.parametrize("name", GAMES)


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """Six members in a channel; whatever is sent must keep Discord's limits."""
    draw_nothing(monkeypatch)
    async with seated(tmp_path / "games.sqlite3", seed=SEED) as table:
        yield table
    assert recorder.problems() == []


async def played(table: Table, name: str, plies: int, *, over: bool = False) -> tuple[Game, Position]:
    """A game of two in the channel, played by the host alone for so many actions; its true position.

    ``over``: then one of the two leaves.
    """
    host, people = table.bot.host, [Person(actor.id, table.name_of(actor)) for actor in table.actors[:2]]
    guild = table.channel.guild
    assert guild is not None
    new = NewLobby(
        guild_id=guild.id,
        channel_id=table.channel.id,
        owner=people[0],
        game=name,
        capacity=2,
        expansions=GAMES[name].expansions,
        options={},
    )
    lobby = await host.lobbies.open(new, next(_interactions))
    await host.lobbies.join(lobby.id, people[1], next(_interactions))
    game = await host.lobbies.start(lobby.id, people[0].user_id, next(_interactions))
    position, random = (await host.table(game.id)).position, Random(name)
    while position.ply < plies:
        ply, seat = position.ply, position.player
        action = random_action(position, random)
        position.apply(action)
        await host.act(game.id, game.seats[seat].user_id, ply, [action], next(_interactions))
        await call_sent(host)
    if over:
        await host.resign(game.id, game.seats[0].user_id, next(_interactions))
        position.apply(Resign(0))
        await call_sent(host)
    return await host.game(game.id), position


async def slash(table: Table, command: str, *, member: int = 0, **options: Any) -> Shown:
    """The private answer to a command."""
    result = await table.actors[member].slash(table.channel, f"carc {command}", **options)
    assert result.response is not None
    assert result.response.ephemeral
    return Shown(result.response, result.response.components)


async def opened(table: Table, text: str | bytes, *, name: str = "game.txt", **options: Any) -> Shown:
    """The private answer to an attached record."""
    raw = text.encode() if isinstance(text, str) else text
    return await slash(table, "import", file=(name, raw), **options)


async def step(table: Table, shown: Shown, way: str, *, member: int = 0) -> Shown:
    """Press one of the four buttons; the same message afterwards."""
    ids = [button.custom_id for button in buttons(shown.components) if button.key.argument == way]
    assert len(ids) == 1, way
    await table.actors[member].click(shown.handle, custom_id=ids[0])
    return now(table, shown)


def now(table: Table, shown: Shown) -> Shown:
    """A message as it is by now."""
    return Shown(shown.handle, table.env.backend.get_message(shown.handle.channel_id, shown.handle.id).components)


def attached(table: Table, shown: Shown) -> dict[str, bytes]:
    """The files of a message by name."""
    stored = table.env.backend.get_message(shown.handle.channel_id, shown.handle.id)
    found = {entry["filename"]: table.env.backend.cdn.get(entry["url"]) for entry in stored.attachments}
    return {name: data for name, data in found.items() if data is not None}


def the_record(table: Table, shown: Shown) -> tuple[str, str]:
    """The name and text of the one record that hangs on a message."""
    [(name, data)] = [(name, data) for name, data in attached(table, shown).items() if name.endswith(".txt")]
    return name, data.decode()


def move_of(shown: Shown) -> int:
    """The number of the move that a panel says that it shows, and that it is none beyond the last; 0 the beginning."""
    said = words(shown.components)
    if "The beginning · " in said:
        return 0
    found = re.search(t("step.at", number=r"(\d+)", last=r"(\d+)", turn=r"\d+"), said)
    assert found, said
    assert int(found[1]) <= int(found[2])
    return int(found[1])


async def moves(table: Table, game: Game) -> Stops:
    """Where one can stop in a game as it is by now."""
    stored = await table.bot.host.table(game.id)
    actions = [entry.action for entry in stored.log]
    return stops_of(PRESENTERS[stored.position.setup.game], stored.position.setup, actions)


def enabled(shown: Shown) -> set[str]:
    """Which of the four buttons can be pressed."""
    return {button.key.argument for button in buttons(shown.components) if button.key.op in {Op.STEP, Op.RECORD}}


# -- handing out ------------------------------------------------------------------------------------------------------


@ALL_GAMES
async def test_the_record_of_a_running_game_tells_nothing_that_lies_face_down(table: Table, name: str) -> None:
    game, position = await played(table, name, 30)
    shown = await slash(table, "export", game=game.code)
    file, text = the_record(table, shown)
    record = read_record(text)
    assert file == file_name(game)
    assert game.code in file
    assert SEED not in text
    assert "[Seed" not in text
    assert record.commitment == position.setup.commitment
    assert format_position(record.position()) == format_position(position)
    assert sorted(record.names) == ["Ana", "Ben"]
    assert record.title == game.name
    said = words(shown.components)
    assert t("records.running", name=game.name, code=game.code, count=30) == said


@ALL_GAMES
async def test_the_record_of_a_finished_game_keeps_what_its_commitment_promised(table: Table, name: str) -> None:
    game, position = await played(table, name, 40, over=True)
    _, text = the_record(table, await slash(table, "export", game=game.code, member=5))
    record = read_record(text)
    assert record.setup == position.setup
    assert record.setup.seed == SEED
    assert record.position().scores == position.scores


async def test_somebody_who_may_not_see_the_game_gets_no_record(table: Table) -> None:
    game, _ = await played(table, "carcassonne", 5)
    guild = table.env.create_guild("Elsewhere")
    stranger = guild.add_member(table.env.create_user("stranger"))
    channel = guild.create_text_channel("hall")
    result = await stranger.slash(channel, "carc export", game=game.code)
    assert result.response is not None
    assert words(result.response.components) == t("error.unknown_game")
    assert not result.response.attachments


# -- opening ----------------------------------------------------------------------------------------------------------


@ALL_GAMES
async def test_an_exported_record_can_be_opened_and_gone_through(table: Table, name: str) -> None:
    game, _ = await played(table, name, 40, over=True)
    _, text = the_record(table, await slash(table, "export", game=game.code))
    last = (await moves(table, game)).number(41)
    shown = await opened(table, text)
    assert t("records.title", name=game.name) in words(shown.components)
    assert move_of(shown) == last
    assert enabled(shown) == {"first", "back"}
    assert the_record(table, shown) == (OPENED, text)

    shown = await step(table, shown, "first")
    assert (move_of(shown), enabled(shown)) == (0, {"on", "last"})
    shown = await step(table, shown, "on")
    assert move_of(shown) == 1
    assert enabled(shown) == {"first", "back", "on", "last"}
    await table.restart()
    shown = await step(table, shown, "on")
    assert move_of(shown) == 2
    assert move_of(await step(table, shown, "back")) == 1
    assert move_of(await step(table, shown, "last")) == last
    shown = now(table, shown)
    assert the_record(table, shown) == (OPENED, text)
    assert len(attached(table, shown)) == 2, "the picture of the former step is gone"
    assert all(alt_texts(shown.components))


async def test_what_hangs_on_the_panel_is_our_own_spelling(table: Table) -> None:
    spelt = RECORD.replace("\n", "\r\n; <@1> a comment\r\n")
    shown = await opened(table, spelt, name="../../<@everyone>.exe")
    assert the_record(table, shown) == (OPENED, RECORD)


async def test_a_running_game_can_be_opened_too(table: Table) -> None:
    text = (STORED / "carcassonne-running.txt").read_text(encoding="utf-8")
    shown = await opened(table, text)
    record = read_record(text)
    stops = stops_of(PRESENTERS["carcassonne"], record.setup, record.actions)
    assert (move_of(shown), stops.last) == (len(stops.plies) - 1, 185)
    assert read_record(the_record(table, shown)[1]).setup.seed == ""


async def test_a_game_with_the_fairy_can_be_opened_and_gone_through(table: Table) -> None:
    """No table plays with her, but whoever has such a record can look at it: every move of hers is told."""
    setup = GAMES["carcassonne"].new_setup(players=2, seed="7", expansions=("bridges-castles-bazaars", FAIRY))
    _, log = play(setup, 7, 60)
    last = max(ply for ply, action in enumerate(log, 1) if isinstance(action, MoveFairy))
    shown = await opened(table, format_record(Record.of(setup, log[:last])))
    while move_of(shown):
        shown = await step(table, shown, "back")
    said = words((await step(table, shown, "last")).components)
    assert "sends the fairy to" in said


async def test_names_of_strangers_neither_format_nor_mention_nor_burst_the_message(table: Table) -> None:
    _, actions = random_game(setup := GAMES["carcassonne"].new_setup(players=6, seed="6"), Random(6))
    names = [f"<@1> @everyone **{seat}** [x](y) ".ljust(100, "W") for seat in range(6)]
    record = Record.of(setup, actions, names=names, title="<@&2> # `title` ".ljust(100, "W"))
    shown = await opened(table, format_record(record))
    for _ in range(4):
        said = words(shown.components)
        assert "<@" not in said.replace("\\<", "")
        assert "@everyone" not in said
        shown = await step(table, shown, "back")


BAD_FILES: list[tuple[bytes, str, dict[str, object]]] = [
    (b"", "record_none", {"start": '[Castellan "record 1"]'}),
    (b"# A list\n- of something else", "record_none", {"start": '[Castellan "record 1"]'}),
    (b"\x89PNG\r\n\x1a\n\xff", "record_no_text", {"place": 1}),
    (RECORD.encode()[:500] + b"\xc3", "record_no_text", {"place": 501}),
    (RECORD.replace("+bcb/CCCC", "+bcb/@everyone").encode(), "record_wrong", {"line": 18}),
    (RECORD.replace("N13/180", "N13/90").encode(), "record_wrong", {"line": 14}),
    (RECORD.encode() * 2, "record_wrong", {"line": 92}),
    (b'[Castellan "' * 20_000, "record_wrong", {"line": 1}),
    (b"x" * (LARGEST + 1), "record_large", {"size": 257, "most": 256}),
]


async def test_a_bad_file_is_refused_with_line_and_reason(table: Table) -> None:
    for raw, key, values in BAD_FILES:
        shown = await opened(table, raw)
        said = words(shown.components)
        assert said.startswith(t(f"refusal.{key}", **{"reason": "", **values}))
        assert "@everyone" not in said
        assert not buttons(shown.components)


async def test_a_large_file_is_not_even_fetched(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fetch(_: discord.Attachment) -> bytes:
        raise AssertionError("fetched")

    monkeypatch.setattr(discord.Attachment, "read", fetch)
    said = words((await opened(table, b"x" * (LARGEST + 1))).components)
    assert said == t("refusal.record_large", size=257, most=256)


async def test_a_file_that_lies_about_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RefusedError) as caught:
        read(RECORD.encode() + b"\n" * LARGEST)
    assert caught.value.key == "record_wrong"


async def test_a_record_that_takes_too_long(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SECONDS", 0.0)
    assert words((await opened(table, RECORD)).components) == t("refusal.record_slow")


async def test_who_has_sent_what_takes_long_waits_before_the_next_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "UNUSUAL", 0.0)
    shown = await opened(table, RECORD)
    await step(table, shown, "back")
    said = words((await opened(table, RECORD)).components)
    assert re.fullmatch(re.escape(t("refusal.too_soon_record", when=0)).replace("<t:0:R>", r"<t:\d+:R>"), said)
    assert words((await opened(table, RECORD, member=1)).components) != said


async def test_a_file_that_has_vanished(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = await opened(table, RECORD)

    async def gone(_: object) -> bytes:
        raise OSError("connection reset")

    monkeypatch.setattr(discord.Attachment, "read", gone)
    monkeypatch.setattr(table.bot.http, "get_from_cdn", gone)
    assert words((await opened(table, RECORD)).components) == t("refusal.record_gone")
    before = words(shown.components)
    [back] = [button.custom_id for button in buttons(shown.components) if button.key.argument == "back"]
    result = await table.actors[0].click(shown.handle, custom_id=back)
    assert words(result.followups[0].components) == t("refusal.record_gone")
    assert words(now(table, shown).components) == before


# -- the board as it was ----------------------------------------------------------------------------------------------


@ALL_GAMES
async def test_the_board_of_a_turn(table: Table, name: str) -> None:
    game, position = await played(table, name, 60)
    log = [entry.action for entry in (await table.bot.host.table(game.id)).log]
    stops = await moves(table, game)
    for turn in (0, 1, 5, 999):
        shown = await slash(table, "board", game=game.code, turn=turn)
        ply = stops.of_turn(turn)
        assert move_of(shown) == stops.number(ply)
        board = replayed(position, log[:ply])
        if 0 < turn < 999:
            laid = [placed for placed in board.placed() if placed.player >= 0]
            assert len(laid) == turn
        assert (t("button.hints") in [button.label for button in buttons(shown.components)]) == (turn == 999)
    assert move_of(await slash(table, "board", game=game.code)) == stops.number(60)


def replayed(position: Position, actions: Iterable[Action]) -> Position:
    board = begin(position.setup)
    for action in actions:
        board.apply(action)
    return board


@ALL_GAMES
async def test_going_through_a_stored_game(table: Table, name: str) -> None:
    game, _ = await played(table, name, 40)
    shown = await slash(table, "board", game=game.code, member=3)
    assert enabled(shown) == {"first", "back"}
    shown = await step(table, shown, "first", member=3)
    await table.restart()
    seen = [move_of(shown)]
    while "on" in enabled(shown):
        shown = await step(table, shown, "on", member=3)
        seen.append(move_of(shown))
        assert all(alt_texts(shown.components))
        assert len(attached(table, shown)) == 1
    assert seen == list(range((await moves(table, game)).number(40) + 1)), "each press goes on by one"


async def test_a_panel_goes_on_when_the_game_has(table: Table) -> None:
    game, position = await played(table, "carcassonne", 20)
    former = await moves(table, game)
    shown = await step(table, await slash(table, "board", game=game.code), "back")
    random = Random(1)
    for _ in range(4):
        ply = position.ply
        seat, actions = decide(position, lambda here: random_action(here, random))  # type: ignore[arg-type]
        await table.bot.host.act(game.id, game.seats[seat].user_id, ply, actions, next(_interactions))
    assert move_of(await step(table, shown, "last")) == former.number(20), "the button says the ply that was the last"
    assert "on" in enabled(now(table, shown))
    assert move_of(await step(table, now(table, shown), "last")) == (await moves(table, game)).number(position.ply)


async def test_an_old_board_of_a_finished_game_leads_to_the_result(table: Table) -> None:
    for over, key in ((True, "board.old_over"), (False, "board.old")):
        game, _ = await played(table, "carcassonne", 20, over=over)
        said = words((await slash(table, "board", game=game.code, turn=2)).components)
        assert t(key, link="").rstrip() in said


async def test_forged_steps(table: Table) -> None:
    game, _ = await played(table, "carcassonne", 10)
    await table.actors[0].slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    assert lobby is not None
    public = simcord.ResponseMessage(table.env, table.env.backend.get_message(table.channel.id, lobby.id))
    before = words(public.components)
    for key in (Key(Op.STEP, game.code, 3, "on"), Key(Op.RECORD, NO_GAME, 3, "on")):
        sent = press(table.env, table.actors[1], public, str(key))
        await table.env.settle()
        assert sent.said == t("refusal.unknown_button")
    assert words(public.components) == before
    board = await slash(table, "board", game=game.code)
    for key, said in (
        (Key(Op.RECORD, NO_GAME, 3, "on"), t("refusal.record_gone")),
        (Key(Op.STEP, "XXXX", 3, "on"), t("error.unknown_game")),
    ):
        sent = press(table.env, table.actors[0], board.handle, str(key))
        await table.env.settle()
        assert said in sent.said
    sent = press(table.env, table.actors[0], board.handle, str(Key(Op.STEP, game.code, 99999, "on")))
    await table.env.settle()
    assert move_of(now(table, board)) == (await moves(table, game)).number(10)


# -- without Discord --------------------------------------------------------------------------------------------------


def walk(name: str, seed: int) -> Walk:
    """A finished random game with the longest names."""
    setup = GAMES[name].new_setup(players=max(GAMES[name].players), seed=str(seed))
    _, actions = random_game(setup, Random(seed))
    game = shown_game(Record.of(setup, actions, names=[name.strip() for name in LONG_NAMES[: setup.players]]))
    return Walk(PRESENTERS[name], game, setup, actions)


@ALL_GAMES
@pytest.mark.parametrize("seed", range(2))
def test_every_step_of_a_game_says_what_happened(monkeypatch: pytest.MonkeyPatch, name: str, seed: int) -> None:
    draw_nothing(monkeypatch)
    walked = walk(name, seed)
    stops = stops_of(walked.presenter, walked.setup, walked.actions)
    board = begin(walked.setup)
    for ply in [0, *sorted(Random(seed).sample(stops.plies[1:], 40)), stops.last]:
        while board.ply < ply:
            board.apply(walked.actions[board.ply])
        found = walked.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        assert found.ply == ply
        assert found.moment.before.ply == stops.before(ply)
        assert format_position(found.moment.after) == format_position(board)
        assert bool(found.words) == (ply > 0)
        assert len("\n".join(walked.lines(found))) < 3800
        assert 0 < len(found.pictures[0].alt) <= 1024


@ALL_GAMES
def test_a_move_is_told_as_a_whole(name: str) -> None:
    walked = walk(name, 7)
    stops = stops_of(walked.presenter, walked.setup, walked.actions)
    board = begin(walked.setup)
    for action in walked.actions:
        board.apply(action)
        stands = board.ply in stops.plies
        assert stands == (not walked.presenter.goes_on(board) or board.ply == len(walked.actions))
    assert stops.plies[0] == 0
    assert list(stops.turns) == sorted(stops.turns)
    assert set(stops.turns.values()) <= set(stops.plies)


def test_stops_around_a_ply() -> None:
    stops = Stops((0, 2, 3, 7), {1: 2, 2: 3, 4: 7})
    assert [stops.before(ply) for ply in (0, 1, 2, 3, 7)] == [0, 0, 0, 2, 3]
    assert [stops.after(ply) for ply in (0, 1, 2, 3, 7)] == [2, 2, 3, 7, 7]
    assert [stops.number(ply) for ply in (0, 1, 2, 3, 7)] == [0, 1, 1, 2, 3]
    assert [stops.of_turn(turn) for turn in (0, 1, 2, 3, 4, 5, 999)] == [0, 2, 3, 3, 7, 7, 7]
    assert [stops.turn_at(ply) for ply in (0, 1, 2, 3, 6, 7)] == [0, 0, 1, 2, 2, 4]
    assert (stops.last, Stops((0,), {}).of_turn(3)) == (7, 0)


def test_the_four_buttons_differ_and_those_that_lead_nowhere_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_nothing(monkeypatch)
    walked = walk("carcassonne", 3)
    for ply in (0, 3, len(walked.actions)):
        found: Scene = walked.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        pressed = [item.item for item in step_buttons(Op.STEP, "K7QF", found)]
        ids = [str(button.custom_id) for button in pressed]
        assert len(set(ids)) == 4
        assert all((key := parse_key(custom_id)) is not None and key.op is Op.STEP for custom_id in ids)
        at_end = ply == len(walked.actions)
        assert [button.disabled for button in pressed] == [ply == 0, ply == 0, at_end, at_end]


def test_a_record_without_names_and_with_long_ones() -> None:
    setup = GAMES["carcassonne"].new_setup(players=3, seed="1")
    game = shown_game(Record.of(setup, []))
    assert [person.name for person in game.seats] == [t("records.seat", seat=seat) for seat in (1, 2, 3)]
    assert game.name == t("records.untitled")
    game = shown_game(Record.of(setup, [], names=["W" * 100] * 3, title="x" * 100))
    assert all(len(text) == LONGEST_NAME for text in (game.name, *(person.name for person in game.seats)))


def test_a_file_is_named_after_its_game() -> None:
    game = shown_game(Record.of(GAMES["carcassonne"].new_setup(players=2, seed="1"), [Resign(0)]))
    assert file_name(game) == "a-game-FILE-1.txt"
