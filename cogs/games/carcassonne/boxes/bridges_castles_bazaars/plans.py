"""Sealed plans for a bazaar, an auction of tiles.

A player files a sealed plan before the auction reaches them. Nobody else can see it, and it bids for the player when
their turn comes. A plan is chosen in a panel, typed into a form, or given with ``/carc plan``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from discord import SelectOption, app_commands, ui

from cogs.games.carcassonne.box import AboutGame, BoxCommand
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plan_drafts import (
    DRAFT,
    MAX_POINTS,
    SEAL,
    TYPE_PLAN,
    Draft,
    draft_panel,
)
from cogs.interactions.context import forget_snapshot, table_of
from cogs.interactions.replies import answer
from cogs.interactions.selection import find_game
from cogs.messages import add_line, chosen_in, form, notice, typed_values
from cogs.panels.card_messages import kept_pictures
from cogs.panels.deciding import done_text, is_silent
from cogs.presenting.ids import Key, Op, OwnOp, register_operation
from cogs.presenting.presenter import PlanPanel
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import listed, t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from engine import NotationError
from engine.actions import Seat
from engine.carcassonne import GAME, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bazaar,
    BazaarPlan,
    SelectLot,
    bazaar_number,
    bazaar_to_plan,
    lots_not_on_offer,
)
from host import Consequence, Game, check_playing

SEALED: Final = register_operation(OwnOp("sealed", typed=True))
"""Submit the form in which a plan is typed; the argument is the number of the bazaar."""

FIRST: Final = "first"
MOST: Final = "most"
RAISING: Final = "raising"
PRICE: Final = "price"
OTHERWISE: Final = "otherwise"
"""The custom ids of the modal's fields, and the options of the command."""
LEAST: Final = "least"
LEAP: Final = "leap"
ASK: Final = "ask"
PASSING: Final = "pass"
"""The values of the two menus: how a bid is raised, and what happens where the plan says nothing."""
MAX_TYPED_LENGTH: Final = 80
"""Characters of a typed field."""
_ENTRY: Final = re.compile(r"[tT]?([1-9])(?:[:=@](\d{1,4}))?", re.ASCII)
"""A lot as it is typed, with its points if any: ``T3:2`` or ``3``."""


@dataclass(frozen=True, slots=True)
class Planning:
    """A player who may file a plan for a bazaar, with their present plan."""

    game: Game
    bazaar: Bazaar
    number: int
    plan: BazaarPlan


async def planning(interaction: Interaction, ref: str) -> Planning:
    """Return the user's planning for the bazaar of a game.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        RefusedError: ``nothing_to_plan``.
    """
    table, user_id = await table_of(interaction, ref), interaction.user.id
    check_playing(table.game, user_id)
    position, seat = table.position, table.game.seat_of(user_id)
    bazaar = bazaar_to_plan(position, Seat(seat)) if isinstance(position, Position) and seat is not None else None
    if bazaar is None or not isinstance(position, Position):
        raise RefusedError("nothing_to_plan")
    number, planned = bazaar_number(position), await interaction.client.host.moves.planned(table.game, user_id)
    return Planning(table.game, bazaar, number, _present_plan(planned, number))


def _present_plan(planned: str, number: int) -> BazaarPlan:
    """Return the plan for this bazaar; a stored plan for an earlier one counts as empty."""
    nothing = BazaarPlan(bazaar=number)
    try:
        plan = BazaarPlan.parse(planned)
    except NotationError:
        return nothing
    return plan if plan.bazaar == number else nothing


# -- the panel ---------------------------------------------------------------------------------------------------------


def plan_panel(position: Position, seat: int) -> PlanPanel | None:
    """Return the panel for a seat's plan in a bazaar; None if it has nothing to plan."""
    bazaar = bazaar_to_plan(position, Seat(seat))
    if bazaar is None:
        return None
    number = bazaar_number(position)
    return lambda game, planned, pictures: _panel(
        Planning(game, bazaar, number, _present_plan(planned, number)), pictures=pictures
    )


def _panel(planner: Planning, draft: Draft | None = None, pictures: Sequence[ui.Item[Any]] = ()) -> ui.LayoutView:
    """Return the panel of a draft, by default of the sealed plan; its text says in words what the draft would do."""
    draft = (draft or Draft(planner.plan, 1)).on_offer(planner.bazaar)
    game, empty = planner.game, BazaarPlan(bazaar=planner.number)
    if draft.plan != planner.plan:
        title = t("plan.draft", name=game.name, code=game.code)
        words = "\n".join([title, *_lines(draft.plan)])
    else:
        words = _sealed_words(planner)
    return draft_panel(game, planner.bazaar, draft, words, pictures, planned=planner.plan != empty)


def _sealed_words(planner: Planning) -> str:
    """Return the sealed plan in words, or a sentence that there is none."""
    game = planner.game
    if planner.plan == BazaarPlan(bazaar=planner.number):
        return t("plan.none", name=game.name, code=game.code)
    return plan_words(game, planner.plan)


async def _drafting(interaction: Interaction, key: Key, text: str) -> tuple[Planning, Draft]:
    """Return the user's planning and the draft in the argument of a button, if it is for the bazaar at hand."""
    planner, draft = await planning(interaction, key.ref), Draft.parse(text)
    if draft.plan.bazaar != planner.number:
        raise RefusedError("plan_late")
    return planner, draft


async def press_draft(interaction: Interaction, key: Key) -> None:
    """Change the draft as the button or the chosen entry of the list says; the panel keeps its picture."""
    field, _, text = key.argument.partition(" ")
    planner, draft = await _drafting(interaction, key, text)
    draft = draft.changed(field, chosen_in(interaction))
    message = interaction.message
    pictures, files = (kept_pictures(message), message.attachments) if message is not None else ([], [])
    await interaction.edit_original_response(view=_panel(planner, draft, pictures), attachments=files)


async def press_seal(interaction: Interaction, key: Key) -> None:
    """Store the draft as the plan."""
    planner, draft = await _drafting(interaction, key, key.argument)
    await _store(interaction, planner, draft.on_offer(planner.bazaar).plan)


async def press_type(interaction: Interaction, key: Key) -> None:
    """Open the form in which the plan is typed, filled in with the draft."""
    planner, draft = await _drafting(interaction, key, key.argument)
    await interaction.response.send_modal(plan_modal(replace(planner, plan=draft.plan)))


# -- the modal ---------------------------------------------------------------------------------------------------------


def plan_modal(planner: Planning) -> ui.Modal:
    """Return the modal for a whole plan, filled in with the present one."""
    game, plan = planner.game, planner.plan
    modal = form(t("modal.plan_title"), Key(SEALED, game.code, game.revision, str(planner.number)))
    openings = " ".join(f"T{entry.lot}:{entry.bid}" for entry in plan.openings)
    add_line(modal, FIRST, longest=MAX_TYPED_LENGTH, value=openings)
    limits = " ".join(f"T{lot}:{amount}" for lot, amount in plan.limits)
    add_line(modal, MOST, longest=MAX_TYPED_LENGTH, value=limits)
    _add_menu(modal, RAISING, (LEAST, LEAP), LEAP if plan.leap else LEAST)
    add_line(modal, PRICE, longest=MAX_TYPED_LENGTH, value="" if plan.buy is None else str(plan.buy))
    _add_menu(modal, OTHERWISE, (ASK, PASSING), PASSING if plan.passes else ASK)
    return modal


def _add_menu(modal: ui.Modal, name: str, values: Sequence[str], now: str) -> None:
    """Add a menu with these values to the form; ``now`` is the chosen one."""
    options = [SelectOption(label=t(f"modal.{name}_{value}"), value=value, default=value == now) for value in values]
    menu = ui.Select[ui.Modal](custom_id=name, options=options)
    modal.add_item(ui.Label(text=t(f"modal.{name}"), component=menu))


async def submit_plan(interaction: Interaction, key: Key) -> None:
    """Store the submitted plan, unless it was for another bazaar."""
    planner = await planning(interaction, key.ref)
    if key.argument != str(planner.number):
        raise RefusedError("plan_late")
    await store_plan(interaction, planner, typed_values(interaction.data or {}))


async def store_plan(interaction: Interaction, planner: Planning, typed: Mapping[str, str]) -> None:
    """Store a typed plan.

    Raises:
        RefusedError: the plan cannot be read or carried out; nothing has changed.
        HostError: ``illegal`` if the bazaar has moved on meanwhile.
    """
    await _store(interaction, planner, read_plan(planner, typed))


async def _store(interaction: Interaction, planner: Planning, plan: BazaarPlan) -> None:
    """Store a plan and confirm it privately; if the game waits for this player, the plan acts at once."""
    client, game = interaction.client, planner.game
    text = "" if plan == BazaarPlan(bazaar=planner.number) else str(plan)
    outcome = await client.host.moves.plan(game.code, interaction.user.id, text, interaction.id)
    forget_snapshot(interaction)
    words = plan_words(game, plan) if text else t("plan.none", name=game.name, code=game.code)
    view = notice("\n".join([words, *_moves_made(interaction, outcome)]))
    await interaction.edit_original_response(view=view, attachments=[])


def _moves_made(interaction: Interaction, outcome: Consequence) -> Iterator[str]:
    """Tell the moves that the plan has made at once."""
    if outcome.ply == outcome.before_ply:
        return
    client = interaction.client
    client.publisher.move_made(outcome)
    presenter = client.presenters[GAME]
    yield done_text(presenter, outcome, silent=is_silent(client, outcome))


# -- what is typed -----------------------------------------------------------------------------------------------------


def read_plan(planner: Planning, typed: Mapping[str, str]) -> BazaarPlan:
    """Read a plan from the fields of the form or the command.

    Raises:
        RefusedError: ``plan_tiles``, ``plan_points``, ``plan_twice``, ``plan_foreign``, ``plan_price``.
    """
    plan = BazaarPlan(
        bazaar=planner.number,
        openings=tuple(SelectLot(lot, amount) for lot, amount in _read_lots(typed.get(FIRST, ""), usual=0)),
        limits=tuple(_read_lots(typed.get(MOST, ""), usual=None)),
        leap=typed.get(RAISING) == LEAP,
        buy=_read_price(typed.get(PRICE, "")),
        passes=typed.get(OTHERWISE) == PASSING,
    )
    if lots := lots_not_on_offer(planner.bazaar, plan):
        offered = [f"T{lot + 1}" for lot in planner.bazaar.open_lots]
        raise RefusedError("plan_foreign", lots=listed([f"T{lot}" for lot in lots]), offered=listed(offered))
    return plan


def _read_lots(typed: str, *, usual: int | None) -> list[tuple[int, int]]:
    """Read lots with points, as ``T3:2 T1``; ``usual`` replaces points left out, unless it is None."""
    lots: list[tuple[int, int]] = []
    for token in typed.replace(",", " ").split():
        match = _ENTRY.fullmatch(token)
        if match is None:
            raise RefusedError("plan_tiles", typed=_quoted(typed))
        amount = usual if match[2] is None else int(match[2])
        if amount is None or amount > MAX_POINTS:
            raise RefusedError("plan_points", typed=_quoted(token), most=MAX_POINTS)
        lot = int(match[1])
        if lot in dict(lots):
            raise RefusedError("plan_twice", lot=lot)
        lots.append((lot, amount))
    return lots


def _read_price(typed: str) -> int | None:
    """Read the typed price up to which the player keeps a tile; None for an empty text."""
    text = typed.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and int(text[:9]) <= MAX_POINTS):
        raise RefusedError("plan_price", typed=_quoted(typed), most=MAX_POINTS)
    return int(text)


def _quoted(typed: str) -> str:
    """Return typed text for a refusal, cut and escaped."""
    return safe(clip(typed, MAX_TYPED_LENGTH))


def plan_words(game: Game, plan: BazaarPlan) -> str:
    """Return a plan in words for its owner."""
    return "\n".join([t("plan.title", name=game.name, code=game.code), *_lines(plan)])


def _lines(plan: BazaarPlan) -> Iterator[str]:
    """Yield a plan in words, one sentence for each of its rules."""
    if plan.openings:
        yield t(
            "plan.first",
            tiles=", ".join(t("plan.opening", lot=opening.lot, count=opening.bid) for opening in plan.openings),
        )
    if plan.limits:
        tiles = listed([t("plan.limit", lot=lot, count=amount) for lot, amount in plan.limits])
        yield t("plan.leap" if plan.leap else "plan.most", tiles=tiles)
    if plan.buy is not None:
        yield t("plan.price", count=plan.buy)
    yield t("plan.pass" if plan.passes else "plan.ask")


HANDLERS: Final = {
    DRAFT: Handler(Ack.UPDATE, press_draft),
    SEAL: Handler(Ack.UPDATE, press_seal),
    TYPE_PLAN: Handler(Ack.MODAL, press_type),
    SEALED: Handler(Ack.PANEL, submit_plan),
}


def _choices(name: str, *values: str) -> list[app_commands.Choice[str]]:
    """Return the choices of an option of the command."""
    return [app_commands.Choice(name=t(f"modal.{name}_{value}"), value=value) for value in values]


@app_commands.describe(
    first=t("command.plan.first"),
    most=t("command.plan.most"),
    raising=t("command.plan.raising"),
    price=t("command.plan.price"),
    otherwise=t("command.plan.otherwise"),
    drop=t("command.plan.drop"),
)
@app_commands.choices(raising=_choices(RAISING, LEAST, LEAP), otherwise=_choices(OTHERWISE, ASK, PASSING))
async def plan(
    interaction: Interaction,
    first: str = "",
    most: str = "",
    raising: str = "",
    price: str = "",
    otherwise: str = "",
    drop: bool = False,  # noqa: FBT001, FBT002 - how a command has its options
    game: str = "",
) -> None:
    """Replace the plan by the typed one; without options, show the panel in which it is chosen."""
    typed = {FIRST: first, MOST: most, RAISING: raising, PRICE: price, OTHERWISE: otherwise}
    await answer(interaction, _plan(interaction, {} if drop else typed, game, drop=drop))


def plan_command(about_game: AboutGame) -> BoxCommand:
    """Return the command ``/carc plan``."""
    return app_commands.Command(name="plan", description=t("command.plan.description"), callback=about_game(plan))


async def _plan(interaction: Interaction, typed: dict[str, str], code: str, *, drop: bool) -> None:
    """Store or drop a plan as typed; without typed values, show the panel."""
    game = await find_game(interaction, code, own=True, op=Op.ORDERS)
    planner = await planning(interaction, game.code)
    if drop or any(typed.values()):
        await store_plan(interaction, planner, typed)
        return
    await interaction.edit_original_response(view=_panel(planner))
