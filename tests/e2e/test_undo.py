"""Pending moves with [Undo], their secrecy, and undo requests to the other players.

Panels of earlier versions had a button [Publish Now], which still answers. A confirmed move is pending, that is
visible to its player only, until its publish window ends. Afterwards an undo has to be requested, and the other
players vote on it by buttons.
"""

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

READING_COMMANDS = ("carc board", "carc log", "carc games", "carc tiles", "carc hints", "carc export")
"""Commands whose answers could betray a pending move."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two with a publish window of a minute."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def press_outdated(table: Table, member: int, panel: Shown, op: Op) -> str:
    """Press a button that a panel no longer has, as an outdated client does; return the answer."""
    stored = table.stored()
    sent = send_press(table.env, table.members[member], panel.handle, str(Key(op, stored.code)))
    await table.env.settle()
    return last_answer(sent)


async def make_move(table: Table, *, seed: int = 1) -> tuple[int, Shown]:
    """Let the player to move make a move; return the player and the panel afterwards."""
    clicker = Clicker(table, Random(seed), Habits())
    move = await clicker.move(table.card())
    assert clicker.last is not None
    return move.member, clicker.last


async def readable_answers(table: Table, member: int) -> list[Any]:
    """Return the texts and buttons that the reading commands show to a member."""
    actor, answers = table.members[member], []
    for command in READING_COMMANDS:
        result = await actor.slash(table.place, command)
        shown = result.followups[-1] if result.followups else result.response
        assert shown is not None
        answers.append((command, words(shown.components), [str(button.key) for button in buttons(shown.components)]))
    return answers


async def publish_due(table: Table) -> int:
    """Run the timers after the publish window has ended; return their number."""
    host = table.bot.host
    async with host._store.writing() as tx:
        for name in ("timers", "pending"):
            await tx.exec_driver_sql(f"update {name} set due_at = due_at - 60000")  # noqa: S608
    done = await table.bot.host.timer_dispatcher.work()
    table.bot.publisher.wake()
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    for task in [task for task in table.bot._background.running if task.get_name().startswith("tell ")]:
        await task  # settling does not wait for what it reads in a thread
    await table.env.settle()
    return done


async def test_a_pending_move_is_secret(table: Table) -> None:
    cards = len(table.cards())
    before = {member: await readable_answers(table, member) for member in list(table.members)[:2]}
    member, panel = await make_move(table)
    assert offered_ops(panel) == {Op.UNDO}
    assert says(words(panel.components), "panel.waits")
    assert (len(table.cards()), table.stored().ply) == (cards, 0)
    for reader, answers in before.items():
        assert await readable_answers(table, reader) == answers
    again = await table.press(member, table.card(), button_for(table.card(), Op.PLAY).custom_id)
    assert words(again.components) == words(panel.components)


async def test_the_panel_of_a_pending_move_links_to_the_next_game(table: Table) -> None:
    before, me = table.place, mentioned_users(table.card().components)[0]
    await table.start(2)
    assert mentioned_users(table.card().components) == [me], "the seed determines the seats"
    _, panel = await make_move(table)
    (link,) = [part for part in walk_components(panel.components) if "url" in part]
    assert link["label"] == localized("button.next_game", count=1)
    assert f"/{before.id}" in link["url"]
    assert offered_ops(panel) == {Op.UNDO}


async def test_undo_returns_to_the_composer(table: Table) -> None:
    member, panel = await make_move(table)
    cards = len(table.cards())
    again = await table.press(member, panel, button_for(panel, Op.UNDO).custom_id)
    assert Op.PLAN in offered_ops(again)
    assert (len(table.cards()), table.stored().ply) == (cards, 0)
    assert await press_outdated(table, member, panel, Op.UNDO) == localized("error.nothing_to_undo")
    await make_move(table, seed=2)
    await publish_due(table)
    assert len(table.cards()) == cards + 1
    assert table.stored().ply > 0


async def test_publish_now_of_an_old_panel_posts_the_card_at_once(table: Table) -> None:
    member, panel = await make_move(table)
    await press_outdated(table, member, panel, Op.PUBLISH)
    done = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    assert Op.UNDO not in offered_ops(done)
    assert mentioned_users(table.card().components) != [member]
    assert [post.message_id is not None for post in table.stored().posts] == [True, True]
    assert await press_outdated(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")
    assert len(table.stored().posts) == 2


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_card_is_posted_when_the_window_ends(table: Table, *, restarted: bool) -> None:
    cards = len(table.cards())
    await make_move(table)
    if restarted:
        await table.restart()
    assert [await publish_due(table), await publish_due(table)] == [1, 0]
    assert len(table.cards()) == cards + 1


async def test_the_panel_of_the_mover_is_updated_when_the_window_ends(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: False)  # the offline Discord has its own clock
    member, panel = await make_move(table)
    await publish_due(table)
    after = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    assert says(words(after.components), "panel.done")
    assert Op.UNDO not in offered_ops(after)
    assert await press_outdated(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")


async def test_an_expired_panel_is_not_edited_but_still_answers(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    member, panel = await make_move(table)
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: True)
    await publish_due(table)
    after = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    assert offered_ops(after) == {Op.UNDO}
    monkeypatch.undo()
    assert await press_outdated(table, member, panel, Op.PUBLISH) == localized("error.nothing_waits")
    assert localized("undo.offer", count=1, players="|").split("|")[0][:20] in await press_outdated(
        table, member, panel, Op.UNDO
    )


async def test_the_panel_of_an_undone_move_is_not_updated(table: Table) -> None:
    member, panel = await make_move(table)
    again = await table.press(member, panel, button_for(panel, Op.UNDO).custom_id)
    await publish_due(table)
    after = table.env.backend.get_message(again.handle.channel_id, again.handle.id)
    assert Op.PLAN in offered_ops(after)


async def test_a_pending_move_is_undone_by_command(table: Table) -> None:
    member, _ = await make_move(table)
    actor = table.members[member]
    refused = await actor.slash(table.place, "carc play", move=table.stored().log[0] if table.stored().log else "pass")
    assert refused.followups or refused.response
    back = table.shown(await actor.slash(table.place, "carc undo"))
    assert Op.PLAN in offered_ops(back)
    nothing = table.shown(await actor.slash(table.place, "carc undo"))
    assert words(nothing.components) == localized("error.nothing_to_undo")
    assert table.stored().ply == 0


async def test_another_player_cannot_undo_a_pending_move(table: Table) -> None:
    member, panel = await make_move(table)
    other = next(one for one in list(table.members)[:2] if one != member)
    refused = table.shown(await table.members[other].slash(table.place, "carc undo"))
    assert words(refused.components) == localized("error.nothing_to_undo")
    assert offered_ops(panel) == {Op.UNDO}
    await publish_due(table)
    assert table.stored().ply > 0


async def publish_move(table: Table) -> tuple[int, Shown]:
    """Make and publish a move; return the player who made it and the panel in which it was made."""
    member, panel = await make_move(table)
    await publish_due(table)
    await wait_until_posted(table)
    return member, panel


async def request_undo(table: Table, member: int) -> Shown:
    """Request an undo; return the public question."""
    offer = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert offered_ops(offer) == {Op.ASK}
    await table.press(member, offer, button_for(offer, Op.ASK).custom_id)
    await wait_until_posted(table)
    return table.card()


def other_player(table: Table, member: int) -> int:
    """Return the player who is not this member."""
    return next(player for player in list(table.members)[:2] if player != member)


async def test_an_undo_is_carried_out_when_all_have_agreed(table: Table) -> None:
    member, _ = await publish_move(table)
    other, card, published_at = other_player(table, member), table.card(), table.stored().ply
    question = await request_undo(table, member)
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
    await make_move(table, seed=5)
    await publish_due(table)
    await wait_until_posted(table)
    assert table.stored().ply > 0
    history = table.shown(await table.members[other].slash(table.place, "carc log"))
    assert localized("log.undone") in words(history.components)
    nonces = [post.message_id for post in table.stored().posts]
    assert len(set(nonces)) == len(nonces)


async def revealed_tiles(table: Table) -> str:
    """Return the text about the tiles that were revealed after the first one."""
    position = (await table.bot.host.games.table(table.stored().code)).position
    drawn = position.setup.pile[1 : position.next_tile]
    assert drawn
    with speaking(MemberLanguage.language):
        tiles = "; ".join(tile_words(tile(name)) for name in drawn)
        return t("undo.seen_next", count=len(drawn), tiles=tiles)


async def test_the_question_names_the_revealed_tiles(table: Table) -> None:
    member, _ = await publish_move(table)
    revealed = await revealed_tiles(table)
    offer = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert revealed in words(offer.components).splitlines()
    await table.press(member, offer, button_for(offer, Op.ASK).custom_id)
    await wait_until_posted(table)
    assert revealed in words(table.card().components).splitlines()


async def test_an_undo_request_does_not_reveal_a_pending_move(table: Table) -> None:
    """The tile after the pending move is not among the revealed ones."""
    member, _ = await publish_move(table)
    revealed, other = await revealed_tiles(table), other_player(table, member)
    await make_move(table, seed=3)
    assert await table.bot.host.pending_moves.find(table.stored().code, table.members[other].id) is not None
    lines = words((await request_undo(table, member)).components).splitlines()
    assert revealed in lines
    assert len(lines) == 3


async def test_a_publish_window_needs_no_additional_requests(table: Table, recorder: Recorder) -> None:
    """Besides answers there are two requests, the card and the removal of old buttons, both on publication."""
    await publish_move(table)  # the channel is scanned before the first card after a start
    before = len(background_requests(recorder))
    await make_move(table)
    assert len(background_requests(recorder)) == before
    await publish_due(table)
    await wait_until_posted(table)
    assert len(background_requests(recorder)) == before + 2


def background_requests(recorder: Recorder) -> list[str]:
    """Return the requests that do not answer an interaction."""
    return [it.path for it in recorder.requests if "/interactions/" not in it.path and "/webhooks/" not in it.path]


async def test_a_declined_undo_is_closed_for_all(table: Table) -> None:
    member, _ = await publish_move(table)
    other, ply = other_player(table, member), table.stored().ply
    question = await request_undo(table, member)
    decline = button_for(question, Op.DECLINE).custom_id
    await table.press(other, question, decline)
    assert offered_ops(table.card()) == set()
    again = send_press(table.env, table.members[other], question.handle, decline)
    await table.env.settle()
    assert last_answer(again) == localized("error.request_gone")
    assert table.stored().ply == ply


async def test_the_requester_can_withdraw_but_not_agree(table: Table) -> None:
    member, _ = await publish_move(table)
    question = await request_undo(table, member)
    agrees = send_press(table.env, table.members[member], question.handle, button_for(question, Op.AGREE).custom_id)
    await table.env.settle()
    assert last_answer(agrees) == localized("error.not_asked")
    twice = table.shown(await table.members[member].slash(table.place, "carc undo"))
    assert words(twice.components) == localized("error.asked_already")
    await table.press(member, question, button_for(question, Op.DECLINE).custom_id)
    assert offered_ops(table.card()) == set()


async def test_a_stranger_cannot_vote(table: Table) -> None:
    member, _ = await publish_move(table)
    question = await request_undo(table, member)
    stranger = list(table.members.values())[3]
    for op in (Op.AGREE, Op.DECLINE):
        sent = send_press(table.env, stranger, question.handle, button_for(question, op).custom_id)
        await table.env.settle()
        assert last_answer(sent) == localized("error.not_asked")
    assert table.stored().ply > 0


async def test_only_the_organiser_undoes_moves_of_a_rated_event(table: Table) -> None:
    member, code = (await publish_move(table))[0], table.stored().code
    organiser = table.actors[4]

    async def event_of(_game: Game) -> EventGame | None:
        return EventGame("CUP", rated=True, going=False, organises=lambda asker: asker.user_id == organiser.id)

    table.bot.host.organisers.event_of = event_of
    before = table.stored().log
    answer = answer_to(await table.members[member].slash(table.place, "carc undo", game=code))
    assert is_sentence("error.rated_event", answer)
    assert table.stored().log == before
    revealed = await revealed_tiles(table)
    ordered, seen = answer_to(await organiser.slash(table.place, "carc undo", game=code)).splitlines()
    assert is_sentence("undo.ordered", ordered)
    assert seen == revealed
    assert len(table.stored().log) < len(before)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 4))])
async def test_buttons_from_before_an_undo_are_invalid(
    table: Table, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """All earlier buttons are pressed by both players in random order after an undo and another move."""
    shown, pressing = dict.fromkeys([""]), Table.press

    async def remembered(table: Table, member: int, panel: Shown, custom_id: str) -> Shown:
        result = await pressing(table, member, panel, custom_id)
        for channel in table.env.backend.messages.values():
            shown.update(dict.fromkeys(one.custom_id for m in channel.values() for one in buttons(m.components)))
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Table, "press", remembered)
        member, _ = await publish_move(table)
        other = other_player(table, member)
        await table.press(
            other, table.card(), buttons(table.card().components)[0].custom_id
        )  # this collects the buttons of the confirmation
        question = await request_undo(table, member)
    await table.press(other, question, button_for(question, Op.AGREE).custom_id)
    await wait_until_posted(table)
    await make_move(table, seed=5)
    await publish_due(table)
    await wait_until_posted(table)
    before, random = table.stored(), Random(seed)
    stale = [(user, one) for user in (member, other) for one in shown if one.split(":")[2:3] == [before.code]]
    for user, custom_id in random.sample(stale, len(stale) if seed else 40):
        send_press(table.env, table.members[user], table.card().handle, custom_id)
        await table.env.settle()
    after = table.stored()
    assert (after.log, after.ply, after.digest, after.status) == (before.log, before.ply, before.digest, before.status)
    assert await table.bot.host.pending_moves.find(before.code, member) is None
