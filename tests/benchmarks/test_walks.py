"""Walks count the functions that are called, in all threads; the source is counted without docstrings."""

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

PARSING, READING = ("engine.games", "parse_action"), ("store.records", "TableSettings.of")


def named(walk: RecordedWalk) -> list[tuple[str, str]]:
    return [(function.module, function.name) for function in walk.functions]


def check(walk: RecordedWalk) -> None:
    """A walk's counts go together, and every function is where it says."""
    counts, outer = walk.figures(), walk.outer.figures()
    assert 0 < counts["outer_modules"] <= counts["outer_functions"] <= counts["functions"]
    assert (counts["outer_modules"], counts["outer_functions"]) == (outer["modules"], outer["functions"])
    assert {module.split(".")[0] for module in {*walk.modules} - {*walk.outer.modules}} <= {"engine", "renderers"}
    assert sum(map(len, walk.modules.values())) == counts["functions"] == len({*walk.functions})
    for function in walk.functions:
        lines = ROOT.joinpath(*function.module.split(".")).with_suffix(".py").read_text(encoding="utf-8").splitlines()
        last = function.name.rsplit(".", maxsplit=1)[-1]
        assert any(last.strip("<>") in line for line in lines[function.line - 1 : function.line + 3]), function


def test_a_clock_until_its_reminder() -> None:
    walk = record("clock")
    check(walk)
    assert {function.package for function in walk.functions} == {"host", "store"}
    assert "append_depth" not in walk.figures()


@pytest.mark.long
def test_a_bid_until_its_card() -> None:
    walk = record("bid")
    check(walk)
    assert {"cogs", "engine", "host", "store"} <= {function.package for function in walk.functions}
    assert walk.functions[0].package == "cogs"
    assert walk.append_depth > 3  # a press is answered by cogs, judged by the host, appended by the store


def test_calls_of_all_threads_count_while_it_is_recorded() -> None:
    trace = Trace()
    with trace.installed():
        beside = Thread(target=parse_action, args=("pass",))
        TableSettings.of({})
        with trace.recording():
            beside.start()
            beside.join()
        assert named(trace.walk()).count(PARSING) == 1
        assert READING not in named(trace.walk())
        with trace.recording():
            TableSettings.of({})
            TableSettings.of({})
        parse_action("pass")
    walk = trace.walk()
    assert named(walk)[-1] == READING
    assert PARSING in named(walk)
    assert named(walk.outer) == [READING]


def test_neither_bodies_nor_comprehensions_nor_other_peoples_functions_are_called() -> None:
    file = str(ROOT / "host" / "made_up.py")
    code = compile("class A:\n    x = [i for i in ()]\n    def f(self): return lambda: {j for j in ()}\n", file, "exec")
    found = [function_of(each) for each in nested(code)]
    assert [(each.module, each.name) for each in found if each] == [
        ("host.made_up", "A.f"),
        ("host.made_up", "A.f.<locals>.<lambda>"),
    ]
    assert found.count(None) >= 2  # the module and the class; before Python 3.12 the comprehensions have code, too
    assert function_of(check.__code__) is function_of(json.loads.__code__) is None


def nested(code: Any) -> list[Any]:
    """A piece of code, and those in it."""
    inner = [each for each in code.co_consts if hasattr(each, "co_consts")]
    return [code, *(each for one in inner for each in nested(one))]


def test_the_depth_is_that_of_our_frames_also_around_a_greenlet() -> None:
    found = list[int]()

    def look() -> None:
        found.append(depth(sys._getframe()))

    class Asked(dict[str, object]):
        def __contains__(self, key: object) -> bool:
            look()
            greenlet.greenlet(look).switch()
            return False

    look()
    TableSettings.of(Asked())
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


def test_what_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    function = function_of(TableSettings.of.__func__.__code__)  # type: ignore[attr-defined]
    assert function is not None
    walks: dict[str, RecordedWalk] = {"bid": RecordedWalk((function,), 7), "clock": RecordedWalk((function,))}
    size = {"source_files": 1, "code_lines": 6, "modules": 2, "short_modules": 1}
    monkeypatch.setattr(sources, "figures", lambda: size)
    monkeypatch.setattr(command, "record_apart", lambda names: {name: walks[name] for name in names})
    counts = {"modules": 1, "outer_modules": 1, "functions": 1, "outer_functions": 1}
    printed: Callable[..., str] = lambda *options: run(monkeypatch, capsys, options)  # noqa: E731
    told = json.loads(printed("bid", "clock", "--json"))
    assert told == {"bid": {**counts, "append_depth": 7}, "clock": counts, "source": size}
    assert printed("clock", "--modules") == "store.records 1 TableSettings.of\n"
    assert [line.split() for line in printed("bid", "clock").splitlines()[1:3]] == [
        ["bid", *"11117"],
        ["clock", *"1111"],
    ]
    with pytest.raises(SystemExit):
        printed("walk")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> str:
    monkeypatch.setattr(sys, "argv", ["walks", *options])
    command.main()
    return capsys.readouterr().out
