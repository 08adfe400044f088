"""Which card a post is: made anew whenever it is to be sent, from what is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.interactions.admission import NOTICES
from cogs.messages import Detail
from cogs.panels.cards import Card, bare_card, final_card, no_move, notice_card, question_card, turn_card
from cogs.panels.side_messages import beside_card
from cogs.texts import t
from cogs.words.asking import seen_by
from host import PostKind
from host.notifications import KEEPING_CARD, POSTS, Obsolete

if TYPE_CHECKING:
    from cogs.services.render_pool import RenderPool
    from host import Host, Post

FIRST_BEAT_SECONDS: Final = 5.0
"""Seconds until what waits for the first heartbeat is tried again."""


class PostCards:
    """Makes the cards of posts."""

    def __init__(self, host: Host, render_pool: RenderPool) -> None:
        self._host = host
        self._atelier = render_pool

    async def of(self, post: Post, detail: Detail, reference: str) -> Card:
        """The card, whole or as plain as ``detail`` says; ``reference`` is what a plainer one names."""
        if detail is Detail.FULL:
            return await self._whole(post)
        if detail is Detail.WORDS or post.kind in NOTICES:
            return await self._whole(post, t("card.no_pictures", reference=reference))
        game = await self._host.games.get(post.game_id)
        return bare_card(replace(post, game=game), reference, current=game.revision == post.revision)

    async def _whole(self, post: Post, missing: str = "") -> Card:
        if post.kind in (PostKind.FROZEN, PostKind.HELD, PostKind.THAWED):
            return notice_card(post)
        if post.kind is PostKind.ASKED:
            request = await self._host.votes.asked_by(post)
            seen = await seen_by(self._host, PRESENTERS, request) if request else ()
            return question_card(post, request, seen)
        if post.kind in KEEPING_CARD:
            return await beside_card(self._host, replace(post, game=await self._host.games.get(post.game_id)))
        moment = await self._host.games.moment_of(post)
        presenter = presenter_of(moment.after)
        match post.kind:
            case PostKind.WENT_BACK:
                return notice_card(post, turn=moment.after.turn)
            case PostKind.FINAL:
                whole = await self._host.games.moment(post.game_id, 0, post.ply)
                put_away = await self._host.timers.put_away_at(post.game)
                return await final_card(self._atelier, presenter, moment, whole, missing=missing, put_away=put_away)
            case PostKind.START | PostKind.CARD | PostKind.UNDONE | PostKind.REPLACED | PostKind.REOPENED:
                newest = moment.game.revision == post.revision
                times = await self._host.times.of(moment.game, moment.around) if newest else None
                instead = no_move(post.kind, moment, await self._host.seats.substitution_of(post))
                return await turn_card(
                    self._atelier,
                    presenter,
                    moment,
                    current=newest,
                    missing=missing,
                    instead=instead,
                    marker=post.nonce if post.kind is PostKind.REOPENED else "",
                    times=times,
                )
            case _:
                raise ValueError(f"no card of a move: {post.kind}")


async def comes_too_early(host: Host, post: Post) -> bool:
    """Whether a message that tells how much time there is waits: what a stop has cost is not given back yet."""
    if not POSTS[post.kind].tells_time or host.pulse.beats:
        return False
    await host.outbox.failed(post.id, retry_after=FIRST_BEAT_SECONDS)
    return True


async def comes_too_late(host: Host, post: Post) -> bool:
    """Drop a message that has become obsolete, as the policy of its kind says; return whether it was."""
    match POSTS[post.kind].obsolete:
        case Obsolete.NOT_AWAITED:
            return await host.calls.drop_late(post)
        case Obsolete.NOTHING_HOLDS:
            return await host.news.drop_late(post)
        case Obsolete.PLACE_CHANGED:
            return await host.places.drop_late(post)
        case Obsolete.NEVER | Obsolete.NOBODY_NAMED:
            return False
        case never:
            assert_never(never)
