"""Messages that call somebody to a game that waits: reminders, and that a table will be closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import ButtonStyle, ui

from cogs.interactions.press import button
from cogs.messages import layout, rows
from cogs.panels.cards import Card, clock_words, notice_card, words_card
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.words.names import link
from host import GameStatus, PostKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from host import Game, Host, NewsItem, Post, Times


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
