"""Every limit of a modal and of an autocomplete answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import autocomplete_problems, modal_problems, thread_problems
from tests.discord_limits.payloads import button, choices, label, modal, option, row, select, text, text_input


def radio(number: int) -> dict[str, Any]:
    return label({"type": Kind.RADIO_GROUP, "custom_id": "r", "options": [option(n) for n in range(number)]})


def checkboxes(number: int) -> dict[str, Any]:
    return label({"type": Kind.CHECKBOX_GROUP, "custom_id": "c", "options": [option(n) for n in range(number)]})


def upload(most: int) -> dict[str, Any]:
    return label({"type": Kind.FILE_UPLOAD, "custom_id": "u", "max_values": most})


ONE = label(text_input())
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("title", modal(ONE, title="x" * 45), modal(ONE, title="x" * 46), "title: 46"),
    ("no title", modal(ONE), modal(ONE, title=""), "title: 0"),
    ("custom_id", modal(ONE, custom_id="x" * 100), modal(ONE, custom_id="x" * 101), "custom_id: 101"),
    (
        "components",
        modal(*[label(text_input(f"t{n}")) for n in range(5)]),
        modal(*[label(text_input(f"t{n}")) for n in range(6)]),
        "6 items",
    ),
    ("no components", modal(ONE), modal(), "0 items"),
    ("kinds", modal(row(text_input())), modal(text_input()), "4 is not allowed"),
    ("labelled", modal(label(select())), modal(label(button())), "2 is not allowed"),
    ("text", modal(text(), ONE), modal(text(""), ONE), "content: 0"),
    ("label", modal(label(text_input(), label="x" * 45)), modal(label(text_input(), label="x" * 46)), "label: 46"),
    (
        "label's description",
        modal(label(text_input(), description="x" * 100)),
        modal(label(text_input(), description="x" * 101)),
        "description: 101",
    ),
    ("input's label", modal(row(text_input(label="x" * 45))), modal(row(text_input(label="x" * 46))), "label: 46"),
    ("value", modal(label(text_input(value="x" * 4000))), modal(label(text_input(value="x" * 4001))), "value: 4001"),
    (
        "placeholder",
        modal(label(text_input(placeholder="x" * 100))),
        modal(label(text_input(placeholder="x" * 101))),
        "placeholder: 101",
    ),
    ("least", modal(label(text_input(min_length=4000))), modal(label(text_input(min_length=4001))), "min_length"),
    ("most", modal(label(text_input(max_length=1))), modal(label(text_input(max_length=0))), "max_length: 0"),
    (
        "unique",
        modal(label(text_input("a")), label(text_input("b"))),
        modal(label(text_input("a")), label(text_input("a"))),
        "2 times",
    ),
    ("few radio buttons", modal(radio(2)), modal(radio(1)), "1 items"),
    ("many radio buttons", modal(radio(10)), modal(radio(11)), "11 items"),
    ("checkboxes", modal(checkboxes(10)), modal(checkboxes(11)), "11 items"),
    ("uploads", modal(upload(10)), modal(upload(11)), "max_values: 11"),
]


@pytest.mark.parametrize(("good", "bad", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_modal_keeps_or_breaks_the_limit(good: dict[str, Any], bad: dict[str, Any], said: str) -> None:
    assert modal_problems(good) == []
    problems = modal_problems(bad)
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (choices(25), choices(26), "choices: 26"),
        ([{"name": "x" * 100, "value": 1}], [{"name": "x" * 101, "value": 1}], "name: 101"),
        ([{"name": "x", "value": 1}], [{"name": "", "value": 1}], "name: 0"),
        ([{"name": "x", "value": "v" * 100}], [{"name": "x", "value": "v" * 101}], "value: 101"),
    ],
)
def test_autocomplete_keeps_or_breaks_the_limit(good: list[Any], bad: list[Any], said: str) -> None:
    assert autocomplete_problems({"choices": good}) == []
    assert any(said in problem for problem in autocomplete_problems({"choices": bad}))


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ({"name": "x" * 100}, {"name": "x" * 101}, "name: 101"),
        ({"name": "x"}, {"name": ""}, "name: 0"),
        ({"name": "x", "auto_archive_duration": 10080}, {"name": "x", "auto_archive_duration": 5}, "none of"),
        ({"name": "x", "rate_limit_per_user": 21600}, {"name": "x", "rate_limit_per_user": 21601}, "within"),
    ],
)
def test_a_thread_keeps_or_breaks_the_limit(good: dict[str, Any], bad: dict[str, Any], said: str) -> None:
    assert thread_problems(good) == []
    assert any(said in problem for problem in thread_problems(bad))
