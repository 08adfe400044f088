"""The storage formats: texts by which setups, positions and actions are stored, by the game or box that brings them.

``formats/`` has a file for each game and for each box of Carcassonne. Games that run hold these texts, so none
in such a file ever changes; new ones are added by ``python -m tests.engine.storage_formats``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_type_hints

from engine import GAMES, Cell
from engine.actions import Action, Seat
from engine.carcassonne import REGISTRY, Axis, tile_set
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.tiles import BASE_SET
from engine.options import Options
from tests.engine.box_words import classes_of
from tests.engine.test_values import KINDS

FOLDER = Path(__file__).with_name("formats")
Formats = dict[str, list[str]]
SAMPLES: Mapping[Any, Any] = {"rotation": 90, int: 1, Seat: Seat(1), str: "road.N", Cell: Cell(0, 0), Axis: Axis.NS}
"""The arguments that an action needs, by name or type."""


def owners() -> list[str]:
    """Return the games and the boxes of Carcassonne, by name."""
    return [*GAMES, *REGISTRY]


def formats(owner: str) -> Formats:
    """Return the storage formats that a game or a box brings, sorted; kinds of which it has none are left out."""
    found = _of_box(owner) if owner in REGISTRY else _of_game(owner)
    return {kind: sorted(texts) for kind, texts in found.items() if texts}


def stored(owner: str) -> Formats:
    """Return what the file of a game or box says; nothing if there is none."""
    file = FOLDER / f"{owner}.toml"
    found: Formats = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def added(owner: str) -> Formats:
    """Return the formats that are not stored yet."""
    return _without(formats(owner), stored(owner))


def lost(owner: str) -> Formats:
    """Return the stored formats that the code no longer has: games with them can no longer be read."""
    return _without(stored(owner), formats(owner))


def _without(those: Formats, others: Formats) -> Formats:
    left = {kind: sorted({*texts} - {*others.get(kind, ())}) for kind, texts in those.items()}
    return {kind: texts for kind, texts in left.items() if texts}


def sample(kind: type[Any]) -> Any:
    """Return an action of a kind."""
    types = get_type_hints(kind)
    needed = [entry.name for entry in fields(kind) if entry.default is MISSING]
    return kind(**{name: SAMPLES.get(name) or SAMPLES[types[name]] for name in needed})


def _of_box(name: str) -> dict[str, set[str]]:
    box = REGISTRY[name]
    return {
        "words": {word.name for word in box.words},
        "actions": {str(sample(kind)) for kind in classes_of(box, Action)},
        "extras": {codec.tag for codec in (*box.extra_codecs, *box.round_codecs)},
        "figures": {figure.name for part in box.mechanisms for figure in part.figures()},
        "pieces": {piece for part in box.mechanisms for piece in part.pieces(2)},
        "options": {*_options(box.options)} if box.options else set(),
        "tiles": {*tile_set(box.tiles.name)} if box.tiles else set(),
    }


def _of_game(name: str) -> dict[str, set[str]]:
    carcassonne = name == "carcassonne"
    room, boxes = "engine.carcassonne." if carcassonne else "engine.the_castle.", "engine.carcassonne.expansions."
    of_boxes = {word.name for box in REGISTRY.values() for word in box.words} if carcassonne else set()
    rooms = {kind.__module__ for kind in KINDS if kind.__module__.startswith(room)}
    inside = {module for module in rooms if not module.startswith(boxes)}
    return {
        "words": {word.name for word in GAMES[name].notation.words} - of_boxes,
        "actions": {
            str(sample(kind))
            for kind in KINDS
            if issubclass(kind, Action) and (kind.__module__ in inside or kind.__module__ == "engine.actions")
        },
        "options": {*_options(BaseOptions if carcassonne else type(GAMES[name].options()))},
        "tiles": {*tile_set(BASE_SET)} if carcassonne else set(),
    }


def _options(options: type[Options]) -> Iterator[str]:
    return (f"{name}={value}" for name, values in options.values().items() for value in values)


def _written(whole: Formats) -> str:
    entries = {kind: "".join(f"    {json.dumps(text)},\n" for text in texts) for kind, texts in whole.items()}
    return "\n".join(f"{kind} = [\n{texts}]\n" for kind, texts in entries.items())


def main(names: Iterable[str]) -> None:
    """Add what is not stored yet, of all or of these."""
    FOLDER.mkdir(exist_ok=True)
    for owner in names:
        new, known = added(owner), stored(owner)
        if new:
            whole = {kind: sorted({*known.get(kind, ()), *new.get(kind, ())}) for kind in {**known, **new}}
            (FOLDER / f"{owner}.toml").write_text(_written(whole), encoding="utf-8")
            sys.stdout.write(f"{owner}: {', '.join(text for texts in new.values() for text in texts)}\n")


if __name__ == "__main__":
    main(sys.argv[1:] or owners())
