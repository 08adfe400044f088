"""Permissions: other servers and channels, former players and members, private channels, onlookers, several games.

A stranger is a member who does not play in the game. Commands name a game by its code; buttons carry it in their
custom ids, which are forged here.
"""

from __future__ import annotations

import discord
import pytest
import simcord
from simcord.enums import ChannelType

from cogs.command_groups import HANDLERS
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT, LOT, OTHER
from cogs.interactions.admission import UNBOUND_OPS, is_private, is_typed
from cogs.presenting.ids import EVENT_OPS, LOBBY_OPS, Key, Op
from tests.e2e.answers import answer_to, answer_to_press, is_sentence, nothing_changes
from tests.e2e.lobby_cards import open_lobby
from tests.e2e.raw_interactions import send_modal, send_press
from tests.e2e.screen import Button, buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table
from tests.e2e.test_bad_input import send_custom_id

pytestmark = pytest.mark.usefixtures("random_language")

PLAYER_COUNT = 2
"""Players of the game."""


@pytest.fixture
async def game(table: Table) -> Table:
    """Yield a started game of two; the other members are strangers to it."""
    await table.start(PLAYER_COUNT)
    return table


class OtherServer:
    """Another server with the bot, which members of the first one can join."""

    def __init__(self, table: Table) -> None:
        self.table = table
        guild = table.env.create_guild("The Town")
        self.channel = guild.create_text_channel("games")
        self.guild = guild

    def member(self, number: int) -> simcord.MemberActor:
        """Let one of the members join this server."""
        return self.guild.add_member(self.table.users[number])

    async def card(self, member: simcord.MemberActor) -> simcord.ResponseMessage:
        """Return a message of the bot in this server, on which presses can be forged."""
        opened = await member.slash(self.channel, "carc new", players=2)
        (lobby,) = opened.followups
        return lobby


def shown(result: simcord.InteractionResult) -> simcord.ResponseMessage:
    """Return the private answer."""
    return next(message for message in (*result.followups, result.response) if message and message.ephemeral)


def offered_games(result: simcord.InteractionResult) -> dict[str, Button]:
    """Return the buttons of the private answer, by the code of their game."""
    return {button.key.ref: button for button in buttons(shown(result).components)}


# -- servers and channels ----------------------------------------------------------------------------------------


async def test_a_table_cannot_be_joined_from_another_server(table: Table) -> None:
    await open_lobby(table, 3, seated=1)
    elsewhere = OtherServer(table)
    stranger = elsewhere.member(1)
    card = await elsewhere.card(stranger)
    with nothing_changes(table):
        for op in {op for op in LOBBY_OPS if not is_private(op)}:
            sent = send_press(table.env, stranger, card, str(Key(op, "1")))
            await table.env.settle()
            assert is_sentence("error.unknown_lobby", answer_to_press(sent))


async def test_a_table_cannot_be_joined_from_another_channel(table: Table) -> None:
    await open_lobby(table, 3, seated=1)
    other = table.channel.guild.create_text_channel("elsewhere")  # type: ignore[union-attr]
    opened = await table.actors[1].slash(other, "carc new", players=2)
    (lobby,) = opened.followups
    with nothing_changes(table):
        sent = send_press(table.env, table.actors[1], lobby, str(Key(Op.JOIN, "1")))
        await table.env.settle()
        assert is_sentence("error.unknown_lobby", answer_to_press(sent))


async def test_a_game_cannot_be_used_from_another_server(game: Table) -> None:
    elsewhere = OtherServer(game)
    stranger = elsewhere.member(3)
    card = await elsewhere.card(stranger)
    code = game.stored().code
    with nothing_changes(game):
        for op in (
            {op for op in HANDLERS if not is_typed(op) and not is_private(op)} - LOBBY_OPS - EVENT_OPS - UNBOUND_OPS
        ):
            sent = send_press(game.env, stranger, card, str(Key(op, code)))
            await game.env.settle()
            assert is_sentence("error.unknown_game", answer_to_press(sent)), op


async def test_a_modal_cannot_carry_out_operations_of_buttons(game: Table) -> None:
    member, code = game.members[game.stored().seats[0]], game.stored().code
    with nothing_changes(game):
        for op in (op for op in HANDLERS if not is_typed(op)):
            forged = str(Key(op, "1" if op in LOBBY_OPS else code))
            sent = send_modal(game.env, member, game.card().handle, forged)
            await game.env.settle()
            assert is_sentence("refusal.unknown_button", answer_to_press(sent)), op


async def test_a_button_cannot_carry_out_operations_of_modals(game: Table) -> None:
    with nothing_changes(game):
        sent = await send_custom_id(game, game.stored().seats[0], str(Key(AMOUNT, game.stored().code, 0, "bid")))
        assert is_sentence("refusal.unknown_button", sent)


async def test_panels_without_a_game_are_available(game: Table) -> None:
    """The pages of a member's games, of the settings and of the rules belong to no game."""
    ana, code = game.actors[0], game.stored().code
    for command, op, argument, text in (
        ("games", Op.GAMES, "0", code),
        ("settings", Op.SETTING, "confirm careful", localized("setting.title")),
        ("rules", Op.RULE, "BR-09", "BR-09"),
    ):
        panel = shown(await ana.slash(game.channel, f"carc {command}"))
        send_press(game.env, ana, panel, str(Key(op, "0", 0, argument)))
        await game.env.settle()
        stored = game.env.backend.get_message(panel.channel_id, panel.id)
        assert text in words(stored.components)
        with nothing_changes(game):
            public = send_press(game.env, ana, game.card().handle, str(Key(op, "0", 0, argument)))
            await game.env.settle()
            assert is_sentence("refusal.unknown_button", answer_to_press(public))


# -- membership --------------------------------------------------------------------------------------------------


async def test_a_removed_member_cannot_play_from_another_server(game: Table) -> None:
    elsewhere = OtherServer(game)
    number = game.actors.index(game.members[game.stored().seats[game.stored().replayed().player]])
    player = elsewhere.member(number)
    card = await elsewhere.card(player)
    code = game.stored().code
    opened = await player.slash(elsewhere.channel, "carc play", game=code)
    assert buttons(shown(opened).components), "a member of both servers can play from either"
    game.bot.lookups._cache.clear()
    game.channel.guild.remove_member(game.actors[number])  # type: ignore[union-attr]
    with nothing_changes(game):
        for command in ("play", "board", "export", "resign", "here"):
            result = await player.slash(elsewhere.channel, f"carc {command}", game=code)
            assert is_sentence("error.unknown_game", answer_to(result))
        for op in (Op.GO, Op.PLAY, Op.RESIGN, Op.BOARD):
            sent = send_press(game.env, player, card, str(Key(op, code, 0, "pass")))
            await game.env.settle()
            assert is_sentence("error.unknown_game", answer_to_press(sent))
        assert not await player.autocomplete(elsewhere.channel, "carc play", "move", "", game=code)


# -- channels and threads of a game ------------------------------------------------------------------------------


def private_channel(table: Table, *members: simcord.MemberActor) -> simcord.ChannelHandle:
    """Create a channel that only these members and the bot can see."""
    guild = table.channel.guild
    assert guild is not None
    seen, hidden = discord.PermissionOverwrite(view_channel=True), discord.PermissionOverwrite(view_channel=False)
    shown = dict.fromkeys(members, seen)
    bot = table.env.bot.user
    assert bot is not None
    return guild.create_text_channel("private", overwrites={guild.default_role: hidden, bot: seen, **shown})


async def test_a_game_moves_only_to_channels_that_all_players_see(game: Table) -> None:
    ana, ben, cleo = game.actors[:3]
    code = game.stored().code
    without_ben = private_channel(game, ana, cleo)
    with nothing_changes(game):
        refused = await ana.slash(without_ben, "carc here", game=code)
        assert answer_to(refused) == localized("error.not_seen", player="Ben")
    both = private_channel(game, ana, ben)
    await ana.slash(both, "carc here", game=code)
    await game.env.settle()
    messages = list(game.env.backend.messages[both.id].values())
    notice = next(message for message in messages if set(mentioned_users(message.components)) == {ana.id, ben.id})
    assert f"<#{game.place.id}>" in words(notice.components)
    assert "Ana" in words(game.cards()[-1].components), "announced in the previous channel, too"


async def test_a_card_cannot_be_copied_again_at_once(game: Table) -> None:
    ana, ben = game.actors[:2]
    code = game.stored().code
    await ana.slash(game.channel, "carc here", game=code)
    with nothing_changes(game):
        for actor, place in ((ana, game.channel), (ben, game.channel), (ben, game.place)):
            assert is_sentence("error.moved_lately", answer_to(await actor.slash(place, "carc here", game=code)))


@pytest.fixture
async def game_of_three(table: Table) -> Table:
    """Yield a game of three that the first player has resigned."""
    await table.start(3)
    question = await table.actors[0].slash(table.place, "carc resign")
    await table.actors[0].click(question.response, label=localized("button.resign"))
    await table.env.settle()
    return table


async def test_a_player_who_has_resigned_is_refused(game_of_three: Table) -> None:
    ana, code = game_of_three.actors[0], game_of_three.stored().code
    with nothing_changes(game_of_three):
        for command in ("here", "resign", "play"):
            for place, named in ((game_of_three.place, {}), (game_of_three.channel, {"game": code})):
                answer = answer_to(await ana.slash(place, f"carc {command}", **named))
                assert is_sentence("error.resigned", answer)
        listed = answer_to(await ana.slash(game_of_three.channel, "carc games"))
        assert code not in listed


async def test_a_finished_game_refuses_resignations_and_moves(game: Table) -> None:
    ana, ben, cleo = game.actors[:3]
    question = await ana.slash(game.place, "carc resign")
    await ana.click(question.response, label=localized("button.resign"))
    await game.env.settle()
    code = game.stored().code
    with nothing_changes(game):
        for actor in (ana, ben):
            for command in ("here", "resign", "play"):
                answer = answer_to(await actor.slash(game.place, f"carc {command}"))
                assert is_sentence("error.game_over_at", answer)
                answer = answer_to(await actor.slash(game.channel, f"carc {command}", game=code))
                assert is_sentence("error.game_over_at", answer)
        assert is_sentence("error.not_a_player", answer_to(await cleo.slash(game.place, "carc here", game=code)))


async def test_a_game_in_a_private_channel_is_hidden_in_its_original_channel(game: Table) -> None:
    ana, ben, cleo = game.actors[:3]
    code = game.stored().code
    await ana.slash(private_channel(game, ana, ben), "carc here", game=code)
    with nothing_changes(game):
        for command in ("board", "export", "tiles", "log", "hints"):
            assert is_sentence("refusal.no_game", answer_to(await cleo.slash(game.channel, f"carc {command}")))
            answer = answer_to(await cleo.slash(game.channel, f"carc {command}", game=code))
            assert is_sentence("error.unknown_game", answer)
        rules = answer_to(await cleo.slash(game.channel, "carc rules"))
        assert not says(rules, "rules.preset")
        for op in (Op.BOARD, Op.LOG, Op.TILES, Op.PLAY):
            card = game.cards()[0].handle
            sent = send_press(game.env, cleo, card, str(Key(op, code)))
            await game.env.settle()
            assert is_sentence("error.unknown_game", answer_to_press(sent))
    assert words((await ben.slash(game.channel, "carc board", game=code)).response.components)  # type: ignore[union-attr]


@pytest.mark.parametrize("archived", [False, True])
async def test_a_game_in_a_private_thread_is_hidden_from_others(game: Table, *, archived: bool) -> None:
    ana, ben, cleo = game.actors[:3]
    code = game.stored().code
    backend = game.env.backend
    thread = backend.create_thread(game.channel.id, "secret", ana.id, type=ChannelType.PRIVATE_THREAD)
    for user in (ben.id, game.env.bot.user.id):  # type: ignore[union-attr]
        backend.add_thread_member(thread.id, user)
    await game.env.settle()
    await game.bot.host.places.set_thread(1, thread.id)
    thread_seen = await game.bot.fetch_channel(thread.id)
    assert isinstance(thread_seen, discord.Thread)
    if archived:
        await thread_seen.edit(archived=True)
        await game.env.settle()
    for command in ("board", "export", "log"):
        answer = answer_to(await cleo.slash(game.channel, f"carc {command}", game=code))
        assert is_sentence("error.unknown_game", answer)
    assert words((await ben.slash(game.channel, "carc board", game=code)).response.components)  # type: ignore[union-attr]


async def test_a_game_in_an_archived_public_thread_is_visible(game: Table) -> None:
    cleo, code = game.actors[2], game.stored().code
    thread_seen = await game.bot.fetch_channel(game.place.id)
    assert isinstance(thread_seen, discord.Thread)
    await thread_seen.edit(archived=True)
    await game.env.settle()
    shown = await cleo.slash(game.channel, "carc board", game=code)
    assert says(answer_to(shown), "board.title")


# -- onlookers ---------------------------------------------------------------------------------------------------


async def test_onlookers_get_the_same_refusal_for_every_button(game: Table) -> None:
    stored = game.stored()
    cleo, mover = game.actors[2], game.members[stored.seats[stored.replayed().player]]
    offered = await mover.autocomplete(game.place, "carc play", "move", "")
    await mover.slash(game.place, "carc play", move=offered[0]["value"])
    with nothing_changes(game):
        for op in (Op.PLAY, Op.GO, Op.ACT, LOT, OTHER, Op.RESIGN, Op.HERE):
            text = await send_custom_id(game, cleo.id, str(Key(op, stored.code, 0, "pass")))
            assert is_sentence("error.not_a_player", text)


# -- several games -----------------------------------------------------------------------------------------------


async def start_another_game(table: Table, *numbers: int) -> str:
    """Start one more game of these members in the channel; return its code."""
    first, *others = (table.actors[number] for number in numbers)
    opened = await first.slash(table.channel, "carc new", players=len(numbers))
    for actor in others:
        await actor.click(opened.followups[0], label=localized("button.join"))
    await first.click(opened.followups[0], label=localized("button.start"))
    await table.env.settle()
    table.place = table.channel.threads[-1]
    return table.stored().code


async def test_commands_prefer_games_that_wait_for_the_player(table: Table) -> None:
    codes = [await start_another_game(table, 0, 1) for _ in range(2)]
    games = [await table.bot.host.games.get(code) for code in codes]
    assert games[0].person_to_act == games[1].person_to_act
    mover = table.members[games[0].person_to_act.user_id]  # type: ignore[union-attr]
    other = next(actor for actor in table.actors[:2] if actor is not mover)
    answer = await mover.slash(table.channel, "carc play")
    offered = offered_games(answer)
    assert offered.keys() == set(codes), "both games wait for the player"
    panel = await mover.click(shown(answer), custom_id=offered[codes[0]].custom_id)
    assert offered_games(panel).keys() == {codes[0]}
    in_thread = await mover.slash(table.place, "carc play")
    assert offered_games(in_thread).keys() == {codes[1]}

    moves = await mover.autocomplete(table.place, "carc play", "move", "")
    await mover.slash(table.place, "carc play", move=moves[0]["value"])
    await table.env.settle()
    waiting = await mover.slash(table.channel, "carc play")
    assert offered_games(waiting).keys() == {codes[0]}
    assert await mover.autocomplete(table.channel, "carc play", "move", "")
    leaving = await other.slash(table.channel, "carc resign")
    assert offered_games(leaving).keys() == {codes[1]}


async def test_suggestions_ask_to_choose_a_game_first(table: Table) -> None:
    codes = [await start_another_game(table, 0, 1) for _ in range(2)]
    mover = table.members[(await table.bot.host.games.get(codes[0])).person_to_act.user_id]  # type: ignore[union-attr]
    [choice] = await mover.autocomplete(table.channel, "carc play", "move", "M12")
    assert choice["name"] == localized("game.which")
    answer = await mover.slash(table.channel, "carc play", move=choice["value"])
    assert {button.key.op for button in offered_games(answer).values()} == {Op.PLAY}


@pytest.mark.parametrize(
    ("command", "op"), [("resign", Op.RESIGNING), ("here", Op.HERE), ("board", Op.BOARD), ("export", Op.EXPORT)]
)
async def test_an_ambiguous_command_asks_which_game_is_meant(table: Table, command: str, op: Op) -> None:
    codes = [await start_another_game(table, 0, 1) for _ in range(2)]
    ana = table.actors[0]
    if (await table.bot.host.games.get(codes[0])).person_to_act.user_id != ana.id:  # type: ignore[union-attr]
        ana = table.actors[1]
    answer = await ana.slash(table.channel, f"carc {command}")
    offered = offered_games(answer)
    assert offered.keys() == set(codes)
    assert {button.key.op for button in offered.values()} == {op}
    result = await ana.click(shown(answer), custom_id=offered[codes[0]].custom_id)
    assert codes[0] in answer_to(result)
