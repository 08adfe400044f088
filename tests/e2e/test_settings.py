"""Players' settings: ``/carc settings`` by buttons, by modal and by command.

Ana changes her settings. A button's argument, such as "reminders last", is the setting and its value.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from random import Random

import pytest
import simcord

from cogs.panels.own_settings import CONFIRM, HOURS_FIELD, ZONE_FIELD
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import THEME, private_theme, table_theme
from engine import Action, Position, begin
from engine.carcassonne.expansions import ABBEY_MAYOR
from engine.carcassonne.expansions.abbey_mayor import possible_wagon_orders
from engine.selfplay import random_action
from host import DIRECT_MESSAGES, PICTURE_SIZE, PUBLISH_WINDOW, REMINDERS, Preferences, Reminders, setup_of
from tests.e2e.answers import answer_to, is_sentence
from tests.e2e.player import Shown
from tests.e2e.raw_interactions import send_modal, send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")

INTERACTION_IDS = count(1)
"""Ids of interactions that no button of the table makes."""


async def stored_preferences(table: Table) -> Preferences:
    """Return Ana's settings as they are stored."""
    return await table.bot.host.preferences.get(table.actors[0].id)


async def type_settings(table: Table, **options: str) -> str:
    """Let Ana type settings; return the answer."""
    return answer_to(await table.actors[0].slash(table.channel, "carc settings", **options))


async def press(table: Table, panel: Shown, argument: str) -> Shown:
    """Press a button of the panel; return the panel afterwards."""
    button = next(b for b in buttons(panel.components) if argument in {b.key.argument, b.key.op.value})
    return await table.press(table.actors[0].id, panel, button.custom_id)


async def open_panel(table: Table) -> Shown:
    """Open the private panel of settings."""
    result = (await table.actors[0].slash(table.channel, "carc settings")).response
    assert result is not None
    assert result.ephemeral
    return Shown(result, result.components)


def direct_messages(table: Table) -> list[str]:
    """Return the texts of all direct messages."""
    backend = table.env.backend
    places = set(backend.dm_channels.values())
    return [words(m.components) for place in places for m in backend.messages.get(place, {}).values()]


async def test_every_setting_has_a_page_and_is_stored(table: Table) -> None:
    panel = await open_panel(table)
    for argument in ("publish 0", "page calls", "reminders last"):
        panel = await press(table, panel, argument)
    await table.restart()
    chosen = await stored_preferences(table)
    assert (chosen.publish_window, chosen.reminders) == (timedelta(), Reminders.LAST)
    keys = [button.key for button in buttons(panel.components)]
    panel = await press(table, await press(table, panel, "page playing"), "publish 60")
    assert (await stored_preferences(table)).choices == {"reminders": "last"}
    keys += [button.key for button in buttons(panel.components)]
    keys += [button.key for button in buttons((await press(table, panel, "page looks")).components)]
    listed = {key.argument.split()[0] for key in keys if key.op is Op.SETTING}
    assert listed >= {CONFIRM, PUBLISH_WINDOW, REMINDERS, DIRECT_MESSAGES, THEME, PICTURE_SIZE}
    assert Op.HOURS in {key.op for key in keys}, "the button for quiet hours and time zone"


async def test_quiet_hours_and_zone_are_typed_into_a_modal(table: Table) -> None:
    modal = await press(table, await press(table, await open_panel(table), "page calls"), Op.HOURS)
    assert modal.modal
    shown = await table.submit(table.actors[0].id, modal, {HOURS_FIELD: "22-7.30", ZONE_FIELD: "europe/prague"})
    chosen = await stored_preferences(table)
    assert (str(chosen.quiet_hours), chosen.zone.key) == ("22:00-07:30", "Europe/Prague")
    assert localized("setting.quiet.some", hours="22:00-07:30", zone="Europe/Prague") in words(shown.components)
    modal = await press(table, shown, Op.HOURS)
    shown = await table.submit(table.actors[0].id, modal, {HOURS_FIELD: "", ZONE_FIELD: ""})
    assert await stored_preferences(table) == Preferences()


@pytest.mark.parametrize(
    ("hours", "zone", "refusal"),
    [
        ("9-9", "Europe/Prague", "whole_day"),
        ("0-24", "", "whole_day"),
        ("at night", "", "bad_hours"),
        ("25-7", "", "bad_hours"),
        ("22-7", "Mars/**Olympus**", "bad_zone"),
        ("22-7", "../../etc/passwd", "bad_zone"),
    ],
)
async def test_invalid_hours_and_zones_are_refused(table: Table, hours: str, zone: str, refusal: str) -> None:
    before = Preferences(choices={"quiet": "21:00-06:00", "zone": "Asia/Kolkata"})
    await table.bot.host.preferences.set(table.actors[0].id, before)
    modal = await press(table, await press(table, await open_panel(table), "page calls"), Op.HOURS)
    shown = await table.submit(table.actors[0].id, modal, {HOURS_FIELD: hours, ZONE_FIELD: zone})
    assert is_sentence(f"refusal.{refusal}", words(shown.components))
    assert await stored_preferences(table) == before
    assert is_sentence(f"refusal.{refusal}", await type_settings(table, quiet=hours, zone=zone))
    assert await stored_preferences(table) == before


async def test_settings_can_be_typed(table: Table) -> None:
    await type_settings(table, choose="reminders none", quiet="23:00-6", zone="America/New York")
    await type_settings(
        table,
        choose=localized("setting.typed", name=localized("setting.theme.name"), value=localized("setting.theme.night")),
    )
    chosen = await stored_preferences(table)
    assert chosen.choices == {"reminders": "none", "quiet": "23:00-06:00", "zone": "America/New_York", "theme": "night"}
    assert localized("setting.quiet.title") in await type_settings(table, quiet="Never")
    assert (await stored_preferences(table)).quiet_hours is None
    assert is_sentence("refusal.no_setting", await type_settings(table, choose="reminders sometimes"))
    assert is_sentence("refusal.no_setting", await type_settings(table, choose="page calls", quiet="1-2"))
    assert (await stored_preferences(table)).quiet_hours is None


async def test_opting_in_to_direct_messages_sends_a_test_message(table: Table) -> None:
    await press(table, await press(table, await open_panel(table), "page calls"), "direct on")
    assert (await stored_preferences(table)).direct_messages
    assert direct_messages(table) == [localized("setting.direct.test")]
    await type_settings(table, choose="direct on")
    assert len(direct_messages(table)) == 1, "no second test message"
    await type_settings(table, choose="direct off")
    assert not (await stored_preferences(table)).direct_messages


@pytest.mark.parametrize(("status", "code", "refusal"), [(403, 50007, "direct_closed"), (500, 0, "direct_unsure")])
async def test_direct_messages_are_not_enabled_if_the_test_fails(
    table: Table, status: int, code: int, refusal: str
) -> None:
    panel = await press(table, await open_panel(table), "page calls")
    direct = table.env.backend.get_dm_channel(table.actors[0].id).id
    table.env.inject_error("POST", f"/channels/{direct}/messages", status=status, code=code, times=9)
    shown = await press(table, panel, "direct on")
    assert is_sentence(f"refusal.{refusal}", words(shown.components))
    assert await stored_preferences(table) == Preferences()
    assert is_sentence(f"refusal.{refusal}", await type_settings(table, choose="direct on", zone="Europe/Prague"))
    assert await stored_preferences(table) == Preferences(), "no setting of the command is stored"


async def test_the_modal_is_refused_on_a_public_card(table: Table) -> None:
    await table.start(2)
    ana: simcord.MemberActor = table.actors[0]
    for sent in (
        send_press(table.env, ana, table.card().handle, str(Key(Op.HOURS, "0")), offered=False),
        send_modal(table.env, ana, table.card().handle, str(Key(Op.QUIET, "0"))),
    ):
        await table.env.settle()
        assert is_sentence("refusal.unknown_button", sent.text)
    assert await stored_preferences(table) == Preferences()


async def test_the_castle_setting_can_differ_in_one_game(table: Table) -> None:
    await table.start(2)
    ana, code = table.actors[0], table.stored().code
    shown = await ana.slash(table.place, "carc settings", choose="towns@ never")
    game = await table.bot.host.games.get(code)
    text = localized("one_game.title.towns", name=game.name, code=code, everywhere=localized("setting.towns.ask"))
    assert text in answer_to(shown)
    choices = (await table.bot.host.preferences.get(ana.id)).choices
    assert choices[f"towns@{code}"] == "never"
    shown = await ana.click(shown.followups[-1] if shown.followups else shown.response, label=localized("one_game.all"))
    assert f"towns@{code}" not in (await table.bot.host.preferences.get(ana.id)).choices
    stranger = answer_to(await table.actors[3].slash(table.place, "carc settings", choose="towns always", game=code))
    assert is_sentence("error.not_a_player", stranger)


async def test_the_place_of_a_wagon_can_be_chosen_in_one_game(table: Table) -> None:
    """The panel of the preference for one game has a button for each place that Ana's wagon could reach now."""
    await table.start(2, expansions=ABBEY_MAYOR)
    ana, host = table.actors[0], table.bot.host
    game = await host.games.get(table.stored().code)
    seat = game.seat_of(ana.id)
    for action in actions_to_waiting_wagon(begin(setup_of(game)), seat):
        game = await host.games.get(game.code)
        await host.moves.act(game.code, game.person_to_act.user_id, game.revision, [action], next(INTERACTION_IDS))
    order, *_ = possible_wagon_orders((await host.games.table(game.code)).position, seat)
    shown = await ana.slash(table.place, "carc settings", choose="wagon@ ask")
    panel = shown.followups[-1] if shown.followups else shown.response
    place = next(button for button in buttons(panel.components) if button.key.argument == str(order))
    await ana.click(panel, label=place.label)
    assert (await host.preferences.get(ana.id)).in_game(game.code)["wagon"] == str(order)
    refused = await ana.slash(table.place, "carc settings", choose="wagon@ M12.road.S wagon:Z99.monastery")
    assert is_sentence("refusal.unknown_button", answer_to(refused))


def actions_to_waiting_wagon(start: Position, seat: int) -> list[Action]:
    """Return actions after which a player's wagon stands where it could move on once it has scored."""
    for seed in range(500):
        rng, position, actions = Random(seed), start.copy(), list[Action]()
        while len(actions) < 30:
            actions.append(random_action(position, rng))
            position.apply(actions[-1])
            if possible_wagon_orders(position, seat):
                return actions
    raise AssertionError("no such wagon")


async def test_small_pictures_apply_to_private_panels(table: Table) -> None:
    await type_settings(
        table,
        choose=localized("setting.typed", name=localized("setting.size.name"), value=localized("setting.size.small")),
    )
    chosen = await table.bot.host.preferences.get(table.actors[0].id)
    await table.start(2)
    game = await table.bot.host.games.get(table.stored().code)
    assert private_theme(chosen, game).longest < table_theme(game).longest
