"""A table rebuilt from what is told of it in words: sentences are recognised by the texts of a language alone."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import Any

from cogs.games.presenters import PRESENTERS
from cogs.texts import catalogue, known, t
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import spoken
from cogs.words.names import capital, segment_aloud, sides, split_corners
from cogs.words.story import ROOM, pages
from cogs.words.telling import FEATURES, LASTING, OVERVIEW, SUPPLIES, TILES, Telling
from engine import Cell, Pass, hints_on, tiles
from engine.carcassonne import Axis, Segment, tile
from engine.carcassonne.expansions import SETS
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    bridge_on,
    bridge_segment,
    castles_of,
    still_to_lay,
    tokens_on,
)
from engine.carcassonne.expansions.fairy import fairy_of
from engine.carcassonne.expansions.traders_builders import Goods, goods_of
from engine.carcassonne.tiles import tile_set
from engine.the_castle import GAME as CASTLE
from engine.the_castle import WallTile, designed, wall

Drawn = tuple[tuple[str, ...], frozenset[str], str]
ENDS = ("river/FIFF", "river/FFFI")
"""Where the river begins and ends: what is drawn there is no attribute of a segment."""


NUMBERS = {"count": r"[\d\N{MINUS SIGN}]+"}
"""How the values look that are numbers: all others are words."""
CELLS = re.compile(r"\b[A-Z]+-?\d+\b")


@cache
def forms(language: str, key: str) -> list[re.Pattern[str]]:
    """Each form of a sentence, with a group for each value that it takes."""
    found = []
    for text in texts_of(catalogue(language).sentences[key]):
        pieces = re.split(r"\{(\w+)(?::\w+)?\}", text)
        wanted = "".join(
            f"(?P<{piece}>{NUMBERS.get(piece, '.+?')})" if at % 2 else re.escape(piece)
            for at, piece in enumerate(pieces)
        )
        found.append(re.compile(wanted, re.DOTALL))
    return found


def heard(key: str, text: str) -> dict[str, str] | None:
    """The values of a sentence in the language that is spoken; None if this is another one."""
    return next((match.groupdict() for form in forms(spoken(), key) if (match := form.fullmatch(text))), None)


def each(key: str, lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """The values of all lines that are this sentence."""
    return (values for line in lines if (values := heard(key, line)) is not None)


def every_tile(game: str) -> list[tiles.TileKind]:
    """Each drawing of a game, and what is drawn on the wall of The Castle."""
    if game == CASTLE:
        return [*designed().kinds.values(), *(start.kind for start in wall().starts)]
    return [kind for name in SETS for kind in tile_set(name).values()]


def drawing(kind: tiles.TileKind, rotation: int) -> Drawn:
    """What one sees of a tile that lies so, whatever its number."""
    seen = (
        (str(part.kind), part.places, [getattr(part, name, None) for name in ("pennants", "drawn", "markets", "well")])
        for part in turned(kind, rotation)
    )
    return tuple(sorted(map(repr, seen))), kind.flags, kind.id if kind.id in ENDS else ""


def turned(kind: tiles.TileKind, rotation: int) -> list[Any]:
    """The segments of a tile that lies so."""
    segments: tuple[Any, ...] = kind.segments
    return [segment.turned(rotation // 90) for segment in segments]


@cache
def known_tiles(game: str, _language: str) -> dict[str, tuple[tiles.TileKind, int]]:
    """A tile for each way in which one may be told in the language that is spoken."""
    lying = PRESENTERS[game].tile_aloud
    return {lying(kind, turn): (kind, turn) for kind in every_tile(game) for turn in (0, 90, 180, 270)}


@dataclass
class Rebuilt:
    """What was heard of a table."""

    game: str
    names: tuple[str, ...]
    scores: dict[str, int] = field(default_factory=dict)
    tiles: dict[str, Drawn] = field(default_factory=dict)
    bridges: dict[str, str] = field(default_factory=dict)
    figures: Counter[tuple[str, str, str, str, tuple[int, ...]]] = field(default_factory=Counter)
    """Who stands where: name, figure as it is called, cell, kind of segment, its places."""
    newest: dict[str, str] = field(default_factory=dict)
    """The cell of each player's last tile."""
    face_down: int = 0
    called: dict[str, Collection[Any]] = field(default_factory=dict, compare=False)
    """What is on each tile."""
    supplies: dict[str, list[int]] = field(default_factory=dict)
    castles: list[tuple[str, str, str, int]] = field(default_factory=list)
    """Cells, builder, whether it has scored, how many castles are shown on it."""
    fiefs: dict[str, frozenset[str]] = field(default_factory=dict)
    """The cells of each fief, by those of the castle."""
    waiting: list[tuple[str, Drawn]] = field(default_factory=list)
    """Who has still to lay which tile."""
    hand: Drawn | None = None
    lots: dict[str, Drawn] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    selector: str = ""
    bid: tuple[str, str, int] | None = None
    """Who bids, for which lot, how much."""
    bidders: frozenset[str] = frozenset()
    """Who may still bid."""
    goods: dict[str, dict[str, int]] = field(default_factory=dict)
    fairy: tuple[str, str, frozenset[str]] | None = None
    """Her cell, that of her follower, and the kinds of what he stands on; several where they are called alike."""
    towers: list[int] = field(default_factory=list)
    spaces: dict[str, int] = field(default_factory=dict)
    keeps: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict)
    """Size and cells of the house on which each keep stands."""
    held: dict[str, list[int]] = field(default_factory=dict)
    """The wall tiles that each player has taken."""

    # -- hearing ----------------------------------------------------------------------------------------------------

    def hear(self, telling: Telling) -> None:
        """Listen to all parts, page by page."""
        told = {part: self._lines(telling, part) for part in telling.parts}
        self.scores = {found["player"]: number(found["count"]) for found in each("tell.score", told[OVERVIEW])}
        self._hear_overview([line.removesuffix(".") for line in told[OVERVIEW]])
        hand = next(each("tell.hand", [line.removesuffix(".") for line in told[OVERVIEW]]), None)
        self.hand = self._tile(hand["tile"])[0] if hand else None
        for line in told[TILES]:
            self._hear_tile(line.removesuffix("."))
        for line in told[SUPPLIES]:
            player, _, pieces = line.partition(": ")
            self.supplies[player] = [int(found) for found in re.findall(r"\b\d+\b", pieces)]
            self._hear_held(player, pieces.removesuffix("."))
            if goods := dict(self._goods(pieces.removesuffix(".").split(", "))):
                self.goods[player] = goods
        self._hear_boxes(told)
        self._hear_bids([line.removesuffix(".") for line in told.get("bazaar", [])])
        self._hear_fairy(told.get("fairy", []))
        self._hear_wall(told.get("wall", []))

    def _hear_overview(self, lines: Sequence[str]) -> None:
        for key in ("tell.last", "tell.last_of"):
            self.newest |= {found["player"]: found["cell"] for found in each(key, [f"{line}." for line in lines])}
        self.face_down = next((int(found["count"]) for found in each("headline.pile", lines)), 0)

    def _hear_held(self, player: str, pieces: str) -> None:
        for kind in map(int, WallTile):
            use = t(f"wall_tile.use.{kind}") if kind else ""
            for times, key in ((2, "wall_tile.twice"), (1, "wall_tile.named")):
                if self.game == CASTLE and kind and t(key, number=kind, use=use) in pieces:
                    self.held.setdefault(player, []).extend([kind] * times)

    @staticmethod
    def _lines(telling: Telling, part: str) -> list[str]:
        told = pages(telling.entries(part), ROOM)
        assert all(len(page) <= ROOM and page.endswith((".", "!", "?")) for page in told), told
        return [line for page in told for line in page.splitlines()]

    def _tile(self, words: str) -> tuple[Drawn, dict[str, Any], list[str]]:
        """The tile that is told so, its segments by what they are called, and what is said behind it."""
        known = known_tiles(self.game, spoken())
        pieces = words.split("; ")
        starts = list(accumulate(pieces, lambda one, other: f"{one}; {other}"))
        count = max(at for at, start in enumerate(starts) if start in known)
        kind, rotation = known[starts[count]]
        segments = turned(kind, rotation)
        called = {segment_aloud(one, split_corners(kind, rotation, one.kind)): one for one in segments}
        return drawing(kind, rotation), called, pieces[count + 1 :]

    def _hear_tile(self, line: str) -> None:
        cell, _, words = line.partition(": ")
        self.tiles[cell], segments, more = self._tile(words)
        self.called[cell] = segments.values()
        for said in more:
            bridge = heard("tell.bridge", said)
            if bridge is not None:
                axis = next(axis for axis in Axis if sides(s.name for s in sorted(axis.sides)) == bridge["where"])
                self.bridges[cell] = axis.name
                segments[segment_aloud(bridge_segment(axis))] = bridge_segment(axis)
            else:
                player, _, figure = said.partition(": ")
                [(words, segment)] = [found for found in segments.items() if figure.endswith(f", {found[0]}")]
                named = figure.removesuffix(f", {words}")
                self.figures[player, named, cell, str(segment.kind), segment.places] += 1

    def _hear_boxes(self, told: dict[str, list[str]]) -> None:
        for line in told.get("castles", []):
            built = heard("tell.castle", line.split("; ")[0])
            assert built is not None, line
            scored = t("tell.castle_scored") in line
            shown = next((int(found["count"]) for found in each("piece.castle", line.split("; "))), 1)
            cells = f"{built['one']} {built['other']}"
            self.castles.append((cells, built["player"], str(scored), shown))
            [fief] = each("tell.fief", line.split("; "))
            self.fiefs[cells] = frozenset(CELLS.findall(fief["cells"]))
        bazaar = [line.removesuffix(".") for line in told.get("bazaar", [])]
        for found in each("tell.lot", bazaar):
            self.lots[found["lot"]] = self._tile(found["tile"])[0]
        self.waiting = [(found["player"], self._tile(found["tile"])[0]) for found in each("tell.to_lay", bazaar)]

    @staticmethod
    def _goods(pieces: Sequence[str]) -> Iterator[tuple[str, int]]:
        for kind in map(str, Goods):
            yield from ((kind, int(found["count"])) for piece in pieces if (found := heard(f"piece.{kind}", piece)))

    def _hear_bids(self, lines: Sequence[str]) -> None:
        for found in each("tell.lot", lines):
            sold = heard("tell.lot_of", found["owner"])
            if sold is not None:
                self.owners[found["lot"]] = sold["player"]
        whole = [f"{line}." for line in lines]
        self.selector = next((found["player"] for found in each("tell.selector", whole)), "")
        bids = [(found["player"], found["lot"], int(found["count"])) for found in each("tell.bid", whole)]
        self.bid = next(iter(bids), None)
        told = next((found["players"] for found in each("tell.may_bid", whole)), "")
        self.bidders = frozenset(name for name in self.names if name in told)

    def _hear_fairy(self, lines: Sequence[str]) -> None:
        for found in each("tell.fairy", lines):
            where = heard("segment.at", found["where"])
            assert where is not None, lines
            kinds = {str(one.kind) for one in self.called[where["cell"]] if segment_aloud(one) == where["segment"]}
            self.fairy = found["cell"], where["cell"], frozenset(kinds)

    def _hear_wall(self, lines: list[str]) -> None:
        for found in each("tell.wall_tiles", lines):
            self.towers = [int(re.findall(r"\d+", pair)[0]) for pair in found["spaces"].split("; ")]
        self.spaces = {found["player"]: int(found["space"]) for found in each("tell.marker", lines)}
        self.keeps = {
            found["player"]: (int(found["size"]), frozenset(CELLS.findall(found["cells"])))
            for found in each("tell.keep", lines)
        }


def number(text: str) -> int:
    """A number as it is told: what is below nothing has a minus of its own."""
    return int(text.replace("\N{MINUS SIGN}", "-"))


def seen(telling: Telling) -> Rebuilt:
    """The same as the engine has it."""
    position: Any = telling.position
    names = telling.names
    found = Rebuilt(position.setup.game, tuple(names))
    found.scores = {name: position.scores[seat] for seat, name in enumerate(names)}
    found.hand = None if position.hand is None else drawing(position.hand, 0)
    found.tiles = {placed.cell.label: drawing(placed.tile, placed.rotation) for placed in position.placed()}
    for one in position.standing_figures():
        role = f"role.{one.segment.kind}"
        named = t(role if known(role) else f"figure.{one.figure}")
        found.figures[names[one.player], named, one.cell.label, str(one.segment.kind), one.segment.places] += 1
    found.newest = {names[placed.player]: placed.cell.label for placed in position.placed() if placed.player >= 0}
    found.face_down = position.pile_left
    if found.game == CASTLE:
        found.towers = list(position.corners)
        found.spaces = {name: position.scores[seat] % 100 for seat, name in enumerate(names)}
        houses = {seat: {cell.label for cell, _ in position.house_of(seat).parts} for seat in _with_keep(position)}
        found.keeps = {names[seat]: (position.keeps[seat].size, frozenset(cells)) for seat, cells in houses.items()}
        found.held = {names[seat]: sorted(map(int, tiles)) for seat, tiles in enumerate(position.hands) if tiles}
        return found
    axes = {placed.cell.label: bridge_on(placed) for placed in position.placed()}
    found.bridges = {cell: axis.name for cell, axis in axes.items() if axis}
    castles = castles_of(position)
    found.castles = [
        (
            *(" ".join(cell.label for cell in castle.cells), names[castle.player], str(castle.scored)),
            tokens_on(position, castle).shown,
        )
        for castle in castles
    ]
    found.fiefs = {
        " ".join(cell.label for cell in castle.cells): frozenset(cell.label for cell in castle.fief)
        for castle in castles
    }
    found.waiting = [(names[seat], drawing(tile(kind.id), 0)) for seat, kind in still_to_lay(position)]
    bazaar = getattr(position.step, "bazaar", None)
    found.lots = {str(lot): drawing(tile(kind.id), 0) for lot, kind in enumerate(bazaar.tiles, 1)} if bazaar else {}
    taken = ({str(kind): count for kind, count in goods.items() if count} for goods in goods_of(position))
    found.goods = {name: goods for name, goods in zip(names, taken, strict=True) if goods}
    fairy = fairy_of(position)
    if fairy is not None:
        cell, segment = position.land.part(fairy.follower.segment)
        found.fairy = fairy.cell.label, cell.label, frozenset({str(segment.kind)})
    if bazaar and isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell):
        found.selector = names[bazaar.selector]
        found.owners = {str(lot): names[owner] for lot, owner in enumerate(bazaar.owners, 1) if owner >= 0}
        found.bid = (names[bazaar.bidder], str(bazaar.lot + 1), bazaar.bid) if bazaar.lot >= 0 else None
        found.bidders = frozenset(names[seat] for seat in _asked(position))
    assert all(isinstance(part, Segment) for placed in position.placed() for part in placed.tile.segments)
    return found


Told = tuple[str, frozenset[str], frozenset[str], frozenset[tuple[str, str]], frozenset[str], int]
"""A feature: its kind, its cells, where it is open, who stands on which cell, who has the majority, what it brings."""


def heard_features(telling: Telling) -> Counter[Told]:
    """What is told of the features, one by one."""
    told: Counter[Told] = Counter()
    lines = [line.removesuffix(".") for part in (FEATURES, LASTING) for line in telling.entries(part)]
    for found in each("tell.feature", lines):
        parts = found["parts"].split("; ")
        opened = {cell for one in each("tell.open", parts) for cell in CELLS.findall(one["cells"])}
        figures = {(one["player"], one["where"]) for one in each("tell.figure", parts)}
        most = {name for one in each("tell.majority", parts) for name in telling.names if name in one["players"]}
        brings = [number(one["count"]) for key in ("tell.complete", "tell.at_end") for one in each(key, parts)]
        cells = frozenset(CELLS.findall(found["cells"]))
        told[found["kind"], cells, frozenset(opened), frozenset(figures), frozenset(most), brings[0]] += 1
    return told


def seen_features(telling: Telling) -> Counter[Told]:
    """The same as the engine has it."""
    position, names, seen = telling.position, telling.names, Counter[Told]()
    beyond = hints_on(position).cells_beyond
    for feature in position.features():
        if not feature.open_ends:
            continue
        opened = {Cell.at(square).label for square in beyond(feature)} if feature.open_ends > 0 else set()
        figures = {(names[one.player], one.cell.label) for one in feature.followers}
        shared = len({one.player for one in feature.followers}) > 1
        most = {names[seat] for seat in feature.owners} if shared else set()
        kind = capital(t(f"feature.{feature.kind}"))
        cells = frozenset(cell.label for cell, _ in feature.parts)
        worth = telling.presenter.feature_points(position, feature)
        seen[kind, cells, frozenset(opened), frozenset(figures), frozenset(most), worth] += 1
    return seen


def _with_keep(position: Any) -> list[int]:
    return [seat for seat, keep in enumerate(position.keeps) if keep]


def _asked(position: Any) -> Iterator[int]:
    """Who is asked for a bid if everybody passes."""
    later = position.copy()
    while isinstance(later.step, BidOnLot):
        yield later.player
        later.apply(Pass())
