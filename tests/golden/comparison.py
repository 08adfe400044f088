"""Comparing our engine's output with a recording.

The recordings are a second opinion, which says less than we do in places. There ours only has to hold theirs:

- one bridge for each placement that needs one, where ours lists all;
- no bridges on the neighbours of the tile just placed, which BR-04 and BR-08 allow;
- one town a player, and nobody after a refusal, where ours asks everybody;
- a castle that nothing fed is explained by a part, in ours by none;
- no builder joins what the tile just placed has completed, where ours may;
- goods and pigs have other names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.golden.replay import Line

ALIKE: dict[str, Any] = {
    "player": None,
    "tile": None,
    "discarded_first": [],
    "declined": False,
    "place": None,
    "bridge": None,
    "bridge_optional": False,
    "deploy": None,
    "game_over": False,
}
"""Keys of a turn that have to be equal, with the value of one that is left out."""
NOTHING_FED_IT = "castle.castle.incomplete"
OUR_NAMES = {"pigs": "pig", "trade-goods": "goods"}
"""Our names for kinds of scores and their parts, where they differ."""
GOODS = "trade-goods."
OFFERS = ("deploy_offers", "deploy_offers_before_bridge")
ALIKE_AFTER = ("points", "followers", "bridges", "castles", "pile")


def differences(recorded: Line, ours: Line) -> Iterator[str]:
    """Return the differences of our engine on one line, one text each."""
    if "error" in ours:
        yield ours["error"]
    elif "bazaar" in recorded:
        yield from _unequal("bazaar", recorded["bazaar"], ours.get("bazaar"))
    else:
        for key, left_out in ALIKE.items():
            yield from _unequal(key, recorded.get(key, left_out), ours.get(key, left_out))
        yield from _unequal("legal", _bag(recorded["legal"]), _bag(ours["legal"]))
        for key in OFFERS:
            yield from _unequal(key, recorded.get(key, {}), _offers(recorded.get(key, {}), ours, key))
        yield from _bridges(recorded, ours)
        yield from _castles(recorded.get("castles", []), ours.get("castles", []))
        yield from _unequal("scored", _scores(recorded["scored"]), _scores(ours["scored"]))
        yield from _after(recorded["after"], ours["after"])


def _bridges(recorded: Line, ours: Line) -> Iterator[str]:
    theirs, mine = (_bag(line.get("legal_with_bridge", [])) for line in (recorded, ours))
    yield from _lacking("legal_with_bridge", theirs, mine)
    yield from _unequal("placements with a bridge", {entry[:3] for entry in theirs}, {entry[:3] for entry in mine})
    theirs, mine = (_bag(line.get("bridge_offers", [])) for line in (recorded, ours))
    tile = tuple(recorded.get("place", ())[:2])
    yield from _unequal("bridge_offers on the tile", set(theirs), {entry for entry in mine if entry[:2] == tile})


def _offers(recorded: Line, ours: Line, key: str) -> Line:
    """Return where our figures may go, except builders on complete features: segments still empty after the turn."""
    known = recorded.get("builder", [])
    held = [[kind, *part] for kind, parts, owners in ours["after"]["features"] if owners for part in parts]
    offers = ours.get(key, {})
    builders = [place for place in offers.get("builder", []) if place in known or place in held]
    others = {figure: places for figure, places in offers.items() if figure != "builder"}
    return others | ({"builder": builders} if builders else {})


def _castles(recorded: list[Line], ours: list[Line]) -> Iterator[str]:
    asked = {entry["player"]: entry["offers"] for entry in ours}
    for entry in recorded:
        yield from _lacking("castle offers", _bag(entry["offers"]), _bag(asked.get(entry["player"], [])))
    built = ({entry["player"]: entry.get("build") for entry in line if "build" in entry} for line in (recorded, ours))
    yield from _unequal("castles built", *built)


def _scores(scored: list[list[Any]]) -> Counter[Any]:
    return _bag(
        [player, points, _our_name(kind), [_our_name(part) for part in parts if part != NOTHING_FED_IT]]
        for player, points, kind, parts in scored
    )


def _our_name(name: str) -> str:
    return name.removeprefix(GOODS).lower() if name.startswith(GOODS) else OUR_NAMES.get(name, name)


def _after(recorded: Line, ours: Line) -> Iterator[str]:
    for key in ALIKE_AFTER:
        yield from _unequal(key, recorded[key], ours[key])
    if sorted(recorded["features"]) != sorted(ours["features"]):  # bags of so much take long
        yield from _unequal("features", _bag(recorded["features"]), _bag(ours["features"]))
    castles = [parts for kind, parts, _ in recorded["features"] if kind == "castle"]
    yield from _unequal("standing", *(_standing(line["standing"], castles) for line in (recorded, ours)))


def _standing(figures: list[list[Any]], castles: list[list[Any]]) -> Counter[Any]:
    """The figures; on which of its two tiles a castle's follower is shown says nothing, so they name both."""
    towns = {_frozen(part): parts for parts in castles for part in parts}
    return _bag([player, figure, feature, towns.get(_frozen(part), part)] for player, figure, feature, *part in figures)


def _unequal(name: str, recorded: Any, ours: Any) -> Iterator[str]:
    if recorded == ours:
        return
    if isinstance(recorded, Counter):
        yield f"{name}: ours lacks {sorted(recorded - ours)}, has beside it {sorted(ours - recorded)}"
    else:
        yield f"{name}: recorded {recorded}, ours {ours}"


def _lacking(name: str, recorded: Counter[Any], ours: Counter[Any]) -> Iterator[str]:
    if recorded - ours:
        yield f"{name}: ours lacks {sorted(recorded - ours)}"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _bag(values: Any) -> Counter[Any]:
    """A multiset: lists of options come in no order that means anything."""
    return Counter(map(_frozen, values))
