"""Rounds of events among a server's scheduled events: from their drawing to their deadline, where the bot may.

Nothing of this is stored: a round is found again by its name and by the text, which has the code of the event.
"""

from __future__ import annotations

from typing import Final

from cogs.panels.events.posts import PostContext
from cogs.services.bot import BotServices
from cogs.services.scheduled_events import MAX_NAME, Schedule, add_event, move_end, own_events, own_member
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.events import round_title
from cogs.words.names import link
from cogs.words.story import clip
from host.events import EventPostKind

OVER: Final = frozenset({EventPostKind.RESULTS, EventPostKind.CLOSED})
"""The posts with which a round is over; an event that is closed ends all its rounds."""
KINDS: Final = frozenset({EventPostKind.ROUND, EventPostKind.EXTENDED, *OVER})
"""The posts with which a round begins, lasts longer, or is over."""
LEAST_PLAYERS: Final = 3
"""The least players of an event whose rounds concern the server; a match of two does not."""


async def schedule_round(client: BotServices, context: PostContext) -> None:
    """Create, prolong or delete the scheduled event of the round that a post is about."""
    view, round_view, kind = context.view, context.round_view, context.post.kind
    me = None if view.size < LEAST_PLAYERS else await own_member(client, view.guild_id)
    if me is None:
        return
    settings = await client.host.servers.usual_settings(view.guild_id, language=view.plan.language)
    with speaking(settings.language):
        text = t("appointment.round_text", code=view.code)
        title = "" if round_view is None else t("appointment.round", round=round_title(round_view), name=view.name)
    name = clip(title, MAX_NAME)
    found = [event for event in await own_events(me) if event.description == text and name in ("", event.name)]
    if kind in OVER:
        for event in found:
            await move_end(event, None)
    elif round_view is not None:
        start, end = client.host.events.deadlines.span_of(round_view)
        for event in found:
            await move_end(event, end)
        if kind is EventPostKind.ROUND and not found:
            await add_event(me, Schedule(name, text, link(view.guild_id, view.channel_id), start, end))
