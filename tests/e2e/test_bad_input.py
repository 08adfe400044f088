"""Bad input is answered in private with the reason, and changes nothing.

A *forged* press has a custom id that no button of the message carries. `nothing_changes` compares database and public
messages before and after.
"""

import logging
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random

import discord
import pytest
import simcord

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT_FIELD
from cogs.games.carcassonne.words import tile_words
from cogs.presenting.ids import Key, Op
from cogs.texts.languages import speaking
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import Bazaar, BidOnLot, ChooseLot
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import MAX_BID
from host.games.moves import Moves
from store import UnavailableError
from tests.e2e.answers import answer_to, answer_to_press, is_sentence, nothing_changes
from tests.e2e.lobby_cards import open_lobby
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import Kind, MemberLanguage, buttons, buttons_by_kind, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")

PLAYER_COUNT = 3
"""Players of the game; the other members are strangers to it."""
MAX_MOVES = 120
"""Moves after which `play_until` gives up."""


@pytest.fixture
async def game(table: Table) -> Table:
    """Yield a started game of three; the other members are strangers to it."""
    await table.start(PLAYER_COUNT)
    return table


async def forge(table: Table, member: int, op: Op, argument: str = "", *, ply: int | None = None) -> str:
    """Press a button that the newest card does not have; return the private answer."""
    stored = table.stored()
    key = Key(op, stored.code, stored.ply if ply is None else ply, argument)
    return await send_custom_id(table, member, str(key))


async def send_custom_id(table: Table, member: int, custom_id: str, *, offered: bool = True) -> str:
    """Press a button with any custom id on the newest card; return the private answer."""
    sent = send_press(table.env, table.members[member], table.card().handle, custom_id, offered=offered)
    await table.env.settle()
    return answer_to_press(sent)


def member_to_act(table: Table) -> int:
    """Return the member who has to decide."""
    stored = table.stored()
    return stored.seats[stored.replayed().player]


def others(table: Table) -> list[int]:
    """Return the players who do not have to decide."""
    return [member for member in table.stored().seats if member != member_to_act(table)]


async def play_until(table: Table, condition: Callable[[Position], bool]) -> Position:
    """Play by clicks until the position satisfies a condition; return it."""
    clicker = Clicker(table, Random(1), Habits(quick=True, declining=0, typing=0))
    for _ in range(MAX_MOVES):
        position = table.stored().replayed()
        if condition(position):
            return position
        await clicker.move(table.card())
    raise AssertionError("the condition was never met")


# -- turns -------------------------------------------------------------------------------------------------------


async def test_a_press_out_of_turn_is_refused(game: Table) -> None:
    play = buttons_by_kind(game.card().components)[Kind.PLAY][0].custom_id
    with nothing_changes(game):
        for member in others(game):
            shown = await game.press(member, game.card(), play)
            assert is_sentence("error.not_your_turn_at", words(shown.components))
            assert is_sentence("error.not_your_turn_at", await forge(game, member, Op.GO, "M12/0 pass"))


async def test_a_press_of_a_stranger_is_refused(game: Table) -> None:
    stranger = game.actors[-1].id
    play = buttons_by_kind(game.card().components)[Kind.PLAY][0].custom_id
    with nothing_changes(game):
        shown = await game.press(stranger, game.card(), play)
        assert is_sentence("error.not_a_player", words(shown.components))
        assert is_sentence("error.not_a_player", await forge(game, stranger, Op.GO, "M12/0 pass"))


async def test_the_button_of_an_earlier_ply_is_refused_as_stale(game: Table) -> None:
    first = game.stored()
    old = buttons_by_kind(game.card().components)[Kind.PLAY][0].custom_id
    await Clicker(game, Random(1), Habits(quick=True)).move(game.card())
    with nothing_changes(game):
        for member in first.seats:
            assert is_sentence("error.stale_at", await send_custom_id(game, member, old))


async def test_the_panel_of_a_turn_that_was_made_otherwise_is_stale(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: True)  # so that the first panel is not deleted
    member = member_to_act(game)
    card = game.card()
    panel = await game.press(member, card, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id)
    spot = buttons_by_kind(panel.components)[Kind.SPOT][0].custom_id
    await Clicker(game, Random(1), Habits(quick=True)).move(card)
    with nothing_changes(game):
        shown = await game.press(member, panel, spot)
        assert is_sentence("error.stale_at", words(shown.components))


async def test_illegal_placements_are_refused(game: Table) -> None:
    member = member_to_act(game)
    with nothing_changes(game):
        for move in ("A1/0 pass", "M13/0 pass", "M12/0 @monastery pass", "pass"):
            assert is_sentence("error.illegal", await forge(game, member, Op.GO, move))
            typed = await game.members[member].slash(game.place, "carc play", move=move)
            assert any(is_sentence(key, answer_to(typed)) for key in ("refusal.unfinished_move", "error.illegal"))


async def test_an_incomplete_typed_move_is_refused(game: Table) -> None:
    member = member_to_act(game)
    with nothing_changes(game):
        typed = await game.members[member].slash(game.place, "carc play", move="somewhere nice")
        assert is_sentence("refusal.unfinished_move", answer_to(typed))


# -- the bazaar --------------------------------------------------------------------------------------------------


def _is_bidding(position: Position) -> bool:
    """Return whether a player has to bid in a bazaar, an auction of tiles, after another has won a tile."""
    return isinstance(position.step, BidOnLot) and any(owner >= 0 for owner in position.step.bazaar.owners)


async def play_to_bidding(game: Table) -> Bazaar:
    """Play to a bid in a bazaar in which one player owns a tile already; return the bazaar."""
    step = (await play_until(game, _is_bidding)).step
    assert isinstance(step, BidOnLot)
    return step.bazaar


async def test_the_opening_panel_names_the_points_of_the_player(game: Table) -> None:
    position = await play_until(game, lambda position: isinstance(position.step, ChooseLot))
    assert isinstance(position.step, ChooseLot)
    card = game.card()
    panel = await game.press(member_to_act(game), card, buttons_by_kind(card.components)[Kind.LOT][0].custom_id)
    lot = position.step.bazaar.open_lots[0]
    with speaking(MemberLanguage.language):
        tile = tile_words(position.step.bazaar.tiles[lot])
    points = position.scores[position.player]
    opening, owned = localized("panel.opening", lot=lot + 1, tile=tile), localized("panel.points", count=points)
    assert words(panel.components) == f"{opening} {owned} {localized('panel.below_zero')}"


async def test_a_bid_not_above_the_current_one_is_refused(game: Table) -> None:
    bazaar = await play_to_bidding(game)
    with nothing_changes(game):
        for amount in {0, bazaar.bid}:
            assert is_sentence("error.illegal", await forge(game, member_to_act(game), Op.ACT, f"bid:{amount}"))
            assert is_sentence("refusal.bid_too_low", await type_bid(game, str(amount)))


async def test_a_bid_above_the_maximum_is_refused(game: Table) -> None:
    await play_to_bidding(game)
    with nothing_changes(game):
        assert await type_bid(game, "1000") == localized("refusal.bid_too_high", amount=1000, most=MAX_BID)


async def type_bid(game: Table, text: str) -> str:
    """Submit an amount in the modal; return the private answer."""
    member, card = member_to_act(game), game.card()
    modal = await game.press(member, card, buttons_by_kind(card.components)[Kind.OTHER][0].custom_id)
    shown = await game.submit(member, modal, {AMOUNT_FIELD: text})
    assert shown.handle.ephemeral
    return words(shown.components)


async def test_a_bid_that_is_not_a_whole_number_is_refused(game: Table) -> None:
    await play_to_bidding(game)
    with nothing_changes(game):
        for text in ("-3", "1.5", "many", "٣", "1e2", " "):
            assert is_sentence("refusal.bad_amount", await type_bid(game, text)), text


async def test_a_bid_of_a_player_who_owns_a_tile_is_refused(game: Table) -> None:
    bazaar = await play_to_bidding(game)
    seats = game.stored().seats
    owners = [seats[owner] for owner in bazaar.owners if owner >= 0]
    with nothing_changes(game):
        for member in owners:
            assert is_sentence("error.has_a_lot", await forge(game, member, Op.ACT, f"bid:{bazaar.bid + 1}"))


# -- ids and games -----------------------------------------------------------------------------------------------


async def test_a_forged_custom_id_is_answered_without_an_error(game: Table) -> None:
    stored = game.stored()
    place = f"{stored.code}:{stored.ply}"
    with nothing_changes(game):
        for forged in (
            f"c1:go:{place}:drop table games",
            f"c1:plan:{place}:A1/0",
            f"c1:plan:{place}:p99999",
            f"c1:act:{place}:bid:-5",
            f"c1:lot:{place}:1",
            f"c1:fly:{place}:",
            f"c1:go:{stored.code}:-1:pass",
            f"c0:go:{place}:pass",
            "hello",
        ):
            text = await send_custom_id(game, member_to_act(game), forged)
            assert text, forged
            assert not is_sentence("answer.unexpected", text), forged


async def test_a_button_that_the_message_does_not_have_is_refused(game: Table) -> None:
    stored = game.stored()
    with nothing_changes(game):
        forged = str(Key(Op.GO, stored.code, stored.ply, "nonsense"))
        assert is_sentence(
            "refusal.unknown_button", await send_custom_id(game, member_to_act(game), forged, offered=False)
        )


async def test_an_unknown_game_code_is_refused(game: Table) -> None:
    member = game.actors[0]
    with nothing_changes(game):
        assert is_sentence("error.unknown_game", await send_custom_id(game, member.id, str(Key(Op.PLAY, "ZZZZ"))))
        for command in ("play", "board", "tiles", "log", "resign"):
            result = await member.slash(game.place, f"carc {command}", game="ZZZZ")
            assert is_sentence("error.unknown_game", answer_to(result))


# -- lobbies -----------------------------------------------------------------------------------------------------


async def press_lobby(table: Table, lobby: simcord.ResponseMessage, member: simcord.MemberActor, op: Op) -> str:
    """Press a button of the lobby, even a disabled or removed one; return the private answer."""
    with closing(sqlite3.connect(table.database)) as file:
        (number,) = file.execute("select max(id) from lobbies").fetchone()
    sent = send_press(table.env, member, lobby, str(Key(op, str(number))))
    await table.env.settle()
    return answer_to_press(sent)


async def test_a_full_lobby_cannot_be_joined(table: Table) -> None:
    lobby = await open_lobby(table, 2, seated=2)
    with nothing_changes(table):
        assert is_sentence("error.lobby_full", await press_lobby(table, lobby, table.actors[2], Op.JOIN))


async def test_a_lobby_cannot_be_joined_twice(table: Table) -> None:
    lobby = await open_lobby(table, 3, seated=2)
    with nothing_changes(table):
        for member in table.actors[:2]:
            result = await member.click(lobby, label=localized("button.join"))
            assert is_sentence("error.already_joined", answer_to(result))


async def test_a_member_who_never_joined_cannot_leave(table: Table) -> None:
    lobby = await open_lobby(table, 3, seated=2)
    with nothing_changes(table):
        result = await table.actors[2].click(lobby, label=localized("button.leave"))
        assert is_sentence("error.not_in_lobby", answer_to(result))


async def test_a_started_lobby_refuses_all_buttons(table: Table) -> None:
    lobby = await open_lobby(table, 3, seated=2)
    await table.actors[0].click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    with nothing_changes(table):
        for op, member in ((Op.JOIN, table.actors[2]), (Op.LEAVE, table.actors[1]), (Op.START, table.actors[0])):
            assert is_sentence("error.lobby_started", await press_lobby(table, lobby, member, op))


async def test_only_the_owner_starts_the_game(table: Table) -> None:
    lobby = await open_lobby(table, 3, seated=2)
    with nothing_changes(table):
        assert is_sentence("error.not_owner", await press_lobby(table, lobby, table.actors[1], Op.START))
        assert is_sentence("error.not_in_lobby", await press_lobby(table, lobby, table.actors[2], Op.START))


async def test_a_game_needs_two_players(table: Table) -> None:
    lobby = await open_lobby(table, 3, seated=1)
    with nothing_changes(table):
        assert is_sentence("error.too_few_players", await press_lobby(table, lobby, table.actors[0], Op.START))


# -- channels and threads ----------------------------------------------------------------------------------------


async def deny_permissions(table: Table, **denied: bool) -> None:
    """Replace the table's channel by one in which the bot lacks permissions."""
    bot, guild = table.env.bot.user, table.channel.guild
    assert bot is not None
    assert guild is not None
    table.channel = guild.create_text_channel("narrow", overwrites={bot: discord.PermissionOverwrite(**denied)})


async def test_without_the_permission_to_attach_files_no_table_is_opened(table: Table) -> None:
    await deny_permissions(table, attach_files=False)
    with nothing_changes(table):
        result = await table.actors[0].slash(table.channel, "carc new", players=2)
        assert is_sentence("refusal.no_permission", answer_to(result))
        assert localized("permission.attach_files") in answer_to(result)


async def test_without_the_permission_to_open_threads_the_game_is_played_in_the_channel(table: Table) -> None:
    await deny_permissions(table, create_public_threads=False)
    lobby = await open_lobby(table, 2, seated=2)
    with nothing_changes(table):
        result = await table.actors[0].click(lobby, label=localized("button.start"))
        assert is_sentence("refusal.no_threads", answer_to(result))
        assert localized("permission.create_public_threads") in answer_to(result)
    await table.actors[0].click(result.followups[0], label=localized("button.start_here"))
    table.place = table.channel
    assert buttons_by_kind(table.card().components)[Kind.PLAY]


async def test_a_game_whose_thread_was_deleted_continues_in_the_channel(game: Table) -> None:
    """The panel opens in the channel, and the next card is posted there."""
    thread = await game.env.bot.fetch_channel(game.place.id)
    assert isinstance(thread, discord.Thread)
    await thread.delete()
    await game.env.settle()  # a notice to the players is posted in the channel
    member = member_to_act(game)
    before = game.stored()
    with nothing_changes(game):
        opened = await game.members[member].slash(game.channel, "carc play")
        panel = opened.response
        assert panel is not None
        assert panel.ephemeral
    clicker = Clicker(game, Random(1), Habits(quick=True))
    await clicker.complete_turn(member, Shown(panel, panel.components))
    after = game.stored()
    assert len(after.posts) == len(before.posts) + 1
    game.place = game.channel
    assert game.card().handle.id == after.posts[-1].message_id
    assert buttons(game.card().components)


# -- errors and regressions --------------------------------------------------------------------------------------


async def test_an_unexpected_error_is_answered_and_logged(
    game: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(Moves, "act", broken)
    with nothing_changes(game):
        text = await forge(game, member_to_act(game), Op.GO, "M12/0 pass")
    assert is_sentence("answer.unexpected", text)
    (reference,) = re.findall(r"\*\*([0-9A-F]{8})\*\*", text)
    logged = [record for record in caplog.records if reference in record.getMessage()]
    assert [(record.levelno, str(record.exc_info[1])) for record in logged if record.exc_info] == [
        (logging.ERROR, "a bug of ours")
    ]


async def test_a_typed_resignation_asks_for_confirmation(game: Table) -> None:
    """Regression: `/carc play move:resign:1` resigned without asking."""
    stored = game.stored()
    for seat, typed in ((0, "resign:1"), (1, "resign:2"), (1, "pass resign:2"), (2, "resign:1")):
        with nothing_changes(game):
            question = await game.members[stored.seats[seat]].slash(game.place, "carc play", move=typed)
        assert question.response is not None
        assert is_sentence("resign.ask", answer_to(question))
        assert [button.key.op for button in buttons(question.response.components)] == [Op.RESIGN]


async def test_a_forged_move_button_cannot_resign(game: Table) -> None:
    stored = game.stored()
    for op in (Op.ACT, Op.GO):
        forged = str(Key(op, stored.code, stored.ply, "resign:1"))
        with nothing_changes(game):
            sent = send_press(game.env, game.members[stored.seats[0]], game.card().handle, forged)
            await game.env.settle()
        assert is_sentence("refusal.unknown_button", sent.text)


async def test_an_unavailable_database_is_reported(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unanswered(*_: object, **__: object) -> None:
        raise UnavailableError("it does not answer")

    monkeypatch.setattr(Moves, "act", unanswered)
    with nothing_changes(game):
        text = await forge(game, member_to_act(game), Op.GO, "M12/0 pass")
    assert is_sentence("answer.not_stored", text)
