"""Server management: ``/carc manage`` by managers, and its refusal to other members.

A manager has Discord's permission to manage threads, or a role that the server has chosen for this.
"""

from __future__ import annotations

import discord
import pytest
import simcord

from cogs.presenting.ids import Key, Op
from host import Asker
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text, open_lobby
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table, give_role, make_manager

pytestmark = pytest.mark.usefixtures("random_language")


async def open_panel(table: Table, actor: simcord.MemberActor) -> simcord.ResponseMessage:
    """Open the private management panel."""
    shown = (await actor.slash(table.channel, "carc manage")).response
    assert shown is not None
    assert shown.ephemeral
    return shown


async def test_every_press_of_a_non_manager_is_refused(table: Table) -> None:
    await table.start(2)
    ana, manager = table.actors[0], make_manager(table)
    code, ben = table.stored().code, table.actors[1].id
    assert is_sentence("error.not_manager", answer_to(await ana.slash(table.channel, "carc manage")))
    shown = (await ana.slash(table.channel, "carc settings")).response
    assert shown is not None
    arguments = (
        "home",
        "channels",
        "role",
        "opening",
        "openers 1",
        "organisers 1",
        "most 1",
        "aids on",
        "tables",
        "table 1",
        "close 1",
        "games",
        f"game {code}",
    )
    with nothing_changes(table):
        for argument in (*arguments, f"removing {code} {ben}", f"remove {code} {ben}"):
            sent = send_press(table.env, ana, shown, str(Key(Op.MANAGE, "0", 0, argument)))
            await table.env.settle()
            assert is_sentence("error.not_manager", last_answer(sent)), argument
        panel = await open_panel(table, manager)
        for argument in ("", "fly", "table", "table x", "remove", f"remove {code} 5", "channels x", "role " + "9" * 40):
            sent = send_press(table.env, manager, panel, str(Key(Op.MANAGE, "0", 0, argument)))
            await table.env.settle()
            if argument:
                assert last_answer(sent), argument
                assert localized("answer.unexpected", reference="|").split("|")[0] not in last_answer(sent)
        public = send_press(table.env, manager, table.card().handle, str(Key(Op.MANAGE, "0", 0, "home")))
        await table.env.settle()
        assert is_sentence("refusal.unknown_button", last_answer(public))


async def test_a_channel_permission_does_not_make_a_manager(table: Table) -> None:
    ana = table.actors[0]
    guild = table.channel.guild
    assert guild is not None
    own = guild.create_text_channel("own", overwrites={ana: discord.PermissionOverwrite(manage_threads=True)})
    assert is_sentence("error.not_manager", answer_to(await ana.slash(own, "carc manage")))


async def test_a_manager_closes_a_table(table: Table) -> None:
    manager = make_manager(table)
    await open_lobby(table, 3, seated=2)
    shown = await manager.click(await open_panel(table, manager), label=localized("button.manage_tables"))
    shown = await manager.select(shown.response, ["1"], custom_id=str(Key(Op.MANAGE, "0", 0, "table")))
    assert shown.response is not None
    assert "Ana" in words(shown.response.components)
    await manager.click(shown.response, label=localized("button.close"))
    assert lobby_text(table) == localized("lobby.closed_by_hand")


async def test_a_manager_removes_a_player_and_the_card_reports_it(table: Table) -> None:
    await table.start(3)
    manager, code = make_manager(table), table.stored().code
    shown = await manager.click(await open_panel(table, manager), label=localized("button.manage_games"))
    shown = await manager.select(shown.response, [code], custom_id=str(Key(Op.MANAGE, "0", 0, "game")))
    with nothing_changes(table):
        shown = await manager.click(shown.response, label=localized("button.take_out", player="Ben"))
    shown = await manager.click(shown.response, label=localized("button.take_out", player="Ben"))
    assert shown.response is not None
    assert words(shown.response.components) == localized(
        "manage.removed", player="Ben", name=(await table.bot.host.games.get(code)).name, code=code
    )
    await table.env.settle()
    stored = table.stored()
    seat = stored.names.index("Ben")
    assert stored.log == (f"resign:{seat + 1}",)
    text = words(table.card().components)
    assert localized("story.removed", player="Ben") in text
    assert localized("story.resigned", player="Ben") in text
    assert is_sentence("error.resigned", answer_to(await table.actors[1].slash(table.place, "carc play")))


async def test_managers_restrict_games_to_channels(table: Table) -> None:
    ana, ben, manager = table.actors[0], table.actors[1], make_manager(table)
    guild = table.channel.guild
    assert guild is not None
    arcade = guild.create_text_channel("arcade")
    await table.start(2)
    code = table.stored().code
    panel = await open_panel(table, manager)
    shown = await manager.select(panel, [arcade], custom_id=str(Key(Op.MANAGE, "0", 0, "channels")))
    assert shown.response is not None
    assert f"<#{arcade.id}>" in words(shown.response.components)
    await table.restart()
    with nothing_changes(table):
        answer = answer_to(await ana.slash(table.channel, "carc new", players=2))
        assert is_sentence("error.channel_closed", answer)
        assert f"<#{arcade.id}>" in answer
        assert is_sentence("error.channel_closed", answer_to(await ben.slash(table.channel, "carc here", game=code)))
    assert not (await ana.slash(arcade, "carc new", players=2)).followups[0].ephemeral
    shown = await manager.click(shown.response, label=localized("button.manage_everywhere"))
    assert localized("manage.everywhere") in words(shown.response.components)  # type: ignore[union-attr]
    assert not (await ana.slash(table.channel, "carc new", players=2)).followups[0].ephemeral


async def test_managers_limit_who_opens_games_their_number_and_hints(table: Table) -> None:
    ana, manager, keeper = table.actors[0], make_manager(table), give_role(table, 4, name="Keepers")
    role = table.channel.guild.roles["Keepers"]  # type: ignore[union-attr]
    shown = await manager.click(await open_panel(table, manager), label=localized("button.manage_opening"))
    for custom, value in (("openers", role), ("most", "1"), ("pace", "slow")):
        shown = await manager.select(shown.response, [value], custom_id=str(Key(Op.MANAGE, "0", 0, custom)))
    shown = await manager.click(shown.response, label=localized("button.manage_hints_on"))
    assert shown.response is not None
    text = words(shown.response.components)
    for line in (
        localized("manage.opened_by", role=f"<@&{role.id}>"),
        localized("manage.most", count=1),
        localized("manage.hints_off"),
    ):
        assert line in text
    await table.restart()
    with nothing_changes(table):
        refused = answer_to(await ana.slash(table.channel, "carc new", players=2))
        assert refused == localized("error.not_opener", role=role.id)
    assert not (await keeper.slash(table.channel, "carc new", players=2)).followups[0].ephemeral
    assert localized("rules.purist") in lobby_text(table)
    assert localized("rules.pace", words=localized("pace_brief.slow")) in lobby_text(table)
    lobby = table.channel.last_message
    assert lobby is not None
    await ana.click(lobby, label=localized("button.join"))
    await keeper.click(lobby, label=localized("button.start"))
    again = await keeper.slash(table.channel, "carc new", players=2)
    assert is_sentence("error.too_many_games", answer_to(again))


async def test_managers_choose_the_role_that_creates_events(table: Table) -> None:
    ana, manager, keeper = table.actors[0], make_manager(table), give_role(table, 4, name="Keepers")
    role = table.channel.guild.roles["Keepers"]  # type: ignore[union-attr]
    assert is_sentence("error.not_manager", answer_to(await keeper.slash(table.channel, "tourney create", name="Cup")))
    shown = await manager.click(await open_panel(table, manager), label=localized("button.manage_opening"))
    shown = await manager.select(shown.response, [role], custom_id=str(Key(Op.MANAGE, "0", 0, "organisers")))
    assert shown.response is not None
    assert localized("manage.events_by", role=f"<@&{role.id}>") in words(shown.response.components)
    refused = answer_to(await ana.slash(table.channel, "tourney create", name="Cup"))
    assert refused == localized("error.not_event_creator", role=role.id)
    created = await keeper.slash(table.channel, "tourney create", name="Cup")
    await keeper.click(created.response, label=localized("event.deed.announce"))  # type: ignore[arg-type]
    (event,) = await table.bot.host.events.reader.unfinished(table.channel.guild.id)  # type: ignore[union-attr]
    assert event.name == "Cup"
    everyone = table.channel.guild.default_role  # type: ignore[union-attr]
    answer = answer_to(await manager.slash(table.channel, "carc manage", organisers=everyone))
    assert localized("manage.events_by_managers") in answer
    assert is_sentence(
        "error.not_manager", answer_to(await keeper.slash(table.channel, "tourney create", name="Cup 2"))
    )


async def test_managers_can_type_the_settings_and_others_cannot(table: Table) -> None:
    ana, manager = table.actors[0], make_manager(table)
    assert is_sentence("error.not_manager", answer_to(await ana.slash(table.channel, "carc manage", most=1)))
    answer = answer_to(await manager.slash(table.channel, "carc manage", most=7, aids=False, pace="none"))
    assert localized("manage.most", count=7) in answer
    assert localized("manage.pace", pace=localized("manage.pace_none")) in answer
    everyone = await manager.slash(table.channel, "carc manage", aids=True)
    assert localized("manage.hints_on") in answer_to(everyone)
    for argument in ("most 0", "most 61", "most x", "aids maybe", "pace quick", "openers x", "openers " + "9" * 40):
        sent = send_press(
            table.env, manager, await open_panel(table, manager), str(Key(Op.MANAGE, "0", 0, argument)), offered=False
        )
        await table.env.settle()
        assert is_sentence("refusal.unknown_button", last_answer(sent)), argument
    settings = await table.bot.host.servers.get(table.channel.guild.id)  # type: ignore[union-attr]
    assert (settings.opener_role, settings.games_of_member) == (None, 7)
    assert (settings.hints, settings.pace) == (True, "none")


async def test_a_managing_role_cannot_reassign_itself(table: Table) -> None:
    manager, warden = make_manager(table), give_role(table, 4, name="Wardens")
    choice = table.channel.guild.roles["Wardens"]  # type: ignore[union-attr]
    assert is_sentence("error.not_manager", answer_to(await warden.slash(table.channel, "carc manage")))
    custom_id = str(Key(Op.MANAGE, "0", 0, "role"))
    shown = await manager.select(await open_panel(table, manager), [choice], custom_id=custom_id)
    assert shown.response is not None
    assert f"<@&{choice.id}>" in words(shown.response.components)
    panel = await open_panel(table, warden)
    assert buttons(panel.components)
    with nothing_changes(table):
        assert is_sentence("error.not_manager", answer_to(await warden.select(panel, [choice], custom_id=custom_id)))


async def test_a_manager_of_another_server_is_refused(table: Table) -> None:
    await table.start(2)
    await open_lobby(table, 3, seated=1)
    elsewhere = table.env.create_guild("The Town")
    channel = elsewhere.create_text_channel("games")
    role = elsewhere.create_role("Boss", permissions=discord.Permissions(manage_threads=True))
    manager = elsewhere.add_member(table.users[3], roles=[role])
    panel = (await manager.slash(channel, "carc manage")).response
    assert panel is not None
    code, ben = table.stored().code, table.actors[1].id
    with nothing_changes(table):
        for argument, key in (
            ("close 2", "error.unknown_lobby"),
            ("table 2", "error.unknown_lobby"),
            (f"game {code}", "error.unknown_game"),
            (f"remove {code} {ben}", "error.unknown_game"),
        ):
            sent = send_press(table.env, manager, panel, str(Key(Op.MANAGE, "0", 0, argument)))
            await table.env.settle()
            assert is_sentence(key, last_answer(sent)), argument


async def test_an_allowed_category_includes_its_channels_for_rematches(table: Table) -> None:
    guild, manager = table.channel.guild, make_manager(table)
    assert guild is not None
    category = guild.create_category("Games")
    table.channel = guild.create_text_channel("hall", category=category)
    await table.bot.host.servers.change(Asker(manager.id, guild.id, manages=True), channels=(category.id,))
    await table.start(2)
    ana = table.actors[0]
    question = await ana.slash(table.place, "carc resign")
    await ana.click(question.response, label=localized("button.resign"))
    await table.env.settle()
    again = await ana.click(table.card().handle, label=localized("button.rematch"))
    assert answer_to(again) == localized("rematch.opened")
    await table.bot.host.servers.change(Asker(manager.id, guild.id, manages=True), channels=(1,))
    second = await ana.slash(table.channel, "carc new", players=2)
    assert is_sentence("error.channel_closed", answer_to(second))
