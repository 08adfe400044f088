"""Events that began by former rules go on by them, whatever later ones count, rank or cut differently."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, due, replay, standings
from tournaments.facts import GamesAdded, RoundDrawn, StageBegun, StageEnded, read_fact
from tournaments.specification import EVENT_RULES, SUPPORTED_RULES, Specification, read_specification
from tournaments.trials import entries_for

FORMER = {1: "first_rules.jsonl", 2: "second_rules.jsonl"}
NEW = 3
RECORDED = [
    (rules, json.loads(line))
    for rules, name in FORMER.items()
    for line in (Path(__file__).parent / "recorded" / name).read_text(encoding="utf-8").splitlines()
]
BY_ITSELF = StageBegun | RoundDrawn | GamesAdded | StageEnded


def told(event: EventFold) -> dict[str, Any]:
    """Return the pools and standings of an event, in the form in which they are recorded."""
    lines = [[line.player, line.stage, {name: str(value) for name, value in line.values}] for line in standings(event)]
    return {"pools": [state.pools() for state in event.stages if state.plan.pool], "standings": lines}


def names(given: object) -> str:
    return str(json.loads(given["specification"])["format"]) if isinstance(given, dict) else f"rules {given}"


def test_all_rules_are_played_and_new_events_have_the_newest() -> None:
    assert {*FORMER, NEW} == SUPPORTED_RULES
    assert EVENT_RULES == NEW
    begun = Specification("league", entries_for(5), "seed")
    assert json.loads(begun.to_json())["rules"] == NEW
    assert read_specification(begun.to_json()) == begun


@pytest.mark.parametrize(("rules", "recorded"), RECORDED, ids=names)
def test_a_stored_event_keeps_its_pools_its_rounds_and_its_standings(rules: int, recorded: dict[str, Any]) -> None:
    """At each of its facts the one that came by itself is due, as it was."""
    event = EventFold(read_specification(recorded["specification"]))
    assert event.specification.rules == rules
    for fact in map(read_fact, recorded["facts"]):
        if isinstance(fact, BY_ITSELF):
            assert due(event) == fact
        event.apply(fact)
    assert event.finished
    assert told(event) == {name: recorded[name] for name in ("pools", "standings")}


@pytest.mark.parametrize(("rules", "recorded"), RECORDED, ids=names)
def test_by_the_next_rules_it_would_be_another_one(rules: int, recorded: dict[str, Any]) -> None:
    specification = replace(read_specification(recorded["specification"]), rules=rules + 1)
    event = replay(specification, map(read_fact, recorded["facts"]))
    assert told(event) != {name: recorded[name] for name in ("pools", "standings")}


def test_rules_of_a_later_release_are_refused() -> None:
    later = json.loads(Specification("league", entries_for(5), "seed").to_json())
    with pytest.raises(EventRuleError, match="unknown-rules rules=999"):
        read_specification(json.dumps({**later, "rules": 999}))
