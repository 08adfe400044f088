"""What organisers do with an event, by name: pressed, typed into a form, or as a command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final

from cogs.interactions.admission import asker_of
from cogs.panels.events import planning
from cogs.panels.events.announcement import OPEN_ROUND
from cogs.texts import t
from cogs.words.event_plans import NAMES, chosen
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from tournaments.points import Outcome

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host.events import EventView

Typed = Mapping[str, str]
"""What was typed, by the name of its field."""
OrganisersDeed = Callable[["Interaction", "EventView", Typed], Awaitable[str]]
"""Does it, and says so."""


async def set_value(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Choose a value of the plan."""
    what = typed["what"]
    if what not in NAMES:
        raise RefusedError("bad_value", value=safe(what), values=", ".join(NAMES))
    plan = chosen(view.plan, what, typed["value"])
    await interaction.client.host.events.plans.set_plan(view.code, asker_of(interaction), plan, interaction.id)
    return t("event.panel.done")


async def details(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Choose what has to be typed: the name, the start, the order of tie-breaks, the season before."""
    plan, events, asker = view.plan, interaction.client.host.events, asker_of(interaction)
    for name in ("starts_at", "tie_breaks", "season_of"):
        plan = chosen(plan, name, typed.get(name, ""))
    await events.plans.set_plan(view.code, asker, plan, interaction.id)  # the first: it may be refused
    if typed.get("name", "").strip():
        await events.plans.rename(view.code, asker, typed["name"])
    return t("event.panel.done")


async def announce(interaction: Interaction, view: EventView, _: Typed) -> str:
    """Open sign-up."""
    await interaction.client.host.events.plans.announce(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.announced", name=safe(view.name), code=view.code)


async def begin_check_in(interaction: Interaction, view: EventView, _: Typed) -> str:
    """Ask all who have entered whether they are there."""
    await interaction.client.host.events.starts.begin_check_in(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.done")


async def start(interaction: Interaction, view: EventView, _: Typed) -> str:
    """Start the event."""
    await interaction.client.host.events.starts.start(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.opened")


async def open_round(interaction: Interaction, view: EventView, _: Typed) -> str:
    """Open the round that waits for an organiser."""
    await interaction.client.host.events.organising.open_round(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.opened")


async def extend(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Move the deadline of the newest round."""
    events = interaction.client.host.events
    found = await events.reader.round(view.code)
    at = found.stage, found.number
    await events.deadlines.extend(
        view.code, asker_of(interaction), at, _number(typed.get("days", "")), typed.get("reason", ""), interaction.id
    )
    return t("event.panel.done")


async def pause(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Let the event rest."""
    days = _number(typed.get("days", ""))
    await interaction.client.host.events.deadlines.pause(view.code, asker_of(interaction), days, interaction.id)
    return t("event.panel.done")


async def resume(interaction: Interaction, view: EventView, _: Typed) -> str:
    """Let it go on."""
    await interaction.client.host.events.deadlines.resume(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.done")


async def redraw(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Draw the newest round anew."""
    reason = typed.get("reason", "")
    await interaction.client.host.events.organising.redraw(view.code, asker_of(interaction), reason, interaction.id)
    return t("event.panel.done")


async def close(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Give the event up."""
    reason = typed.get("reason", "")
    await interaction.client.host.events.organising.close(view.code, asker_of(interaction), reason, interaction.id)
    return t("event.panel.done")


async def correct(interaction: Interaction, view: EventView, typed: Typed) -> str:
    """Correct a result: of a table of the newest round, or ``stage.round.table``."""
    events = interaction.client.host.events
    numbers = [_number(word) for word in typed.get("table", "").replace(".", " ").split()]
    if len(numbers) == 1:
        newest = await events.reader.round(view.code)
        numbers = [newest.stage, newest.number, *numbers]
    words = typed.get("scores", "").replace(",", " ").split()
    if len(numbers) != 3 or not words:
        raise RefusedError("bad_scores")
    outcome = Outcome(tuple(_score(word) for word in words))
    stage, number, table = numbers
    place = stage, number, table
    await events.organising.correct(view.code, asker_of(interaction), place, outcome, typed.get("reason", ""))
    return t("event.panel.done")


def _number(word: str) -> int:
    word = word.strip()
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0


def _score(word: str) -> int:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 5):
        raise RefusedError("bad_scores")
    return int(word)


DEEDS: Final[Mapping[str, OrganisersDeed]] = {
    planning.DETAILS: details,
    planning.ANNOUNCE: announce,
    planning.BEGIN_CHECK_IN: begin_check_in,
    planning.START: start,
    OPEN_ROUND: open_round,
    planning.EXTEND: extend,
    planning.PAUSE: pause,
    planning.RESUME: resume,
    planning.REDRAW: redraw,
    planning.CLOSE: close,
    planning.CORRECT: correct,
}
"""By the words of buttons, forms and commands."""
