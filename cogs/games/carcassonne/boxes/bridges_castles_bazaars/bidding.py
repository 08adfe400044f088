"""The bazaar: choosing a lot and its opening bid, and bids for which there is no button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ui

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import BID, opening_offers
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.operations import AMOUNT, LOT, OTHER
from cogs.games.carcassonne.words import tile_words
from cogs.interactions.replies import pressable
from cogs.interactions.selection import table_to_move
from cogs.messages import form, layout, rows, typed_values
from cogs.panels.deciding import decide
from cogs.presenting.ids import Key
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.refusals import RefusedError
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import Bid, BidOnLot, ChooseLot, SelectLot, highest_bid
from host import ErrorCode, HostError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Table

FIELD: Final = "amount"
"""The custom id of the modal's one field."""
DIGITS: Final = 4


async def press_lot(interaction: Interaction, key: Key) -> None:
    """Ask the selector for the opening bid."""
    table = await table_to_move(interaction, key.ref, key.revision)
    lot = _lot(table, key.argument)
    position = _position(table)
    tile = tile_words(_bazaar_step(table).bazaar.tiles[lot - 1])
    text = t("panel.opening", lot=lot, tile=tile, count=position.scores[position.player])
    buttons = pressable(table.game.code, table.game.revision, opening_offers(position, lot))
    await interaction.edit_original_response(view=layout(ui.TextDisplay(text), rows(buttons)))


async def press_other(interaction: Interaction, key: Key) -> None:
    """Ask for an amount."""
    table = await table_to_move(interaction, key.ref, key.revision)
    step, points = _bazaar_step(table), table.position.scores[table.position.player]
    least = step.bazaar.bid + 1 if key.argument == BID else 0
    modal = form(t("modal.title"), Key(AMOUNT, key.ref, key.revision, key.argument))
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=FIELD, placeholder=t("modal.placeholder", least=least, count=points), min_length=1, max_length=DIGITS
    )
    modal.add_item(ui.Label(text=t("modal.amount"), component=field))
    await interaction.response.send_modal(modal)


async def submit_amount(interaction: Interaction, key: Key) -> None:
    """Make the bid that was typed, or ask whether it shall be so."""
    table = await table_to_move(interaction, key.ref, key.revision)
    action = _bid(table, key.argument, _amount(typed_values(interaction.data or {}).get(FIELD, "")))
    try:
        await table_to_move(interaction, key.ref, key.revision, [action])
    except HostError as error:
        if error.code is not ErrorCode.ILLEGAL:
            raise
        raise _bounds(table, action) from error
    await decide(interaction, key.ref, key.revision, [action])


def _amount(typed: str) -> int:
    text = typed.strip()
    if not (text.isascii() and text.isdecimal()):
        raise RefusedError("bad_amount")
    return int(text)


def _bid(table: Table, argument: str, amount: int) -> Bid | SelectLot:
    """The action of an amount."""
    return Bid(amount) if argument == BID else SelectLot(_lot(table, argument), amount)


def _bounds(table: Table, action: Bid | SelectLot) -> RefusedError:
    """What is wrong with a bid that is not allowed, with the numbers."""
    step = _bazaar_step(table)
    if isinstance(action, Bid) and action.amount <= step.bazaar.bid:
        return RefusedError("bid_too_low", bid=step.bazaar.bid, least=step.bazaar.bid + 1)
    amount = action.amount if isinstance(action, Bid) else action.bid
    return RefusedError("bid_too_high", amount=amount, most=highest_bid(_position(table), step.player))


def _bazaar_step(table: Table) -> ChooseLot | BidOnLot:
    step = table.position.step
    if not isinstance(step, ChooseLot | BidOnLot):
        raise RefusedError("unknown_button")
    return step


def _position(table: Table) -> Position:
    if not isinstance(table.position, Position):
        raise RefusedError("unknown_button")
    return table.position


def _lot(table: Table, argument: str) -> int:
    """The number of a lot that is still open."""
    bazaar = _bazaar_step(table).bazaar
    if not (argument.isascii() and argument.isdecimal() and int(argument) - 1 in bazaar.open_lots):
        raise RefusedError("no_such_lot")
    return int(argument)


HANDLINGS: Final = {
    LOT: Handling(Ack.PANEL, press_lot),
    OTHER: Handling(Ack.MODAL, press_other),
    AMOUNT: Handling(Ack.UPDATE, submit_amount),
}
