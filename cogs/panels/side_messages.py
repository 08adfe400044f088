"""Messages apart from a game's cards: reminders, deferred news, gifts of time, pauses, and notices about its place.

They leave the cards as they are. :func:`side_card` picks the message for the kind of a post.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.panels.cards import Card, clock_words, lost_words, notice_card, text_card, words_card
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.words.names import level_words, link, mentions, seat_names
from host import (
    NO_PACE,
    QUICK,
    DeferredItem,
    Game,
    GameStatus,
    Gift,
    Host,
    Person,
    Post,
    PostKind,
    Times,
    offered_extensions,
)


async def side_card(host: Host, post: Post) -> Card:
    """Build the message of a post about a game as it stands now."""
    if post.kind in (PostKind.REMINDER, PostKind.NEWS):
        return await _personal_card(host, post)
    if post.kind in (PostKind.GIVEN, PostKind.PAUSED, PostKind.RESUMED, PostKind.BACK):
        return await _time_card(host, post)
    if post.kind in (PostKind.CLOSING, PostKind.VANISHED, PostKind.CLOSED):
        return await _closing_card(host, post)
    if post.kind is PostKind.STALLED:
        return stalled_card(post, in_event=await host.organisers.event_of(post.game) is not None)
    if post.kind is PostKind.SPENT:
        return spent_card(post, host.thinking_time.renewed_at())
    cards_by_kind = {
        PostKind.OPENING: opening_card,
        PostKind.SHUT: shut_card,
        PostKind.ENDS: end_card,
        PostKind.UNREACHED: unreached_card,
    }
    return cards_by_kind.get(post.kind, notice_card)(post)


async def _personal_card(host: Host, post: Post) -> Card:
    """Build a message to one player: a reminder, or the notifications that were deferred."""
    game = post.game
    if post.kind is PostKind.NEWS:
        user_id, items = await host.deferred_notifications.contents_of(post)
        return news_card(post, user_id, items, await host.deferred_notifications.waiting_for(game, user_id))
    urgent = news_lines(game, await host.deferred_notifications.urgent(game))
    return reminder_card(post, await host.times.of(game), await host.turn_reminders.others_waiting(game), urgent)


async def _time_card(host: Host, post: Post) -> Card:
    """Build a message about clocks: a gift of time, a pause, or an early return from a vacation."""
    gift = await host.time_extensions.announced_in(post) if post.kind is PostKind.GIVEN else None
    times = await host.times.of(post.game)
    if post.kind is PostKind.GIVEN:
        return gift_card(post, gift, times)
    return back_card(post, times) if post.kind is PostKind.BACK else pause_card(post, times)


async def _closing_card(host: Host, post: Post) -> Card:
    """Build a message that a game will be closed, or was closed."""
    if post.kind is PostKind.CLOSING:
        return closing_card(post, await host.untimed_games.closes_at(post.game))
    if post.kind is PostKind.VANISHED:
        return vanished_card(post, await host.membership.closes_at(post.game))
    in_event = await host.organisers.event_of(post.game) is not None
    return text_card(post, "card.closed_anew") if in_event else notice_card(post)


# -- to one player -----------------------------------------------------------------------------------------------------


def news_card(post: Post, user_id: int, items: Sequence[DeferredItem], others: int) -> Card:
    """Tell a player the notifications that their quiet hours have deferred, if they still apply.

    If none applies any more, no one is pinged. ``others`` is the number of other games that wait for the player.
    """
    game = post.game
    if not items:
        return text_card(post, "card.reminder_late")
    lines = [t("news.title", player=f"<@{user_id}>", name=game.name, code=game.code), *news_lines(game, items)]
    return words_card(post, "\n".join([*lines, *_others_line(others)]), players=[user_id])


def news_lines(game: Game, items: Sequence[DeferredItem]) -> list[str]:
    """Return one line for each deferred notification, with a link to its message."""
    return [t(f"news.{item.matter}", link=link(game.guild_id, item.channel_id, item.message_id)) for item in items]


def _others_line(others: int) -> list[str]:
    """Count the other games that wait for the player, without naming them to the readers of this one."""
    return [t("card.reminder_others", count=others)] if others else []


def reminder_card(post: Post, times: Times | None, others: int = 0, urgent: Sequence[str] = ()) -> Card:
    """Remind the player to move by a new message, because an edit pings no one.

    If the game has moved on, the message says so and pings no one. ``others`` is the number of other games that wait
    for the player, ``urgent`` are lines about what else they have to do in this one.
    """
    game, person = post.game, _person_to_act(post)
    if person is None:
        return text_card(post, "card.reminder_late")
    reminder = t("card.reminder", player=f"<@{person.user_id}>", name=game.name, code=game.code)
    words = "\n".join(filter(None, [reminder, *urgent, *_others_line(others), clock_words(times, game)]))
    buttons = [
        button(Op.PLAY, game.code, post.revision, t("button.play"), style=ButtonStyle.primary),
        button(Op.LATER, game.code, post.revision, t("button.later")),
        button(Op.HUSH, game.code, post.revision, t("button.hush")),
    ]
    return words_card(post, words, *buttons, pinged=person.user_id)


def later_panel(game: Game) -> ui.LayoutView:
    """Return the private panel that asks in how many hours to remind the player again."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("calls.later", name=game.name, code=game.code))
    hours = [
        button(Op.LATER, game.code, game.revision, t("button.in_hours", count=count), argument=str(count))
        for count in (1, 3, 8, 24)
    ]
    return layout(text, rows(hours))


def unreached_card(post: Post) -> Card:
    """Tell the player to move that they are notified here from now on, because direct messages fail."""
    person = _person_to_act(post)
    player = f"<@{person.user_id}>" if person else t("card.unreached_somebody")
    return words_card(post, t("card.unreached", player=player), pinged=person.user_id if person else None)


def _person_to_act(post: Post) -> Person | None:
    """Return the player to move, or None if the game has moved on since the post."""
    return post.game.person_to_act if post.game.revision == post.revision else None


# -- to all players ----------------------------------------------------------------------------------------------------


def opening_card(post: Post) -> Card:
    """Tell the players of an event's game that its thread is open."""
    players = _player_ids(post.game)
    return text_card(post, "event.opening", pinged_players=players, players=mentions(players))


def shut_card(post: Post) -> Card:
    """Tell all players, where the bot still may post, that the game's own place is closed to it."""
    players, place = _player_ids(post.game), f"<#{post.game.place}>"
    key = "card.shut_plain" if post.game.settings.pace == NO_PACE else "card.shut"
    return text_card(post, key, pinged_players=players, players=mentions(players), place=place)


def end_card(post: Post) -> Card:
    """Tell all players when the game ends, finished or not; no one is pinged once it is over."""
    game = post.game
    players = [] if game.status is GameStatus.FINISHED else _player_ids(game)
    key, timestamp = ("card.ends", int(game.ends_at.timestamp())) if game.ends_at else ("card.ends_never", 0)
    player_mentions = mentions(players) or t("card.ends_nobody")
    return text_card(post, key, pinged_players=players, players=player_mentions, at=timestamp)


def closing_card(post: Post, closes_at: datetime | None) -> Card:
    """Warn all players that an abandoned game will be closed; if it was kept meanwhile, say so and ping no one."""
    if closes_at is None:
        return text_card(post, "card.kept")
    players, timestamp = _player_ids(post.game), int(closes_at.timestamp())
    keep = button(Op.KEEP, post.game.code, post.revision, t("button.keep"), style=ButtonStyle.primary)
    return text_card(post, "card.closing", keep, pinged_players=players, players=mentions(players), at=timestamp)


def vanished_card(post: Post, closes_at: datetime | None) -> Card:
    """Say that all players have left the server, and when the game is closed. No one is pinged."""
    if post.game.status is GameStatus.FINISHED:
        return text_card(post, "card.vanished_closed")
    if closes_at is None:
        return text_card(post, "card.kept")
    return text_card(post, "card.vanished", at=int(closes_at.timestamp()))


def stalled_card(post: Post, *, in_event: bool = False) -> Card:
    """Say that a computer does not decide, and offer its seat to people, but not in a lesson or an event.

    No one is pinged.
    """
    game = post.game
    if game.seat_to_act is None or game.computer_to_act is None or game.revision != post.revision:
        return text_card(post, "card.stalled_late")
    stalled = t("card.stalled", name=game.name, code=game.code, player=seat_names(game)[game.seat_to_act])
    if game.settings.lesson or in_event:
        return words_card(post, stalled)
    take = button(Op.TAKE, game.code, post.revision, t("button.take_seat"))
    return words_card(post, f"{stalled} {t('card.stalled_offer')}", take)


def spent_card(post: Post, renewed_at: datetime) -> Card:
    """Say that computers decide as *quick* because they have thought enough today; no one is pinged."""
    return text_card(post, "card.spent", at=int(renewed_at.timestamp()), level=level_words(QUICK))


def _player_ids(game: Game) -> list[int]:
    """Return the user ids of all players."""
    return [person.user_id for person in game.players]


# -- about time --------------------------------------------------------------------------------------------------------


def pause_card(post: Post, times: Times | None) -> Card:
    """Say that the clocks are paused or run again; the player to move is pinged when they run again."""
    game = post.game
    person = game.person_to_act if post.kind is PostKind.RESUMED else None
    player = f"<@{person.user_id}>" if person else ""
    lines = [t(f"card.{post.kind}", name=game.name, code=game.code), player, clock_words(times, game)]
    resume = [button(Op.RESUME, game.code, post.revision, t("button.resume"))] if post.kind is PostKind.PAUSED else []
    words = "\n".join(filter(None, lines))
    return words_card(post, words, *resume, pinged=person.user_id if person else None)


def back_card(post: Post, times: Times | None) -> Card:
    """Say that the player to move is back early from a vacation, and when their time runs out. No one is pinged.

    The card before it still names the day on which the vacation was to end.
    """
    game = post.game
    player = "" if game.seat_to_act is None else seat_names(game)[game.seat_to_act]
    lines = [t("card.back", name=game.name, code=game.code, player=player), clock_words(times, game)]
    return words_card(post, "\n".join(filter(None, lines)))


def gift_card(post: Post, gift: Gift | None, times: Times | None) -> Card:
    """Tell a gift of time, and the new deadline if the recipient is to move. No one is pinged.

    Like every message about time, it also says how much time an outage has given back.
    """
    game = post.game
    lines = [f"-# {game.name} · {game.code}"]
    if gift is not None:
        names = seat_names(game)
        giver = game.seat_of(gift.user_id)
        values = {"giver": "" if giver is None else names[giver], "player": names[gift.seat]}
        amount = span_words(timedelta(milliseconds=gift.amount))
        lines = [t("gift.told", name=game.name, code=game.code, amount=amount, **values)]
        if game.seat_to_act == gift.seat:
            lines.append(clock_words(times, game))
        elif times is not None:
            lines += lost_words(times)
    return words_card(post, "\n".join(filter(None, lines)))


def clock_buttons(game: Game, user_id: int) -> list[Press]:
    """Return a player's buttons about time in a game with clocks: give time to others, ask for a pause."""
    if not (offered_extensions(game) and game.plays(user_id)):
        return []
    labels = {Op.GIVE: t("button.give"), Op.PAUSE: t("button.pause")}
    return [button(op, game.code, game.revision, label) for op, label in labels.items()]


def span_words(span: timedelta) -> str:
    """Return a span in whole hours, or in minutes where it is no whole number of hours."""
    minutes = round(span / timedelta(minutes=1))
    return t("gift.minutes", count=minutes) if minutes % 60 else t("gift.hours", count=minutes // 60)
