"""Hints at a table: by command and by button, switched off, and refused to members who cannot see the table.

A hint tells, for example, which cells can still be filled. A table can switch off each kind; a *forged* press has a
custom id that no button carries.
"""

import discord
import pytest
import simcord

from cogs.presenting.ids import Key, Op
from engine.carcassonne.expansions import BCB
from host import TableRules, TableSettings
from tests.e2e.player import button_for, offered_ops
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import MemberLanguage, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


def only_answer(result: simcord.InteractionResult) -> str:
    """Return the text of the only, private, answer."""
    (message,) = [message for message in [*result.followups, result.response] if message is not None]
    assert message.ephemeral
    return words(message.components)


async def start_game(table: Table, **settings: object) -> str:
    """Start a game of two with these table settings; return its code."""
    ana, ben = table.actors[:2]
    await ana.slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    assert lobby is not None
    table_settings = TableSettings(language=MemberLanguage.language, **settings)  # type: ignore[arg-type]
    await table.bot.host.lobbies.set_rules(1, ana.id, TableRules((BCB,), {}, table_settings), interaction_id=1)
    await ben.click(lobby, label=localized("button.join"))
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    return table.stored().code


def ops_of_newest_card(table: Table) -> set[Op]:
    """Return the operations that the newest card offers."""
    return offered_ops(table.card())


async def press_forged(table: Table, op: Op) -> str:
    """Press a button that the card does not have; return the private answer."""
    key = Key(op, table.stored().code, table.stored().ply)
    sent = send_press(table.env, table.actors[0], table.card().handle, str(key), offered=False)
    await table.env.settle()
    return sent.text


async def test_hints_are_shown_by_button_and_by_command(table: Table) -> None:
    code = await start_game(table)
    assert Op.HINTS in ops_of_newest_card(table)
    ana, stranger = table.actors[0], table.actors[-1]
    pressed = button_for(table.card(), Op.HINTS)
    panel = await table.press(ana.id, table.card(), pressed.custom_id)
    assert localized("hints.projection") in words(panel.components)
    assert offered_ops(panel) == {Op.BOARD, Op.TILES}
    board = await table.press(ana.id, table.card(), button_for(table.card(), Op.BOARD).custom_id)
    assert {Op.WORDS, Op.TILES, Op.HINTS, Op.RULES, Op.PROOF} <= offered_ops(board)
    assert localized("hints.completion") in only_answer(await ana.slash(table.channel, "carc hints", game=code))
    assert localized("hints.completion_all") in only_answer(await stranger.slash(table.place, "carc hints"))


async def test_a_table_without_hints_refuses_buttons_and_commands(table: Table) -> None:
    code = await start_game(table, hints=False)
    assert not {Op.TILES, Op.HINTS} & ops_of_newest_card(table)
    ana, name = table.actors[0], (await table.bot.host.games.get(code)).name
    refused = localized("refusal.no_hints", name=name, code=code)
    assert refused in only_answer(await ana.slash(table.place, "carc hints"))
    assert refused in only_answer(await ana.slash(table.place, "carc tiles"))
    assert refused in await press_forged(table, Op.HINTS)
    assert refused in await press_forged(table, Op.TILES)


async def test_a_single_hint_can_be_switched_off(table: Table) -> None:
    code = await start_game(table, hints_off=("tiles", "projection"))
    assert ops_of_newest_card(table) & {Op.TILES, Op.HINTS} == {Op.HINTS}
    ana, name = table.actors[0], (await table.bot.host.games.get(code)).name
    hints = only_answer(await ana.slash(table.place, "carc hints"))
    assert localized("hints.projection") not in hints
    assert localized("hints.completion") in hints
    refused = localized("refusal.hint_off", name=name, code=code, hint=localized("hint.tiles"))
    assert refused in only_answer(await ana.slash(table.place, "carc tiles"))


async def test_a_member_who_cannot_see_the_channel_learns_nothing_from_the_code(table: Table) -> None:
    guild = table.channel.guild
    assert guild is not None
    ana, ben, stranger = table.actors[:3]
    everybody, bot = guild.default_role, table.env.bot.user
    hidden = discord.PermissionOverwrite(view_channel=False)
    seen = discord.PermissionOverwrite(view_channel=True)
    hall = table.channel
    table.channel = guild.create_text_channel(
        "back room", overwrites={everybody: hidden, ana: seen, ben: seen, bot: seen}
    )
    code = await start_game(table)
    for command in ("hints", "tiles", "board", "log"):
        answer = only_answer(await stranger.slash(hall, f"carc {command}", game=code))
        assert answer == localized("error.unknown_game"), command
        assert only_answer(await ana.slash(hall, f"carc {command}", game=code)) != localized("error.unknown_game")


async def test_a_member_of_another_server_learns_nothing_from_the_code(table: Table) -> None:
    code = await start_game(table)
    elsewhere = table.env.create_guild("The Town")
    hall = elsewhere.create_text_channel("hall")
    stranger = elsewhere.add_member(table.env.create_user("visitor"))
    for command in ("hints", "tiles"):
        assert only_answer(await stranger.slash(hall, f"carc {command}", game=code)) == localized("error.unknown_game")


async def test_a_finished_game_has_no_hints(table: Table) -> None:
    await start_game(table)
    ana = table.actors[0]
    question = (await ana.slash(table.place, "carc resign")).response
    assert question is not None
    await ana.click(question, label=localized("button.resign"))
    await table.env.settle()
    assert not {Op.TILES, Op.HINTS} & ops_of_newest_card(table)
    assert only_answer(await ana.slash(table.place, "carc hints")).startswith(localized("error.game_over"))


async def test_a_member_without_games_is_told_how_to_begin(table: Table) -> None:
    assert only_answer(await table.actors[0].slash(table.channel, "carc games")) == localized("games.none")
