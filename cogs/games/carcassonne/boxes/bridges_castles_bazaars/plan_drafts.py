"""The private panel in which a player makes a sealed plan for a bazaar from lists.

A *bazaar* is an auction of tiles, and a *sealed plan* is a secret list of bids that the bot makes for the player. The
panel has lists of tiles and amounts, and a preview in words.

The custom id of each list and button carries the whole draft, so that a panel survives a restart. Nothing is stored
before the draft is sealed, because a stored plan acts as soon as the game waits for its player.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from discord import ButtonStyle, SelectOption, ui

from cogs.games.carcassonne.words import tile_words
from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, OwnOp, register_operation
from cogs.texts import t
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from engine.carcassonne.expansions.bridges_castles_bazaars import Bazaar, BazaarPlan, SelectLot
from host import Game

DRAFT: Final = register_operation(OwnOp("draft", private=True))
"""Change the draft in the argument as its first word says, by the entry chosen in a list."""
SEAL: Final = register_operation(OwnOp("seal", private=True))
"""Seal the draft in the argument."""
TYPE_PLAN: Final = register_operation(OwnOp("typeplan", private=True))
"""Open the form in which the plan is typed, filled in with the draft in the argument."""

TILE: Final = "tile"
LIMIT: Final = "limit"
OPENING: Final = "open"
BUY: Final = "buy"
RAISE: Final = "raise"
ELSE: Final = "else"
"""The first word of an argument: the tile to plan for, its highest bid, its opening bid, the price to keep a tile, how
bids are raised, and what happens where the plan says nothing."""
NOTHING: Final = "-"
"""The value of a list's entry for no amount."""
MAX_POINTS: Final = 999
AMOUNTS: Final = (*range(17), 18, 20, 22, 25, 30, 40, 50)
"""The amounts of a list; another one that was typed is added."""
MAX_LABEL: Final = 100
"""Units of a list's entry."""
_PAIR: Final = re.compile(r"([1-9])([0-9a-z]{2})", re.ASCII)
_TEXT: Final = re.compile(
    r"(?P<bazaar>\d{1,3})\.(?P<lot>[1-9])\.(?P<openings>(?:[1-9][0-9a-z]{2})*)\.(?P<limits>(?:[1-9][0-9a-z]{2})*)"
    r"\.(?P<leap>l?)(?P<passes>p?)\.(?P<buy>(?:[0-9a-z]{2})?)",
    re.ASCII,
)
"""The text form of a draft: amounts have two digits to the base of 36, so that six tiles fit into a custom id."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan that is being chosen, and the tile (from 1) to which the lists of amounts belong."""

    plan: BazaarPlan
    lot: int

    def __str__(self) -> str:
        plan = self.plan
        openings = "".join(f"{entry.lot}{_digits(entry.bid)}" for entry in plan.openings)
        limits = "".join(f"{lot}{_digits(amount)}" for lot, amount in plan.limits)
        buy = "" if plan.buy is None else _digits(plan.buy)
        return f"{plan.bazaar}.{self.lot}.{openings}.{limits}.{'l' * plan.leap}{'p' * plan.passes}.{buy}"

    @staticmethod
    def parse(text: str) -> Draft:
        """Read the text form.

        Raises:
            RefusedError: ``unknown_button``: no panel has this text, so it is forged.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise RefusedError("unknown_button")
        openings, limits = _pairs(match["openings"]), _pairs(match["limits"])
        buy = _amount(str(int(match["buy"], 36))) if match["buy"] else None
        plan = BazaarPlan(
            bazaar=int(match["bazaar"]),
            openings=tuple(SelectLot(lot, amount) for lot, amount in openings),
            limits=limits,
            leap=bool(match["leap"]),
            buy=buy,
            passes=bool(match["passes"]),
        )
        return Draft(plan, int(match["lot"]))

    def on_offer(self, bazaar: Bazaar) -> Draft:
        """Return the draft without the tiles that have been sold meanwhile."""
        offered = [lot + 1 for lot in bazaar.open_lots]
        plan = replace(
            self.plan,
            openings=tuple(entry for entry in self.plan.openings if entry.lot in offered),
            limits=tuple(entry for entry in self.plan.limits if entry[0] in offered),
        )
        return Draft(plan, self.lot if self.lot in offered or not offered else offered[0])

    def changed(self, field: str, value: str) -> Draft:
        """Return the draft after a value was chosen in a list, or after one of its switches was pressed.

        Raises:
            RefusedError: ``unknown_button``: the panel has no such field or value.
        """
        plan = self.plan
        match field:
            case "tile":
                return replace(self, lot=_lot(value))
            case "limit":
                limits = {lot: amount for lot, amount in plan.limits if lot != self.lot}
                amount = _amount(value)
                limits |= {} if amount is None else {self.lot: amount}
                return replace(self, plan=replace(plan, limits=tuple(sorted(limits.items()))))
            case "open":
                return replace(self, plan=replace(plan, openings=self._openings_with(_amount(value))))
            case "buy":
                return replace(self, plan=replace(plan, buy=_amount(value)))
            case "raise":
                return replace(self, plan=replace(plan, leap=not plan.leap))
            case "else":
                return replace(self, plan=replace(plan, passes=not plan.passes))
            case _:
                raise RefusedError("unknown_button")

    def _openings_with(self, bid: int | None) -> tuple[SelectLot, ...]:
        """Return the openings with this bid for the tile: in its place, or last if it was none of them."""
        bids = {entry.lot: entry.bid for entry in self.plan.openings}
        if bid is None:
            bids.pop(self.lot, None)
        else:
            bids[self.lot] = bid
        return tuple(SelectLot(lot, amount) for lot, amount in bids.items())


def _digits(amount: int) -> str:
    """Encode an amount with two digits to the base of 36."""
    return _DIGITS[amount // 36] + _DIGITS[amount % 36]


def _pairs(text: str) -> tuple[tuple[int, int], ...]:
    """Read pairs of a lot and an amount.

    Raises:
        RefusedError: ``unknown_button``: an amount is too high, or a lot stands there twice.
    """
    pairs = tuple((int(lot), int(amount, 36)) for lot, amount in _PAIR.findall(text))
    if len(dict(pairs)) < len(pairs) or any(amount > MAX_POINTS for _, amount in pairs):
        raise RefusedError("unknown_button")
    return pairs


def _amount(value: str) -> int | None:
    """Read the amount that was chosen in a list; None for no amount."""
    if value == NOTHING:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= len(str(MAX_POINTS))):
        raise RefusedError("unknown_button")
    return int(value)


def _lot(value: str) -> int:
    """Read the number of a lot, which is a digit from 1 to 9."""
    if len(value) != 1 or value not in _DIGITS[1:10]:
        raise RefusedError("unknown_button")
    return int(value)


def draft_panel(
    game: Game, bazaar: Bazaar, draft: Draft, words: str, pictures: Sequence[ui.Item[Any]] = (), *, planned: bool
) -> ui.LayoutView:
    """Return the panel of a draft: the plan in ``words``, pictures, and lists; ``planned`` if a plan is sealed."""
    panel = _DraftPanel(game, bazaar, draft)
    lists = [part for entries in panel.lists() for part in rows([entries])]
    return layout(words, pictures, lists, rows(list(panel.buttons(planned=planned))))


@dataclass(frozen=True, slots=True)
class _DraftPanel:
    """Builds the lists and buttons of a draft."""

    game: Game
    bazaar: Bazaar
    draft: Draft

    def lists(self) -> Iterator[Press]:
        """Yield the lists: the tile, its highest bid, its opening bid, and the price to keep a tile."""
        draft, plan = self.draft, self.draft.plan
        tiles = [
            (str(lot + 1), clip(t("plan.tile", lot=lot + 1, tile=tile_words(self.bazaar.tiles[lot])), MAX_LABEL))
            for lot in self.bazaar.open_lots
        ]
        yield self._list(TILE, tiles, str(draft.lot))
        if not self.bazaar.draft:
            limit = dict(plan.limits).get(draft.lot)
            yield self._amounts(LIMIT, limit, first=1)
        bids = {entry.lot: entry.bid for entry in plan.openings}
        yield self._amounts(OPENING, bids.get(draft.lot), first=0)
        if not self.bazaar.draft:
            yield self._amounts(BUY, plan.buy, first=0)

    def _amounts(self, field: str, now: int | None, *, first: int) -> Press:
        """Return a list of amounts; a draft of tiles without bids only asks whether to choose a tile."""
        amounts = [0] if self.bazaar.draft else [amount for amount in AMOUNTS if amount >= first]
        if now is not None and now not in amounts:
            amounts = sorted([*amounts[:-1], now])
        lot, kind = self.draft.lot, f"{field}_draft" if self.bazaar.draft else field
        entries = [(NOTHING, t(f"plan.list_{field}_nothing", lot=lot))]
        entries += [(str(amount), t(f"plan.list_{kind}", lot=lot, count=amount)) for amount in amounts]
        return self._list(field, entries, NOTHING if now is None else str(now))

    def _list(self, field: str, entries: Sequence[tuple[str, str]], now: str) -> Press:
        """Return a list of entries, given as pairs of value and label; ``now`` is the chosen value."""
        options = [SelectOption(label=label, value=value, default=value == now) for value, label in entries]
        menu = ui.Select[ui.LayoutView](custom_id=self._key(field), placeholder=t("plan.choose"), options=options)
        return Press(cast("Any", menu))

    def _key(self, field: str) -> str:
        """Return the custom id of a list or button: the field that it changes, and the draft."""
        return str(Key(DRAFT, self.game.code, self.game.revision, f"{field} {self.draft}"))

    def buttons(self, *, planned: bool) -> Iterator[Press]:
        """Yield the two switches, and the buttons that seal the draft, take the plan back, or open the typed form."""
        plan, code, revision = self.draft.plan, self.game.code, self.game.revision
        yield button(SEAL, code, revision, t("button.seal"), argument=str(self.draft), style=ButtonStyle.primary)
        if not self.bazaar.draft:
            how = t("plan.raise_leap" if plan.leap else "plan.raise_least")
            yield button(DRAFT, code, revision, how, argument=f"{RAISE} {self.draft}")
        yield button(
            DRAFT,
            code,
            revision,
            t("plan.else_pass" if plan.passes else "plan.else_ask"),
            argument=f"{ELSE} {self.draft}",
        )
        yield button(TYPE_PLAN, code, revision, t("button.type_plan"), argument=str(self.draft))
        empty = replace(self.draft, plan=BazaarPlan(bazaar=plan.bazaar))
        if planned and empty != self.draft:
            yield button(SEAL, code, revision, t("button.drop_plan"), argument=str(empty))
