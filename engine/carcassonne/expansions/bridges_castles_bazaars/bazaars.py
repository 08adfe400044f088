"""The opening and closing of bazaars (BZ-01 to BZ-47, HV-01), also when a builder grants a second tile.

A bazaar is an auction of as many tiles (lots) as there are players. It opens when a tile with a bazaar symbol has been
placed and scored. :mod:`.auction` conducts it. A bazaar drawn while another one is in progress is delayed. Codes such
as BZ-01 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import NO_SEAT, Seat
from engine.agenda import Task
from engine.carcassonne.double_turns import SecondTile
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import (
    BAZAAR,
    Bazaar,
    ChooseLot,
    NextLot,
    NextPick,
    PlaceBought,
    bazaar_of,
    replace_tile,
    running_bazaar,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.events import (
    BazaarClosed,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    LotLost,
    LotsSetAside,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.table import Expansion, Placement, Tabletop
from engine.carcassonne.tiles import TileKind, tile

DELAYED: Final = "delayed bazaars"
"""Key in ``position.extra``: the players who drew a bazaar while another was in progress, in that order (BZ-38)."""

COUNTS_ONLY_PLAYING_SINCE: Final = 2
"""The first rules version in which resigned players do not count when the rules ask whether all have 0 points."""


class Bazaars(Expansion):
    """A drawn bazaar tile opens a bazaar when its placement is over (BZ-01, BZ-02)."""

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """Open the bazaar, or delay it while another is in progress (BZ-07, BZ-09, BZ-37)."""
        if not task.drawn or BAZAAR not in task.tile.flags:
            return
        if not _in_progress(position):
            open_bazaar(position, task.player)
        elif options_of(position).bazaar_tile_count_check == "at_start" or _enough_tiles(position):
            position.extra[DELAYED] = (*position.extra.get(DELAYED, ()), task.player)
            position.emit(BazaarDelayed(task.player))
        else:
            position.emit(BazaarSkipped(task.player))

    def tile_declined(self, position: Tabletop, step: Placement) -> None:
        """Replace a bought tile that its buyer declined, like one that fits nowhere (BZ-32)."""
        if not step.drawn:
            replace_tile(position, step.player)

    def face_up_tiles(self, position: Tabletop) -> Sequence[TileKind]:
        """Return the lots that are not placed yet, without those of players who have resigned."""
        bazaar = bazaar_of(position)
        if bazaar is None:
            return ()
        agenda, withdrawn = position.agenda, position.withdrawn
        face_up = [kind for _, kind in still_to_lay(position)]
        if any(isinstance(item, NextLot | NextPick | ChooseLot) for item in agenda):
            face_up += [bazaar.tiles[lot] for lot in bazaar.open_lots]
        if any(isinstance(item, NextLot) for item in agenda):  # in a draft, a tile is placed as soon as it is picked
            lots = zip(bazaar.tiles, bazaar.owners, strict=True)
            face_up += [tile for tile, owner in lots if owner >= 0 and not withdrawn[owner]]
        return face_up

    def set_aside(self, position: Tabletop) -> range:
        """Return the tiles set aside during a builder's second tile."""
        # The option is checked first, because this hook is called after every action.
        return set_aside(position) if options_of(position).bazaar_builder_order == "builder_first" else range(0)

    def game_ending(self, position: Tabletop) -> None:
        """Remove a bazaar that has not been closed, and delayed ones."""
        position.extra.pop(BAZAAR, None)
        position.extra.pop(DELAYED, None)


def still_to_lay(position: Tabletop) -> tuple[tuple[Seat, TileKind], ...]:
    """Return the bought tiles still to be laid after the one in hand, with their players, in this order (BZ-30).

    There are none in a draft, where each tile is laid as soon as it is picked.
    """
    waiting = (item for item in reversed(position.agenda) if isinstance(item, PlaceBought))  # from its top down
    return tuple((item.player, item.tile) for item in waiting if not position.withdrawn[item.player])


def _players_in_game(position: Tabletop) -> int:
    """Return the number of players who are still in the game."""
    return position.withdrawn.count(False)


def _enough_tiles(position: Tabletop) -> bool:
    """Return True if there are as many tiles as players (BZ-06), or any tile if the rest is auctioned anyway."""
    if options_of(position).bazaar_too_few_tiles == "reveal_rest":
        return position.pile_left > 0
    return position.pile_left >= _players_in_game(position)


def set_aside(position: Tabletop) -> range:
    """Return the indices of the tiles set aside face down for a bazaar (BZ-41), which precede ``next_tile``."""
    waiting = next((item for item in position.agenda if isinstance(item, TurnUp)), None)
    return range(0) if waiting is None else range(waiting.first, waiting.first + waiting.count)


def _in_progress(position: Tabletop) -> bool:
    """Return True if a bazaar is in progress, which begins when its tiles are taken (BZ-37, BZ-42)."""
    return bazaar_of(position) is not None or bool(set_aside(position))


def open_bazaar(position: Tabletop, active: Seat, *, checked: bool = False) -> bool:
    """Take the tiles (BZ-47) and turn them up; return False if there are too few (BZ-06).

    By option ``bazaar_builder_order`` the active player may lay their second tile in between (BZ-41).
    """
    if position.pile_left == 0 or not (checked or _enough_tiles(position)):
        position.emit(BazaarSkipped(active))
        return False
    lots = TurnUp(active, position.next_tile, min(_players_in_game(position), position.pile_left))
    position.next_tile += lots.count
    following = position.agenda[-1]
    builder_first = options_of(position).bazaar_builder_order == "builder_first"
    if builder_first and isinstance(following, SecondTile) and following.player == active:
        position.emit(LotsSetAside(active, lots.count))
        position.agenda[-1:] = [lots, following]  # the second tile stays on top
    else:
        lots.run(position)
    return True


def _nobody_has_points(position: Tabletop) -> bool:
    """Return True if all players have 0 points (BZ-23); in rules version 1 also those who have resigned."""
    standings = zip(position.scores, position.withdrawn, strict=True)
    return not any(points for points, out in standings if not out or position.setup.rules < COUNTS_ONLY_PLAYING_SINCE)


@dataclass(frozen=True, slots=True)
class TurnUp(Task[Tabletop]):
    """The turning up of ``count`` tiles from index ``first`` as lots of the bazaar of ``active`` (BZ-10)."""

    active: Seat
    first: int
    count: int

    def run(self, position: Tabletop) -> None:
        """Open the bazaar, which the player after the active one begins (BZ-11).

        Whether it is a draft depends on the scores at this moment (BZ-23).
        """
        tiles = tuple(map(tile, position.setup.pile[self.first : self.first + self.count]))
        options = options_of(position)
        without_points = options.bazaar_all_zero_fallback == "draft" and _nobody_has_points(position)
        draft = options.bazaar_mode == "draft" or without_points
        position.extra[BAZAAR] = Bazaar(self.active, tiles, (NO_SEAT,) * len(tiles), draft, self.active)
        position.emit(BazaarOpened(self.active, tiles, draft))
        position.agenda.append(CloseBazaar(self.active))
        position.agenda.append(NextPick(self.active) if draft else NextLot(self.active))


@dataclass(frozen=True, slots=True)
class CloseBazaar(Task[Tabletop]):
    """The end of a bazaar, after which delayed bazaars follow, first in, first out (BZ-38, BZ-46)."""

    active: Seat

    def run(self, position: Tabletop) -> None:
        """Discard lots without an owner, close the bazaar, and open the next one for which there are enough tiles."""
        bazaar = running_bazaar(position)
        for lot in bazaar.open_lots:
            position.emit(LotLost(self.active, bazaar.tiles[lot], declined=False, lot=lot + 1))
        position.extra[BAZAAR] = None
        position.emit(BazaarClosed(self.active))
        checked = options_of(position).bazaar_tile_count_check == "when_drawn"
        for _ in position.extra.get(DELAYED, ()):
            player, *rest = position.extra[DELAYED]
            position.extra[DELAYED] = tuple(rest)
            if open_bazaar(position, player, checked=checked):
                return
