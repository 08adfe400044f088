"""Compare our engine's output with the recording of another engine, line by line.

The other engine is less complete in places, where our output only has to include the recorded values:

- it lists one bridge for each placement that needs one, ours lists all;
- it lists no bridges on neighbours of the tile just placed, which BR-04 and BR-08 allow;
- it offers each player one town and stops after a refusal, ours asks all owners about all towns;
- it lists a part of its own for a castle without points from any feature, ours lists none;
- it offers no builder for a feature that the tile just placed has completed, ours may;
- goods and pigs have other names;
- it has a feature of its own at each side of an abbey;
- it lists a score for a mayor without strength who comes home, ours lists none.

Codes such as BR-04 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.golden.replay import Line

EXACT_KEYS: dict[str, Any] = {
    "player": None,
    "tile": None,
    "discarded_first": [],
    "declined": False,
    "place": None,
    "bridge": None,
    "bridge_optional": False,
    "deploy": None,
    "game_over": False,
    "abbey_offers": [],
    "abbey": False,
    "asked_after_scoring": [],
}
"""Keys of a turn whose values have to be equal, with the default of a missing key."""
UNFED_CASTLE = "castle.castle.incomplete"
"""The part that the other engine lists for a castle without points from any feature."""
OUR_NAMES = {"pigs": "pig", "trade-goods": "goods"}
"""Our names for kinds of scores and their parts, where the recordings use others."""
ABBEY_EDGE = "abbey-edge"
"""The kind of a feature at each side of an abbey, which only the other engine knows."""
EMPTY = ".empty"
"""The end of the kind of a score that the other engine lists for a figure without points from a feature."""
GOODS = "trade-goods."
"""The prefix of kinds of goods in the recordings."""
OFFER_KEYS = ("deploy_offers", "deploy_offers_before_bridge")
"""Keys of the places where figures may be deployed."""
EXACT_KEYS_AFTER = ("points", "followers", "bridges", "castles", "pile")
"""Keys of the state after a turn whose values have to be equal."""


def differences(recorded: Line, ours: Line) -> Iterator[str]:
    """Yield the differences between a recorded line and ours, one text each."""
    if "error" in ours:
        yield ours["error"]
    elif "bazaar" in recorded:
        yield from _unequal("bazaar", recorded["bazaar"], ours.get("bazaar"))
    else:
        for key, default in EXACT_KEYS.items():
            yield from _unequal(key, recorded.get(key, default), ours.get(key, default))
        yield from _unequal("legal", _multiset(recorded.get("legal", [])), _multiset(ours.get("legal", [])))
        for key in OFFER_KEYS:
            yield from _unequal(key, recorded.get(key, {}), _offers(recorded.get(key, {}), ours, key))
        yield from _bridges(recorded, ours)
        yield from _castles(recorded.get("castles", []), ours.get("castles", []))
        yield from _unequal(
            "asked",
            [*map(_sorted, recorded.get("asked", []))],
            [*map(_sorted, _on_tile(recorded, ours.get("asked", [])))],
        )
        yield from _unequal("scored", _scores(recorded.get("scored", [])), _scores(ours["scored"]))
        if "after" in recorded or not recorded.get("declined"):  # recordings of further boxes say nothing after that
            yield from _after(recorded["after"], ours["after"])


def _bridges(recorded: Line, ours: Line) -> Iterator[str]:
    """Yield the differences of the bridges that may be built."""
    theirs, our_entries = (_multiset(line.get("legal_with_bridge", [])) for line in (recorded, ours))
    yield from _missing("legal_with_bridge", theirs, our_entries)
    yield from _unequal(
        "placements with a bridge", {entry[:3] for entry in theirs}, {entry[:3] for entry in our_entries}
    )
    theirs, our_entries = (_multiset(line.get("bridge_offers", [])) for line in (recorded, ours))
    tile = tuple(recorded.get("place", ())[:2])
    yield from _unequal("bridge_offers on the tile", set(theirs), {entry for entry in our_entries if entry[:2] == tile})


def _offers(recorded: Line, ours: Line, key: str) -> Line:
    """Return our offers of deployment without builders on features that the tile just placed has completed."""
    recorded_builders = recorded.get("builder", [])
    occupied = [[kind, *part] for kind, parts, owners in ours["after"]["features"] if owners for part in parts]
    offers = ours.get(key, {})
    builders = [place for place in offers.get("builder", []) if place in recorded_builders or place in occupied]
    other_figures = {figure: places for figure, places in offers.items() if figure != "builder"}
    return other_figures | ({"builder": builders} if builders else {})


def _on_tile(recorded: Line, asked: list[Line]) -> Iterator[Line]:
    """Yield our questions without the bridges on neighbours of the tile just placed, and those without other offers."""
    tile = recorded.get("place", [])[:2]
    for question in asked:
        offers = [
            offer | {"options": [option for option in offer["options"] if option[1:3] == tile]}
            if offer["kind"] == "bridge"
            else offer
            for offer in question["offers"]
        ]
        if any(offer["options"] for offer in offers):
            yield question | {"offers": [offer for offer in offers if offer["options"]]}


def _sorted(question: Line) -> Line:
    """Return a question with its options sorted."""
    offers = [offer | {"options": sorted(offer["options"])} for offer in question.get("offers", [])]
    return question | {"offers": offers}


def _castles(recorded: list[Line], ours: list[Line]) -> Iterator[str]:
    """Yield the differences of the castles that may be built, and of those that are."""
    offers_by_player = {entry["player"]: entry["offers"] for entry in ours}
    for entry in recorded:
        yield from _missing(
            "castle offers", _multiset(entry["offers"]), _multiset(offers_by_player.get(entry["player"], []))
        )
    built = ({entry["player"]: entry.get("build") for entry in line if "build" in entry} for line in (recorded, ours))
    yield from _unequal("castles built", *built)


def _scores(scored: list[list[Any]]) -> Counter[Any]:
    """Return recorded scores with our names, without the part that our engine does not list."""
    return _multiset(
        [player, points, _our_name(kind), [_our_name(part) for part in parts if part != UNFED_CASTLE]]
        for player, points, kind, parts in scored
        if points or not kind.endswith(EMPTY)
    )


def _our_name(name: str) -> str:
    """Return our name for a kind or part of a score."""
    return name.removeprefix(GOODS).lower() if name.startswith(GOODS) else OUR_NAMES.get(name, name)


def _after(recorded: Line, ours: Line) -> Iterator[str]:
    """Yield the differences of the state after a turn."""
    for key in EXACT_KEYS_AFTER:
        yield from _unequal(key, recorded[key], ours[key])
    yield from _unequal("supply", recorded.get("supply"), ours.get("supply"))
    yield from _unequal("tokens", recorded.get("tokens"), ours.get("tokens"))
    features = [feature for feature in recorded["features"] if feature[0] != ABBEY_EDGE]
    if sorted(features) != sorted(ours["features"]):  # building multisets of all features is slow
        yield from _unequal("features", _multiset(features), _multiset(ours["features"]))
    castles = [parts for kind, parts, _ in recorded["features"] if kind == "castle"]
    yield from _unequal("standing", *(_standing(line["standing"], castles) for line in (recorded, ours)))


def _standing(figures: list[list[Any]], castles: list[list[Any]]) -> Counter[Any]:
    """Return the figures, with both tiles for a follower in a castle: each engine names either of them."""
    parts_of_castle = {_frozen(part): parts for parts in castles for part in parts}
    return _multiset(
        [player, figure, feature, parts_of_castle.get(_frozen(part), part)]
        for player, figure, feature, *part in figures
    )


def _unequal(name: str, recorded: Any, ours: Any) -> Iterator[str]:
    """Yield a difference if two values are not equal."""
    if recorded == ours:
        return
    if isinstance(recorded, Counter):
        yield f"{name}: ours lacks {sorted(recorded - ours)}, has beside it {sorted(ours - recorded)}"
    else:
        yield f"{name}: recorded {recorded}, ours {ours}"


def _missing(name: str, recorded: Counter[Any], ours: Counter[Any]) -> Iterator[str]:
    """Yield a difference if ours lacks a recorded value."""
    if recorded - ours:
        yield f"{name}: ours lacks {sorted(recorded - ours)}"


def _frozen(value: Any) -> Any:
    """Return a value with tuples in place of its lists, so that it can be counted."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _multiset(values: Any) -> Counter[Any]:
    """Return a multiset of the values, because the order of options has no meaning."""
    return Counter(map(_frozen, values))
