"""`docs/operations.md`, `docs/privacy.md` and `docs/alarms.yml`: the metrics, commands and retention times they name.

Each alert rule is evaluated twice: on samples that must not fire it, and on samples that must.
"""

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
from operations.commands import Commands, databases, development, interventions
from operations.logs import LIBRARIES, CountingHandler
from store import UnavailableError
from tests.host.conftest import clock, host, new_host
from tests.host.people import SettableClock, start_game

__all__ = ["clock", "host", "new_host"]

DOCS = Path(__file__).parents[2] / "docs"
OPERATIONS = (DOCS / "operations.md").read_text("utf-8")
"""The text of the guide for operators."""
SECTIONS = dict(re.findall(r"^###? (.+?)\n(.*?)(?=^##|\Z)", OPERATIONS, re.MULTILINE | re.DOTALL))
JOB_LABEL = '{job="castellan"}'
"""The label that Prometheus adds to the metrics of the bot's processes."""
ALARMS_FILE = DOCS / "alarms.yml"
"""Alert rules for Prometheus."""
WINDOW_SECONDS = {"10m": 600.0, "1h": 3600.0}
"""Lengths of the time windows in alert rules, by their text."""
Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]
"""Values of metrics, by name and labels."""


def samples() -> Samples:
    """Return the current values of all metrics."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
    }


def test_the_document_lists_every_metric_and_no_other() -> None:
    types = {metric.name: metric.type for metric in REGISTRY.collect()}
    exported = {f"{name}_total" if kind == "counter" else name for name, kind in types.items()}
    documented = re.findall(r"^\| `([a-z_]+)(?:\{[a-z]+\})?`", SECTIONS["Seeing what goes on"], re.MULTILINE)
    assert {name for name in documented if name.startswith("castellan_")} == {
        name for name in exported if name.startswith("castellan_")
    }
    assert set(documented) <= exported | {"process_resident_memory_bytes"}


def test_the_document_lists_the_labels_of_metrics() -> None:
    documented = dict(re.findall(r"^\| `([a-z_]+)\{([a-z]+)\}`", SECTIONS["Seeing what goes on"], re.MULTILINE))
    labelled = [meter for meter in vars(observability).values() if hasattr(meter, "_labelnames") and meter._labelnames]
    assert {
        f"{meter._name}{'_total' if meter._type == 'counter' else ''}": meter._labelnames[0] for meter in labelled
    } == documented


def test_the_document_lists_every_command() -> None:
    parser = ArgumentParser()
    commands = Commands(parser)
    for module in (databases, interventions, development):
        module.add(commands)
    table = SECTIONS["Commands"]
    documented = {
        name for cell in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for name in re.findall(r"`([\w-]+)", cell)
    }
    assert set(commands._commands.choices) == documented


def test_the_documents_state_the_retention_times() -> None:
    privacy = (DOCS / "privacy.md").read_text("utf-8")
    hour = timedelta(hours=1)
    assert (HostSettings().remember_interactions, POST_RETENTION, LOBBY_RETENTION) == (hour, hour, timedelta(days=30))
    for statement in (
        "so that none counts twice | an hour |",
        "an hour after they were sent",
        "30 days after they closed",
    ):
        assert statement in privacy
    section = " ".join(SECTIONS["What is deleted"].split())
    assert "clicks after an hour, and what was posted of games that are over" in section
    assert ("what was sent in the minute before" in section) is (timedelta(minutes=1) == FOLLOW_UP_PERIOD)
    assert "tables that waited for players, 30 days after their end" in section


# -- alarms -----------------------------------------------------------------------------------------------------------


def rules() -> dict[str, str]:
    """Return the expressions of the alert rules by name, checking that the file contains nothing else."""
    lines = [line for line in ALARMS_FILE.read_text("utf-8").splitlines(keepends=True) if not line.startswith("#")]
    head, *parts = re.split(r"^      - alert: (\w+)\n", "".join(lines), flags=re.MULTILINE)
    assert head == "groups:\n  - name: castellan\n    rules:\n"
    read = [re.fullmatch(r" {8}expr: (.+)\n( {8}for: \d+m\n)?", body) for body in parts[1::2]]
    return {name: match[1] for name, match in zip(parts[::2], read, strict=True) if match is not None}


def test_the_document_lists_the_alert_rules_of_the_file() -> None:
    documented = re.findall(r"^\| `(Castellan\w+)` \|", SECTIONS["Alarms"], re.MULTILINE)
    assert documented == [*rules()]
    assert ALARMS_FILE.read_text("utf-8").count("expr:") == len(documented)
    tests = (Path(__file__).parent / "alarms_tried.yml").read_text("utf-8")
    assert set(re.findall(r"alertname: (\w+)", tests)) == set(documented)


def test_alert_rules_use_existing_metrics_and_labels() -> None:
    """Check the metrics and labels of the rules and of their test file."""
    suffixes = {"counter": "_total", "histogram": "_bucket"}
    existing = {f"{metric.name}{suffixes.get(metric.type, '')}" for metric in REGISTRY.collect()}
    labels = {name for metric in vars(observability).values() for name in getattr(metric, "_labelnames", ())} | {"le"}
    for text in (ALARMS_FILE.read_text("utf-8"), (Path(__file__).parent / "alarms_tried.yml").read_text("utf-8")):
        named = set(re.findall(r"\b(?:castellan|process)_[a-z_]+", text))
        assert named <= existing | {"process_resident_memory_bytes"}
        assert named
        assert set(re.findall(r"[{,](\w+)=", text)) <= labels | {"job"}


def test_bars_in_alert_rules_are_escaped_in_the_table() -> None:
    rows = [line for line in SECTIONS["Alarms"].splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {5}


def test_error_counters_start_at_zero() -> None:
    """Export a counter before its first error, as Prometheus sees no increase in a counter that appears with one."""
    handler = CountingHandler(("a_room",), logging.ERROR)
    assert ("castellan_errors_total", frozenset({("logger", "a_room")})) in samples()
    before = samples()
    for name in ("a_room.inside", "a_library"):
        handler.handle(logging.makeLogRecord({"name": name, "levelno": logging.ERROR}))
    changed = [(name, labels) for (name, labels), value in samples().items() if value != before.get((name, labels))]
    grown = {dict(labels)["logger"] for name, labels in changed if name == "castellan_errors_total"}
    assert grown == {"a_room", LIBRARIES}


def fires(rule: str, before: Samples, after: Samples) -> bool:
    """Return whether an alert rule fires for two samples; the time between them is the rule's window."""
    expression, _, limit = rule.rpartition(" > ")
    [(name, chosen, window)] = re.findall(r"((?:castellan|process)_\w+)(?:\{(.*?)\})?(?:\[(\w+)\])?", expression)
    wanted = re.compile("|".join(re.findall(r'"(.*?)"', chosen)) or ".*")
    assert any(sample == name for sample, _ in after), name
    values = {
        labels: value - (before.get((sample, labels), 0.0) if window else 0.0)
        for (sample, labels), value in after.items()
        if sample == name and (not chosen or any(wanted.fullmatch(text) for _, text in labels))
    }
    if "histogram_quantile" in expression:
        return quantile(float(expression.split("(")[1].split(",")[0]), values) > float(limit)
    value = sum(values.values()) / (WINDOW_SECONDS[window] if "rate(" in expression else 1.0)
    return value * (float(expression.rpartition("* ")[2]) if "* " in expression else 1.0) > float(limit)


def quantile(share: float, buckets: Mapping[frozenset[tuple[str, str]], float]) -> float:
    """Compute a quantile as Prometheus does: linearly within a bucket, the last bound above it."""
    counts = sorted((float(dict(labels)["le"]), count) for labels, count in buckets.items())
    rank, low, below = share * counts[-1][1], 0.0, 0.0
    for bound, count in counts:
        if count >= rank and count > below:
            return low if bound == float("inf") else low + (bound - low) * (rank - below) / (count - below)
        low, below = bound, count
    return 0.0


def repeat(meter: Callable[[], object], times: int = 100) -> Callable[[], None]:
    """Return a function that records a sample many times."""

    def count() -> None:
        """Count an event a few times."""
        for _ in range(times):
            meter()

    return count


ALARMS: Mapping[str, tuple[Callable[[], None], Callable[[], None]]] = {
    "CastellanLateCards": (
        repeat(lambda: observability.CARD_POSTED.observe(0.4)),
        repeat(lambda: observability.CARD_POSTED.observe(7)),
    ),
    "CastellanClicksTooLate": (
        repeat(lambda: observability.ACKNOWLEDGED.observe(0.05)),
        repeat(lambda: observability.ACKNOWLEDGED.observe(1.9)),
    ),
    "CastellanRefusedByDiscord": (
        repeat(observability.REQUESTS.labels("200").inc, 4000),
        repeat(observability.REQUESTS.labels("403").inc, 3200),
    ),
    "CastellanDiscordAway": (lambda: observability.GATEWAY_WAIT.set(0), lambda: observability.GATEWAY_WAIT.set(30)),
    "CastellanErrors": (
        repeat(observability.ERRORS.labels("a_logger").inc, 0),
        repeat(observability.ERRORS.labels("a_logger").inc, 1),
    ),
    "CastellanFrozenGames": (
        lambda: observability.UNFINISHED_GAMES.labels("running").set(9),
        lambda: observability.UNFINISHED_GAMES.labels("frozen").set(1),
    ),
    "CastellanComputerStuck": (
        lambda: observability.OLDEST_COMPUTER_TURN.set(80_000),
        lambda: observability.OLDEST_COMPUTER_TURN.set(90_000),
    ),
    "CastellanComputersFail": (
        repeat(observability.COMPUTER_FAILURES.labels("strong").inc, 10),
        repeat(observability.COMPUTER_FAILURES.labels("quick").inc, 11),
    ),
    "CastellanComputersLate": (
        repeat(lambda: observability.COMPUTER_WAITING.observe(20)),
        repeat(lambda: observability.COMPUTER_WAITING.observe(100)),
    ),
}
"""Samples for which an alert stays silent, and samples for which it fires."""


@pytest.mark.parametrize("alarm", ALARMS)
def test_an_alert_rule_fires_on_its_samples_only(alarm: str) -> None:
    record_usual, record_unusual = ALARMS[alarm]
    observability.UNFINISHED_GAMES.labels("frozen").set(0)
    before = samples()
    record_usual()
    assert not fires(rules()[alarm], before, samples())
    before = samples()
    record_unusual()
    assert fires(rules()[alarm], before, samples())
    observability.UNFINISHED_GAMES.labels("frozen").set(0)
    observability.GATEWAY_WAIT.set(0)
    observability.OLDEST_COMPUTER_TURN.set(0)


def test_every_alert_rule_has_samples() -> None:
    assert rules().keys() == ALARMS.keys() | {"CastellanMemory"}
    rule = rules()["CastellanMemory"].replace(JOB_LABEL, "")
    assert rule != rules()["CastellanMemory"]
    now = samples()
    name = rule.partition(" ")[0]
    if (name, frozenset()) in now:  # exported on Linux only
        assert not fires(rule, now, {(name, frozenset()): 4e8})
        assert fires(rule, now, {(name, frozenset()): 6e8})


@pytest.mark.sqlite
async def test_frozen_games_and_waiting_posts_are_exported(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    assert await host.health_check.check() == {}
    await host.operators.freeze(game.code, "an operator", "")
    clock.advance(OUTBOX_STUCK_AFTER.total_seconds() + 60)
    assert set(await host.health_check.check()) <= {"outbox"}
    now = samples()
    assert now["castellan_games", frozenset({("status", "frozen")})] == 1
    assert now["castellan_games", frozenset({("status", "running")})] == 0
    observability.UNFINISHED_GAMES.labels("frozen").set(0)


@pytest.mark.sqlite
async def test_the_health_check_names_what_is_stuck(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_game(host)
    clock.advance(OUTBOX_STUCK_AFTER.total_seconds())
    assert await host.health_check.check() == {}
    clock.advance(60)
    assert await host.health_check.check() == {"outbox": "the oldest post has waited for 180 s"}

    def fail() -> None:
        raise UnavailableError("away")

    monkeypatch.setattr(host._store, "reading", fail)
    assert await host.health_check.check() == {"database": "UnavailableError"}
