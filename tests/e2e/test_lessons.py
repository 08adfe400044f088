"""The first lesson in Discord: by clicks, in a private thread or in direct messages, with pictures or in words."""

from __future__ import annotations

from pathlib import Path
from random import Random

import discord
import pytest
import simcord

from cogs.panels.lessons import AGAIN, ANEW, BACK, LEAVE, LEFT, RECAP
from cogs.presenting.ids import Key, Op
from cogs.texts.languages import languages
from engine import GAMES
from engine import begin as begin_game
from host import BY_EAR, Game, GameStatus
from tests.discord_limits.recorder import Recorder
from tests.e2e import test_computers
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits, Move, Shown, button_for
from tests.e2e.raw_interactions import last_answer, send_command, send_press
from tests.e2e.screen import buttons, localized, mentioned_users, picture_urls, says, words
from tests.e2e.screen_reader import ScreenReader
from tests.e2e.table import Table, make_manager, open_table
from tests.e2e.test_bad_input import deny_permissions
from tests.e2e.test_computers import let_think, wait_for_card

thinks_here = test_computers.thinks_here
pytestmark = pytest.mark.usefixtures("random_language")

NAMES = ("tile", "follower", "road", "city", "monastery", "field", "majority", "bridge", "castle", "bazaar")
"""The topics of the lesson."""


async def begin(table: Table, number: int = 0) -> simcord.InteractionResult:
    """Let a member begin a lesson in the server; its thread becomes the table's place."""
    result = await table.actors[number].slash(table.channel, "carc learn")
    table.place = table.channel.threads[-1]
    return result


async def begin_directly(table: Table) -> simcord.InteractionResult:
    """Let the first user begin a lesson in their direct messages with the bot."""
    user = table.users[0]
    table.members = {user.id: user}  # type: ignore[dict-item] # presses come from the direct messages
    result = await user.slash("carc learn")
    table.place = user.dm_channel
    return result


async def lesson(table: Table, game_id: int = 1) -> Game:
    """Return the lesson as it is stored."""
    return await table.bot.host.games.get(game_id)


async def take(table: Table, *, moves: int = 30, advised: bool = False) -> list[str]:
    """Take so many turns of a lesson, or all, perhaps by advice alone; return the texts of all cards and panels."""
    heard: list[str] = []

    class Listening(Clicker):
        """A clicker that remembers the texts of the panels that it sees."""

        async def _tap(self, *args: object) -> Shown:
            shown: Shown = await super()._tap(*args)  # type: ignore[arg-type]
            heard.append(words(shown.components))
            return shown

        async def _complete_turn(self, move: Move, panel: Shown) -> None:
            if advised:
                panel = await self._tap(move, panel, button_for(panel, Op.ADVICE))
                panel = await self._tap(move, panel, button_for(panel, Op.PLAN))
            await super()._complete_turn(move, panel)

    clicker = Listening(table, Random(4), Habits(quick=True))
    await let_think(table)
    while moves and (await lesson(table)).status is GameStatus.RUNNING:
        heard.append(words(table.card().components))
        await clicker.move(table.card())
        await let_think(table)
        moves -= 1
    heard.append(words(table.card().components))
    return heard


def press_of(shown: Shown, argument: str) -> str:
    """Return the custom id of a button of a lesson."""
    return next(
        button.custom_id
        for button in buttons(shown.components)
        if button.key.op is Op.LESSON and button.key.argument == argument
    )


async def press(table: Table, argument: str, shown: Shown | None = None) -> Shown:
    """Let the learner press a button of the newest card, or of another message."""
    shown = shown or table.card()
    return await table.press(next(iter(table.members)), shown, press_of(shown, argument))


async def test_a_whole_lesson_is_taken_by_clicks(table: Table) -> None:
    begun = await begin(table)
    assert is_sentence("lesson.begun", answer_to(begun).splitlines()[0])
    await wait_for_card(table)
    ana = table.actors[0]
    assert mentioned_users(table.card().components) == [ana.id]
    assert says(words(table.card().components), "lesson.tile")
    heard = await take(table)
    assert all(any(says(text, f"lesson.{name}") for text in heard) for name in NAMES)
    last = table.card()
    assert all(says(words(last.components), line) for line in ("lesson.final", "lesson.next", "story.scored_final"))
    assert not says(words(last.components), "lesson.learned"), "the card would not fit a phone"
    recap = words((await press(table, RECAP, last)).components)
    learned = [f"learned_{name}" for name in NAMES[2:]]
    assert all(says(recap, f"lesson.{line}") for line in ("learned", *learned))
    assert {button.key.op for button in buttons(last.components)} == {Op.BOARD, Op.WORDS, Op.LOG, Op.LESSON}
    assert len(picture_urls(last.components)) == 1


async def test_advice_alone_leads_past_every_explanation(table: Table) -> None:
    await begin(table)
    heard = await take(table, advised=True)
    assert (await lesson(table)).status is GameStatus.FINISHED
    assert [name for name in NAMES if not any(says(text, f"lesson.{name}") for text in heard)] == []


async def test_a_typed_move_is_explained_in_its_answer(table: Table) -> None:
    await begin(table)
    await wait_for_card(table)
    setup = GAMES["carcassonne"].lesson
    assert setup is not None
    place = next(iter(begin_game(setup()).legal_actions))
    answer = answer_to(await table.actors[0].slash(table.place, "carc play", move=f"{place} pass"))
    assert all(says(answer, f"lesson.{name}") for name in ("done", "road", "field"))


@pytest.mark.soak
@pytest.mark.parametrize("language", languages())
async def test_a_lesson_is_taken_in_every_language(
    tmp_path: Path, recorder: Recorder, no_drawing: None, language: str
) -> None:
    with use_locale(language, "en-US" if language == "en" else language):
        async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
            await begin(table)
            heard = await take(table)
            assert (await lesson(table)).settings.language == language
            assert all(any(says(text, f"lesson.{name}") for text in heard) for name in NAMES)
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def test_the_place_of_a_lesson_is_private(table: Table) -> None:
    await begin(table)
    await let_think(table)
    thread = table.env.backend.get_channel(table.place.id)
    assert thread.type == discord.ChannelType.private_thread.value
    ana, ben = table.actors[:2]
    game = await lesson(table)
    refused = await ben.slash(table.channel, "carc board", game=game.code)
    assert is_sentence("error.unknown_game", answer_to(refused))
    assert is_sentence("games.none", answer_to(await ben.slash(table.channel, "carc games")))
    assert game.name in answer_to(await ana.slash(table.channel, "carc games"))


async def test_the_presses_of_others_are_refused(table: Table) -> None:
    manager = make_manager(table)
    await begin(table)
    await let_think(table)
    card = table.card()
    with nothing_changes(table):
        for argument in (BACK, LEAVE, LEFT, ANEW, AGAIN):
            sent = send_press(
                table.env, manager, card.handle, str(Key(Op.LESSON, (await lesson(table)).code, 0, argument))
            )
            await table.env.settle()
            assert is_sentence("refusal.other_lesson", last_answer(sent))
        play = next(button for button in buttons(card.components) if button.key.op is Op.PLAY)
        sent = send_press(table.env, manager, card.handle, play.custom_id)
        await table.env.settle()
        assert is_sentence("error.not_a_player", last_answer(sent))


async def test_buttons_of_a_lesson_do_nothing_elsewhere(table: Table) -> None:
    await table.start(2)
    ana = table.actors[0]
    with nothing_changes(table):
        for argument in (BACK, LEFT, AGAIN, "", "x"):
            key = Key(Op.LESSON, table.stored().code, 0, argument)
            sent = send_press(table.env, ana, table.card().handle, str(key))
            await table.env.settle()
            assert is_sentence("refusal.unknown_button", last_answer(sent))


async def test_a_move_is_taken_back_without_asking(table: Table) -> None:
    await begin(table)
    await take(table, moves=2)
    before = await lesson(table)
    panel = await press(table, BACK)
    after = await lesson(table)
    assert after.ply < before.ply
    assert any(button.key.op is Op.PLAN for button in buttons(panel.components))
    await let_think(table)
    assert says(words(table.card().components), "undo.undone_alone")
    assert not says(words(table.card().components), "undo.undone"), "nobody else agreed"


async def test_a_double_press_takes_one_move_back(table: Table) -> None:
    await begin(table)
    await take(table, moves=3)
    before, card = await lesson(table), table.card()
    presses = [send_press(table.env, table.actors[0], card.handle, press_of(card, BACK)) for _ in range(2)]
    await table.env.settle()
    assert sorted(says(last_answer(sent), "error.stale_at") for sent in presses) == [False, True]
    after = await lesson(table)
    assert after.taken_back == before.ply - after.ply + 1, "one undo"


async def test_a_lesson_survives_a_restart(table: Table) -> None:
    await begin(table)
    heard = await take(table, moves=4)
    await table.restart()
    heard += await take(table)
    assert all(any(says(text, f"lesson.{name}") for text in heard) for name in NAMES)
    assert (await lesson(table)).status is GameStatus.FINISHED


async def test_a_lesson_is_left_at_any_moment(table: Table) -> None:
    await begin(table)
    await take(table, moves=1)
    panel = await press(table, LEAVE)
    assert says(words(panel.components), "lesson.leave")
    assert (await lesson(table)).status is GameStatus.RUNNING
    left = await press(table, LEFT, panel)
    assert says(words(left.components), "lesson.left")
    await wait_for_card(table)
    assert (await lesson(table)).status is GameStatus.FINISHED
    assert says(words(table.card().components), "lesson.next")
    recap = words((await press(table, RECAP)).components)
    assert not says(recap, "lesson.learned_bazaar"), "bazaars were not explained"
    assert is_sentence("games.none", answer_to(await table.actors[0].slash(table.channel, "carc games")))


async def test_a_second_command_leads_to_the_running_lesson_or_begins_anew(table: Table) -> None:
    await begin(table)
    await let_think(table)
    first = table.place
    ana = table.actors[0]
    again = await ana.slash(table.channel, "carc learn")
    assert says(answer_to(again), "lesson.running")
    assert len(table.channel.threads) == 1
    panel = table.shown(again)
    press_id = press_of(panel, ANEW)
    begun = await press(table, ANEW, panel)
    assert says(words(begun.components), "lesson.begun")
    await wait_for_card(table, 1)
    await wait_for_card(table, 2)
    assert [(await lesson(table, number)).status for number in (1, 2)] == [GameStatus.FINISHED, GameStatus.RUNNING]
    assert (await lesson(table, 2)).thread_id != first.id
    twice = send_press(table.env, ana, panel.handle, press_id)
    await table.env.settle()
    assert says(last_answer(twice), "lesson.running")
    assert (await lesson(table, 2)).status is GameStatus.RUNNING


async def test_another_lesson_takes_the_same_thread(table: Table) -> None:
    await begin(table)
    await let_think(table)
    panel = await press(table, LEAVE)
    await press(table, LEFT, panel)
    await wait_for_card(table)
    last = table.card()
    await press(table, AGAIN, last)
    await wait_for_card(table, 2)
    assert (await lesson(table, 2)).thread_id == table.place.id
    assert says(words(table.card().components), "lesson.tile")
    twice = await press(table, AGAIN, last)
    assert says(words(twice.components), "lesson.running")


async def test_a_lesson_is_taken_in_direct_messages(table: Table) -> None:
    begun = await begin_directly(table)
    assert says(answer_to(begun), "lesson.begun")
    await wait_for_card(table)
    game = await lesson(table)
    assert (game.guild_id, game.place) == (0, table.place.id)
    heard = await take(table)
    assert any(says(text, "lesson.greeting") for text in map(words, (card.components for card in table.cards())))
    assert all(any(says(text, f"lesson.{name}") for text in heard) for name in NAMES)
    await press(table, AGAIN)
    await wait_for_card(table, 2)
    assert says(words(table.card().components), "lesson.tile")


async def test_commands_in_direct_messages(table: Table) -> None:
    user = table.users[0]
    await begin_directly(table)
    await let_think(table)
    for command, key in (("board", ""), ("undo", "error.nothing_to_undo"), ("games", "games.title"), ("play", "")):
        answer = answer_to(await user.slash(f"carc {command}"))
        assert not key or says(answer, key), command
    with nothing_changes(table):
        for command in ("new", "manage", "here", "time keep", "vacation"):
            assert says(answer_to(await user.slash(f"carc {command}")), "refusal.only_in_servers")


async def test_a_lesson_in_direct_messages_is_linked_in_servers(table: Table) -> None:
    user, member = table.users[0], table.actors[0]
    await user.slash("carc learn")
    await table.env.settle()
    answer = await member.slash(table.channel, "carc learn")
    assert f"/channels/@me/{user.dm_channel.id}" in str(table.shown(answer).components)
    stays = await member.slash(table.channel, "carc here", game=(await lesson(table)).code)
    assert answer_to(stays)
    assert (await lesson(table)).place == user.dm_channel.id


async def test_a_lesson_stays_in_its_thread(table: Table) -> None:
    await begin(table)
    await let_think(table)
    refused = await table.actors[0].slash(table.channel, "carc here", game=(await lesson(table)).code)
    assert is_sentence("refusal.lesson_stays", answer_to(refused))


async def test_without_private_threads_the_way_to_direct_messages_is_shown(table: Table) -> None:
    await deny_permissions(table, create_private_threads=False)
    with nothing_changes(table):
        refused = await table.actors[0].slash(table.channel, "carc learn")
    assert says(answer_to(refused), "refusal.no_lesson_thread")
    assert localized("permission.create_private_threads") in answer_to(refused)


@pytest.fixture
async def listener(table: Table) -> ScreenReader:
    """Let the first member play in screen reader mode."""
    ana = table.actors[0]
    preferences = await table.bot.host.preferences.get(ana.id)
    await table.bot.host.preferences.set(ana.id, preferences.with_choice(BY_EAR, "on"))
    return ScreenReader(table, Random(2))


async def test_a_lesson_is_taken_by_ear(table: Table, listener: ScreenReader) -> None:
    await begin(table)
    await let_think(table)
    heard: list[str] = []
    while (await lesson(table)).status is GameStatus.RUNNING:
        heard.append(words(table.card().components))
        turn = await listener.turn()
        heard += turn.answers
        await let_think(table)
    assert all(any(says(text, f"lesson.{name}") for text in heard) for name in NAMES)


async def test_the_command_sent_twice_begins_one_lesson(table: Table) -> None:
    sent = [send_command(table.env, table.actors[0], table.channel, "carc learn") for _ in range(2)]
    await table.env.settle()
    keys = ("lesson.begun", "lesson.running")
    assert sorted(key for message in sent for key in keys if says(message.text, key)) == list(keys)
    assert len(table.channel.threads) == 1


async def test_a_running_lesson_goes_on_if_no_place_is_found_for_another(table: Table) -> None:
    await begin(table)
    await let_think(table)
    await deny_permissions(table, create_private_threads=False)
    panel = table.shown(await table.actors[0].slash(table.channel, "carc learn"))
    refused = await press(table, ANEW, panel)
    assert says(words(refused.components), "refusal.no_lesson_thread")
    assert (await lesson(table)).status is GameStatus.RUNNING


async def test_whoever_cannot_be_written_to_is_told_so(table: Table) -> None:
    user = table.users[0]
    channel = user.dm_channel
    table.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50007, times=9)
    refused = await user.slash("carc learn")
    assert is_sentence("refusal.no_lesson_messages", answer_to(refused))
    assert await table.bot.host.lessons.running(user.id) is None
