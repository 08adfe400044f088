"""The announcement of an event, edited as the event changes: what to know before joining, who is there, the buttons.

A message about an event (:class:`Told`) is made of the post and whom it names.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Op
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import listed, t
from cogs.texts.languages import speaking
from cogs.words.events import entries_words, plan_words
from cogs.words.names import safe
from cogs.words.table_options import options_words
from host.retry import retry_forever

if TYPE_CHECKING:
    from datetime import datetime

    from cogs.presenting.presenter import Presenter
    from cogs.services.bot import BotServices
    from host.events.views import EventPost, EventView, RankView, RoundView

log = logging.getLogger(__name__)


Presenters = Mapping[str, "Presenter[Any]"]

GATHERING: Final = frozenset({"open", "check_in"})
"""States in which one may join."""
GOING: Final = frozenset({"running", "paused"})
OVER: Final = frozenset({"finished", "closed"})
JOIN, LEAVE, LEAVING, CHECK_IN = "join", "leave", "leaving", "in"
STANDINGS, GAMES, RULES, SHOW = "standings", "games", "rules", "show"
ORGANISE, OPEN_ROUND, LINE_UP = "organise", "open", "lineup"
"""What a button of an event does: the first word of its argument."""


def announcement(view: EventView, presenters: Presenters, nonce: str = "") -> ui.LayoutView:
    """The card; ``nonce`` is by what it is known when it is posted."""
    return layout(ui.TextDisplay(announcement_words(view, presenters)), rows(list(_buttons(view, nonce))))


def announcement_words(view: EventView, presenters: Presenters) -> str:
    """All that the card says."""
    parameters, plan = view.plan.parameters, view.plan
    head = t("event.card.title", name=safe(view.name), code=view.code, state=t(f"event.state.{view.state}"))
    game = t("event.card.game", game=t(f"rulebook.game.{parameters.game}"))
    presenter = presenters[parameters.game]
    rules = options_words(presenter, plan.expansions, plan.options, parameters.game)
    role = [f"<@&{view.plan.organiser_role}>"] if view.plan.organiser_role else []
    organisers = listed([*(f"<@{person.user_id}>" for person in view.organisers), *role]) or t("event.nobody")
    told = [
        head,
        game,
        rules,
        *plan_words(view, presenter),
        *_dates(view),
        t("event.card.organisers", names=organisers),
    ]
    return "\n".join([*told, "", entries_words(view)])


def _dates(view: EventView) -> Iterator[str]:
    plan = view.plan
    if view.started_at is not None:
        yield t("event.card.started", at=_at(view.started_at))
        return
    if plan.starts_at is not None:
        yield t("event.card.starts", at=_at(plan.starts_at))
    if view.check_in_at is not None:
        yield t("event.card.check_in", at=_at(view.check_in_at))
    if not view.stages:
        yield t("event.card.needs", count=view.least)


def _at(moment: datetime) -> int:
    return int(moment.timestamp())


def _buttons(view: EventView, nonce: str) -> Iterator[Press]:
    state = str(view.state)
    gathers = state in GATHERING
    late = state == "running" and view.plan.parameters.late != "closed"
    if gathers or late:
        yield event_button(view, JOIN, t("button.join"), style=ButtonStyle.primary)
    if state == "check_in":
        yield event_button(view, CHECK_IN, t("event.button.check_in"), style=ButtonStyle.success)
    if state in GOING | OVER and view.event is not None:
        yield event_button(view, STANDINGS, t("event.button.standings"))
        yield event_button(view, GAMES, t("event.button.games"))
    if gathers or state in GOING:
        yield event_button(view, LEAVE, t("button.leave"))
    yield event_button(view, RULES, t("event.button.rules"), mark=nonce)
    if state not in OVER:
        yield event_button(view, ORGANISE, t("event.button.organise"))


def event_button(
    view: EventView, deed: str, label: str, *, style: ButtonStyle = ButtonStyle.secondary, mark: str = ""
) -> Press:
    """A button whose answer one person sees; ``mark`` is by what its message is known."""
    return button(Op.EVENT, view.code, 0, label, argument=f"{deed} {mark}".strip(), style=style)


def show_beside(client: BotServices, code: str) -> None:
    """Show an event on its card beside everything else: nobody waits for it, and it waits for the database."""
    client.run_in_background(retry_forever(partial(show_event, client, code)), name=f"show {code}")


async def show_event(client: BotServices, code: str) -> None:
    """Show an event on its card as it is now: of several who join at once, the last one to redraw sees all of them."""
    async with client.event_edits.setdefault(code, asyncio.Lock()):
        view = await client.host.events.reader.view(code)
        if view.message_id is None:
            return
        channel = client.get_partial_messageable(view.channel_id, guild_id=view.guild_id)
        settings = await client.host.servers.usual_settings(view.guild_id, language=view.plan.language)
        with speaking(settings.language):
            card = announcement(view, client.presenters)
        try:
            await channel.get_partial_message(view.message_id).edit(view=card)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the next change is another chance
            log.warning("the card of an event could not be redrawn: %s", error, extra={"event": code})


@dataclass(frozen=True, slots=True)
class Told:
    """What a message may need: the event, and where there are any the round and the standings."""

    post: EventPost
    presenters: Presenters
    found: RoundView | None = None
    standings: Sequence[RankView] = ()
    named: Sequence[int] = ()
    """Organisers to whom nobody may write directly, or whoever had quiet hours."""
    called: Sequence[int] = ()
    """Those of them who have no quiet hours now."""
    of: int | None = None
    """The message to which it leads, where it calls those who had quiet hours then."""

    @property
    def view(self) -> EventView:
        """The event."""
        return self.post.event
