"""The recorder of walks: it counts called functions in all threads, and their lines of code without docstrings.

A walk is the record of all functions that one action, such as a bid, calls.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from threading import Thread
from typing import Any

import greenlet
import pytest

from benchmarks.walks import __main__ as command
from benchmarks.walks import sources
from benchmarks.walks.played import record
from benchmarks.walks.trace import ROOT, RecordedWalk, Trace, depth, function_of
from engine import parse_action
from store import TableSettings

PARSE_ACTION, READ_SETTINGS = ("engine.games", "parse_action"), ("store.records", "TableSettings.of")


def function_names(walk: RecordedWalk) -> list[tuple[str, str]]:
    """Return module and name of each called function."""
    return [(function.module, function.name) for function in walk.functions]


def check_counts(walk: RecordedWalk) -> None:
    """Check that the counts of a recording are consistent, and that each function starts at its recorded line."""
    counts, outer = walk.figures(), walk.outer.figures()
    assert 0 < counts["outer_modules"] <= counts["outer_functions"] <= counts["functions"]
    assert (counts["outer_modules"], counts["outer_functions"]) == (outer["modules"], outer["functions"])
    assert {module.split(".")[0] for module in {*walk.modules} - {*walk.outer.modules}} <= {"engine", "renderers"}
    assert sum(map(len, walk.modules.values())) == counts["functions"] == len({*walk.functions})
    for function in walk.functions:
        lines = ROOT.joinpath(*function.module.split(".")).with_suffix(".py").read_text(encoding="utf-8").splitlines()
        last = function.name.rsplit(".", maxsplit=1)[-1]
        assert any(last.strip("<>") in line for line in lines[function.line - 1 : function.line + 3]), function


def test_the_walk_of_a_clock_calls_host_and_store() -> None:
    walk = record("clock")
    check_counts(walk)
    assert {function.package for function in walk.functions} == {"host", "store"}
    assert "append_depth" not in walk.figures()


@pytest.mark.long
@pytest.mark.soak  # the walk of a clock is recorded in every test run
def test_the_walk_of_a_bid_calls_all_layers() -> None:
    walk = record("bid")
    check_counts(walk)
    assert {"cogs", "engine", "host", "store"} <= {function.package for function in walk.functions}
    assert walk.functions[0].package == "cogs"
    assert walk.append_depth > 3  # a press is answered by cogs, judged by the host, appended by the store


def test_calls_in_all_threads_count_during_recording() -> None:
    trace = Trace()
    with trace.installed():
        thread = Thread(target=parse_action, args=("pass",))
        TableSettings.of({})
        with trace.recording():
            thread.start()
            thread.join()
        assert function_names(trace.walk()).count(PARSE_ACTION) == 1
        assert READ_SETTINGS not in function_names(trace.walk())
        with trace.recording():
            TableSettings.of({})
            TableSettings.of({})
        parse_action("pass")
    walk = trace.walk()
    assert function_names(walk)[-1] == READ_SETTINGS
    assert PARSE_ACTION in function_names(walk)
    assert function_names(walk.outer) == [READ_SETTINGS]


def test_bodies_comprehensions_and_foreign_functions_do_not_count() -> None:
    file = str(ROOT / "host" / "made_up.py")
    code = compile("class A:\n    x = [i for i in ()]\n    def f(self): return lambda: {j for j in ()}\n", file, "exec")
    found = [function_of(each) for each in code_objects(code)]
    assert [(each.module, each.name) for each in found if each] == [
        ("host.made_up", "A.f"),
        ("host.made_up", "A.f.<locals>.<lambda>"),
    ]
    assert found.count(None) >= 2  # the module and the class; before Python 3.12 the comprehensions have code, too
    assert function_of(check_counts.__code__) is function_of(json.loads.__code__) is None


def code_objects(code: Any) -> list[Any]:
    """Return a code object and all code objects in it."""
    inner = [each for each in code.co_consts if hasattr(each, "co_consts")]
    return [code, *(each for one in inner for each in code_objects(one))]


def test_the_depth_counts_own_frames_across_greenlets() -> None:
    found = list[int]()

    def record_depth() -> None:
        found.append(depth(sys._getframe()))

    class CallbackDict(dict[str, object]):
        def __contains__(self, key: object) -> bool:
            record_depth()
            greenlet.greenlet(record_depth).switch()
            return False

    record_depth()
    TableSettings.of(CallbackDict())
    assert found == [0, *[1] * (len(found) - 1)]
    assert len(found) > 2


def test_lines_of_code_are_neither_blank_nor_comment_nor_docstring(tmp_path: Path) -> None:
    source = dedent('''\
        """A module,
        told at length."""

        # why
        x = """two
        lines"""  # and a comment
        """An attribute."""


        def f(  # one
            a: int,
        ) -> str:
            """Say it."""
            return "it"
    ''')
    assert sources.code_lines(source) == 6
    for name, text in (("host/a.py", source), ("store/migrations/b.py", "y = 1\n" * 60), ("tests/c.py", "z = 1\n")):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    assert sources.figures(tmp_path) == {"source_files": 1, "code_lines": 6, "modules": 2, "short_modules": 1}


def test_the_command_prints_counts_modules_or_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    function = function_of(TableSettings.of.__func__.__code__)  # type: ignore[attr-defined]
    assert function is not None
    walks: dict[str, RecordedWalk] = {"bid": RecordedWalk((function,), 7), "clock": RecordedWalk((function,))}
    size = {"source_files": 1, "code_lines": 6, "modules": 2, "short_modules": 1}
    monkeypatch.setattr(sources, "figures", lambda: size)
    monkeypatch.setattr(command, "record_in_processes", lambda names: {name: walks[name] for name in names})
    counts = {"modules": 1, "outer_modules": 1, "functions": 1, "outer_functions": 1}
    printed: Callable[..., str] = lambda *options: run(monkeypatch, capsys, options)  # noqa: E731
    figures = json.loads(printed("bid", "clock", "--json"))
    assert figures == {"bid": {**counts, "append_depth": 7}, "clock": counts, "source": size}
    assert printed("clock", "--modules") == "store.records 1 TableSettings.of\n"
    assert [line.split() for line in printed("bid", "clock").splitlines()[1:3]] == [
        ["bid", *"11117"],
        ["clock", *"1111"],
    ]
    with pytest.raises(SystemExit):
        printed("walk")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> str:
    """Run the command with these options; return its output."""
    monkeypatch.setattr(sys, "argv", ["walks", *options])
    command.main()
    return capsys.readouterr().out
