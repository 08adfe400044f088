"""A check of all caches that worker threads share: concurrent first calls have to return the same object.

``test_first_use.py`` runs it in a new process, with empty caches. Many threads call each cached function at the same
moment; the script prints the functions that returned different objects.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from types import ModuleType
from typing import Any, Final

import cogs
import engine
import renderers
from engine import caching
from engine.carcassonne import DEFAULT_EXPANSIONS, REGISTRY, Options
from engine.carcassonne.setup import tiles_in_play
from engine.carcassonne.tiles import tile
from engine.geometry import Axis, Cell
from engine.the_castle.tilefile import default_tile_set, tile_set_text
from renderers import DAY
from renderers.lettering import MAIN_FONT

THREAD_COUNT: Final = 16
"""Threads that call a function at the same moment."""
CACHE_TYPES: Final = (type(cache(len)), cached_property)
"""The types of objects that Python's cache decorators return."""

COMMAND_LINE_MODULES: Final = ("engine.cli", "engine.__main__", "cogs.texts.exchange")
"""Command-line programs, which have a single thread."""


def threaded_modules() -> Iterator[ModuleType]:
    """Yield all modules that worker threads may run."""
    for package in (engine, renderers, cogs):
        yield package
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith((*COMMAND_LINE_MODULES, caching.__name__)):
                yield importlib.import_module(module.name)


def cached_functions() -> Mapping[str, Any]:
    """Return every cached function, method and property in these modules, by name."""
    functions: dict[str, Any] = {}
    for module in threaded_modules():
        own_values = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
        for namespace in (module, *(value for value in own_values if isinstance(value, type))):
            prefix = module.__name__ if namespace is module else f"{module.__name__}.{namespace.__qualname__}"
            for name, value in vars(namespace).items():
                function = getattr(value, "__func__", value)
                wrapped = getattr(function, "func", function)  # before Python 3.12 a cached_property has no __module__
                is_defined_here = getattr(wrapped, "__module__", module.__name__) == module.__name__
                if is_defined_here and (isinstance(function, CACHE_TYPES) or is_locked(function)):
                    functions[f"{prefix}.{name}"] = function
    return functions


def is_locked(function: object) -> bool:
    """Return whether a function is cached under a lock, as by :mod:`engine.caching`."""
    while function is not None:
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename == caching.__file__:
            return True
        function = getattr(function, "__wrapped__", None)
    return False


def _castle_tile() -> Any:
    """Return any tile of The Castle."""
    return next(iter(default_tile_set().kinds.values()))


CALLS: Final[Mapping[str, Callable[[Any], object]]] = {
    "engine.carcassonne.tiles.tile_set": lambda f: f("base"),
    "engine.carcassonne.tiles.tile": lambda f: f("base/D"),
    "engine.carcassonne.expansions.bridges_castles_bazaars.bridges.bridge_segment": lambda f: f(Axis.NS),
    "engine.carcassonne.expansions.bridges_castles_bazaars.bridges.remedies": lambda f: f(tile("base/D")),
    "engine.carcassonne.expansions.games_quarterly._vetoes": lambda f: f(),
    "engine.carcassonne.expansions.river.river_sides": lambda f: f(tile("river/FIFF").faces[0].edges),
    "engine.carcassonne.expansions.river._exits": lambda f: f(tile("river/FIFF").faces[0].edges, 1),
    "engine.carcassonne.expansions.river._vetoes": lambda f: f(),
    "engine.carcassonne.expansions.river_two._herd_tiles": lambda f: f(),
    "engine.carcassonne.expansions.river_two._vetoes": lambda f: f(),
    "engine.carcassonne.setup._separate_decks": lambda f: f(("river",)),
    "engine.carcassonne.table._hook_handlers": lambda f: f(tuple(REGISTRY["river"].mechanisms)),
    "engine.carcassonne.hints._rotations": lambda f: f(tile("base/U")),
    "engine.geometry.Cell.parse": lambda f: f("M13"),
    "engine.options._values": lambda f: f(Options),
    "engine.the_castle.wall.wall": lambda f: f(),
    "engine.the_castle.tiles._fits": lambda f: f((1, 2, 4, 8)),
    "engine.the_castle.tilefile.default_tile_set": lambda f: f(),
    "engine.the_castle.tilefile.read_tiles": lambda f: f(tile_set_text(default_tile_set())),
    "cogs.texts.languages.languages": lambda f: f(),
    "cogs.texts._read_catalogue": lambda f: f("en"),
    "cogs.texts.translator._keys": lambda f: f(),
    "cogs.texts.rule_book.moot": lambda f: f(),
    "cogs.texts.rule_book._table": lambda f: f(),
    "cogs.texts.rule_book._read": lambda f: f("en"),
    "renderers.lettering.font_of": lambda f: f(MAIN_FONT, 17),
    "renderers.lettering.has_complex_layout": lambda f: f(),
    "renderers.lettering._fonts_with": lambda f: f("A"),
    "renderers.lettering.printable": lambda f: f("Ana"),
    "renderers.lettering._mask_and_top": lambda f: f("Ana", 17),
    "renderers.lettering._typeset": lambda f: f("Ana", 17),
    "renderers.canvas._step_lengths": lambda f: f(((0.0, 0.0), (1.0, 1.0))),
    "renderers.canvas._shadow_table": lambda f: f(0.28),
    "renderers.boards.view._name_width": lambda f: f(Cell(0, 0)),
    "renderers.boards.view._phone_fit": lambda f: f(5, 5, 20.0, 5),
    "renderers.palette._alike_indices": lambda f: f(DAY, veiled=False),
    "renderers.palette._palette_image": lambda f: f(DAY, veiled=False),
    "renderers.palette._palette_bytes": lambda f: f(DAY),
    "renderers.palette.colour_indices": lambda f: f(DAY),
    "renderers.palette.nearest_colour_index": lambda f: f(DAY, DAY.stone),
    "renderers.boards.sheet._fit_labels": lambda f: f(("M", "13"), 17, 20.0, 4),
    "renderers.boards.sheet._label_sprite": lambda f: f(DAY, "M13", 17, DAY.rim_text, DAY.rim),
    "renderers.land._master_texture": lambda f: f(DAY),
    "renderers.land._texture": lambda f: f(DAY, 20),
    "renderers.carcassonne.figures.layout_of": lambda f: f(tile("base/U"), 90),
    "renderers.carcassonne.figures.anchor": lambda f: f(tile("base/U"), 0, tile("base/U").faces[0].segments[0]),
    "renderers.carcassonne.figures.place_among": lambda f: f(tile("base/U"), 0, tile("base/U").faces[0].segments[:2]),
    "renderers.carcassonne.scenery._canonical_look": lambda f: f(tile("base/U"), 90, None),
    "renderers.the_castle.faces.grounds.masonry": lambda f: f(DAY, 64, DAY.stone),
    "renderers.the_castle.faces.grounds._slabs": lambda f: f(DAY, 64),
    "renderers.the_castle.faces.grounds._merlons": lambda f: f(DAY, 64),
    "renderers.the_castle.faces.layout.layout_of": lambda f: f(_castle_tile(), 90),
    "renderers.the_castle.wall.stretches": lambda f: f(),
    "renderers.the_castle.wall.space_places": lambda f: f(),
    "renderers.the_castle.wall.cells_at_wall": lambda f: f(),
}
"""A call of each cached function; arguments are created in each thread, dependencies come first."""


def call_concurrently(work: Callable[[], Any]) -> list[Any]:
    """Run a function in many threads that start at the same moment; return the results, or the errors raised."""
    start = threading.Barrier(THREAD_COUNT)

    def run(_: int) -> Any:
        start.wait()
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - reported by the test
            return error

    with ThreadPoolExecutor(THREAD_COUNT) as pool:
        return list(pool.map(run, range(THREAD_COUNT)))


def main() -> None:
    """Call every cached function concurrently, with the shortest switch interval."""
    sys.setswitchinterval(1e-6)
    boxes = call_concurrently(lambda: tiles_in_play(DEFAULT_EXPANSIONS))
    if any(results != boxes[0] for results in boxes):
        print("box", *(repr(results) for results in boxes if isinstance(results, Exception)))
    functions = cached_functions()
    for name, call in CALLS.items():
        results = call_concurrently(partial(call, functions[name]))
        if any(value is not results[0] for value in results):
            print(name, len({id(value) for value in results}), "values")
        if isinstance(results[0], Exception):
            print(name, repr(results[0]))


if __name__ == "__main__":
    main()
