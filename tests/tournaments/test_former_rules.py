"""Events that began under former rules keep them, although later rules count, rank, cut or advance differently.

The recorded events are chosen so that the next version of the rules would give another result, or let others advance.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, due, standings
from tournaments.facts import GamesAdded, RoundDrawn, StageBegun, StageEnded, read_fact
from tournaments.specification import EVENT_RULES, SUPPORTED_RULES, Specification, read_specification
from tournaments.trials import entries_for

FORMER_RULES_FILES = {1: "first_rules.jsonl", 2: "second_rules.jsonl", 3: "third_rules.jsonl", 4: "fourth_rules.jsonl"}
"""Recorded events, by the version of the rules under which they began."""
NEWEST_RULES = 5
"""Version of the rules for new events."""
RECORDED_EVENTS = [
    (rules, json.loads(line))
    for rules, name in FORMER_RULES_FILES.items()
    for line in (Path(__file__).parent / "recorded" / name).read_text(encoding="utf-8").splitlines()
]
AutomaticFact = StageBegun | RoundDrawn | GamesAdded | StageEnded
"""Facts that follow from the rules, in contrast to results and decisions of organisers."""


def pools_and_standings(event: EventFold) -> dict[str, Any]:
    """Return the pools and standings of an event, in the form in which they are recorded."""
    lines = [[line.player, line.stage, {name: str(value) for name, value in line.values}] for line in standings(event)]
    return {"pools": [state.pools() for state in event.stages if state.plan.pool], "standings": lines}


def case_id(value: object) -> str:
    """Name a test case by format and version of the rules."""
    return str(json.loads(value["specification"])["format"]) if isinstance(value, dict) else f"rules {value}"


def test_all_rules_are_supported_and_new_events_have_the_newest() -> None:
    assert {*FORMER_RULES_FILES, NEWEST_RULES} == SUPPORTED_RULES
    assert EVENT_RULES == NEWEST_RULES
    new_event = Specification("league", entries_for(5), "seed")
    assert json.loads(new_event.to_json())["rules"] == NEWEST_RULES
    assert read_specification(new_event.to_json()) == new_event


@pytest.mark.parametrize(("rules", "recorded"), RECORDED_EVENTS, ids=case_id)
def test_a_stored_event_keeps_its_pools_its_rounds_and_its_standings(rules: int, recorded: dict[str, Any]) -> None:
    """Replay its facts. The automatic facts become due at the same points as in the record."""
    event = EventFold(read_specification(recorded["specification"]))
    assert event.specification.rules == rules
    for fact in map(read_fact, recorded["facts"]):
        if isinstance(fact, AutomaticFact):
            assert due(event) == fact
        event.apply(fact)
    assert event.finished
    assert pools_and_standings(event) == {name: recorded[name] for name in ("pools", "standings")}


@pytest.mark.parametrize(("rules", "recorded"), RECORDED_EVENTS, ids=case_id)
def test_by_the_next_rules_it_would_go_on_or_end_differently(rules: int, recorded: dict[str, Any]) -> None:
    """Replay its facts by the next rules. Some other fact is due, or the standings differ at the end."""
    event = EventFold(replace(read_specification(recorded["specification"]), rules=rules + 1))
    differs = False
    for fact in map(read_fact, recorded["facts"]):
        differs |= isinstance(fact, AutomaticFact) and due(event) != fact
        event.apply(fact)
    assert differs or pools_and_standings(event) != {name: recorded[name] for name in ("pools", "standings")}


def test_rules_of_a_later_release_are_refused() -> None:
    later = json.loads(Specification("league", entries_for(5), "seed").to_json())
    with pytest.raises(EventRuleError, match="unknown-rules rules=999"):
        read_specification(json.dumps({**later, "rules": 999}))
