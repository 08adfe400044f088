"""Messages beside the cards of a game, which they leave unchanged: reminders, notices, gifts, pauses, returns."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from discord import ButtonStyle, ui

from cogs.interactions.replies import button
from cogs.messages import layout, rows
from cogs.panels.cards import Card, clock_words, lost_words, notice_card, words_card
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.words.names import link, seat_names
from host import NO_PACE, GameStatus, PostKind, usual_gifts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cogs.interactions.replies import Press
    from host import Game, Gift, Host, NewsItem, Post, Times


async def call_card(host: Host, post: Post) -> Card:
    """The message for one of these posts, about a game as it stands now."""
    game = post.game
    if post.kind in (PostKind.REMINDER, PostKind.NEWS):
        return await _to_one(host, post)
    if post.kind is PostKind.CLOSING:
        return closing_card(post, await host.idle.closes_at(game))
    if post.kind is PostKind.UNREACHED:
        return unreached_card(post)
    if post.kind is PostKind.VANISHED:
        return vanished_card(post, await host.presence.closes_at(game))
    if post.kind is PostKind.CLOSED and await host.organisers.event_of(game) is not None:
        return words_card(post, t("card.closed_anew", name=game.name, code=game.code))
    return notice_card(post)


async def _to_one(host: Host, post: Post) -> Card:
    """The message that calls one person: to a turn, or to what was told in quiet hours."""
    game = post.game
    if post.kind is PostKind.NEWS:
        user_id, items = await host.news.told_by(post)
        return news_card(post, user_id, items, await host.news.waiting_for(game, user_id))
    urgent = news_lines(game, await host.news.urgent(game))
    return reminder_card(post, await host.times.of(game), await host.calls.others_waiting(game), urgent)


def news_card(post: Post, user_id: int, items: Sequence[NewsItem], others: int) -> Card:
    """What somebody was not called to in his quiet hours and still holds; nobody is pinged where nothing does."""
    game = post.game
    if not items:
        return words_card(post, t("card.reminder_late", name=game.name, code=game.code))
    lines = [t("news.title", player=f"<@{user_id}>", name=game.name, code=game.code), *news_lines(game, items)]
    lines += [t("card.reminder_others", count=others)] if others else []
    return words_card(post, "\n".join(lines), players=[user_id])


def news_lines(game: Game, items: Sequence[NewsItem]) -> list[str]:
    """Each of these with the way to it."""
    return [t(f"news.{item.matter}", link=link(game.guild_id, item.channel_id, item.message_id)) for item in items]


def reminder_card(post: Post, times: Times | None, others: int = 0, urgent: Sequence[str] = ()) -> Card:
    """A new message for who is asked, since edits ping nobody; one that nobody needs any more pings nobody either.

    ``others`` is how many more games wait for him: they are not named to those who read it here. ``urgent`` is what
    else there is for him to do in this one.
    """
    game = post.game
    person = game.person_to_act if game.revision == post.revision else None
    if person is None:
        return words_card(post, t("card.reminder_late", name=game.name, code=game.code))
    lines = [t("card.reminder", player=f"<@{person.user_id}>", name=game.name, code=game.code)]
    lines += [*urgent, *([t("card.reminder_others", count=others)] if others else [])]
    words = "\n".join(filter(None, [*lines, clock_words(times, game)]))
    buttons = [
        button(Op.PLAY, game.code, post.revision, t("button.play"), style=ButtonStyle.primary),
        button(Op.LATER, game.code, post.revision, t("button.later")),
        button(Op.HUSH, game.code, post.revision, t("button.hush")),
    ]
    return words_card(post, words, *buttons, pinged=person.user_id)


def unreached_card(post: Post) -> Card:
    """Tells who is asked that he is called here from now on."""
    game = post.game
    person = game.person_to_act if game.revision == post.revision else None
    player = f"<@{person.user_id}>" if person else t("card.unreached_somebody")
    return words_card(post, t("card.unreached", player=player), pinged=person.user_id if person else None)


def vanished_card(post: Post, closes_at: datetime | None) -> Card:
    """That all who play have left, and when the table is closed; whoever comes back reads it, nobody is pinged."""
    game = post.game
    about = {"name": game.name, "code": game.code}
    words = t("card.vanished_closed", **about)
    if game.status is not GameStatus.FINISHED:
        at = 0 if closes_at is None else int(closes_at.timestamp())
        words = t("card.vanished", at=at, **about) if closes_at else t("card.kept", **about)
    return words_card(post, words)


def later_panel(game: Game) -> ui.LayoutView:
    """Asks, privately, in how many hours somebody is reminded again."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("calls.later", name=game.name, code=game.code))
    hours = [
        button(Op.LATER, game.code, game.revision, t("button.in_hours", count=count), argument=str(count))
        for count in (1, 3, 8, 24)
    ]
    return layout(text, rows(hours))


def closing_card(post: Post, closes_at: datetime | None) -> Card:
    """Tells everybody when a table will be closed; nobody where somebody has answered that already."""
    game = post.game
    about = {"name": game.name, "code": game.code}
    if closes_at is None:
        return words_card(post, t("card.kept", **about))
    players = [person.user_id for person in game.players]
    called = " ".join(f"<@{user}>" for user in players)
    words = t("card.closing", players=called, at=int(closes_at.timestamp()), **about)
    keep = button(Op.KEEP, game.code, post.revision, t("button.keep"), style=ButtonStyle.primary)
    return words_card(post, words, keep, players=players)


async def beside_card(host: Host, post: Post) -> Card:
    """The message of a post about a game as it stands now."""
    if post.kind is PostKind.GIVEN:
        return gift_card(post, await host.gifts.told_by(post), await host.times.of(post.game))
    if post.kind in (PostKind.PAUSED, PostKind.RESUMED):
        return pause_card(post, await host.times.of(post.game))
    if post.kind is PostKind.BACK:
        return back_card(post, await host.times.of(post.game))
    plain = {PostKind.OPENING: opening_card, PostKind.SHUT: shut_card, PostKind.ENDS: end_card}
    return plain[post.kind](post) if post.kind in plain else await call_card(host, post)


def opening_card(post: Post) -> Card:
    """Tells who play a game of an event; its thread is below."""
    game = post.game
    players = [person.user_id for person in game.players]
    called = " ".join(f"<@{user}>" for user in players)
    words = t("event.opening", name=game.name, code=game.code, players=called)
    return words_card(post, words, players=players)


def shut_card(post: Post) -> Card:
    """That a game's place is closed to the bot, told to all who play where it can be."""
    game = post.game
    players = [person.user_id for person in game.players]
    values = {"players": " ".join(f"<@{user}>" for user in players), "place": f"<#{game.place}>"}
    key = "card.shut_plain" if game.settings.pace == NO_PACE else "card.shut"
    return words_card(post, t(key, name=game.name, code=game.code, **values), players=players)


def end_card(post: Post) -> Card:
    """Tells everybody who plays when the game ends, whatever is left to be played; nobody is called when it is over."""
    game = post.game
    players = [] if game.status is GameStatus.FINISHED else [person.user_id for person in game.players]
    called = " ".join(f"<@{user}>" for user in players) or t("card.ends_nobody")
    key, at = ("card.ends", int(game.ends_at.timestamp())) if game.ends_at else ("card.ends_never", 0)
    words = t(key, players=called, name=game.name, code=game.code, at=at)
    return words_card(post, words, players=players)


def pause_card(post: Post, times: Times | None) -> Card:
    """That the clocks stand still, or go on; who is asked is called when they do."""
    game = post.game
    person = game.person_to_act if post.kind is PostKind.RESUMED else None
    player = f"<@{person.user_id}>" if person else ""
    lines = [t(f"card.{post.kind}", name=game.name, code=game.code), player, clock_words(times, game)]
    resume = [button(Op.RESUME, game.code, post.revision, t("button.resume"))] if post.kind is PostKind.PAUSED else []
    words = "\n".join(filter(None, lines))
    return words_card(post, words, *resume, pinged=person.user_id if person else None)


def back_card(post: Post, times: Times | None) -> Card:
    """Tell that the player for whom the game waits is back early, and when their time runs out. Nobody is pinged.

    The card before it still says until when the vacation was to last.
    """
    game = post.game
    player = "" if game.seat_to_act is None else seat_names(game)[game.seat_to_act]
    lines = [t("card.back", name=game.name, code=game.code, player=player), clock_words(times, game)]
    return words_card(post, "\n".join(filter(None, lines)))


def gift_card(post: Post, gift: Gift | None, times: Times | None) -> Card:
    """Who has given whom time, and, if it is that one who is asked, when it runs out now. Nobody is pinged.

    As any message that tells of time it says, too, what an outage has given back.
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
    """What whoever plays may do about time where there are clocks: give others some, ask for a pause."""
    if not (usual_gifts(game) and game.plays(user_id)):
        return []
    labels = {Op.GIVE: t("button.give"), Op.PAUSE: t("button.pause")}
    return [button(op, game.code, game.revision, label) for op, label in labels.items()]


def span_words(span: timedelta) -> str:
    """A span in hours, or in minutes where it is no whole number of those or little."""
    minutes = round(span / timedelta(minutes=1))
    return t("gift.minutes", count=minutes) if minutes % 60 else t("gift.hours", count=minutes // 60)
