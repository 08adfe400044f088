"""Texts of a tournament's audit log and of refused plans: sentences in every language, without internal names.

The examples are the stored details of each kind of action of an organiser or player.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from re import findall
from typing import Any

import pytest

from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.events import audit_words
from cogs.words.refusals import refusal_words
from host.events import AuditRecord
from host.events.reader import CAME_BACK, CAME_LATE, LEFT, LOST_ACCESS

ROUND = {"stage": 1, "round": 2}
"""The details that name a round."""
RECORDED_DETAILS: dict[str, dict[str, Any]] = {
    "created": {"format": "duel-swiss"},
    "planned": {"changed": ["computers", "expansions", "parameters.best_of", "rounds", "season_of"]},
    "announced": {},
    "organiser": {"added": 7},
    "check_in": {},
    "started": {"entries": 9, "without_access": [7]},
    "opened": {},
    "extended": {**ROUND, "days": 3, "reason": "Illness"},
    "extended_game": {**ROUND, "table": 4, "game": "ABCD", "hours": 48, "reason": "Illness"},
    "paused": {"days": 2},
    "resumed": {},
    "corrected": {**ROUND, "table": 4, "scores": [71, 64], "reason": "Illness"},
    "disqualified": {"user": 7, "reason": "Illness"},
    "replaced": {"user": 7, "by": 8},
    "exchanged": {**ROUND, "user": 7, "by": 8, "reason": "Illness"},
    "penalised": {"user": 7, "points": "3/2", "reason": "Illness"},
    "warned": {"user": 7, "reason": "Illness"},
    "left": {},
    "lost_access": {"user": 7},
    "came_back": {},
    "came_late": {},
    "redrawn": {**ROUND, "reason": "Illness"},
    "closed": {"reason": "Illness"},
}
"""Stored details of each kind of action."""
INTERNAL_NAMES = ("_", "duel-swiss", "parameters", "without", "expansions", "[", "{")
"""Parts of internal names, which no sentence may contain."""


def record_of(kind: str, details: dict[str, Any]) -> AuditRecord:
    """Return an entry of the audit log by user 500."""
    return AuditRecord(number=1, user_id=500, kind=kind, details=details, at=datetime(2030, 1, 1, tzinfo=UTC))


def test_every_kind_of_action_is_covered() -> None:
    modules = Path(__file__).parents[2].joinpath("host", "events").rglob("*.py")
    recorded_kinds = {kind for module in modules for kind in findall(r"\.note\([^\"]*?\"(\w+)\"", module.read_text())}
    attendance_kinds = {LEFT, LOST_ACCESS, CAME_BACK, CAME_LATE}
    assert recorded_kinds | {"extended_game"} | attendance_kinds == RECORDED_DETAILS.keys()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", RECORDED_DETAILS)
def test_an_action_is_described_in_a_sentence(kind: str, language: str) -> None:
    details = RECORDED_DETAILS[kind]
    with speaking(language):
        words = audit_words(record_of(kind, details))
    assert words.startswith("<t:1893456000:f> <@500>: ")
    assert all(str(value) in words for name, value in details.items() if name in {"reason", "game", "days", "hours"})
    assert not any(raw in words.replace("without", "", language == "en") for raw in INTERNAL_NAMES)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", ["left", "came_back"])
def test_a_team_that_enters_or_leaves_is_named(kind: str, language: str) -> None:
    with speaking(language):
        assert "Alpha" in audit_words(record_of(kind, {"team": "Alpha"}))


@pytest.mark.parametrize("language", languages())
def test_exchanged_teams_are_named(language: str) -> None:
    with speaking(language):
        words = audit_words(record_of("exchanged", {"team": "Alpha", "other": "*Beta*", **ROUND, "reason": "derby"}))
    assert all(part in words for part in ("Alpha", r"\*Beta\*", "derby"))


def test_a_role_is_mentioned_as_a_role() -> None:
    assert audit_words(record_of("organiser", {"role_added": 77})).endswith("members with <@&77> are now organisers")
    assert "<@&77>" in audit_words(record_of("organiser", {"role_removed": 77}))


def test_forgotten_users_are_anonymous_and_unknown_values_raw() -> None:
    assert audit_words(record_of("disqualified", {"user": -3})).endswith(": somebody disqualified")
    assert audit_words(record_of("blessed", {"by": 3})).endswith(": **blessed** by 3")
    assert "**" not in audit_words(record_of("planned", {"changed": ["parameters"]}))  # as stored by older versions


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("reason", "values"),
    [
        ("best-of", {"games": 7}),
        ("hours", {}),
        ("level", {"one": 0, "other": 1}),
        ("most", {"least": 4, "most": 16}),
        ("no-dutch-pairing", {"package": "py4swiss"}),
        ("no-season", {"code": "ABCD"}),
        ("no-seasons", {"code": "ABCD"}),
        ("pool-too-small", {"pool": 2, "least": 3}),
        ("season-not-over", {"code": "ABCD"}),
        ("too-large", {"rounds": 32, "boards": 20}),
        ("unknown-tie-break", {"name": "luck"}),
        ("of a later version", {}),
    ],
)
def test_the_reason_of_an_invalid_plan_is_a_sentence(reason: str, values: dict[str, object], language: str) -> None:
    with speaking(language):
        words = refusal_words("bad_plan", {"reason": reason, **values})
        assert (words == t("error.bad_plan")) == (reason == "of a later version")
    assert "-" not in reason or reason not in words
    visible_values = [
        str(value) for name, value in values.items() if name in {"games", "least", "most", "code", "pool"}
    ]
    assert all(value in words for value in visible_values)
