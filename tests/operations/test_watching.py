"""`docs/operations.md`: its metrics and commands exist, and each of its alert rules fires."""

from __future__ import annotations

import logging
import re
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from host import Host, HostSettings, observability
from host.admin.checks import OUTBOX_STUCK_AFTER
from host.admin.retention import LOBBY_RETENTION, POST_RETENTION
from host.games.outbox import FOLLOW_UP_PERIOD
from operations.commands import Commands, databases, interventions
from operations.logs import LIBRARIES, CountingHandler
from store import UnavailableError
from tests.host.conftest import clock, host, new_host
from tests.host.people import SettableClock, start_game

__all__ = ["clock", "host", "new_host"]

DOCS = Path(__file__).parents[2] / "docs"
OPERATIONS = (DOCS / "operations.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^###? (.+?)\n(.*?)(?=^##|\Z)", OPERATIONS, re.MULTILINE | re.DOTALL))
OF_OUR_JOB = '{job="castellan"}'
"""Prometheus puts that beside whatever it asks our processes for."""
ALARMS_FILE = DOCS / "alarms.yml"
WINDOW = {"10m": 600.0, "1h": 3600.0}
Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


def samples() -> Samples:
    """All meters as they stand."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
    }


def test_every_meter_is_told_and_every_one_that_is_told_is_there() -> None:
    its = {metric.name: metric.type for metric in REGISTRY.collect()}
    known = {f"{name}_total" if kind == "counter" else name for name, kind in its.items()}
    told = re.findall(r"^\| `([a-z_]+)(?:\{[a-z]+\})?`", SECTIONS["Seeing what goes on"], re.MULTILINE)
    assert {name for name in told if name.startswith("castellan_")} == {
        name for name in known if name.startswith("castellan_")
    }
    assert set(told) <= known | {"process_resident_memory_bytes"}


def test_every_label_that_is_told_is_one() -> None:
    told = dict(re.findall(r"^\| `([a-z_]+)\{([a-z]+)\}`", SECTIONS["Seeing what goes on"], re.MULTILINE))
    ours = [meter for meter in vars(observability).values() if hasattr(meter, "_labelnames") and meter._labelnames]
    assert {
        f"{meter._name}{'_total' if meter._type == 'counter' else ''}": meter._labelnames[0] for meter in ours
    } == told


def test_every_command_is_told() -> None:
    parser = ArgumentParser()
    commands = Commands(parser)
    for module in (databases, interventions):
        module.add(commands)
    table = SECTIONS["Commands"]
    told = {name for cell in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)", cell)}
    assert set(commands._commands.choices) == told


def test_what_is_kept_is_kept_as_long_as_is_told() -> None:
    privacy = (DOCS / "privacy.md").read_text("utf-8")
    hour = timedelta(hours=1)
    assert (HostSettings().remember_interactions, POST_RETENTION, LOBBY_RETENTION) == (hour, hour, timedelta(days=30))
    for kept in ("so that none counts twice | an hour |", "an hour after they were sent", "30 days after they closed"):
        assert kept in privacy
    thinned = " ".join(SECTIONS["What is thinned out"].split())
    assert "clicks after an hour, and what was posted of games that are over" in thinned
    assert ("what was sent in the minute before" in thinned) is (timedelta(minutes=1) == FOLLOW_UP_PERIOD)
    assert "30 days after their end tables" in thinned


# -- alarms -----------------------------------------------------------------------------------------------------------


def rules() -> dict[str, str]:
    """The expressions of the file that operators load, by the names of their alarms; it says nothing else."""
    lines = [line for line in ALARMS_FILE.read_text("utf-8").splitlines(keepends=True) if not line.startswith("#")]
    head, *parts = re.split(r"^      - alert: (\w+)\n", "".join(lines), flags=re.MULTILINE)
    assert head == "groups:\n  - name: castellan\n    rules:\n"
    read = [re.fullmatch(r" {8}expr: (.+)\n( {8}for: \d+m\n)?", body) for body in parts[1::2]]
    return {name: found[1] for name, found in zip(parts[::2], read, strict=True) if found is not None}


def test_the_file_of_alarms_holds_those_that_are_told_and_nothing_else() -> None:
    told = re.findall(r"^\| `(Castellan\w+)` \|", SECTIONS["Alarms"], re.MULTILINE)
    assert told == [*rules()]
    assert ALARMS_FILE.read_text("utf-8").count("expr:") == len(told)
    tried = (Path(__file__).parent / "alarms_tried.yml").read_text("utf-8")
    assert set(re.findall(r"alertname: (\w+)", tried)) == set(told)


def test_every_alarm_is_about_what_is_counted() -> None:
    """Each metric with its labels, in the rules and where they are tried."""
    ends = {"counter": "_total", "histogram": "_bucket"}
    there = {f"{metric.name}{ends.get(metric.type, '')}" for metric in REGISTRY.collect()}
    labels = {name for metric in vars(observability).values() for name in getattr(metric, "_labelnames", ())} | {"le"}
    for text in (ALARMS_FILE.read_text("utf-8"), (Path(__file__).parent / "alarms_tried.yml").read_text("utf-8")):
        named = set(re.findall(r"\b(?:castellan|process)_[a-z_]+", text))
        assert named <= there | {"process_resident_memory_bytes"}
        assert named
        assert set(re.findall(r"[{,](\w+)=", text)) <= labels | {"job"}


def test_no_sign_of_a_rule_ends_a_cell_of_its_table() -> None:
    rows = [line for line in SECTIONS["Alarms"].splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {5}


def test_an_error_is_counted_from_nothing_on() -> None:
    """Prometheus sees no growth in what is first there with its first error."""
    handler = CountingHandler(("a_room",), logging.ERROR)
    assert ("castellan_errors_total", frozenset({("logger", "a_room")})) in samples()
    before = samples()
    for name in ("a_room.inside", "a_library"):
        handler.handle(logging.makeLogRecord({"name": name, "levelno": logging.ERROR}))
    changed = [(name, labels) for (name, labels), value in samples().items() if value != before.get((name, labels))]
    grown = {dict(labels)["logger"] for name, labels in changed if name == "castellan_errors_total"}
    assert grown == {"a_room", LIBRARIES}


def goes_off(rule: str, before: Samples, after: Samples) -> bool:
    """Return whether an alert rule holds for two samples that are its window apart."""
    left, _, limit = rule.rpartition(" > ")
    [(name, chosen, window)] = re.findall(r"((?:castellan|process)_\w+)(?:\{(.*?)\})?(?:\[(\w+)\])?", left)
    wanted = re.compile("|".join(re.findall(r'"(.*?)"', chosen)) or ".*")
    assert any(sample == name for sample, _ in after), name
    found = {
        labels: value - (before.get((sample, labels), 0.0) if window else 0.0)
        for (sample, labels), value in after.items()
        if sample == name and (not chosen or any(wanted.fullmatch(text) for _, text in labels))
    }
    if "histogram_quantile" in left:
        return quantile(float(left.split("(")[1].split(",")[0]), found) > float(limit)
    value = sum(found.values()) / (WINDOW[window] if "rate(" in left else 1.0)
    return value * (float(left.rpartition("* ")[2]) if "* " in left else 1.0) > float(limit)


def quantile(share: float, buckets: Mapping[frozenset[tuple[str, str]], float]) -> float:
    """As Prometheus works it out: between the bounds of a bucket along a line, above the last bound that bound."""
    counts = sorted((float(dict(labels)["le"]), count) for labels, count in buckets.items())
    rank, low, below = share * counts[-1][1], 0.0, 0.0
    for bound, count in counts:
        if count >= rank and count > below:
            return low if bound == float("inf") else low + (bound - low) * (rank - below) / (count - below)
        low, below = bound, count
    return 0.0


def often(meter: Callable[[], object], times: int = 100) -> Callable[[], None]:
    """Something that is counted many times."""

    def count() -> None:
        for _ in range(times):
            meter()

    return count


ALARMS: Mapping[str, tuple[Callable[[], None], Callable[[], None]]] = {
    "CastellanLateCards": (
        often(lambda: observability.CARD_POSTED.observe(0.4)),
        often(lambda: observability.CARD_POSTED.observe(7)),
    ),
    "CastellanClicksTooLate": (
        often(lambda: observability.ACKNOWLEDGED.observe(0.05)),
        often(lambda: observability.ACKNOWLEDGED.observe(1.9)),
    ),
    "CastellanRefusedByDiscord": (
        often(observability.REQUESTS.labels("200").inc, 4000),
        often(observability.REQUESTS.labels("403").inc, 3200),
    ),
    "CastellanDiscordAway": (lambda: observability.GATEWAY_WAIT.set(0), lambda: observability.GATEWAY_WAIT.set(30)),
    "CastellanErrors": (
        often(observability.ERRORS.labels("of nobody").inc, 0),
        often(observability.ERRORS.labels("of nobody").inc, 1),
    ),
    "CastellanFrozenGames": (
        lambda: observability.UNFINISHED_GAMES.labels("running").set(9),
        lambda: observability.UNFINISHED_GAMES.labels("frozen").set(1),
    ),
}
"""Samples for which an alert stays silent, and samples for which it fires."""


@pytest.mark.parametrize("alarm", ALARMS)
def test_an_alarm_goes_off_when_it_should(alarm: str) -> None:
    usual, amiss = ALARMS[alarm]
    observability.UNFINISHED_GAMES.labels("frozen").set(0)
    before = samples()
    usual()
    assert not goes_off(rules()[alarm], before, samples())
    before = samples()
    amiss()
    assert goes_off(rules()[alarm], before, samples())
    observability.UNFINISHED_GAMES.labels("frozen").set(0)
    observability.GATEWAY_WAIT.set(0)


def test_every_rule_is_tried() -> None:
    assert rules().keys() == ALARMS.keys() | {"CastellanMemory"}
    rule = rules()["CastellanMemory"].replace(OF_OUR_JOB, "")
    assert rule != rules()["CastellanMemory"]
    now = samples()
    name = rule.partition(" ")[0]
    if (name, frozenset()) in now:  # Linux tells
        assert not goes_off(rule, now, {(name, frozenset()): 4e8})
        assert goes_off(rule, now, {(name, frozenset()): 6e8})


@pytest.mark.sqlite
async def test_what_waits_and_what_rests_is_shown(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    assert await host.health_check.look() == {}
    await host.operators.freeze(game.code, "an operator", "")
    clock.advance(OUTBOX_STUCK_AFTER.total_seconds() + 60)
    assert set(await host.health_check.look()) <= {"outbox"}
    now = samples()
    assert now["castellan_games", frozenset({("status", "frozen")})] == 1
    assert now["castellan_games", frozenset({("status", "running")})] == 0
    observability.UNFINISHED_GAMES.labels("frozen").set(0)


@pytest.mark.sqlite
async def test_what_is_stuck_is_named(host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> None:
    await start_game(host)
    clock.advance(OUTBOX_STUCK_AFTER.total_seconds())
    assert await host.health_check.look() == {}
    clock.advance(60)
    assert await host.health_check.look() == {"outbox": "the oldest post has waited for 180 s"}

    def away() -> None:
        raise UnavailableError("away")

    monkeypatch.setattr(host._store, "reading", away)
    assert await host.health_check.look() == {"database": "UnavailableError"}
