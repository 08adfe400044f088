"""Messages that stand beside the cards of a game and leave them as they are: reminders, gifts, pauses, returns."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from cogs.interactions.press import button
from cogs.panels.calls import call_card
from cogs.panels.cards import Card, clock_words, lost_words, words_card
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.words.names import seat_names
from host import NO_PACE, GameStatus, PostKind, usual_gifts

if TYPE_CHECKING:
    from cogs.interactions.press import Press
    from host import Game, Gift, Host, Post, Times


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
