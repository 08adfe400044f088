"""The card that announces an event: its terms, its entries and its buttons; edited as the event changes.

:class:`PostContext` holds the data for all other messages about an event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Op
from cogs.presenting.presenter import Presenter
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import listed, t
from cogs.texts.languages import speaking
from cogs.words.events import entries_words, plan_words
from cogs.words.names import safe
from cogs.words.table_options import options_words
from host.events.views import EventPost, EventView, RankView, RoundView
from host.retry import retry_forever

log = logging.getLogger(__name__)


Presenters = Mapping[str, "Presenter[Any]"]

SIGN_UP_STATES: Final = frozenset({"open", "check_in"})
"""States in which players may join."""
RUNNING_STATES: Final = frozenset({"running", "paused"})
FINISHED_STATES: Final = frozenset({"finished", "closed"})
JOIN, LEAVE, CONFIRM_LEAVE, CHECK_IN = "join", "leave", "leaving", "in"
STANDINGS, GAMES, RULES, SHOW = "standings", "games", "rules", "show"
ORGANISE, OPEN_ROUND, LINE_UP = "organise", "open", "lineup"
"""First words of the arguments of an event's buttons: the action to run."""


def announcement(view: EventView, presenters: Presenters, nonce: str = "") -> ui.LayoutView:
    """Return the card; ``nonce`` identifies its message when it is posted."""
    return layout(ui.TextDisplay(announcement_words(view, presenters)), rows(list(_buttons(view, nonce))))


def announcement_words(view: EventView, presenters: Presenters) -> str:
    """Return the text of the card."""
    parameters, plan = view.plan.parameters, view.plan
    head = t("event.card.title", name=safe(view.name), code=view.code, state=t(f"event.state.{view.state}"))
    game = t("event.card.game", game=t(f"rulebook.game.{parameters.game}"))
    presenter = presenters[parameters.game]
    rules = options_words(presenter, plan.expansions, plan.options, parameters.game)
    role = [f"<@&{view.plan.organiser_role}>"] if view.plan.organiser_role else []
    organisers = listed([*(f"<@{person.user_id}>" for person in view.organisers), *role]) or t("event.nobody")
    lines = [
        head,
        game,
        rules,
        *plan_words(view, presenter),
        *_dates(view),
        t("event.card.organisers", names=organisers),
    ]
    return "\n".join([*lines, "", entries_words(view)])


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
    sign_up_open = state in SIGN_UP_STATES
    late = state == "running" and view.plan.parameters.late != "closed"
    if sign_up_open or late:
        yield event_button(view, JOIN, t("button.join"), style=ButtonStyle.primary)
    if state == "check_in":
        yield event_button(view, CHECK_IN, t("event.button.check_in"), style=ButtonStyle.success)
    if state in RUNNING_STATES | FINISHED_STATES and view.event is not None:
        yield event_button(view, STANDINGS, t("event.button.standings"))
        yield event_button(view, GAMES, t("event.button.games"))
    if sign_up_open or state in RUNNING_STATES:
        yield event_button(view, LEAVE, t("button.leave"))
    yield event_button(view, RULES, t("event.button.rules"), mark=nonce)
    if state not in FINISHED_STATES:
        yield event_button(view, ORGANISE, t("event.button.organise"))


def event_button(
    view: EventView, action: str, label: str, *, style: ButtonStyle = ButtonStyle.secondary, mark: str = ""
) -> Press:
    """Return a button with a private answer; ``mark`` identifies its message."""
    return button(Op.EVENT, view.code, 0, label, argument=f"{action} {mark}".strip(), style=style)


def refresh_card_in_background(client: BotServices, code: str) -> None:
    """Refresh an event's card in the background; retry until the database answers."""
    client.run_in_background(retry_forever(partial(refresh_card, client, code)), name=f"show {code}")


async def refresh_card(client: BotServices, code: str) -> None:
    """Redraw an event's card; a lock for each event keeps an older state from replacing a newer one."""
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
class PostContext:
    """The data for a message about an event: its post and, if there are any, the round and the standings."""

    post: EventPost
    presenters: Presenters
    found: RoundView | None = None
    standings: Sequence[RankView] = ()
    named: Sequence[int] = ()
    """Users named in the text: organisers without a direct message, or users who missed a post in quiet hours."""
    pinged: Sequence[int] = ()
    """The named users to ping: those without quiet hours now."""
    of: int | None = None
    """The message to link to, for users who missed it in quiet hours."""

    @property
    def view(self) -> EventView:
        """The event."""
        return self.post.event
