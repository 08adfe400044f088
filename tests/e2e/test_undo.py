"""Moves that wait to be published: [Undo] and [Publish Now], and that nobody else is told of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.components import walk_components

from cogs.games.carcassonne.words import tile_words
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from cogs.texts.languages import speaking
from engine.carcassonne import tile
from host import EventGame, Game
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence
from tests.e2e.player import Clicker, Habits, Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import MemberLanguage, buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table, wait_until_posted

pytestmark = pytest.mark.usefixtures("random_language")

COMMANDS = ("carc board", "carc log", "carc games", "carc tiles", "carc hints", "carc export")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of two, whose moves wait for a minute."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def late(table: Table, member: int, panel: Shown, op: Op) -> str:
    """Press a button that stood in a panel before, as another device may still show it; what is answered."""
    stored = table.stored()
    sent = send_press(table.env, table.members[member], panel.handle, str(Key(op, stored.code)))
    await table.env.settle()
    return last_answer(sent)


async def moved(table: Table, *, seed: int = 1) -> tuple[int, Shown]:
    """Whoever the card asks makes a move; his panel then."""
    clicker = Clicker(table, Random(seed), Habits())
    move = await clicker.move(table.card())
    assert clicker.last is not None
    return move.member, clicker.last


async def told(table: Table, member: int) -> list[Any]:
    """What the commands that only read tell a member, in words and buttons."""
    actor, answers = table.members[member], []
    for command in COMMANDS:
        result = await actor.slash(table.place, command)
        shown = result.followups[-1] if result.followups else result.response
        assert shown is not None
        answers.append((command, words(shown.components), [str(button.key) for button in buttons(shown.components)]))
    return answers


async def publish_due(table: Table) -> int:
    """The sweep after the window; how much it found to do."""
    host = table.bot.host
    async with host._store.writing() as tx:
        for name in ("timers", "pending"):
            await tx.exec_driver_sql(f"update {name} set due_at = due_at - 60000")  # noqa: S608
    done = await table.bot.host.sweep.work()
    table.bot.publisher.wake()
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    await table.env.settle()
    return done


async def test_a_move_waits_and_nobody_is_told(table: Table) -> None:
    cards = len(table.cards())
    before = {member: await told(table, member) for member in list(table.members)[:2]}
    member, panel = await moved(table)
    assert offered_ops(panel) == {Op.UNDO, Op.PUBLISH}
    assert (len(table.cards()), table.stored().ply) == (cards, 0)
    for reader, answers in before.items():
        assert await told(table, reader) == answers
    again = await table.press(member, table.card(), button_for(table.card(), Op.PLAY).custom_id)
    assert words(again.components) == words(panel.components)


async def test_the_next_game_is_a_press_away_while_a_move_waits(table: Table) -> None:
    before, me = table.place, mentioned_users(table.card().components)[0]
    await table.start(2)
    assert mentioned_users(table.card().components) == [me], "seats follow from the seed"
    _, panel = await moved(table)
    (link,) = [part for part in walk_components(panel.components) if "url" in part]
    assert link["label"] == localized("button.next_game", count=1)
    assert f"/{before.id}" in link["url"]
    assert offered_ops(panel) == {Op.UNDO, Op.PUBLISH}


async def test_undo_leads_back_to_the_composer_and_another_move(table: Table) -> None:
    member, panel = await moved(table)
    cards = len(table.cards())
    again = await table.press(member, panel, button_for(panel, Op.UNDO).custom_id)
    assert Op.PLAN in offered_ops(again)
    assert (len(table.cards()), table.stored().ply) == (cards, 0)
    assert await late(table, member, panel, Op.UNDO) == localized("error.nothing_to_undo")
    _, panel = await moved(table, seed=2)
    await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    assert len(table.cards()) == cards + 1
    assert table.stored().ply > 0


async def test_publish_now_posts_the_card_at_once(table: Table) -> None:
    member, panel = await moved(table)
    done = await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    assert Op.UNDO not in offered_ops(done)
    assert mentioned_users(table.card().components) != [member]
    assert [post.message_id is not None for post in table.stored().posts] == [True, True]
    assert await late(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")
    assert len(table.stored().posts) == 2


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_card_comes_when_the_window_is_over(table: Table, *, restarted: bool) -> None:
    cards = len(table.cards())
    await moved(table)
    if restarted:
        await table.restart()
    assert [await publish_due(table), await publish_due(table)] == [1, 0]
    assert len(table.cards()) == cards + 1


async def test_the_panel_of_who_has_moved_says_so_when_the_window_is_over(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: False)  # in simcord it is another year
    member, panel = await moved(table)
    await publish_due(table)
    after = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    assert says(words(after.components), "panel.done")
    assert not offered_ops(after) & {Op.UNDO, Op.PUBLISH}
    assert await late(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")


async def test_a_panel_that_cannot_be_edited_any_more_is_left_and_answers(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    member, panel = await moved(table)
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: True)
    await publish_due(table)
    after = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    assert offered_ops(after) == {Op.UNDO, Op.PUBLISH}
    monkeypatch.undo()
    assert await late(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")
    assert localized("undo.offer", count=1, players="|").split("|")[0][:20] in await late(table, member, panel, Op.UNDO)


async def test_of_a_move_that_was_taken_back_no_panel_is_told(table: Table) -> None:
    member, panel = await moved(table)
    again = await table.press(member, panel, button_for(panel, Op.UNDO).custom_id)
    await publish_due(table)
    after = table.env.backend.get_message(again.handle.channel_id, again.handle.id)
    assert Op.PLAN in offered_ops(after)


async def test_the_typed_way(table: Table) -> None:
    member, _ = await moved(table)
    actor = table.members[member]
    refused = await actor.slash(table.place, "carc play", move=table.stored().log[0] if table.stored().log else "pass")
    assert refused.followups or refused.response
    back = table.shown(await actor.slash(table.place, "carc undo"))
    assert Op.PLAN in offered_ops(back)
    nothing = table.shown(await actor.slash(table.place, "carc undo"))
    assert words(nothing.components) == localized("error.nothing_to_undo")
    assert table.stored().ply == 0


async def test_nobody_else_takes_it_back_or_publishes_it(table: Table) -> None:
    member, panel = await moved(table)
    other = next(one for one in list(table.members)[:2] if one != member)
    refused = table.shown(await table.members[other].slash(table.place, "carc undo"))
    assert words(refused.components) == localized("error.nothing_to_undo")
    shown = await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    assert shown
    assert table.stored().ply > 0


async def published(table: Table) -> tuple[int, Shown]:
    """A move, and the panel of who has made it, once it is published."""
    member, panel = await moved(table)
    done = await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    await wait_until_posted(table)
    return member, done


async def asked(table: Table, member: int) -> Shown:
    """The message that asks the others."""
    offer = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert offered_ops(offer) == {Op.ASK}
    await table.press(member, offer, button_for(offer, Op.ASK).custom_id)
    await wait_until_posted(table)
    return table.card()


def other_than(table: Table, member: int) -> int:
    return next(one for one in list(table.members)[:2] if one != member)


async def test_undo_by_consent(table: Table) -> None:
    member, _ = await published(table)
    other, card, published_at = other_than(table, member), table.card(), table.stored().ply
    question = await asked(table, member)
    assert offered_ops(question) >= {Op.AGREE, Op.DECLINE}
    assert mentioned_users(question.components) == [other]
    await table.press(other, question, button_for(question, Op.AGREE).custom_id)
    await wait_until_posted(table)
    stored = table.stored()
    assert (stored.ply, len(stored.log)) == (0, 0)
    newest = table.card()
    assert says(words(newest.components), "undo.undone")
    assert mentioned_users(newest.components) == [member]
    old = next(one for one in table.cards() if one.handle.id == card.handle.id)
    assert localized("undo.mark") in words(old.components)
    assert offered_ops(old) == set()
    before = str(Key(Op.PLAY, stored.code, published_at))
    stale = send_press(table.env, table.members[other], card.handle, before)
    await table.env.settle()
    assert last_answer(stale).startswith(localized("error.stale")[:30])
    _, panel = await moved(table, seed=5)
    await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    await wait_until_posted(table)
    assert table.stored().ply > 0
    history = table.shown(await table.members[other].slash(table.place, "carc log"))
    assert localized("log.undone") in words(history.components)
    nonces = [post.message_id for post in table.stored().posts]
    assert len(set(nonces)) == len(nonces)


async def seen_next(table: Table) -> str:
    """What is said of the tiles that have come up since the first one: the next one, or the lots of a bazaar."""
    position = (await table.bot.host.games.table(table.stored().code)).position
    drawn = position.setup.pile[1 : position.next_tile]
    assert drawn
    with speaking(MemberLanguage.language):
        tiles = "; ".join(tile_words(tile(name)) for name in drawn)
        return t("undo.seen_next", count=len(drawn), tiles=tiles)


async def test_those_who_are_asked_are_told_which_tile_has_been_seen(table: Table) -> None:
    member, _ = await published(table)
    told = await seen_next(table)
    offer = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert told in words(offer.components).splitlines()
    await table.press(member, offer, button_for(offer, Op.ASK).custom_id)
    await wait_until_posted(table)
    assert told in words(table.card().components).splitlines()


async def test_of_a_move_that_waits_no_undo_tells_anything(table: Table) -> None:
    """The tile that comes up after it nobody has seen."""
    member, _ = await published(table)
    told, other = await seen_next(table), other_than(table, member)
    await moved(table, seed=3)
    assert await table.bot.host.pending_moves.find(table.stored().code, table.members[other].id) is not None
    lines = words((await asked(table, member)).components).splitlines()
    assert told in lines
    assert len(lines) == 3


async def test_a_window_asks_nothing_more_of_discord(table: Table, recorder: Recorder) -> None:
    """What answers no interaction: the card, and the old buttons; neither before it is published."""
    await published(table)  # before the first card after a start its place is looked at
    before = len(unasked(recorder))
    member, panel = await moved(table)
    assert len(unasked(recorder)) == before
    await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    await wait_until_posted(table)
    assert len(unasked(recorder)) == before + 2


def unasked(recorder: Recorder) -> list[str]:
    """The requests that answer no interaction."""
    return [it.path for it in recorder.requests if "/interactions/" not in it.path and "/webhooks/" not in it.path]


async def test_a_no_is_told_to_all(table: Table) -> None:
    member, _ = await published(table)
    other, ply = other_than(table, member), table.stored().ply
    question = await asked(table, member)
    decline = button_for(question, Op.DECLINE).custom_id
    await table.press(other, question, decline)
    assert offered_ops(table.card()) == set()
    again = send_press(table.env, table.members[other], question.handle, decline)
    await table.env.settle()
    assert last_answer(again) == localized("error.request_gone")
    assert table.stored().ply == ply


async def test_the_asker_withdraws_and_cannot_agree(table: Table) -> None:
    member, _ = await published(table)
    question = await asked(table, member)
    agrees = send_press(table.env, table.members[member], question.handle, button_for(question, Op.AGREE).custom_id)
    await table.env.settle()
    assert last_answer(agrees) == localized("error.not_asked")
    twice = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert words(twice.components) == localized("error.asked_already")
    await table.press(member, question, button_for(question, Op.DECLINE).custom_id)
    assert offered_ops(table.card()) == set()


async def test_a_stranger_answers_nothing(table: Table) -> None:
    member, _ = await published(table)
    question = await asked(table, member)
    stranger = list(table.members.values())[3]
    for op in (Op.AGREE, Op.DECLINE):
        sent = send_press(table.env, stranger, question.handle, button_for(question, op).custom_id)
        await table.env.settle()
        assert last_answer(sent) == localized("error.not_asked")
    assert table.stored().ply > 0


async def test_in_a_rated_event_only_its_organiser_undoes(table: Table) -> None:
    member, code = (await published(table))[0], table.stored().code
    boss = table.actors[4]

    async def event_of(_game: Game) -> EventGame | None:
        return EventGame("CUP", rated=True, going=False, organises=lambda asker: asker.user_id == boss.id)

    table.bot.host.organisers.event_of = event_of
    before = table.stored().log
    said = answer_to(await table.members[member].slash(table.place, "carc undo", game=code))
    assert is_sentence("error.rated_event", said)
    assert table.stored().log == before
    told = await seen_next(table)
    ordered, seen = answer_to(await boss.slash(table.place, "carc undo", game=code)).splitlines()
    assert is_sentence("undo.ordered", ordered)
    assert seen == told
    assert len(table.stored().log) < len(before)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 4))])
async def test_whatever_was_shown_before_an_undo_changes_no_game(
    table: Table, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Every button of cards and panels, pressed from two devices in any order after an undo and another move."""
    shown, pressing = dict.fromkeys([""]), Table.press

    async def remembered(table: Table, member: int, panel: Shown, custom_id: str) -> Shown:
        result = await pressing(table, member, panel, custom_id)
        for channel in table.env.backend.messages.values():
            shown.update(dict.fromkeys(one.custom_id for m in channel.values() for one in buttons(m.components)))
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Table, "press", remembered)
        member, _ = await published(table)
        other = other_than(table, member)
        await table.press(other, table.card(), buttons(table.card().components)[0].custom_id)  # which asks first
        question = await asked(table, member)
    await table.press(other, question, button_for(question, Op.AGREE).custom_id)
    await wait_until_posted(table)
    _, panel = await moved(table, seed=5)
    await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    await wait_until_posted(table)
    before, random = table.stored(), Random(seed)
    stale = [(user, one) for user in (member, other) for one in shown if one.split(":")[2:3] == [before.code]]
    for user, custom_id in random.sample(stale, len(stale) if seed else 40):
        send_press(table.env, table.members[user], table.card().handle, custom_id)
        await table.env.settle()
    after = table.stored()
    assert (after.log, after.ply, after.digest, after.status) == (before.log, before.ply, before.digest, before.status)
    assert await table.bot.host.pending_moves.find(before.code, member) is None
