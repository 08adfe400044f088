"""The Castle through Discord: lobbies, typed moves, resignation, wall tiles, lasting choices, an owner's tiles.

A wall tile is a small tile with a lasting or single effect, such as another turn; players may choose in advance
whether they use one. The bot has made-up castle tiles; an owner can supply the real ones in a file.
"""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import pytest
import simcord

from cogs.panels.own_settings import CONFIRM
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import QUICK
from cogs.texts import LANGUAGE
from engine.the_castle import GAME, WallTile, default_tile_set, read_tiles, wall
from engine.the_castle.tilefile import tile_set_text
from host import Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits, Shown, button_for, offered_ops
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import Kind, buttons, buttons_by_kind, localized, localized_list, mentioned_users, says, words
from tests.e2e.table import Table, open_table
from tests.e2e.test_hidden import with_wall_tiles

pytestmark = pytest.mark.usefixtures("random_language")

ASKED_SEED, ANSWERED_SEED = 1, 1
"""Seeds of players who come to an extra turn, when they are asked about it and when their settings answer."""
NEAREST_CORNERS = (12, 20)
"""The corners of the wall that are reached first."""


def message_of(result: simcord.InteractionResult) -> Shown:
    """Return the message that answered a command."""
    message = result.followups[-1] if result.followups else result.response
    assert message is not None
    return Shown(message, message.components)


def castle_name() -> str:
    """Return the localized name of the game."""
    return localized("rulebook.game.the-castle")


def public_texts(table: Table) -> list[str]:
    """Return the public texts of the channel."""
    messages = table.env.backend.messages.get(table.channel.id, {}).values()
    return [words(message.components) for message in messages if message.visible_to(None)]


# -- opening ----------------------------------------------------------------------------------------------------------


async def test_the_lobby_of_the_castle_names_the_game_and_its_rules(table: Table) -> None:
    await table.actors[0].slash(table.channel, "carc new", game=GAME, rules="tc_rgg")
    (lobby,) = public_texts(table)
    assert says(lobby, "lobby.title")
    assert castle_name() in lobby
    assert localized("preset.tc_rgg") in lobby
    assert says(lobby, "lobby.designed")


@pytest.mark.parametrize("players", [3, 6])
async def test_the_castle_is_a_game_for_two(table: Table, players: int) -> None:
    """Rule TC-01."""
    refused = message_of(await table.actors[0].slash(table.channel, "carc new", game=GAME, players=players))
    assert words(refused.components) == localized("refusal.fixed_players", game=castle_name(), count=2)
    assert public_texts(table) == []


@pytest.mark.parametrize(
    ("more", "refusal"),
    [({"expansions": "bridges-castles-bazaars"}, "foreign_expansion"), ({"rules": "c1_hig"}, "unknown_preset")],
)
async def test_expansions_and_editions_of_the_other_game_are_refused(
    table: Table, more: dict[str, str], refusal: str
) -> None:
    refused = message_of(await table.actors[0].slash(table.channel, "carc new", game=GAME, **more))
    presets = localized_list([localized("preset.tc_original"), localized("preset.tc_rgg")])
    assert words(refused.components) == localized(f"refusal.{refusal}", game=castle_name(), presets=presets)
    assert public_texts(table) == []


async def test_the_suggested_editions_belong_to_the_game(table: Table) -> None:
    ana = table.actors[0]
    offered = await ana.autocomplete(table.channel, "carc new", "rules", "", game=GAME)
    assert [choice["value"] for choice in offered] == ["tc_original", "tc_rgg"]
    offered = await ana.autocomplete(table.channel, "carc new", "rules", "rio")
    assert "c1_rgg" in [choice["value"] for choice in offered]


# -- playing ----------------------------------------------------------------------------------------------------------


async def test_a_move_can_be_typed(table: Table) -> None:
    await table.start(2, game=GAME)
    stored = table.stored()
    mover = table.members[stored.seats[0]]
    offered = await mover.autocomplete(table.place, "carc play", "move", "knight")
    assert offered
    await mover.slash(table.place, "carc play", move=offered[0]["value"])
    assert " ".join(table.stored().log) == offered[0]["value"]
    assert says(words(table.card().components), "story.deployed_role")


async def test_an_incomplete_typed_turn_is_refused(table: Table) -> None:
    await table.start(2, game=GAME)
    mover = table.members[table.stored().seats[0]]
    offered = await mover.autocomplete(table.place, "carc play", "move", "knight")
    answer = message_of(await mover.slash(table.place, "carc play", move=offered[0]["value"].split()[0]))
    assert words(answer.components) == localized("refusal.unfinished_move")
    assert table.stored().log == ()


async def test_the_player_who_resigns_loses(table: Table) -> None:
    await table.start(2, game=GAME)
    clicker = Clicker(table, Random(1), Habits(quick=True))
    for _ in range(4):
        await clicker.move(table.card())
    stored = table.stored()
    leaver = table.members[stored.seats[0]]
    question = message_of(await leaver.slash(table.place, "carc resign"))
    assert says(words(question.components), "resign.ask_last")
    resign = button_for(question, Op.RESIGN)
    await table.press(leaver.id, question, resign.custom_id)
    assert table.over
    final = words(table.card().components)
    assert localized("card.won", players=stored.names[1], count=1) in final
    assert table.stored().status == "finished"


async def test_all_reading_commands_are_answered(table: Table) -> None:
    await table.start(2, game=GAME)
    clicker = Clicker(table, Random(2), Habits(quick=True))
    for _ in range(6):
        await clicker.move(table.card())
    for look in ("board", "tiles", "log", "rules", "hints", "play"):
        mover = table.members[table.stored().seats[table.stored().replayed().player]]
        assert words(message_of(await mover.slash(table.place, f"carc {look}")).components)


async def test_a_long_list_of_tiles_is_summarised_and_shown_in_words_on_demand(table: Table) -> None:
    """The whole list would fill two screens of a phone; the command has an option for it."""
    await table.start(2, game=GAME)
    ana = table.actors[0]
    panel = message_of(await ana.slash(table.place, "carc tiles"))
    pile, summary = words(panel.components).splitlines()
    assert pile == localized("headline.pile", count=59)
    assert localized("feature.court") in summary
    (details_button,) = buttons(panel.components)
    for text in (
        words((await table.press(ana.id, panel, details_button.custom_id)).components),
        words(message_of(await ana.slash(table.place, "carc tiles", words=True)).components),
    ):
        first, *lines = text.splitlines()
        assert first == pile
        assert sum(int(line.split()[0]) for line in lines) == 59


async def test_a_short_list_of_tiles_is_shown_below_the_picture(table: Table) -> None:
    with use_locale(LANGUAGE, "en-US"):  # the list is longer in other languages
        await table.start(2)
        panel = message_of(await table.actors[0].slash(table.place, "carc tiles"))
    assert buttons(panel.components) == []
    assert len(words(panel.components).splitlines()) > 20


def extra_turns_nearby(tiles: Sequence[WallTile]) -> list[WallTile]:
    """Return the wall tiles with both extra turns at the corners that are reached first."""
    others = [kind for kind in tiles if kind is not WallTile.EXTRA_TURN]
    for corner in NEAREST_CORNERS:
        others.insert(wall().corners.index(corner), WallTile.EXTRA_TURN)
    return others


@pytest.fixture
async def nearby_extra_turn(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Table]:
    """Yield a game of The Castle in which an extra-turn tile will be taken soon."""
    with_wall_tiles(monkeypatch, extra_turns_nearby, None)
    async with open_table(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game=GAME)
        yield table
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def play_until_asked(table: Table) -> Shown:
    """Play until a card asks about an extra turn; return the card."""
    clicker = Clicker(table, Random(ASKED_SEED))
    while not table.over:
        if "again" in {button.key.argument for button in buttons(table.card().components)}:
            return table.card()
        await clicker.move(table.card())
    raise AssertionError("no card asked about an extra turn")


@pytest.mark.long
async def test_a_new_extra_turn_tile_is_asked_about_on_the_card(nearby_extra_turn: Table) -> None:
    table, card = nearby_extra_turn, await play_until_asked(nearby_extra_turn)
    stored = table.stored()
    member = stored.seats[stored.replayed().player]
    assert says(words(card.components), "story.wall_tile_taken")
    assert mentioned_users(card.components) == [member]
    again = next(button for button in buttons(card.components) if button.key.argument == "again")
    question = await table.press(member, card, again.custom_id)
    assert table.stored().log[-1] != "again"
    (confirm,) = buttons_by_kind(question.components)[Kind.CONFIRM]
    await table.press(member, question, confirm.custom_id)
    assert table.stored().log[-1] == "again"
    assert mentioned_users(table.card().components) == [member]


@pytest.mark.long
async def test_a_player_who_always_takes_extra_turns_is_not_asked(nearby_extra_turn: Table) -> None:
    for member in nearby_extra_turn.stored().seats:
        await nearby_extra_turn.bot.host.preferences.set(member, Preferences(choices={"castle.extra": "at_once"}))
    clicker = Clicker(nearby_extra_turn, Random(ANSWERED_SEED))
    while "again" not in nearby_extra_turn.stored().log:
        await clicker.move(nearby_extra_turn.card())
        assert offered_ops(nearby_extra_turn.card()) >= {Op.PLAY}
    newest = nearby_extra_turn.stored().posts[-1]
    assert nearby_extra_turn.stored().log[newest.from_ply : newest.ply][-1] == "again"
    assert newest.ply - newest.from_ply == 3


# -- choosing once ----------------------------------------------------------------------------------------------------


async def test_lasting_choices_are_stored(table: Table) -> None:
    ana = table.actors[0]
    panel = message_of(await ana.slash(table.channel, "carc settings"))
    answers = ("page answers", "castle.double at_once", "castle.extra keep", "castle.order most")
    for argument in ("confirm quick", "page looks", "theme night", *answers):
        chosen = next(button for button in buttons(panel.components) if button.key.argument == argument)
        panel = await table.press(ana.id, panel, chosen.custom_id)
    await table.restart()
    stored = await table.bot.host.preferences.get(ana.id)
    assert stored.choices == {
        "castle.double": "at_once",
        "castle.extra": "keep",
        "castle.order": "most",
        "theme": "night",
    }
    assert stored.confirm is False
    again = next(button for button in buttons(panel.components) if button.key.argument == "castle.double ask")
    await table.press(ana.id, panel, again.custom_id)
    assert "castle.double" not in (await table.bot.host.preferences.get(ana.id)).choices


async def test_turning_confirming_off_keeps_other_choices(table: Table) -> None:
    await table.start(2, game=GAME)
    member = table.stored().seats[0]
    panel = message_of(await table.members[member].slash(table.place, "carc settings"))
    for argument in ("page answers", "castle.extra keep", "page playing", f"{CONFIRM} {QUICK}"):
        chosen = next(button for button in buttons(panel.components) if button.key.argument == argument)
        panel = await table.press(member, panel, chosen.custom_id)
    stored = await table.bot.host.preferences.get(member)
    assert (stored.confirm, dict(stored.choices)) == (False, {"castle.extra": "keep"})


async def test_a_forged_choice_is_refused(table: Table) -> None:
    ana = table.actors[0]
    panel = message_of(await ana.slash(table.channel, "carc settings"))
    for argument in ("castle.double sometimes", "no.such.thing ask", "confirm", ""):
        forged = str(Key(Op.SETTING, "0", 0, argument))
        sent = send_press(table.env, ana, panel.handle, forged, offered=False)
        await table.env.settle()
        assert sent.text.endswith(localized("refusal.unknown_button"))


# -- an owner's tiles -------------------------------------------------------------------------------------------------


async def test_the_rules_behind_the_first_card_name_the_origin_of_the_tiles(table: Table) -> None:
    await table.start(2, game=GAME)
    first = table.cards()[0]
    assert not says(words(first.components), "lobby.designed_here")
    rules = await table.press(table.actors[0].id, first, button_for(first, Op.RULES).custom_id)
    assert says(words(rules.components), "lobby.designed_here")


async def test_new_games_use_an_owners_tiles(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    tiles = read_tiles(tile_set_text(default_tile_set()))
    material = {GAME: {"tiles": tiles}}
    async with open_table(tmp_path / "games.sqlite3", seed="one", material=material) as table:
        await table.start(2, game=GAME)
        first = words(table.cards()[0].components)
        assert localized("lobby.loaded_here") in first
        assert not says(first, "lobby.designed_here")
        await Clicker(table, Random(3), Habits(quick=True)).move(table.card())
        table.settings = {}
        await table.restart()
        await Clicker(table, Random(3), Habits(quick=True)).move(table.card())
        stored = table.stored()
        assert stored.replayed().ply == len(stored.log) == stored.ply
        assert tiles.name in stored.setup
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []
