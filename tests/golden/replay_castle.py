"""Replay recorded games of The Castle and print our engine's version: ``python tests/golden/replay_castle.py FILE…``.

Each line of a file after its header gives one printed line of JSON, with the keys of the recording and the values of
our engine. The decisions (placements, figures, the order of scoring, wall tiles) come from the recording. Everything
else (what is legal, offered, scored, taken and left) is read from the engine.

The replay of a file ends at the first line with a decision that the engine refuses, or without one that it asks for.
``{"error": …}`` is printed for that line, and the exit status is 1.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import Action, Cell, Deploy, Pass, Place
from engine.events import Completed, Event, Scored
from engine.the_castle import (
    ChooseFeature,
    DeployFollower,
    Double,
    DoubleFeature,
    ExtraTurn,
    FeatureKind,
    Options,
    PlaceTile,
    PlayAgain,
    Position,
    Setup,
    Triple,
    WallTile,
    court_results,
    empty_areas,
    keep_result,
    wall,
    wall_tile_results,
)
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken
from engine.the_castle.tilefile import DEFAULT_TILE_SET
from tests.golden.recordings import Line, RecordingError, print_facts, replay_lines

UPPER_LEFT = Cell.parse("A1")
"""The first cell of the map, from which recordings count rows and columns."""
PORTS = tuple(side + place for side in "NESW" for place in "apb")
"""The names of the three parts of each side, as in recordings."""
CATEGORIES = ("path", "tower", "house", "keep", "courts", "tile4", "tile5", "tile6", "tile7", "tile9")
"""The categories of the final scores."""


def replay_recording(recording: Sequence[Line]) -> list[Line]:
    """Return our engine's version of each line after the header."""
    return replay_lines(recording, Replay, Replay.replay_line)


def setup_of(header: Line) -> Setup:
    """Return the setup that a header describes."""
    on_corners = {spaces[0]: kind for spaces, kind in header["wall_tiles"]}
    if on_corners.keys() != set(wall().corners):
        raise RecordingError(f"wall tiles lie on {sorted(on_corners)}, not on {sorted(wall().corners)}")
    kinds = [*(on_corners[corner] for corner in wall().corners), *header["wall_tiles_out"]]
    return Setup(
        players=header["players"],
        pile=tuple(f"{DEFAULT_TILE_SET}/{name}" for name in header["draw"]),
        options=Options.of(header["options"]),
        wall_tiles=tuple(map(WallTile, kinds)),
    )


class Replay:
    """Replays one recorded game through the engine, line by line.

    Raises:
        EngineError: a recorded decision is not legal.
        RecordingError: the recording decides what the engine does not ask, or leaves out what it asks.
    """

    def __init__(self, header: Line) -> None:
        self.position = Position(setup_of(header))
        self.points = [0, 0]
        """Points without the final scoring, which recordings have in a line of its own."""
        self.drawn = 0
        """Number of tiles drawn before this turn."""
        self.turn = -1
        self.extra_turn = False
        self.player = 0
        """The player of this turn; between two turns, of the next one."""
        self.events: list[Event] = []
        self.all_events: list[Event] = []

    def replay_line(self, line: Line) -> Line:
        """Replay a line after the header."""
        return self.final() if line.get("final") else self.replay_turn(line)

    # -- turns ----------------------------------------------------------------------------------------------------

    def replay_turn(self, line: Line) -> Line:
        """Replay a turn with the recorded decisions; return its facts."""
        position, step = self.position, self.position.step
        self.turn += 1
        facts: Line = {"turn": self.turn, "player": self.player}
        if self.extra_turn:
            facts["extra_turn"] = True
        self.extra_turn = False
        drawn = [name.rpartition("/")[2] for name in position.setup.pile[self.drawn : position.next_tile]]
        self.drawn = position.next_tile
        tile = drawn.pop() if isinstance(step, PlaceTile) else None
        if drawn:
            facts["discarded_first"] = drawn
        facts |= {"tile": tile, "legal": [], "place": None, "deploy_offers": [], "deploy": None}
        facts |= {"scored": [], "boost_offers": [], "used": [], "taken": [], "keep_moves": [], "tile1_offer": False}
        if isinstance(step, PlaceTile):
            self._place(line, facts)
            self._deploy(line, facts)
        self.player = 1 - self.player if not self.extra_turn else self.player
        facts["after"] = self._after()
        return facts

    def _place(self, line: Line, facts: Line) -> None:
        """Report the legal placements, and place the tile."""
        actions = [action for action in self.position.legal_actions if isinstance(action, Place)]
        facts["legal"] = sorted([*row_and_column(action.cell), action.rotation] for action in actions)
        if line["place"] is None:
            raise RecordingError(f"turn {self.turn}: no tile is laid, but the engine has drawn one")
        row, column, rotation = facts["place"] = line["place"]
        self.events = []
        self._apply(Place(Cell(UPPER_LEFT.x + column, UPPER_LEFT.y + row), rotation))

    def _deploy(self, line: Line, facts: Line) -> None:
        """Report where a figure may be deployed, deploy it, and score the turn."""
        position, step = self.position, self.position.step
        if not isinstance(step, DeployFollower):
            raise RecordingError(f"turn {self.turn}: no figure is asked for")
        placed = position.tile_at(step.cell)
        offered = {action.segment for action in position.legal_actions if isinstance(action, Deploy)}
        segments = {segment.name: segment for segment in placed.face.segments} if placed else {}
        offers = {name: [str(segments[name].kind), ports(segments[name])] for name in offered}
        facts["deploy_offers"] = sorted(offers.values(), key=lambda offer: (offer[0], list(map(PORTS.index, offer[1]))))
        facts["deploy"] = line["deploy"]
        ward = position.copy().ward
        finished = [
            (ward.kind[ward.find(segment)], ward.cells(ward.find(segment)), self._parts(segment))
            for segment in ward.take_completed_segments()
        ]
        name = next((name for name, offer in offers.items() if offer == line["deploy"]), None)
        if line["deploy"] is not None and name is None:
            raise RecordingError(f"turn {self.turn}: {line['deploy']} is not offered")
        self._apply(Pass() if name is None else Deploy(name))
        self._score(line, facts)
        self._report_events(facts, finished, [feature_key(entry[3]) for entry in line["scored"]])

    def _score(self, line: Line, facts: Line) -> None:
        """Make the decisions after the deployment: the order of features, wall tiles, an extra turn."""
        order = [feature_key(entry[3]) for entry in line["scored"]]
        used = Counter(event for _, kind, event in line["used"] if kind != WallTile.EXTRA_TURN)
        while True:
            number = sum(isinstance(event, Completed) for event in self.events)
            match self.position.step:
                case ChooseFeature(options=options):
                    features = {
                        feature_key(feature_parts(self.position.feature_at(action.cell, action.segment).parts)): action
                        for action, _ in options
                    }
                    if not features.keys() & set(order):
                        raise RecordingError(f"turn {self.turn}: none of the features asked for is scored")
                    self._apply(features[next(parts for parts in order if parts in features)])
                case DoubleFeature(kind=kind, count=count):
                    facts["boost_offers"].append([number, int(kind), count])
                    if used[number] > 2:
                        raise RecordingError(f"turn {self.turn}: {used[number]} wall tiles are used for one feature")
                    self._apply((Pass(), Double(), Triple())[used[number]])
                case ExtraTurn():
                    facts["tile1_offer"] = True
                    self.extra_turn = any(kind == WallTile.EXTRA_TURN for _, kind, _ in line["used"])
                    self._apply(PlayAgain() if self.extra_turn else Pass())
                case _:
                    return

    def _apply(self, action: Action) -> None:
        """Apply a decision and keep its events."""
        events = self.position.apply(action)
        self.events += events
        self.all_events += events

    # -- events and the position after a turn ---------------------------------------------------------------------

    def _report_events(
        self, facts: Line, finished: list[tuple[str, tuple[Cell, ...], list[Any]]], order: list[Any]
    ) -> None:
        """Add the scores, wall tiles and keeps of the events to the facts of the turn."""
        at_end = self.position.options.tc_wall_pickup == "end_of_turn"
        scored: list[list[Any]] = facts["scored"]
        for event in self.events:
            number = len(scored) - 1
            match event:
                case Completed(kind, cells):
                    candidates = [entry for entry in finished if entry[:2] == (kind, cells)]
                    candidates.sort(
                        key=lambda entry: order.index(feature_key(entry[2])) if feature_key(entry[2]) in order else 99
                    )
                    finished.remove(candidates[0])
                    scored.append([None, 0, str(kind), candidates[0][2], 1])
                case Scored(player, points, final=False):
                    scored[-1][:2] = [player, points]
                    self.points[player] += points
                case WallTilesUsed(player, kind, count):
                    extra = kind is WallTile.EXTRA_TURN
                    facts["used"] += [[player, int(kind), None if extra else number]] * count
                    if not extra:
                        scored[-1][4] = 1 + count
                case WallTileTaken(player, kind, space):
                    facts["taken"].append([player, int(kind), space, None if at_end else number])
                case KeepMoved(player, size):
                    facts["keep_moves"].append([player, size, number])
        scored.sort(key=lambda entry: (entry[0] is None, (entry[2], order_of(entry[3])) if entry[0] is None else ()))

    def _after(self) -> Line:
        """Return the state after the turn."""
        position = self.position
        left = len(position.setup.pile) - self.drawn
        keeps: list[Any] = []
        for seat in (0, 1):
            keep, house = position.keeps[seat], position.house_of(seat)
            keeps.append([keep.size, feature_parts(house.parts)] if keep and house else None)
        return {
            "points": list(self.points),
            "track": [points % 100 for points in self.points],
            "followers": list(position.supply["follower"]),
            "hands": [list(map(int, hand)) for hand in position.hands],
            "keep": keeps,
            "wall": [corner for corner in wall().corners if corner not in position.taken],
            "pile": left,
            "to_move": self.player if left else None,
            "standing": sorted(
                [figure.player, str(figure.segment.kind), *row_and_column(figure.cell), ports(figure.segment)]
                for figure in position.standing_figures()
            ),
            "features": self._features(),
        }

    def _features(self) -> list[Any]:
        """Return every feature with its parts and figures."""
        features = []
        for feature in self.position.features():
            figures = [sum(figure.player == seat for figure in feature.followers) for seat in (0, 1)]
            extra = bool(feature.marks) if feature.kind == FeatureKind.PATH else feature.marks
            parts = feature_parts(feature.parts)
            features.append([str(feature.kind), parts, figures, int(feature.complete), int(extra)])
        return sorted(features, key=lambda entry: (entry[0], order_of(entry[1])))

    def _parts(self, segment: int) -> list[Any]:
        """Return the parts of the feature of a segment."""
        cell, part = self.position.ward.part(segment)
        return feature_parts(self.position.feature_at(cell, part.name).parts)

    # -- the end --------------------------------------------------------------------------------------------------

    def final(self) -> Line:
        """Report the final scoring, which the engine has done with the last turn."""
        position = self.position
        if position.step is not None:
            raise RecordingError(f"turn {self.turn}: the game is not over")
        keeps = keep_result(position)
        areas = [area.size for area in empty_areas(position)]
        return {
            "final": True,
            "hands": [list(map(int, hand)) for hand in position.hands],
            "empty_areas": areas,
            "largest_empty": max(areas),
            "keep": {
                "sizes": list(keeps.sizes),
                "with_tile8": list(keeps.counted),
                "player": seat_or_none(keeps.player),
                "points": keeps.points,
            },
            "courts": [self._court(result) for result in court_results(position)],
            "wall_tiles": [
                [one.player, int(one.kind), one.held, one.points, self._parts(one.root) if one.root >= 0 else None]
                for one in wall_tile_results(position)
            ],
            "breakdown": breakdown(self.all_events),
            "totals": list(position.scores),
            "track": [points % 100 for points in position.scores],
            "winners": list(position.winners()),
        }

    def _court(self, result: Any) -> list[Any]:
        """Return the final result of a court."""
        merchants = self.position.ward.holders[result.root]
        figures = [sum(figure.player == seat for figure in merchants) for seat in (0, 1)]
        parts = self._parts(result.root)
        return [seat_or_none(result.player), result.points, result.markets, parts, figures, result.used]


def breakdown(events: Iterable[Event]) -> list[dict[str, int]]:
    """Return the points of both players by category."""
    points: list[dict[str, int]] = [defaultdict(int), defaultdict(int)]
    for event in events:
        if not isinstance(event, Scored):
            continue
        own_points = points[event.player]
        if event.kind == FeatureKind.COURT:
            own_points["courts"] += event.terms[0].points
            own_points["tile7"] += sum(term.points for term in event.terms[1:])
        else:
            own_points[event.kind.replace("wall_tile_", "tile")] += event.points
    return [{name: own_points[name] for name in CATEGORIES} for own_points in points]


def seat_or_none(seat: int) -> int | None:
    """Return a seat as recordings write it, with None for no player."""
    return None if seat < 0 else seat


def row_and_column(cell: Cell) -> list[int]:
    """Return the row and column of a cell, counted from the upper left corner."""
    return [cell.y - UPPER_LEFT.y, cell.x - UPPER_LEFT.x]


def ports(segment: Any) -> list[str]:
    """Return the ports of a segment as oriented on the board, in the order of recordings."""
    return [PORTS[port] for port in sorted(segment.ports)]


def feature_parts(parts: Iterable[tuple[Cell, Any]]) -> list[Any]:
    """Return the parts of a feature as recordings list them."""
    listed = [[*row_and_column(cell), ports(segment)] for cell, segment in parts]
    return sorted(listed, key=lambda part: order_of([part]))


def order_of(parts: Iterable[list[Any]]) -> list[Any]:
    """Return a sort key for features, by their parts."""
    return [(row, column, list(map(PORTS.index, names))) for row, column, names in parts]


def feature_key(parts: Iterable[list[Any]]) -> frozenset[tuple[int, int, str]]:
    """Return a value that identifies a feature independently of the order of its parts."""
    return frozenset((row, column, port) for row, column, names in parts for port in names)


def main(paths: Sequence[str]) -> int:
    """Print our engine's version of every file; return 1 if it refused a decision, else 0."""
    return print_facts(paths, replay_recording)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
