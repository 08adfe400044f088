"""The commands of organisers of events: ``/tourney create``, ``/tourney manage …``, and a private panel with forms.

Each thing that an organiser can do is an *action*: a function that checks the typed values, changes the event, and
returns a notice for the panel. :data:`ORGANISER_ACTIONS` lists the actions by name, so that a button, a form and a
command can run the same one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.commands.slash import command
from cogs.commands.tourneys import exchanging
from cogs.commands.tourneys.entrants import complete_entrant, typed_entrant
from cogs.interactions.admission import admitted_event, asker_of, person_of
from cogs.interactions.context import language_of_new_table
from cogs.interactions.replies import acknowledge, suggesting
from cogs.interactions.selection import find_event
from cogs.interactions.threads import parent_channel_id, require_table_permissions
from cogs.messages import chosen_values, typed_values
from cogs.panels.events import private
from cogs.panels.events.exchanging import exchanged_words
from cogs.panels.events.posts import OPEN_ROUND, ORGANISE, refresh_card_in_background
from cogs.presenting.ids import Key
from cogs.services.bot import Ack, Interaction
from cogs.texts import t
from cogs.texts.languages import matches_typed
from cogs.words import event_plans
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from host import HostError, Person
from host.events import EventView
from tournaments.points import Outcome

FormValues = Mapping[str, str]
"""The values typed into a form or command, by field name."""
OrganiserAction = Callable[[Interaction, EventView, FormValues], Awaitable[str]]
"""A function that runs an organiser's action and returns the notice to show on the panel."""


async def set_value(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Change one setting of the plan."""
    name = event_plans.setting_named(typed["what"])
    value = event_plans.value_named(view.plan, name, typed["value"])
    plan = event_plans.with_value(view.plan, name, value)
    await interaction.client.host.events.plans.set_plan(view.code, asker_of(interaction), plan, interaction.id)
    return "\n".join([t("event.panel.done"), event_plans.setting_line(plan, name)])


async def change_details(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Change the settings that are typed: name, start, previous season, prizes."""
    plan, events, asker = view.plan, interaction.client.host.events, asker_of(interaction)
    for name in event_plans.FREE_TEXT_SETTINGS:
        plan = event_plans.with_value(plan, name, typed.get(name, ""))
    await events.plans.set_plan(view.code, asker, plan, interaction.id)  # before the name: it may be refused
    if typed.get("name", "").strip():
        await events.plans.rename(view.code, asker, typed["name"])
    return t("event.panel.done")


async def announce(interaction: Interaction, view: EventView, _: FormValues) -> str:
    """Open sign-up."""
    await interaction.client.host.events.plans.announce(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.announced", name=safe(view.name), code=view.code)


async def begin_check_in(interaction: Interaction, view: EventView, _: FormValues) -> str:
    """Open check-in: ask all entered players to confirm that they are present."""
    await interaction.client.host.events.starts.begin_check_in(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.done")


async def start(interaction: Interaction, view: EventView, _: FormValues) -> str:
    """Start the event."""
    await interaction.client.host.events.starts.start(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.opened")


async def open_round(interaction: Interaction, view: EventView, _: FormValues) -> str:
    """Open the next round, if the event waits for an organiser to do so."""
    await interaction.client.host.events.organising.open_round(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.opened")


async def extend(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Move the deadline of the newest round."""
    events = interaction.client.host.events
    round_view = await events.reader.round(view.code)
    newest = round_view.stage, round_view.number
    await events.deadlines.extend(
        view.code,
        asker_of(interaction),
        newest,
        _parse_number(typed.get("days", "")),
        typed.get("reason", ""),
        interaction.id,
    )
    return t("event.panel.done")


async def pause(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Pause the event for a number of days."""
    days = _parse_number(typed.get("days", ""))
    await interaction.client.host.events.deadlines.pause(view.code, asker_of(interaction), days, interaction.id)
    return t("event.panel.done")


async def resume(interaction: Interaction, view: EventView, _: FormValues) -> str:
    """Resume a paused event."""
    await interaction.client.host.events.deadlines.resume(view.code, asker_of(interaction), interaction.id)
    return t("event.panel.done")


async def redraw(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Draw the pairings of the newest round again."""
    reason = typed.get("reason", "")
    await interaction.client.host.events.organising.redraw(view.code, asker_of(interaction), reason, interaction.id)
    return t("event.panel.done")


async def close(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """End the event early."""
    reason = typed.get("reason", "")
    await interaction.client.host.events.organising.close(view.code, asker_of(interaction), reason, interaction.id)
    return t("event.panel.done")


async def correct(interaction: Interaction, view: EventView, typed: FormValues) -> str:
    """Correct a result: of a table of the newest round, or ``stage.round.table``."""
    events = interaction.client.host.events
    numbers = [_parse_number(word) for word in typed.get("table", "").replace(".", " ").split()]
    if len(numbers) == 1:
        newest = await events.reader.round(view.code)
        numbers = [newest.stage, newest.number, *numbers]
    words = typed.get("scores", "").replace(",", " ").split()
    if len(numbers) != 3 or not words:
        raise RefusedError("bad_scores")
    outcome = Outcome(tuple(_parse_score(word) for word in words))
    stage, number, table = numbers
    place = stage, number, table
    await events.organising.correct(view.code, asker_of(interaction), place, outcome, typed.get("reason", ""))
    return t("event.panel.done")


def _parse_number(word: str) -> int:
    """Read a number of at most five digits; 0 if it is malformed."""
    word = word.strip()
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0


def _parse_score(word: str) -> int:
    """Read a typed score of at most four digits, which may be negative."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 5):
        raise RefusedError("bad_scores")
    return int(word)


ORGANISER_ACTIONS: Final[Mapping[str, OrganiserAction]] = {
    private.DETAILS: change_details,
    private.ANNOUNCE: announce,
    private.BEGIN_CHECK_IN: begin_check_in,
    private.START: start,
    OPEN_ROUND: open_round,
    private.EXTEND: extend,
    private.PAUSE: pause,
    private.RESUME: resume,
    private.REDRAW: redraw,
    private.CLOSE: close,
    private.CORRECT: correct,
}
"""Organisers' actions by their name in buttons, forms and commands."""


@suggesting
async def complete_plan_setting(_interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest settings of a plan that match the typed text."""
    label = event_plans.setting_label
    return [(label(name), name) for name in event_plans.SETTING_NAMES if matches_typed(typed, partial(label, name))]


@suggesting
async def complete_value(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest values of the setting that is being changed."""
    name = event_plans.setting_named(getattr(interaction.namespace, "what", "") or "")
    try:
        plan = (await find_event(interaction, getattr(interaction.namespace, "event", "") or "")).plan
    except (HostError, RefusedError):
        return [(value, value) for value in event_plans.SETTING_VALUES.get(name, ()) if typed.casefold() in value]
    label = partial(event_plans.value_label, plan, name)
    values = event_plans.possible_values(plan, name)
    return [(label(value), value) for value in values if matches_typed(typed, partial(label, value))]


class ManageEvents(app_commands.Group, name="manage", description=t("command.tourney.manage")):
    """The ``/tourney manage …`` commands: everything that the panel offers."""

    @command("panel", "tourney.organise")
    async def panel(self, interaction: Interaction, event: str = "") -> None:
        """Open the private panel."""
        await _run_command(interaction, event, _no_action, {})

    @command("set", "tourney.set", what="tourney.set_what", value="tourney.set_value")
    @app_commands.autocomplete(what=complete_plan_setting, value=complete_value)
    async def set(self, interaction: Interaction, what: str, value: str, event: str = "") -> None:
        """Choose a value of the plan."""
        await _run_command(interaction, event, set_value, {"what": what, "value": value})

    @command("do", "tourney.do", what="tourney.do_what", reason="tourney.reason", days="tourney.days")
    @app_commands.choices(
        what=[
            app_commands.Choice(name=t(f"event.deed.{name}"), value=name)
            for name in sorted(
                {*ORGANISER_ACTIONS} - {private.CORRECT, private.DETAILS}
            )  # they need more than a reason
        ]
    )
    async def do(
        self,
        interaction: Interaction,
        what: str,
        reason: str = "",
        days: app_commands.Range[int, 1, 14] = 7,
        event: str = "",
    ) -> None:
        """Run an organiser's action by its name, for example announce or start the event, or open a round."""
        await _run_command(interaction, event, ORGANISER_ACTIONS[what], {"reason": reason, "days": str(days)})

    @command("correct", "tourney.correct", table="tourney.table", scores="tourney.scores", reason="tourney.reason")
    async def correct(self, interaction: Interaction, table: str, scores: str, reason: str, event: str = "") -> None:
        """Correct the result of a game that is over."""
        values = {"table": table, "scores": scores, "reason": reason}
        await _run_command(interaction, event, correct, values)

    @command("disqualify", "tourney.disqualify", player="tourney.player", reason="tourney.reason")
    @app_commands.autocomplete(player=complete_entrant)
    async def disqualify(self, interaction: Interaction, player: str, reason: str, event: str = "") -> None:
        """Disqualify a player from the event."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            events, asker = interaction.client.host.events, asker_of(interaction)
            await events.organising.disqualify(view.code, asker, typed_entrant(view, player), reason, interaction.id)
            return t("event.panel.done")

        await _run_command(interaction, event, action, {})

    @command(
        "exchange", "tourney.exchange", player="tourney.player", other="tourney.exchange_other", reason="tourney.reason"
    )
    @app_commands.autocomplete(player=complete_entrant, other=complete_entrant)
    async def exchange(self, interaction: Interaction, player: str, other: str, reason: str, event: str = "") -> None:
        """Let two players change places in the round that waits to be opened."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            organising, asker = interaction.client.host.events.organising, asker_of(interaction)
            pair = typed_entrant(view, player), typed_entrant(view, other)
            return exchanged_words(await organising.exchange(view.code, asker, pair, reason, interaction.id))

        await _run_command(interaction, event, action, {})

    @command(
        "penalty", "tourney.penalty", player="tourney.player", points="tourney.penalty_points", reason="tourney.reason"
    )
    @app_commands.autocomplete(player=complete_entrant)
    async def penalty(
        self,
        interaction: Interaction,
        player: str,
        points: app_commands.Range[float, 0.5, 100.0],
        reason: str,
        event: str = "",
    ) -> None:
        """Take points from a player in the present stage."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            organising, asker = interaction.client.host.events.organising, asker_of(interaction)
            punished = typed_entrant(view, player)
            await organising.penalise(view.code, asker, punished, str(points), reason, interaction.id)
            return t("event.panel.done")

        await _run_command(interaction, event, action, {})

    @command("warn", "tourney.warn", player="tourney.player", reason="tourney.reason")
    @app_commands.autocomplete(player=complete_entrant)
    async def warn(self, interaction: Interaction, player: str, reason: str, event: str = "") -> None:
        """Warn a player, which everybody can read."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            organising, asker = interaction.client.host.events.organising, asker_of(interaction)
            await organising.warn(view.code, asker, typed_entrant(view, player), reason, interaction.id)
            return t("event.panel.done")

        await _run_command(interaction, event, action, {})

    @command("replace", "tourney.replace", player="tourney.player", substitute="tourney.substitute")
    async def replace(
        self, interaction: Interaction, player: discord.User, substitute: discord.Member, event: str = ""
    ) -> None:
        """Replace a player by a substitute who continues their games."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            if substitute.bot:
                raise RefusedError("no_bots")
            person = Person(substitute.id, substitute.display_name)
            events, asker = interaction.client.host.events, asker_of(interaction)
            await events.organising.replace(view.code, asker, player.id, person, substitute.guild.id, interaction.id)
            return t("event.panel.done")

        await _run_command(interaction, event, action, {})

    @command(
        "organiser",
        "tourney.organiser",
        member="tourney.member",
        role="tourney.organiser_role",
        remove="tourney.remove",
    )
    async def organiser(
        self,
        interaction: Interaction,
        member: discord.Member | None = None,
        role: discord.Role | None = None,
        event: str = "",
        *,
        remove: bool = False,
    ) -> None:
        """Add or remove an organiser, or set the role whose members organise."""

        async def action(interaction: Interaction, view: EventView, _: FormValues) -> str:
            events, asker = interaction.client.host.events, asker_of(interaction)
            if role is not None:
                await events.plans.set_organiser_role(view.code, asker, None if remove else role.id)
            if member is not None and remove:
                await events.plans.remove_organiser(view.code, asker, member.id)
            elif member is not None:
                await events.plans.add_organiser(view.code, asker, Person(member.id, member.display_name))
            return t("event.panel.done") if role or member else ""

        await _run_command(interaction, event, action, {})

    @command("reports", "tourney.reports")
    async def reports(self, interaction: Interaction, event: str = "") -> None:
        """Show players' reports to the organisers."""
        await show_reports(interaction, await find_event(interaction, event))


class CreatingCommands(commands.Cog):
    """``/tourney create``."""

    @command("create", "tourney.create", ack=None, name="tourney.create_name", profile="tourney.create_profile")
    @app_commands.choices(
        profile=[
            app_commands.Choice(name=t(f"event.value_name.{name}"), value=name)
            for name in event_plans.SETTING_VALUES[event_plans.PROFILE]
        ]
    )
    async def create(
        self, interaction: Interaction, name: app_commands.Range[str, 1, 80], profile: str = "multiplayer-cup"
    ) -> None:
        """Create an event as a draft that only its organisers see."""
        require_table_permissions(interaction)
        if not await acknowledge(interaction, Ack.PANEL):
            return
        host, asker, channel_id = interaction.client.host, asker_of(interaction), parent_channel_id(interaction)
        language = language_of_new_table(interaction, await host.servers.usual_settings(asker.guild_id))
        view = await host.events.plans.create(
            name, profile, person_of(interaction), asker, channel_id, interaction.id, language=language
        )
        await interaction.edit_original_response(view=private.home_page(view))


async def _run_command(interaction: Interaction, code: str, action: OrganiserAction, values: FormValues) -> None:
    """Run a typed command and show the panel with its outcome."""
    await _run_action(interaction, await find_event(interaction, code), action, values)


async def _run_action(interaction: Interaction, view: EventView, action: OrganiserAction, values: FormValues) -> None:
    """Run an organiser's action, then show the panel with its notice and update the event's card."""
    await _require_organiser(interaction, view)
    notice = await action(interaction, view, values)
    after = await interaction.client.host.events.reader.view(view.code)
    await interaction.edit_original_response(view=private.home_page(after, notice), attachments=[])
    refresh_card_in_background(interaction.client, view.code)
    interaction.client.publisher.wake()


async def _require_organiser(interaction: Interaction, view: EventView) -> None:
    """Refuse users who do not organise the event."""
    await interaction.client.host.events.reader.check_organiser(view, asker_of(interaction))


async def _no_action(_interaction: Interaction, _view: EventView, _values: FormValues) -> str:
    """Do nothing, so that the panel is only shown."""
    return ""


async def show_reports(interaction: Interaction, view: EventView) -> None:
    """Show players' reports to an organiser."""
    reports = await interaction.client.host.events.reports.read(view.code, asker_of(interaction))
    await interaction.edit_original_response(
        view=private.text_panel(private.reports_words(view, reports)), attachments=[]
    )


# -- buttons ----------------------------------------------------------------------------------------------------------


async def press_organise(interaction: Interaction, view: EventView, _: str) -> None:
    """Open the organisers' panel."""
    await _run_action(interaction, view, _no_action, {})


async def press_open(interaction: Interaction, view: EventView, _: str) -> None:
    """Open the round that waits."""
    await _run_action(interaction, view, ORGANISER_ACTIONS[OPEN_ROUND], {})


async def press_plan(interaction: Interaction, view: EventView, words: str) -> None:
    """Show a page of the plan; first store the new value if the button carries one, or was chosen from a list."""
    await _require_organiser(interaction, view)
    page, _, change = words.partition(" ")
    if page not in event_plans.SETTING_PAGES:
        raise RefusedError("unknown_button")
    if change:
        setting, _, value = change.partition(" ")
        if setting not in event_plans.SETTING_PAGES[page] or setting in event_plans.FREE_TEXT_SETTINGS:
            raise RefusedError("unknown_button")
        if not value:
            value = " ".join(chosen_values(interaction)) or event_plans.BASE_GAME_ONLY
        await set_value(interaction, view, {"what": setting, "value": value})
        view = await interaction.client.host.events.reader.view(view.code)
        refresh_card_in_background(interaction.client, view.code)
    await interaction.edit_original_response(view=private.plan_page(view, page))


async def press_action(interaction: Interaction, view: EventView, name: str) -> None:
    """Run the action of a button that needs no form."""
    if name == private.REPORTS:
        await show_reports(interaction, view)
        return
    if name not in ORGANISER_ACTIONS or name in private.FORMS:
        raise RefusedError("unknown_button")
    await _run_action(interaction, view, ORGANISER_ACTIONS[name], {})


async def press_form(interaction: Interaction, key: Key) -> None:
    """Open the form of an action."""
    view = await admitted_event(interaction, key.ref)
    await _require_organiser(interaction, view)
    name, _, words = key.argument.partition(" ")
    if name == private.EXCHANGE:
        await exchanging.open_form(interaction, view, words)
        return
    if key.argument not in private.FORMS:
        raise RefusedError("unknown_button")
    await interaction.response.send_modal(private.event_form(view, key.argument))


async def submit_form(interaction: Interaction, key: Key) -> None:
    """Run the action of a submitted form."""
    view = await admitted_event(interaction, key.ref)
    name, _, words = key.argument.partition(" ")
    if name == private.EXCHANGE:
        await exchanging.submit(interaction, view, words)
        return
    if key.argument not in ORGANISER_ACTIONS:
        raise RefusedError("unknown_button")
    await _run_action(interaction, view, ORGANISER_ACTIONS[key.argument], typed_values(interaction.data or {}))


CARD_HANDLERS: Final = {OPEN_ROUND: press_open, ORGANISE: press_organise}
"""Handlers of organisers' buttons on public cards, by the first word of the argument."""
PANEL_HANDLERS: Final[Mapping[str, Callable[[Interaction, EventView, str], Awaitable[None]]]] = {
    private.HOME: press_organise,
    private.PLAN: press_plan,
    private.DO: press_action,
}
"""Handlers of the panel's buttons, by the first word of the argument."""
