"""The storage formats: the texts by which setups, positions and actions are stored, by game and by box (expansion).

``formats/`` has a file for each game and each box of Carcassonne. Stored games contain these texts, so that an entry
never changes; ``python -m tests.engine.storage_formats`` adds new ones.
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
"""The folder of the files that list the stored formats."""
Formats = dict[str, list[str]]
"""The stored texts by their kind, such as ``words`` or ``actions``."""
SAMPLES: Mapping[Any, Any] = {
    "rotation": 90,
    "corner": "NE",
    int: 1,
    Seat: Seat(1),
    str: "road.N",
    Cell: Cell(0, 0),
    Axis: Axis.NS,
}
"""Arguments for the constructors of actions, by name or type."""


def owner_names() -> list[str]:
    """Return the names of the games and of Carcassonne's boxes."""
    return [*GAMES, *REGISTRY]


def current_formats(owner: str) -> Formats:
    """Return the storage formats in the code of a game or box, sorted, without empty kinds."""
    formats = _formats_of_box(owner) if owner in REGISTRY else _formats_of_game(owner)
    return {kind: sorted(texts) for kind, texts in formats.items() if texts}


def stored_formats(owner: str) -> Formats:
    """Read the stored formats of a game or box; return none if it has no file."""
    file = FOLDER / f"{owner}.toml"
    formats: Formats = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return formats


def unstored_formats(owner: str) -> Formats:
    """Return the formats that occur in the code but not yet in the file."""
    return _without(current_formats(owner), stored_formats(owner))


def lost_formats(owner: str) -> Formats:
    """Return the stored formats that the code no longer has; games with them cannot be read."""
    return _without(stored_formats(owner), current_formats(owner))


def _without(those: Formats, others: Formats) -> Formats:
    """Return the formats of one owner without those that the others have, too."""
    remaining = {kind: sorted({*texts} - {*others.get(kind, ())}) for kind, texts in those.items()}
    return {kind: texts for kind, texts in remaining.items() if texts}


def sample_action(kind: type[Any]) -> Any:
    """Create an action of a class with sample arguments."""
    types = get_type_hints(kind)
    needed = [entry.name for entry in fields(kind) if entry.default is MISSING]
    return kind(**{name: SAMPLES.get(name) or SAMPLES[types[name]] for name in needed})


def _formats_of_box(name: str) -> dict[str, set[str]]:
    """Return what positions and records may store of a box."""
    box = REGISTRY[name]
    return {
        "words": {word.name for word in box.words},
        "actions": {str(sample_action(kind)) for kind in classes_of(box, Action)},
        "extras": {codec.tag for codec in (*box.extra_codecs, *box.round_codecs)},
        "figures": {figure.name for part in box.mechanisms for figure in part.figures()},
        "pieces": {piece for part in box.mechanisms for piece in part.pieces(2)},
        "options": {*_options(box.options)} if box.options else set(),
        "tiles": {*tile_set(box.tiles.name)} if box.tiles else set(),
    }


def _formats_of_game(name: str) -> dict[str, set[str]]:
    """Return what positions and records may store of a game, without its boxes."""
    carcassonne = name == "carcassonne"
    game_package, box_package = (
        "engine.carcassonne." if carcassonne else "engine.the_castle.",
        "engine.carcassonne.expansions.",
    )
    box_words = {word.name for box in REGISTRY.values() for word in box.words} if carcassonne else set()
    modules = {kind.__module__ for kind in KINDS if kind.__module__.startswith(game_package)}
    own_modules = {module for module in modules if not module.startswith(box_package)}
    return {
        "words": {word.name for word in GAMES[name].notation.words} - box_words,
        "actions": {
            str(sample_action(kind))
            for kind in KINDS
            if issubclass(kind, Action) and (kind.__module__ in own_modules or kind.__module__ == "engine.actions")
        },
        "options": {*_options(BaseOptions if carcassonne else type(GAMES[name].options()))},
        "tiles": {*tile_set(BASE_SET)} if carcassonne else set(),
    }


def _options(options: type[Options]) -> Iterator[str]:
    """Yield each option with each of its values."""
    return (f"{name}={value}" for name, values in options.values().items() for value in values)


def _format_toml(whole: Formats) -> str:
    """Write formats as TOML, one text a line."""
    entries = {kind: "".join(f"    {json.dumps(text)},\n" for text in texts) for kind, texts in whole.items()}
    return "\n".join(f"{kind} = [\n{texts}]\n" for kind, texts in entries.items())


def main(names: Iterable[str]) -> None:
    """Add the missing formats to the files of these games and boxes."""
    FOLDER.mkdir(exist_ok=True)
    for owner in names:
        new, known = unstored_formats(owner), stored_formats(owner)
        if new:
            whole = {kind: sorted({*known.get(kind, ()), *new.get(kind, ())}) for kind in {**known, **new}}
            (FOLDER / f"{owner}.toml").write_text(_format_toml(whole), encoding="utf-8")
            sys.stdout.write(f"{owner}: {', '.join(text for texts in new.values() for text in texts)}\n")


if __name__ == "__main__":
    main(sys.argv[1:] or owner_names())
