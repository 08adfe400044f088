"""The presentation of bazaars: questions with buttons and forms, and words for lots, bids and bought tiles.

A bazaar reveals a tile for each player, a *lot*. The selector chooses a lot and opens the bidding for it. Codes such as
BZ-21 are rules of the project's rule digest, which the bot's rule book shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from discord import ui

from cogs.games.carcassonne.box import ActionWords, EventWords, Question, Questions
from cogs.games.carcassonne.words import tile_aloud, tile_words
from cogs.interactions.replies import buttons_of
from cogs.interactions.selection import table_to_move
from cogs.messages import form, layout, rows, typed_values
from cogs.panels.deciding import decide, show_decision
from cogs.presenting.ids import Key, Op, OwnOp, register_operation
from cogs.presenting.presenter import AltPicture, ButtonSpec, Listener, act, last_tile_marks
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import plain_names
from cogs.words.refusals import RefusedError
from cogs.words.story import has_long_names, join_fitting, lines_within, units, without_marks
from engine import Action, Cell, Pass, tiles
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    Bazaar,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    Bid,
    BidMade,
    BidOnLot,
    BidPassed,
    Buy,
    BuyOrSell,
    ChooseLot,
    LotChosen,
    LotLost,
    LotSold,
    LotsSetAside,
    PickLot,
    SelectLot,
    Sell,
    bazaar_of,
    highest_bid,
    still_to_lay,
)
from engine.carcassonne.placing import fitting as fitting_places
from engine.events import Event
from engine.hints import Hint
from host import ErrorCode, Game, HostError, Table
from renderers import Theme
from renderers.carcassonne.questions.bridges_castles_bazaars import lots

LOT: Final = register_operation(OwnOp("lot", decides=True))
"""Ask for the opening bid for the lot in the argument."""
OTHER: Final = register_operation(OwnOp("other", decides=True))
"""Ask for an amount; the argument is ``bid`` or the number of a lot."""
AMOUNT: Final = register_operation(OwnOp("amount", decides=True, moves=True, typed=True))
"""Submit the modal that ``OTHER`` opens."""

MAX_WORDED_LOTS: Final = 4
"""The most lots whose buttons say that they are chosen, as the headline does; with more they would take two rows."""
RAISE_STEPS: Final = (1, 2, 5)
"""The amounts by which the buttons raise a bid."""
OPENING_BIDS: Final = (0, 1, 2, 3)
"""The opening bids that have a button."""
MAX_OVERDRAFT: Final = 5
"""The amount by which the bid of a button may exceed the bidder's points. A bid without points is legal (BZ-21), but no
one should press their way far below zero."""
BID: Final = "bid"
"""The argument of ``OTHER`` for a raise; otherwise it is the number of a lot."""
MAX_WAITING_UNITS: Final = 100
"""Units that the list of bought tiles takes on a card, unless the next one alone is longer; [In Words] has all."""


# -- the subject of a question -----------------------------------------------------------------------------------------


def bazaar_words(names: Sequence[str], position: Position) -> str:
    """Describe the lots while the auction lasts; afterwards the bought tiles that are still to be laid."""
    match position.step:
        case ChooseLot(bazaar=bazaar) | BidOnLot(bazaar=bazaar) | BuyOrSell(bazaar=bazaar):
            return _lots_words(names, bazaar)
        case _:
            return _to_lay_words(names, position)


def shows_lots(position: Position) -> bool:
    """Return True while the picture of the decision at hand shows the lots, and its alt text describes them."""
    return isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell)


def _to_lay_words(names: Sequence[str], position: Position) -> str:
    """Return one line with the bought tiles that are still to be laid; empty if there are none."""
    waiting = [t("lots.of", player=names[seat], tile=tile_words(kind)) for seat, kind in still_to_lay(position)]
    if not waiting:
        return ""
    next_one = units(waiting[0]) + units(" · ") + units(t("card.and_more", number=len(waiting)))
    room = max(MAX_WAITING_UNITS - units(t("lots.to_lay", tiles="")), next_one)
    return t("lots.to_lay", tiles=lines_within(waiting, room, " · "))


def _lots_words(names: Sequence[str], bazaar: Bazaar) -> str:
    """Return one line for each lot: number, tile, owner."""
    lines: list[str] = []
    for lot, (kind, owner) in enumerate(zip(bazaar.tiles, bazaar.owners, strict=True)):
        key = "lots.sold" if owner >= 0 else "lots.up" if lot == bazaar.lot else "lots.open"
        owner_name = names[owner] if owner >= 0 else ""
        lines.append(t(key, lot=lot + 1, tile=tile_words(kind), owner=owner_name))
    return "\n".join(lines)


def _pictures(game: Game, position: Position, step: ChooseLot | BidOnLot | BuyOrSell, theme: Theme) -> list[AltPicture]:
    """Draw the lots that a question is about."""
    bazaar = step.bazaar
    words = without_marks(_lots_words(plain_names(game), bazaar)).splitlines()
    state = game.digest if game.ply == position.ply else ""  # a replay shows earlier positions of the game
    marks = last_tile_marks(position)
    low = has_long_names(game)
    picture = lots(position, bazaar.tiles, bazaar.owners, bazaar.lot, marks, theme=theme, state=state, low=low)
    room = MAX_ALT_LENGTH - units(t("alt.lots", lots=""))
    return [AltPicture(picture, t("alt.lots", lots=join_fitting(words, room, "; ")))]


# -- choosing a lot ----------------------------------------------------------------------------------------------------


def _lot_headline(_: Sequence[str], position: Position, step: ChooseLot, player: str) -> str:
    """Ask the selector to choose a lot."""
    return t("headline.pick" if step.picks(position) else "headline.lot", player=player)


def _lot_offers(position: Position, step: ChooseLot) -> list[ButtonSpec]:
    """Return the buttons with which the selector chooses a lot."""
    numbers = [lot + 1 for lot in step.bazaar.open_lots]
    if step.picks(position):
        return [act(PickLot(lot), t("button.pick", lot=lot)) for lot in numbers]
    key = "button.lot" if len(step.bazaar.tiles) <= MAX_WORDED_LOTS else "button.lot_short"
    return [ButtonSpec(LOT, t(key, lot=lot), str(lot)) for lot in numbers]


def opening_offers(position: Position, lot: int) -> list[ButtonSpec]:
    """Return the buttons of the opening bids for the lot that the selector has chosen."""
    offered = [
        act(SelectLot(lot, bid), t("button.opening", count=bid))
        for bid in OPENING_BIDS
        if SelectLot(lot, bid) in position.legal_actions
    ]
    return [*offered, ButtonSpec(OTHER, t("button.other"), str(lot))]


def _lot_prospect(_: Sequence[str], position: Position, __: ChooseLot, action: Action) -> str:
    """Say what choosing this lot would cost the selector and leave them."""
    match action:
        case SelectLot(lot=lot, bid=bid):
            words = t("prospect.open", lot=lot, count=bid, left=_points_left(position, -bid))
            return " ".join([words, *_below_zero(position)])
        case PickLot(lot=lot):
            return t("prospect.pick", lot=lot)
        case _:
            return ""


# -- bidding -----------------------------------------------------------------------------------------------------------


def _bid_headline(names: Sequence[str], _: Position, step: BidOnLot, player: str) -> str:
    """Ask the player to bid, naming the lot and the highest bid."""
    bazaar = step.bazaar
    return t("headline.bid", player=player, lot=bazaar.lot + 1, bid=bazaar.bid, bidder=names[bazaar.bidder])


def _bid_offers(position: Position, step: BidOnLot) -> list[ButtonSpec]:
    """Return the buttons of a bid: to pass, to raise it by common amounts, or to type another amount."""
    highest = max(position.scores[position.player], 0) + MAX_OVERDRAFT  # even if the rules allow more
    bids = [Bid(step.bazaar.bid + increase) for increase in RAISE_STEPS if step.bazaar.bid + increase <= highest]
    offered = [act(bid, t("action.bid", count=bid.amount)) for bid in bids if bid in position.legal_actions]
    other_amount = [ButtonSpec(OTHER, t("button.other"), BID)] if len(position.legal_actions) > 1 else []
    return [act(Pass(), t("button.pass")), *offered, *other_amount]


def _bid_prospect(names: Sequence[str], position: Position, step: BidOnLot, action: Action) -> str:
    """Say what this bid would cost the player and leave them."""
    bazaar = step.bazaar
    lot = bazaar.lot + 1
    match action:
        case Bid(amount=amount):
            seller = names[bazaar.selector]
            left = _points_left(position, -amount)
            words = t("prospect.bid", lot=lot, player=seller, count=amount, left=left)
            return " ".join([words, *_below_zero(position)])
        case Pass():
            return t("prospect.pass", lot=lot, left=_points_left(position, 0))
        case _:
            return ""


# -- buying and selling ------------------------------------------------------------------------------------------------


def _buy_headline(names: Sequence[str], _: Position, step: BuyOrSell, player: str) -> str:
    """Ask the selector whether to buy the lot or to sell it to the highest bidder."""
    bazaar = step.bazaar
    return t("headline.buy", player=player, lot=bazaar.lot + 1, count=bazaar.bid, bidder=names[bazaar.bidder])


def _buy_offers(position: Position, step: BuyOrSell) -> list[ButtonSpec]:
    """Return the buttons to buy the lot and to sell it."""
    offered = ((Buy(), "button.buy"), (Sell(), "button.sell"))
    return [act(action, t(key, count=step.bazaar.bid)) for action, key in offered if action in position.legal_actions]


def _buy_prospect(names: Sequence[str], position: Position, step: BuyOrSell, action: Action) -> str:
    """Say how many points the selector would have after buying or selling the lot."""
    bazaar = step.bazaar
    lot, bid, bidder = bazaar.lot + 1, bazaar.bid, names[bazaar.bidder]
    match action:
        case Buy():
            words = t("prospect.buy", lot=lot, player=bidder, count=bid, left=_points_left(position, -bid))
            return " ".join([words, *_below_zero(position)])
        case Sell():
            return t("prospect.sell", lot=lot, player=bidder, count=bid, left=_points_left(position, bid))
        case _:
            return ""


def _points_left(position: Position, gain: int) -> int:
    """Return the points that the player to move would have after gaining (or losing) this many."""
    return position.scores[position.player] + gain


def _means(position: Position, step: ChooseLot | BidOnLot | BuyOrSell) -> str:
    """Say how many points the player to move has, and that they may spend more; nothing where a lot is free."""
    if isinstance(step, ChooseLot) and step.picks(position):
        return ""
    return " ".join([t("panel.points", count=position.scores[position.player]), *_below_zero(position)])


def _below_zero(position: Position) -> Iterator[str]:
    """Yield that the player may spend more points than they have, if the table plays so (BZ-21, BZ-22)."""
    if highest_bid(position, position.player) > position.scores[position.player]:
        yield t("panel.below_zero")


# -- events ------------------------------------------------------------------------------------------------------------


def _opened(names: Sequence[str], event: BazaarOpened) -> str:
    """Tell that a bazaar has been opened, and how many tiles are on offer."""
    key = "story.draft_opened" if event.draft else "story.bazaar_opened"
    return t(key, player=names[event.player], count=len(event.tiles))


def _sold(names: Sequence[str], event: LotSold) -> str:
    """Tell who has got a lot, what they paid, and to whom."""
    name = names[event.player]
    if event.picked:
        return t("story.lot_picked", player=name, lot=event.lot)
    if not event.price:
        return t("story.lot_free", player=name, lot=event.lot)
    if event.payee == BANK:
        return t("story.lot_bank", player=name, lot=event.lot, count=event.price)
    payer, payee = names[event.payer], names[event.payee]
    return t("story.lot_sold", player=name, lot=event.lot, count=event.price, payer=payer, payee=payee)


def transfers(event: Event) -> Iterator[tuple[int, str, int]]:
    """Yield the payments of a sold lot."""
    if isinstance(event, LotSold) and event.price:
        yield event.payer, "bazaar", -event.price
        if event.payee != BANK:
            yield event.payee, "bazaar", event.price


def out_of_turn(position: Position, seat: int) -> str:
    """Refuse bids of players who already have a lot (BZ-15)."""
    bazaar = bazaar_of(position)
    return "has_a_lot" if bazaar is not None and bazaar.active >= 0 and seat in bazaar.owners else ""


ACTIONS: Final[ActionWords] = {
    SelectLot: lambda _, action: t("action.select", lot=action.lot, bid=action.bid),
    Bid: lambda _, action: t("action.bid", count=action.amount),
    PickLot: lambda _, action: t("action.pick", lot=action.lot),
    Buy: lambda *_: t("action.Buy"),
    Sell: lambda *_: t("action.Sell"),
}
EVENTS: Final[EventWords] = {
    BazaarOpened: _opened,
    BazaarSkipped: lambda *_: t("story.bazaar_skipped"),
    BazaarDelayed: lambda *_: t("story.bazaar_delayed"),
    LotsSetAside: lambda _, event: t("story.lots_set_aside", count=event.count),
    LotChosen: lambda names, event: t("story.lot_chosen", player=names[event.player], lot=event.lot, bid=event.bid),
    BidMade: lambda names, event: t("story.bid", player=names[event.player], count=event.amount),
    BidPassed: lambda names, event: t("story.passed", player=names[event.player]),
    LotSold: _sold,
    LotLost: lambda _, event: t("story.lot_lost", lot=event.lot, tile=tile_words(event.tile)),
}
QUESTIONS: Final[Questions] = {
    ChooseLot: Question(
        headline=_lot_headline,
        offers=_lot_offers,
        prospect=_lot_prospect,
        pictures=_pictures,
        means=_means,
        commits_least=lambda _, action: isinstance(action, SelectLot) and action.bid == 0,
    ),
    BidOnLot: Question(
        headline=_bid_headline,
        offers=_bid_offers,
        prospect=_bid_prospect,
        pictures=_pictures,
        means=_means,
        commits_least=lambda step, action: action in {Pass(), Bid(step.bazaar.bid + 1)},
        passing="action.no_bid",
    ),
    BuyOrSell: Question(
        headline=_buy_headline, offers=_buy_offers, prospect=_buy_prospect, pictures=_pictures, means=_means
    ),
}


# -- in words for players who listen -----------------------------------------------------------------------------------


def tell_bazaar(listener: Listener, position: Position) -> Iterator[str]:
    """Tell the highest bid and who may still bid, then each lot, then the tiles that players have still to lay."""
    going_on = bazaar_of(position)
    if isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell) and going_on is not None:
        yield from _tell_bid(listener, position, going_on)
        for lot, kind in enumerate(going_on.tiles):
            yield t(
                "tell.lot",
                lot=lot + 1,
                owner=_lot_status(listener, going_on, lot),
                tile=_tile_for_listener(listener, position, kind),
            )
        yield from (
            t("tell.score", player=name, count=points)
            for name, points in zip(listener.names, position.scores, strict=True)
        )
    for seat, kind in still_to_lay(position):
        yield t("tell.to_lay", player=listener.names[seat], tile=_tile_for_listener(listener, position, kind))


def _tell_bid(listener: Listener, position: Position, going_on: Bazaar) -> Iterator[str]:
    """Tell who chose the lot that is up for auction, the highest bid, and who may still bid."""
    yield t("tell.selector", player=listener.names[going_on.selector])
    if going_on.lot < 0:
        return
    yield t("tell.bid", player=listener.names[going_on.bidder], lot=going_on.lot + 1, count=going_on.bid)
    bidders = list(_may_tell_bid(position, going_on)) if isinstance(position.step, BidOnLot) else []
    if bidders:
        yield t("tell.may_bid", players=listed([listener.names[seat] for seat in bidders]))
    else:
        yield t("tell.nobody_bids")


def _may_tell_bid(position: Position, going_on: Bazaar) -> Iterator[int]:
    """Yield the player who is asked now, then the players between them and the selector who may still bid."""
    yield position.player
    for seat in position.seats_after(position.player):
        if seat == going_on.selector:
            return
        if seat not in going_on.owners and not position.withdrawn[seat]:
            yield seat


def _lot_status(listener: Listener, going_on: Bazaar, lot: int) -> str:
    """Say whether a lot is sold, up for auction, or still to be chosen."""
    owner = going_on.owners[lot]
    if owner >= 0:
        return t("tell.lot_of", player=listener.names[owner])
    return t("tell.lot_up" if lot == going_on.lot else "tell.lot_open")


def _tile_for_listener(listener: Listener, position: Position, kind: tiles.TileKind) -> str:
    """Describe a tile as drawn, and where it would fit now."""
    words = tile_aloud(kind, 0)
    if not listener.allows(Hint.CELLS):
        return words
    places = dict.fromkeys(Cell.at(square) for square, _ in fitting_places(position.land, tile(kind.id)))
    cells = [cell.label for cell in sorted(places, key=lambda cell: (cell.y, cell.x))]
    return "; ".join([words, t("tell.goes", cells=listed(cells)) if cells else t("tell.goes_nowhere")])


# -- typing an amount --------------------------------------------------------------------------------------------------

AMOUNT_FIELD: Final = "amount"
"""The custom id of the modal's one field."""
MAX_DIGITS: Final = 4


async def press_lot(interaction: Interaction, key: Key) -> None:
    """Ask the selector for the opening bid, in a panel that shows the board and the lots."""
    table = await table_to_move(interaction, key.ref, key.revision)
    lot = _lot(table, key.argument)
    position, step = _position(table), _bazaar_step(table)
    tile = tile_words(step.bazaar.tiles[lot - 1])
    text = " ".join([t("panel.opening", lot=lot, tile=tile), _means(position, step)])
    offers = [*opening_offers(position, lot), ButtonSpec(Op.PLAN, t("button.back"))]
    buttons = buttons_of(table.game.code, table.game.revision, offers)
    await show_decision(interaction, table, lambda pictures: layout(ui.TextDisplay(text), pictures, rows(buttons)))


async def press_other(interaction: Interaction, key: Key) -> None:
    """Ask for an amount."""
    table = await table_to_move(interaction, key.ref, key.revision)
    step, points = _bazaar_step(table), table.position.scores[table.position.player]
    minimum = step.bazaar.bid + 1 if key.argument == BID else 0
    placeholder = " ".join([t("modal.placeholder", least=minimum, count=points), *_below_zero(_position(table))])
    modal = form(t("modal.title"), Key(AMOUNT, key.ref, key.revision, key.argument))
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=AMOUNT_FIELD, placeholder=placeholder, min_length=1, max_length=MAX_DIGITS
    )
    modal.add_item(ui.Label(text=t("modal.amount"), component=field))
    await interaction.response.send_modal(modal)


async def submit_amount(interaction: Interaction, key: Key) -> None:
    """Make the bid that was typed, or ask to confirm it."""
    table = await table_to_move(interaction, key.ref, key.revision)
    action = _bid(table, key.argument, _amount(typed_values(interaction.data or {}).get(AMOUNT_FIELD, "")))
    try:
        await table_to_move(interaction, key.ref, key.revision, [action])
    except HostError as error:
        if error.code is not ErrorCode.ILLEGAL:
            raise
        raise _bid_refusal(table, action) from error
    await decide(interaction, key.ref, key.revision, [action])


def _amount(typed: str) -> int:
    """Read a typed amount of points."""
    text = typed.strip()
    if not (text.isascii() and text.isdecimal()):
        raise RefusedError("bad_amount")
    return int(text)


def _bid(table: Table, argument: str, amount: int) -> Bid | SelectLot:
    """Return the action for an amount."""
    return Bid(amount) if argument == BID else SelectLot(_lot(table, argument), amount)


def _bid_refusal(table: Table, action: Bid | SelectLot) -> RefusedError:
    """Return the refusal of an illegal bid, with the numbers."""
    step = _bazaar_step(table)
    if isinstance(action, Bid) and action.amount <= step.bazaar.bid:
        return RefusedError("bid_too_low", bid=step.bazaar.bid, least=step.bazaar.bid + 1)
    amount = action.amount if isinstance(action, Bid) else action.bid
    return RefusedError("bid_too_high", amount=amount, most=highest_bid(_position(table), step.player))


def _bazaar_step(table: Table) -> ChooseLot | BidOnLot:
    """Return the step of the bazaar at hand; refuse a button of any other step."""
    step = table.position.step
    if not isinstance(step, ChooseLot | BidOnLot):
        raise RefusedError("unknown_button")
    return step


def _position(table: Table) -> Position:
    """Return the position of a table of Carcassonne; refuse the button in any other game."""
    if not isinstance(table.position, Position):
        raise RefusedError("unknown_button")
    return table.position


def _lot(table: Table, argument: str) -> int:
    """Read the number of a lot that is still open."""
    bazaar = _bazaar_step(table).bazaar
    if not (argument.isascii() and argument.isdecimal() and int(argument) - 1 in bazaar.open_lots):
        raise RefusedError("no_such_lot")
    return int(argument)


HANDLERS: Final = {
    LOT: Handler(Ack.PANEL, press_lot),
    OTHER: Handler(Ack.MODAL, press_other),
    AMOUNT: Handler(Ack.UPDATE, submit_amount),
}
