"""Replay recorded games through the engine and print its version of them: ``python tests/golden/replay.py FILE…``.

Each line of a file after its header gives one printed line of JSON, with the keys of the recording and the values of
our engine; ``comparison.py`` compares the two. The decisions (placements, bridges, followers, castles, lots, bids) come
from the recording. Everything else (what is legal, offered, asked, scored and left) is read from the engine.

The replay of a file ends at the first line with a decision that the engine refuses, or without one that it asks for.
``{"error": …}`` is printed for that line, and the exit status is 1.

The values of these keys say more than those of the recording:

- ``legal_with_bridge`` holds every bridge that makes a placement legal;
- ``bridge_offers`` also holds the bridges on neighbours of the tile just placed (rules BR-04 and BR-08);
- ``castles`` holds every player who decides about towns, with all their towns; a town is named by the tile just placed
  and the side of the tile on which it lies;
- ``scored`` holds ``[player, points, kind, parts]``. The parts name what was counted: ``tiles``, ``pennants``,
  ``cities``, ``castles``. A castle takes its points from a feature completed near it; its part is ``castle.`` and the
  kind of that feature. A castle without such a feature has no part.

Keys without a value (nothing offered, nothing built, nothing deployed) are left out. The feature of a follower in a
castle is written as ``castle``, with the tile and side on which the follower stood before its town became the castle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import Action, Cell, Deploy, Pass, Place
from engine.board import Follower
from engine.carcassonne import REGISTRY, Axis, Decline, DeployFollower, Options, PlaceTile, Position, Segment, Setup
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY,
    BARN,
    WAGON,
    DecideAbbey,
    DecideWagon,
    MoveWagon,
    PutBarn,
    UseAbbey,
    abbey_cells,
)
from engine.carcassonne.expansions.abbot import ABBOT, TakeAbbotHome
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bid,
    BidOnLot,
    BridgeBuilt,
    BuildBridge,
    BuildCastle,
    Buy,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    ChooseSource,
    DecideTown,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
    bazaar_of,
    bridge_on,
    bridge_segment,
    castles_of,
)
from engine.carcassonne.tiles import BASE_SET
from engine.events import Deployed, Event, Scored, TileDiscarded, TilePlaced
from tests.golden.recordings import Line, RecordingError, print_facts, replay_lines

ALWAYS_WRITTEN = ("legal", "scored")
"""Keys of a turn that are written even without a value."""
UNFINISHED_KINDS = ("city", "road", "monastery", "garden")
"""Kinds that the recording calls ``….incomplete`` when they are scored at the end."""
FURTHER_BOXES = "golden-game/2"
"""The format of recordings with further boxes."""
NEW_BASE = "base-c2"
"""The name of the base game's tiles in the edition with gardens."""
SMALL = "small"
"""The name of the ordinary follower among the decisions of further recordings."""
SOURCE_OPTIONS = {
    ("wagon-move", "C2"): ("wagon_move", "c2"),
    ("barn-placement", "occupied"): ("barn_placement", "also_beside_barns"),
}
"""Our names and values of options that the source names otherwise, and that are not our defaults."""
ABBEY_TOKENS = "abbey_tile"
"""The name of the abbeys in supply."""
TILES_AT_CORNERS = {"NW": (0, 0), "NE": (1, 0), "SE": (1, 1), "SW": (0, 1)}
"""The tile south-east of each corner, by its offset in x and y: the recording names a barn by its field there."""
NEIGHBOUR_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The offset, in x and y, of the neighbour at each side."""


def replay_recording(recording: Sequence[Line]) -> list[Line]:
    """Return our engine's version of each line after the header."""
    further = bool(recording) and recording[0].get("format") == FURTHER_BOXES
    return replay_lines(recording, FurtherReplay if further else Replay, Replay.replay_line)


def setup_of(header: Line) -> Setup:
    """Return the setup that a header describes, with its one start tile in the middle.

    Recordings of further boxes name the box apart from the sets of tiles, one of which may be that of an edition, and
    have options of their source beside ours.
    """
    [[start_tile, _, _, start_rotation]] = header["start"]
    known = Options.values()
    boxes = [*(name for name in header["sets"] if not name.startswith(BASE_SET)), *filter(None, [header.get("box")])]
    options = {name: value for name, value in header["options"].items() if value in known.get(name, ())}
    options |= dict(SOURCE_OPTIONS[entry] for entry in header["options"].items() if entry in SOURCE_OPTIONS)
    if NEW_BASE in header["sets"]:
        options["tile_edition"] = "c2"
    return Setup(
        players=header["players"],
        pile=tuple(header["draw"]),
        options=Options.of(options if "box" in header else header["options"]),
        expansions=tuple(name for name in REGISTRY if name in boxes) if "box" in header else tuple(boxes),
        start_tile=start_tile,
        start_rotation=start_rotation,
    )


class Replay:
    """Replays one recorded game through the engine, line by line.

    Raises:
        EngineError: a recorded decision is not legal.
        RecordingError: the recording decides what the engine does not ask, or leaves out what it asks.
    """

    def __init__(self, header: Line) -> None:
        self.position = Position(setup_of(header))
        self.events: list[Event] = []
        self.picks: list[int] = []
        self.drafted: list[Line] = []

    def apply(self, action: Action) -> None:
        """Apply a decision and keep its events."""
        self.events += self.position.apply(action)

    def replay_line(self, line: Line) -> Line:
        """Replay a line after the header."""
        return self.replay_bazaar(line["bazaar"]) if "bazaar" in line else self.replay_turn(line)

    # -- a turn ----------------------------------------------------------------------------------------------

    def replay_turn(self, line: Line) -> Line:
        """Replay a turn: one tile from the hand to the end of its scoring."""
        if isinstance(self.position.step, ChooseLot):
            self._pick()
        step = self.position.step
        if not isinstance(step, PlaceTile):
            raise RecordingError(f"a turn is recorded, but the engine is at {step!r}")
        facts: Line = {"player": step.player, "tile": step.tile.id}
        facts["discarded_first"] = [
            event.tile.id for event in self.events if isinstance(event, TileDiscarded) and not event.declined
        ]
        facts |= self._placements()
        self.events = []
        if line.get("declined"):
            self.apply(Decline())
            facts["declined"] = True
        else:
            facts |= self._place(line)
        facts |= self._castles(line)
        facts["game_over"] = self.position.is_over
        facts |= {"scored": self._scored(), "after": self._after()}
        return {
            key: value for key, value in facts.items() if key in ALWAYS_WRITTEN or (value != [] and value is not False)
        }

    def _castles(self, line: Line) -> Line:
        """Answer the questions for castles, and return what was answered."""
        return {"castles": self._answer_questions(line)}

    def _placements(self) -> Line:
        """Return the legal placements without and with a bridge."""
        places = [action for action in self.position.legal_actions if isinstance(action, Place)]
        return {
            "legal": sorted([*place.cell, place.rotation] for place in places if place.aid is None),
            "legal_with_bridge": sorted(
                [*place.cell, place.rotation, *place.aid.cell, str(place.aid.axis)] for place in places if place.aid
            ),
        }

    def _place(self, line: Line) -> Line:
        """Place the tile, build the bridge, deploy the follower; return the facts of the turn."""
        x, y, rotation = line["place"]
        bridge = _bridge(line["bridge"]) if "bridge" in line else None
        optional = line.get("bridge_optional", False)
        self.apply(Place(Cell(x, y), rotation, None if optional else bridge))
        facts: Line = {"bridge_offers": self._bridge_offers()}
        offers = self._deploy_offers()
        if optional and bridge is not None:
            facts |= {"deploy_offers_before_bridge": offers, "bridge_optional": True}
            self.apply(bridge)
            offers = self._deploy_offers()
        if offers or facts["bridge_offers"]:
            facts["deploy_offers"] = offers
        if isinstance(self.position.step, DeployFollower):
            self.apply(self._deployment(line["deploy"]) if "deploy" in line else Pass())
        return facts | self._applied_decisions()

    def _bridge_offers(self) -> list[list[Any]]:
        """Return the bridges that may be built after the placement."""
        actions = self.position.legal_actions if isinstance(self.position.step, DeployFollower) else ()
        return sorted([*action.cell, str(action.axis)] for action in actions if isinstance(action, BuildBridge))

    def _deploy_offers(self) -> dict[str, list[list[Any]]]:
        """Return the features on which each figure may be deployed."""
        offers: dict[str, list[list[Any]]] = {}
        for action, cell, segment in self._deployments():
            offers.setdefault(action.figure, []).append(_feature_at(cell, segment))
        return {figure: sorted(places) for figure, places in offers.items()}

    def _deployments(self) -> Iterator[tuple[Deploy, Cell, Segment]]:
        """Yield the deployments offered, with their cells and segments."""
        step = self.position.step
        if not isinstance(step, DeployFollower):
            return
        placed = self.position.tile_at(step.cell)
        if placed is None:
            raise RecordingError(f"no tile on {step.cell.label}")
        segments = [*placed.face.segments, *([bridge_segment(bridge_on(placed))] if bridge_on(placed) else [])]
        for action in self.position.legal_actions:
            if isinstance(action, Deploy):
                yield action, step.cell, next(entry for entry in segments if entry.name == action.segment)

    def _deployment(self, recorded: list[Any]) -> Deploy:
        """Return the deployment that the recording names."""
        for action, cell, segment in self._deployments():
            if [action.figure, *_feature_at(cell, segment)] == recorded:
                return action
        raise RecordingError(f"deployment is not offered: {recorded}")

    def _applied_decisions(self) -> Line:
        """Return the placement, bridge and deployment according to the engine's events."""
        facts: Line = {}
        for event in self.events:
            match event:
                case TilePlaced():
                    facts["place"] = [*event.cell, event.rotation]
                case BridgeBuilt():
                    facts["bridge"] = [*event.cell, str(event.axis)]
                case Deployed():
                    facts["deploy"] = [event.figure, *_feature_at(event.cell, event.segment)]
        return facts

    # -- castles ---------------------------------------------------------------------------------------------

    def _answer_questions(self, line: Line) -> list[Line]:
        """Make the decisions while the turn is scored; return the players who decided about towns."""
        decisions_by_player: dict[int, Line] = {}
        castles = line.get("castles", ())
        to_build = {entry["player"]: _town(entry["build"]) for entry in castles if "build" in entry}
        while True:
            match self.position.step:
                case DecideTown(player=player, cells=cells):
                    entry = decisions_by_player.setdefault(player, {"player": player, "offers": []})
                    entry["offers"].append(_name_town(cells, line["place"]))
                    if to_build.get(player) == set(cells):
                        entry["build"] = entry["offers"][-1]
                        self.apply(BuildCastle())
                    else:
                        self.apply(ScoreTown())
                case ChooseCastleSource(player=player, options=options):
                    self.apply(_recorded_source(options, player, line.get("scored", ())))
                case _:
                    return list(decisions_by_player.values())

    # -- scores and the position after a turn ----------------------------------------------------------------

    def _scored(self) -> list[list[Any]]:
        """Return the scores of the turn."""
        return sorted(
            [event.player, event.points, _kind_scored(event), _parts_scored(event)]
            for event in self.events
            if isinstance(event, Scored)
        )

    def _after(self) -> Line:
        """Return the state after the turn."""
        position = self.position
        nothing = [0] * position.players
        return {
            "points": list(position.scores),
            "followers": list(position.supply["follower"]),
            "bridges": list(position.supply.get("bridge", nothing)),
            "castles": list(position.supply.get("castle", nothing)),
            "pile": position.pile_left,
            "standing": sorted(self._standing()),
            "features": sorted(self._features()),
        }

    def _standing(self) -> Iterator[list[Any]]:
        """Yield every figure on the board, including followers in castles."""
        for player, figure, cell, segment in self.position.standing_figures():
            yield [player, figure, *_feature_at(cell, segment)]
        for castle in castles_of(self.position):
            for player, figure, number in castle.followers:
                placed, segment = self.position.land.segment_of(number)
                yield [player, figure, "castle", *_feature_at(placed.cell, segment)[1:]]

    def _features(self) -> Iterator[list[Any]]:
        """Yield every feature with its parts and owners."""
        lords = {
            frozenset(castle.cells): sorted({lord.player for lord in castle.followers if self._counts(lord)})
            for castle in castles_of(self.position)
        }
        for feature in self.position.features():
            parts = sorted([*cell, _sides(segment)] for cell, segment in feature.parts)
            owners = list(feature.owners)
            if feature.kind == "castle":
                owners = lords[frozenset(cell for cell, _ in feature.parts)]
            yield [str(feature.kind), parts, owners]

    def _counts(self, follower: Follower) -> bool:
        """Return True if a follower in a castle scores with it, which a mayor does not (IX-13)."""
        return bool(self.position.figures[follower.figure].weight(self.position.land, follower))

    # -- a bazaar --------------------------------------------------------------------------------------------

    def replay_bazaar(self, recorded: Line) -> Line:
        """Replay an auction; of a draft, only note the picks, which the following turns apply (rule HV-01)."""
        bazaar = bazaar_of(self.position)
        if bazaar is None:
            raise RecordingError(f"a bazaar is recorded, but the engine is at {self.position.step!r}")
        lots: list[Line] = []
        if bazaar.draft:
            self.picks = [lot["tile"] for lot in recorded["lots"]]
            self.drafted = lots
        else:
            lots += [self._auction(lot) for lot in recorded["lots"]]
        facts = {
            "by": bazaar.active,
            "tiles": [kind.id for kind in bazaar.tiles],
            "lots": lots,
            "points_after": list(self.position.scores),
        }
        return {"bazaar": facts}

    def _pick(self) -> None:
        """Apply the next pick of a draft, and add it to the line of its bazaar."""
        if not self.picks:
            raise RecordingError(f"no lot is recorded, but the engine is at {self.position.step!r}")
        lot = self.picks.pop(0)
        self.drafted.append({"selector": self.position.player, "tile": lot})
        self.apply(PickLot(lot + 1))

    def _auction(self, recorded: Line) -> Line:
        """Auction one lot."""
        selector = self.position.player
        self.apply(SelectLot(recorded["tile"] + 1, recorded["opening"]))
        facts: Line = {"selector": selector, "tile": recorded["tile"], "opening": recorded["opening"]}
        amounts: dict[int, int | None] = dict(recorded["bids"])
        bids: list[list[int | None]] = []
        while isinstance(self.position.step, BidOnLot):
            player = self.position.player
            amount = amounts.get(player)
            bids.append([player, amount])
            self.apply(Pass() if amount is None else Bid(amount))
        facts["bids"] = bids
        if isinstance(self.position.step, BuyOrSell):
            facts["decision"] = recorded["decision"]
            self.apply(Buy() if recorded["decision"] == "buy" else Sell())
        return facts


class FurtherReplay(Replay):
    """Replays a recording with further boxes, whose lines list the questions of a turn in the order of asking."""

    def replay_turn(self, line: Line) -> Line:
        """Replay a turn, which begins with the question for the abbey; at the end, that may be all of it."""
        self.events, earlier = [], self.events
        asked = self._before_draw(line)
        if "tile" not in line and asked:
            facts = {"player": line["player"], "game_over": self.position.is_over}
            return asked | facts | {"scored": self._scored(), "after": self._after()}
        self.events = [*earlier, *self.events]
        return asked | super().replay_turn(line)

    def _before_draw(self, line: Line) -> Line:
        """Answer the question for the abbey as the recording does; return what was offered and done."""
        while isinstance(self.position.step, DecideAbbey):
            if self.position.player == line["player"]:
                cells = abbey_cells(self.position)
                lays = line.get("abbey", False)
                offers = sorted([*cell, rotation] for cell in cells for rotation in (0, 90, 180, 270))
                self.apply(UseAbbey() if lays else Pass())
                return {"abbey_offers": offers} | ({"abbey": True} if lays else {})
            self.apply(Pass())  # at the end of the game, players who keep their abbeys have no lines of their own
        return {}

    def _place(self, line: Line) -> Line:
        """Place the tile, and answer the questions that follow."""
        x, y, rotation = line["place"]
        self.apply(Place(Cell(x, y), rotation, _bridge(line["bridge"]) if "bridge" in line else None))
        decided = {key: value for key, value in self._applied_decisions().items() if key != "deploy"}
        return {**decided, "asked": self._answered(line)}

    def _castles(self, line: Line) -> Line:
        """Answer the questions after the scoring; those about castles come before it."""
        asked = self._wagons(line)
        while line.get("game_over") and isinstance(self.position.step, DecideAbbey):
            self.apply(Pass())
        return {"asked_after_scoring": asked}

    def _wagons(self, line: Line) -> list[Line]:
        """Answer the questions about wagons as the recording does; return what was offered and done.

        The recording names one tile of each feature to which a wagon may move, we offer all of them.
        """
        recorded = {entry["player"]: entry for entry in line.get("asked_after_scoring", ())}
        asked: list[Line] = []
        while isinstance(step := self.position.step, DecideWagon):
            theirs = recorded.get(step.player, {"do": "pass", "offers": [{"options": []}]})
            moves = {action: self._target(action) for action in self.position.legal_actions if action != Pass()}
            land, features = self.position.land, dict[int, list[Any]]()
            for action, place in moves.items():
                assert isinstance(action, MoveWagon)
                features.setdefault(land.find(land.number_of(action.cell, action.segment)), []).append(place)
            named = [place for offer in theirs["offers"] for place in offer["options"]]
            options = [
                place for places in features.values() for place in ([p for p in places if p in named] or places[:1])
            ]
            stood = _feature_at(*land.part(step.segment))
            offers = [{"kind": "meeple", "figure": WAGON, "from": stood, "options": sorted(options)}]
            entry: Line = {
                "phase": WAGON,
                "player": step.player,
                "may_pass": True,
                "offers": offers,
                "do": theirs["do"],
            }
            if theirs["do"] == "pass":
                self.apply(Pass())
            else:
                entry |= {"who": WAGON, "to": theirs["to"]}
                self.apply(next(action for action, place in moves.items() if place == theirs["to"]))
            asked.append(entry)
        return asked

    def _target(self, action: Action) -> list[Any]:
        """Return the place to which a wagon moves, as the recording names it."""
        assert isinstance(action, MoveWagon)
        land = self.position.land
        return _feature_at(*land.part(land.number_of(action.cell, action.segment)))

    def _barns(self) -> dict[str, list[Any]]:
        """Return the corners on which a barn may be put, each with the field by which the recording names it."""
        step, land = self.position.step, self.position.land
        assert isinstance(step, DeployFollower)
        fields = {}
        for action in self.position.legal_actions:
            if isinstance(action, PutBarn):
                east, south = TILES_AT_CORNERS[action.corner]
                cell = Cell(step.cell.x + east, step.cell.y + south)
                fields[action.corner] = _feature_at(*land.part(land.number_of(cell, "field.NL")))
        return fields

    def _answered(self, line: Line) -> list[Line]:
        """Answer the questions of a turn as the recording does; return them with what was offered and done."""
        recorded = {(entry["phase"], entry["player"]): entry for entry in line.get("asked", ())}
        actions = [entry for entry in line.get("asked", ()) if entry["phase"] == "action"]  # two with a bridge
        asked: list[Line] = []
        towns: dict[int, Line] = {}
        while True:
            match self.position.step:
                case DeployFollower(player=player, deployed=False):
                    asked += self._deployed(player, actions.pop(0) if actions else {"do": "pass"})
                case DeployFollower():
                    self.apply(Pass())
                case DecideTown(player=player, cells=cells):
                    if player not in towns:
                        towns[player] = {"phase": "castle", "player": player, "may_pass": True, "do": "pass"}
                        towns[player]["offers"] = [{"kind": "castle", "options": []}]
                        asked.append(towns[player])
                    town = ["city", *_name_town(cells, line["place"])]
                    towns[player]["offers"][0]["options"].append(town)
                    if recorded.get(("castle", player), {}).get("to") == town:
                        towns[player] |= {"do": "token", "token": "castle", "to": town}
                        self.apply(BuildCastle())
                    else:
                        self.apply(ScoreTown())
                case ChooseCastleSource(player=player, options=options):
                    self.apply(_recorded_source(options, player, line.get("scored", ())))
                case _:
                    return asked

    def _deployed(self, player: int, recorded: Line) -> list[Line]:
        """Answer the question about a figure; return it, or nothing if nothing is offered."""
        offers = [
            {"kind": "bridge", "options": [_bridge_place(_bridge(spot)) for spot in self._bridge_offers()]},
            *(
                {"kind": "meeple", "figure": figure, "options": places}
                for figure, places in sorted({**self._deploy_offers(), BARN: sorted(self._barns().values())}.items())
            ),
            {"kind": "return-meeple", "source": "abbot_return", "options": [*self._returning(player)]},
        ]
        offers = [offer for offer in offers if offer["options"]]
        entry: Line = {"phase": "action", "player": player, "may_pass": True, "offers": offers, "do": recorded["do"]}
        match recorded["do"]:
            case "pass":
                self.apply(Pass())
            case "deploy" if recorded["who"] == BARN:
                entry |= {"who": BARN, "to": recorded["to"]}
                self.apply(PutBarn(next(name for name, field in self._barns().items() if field == recorded["to"])))
            case "deploy":
                entry |= {"who": recorded["who"], "to": recorded["to"]}
                figure = "follower" if recorded["who"] == SMALL else recorded["who"]
                self.apply(self._deployment([figure, *recorded["to"]]))
            case "token":
                bridges = [action for action in self.position.legal_actions if isinstance(action, BuildBridge)]
                entry |= {"token": recorded["token"], "to": recorded["to"]}
                self.apply(next(bridge for bridge in bridges if _bridge_place(bridge) == recorded["to"]))
            case "return":
                [abbot] = self._returning(player)
                before = len(self.events)
                self.apply(TakeAbbotHome())
                home = next(event for event in self.events[before:] if isinstance(event, Scored))
                self.events.remove(home)
                score = [home.player, home.points, f"{home.kind}.incomplete", _parts_scored(home)]
                entry |= {"from": abbot, "because": "abbot_return", "scored": [score]}
            case other:
                raise RecordingError(f"decision is not offered: {other}")
        return [entry] if offers else []

    def _returning(self, player: int) -> Iterator[list[Any]]:
        """Yield the abbot whom the player may take home."""
        if TakeAbbotHome() in self.position.legal_actions:
            for figure in self.position.standing_figures():
                if (figure.player, figure.figure) == (player, ABBOT):
                    yield [player, ABBOT, *_feature_at(figure.cell, figure.segment)]

    def _after(self) -> Line:
        """Return the state after the turn, with the supply of further figures."""
        supply = {name: list(self.position.supply[name]) for name in self.position.figures if name != "follower"}
        figures = {name: counts for name, counts in supply.items() if any(counts)}
        abbeys = list(self.position.supply.get(ABBEY, ()))
        return super()._after() | {"supply": figures, "tokens": {ABBEY_TOKENS: abbeys} if any(abbeys) else {}}

    def _scored(self) -> list[list[Any]]:
        """Return the scores of the turn, those beside barns by the names of the recording."""
        placed = any(isinstance(event, Deployed) and event.figure == BARN for event in self.events)
        kinds = {"barn": "field"}
        midgame = {"field": "field.barn-placed" if placed else "field.barn-connected"}
        return sorted(
            [
                event.player,
                event.points,
                (kinds if event.final else midgame).get(event.kind, _kind_scored(event)),
                _parts_scored(event),
            ]
            for event in self.events
            if isinstance(event, Scored)
        )


def _kind_scored(event: Scored) -> str:
    """Return the kind of a score as the recording names it."""
    return f"{event.kind}.incomplete" if event.final and event.kind in UNFINISHED_KINDS else str(event.kind)


def _parts_scored(event: Scored) -> list[str]:
    """Return the parts of a score, such as tiles and pennants, as the recording names them."""
    prefix = "castle." if event.kind == "castle" else ""
    return sorted(f"{prefix}{term.name}" for term in event.terms)


def _recorded_source(
    options: Sequence[tuple[ChooseSource, int]], player: int, scored: Sequence[list[Any]]
) -> ChooseSource:
    """Return the source that matches the recorded points and kind best; among equal matches, the most valuable."""
    recorded = [(points, *parts) for seat, points, kind, parts in scored if (seat, kind) == (player, "castle")]

    def match_quality(option: tuple[ChooseSource, int]) -> tuple[bool, bool, int]:
        action, points = option
        kind = action.segment.partition(".")[0]
        return (points, f"castle.{kind}") in recorded, points in {entry[0] for entry in recorded}, points

    return max(options, key=match_quality)[0]


def _bridge(recorded: list[Any]) -> BuildBridge:
    """Return the action that builds a recorded bridge."""
    x, y, axis = recorded
    return BuildBridge(Cell(x, y), Axis(axis))


def _bridge_place(bridge: BuildBridge) -> list[Any]:
    """Return a bridge as the recording names it: the road on its cell."""
    return ["road", *bridge.cell, sorted(str(bridge.axis), key="NESW".index)]


def _feature_at(cell: Cell, segment: Segment) -> list[Any]:
    """Return a feature as the recording names it: kind, cell, and sides of the segment."""
    return [str(segment.kind), *cell, _sides(segment)]


def _sides(segment: Segment) -> list[str]:
    """Return the sides of a segment; the recording names none for enclosed fields, which we tell apart by corners."""
    return [] if segment.corner >= 0 else list(segment.place_names)


def _town(recorded: list[Any]) -> set[Cell]:
    """Return the two cells of a town that is named by one of them and a side."""
    x, y, (side,) = recorded
    east, south = NEIGHBOUR_STEPS[side]
    return {Cell(x, y), Cell(x + east, y + south)}


def _name_town(cells: tuple[Cell, Cell], place: Sequence[int]) -> list[Any]:
    """Name a town by the tile just placed, which is one of its two, and the side there."""
    placed = Cell(place[0], place[1])
    beside = cells[0] if cells[1] == placed else cells[1]
    side = next(name for name, step in NEIGHBOUR_STEPS.items() if step == (beside.x - placed.x, beside.y - placed.y))
    return [*placed, [side]]


def main(paths: Sequence[str]) -> int:
    """Print our engine's version of every file; return 1 if it refused a decision, else 0."""
    return print_facts(paths, replay_recording)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
