"""Reconstruction of a table from its description in words, the *In Words* panel for players who do not see pictures.

Sentences are recognised by matching the texts of a language, so this works in every language. The same data is taken
from the engine, for comparison.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import Any

from cogs.games.presenters import PRESENTERS
from cogs.texts import catalogue, has_text, t
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import current_language
from cogs.words.names import capital, segment_aloud, sides, split_corners
from cogs.words.story import SPEECH_LIMIT, pages
from cogs.words.telling import FEATURES, LASTING, OVERVIEW, SUPPLIES, TILES, TableDescription
from engine import Cell, Pass, hints_on, tiles
from engine.carcassonne import Axis, Segment, tile
from engine.carcassonne.expansions import OFFERED_TILE_SETS
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
from engine.carcassonne.expansions.king_robber import Marker, holding_of
from engine.carcassonne.expansions.traders_builders import Goods, goods_of
from engine.carcassonne.tiles import tile_set
from engine.the_castle import GAME as CASTLE
from engine.the_castle import WallTile, default_tile_set, wall

Drawing = tuple[tuple[str, ...], frozenset[str], str]
"""The visible properties of a tile: its segments and attributes, and its id if another tile has the same ones."""
RIVER_ENDS = {"river/FIFF": "spring", "r2/FIFF": "spring", "gq/FIFR": "spring", "river/FFFI": "lake"}
"""The ends of the river by tile, where the spring or lake is not an attribute of a segment."""
PLACEHOLDER_PATTERNS = {"count": r"[\d\N{MINUS SIGN}]+", "cell": r"[A-Z]+-?\d+"}
"""Patterns of placeholders for numbers and cells; the values of all others are words."""
CELL_PATTERN = re.compile(r"\b[A-Z]+-?\d+\b")
"""A cell: column letters and row number, which may be negative."""


@cache
def patterns_of(language: str, key: str) -> list[re.Pattern[str]]:
    """Return a pattern for each form of a text, with a group for each placeholder."""
    patterns = []
    for text in texts_of(catalogue(language).sentences[key]):
        pieces = re.split(r"\{(\w+)(?::\w+)?\}", text)
        pattern = "".join(
            f"(?P<{piece}>{PLACEHOLDER_PATTERNS.get(piece, '.+?')})" if index % 2 else re.escape(piece)
            for index, piece in enumerate(pieces)
        )
        patterns.append(re.compile(pattern, re.DOTALL))
    return patterns


def parse(key: str, text: str) -> dict[str, str] | None:
    """Return the placeholder values of a sentence in the current language; None if it is another text."""
    return next(
        (match.groupdict() for form in patterns_of(current_language(), key) if (match := form.fullmatch(text))), None
    )


def parse_all(key: str, lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the placeholder values of all lines that are this text."""
    return (values for line in lines if (values := parse(key, line)) is not None)


def all_tile_kinds(game: str) -> list[tiles.TileKind]:
    """Return all kinds of tiles of a game, with the start tiles on the wall of The Castle."""
    if game == CASTLE:
        return [*default_tile_set().kinds.values(), *(start.kind for start in wall().starts)]
    return [kind for name in OFFERED_TILE_SETS for kind in tile_set(name).values()]


def drawing(kind: tiles.TileKind, rotation: int) -> Drawing:
    """Return the visible properties of a rotated tile, independent of its number."""
    segments = (
        (str(part.kind), part.places, [getattr(part, name, None) for name in ("pennants", "drawn", "markets", "well")])
        for part in turned_segments(kind, rotation)
    )
    return tuple(sorted(map(repr, segments))), kind.flags, RIVER_ENDS.get(kind.id, "")


def turned_segments(kind: tiles.TileKind, rotation: int) -> list[Any]:
    """Return the segments of a rotated tile."""
    segments: tuple[Any, ...] = kind.segments
    return [segment.turned(rotation // 90) for segment in segments]


@cache
def tiles_by_description(game: str, _language: str) -> dict[str, tuple[tiles.TileKind, int]]:
    """Return a tile and its rotation for each description in the current language."""
    tile_aloud = PRESENTERS[game].tile_aloud
    return {tile_aloud(kind, turn): (kind, turn) for kind in all_tile_kinds(game) for turn in (0, 90, 180, 270)}


@dataclass
class RebuiltTable:
    """A table reconstructed from its description."""

    game: str
    names: tuple[str, ...]
    scores: dict[str, int] = field(default_factory=dict)
    tiles: dict[str, Drawing] = field(default_factory=dict)
    bridges: dict[str, str] = field(default_factory=dict)
    figures: Counter[tuple[str, str, str, str, tuple[int, ...]]] = field(default_factory=Counter)
    """The figures: player, name of the figure, cell, kind of segment, places of the segment."""
    newest: dict[str, str] = field(default_factory=dict)
    """The cell of each player's last tile."""
    face_down: int = 0
    segments: dict[str, Collection[Any]] = field(default_factory=dict, compare=False)
    """The segments of each tile, by its cell."""
    supplies: dict[str, list[int]] = field(default_factory=dict)
    castles: list[tuple[str, str, str, int]] = field(default_factory=list)
    """The castles: cells, builder, "True" if scored, number of castle tokens shown."""
    fiefs: dict[str, frozenset[str]] = field(default_factory=dict)
    """The cells of each fief, by the cells of its castle."""
    waiting: list[tuple[str, Drawing]] = field(default_factory=list)
    """The bought tiles that players have still to place."""
    hand: Drawing | None = None
    lots: dict[str, Drawing] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    selector: str = ""
    bid: tuple[str, str, int] | None = None
    """The current bid: player, lot, amount."""
    bidders: frozenset[str] = frozenset()
    """The players who may still bid."""
    goods: dict[str, dict[str, int]] = field(default_factory=dict)
    fairy: tuple[str, str, frozenset[str]] | None = None
    """The fairy's cell, her follower's cell, and the kinds of its feature; several if they share a name."""
    markers: dict[str, tuple[frozenset[str], int]] = field(default_factory=dict)
    """The holders of the King and the Robber Baron, and the tiles that won them."""
    towers: list[int] = field(default_factory=list)
    spaces: dict[str, int] = field(default_factory=dict)
    keeps: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict)
    """Size and cells of the house below each keep."""
    held: dict[str, list[int]] = field(default_factory=dict)
    """The wall tiles that each player has taken."""

    # -- parsing ----------------------------------------------------------------------------------------------------

    def read(self, telling: TableDescription) -> None:
        """Read all parts of a description, page by page."""
        lines = {part: self._checked_lines(telling, part) for part in telling.parts}
        scores = parse_all("tell.score", lines[OVERVIEW])  # each name is followed by a colour in brackets
        self.scores = {found["player"].rpartition(" (")[0]: number_of(found["count"]) for found in scores}
        self._read_overview([line.removesuffix(".") for line in lines[OVERVIEW]])
        hand = next(parse_all("tell.hand", [line.removesuffix(".") for line in lines[OVERVIEW]]), None)
        self.hand = self._tile(hand["tile"])[0] if hand else None
        for line in lines[TILES]:
            self._read_tile(line.removesuffix("."))
        for line in lines[SUPPLIES]:
            player, _, pieces = line.partition(": ")
            self.supplies[player] = [int(found) for found in re.findall(r"\b\d+\b", pieces)]
            self._read_held(player, pieces.removesuffix("."))
            if goods := dict(self._goods(pieces.removesuffix(".").split(", "))):
                self.goods[player] = goods
        self._read_boxes(lines)
        self._read_bids([line.removesuffix(".") for line in lines.get("bazaar", [])])
        self._read_fairy(lines.get("fairy", []))
        self._read_markers(lines.get("king_robber", []))
        self._read_wall(lines.get("wall", []))

    def _read_overview(self, lines: Sequence[str]) -> None:
        """Read the players' last tiles, and how many tiles lie face down."""
        for key in ("tell.last", "tell.last_of"):
            self.newest |= {found["player"]: found["cell"] for found in parse_all(key, [f"{line}." for line in lines])}
        self.face_down = next((int(found["count"]) for found in parse_all("headline.pile", lines)), 0)

    def _read_held(self, player: str, pieces: str) -> None:
        """Read the wall tiles that a player of The Castle holds."""
        for kind in map(int, WallTile):
            use = t(f"wall_tile.use.{kind}") if kind else ""
            for times, key in ((2, "wall_tile.twice"), (1, "wall_tile.named")):
                if self.game == CASTLE and kind and t(key, number=kind, use=use) in pieces:
                    self.held.setdefault(player, []).extend([kind] * times)

    @staticmethod
    def _checked_lines(telling: TableDescription, part: str) -> list[str]:
        """Return the lines of a part; each of its pages has to keep the limit and end with a sentence."""
        checked_pages = pages(telling.entries(part), SPEECH_LIMIT)
        assert all(len(page) <= SPEECH_LIMIT and page.endswith((".", "!", "?")) for page in checked_pages), (
            checked_pages
        )
        return [line for page in checked_pages for line in page.splitlines()]

    def _tile(self, words: str) -> tuple[Drawing, dict[str, Any], list[str]]:
        """Return the described tile, its segments by name, and the texts after it."""
        known_tiles = tiles_by_description(self.game, current_language())
        pieces = words.split("; ")
        prefixes = list(accumulate(pieces, lambda one, other: f"{one}; {other}"))
        # A tile's description may contain semicolons as well: the longest prefix that describes a tile is the tile.
        count = max(index for index, prefix in enumerate(prefixes) if prefix in known_tiles)
        kind, rotation = known_tiles[prefixes[count]]
        segments = turned_segments(kind, rotation)
        segments_by_name = {segment_aloud(one, split_corners(kind, rotation, one.kind)): one for one in segments}
        return drawing(kind, rotation), segments_by_name, pieces[count + 1 :]

    def _read_tile(self, line: str) -> None:
        """Read a placed tile, with its bridge and figures."""
        cell, _, words = line.partition(": ")
        self.tiles[cell], segments, more = self._tile(words)
        self.segments[cell] = segments.values()
        for text in more:
            bridge = parse("tell.bridge", text)
            if bridge is not None:
                axis = next(axis for axis in Axis if sides(s.name for s in sorted(axis.sides)) == bridge["where"])
                self.bridges[cell] = axis.name
                segments[segment_aloud(bridge_segment(axis))] = bridge_segment(axis)
            else:
                player, _, figure = text.partition(": ")
                [(words, segment)] = [found for found in segments.items() if figure.endswith(f", {found[0]}")]
                named = figure.removesuffix(f", {words}")
                self.figures[player, named, cell, str(segment.kind), segment.places] += 1

    def _read_boxes(self, lines_by_part: dict[str, list[str]]) -> None:
        """Read castles, fiefs, lots and bought tiles."""
        for line in lines_by_part.get("castles", []):
            built = parse("tell.castle", line.split("; ")[0])
            assert built is not None, line
            scored = t("tell.castle_scored") in line
            castle_count = next((int(found["count"]) for found in parse_all("piece.castle", line.split("; "))), 1)
            cells = f"{built['one']} {built['other']}"
            self.castles.append((cells, built["player"], str(scored), castle_count))
            [fief] = parse_all("tell.fief", line.split("; "))
            self.fiefs[cells] = frozenset(CELL_PATTERN.findall(fief["cells"]))
        bazaar = [line.removesuffix(".") for line in lines_by_part.get("bazaar", [])]
        for found in parse_all("tell.lot", bazaar):
            self.lots[found["lot"]] = self._tile(found["tile"])[0]
        self.waiting = [(found["player"], self._tile(found["tile"])[0]) for found in parse_all("tell.to_lay", bazaar)]

    @staticmethod
    def _goods(pieces: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Yield the goods among a player's pieces, with their numbers."""
        for kind in map(str, Goods):
            yield from ((kind, int(found["count"])) for piece in pieces if (found := parse(f"piece.{kind}", piece)))

    def _read_bids(self, lines: Sequence[str]) -> None:
        """Read the sold lots, the selector, the current bid, and the players who may still bid."""
        for found in parse_all("tell.lot", lines):
            sold = parse("tell.lot_of", found["owner"])
            if sold is not None:
                self.owners[found["lot"]] = sold["player"]
        sentences = [f"{line}." for line in lines]
        self.selector = next((found["player"] for found in parse_all("tell.selector", sentences)), "")
        bids = [(found["player"], found["lot"], int(found["count"])) for found in parse_all("tell.bid", sentences)]
        self.bid = next(iter(bids), None)
        bidders = next((found["players"] for found in parse_all("tell.may_bid", sentences)), "")
        self.bidders = frozenset(name for name in self.names if name in bidders)

    def _read_fairy(self, lines: Sequence[str]) -> None:
        """Read the cells of the fairy and her follower."""
        for found in parse_all("tell.fairy", lines):
            where = parse("segment.at", found["where"])
            assert where is not None, lines
            kinds = {
                str(segment.kind)
                for segment in self.segments[where["cell"]]
                if segment_aloud(segment) == where["segment"]
            }
            self.fairy = found["cell"], where["cell"], frozenset(kinds)

    def _read_markers(self, lines: Sequence[str]) -> None:
        """Read the holders of the king and the robber baron."""
        for marker in map(str, Marker):
            for found in parse_all(f"tell.{marker}", lines):
                holders = frozenset(name for name in self.names if name in found["players"])
                self.markers[marker] = holders, int(found["count"])

    def _read_wall(self, lines: list[str]) -> None:
        """Read towers, markers and keeps of The Castle."""
        for found in parse_all("tell.wall_tiles", lines):
            self.towers = [int(re.findall(r"\d+", pair)[0]) for pair in found["spaces"].split("; ")]
        self.spaces = {found["player"]: int(found["space"]) for found in parse_all("tell.marker", lines)}
        self.keeps = {
            found["player"]: (int(found["size"]), frozenset(CELL_PATTERN.findall(found["cells"])))
            for found in parse_all("tell.keep", lines)
        }


def number_of(text: str) -> int:
    """Return the number of a text, which may have a typographic minus sign."""
    return int(text.replace("\N{MINUS SIGN}", "-"))


def table_from_engine(telling: TableDescription) -> RebuiltTable:
    """Return the table with the same contents, taken from the engine."""
    position: Any = telling.position
    names = telling.names
    rebuilt = RebuiltTable(position.setup.game, tuple(names))
    rebuilt.scores = {name: position.scores[seat] for seat, name in enumerate(names)}
    rebuilt.hand = None if position.hand is None else drawing(position.hand, 0)
    rebuilt.tiles = {placed.cell.label: drawing(placed.tile, placed.rotation) for placed in position.placed()}
    for figure in position.standing_figures():
        role = f"role.{figure.segment.kind}"
        named = t(role if has_text(role) else f"figure.{figure.figure}")
        rebuilt.figures[
            names[figure.player], named, figure.cell.label, str(figure.segment.kind), figure.segment.places
        ] += 1
    rebuilt.newest = {names[placed.player]: placed.cell.label for placed in position.placed() if placed.player >= 0}
    rebuilt.face_down = position.pile_left
    if rebuilt.game == CASTLE:
        rebuilt.towers = list(position.corners)
        rebuilt.spaces = {name: position.scores[seat] % 100 for seat, name in enumerate(names)}
        houses = {seat: {cell.label for cell, _ in position.house_of(seat).parts} for seat in _with_keep(position)}
        rebuilt.keeps = {names[seat]: (position.keeps[seat].size, frozenset(cells)) for seat, cells in houses.items()}
        rebuilt.held = {names[seat]: sorted(map(int, tiles)) for seat, tiles in enumerate(position.hands) if tiles}
        return rebuilt
    axes = {placed.cell.label: bridge_on(placed) for placed in position.placed()}
    rebuilt.bridges = {cell: axis.name for cell, axis in axes.items() if axis}
    castles = castles_of(position)
    rebuilt.castles = [
        (
            *(" ".join(cell.label for cell in castle.cells), names[castle.player], str(castle.scored)),
            tokens_on(position, castle).shown,
        )
        for castle in castles
    ]
    rebuilt.fiefs = {
        " ".join(cell.label for cell in castle.cells): frozenset(cell.label for cell in castle.fief)
        for castle in castles
    }
    rebuilt.waiting = [(names[seat], drawing(tile(kind.id), 0)) for seat, kind in still_to_lay(position)]
    bazaar = getattr(position.step, "bazaar", None)
    rebuilt.lots = {str(lot): drawing(tile(kind.id), 0) for lot, kind in enumerate(bazaar.tiles, 1)} if bazaar else {}
    goods_by_seat = ({str(kind): count for kind, count in goods.items() if count} for goods in goods_of(position))
    rebuilt.goods = {name: goods for name, goods in zip(names, goods_by_seat, strict=True) if goods}
    fairy = fairy_of(position)
    if fairy is not None:
        cell, segment = position.land.part(fairy.follower.segment)
        rebuilt.fairy = fairy.cell.label, cell.label, frozenset({str(segment.kind)})
    holdings = {str(marker): holding_of(position, marker) for marker in Marker}
    rebuilt.markers = {
        marker: (frozenset(names[seat] for seat in holding.holders), holding.size)
        for marker, holding in holdings.items()
        if holding is not None
    }
    if bazaar and isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell):
        rebuilt.selector = names[bazaar.selector]
        rebuilt.owners = {str(lot): names[owner] for lot, owner in enumerate(bazaar.owners, 1) if owner >= 0}
        rebuilt.bid = (names[bazaar.bidder], str(bazaar.lot + 1), bazaar.bid) if bazaar.lot >= 0 else None
        rebuilt.bidders = frozenset(names[seat] for seat in _seats_asked_to_bid(position))
    assert all(isinstance(part, Segment) for placed in position.placed() for part in placed.tile.segments)
    return rebuilt


FeatureDescription = tuple[str, frozenset[str], frozenset[str], frozenset[tuple[str, str]], frozenset[str], int]
"""A feature: kind, cells, open sides, figures by cell, players with the majority, points."""


def features_from_description(telling: TableDescription) -> Counter[FeatureDescription]:
    """Return the described features."""
    features: Counter[FeatureDescription] = Counter()
    lines = [line.removesuffix(".") for part in (FEATURES, LASTING) for line in telling.entries(part)]
    for found in parse_all("tell.feature", lines):
        parts = found["parts"].split("; ")
        opened = {cell for match in parse_all("tell.open", parts) for cell in CELL_PATTERN.findall(match["cells"])}
        figures = {(match["player"], match["where"]) for match in parse_all("tell.figure", parts)}
        majority = {
            name for match in parse_all("tell.majority", parts) for name in telling.names if name in match["players"]
        }
        brings = [
            number_of(match["count"]) for key in ("tell.complete", "tell.at_end") for match in parse_all(key, parts)
        ]
        cells = frozenset(CELL_PATTERN.findall(found["cells"]))
        features[found["kind"], cells, frozenset(opened), frozenset(figures), frozenset(majority), brings[0]] += 1
    return features


def features_from_engine(telling: TableDescription) -> Counter[FeatureDescription]:
    """Return the features with the same contents, taken from the engine."""
    position, names, features = telling.position, telling.names, Counter[FeatureDescription]()
    squares_beyond = hints_on(position).squares_beyond
    for feature in position.features():
        if not feature.open_ends:
            continue
        opened = {Cell.at(square).label for square in squares_beyond(feature)} if feature.open_ends > 0 else set()
        figures = {(names[follower.player], follower.cell.label) for follower in feature.followers}
        has_several_players = len({follower.player for follower in feature.followers}) > 1
        majority = {names[seat] for seat in feature.owners} if has_several_players else set()
        kind = capital(t(f"feature.{feature.kind}"))
        cells = frozenset(cell.label for cell, _ in feature.parts)
        feature_points = telling.presenter.feature_points(position, feature)
        features[kind, cells, frozenset(opened), frozenset(figures), frozenset(majority), feature_points] += 1
    return features


def _with_keep(position: Any) -> list[int]:
    return [seat for seat, keep in enumerate(position.keeps) if keep]


def _seats_asked_to_bid(position: Any) -> Iterator[int]:
    """Yield the seats that will be asked for a bid if every player passes."""
    copy = position.copy()
    while isinstance(copy.step, BidOnLot):
        yield copy.player
        copy.apply(Pass())
