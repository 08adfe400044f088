"""Notifications (reminders, notices, direct messages): whom they ping, and their texts.

The game has two players and stands before its first move; outdated notifications must not ping anyone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest

import cogs
from cogs.background.direct_messages import CANNOT_WRITE, write_directly
from cogs.panels.card_messages import respect_quiet_hours, send_card
from cogs.panels.cards import Card, words_card
from cogs.panels.side_messages import closing_card, news_card, news_lines, reminder_card, unreached_card
from cogs.presenting.ids import Op, parse_key
from cogs.texts import t
from cogs.words.story import aloud
from engine.carcassonne import Position, new_setup
from host import DeferredItem, ErrorCode, Game, GameStatus, HostError, Post, PostKind, Times, UserLocale
from host.timing.reminders import Matter
from tests.cogs.positions import NOW, game_of
from tests.cogs.test_telling import table_of
from tests.pseudo_language import OPENING_BRACKET, PSEUDO_CODE, PSEUDO_LOCALE, install_pseudo_language

GAME = game_of(Position(new_setup(players=2, seed="1")))
"""The game of all notifications."""
TIMES = Times(NOW + timedelta(hours=5), (timedelta(hours=5), timedelta(hours=72)), timedelta())
"""The times of the turn that a notification names."""


def post_of(kind: PostKind, game: Game = GAME) -> Post:
    """Return a post of this kind in the outbox."""
    return Post(
        id=1,
        game_id=game.id,
        game=game,
        from_ply=0,
        ply=0,
        kind=kind,
        nonce="G1-0-r1",
        attempts=0,
        first_attempt_at=None,
        message_id=None,
    )


def words(card: Card) -> str:
    """Return the whole text of a card."""
    return "\n".join(item.content for item in card.view.walk_children() if hasattr(item, "content"))


def ops(card: Card) -> set[Op]:
    """Return the operations of a card's buttons."""
    keys = [parse_key(item.custom_id) for item in card.view.walk_children() if getattr(item, "custom_id", None)]
    return {key.op for key in keys if key is not None}


def pinged(card: Card) -> list[int]:
    """Return the ids of the users whom a card pings."""
    users = card.mentions().users
    assert isinstance(users, list)
    return [user.id for user in users]


@pytest.mark.parametrize("times", [TIMES, None])
def test_a_reminder_pings_the_player_to_move_and_names_the_deadline(times: Times | None) -> None:
    card, player = reminder_card(post_of(PostKind.REMINDER), times), GAME.person_to_act
    assert player is not None
    assert pinged(card) == [player.user_id]
    assert f"<@{player.user_id}>" in words(card)
    assert ("<t:" in words(card)) is (times is not None)
    assert ops(card) == {Op.PLAY, Op.LATER, Op.HUSH, Op.LOG}


@pytest.mark.parametrize("outdated", [replace(GAME, taken_back=3), replace(GAME, status=GameStatus.FINISHED)])
def test_an_outdated_reminder_pings_no_one(outdated: Game) -> None:
    card = reminder_card(post_of(PostKind.REMINDER, outdated), None)
    assert pinged(card) == []
    assert ops(card) == {Op.LOG}
    assert words(card) == t("card.reminder_late", name=GAME.name, code=GAME.code)


def test_the_notice_of_closing_pings_all_players() -> None:
    card = closing_card(post_of(PostKind.CLOSING), NOW)
    assert pinged(card) == [person.user_id for person in GAME.seats]
    assert Op.KEEP in ops(card)
    withdrawn = closing_card(post_of(PostKind.CLOSING), None)
    assert (pinged(withdrawn), Op.KEEP in ops(withdrawn)) == ([], False)


def test_a_reminder_counts_other_waiting_games_without_naming_them() -> None:
    assert t("card.reminder_others", count=2) in words(reminder_card(post_of(PostKind.REMINDER), TIMES, 2))


class QuietHost:
    """A fake host at which these users have quiet hours."""

    def __init__(self, *users: int) -> None:
        self.turn_reminders, self.deferred_notifications, self.users = self, self, users

    async def defer_quiet(self, _game: Game, users: Sequence[int]) -> set[int]:
        """Return those users who are in their quiet hours."""
        return {*users} & {*self.users}

    async def delivery_mode(
        self, _game: Game, _revision: int, user_id: int, _wishes: object = None
    ) -> tuple[bool, bool]:
        """Return whether a user is in their quiet hours, and that they want no direct messages."""
        return user_id in self.users, False


@pytest.mark.parametrize(("others", "silent"), [((), True), ((7,), False)])
async def test_a_card_does_not_ping_a_player_with_quiet_hours(others: tuple[int, ...], *, silent: bool) -> None:
    player = GAME.person_to_act
    assert player is not None
    card = replace(reminder_card(post_of(PostKind.REMINDER), TIMES), players=others)
    sent_card = await respect_quiet_hours(cast("Any", QuietHost(player.user_id)), post_of(PostKind.REMINDER), card)
    assert (pinged(sent_card), sent_card.silent) == ([*others], silent)
    assert await respect_quiet_hours(cast("Any", QuietHost()), post_of(PostKind.REMINDER), card) == card
    channel = AsyncMock()
    await send_card(MagicMock(), channel, sent_card, "n")
    assert channel.send.await_args.kwargs.get("silent", False) is silent


@pytest.mark.parametrize(("asleep", "silent"), [((), False), ((7,), False), ((7, 8), True), ((9,), False)])
async def test_notices_ping_only_players_outside_quiet_hours(asleep: tuple[int, ...], *, silent: bool) -> None:
    card = words_card(post_of(PostKind.ENDS), "Words.", players=[7, 8])
    sent_card = await respect_quiet_hours(cast("Any", QuietHost(*asleep)), post_of(PostKind.ENDS), card)
    assert (pinged(sent_card), sent_card.silent) == ([user for user in (7, 8) if user not in asleep], silent)
    player = GAME.person_to_act
    assert player is not None
    turn = replace(card, pinged=player.user_id)
    sent_card = await respect_quiet_hours(cast("Any", QuietHost(*asleep)), post_of(PostKind.CARD), turn)
    assert (pinged(sent_card), sent_card.silent) == (
        [player.user_id, *(user for user in (7, 8) if user not in asleep)],
        False,
    )


@pytest.mark.parametrize("matter", Matter)
def test_a_deferred_notification_pings_one_player_and_links_the_message(matter: Matter) -> None:
    card = news_card(post_of(PostKind.NEWS), 7, [DeferredItem(matter, 22, 33)], 2)
    assert pinged(card) == [7]
    link = f"https://discord.com/channels/{GAME.guild_id}/22/33"
    assert t(f"news.{matter}", link=link) in words(card)
    assert t("card.reminder_others", count=2) in words(card)
    empty = news_card(post_of(PostKind.NEWS), 7, [], 0)
    assert (pinged(empty), words(empty)) == ([], t("card.reminder_late", name=GAME.name, code=GAME.code))


def test_a_reminder_mentions_open_requests() -> None:
    lines = news_lines(GAME, [DeferredItem(Matter.QUESTION, 22, 33)])
    assert lines[0] in words(reminder_card(post_of(PostKind.REMINDER), TIMES, 0, lines))


def host_with_recipient(*, listens: bool = False) -> AsyncMock:
    """Return a fake host that knows whether the recipient plays by ear."""
    host = AsyncMock()
    host.locales.plays_by_ear = MagicMock(return_value=listens)
    return host


@pytest.mark.parametrize(
    ("error", "closed"),
    [
        (None, False),
        (discord.Forbidden(MagicMock(status=403, reason="x"), {"code": CANNOT_WRITE, "message": "x"}), True),
        (discord.Forbidden(MagicMock(status=403, reason="x"), {"code": 20001, "message": "x"}), False),
        (discord.HTTPException(MagicMock(status=500, reason="x"), "x"), False),
    ],
)
@pytest.mark.parametrize(("kind", "key"), [(PostKind.CARD, "direct.turn"), (PostKind.REMINDER, "direct.reminder")])
async def test_a_user_who_opted_in_gets_a_direct_message(
    error: Exception | None, kind: PostKind, key: str, *, closed: bool
) -> None:
    bot, host = AsyncMock(), host_with_recipient()
    host.locales.of.return_value = UserLocale()
    bot.create_dm.return_value.send.side_effect = error
    await write_directly(bot, host, post_of(kind), 5, "https://discord.test/1")
    [message] = bot.create_dm.return_value.send.await_args_list
    assert [item.content for item in message.kwargs["view"].walk_children() if hasattr(item, "content")] == [
        t(key, name=GAME.name, code=GAME.code, link="https://discord.test/1")
    ]
    assert bot.create_dm.await_args.args[0].id == 5
    assert host.turn_reminders.turn_off_direct_messages.await_count == closed


@pytest.mark.parametrize("kind", [PostKind.CARD, PostKind.REMINDER])
async def test_a_user_who_plays_by_ear_gets_plain_text(kind: PostKind) -> None:
    bot, host = AsyncMock(), host_with_recipient(listens=True)
    table = table_of("carcassonne", 4)
    opponent_id = next(entry.user_id for entry in reversed(table.log) if entry.user_id != table.log[-1].user_id)
    host.locales.of.return_value = UserLocale()
    host.games.table.return_value = table
    await write_directly(bot, host, post_of(kind), opponent_id, "https://discord.test/1")
    [message] = bot.create_dm.return_value.send.await_args_list
    [text] = message.args
    key = "direct.reminder" if kind is PostKind.REMINDER else "direct.turn"
    notification = t(key, name=GAME.name, code=GAME.code, link="https://discord.test/1")
    assert text.endswith(notification)
    assert "view" not in message.kwargs
    assert (text != notification and aloud(text) == text) is (kind is PostKind.CARD)
    host.games.table.side_effect = HostError(ErrorCode.UNREADABLE)
    await write_directly(bot, host, post_of(kind), opponent_id, "https://discord.test/1")
    assert bot.create_dm.return_value.send.await_args.args == (notification,)


@pytest.mark.parametrize(
    ("locale", "table_language", "uses_own"),
    [
        (UserLocale("", PSEUDO_LOCALE), "", True),
        (UserLocale(PSEUDO_CODE, "en-GB"), "", True),
        (UserLocale("en", PSEUDO_LOCALE), PSEUDO_CODE, False),
        (UserLocale(), PSEUDO_CODE, True),
        (UserLocale("", "pt-BR"), PSEUDO_CODE, True),
        (UserLocale("tlh", "tlh"), "", False),
    ],
)
async def test_a_direct_message_uses_the_recipients_language(
    locale: UserLocale, table_language: str, *, uses_own: bool
) -> None:
    """The language is the chosen one, else the locale of the last interaction, else that of the table."""
    bot, host = AsyncMock(), host_with_recipient()
    host.locales.of.return_value = locale
    game = replace(GAME, settings=replace(GAME.settings, language=table_language))
    with install_pseudo_language():
        await write_directly(bot, host, post_of(PostKind.REMINDER, game), 5, "https://discord.test/1")
    [message] = bot.create_dm.return_value.send.await_args_list
    assert (OPENING_BRACKET in str(message.kwargs["view"].to_components())) is uses_own


def test_direct_channels_are_opened_in_two_modules_only() -> None:
    """Notifications check that the user opted in, and the settings send the test message."""
    root = Path(cogs.__file__).parent
    direct_message_call = re.compile(r"create_dm\(|fetch_user\(|\b(?:user|member|author)\.send\(")
    calls_by_module = {
        path.relative_to(root).as_posix(): len(direct_message_call.findall(path.read_text("utf-8")))
        for path in root.rglob("*.py")
    }
    assert {name: count for name, count in calls_by_module.items() if count} == {
        "background/direct_messages.py": 2,
        "commands/settings.py": 1,
    }


@pytest.mark.parametrize("direct", [True, False])
async def test_only_users_who_opted_in_get_direct_messages(*, direct: bool) -> None:
    host = MagicMock()
    host.turn_reminders.delivery_mode = AsyncMock(return_value=(False, direct))
    card = reminder_card(post_of(PostKind.REMINDER), TIMES)
    sent_card = await respect_quiet_hours(host, post_of(PostKind.REMINDER), card)
    assert (sent_card.direct, sent_card.pinged) == (direct, card.pinged)


def test_a_user_with_closed_direct_messages_is_pinged_in_the_game_thread() -> None:
    card, player = unreached_card(post_of(PostKind.UNREACHED)), GAME.person_to_act
    assert player is not None
    assert pinged(card) == [player.user_id]
    assert pinged(unreached_card(post_of(PostKind.UNREACHED, replace(GAME, taken_back=3)))) == []
