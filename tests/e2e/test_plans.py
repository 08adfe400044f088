"""Sealed plans for bazaars: chosen or typed by [My Plan], and by ``/carc plan``; secret, and carried out in time.

A bazaar is an auction of tiles ("lots"), of which T1 is the first. A plan answers its questions in advance: which lot
to choose, how high to bid, whether to buy or sell; it stays sealed, that is secret, until the bot carries it out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import simcord
from simcord.components import walk_components

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plan_drafts import DRAFT, SEAL, TYPE_PLAN
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plans import (
    ASK,
    FIRST,
    LEAP,
    LEAST,
    MOST,
    OTHERWISE,
    PASSING,
    PRICE,
    RAISING,
    SEALED,
)
from cogs.presenting.ids import Key, Op, OwnOp
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, BuyOrSell, ChooseLot
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Clicker, Habits, Shown, button_for, offered_ops
from tests.e2e.raw_interactions import STRING_SELECT, send_modal, send_press
from tests.e2e.screen import Button, alt_texts, buttons, localized, mentioned_users, picture_urls, says, words
from tests.e2e.table import Table, open_table, wait_until_posted
from tests.e2e.test_absent import absent

pytestmark = pytest.mark.usefixtures("random_language")

PLAYER_COUNT = 3
"""Players of the game."""
AUCTION_STEPS = (ChooseLot, BidOnLot, BuyOrSell)
"""The decisions of a bazaar, an auction of tiles ("lots")."""
EMPTY_PLAN = {FIRST: "", MOST: "", RAISING: [LEAST], PRICE: "", OTHERWISE: [ASK]}
"""The fields of the form without a plan."""
FULL_PLAN = {FIRST: "T3:2, t1", MOST: "T1:3 T2:1", RAISING: [LEAP], PRICE: "4", OTHERWISE: [PASSING]}
"""The fields of the form with everything filled in; T1 to T3 are the lots."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three in which a bazaar has just started."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(PLAYER_COUNT)
        clicker = Clicker(table, Random(1), Habits(quick=True))
        while not isinstance(position(table).step, ChooseLot):
            await clicker.move(table.card())
            await table.env.settle()
        yield table
    assert recorder.problems() == []


def position(table: Table) -> Position:
    """Return the current position, replayed from the log."""
    return table.stored().replayed()


def seat_after(table: Table, step: int) -> int:
    """Return the member who sits this many seats after the player to move."""
    stored = table.stored()
    return stored.seats[(position(table).player + step) % PLAYER_COUNT]


async def open_modal(table: Table, user_id: int) -> Shown:
    """Open the form in which a plan is typed, from the panel of [My Plan] on the newest card."""
    panel = await open_panel(table, user_id)
    shown = await table.press(user_id, panel, drafting_button(panel, TYPE_PLAN).custom_id)
    assert shown.modal
    return shown


async def open_panel(table: Table, user_id: int) -> Shown:
    """Open the panel of [My Plan] on the newest card."""
    return await table.press(user_id, table.card(), button_for(table.card(), Op.ORDERS).custom_id)


def attachments(table: Table, panel: Shown) -> list[str]:
    """Return the ids of the files of a panel."""
    stored = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    return [str(entry["id"]) for entry in stored.attachments]


def drafting_button(panel: Shown, op: OwnOp) -> Button:
    """Return the first button of a plan's panel that has this operation."""
    return next(button for button in buttons(panel.components) if button.key.op is op)


async def choose(table: Table, user_id: int, panel: Shown, field: str, value: str) -> Shown:
    """Choose an entry in one of the lists of a plan's panel; return the panel afterwards."""
    lists = [part for part in walk_components(panel.components) if part["type"] == STRING_SELECT]
    custom_id = next(part["custom_id"] for part in lists if f":{field} " in part["custom_id"])
    send_press(table.env, table.members[user_id], panel.handle, custom_id, chosen=[value], offered=False)
    await table.env.settle()
    return Shown(panel.handle, table.env.backend.get_message(panel.handle.channel_id, panel.handle.id).components)


async def submit_plan(table: Table, user_id: int, values: dict[str, object]) -> str:
    """Submit a plan in the modal; return the answer."""
    modal = await open_modal(table, user_id)
    return answer_to(await table.members[user_id].submit_modal(modal.handle, {**EMPTY_PLAN, **values}))


async def readable_by(table: Table, actor: simcord.MemberActor) -> list[object]:
    """Return everything that a member can read of the game."""
    contents: list[object] = []
    for command in ("play", "board", "tiles", "log", "games", "hints", "plan"):
        result = await actor.slash(table.place, f"carc {command}")
        shown = [*result.followups, *([result.response] if result.response else [])]
        for message in shown:
            parts = message.components
            contents += [words(parts), [button.custom_id for button in buttons(parts)], list(alt_texts(parts))]
    return contents


async def test_only_the_first_card_of_a_bazaar_mentions_all_players(table: Table, recorder: Recorder) -> None:
    opening = table.card()
    assert set(mentioned_users(opening.components)) == set(table.stored().seats)
    assert localized("card.plan", players="|").split("|")[1] in words(opening.components)
    request = recorder.requests_to("POST", f"/channels/{table.place.id}/messages")[-1]
    assert sorted(map(int, request.payload["allowed_mentions"]["users"])) == sorted(table.stored().seats)
    await Clicker(table, Random(1), Habits()).move(opening)
    await table.env.settle()
    assert len(set(mentioned_users(table.card().components))) == 1, "the next card mentions one player"
    assert Op.ORDERS in offered_ops(table.card())


async def test_a_plan_is_made_in_one_modal_and_shown_to_its_owner_alone(table: Table) -> None:
    second = seat_after(table, 1)
    with nothing_changes(table):
        answer = await submit_plan(table, second, FULL_PLAN)
        for line in (
            *(localized("plan.opening", lot=lot, count=bid) for lot, bid in ((3, 2), (1, 0))),
            *(localized("plan.limit", lot=lot, count=most) for lot, most in ((1, 3), (2, 1))),
            localized("plan.price", count=4),
            localized("plan.pass"),
        ):
            assert line in answer
        assert says(answer, "plan.leap")
        assert answer_to(await table.members[second].slash(table.place, "carc plan")) == answer
    await table.restart()
    assert answer_to(await table.members[second].slash(table.place, "carc plan")) == answer
    again = await open_modal(table, second)
    assert "T3:2 T1:0" in str(again.components)
    assert is_sentence("plan.none", await submit_plan(table, second, EMPTY_PLAN))
    stored = table.stored()
    none = localized("plan.none", name=(await table.bot.host.games.get(stored.code)).name, code=stored.code)
    assert answer_to(await table.members[second].slash(table.place, "carc plan")) == none


async def test_a_plan_is_chosen_from_lists_with_a_preview_in_words(table: Table) -> None:
    second = seat_after(table, 1)
    panel = await open_panel(table, second)
    of_the_card = picture_urls(table.card().components)
    assert picture_urls(panel.components) == of_the_card
    for field, value in (("tile", "3"), ("open", "2"), ("limit", "6"), ("tile", "1"), ("open", "0"), ("buy", "4")):
        panel = await choose(table, second, panel, field, value)
    assert [says(alt, "alt.lots") for alt in alt_texts(panel.components)] == [True]
    assert picture_urls(panel.components) == of_the_card
    assert attachments(table, panel) == [], "the picture of the lots is uploaded once, with the card"
    game = await table.bot.host.games.get(table.stored().code)
    draft = words(panel.components)
    assert localized("plan.draft", name=game.name, code=game.code) in draft
    openings = [localized("plan.opening", lot=lot, count=bid) for lot, bid in ((3, 2), (1, 0))]
    assert ", ".join(openings) in draft
    assert localized("plan.limit", lot=3, count=6) in draft
    assert await table.bot.host.moves.planned(game, second) == "", "nothing counts before it is sealed"
    await table.restart()
    sealed = await table.press(second, panel, drafting_button(panel, SEAL).custom_id)
    assert attachments(table, sealed) == []
    planned = await table.bot.host.moves.planned(game, second)
    assert planned.partition(" ")[2] == "lot:3@2 lot:1@0 most:3@6 buy:4"
    assert words(sealed.components) == words((await open_panel(table, second)).components)
    dropping = [button for button in buttons((await open_panel(table, second)).components) if button.key.op is SEAL][-1]
    assert dropping.label == localized("button.drop_plan")
    assert is_sentence("plan.none", words((await press_newest(table, second, dropping)).components))
    assert await table.bot.host.moves.planned(game, second) == ""


async def press_newest(table: Table, user_id: int, button: Button) -> Shown:
    """Press a button of the plan's panel, opened anew."""
    return await table.press(user_id, await open_panel(table, user_id), button.custom_id)


async def test_drafts_of_others_and_of_other_bazaars_are_refused(table: Table) -> None:
    second, stranger = seat_after(table, 1), table.actors[PLAYER_COUNT]
    panel, stored = await open_panel(table, second), table.stored()
    with nothing_changes(table):
        for member, argument, key in (
            (stranger, "40.1....", "error.not_a_player"),
            (table.members[second], "999.1....", "refusal.plan_late"),
            (table.members[second], "nonsense", "refusal.unknown_button"),
        ):
            for op, prefix in ((DRAFT, "else "), (SEAL, ""), (TYPE_PLAN, "")):
                forged = str(Key(op, stored.code, stored.ply, f"{prefix}{argument}"))
                sent = send_press(table.env, member, panel.handle, forged, offered=False)
                await table.env.settle()
                assert is_sentence(key, sent.text.splitlines()[-1])


async def test_a_plan_is_invisible_to_all_others(table: Table) -> None:
    second, onlooker = seat_after(table, 1), table.actors[PLAYER_COUNT]
    others = [table.members[user] for user in table.stored().seats if user != second]
    before = [await readable_by(table, actor) for actor in (*others, onlooker)]
    cards = [card.components for card in table.cards()]
    await submit_plan(table, second, FULL_PLAN)
    await table.env.settle()
    assert [await readable_by(table, actor) for actor in (*others, onlooker)] == before
    assert [card.components for card in table.cards()] == cards


async def test_with_plans_of_all_players_one_card_shows_the_whole_bazaar(table: Table) -> None:
    for step in (1, 2, 0):
        cards, user = len(table.cards()), seat_after(table, step)
        answer = await submit_plan(table, user, {**FULL_PLAN, FIRST: "T1:1 T2 T3"})
        await table.env.settle()
        assert len(table.cards()) == cards + (step == 0)
    assert not isinstance(position(table).step, AUCTION_STEPS)
    assert localized("story.preset", sentence="") in words(table.card().components)
    assert localized("story.preset", sentence="") in answer, "the last planner is answered with the outcome"
    log = answer_to(await table.actors[0].slash(table.place, "carc log"))
    assert localized("story.preset", sentence="") in log
    stored = table.stored()
    assert stored.posts[-1].ply - stored.posts[-1].from_ply == len(stored.log) - stored.posts[-1].from_ply
    assert Op.ORDERS not in offered_ops(table.card())


@pytest.mark.parametrize("planned", [True, False])
async def test_a_vote_on_a_substitute_says_that_plans_are_dropped(table: Table, planned: bool) -> None:
    """The text is the same with and without a plan, so that its existence stays secret."""
    asker, leaver = seat_after(table, 0), seat_after(table, 1)
    substitute = table.actors[PLAYER_COUNT].id
    if planned:
        await submit_plan(table, leaver, {OTHERWISE: [PASSING]})
    offer = await absent(table, asker, str(leaver), substitute)
    await table.press(asker, offer, button_for(offer, Op.SEAT).custom_id)
    await wait_until_posted(table)
    question = table.card()
    assert substitute in mentioned_users(question.components)
    assert localized("asking.dropped") in words(question.components)
    for user in mentioned_users(question.components):
        await table.press(user, question, button_for(question, Op.AGREE).custom_id)
        await wait_until_posted(table)
    card = table.card()
    assert localized("asking.dropped") in words(card.components)
    assert substitute in table.stored().seats
    none = localized(
        "plan.none", name=(await table.bot.host.games.get(table.stored().code)).name, code=table.stored().code
    )
    assert answer_to(await table.members[substitute].slash(table.place, "carc plan")) == none
    await Clicker(table, Random(1), Habits()).move(card)
    await table.env.settle()
    assert table.stored().seats[position(table).player] == substitute, "the substitute has no plan"
    assert mentioned_users(table.card().components) == [substitute]


async def test_a_plan_is_typed_with_one_command(table: Table) -> None:
    actor = table.members[seat_after(table, 1)]
    answer = answer_to(await actor.slash(table.place, "carc plan", first="3:2 1", most="T2:4", otherwise=PASSING))
    assert localized("plan.opening", lot=3, count=2) in answer
    assert localized("plan.limit", lot=2, count=4) in answer
    assert says(answer, "plan.most")
    assert is_sentence("plan.none", answer_to(await actor.slash(table.place, "carc plan", drop=True)))


INVALID_PLANS = (
    ({FIRST: "T4:1"}, "plan_foreign"),
    ({MOST: "T9:1 T8:2"}, "plan_foreign"),
    ({FIRST: "the big one"}, "plan_tiles"),
    ({FIRST: "T0"}, "plan_tiles"),
    ({FIRST: "T1:-1"}, "plan_tiles"),
    ({FIRST: "T1 T2 T1"}, "plan_twice"),
    ({MOST: "T1"}, "plan_points"),
    ({MOST: "T1:1000"}, "plan_points"),
    ({MOST: "T1:1 T1:2"}, "plan_twice"),
    ({PRICE: "four"}, "plan_price"),
    ({PRICE: "1000"}, "plan_price"),
    ({PRICE: "\u0664"}, "plan_price"),
)
"""Entries of the form of a plan, and the refusal of each."""


async def test_an_invalid_plan_is_refused_and_the_previous_one_stays(table: Table) -> None:
    second, code = seat_after(table, 1), table.stored().code
    await submit_plan(table, second, FULL_PLAN)
    game = await table.bot.host.games.get(code)
    before = await table.bot.host.moves.planned(game, second)
    with nothing_changes(table):
        for values, refusal in INVALID_PLANS:
            assert is_sentence(f"refusal.{refusal}", await submit_plan(table, second, values)), values
            assert await table.bot.host.moves.planned(game, second) == before != ""


async def test_strangers_and_late_plans_are_refused(table: Table) -> None:
    code, stranger = table.stored().code, table.actors[PLAYER_COUNT]
    ply = table.stored().ply
    with nothing_changes(table):
        sent = send_press(table.env, stranger, table.card().handle, str(Key(Op.ORDERS, code, ply)), offered=False)
        await table.env.settle()
        assert is_sentence("error.not_a_player", sent.text)
        second = table.members[seat_after(table, 1)]
        late = send_modal(table.env, second, table.card().handle, str(Key(SEALED, code, ply, "999")))
        await table.env.settle()
        assert is_sentence("refusal.plan_late", late.text)
    for step in (1, 2, 0):
        await submit_plan(table, seat_after(table, step), {OTHERWISE: [PASSING]})
    await table.env.settle()
    for user in table.stored().seats:
        result = await table.members[user].slash(table.place, "carc plan", otherwise=PASSING)
        assert is_sentence("refusal.nothing_to_plan", answer_to(result))


async def test_a_member_of_another_server_cannot_plan(table: Table) -> None:
    guild = table.env.create_guild("The Town")
    channel = guild.create_text_channel("games")
    actor = guild.add_member(table.users[PLAYER_COUNT + 1])
    result = await actor.slash(channel, "carc plan", otherwise=PASSING, game=table.stored().code)
    assert is_sentence("error.unknown_game", answer_to(result))
