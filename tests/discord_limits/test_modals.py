"""Limits of a modal, an autocomplete answer and a thread: payloads that reach them and payloads that exceed them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import autocomplete_problems, modal_problems, thread_problems
from tests.discord_limits.payloads import button, choices, label, modal, option, row, select, text_display, text_input


def radio_group(amount: int) -> dict[str, Any]:
    """Return a labelled radio group with this many options."""
    return label({"type": Kind.RADIO_GROUP, "custom_id": "r", "options": [option(n) for n in range(amount)]})


def checkbox_group(amount: int) -> dict[str, Any]:
    """Return a labelled checkbox group with this many options."""
    return label({"type": Kind.CHECKBOX_GROUP, "custom_id": "c", "options": [option(n) for n in range(amount)]})


def file_upload(max_files: int) -> dict[str, Any]:
    """Return a labelled file upload for at most this many files."""
    return label({"type": Kind.FILE_UPLOAD, "custom_id": "u", "max_values": max_files})


ONE_INPUT = label(text_input())
# The limit, a modal within it, a modal beyond it, a part of the expected problem.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("title", modal(ONE_INPUT, title="x" * 45), modal(ONE_INPUT, title="x" * 46), "title: 46"),
    ("no title", modal(ONE_INPUT), modal(ONE_INPUT, title=""), "title: 0"),
    ("custom_id", modal(ONE_INPUT, custom_id="x" * 100), modal(ONE_INPUT, custom_id="x" * 101), "custom_id: 101"),
    (
        "components",
        modal(*[label(text_input(f"t{n}")) for n in range(5)]),
        modal(*[label(text_input(f"t{n}")) for n in range(6)]),
        "6 items",
    ),
    ("no components", modal(ONE_INPUT), modal(), "0 items"),
    ("kinds", modal(row(text_input())), modal(text_input()), "4 is not allowed"),
    ("labelled", modal(label(select())), modal(label(button())), "2 is not allowed"),
    ("text", modal(text_display(), ONE_INPUT), modal(text_display(""), ONE_INPUT), "content: 0"),
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
    ("few radio buttons", modal(radio_group(2)), modal(radio_group(1)), "1 items"),
    ("many radio buttons", modal(radio_group(10)), modal(radio_group(11)), "11 items"),
    ("checkboxes", modal(checkbox_group(10)), modal(checkbox_group(11)), "11 items"),
    ("uploads", modal(file_upload(10)), modal(file_upload(11)), "max_values: 11"),
]


@pytest.mark.parametrize(("good", "bad", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_modal_beyond_the_limit_is_reported(good: dict[str, Any], bad: dict[str, Any], expected: str) -> None:
    assert modal_problems(good) == []
    problems = modal_problems(bad)
    assert any(expected in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        (choices(25), choices(26), "choices: 26"),
        ([{"name": "x" * 100, "value": 1}], [{"name": "x" * 101, "value": 1}], "name: 101"),
        ([{"name": "x", "value": 1}], [{"name": "", "value": 1}], "name: 0"),
        ([{"name": "x", "value": "v" * 100}], [{"name": "x", "value": "v" * 101}], "value: 101"),
    ],
)
def test_an_autocomplete_answer_beyond_the_limit_is_reported(good: list[Any], bad: list[Any], expected: str) -> None:
    assert autocomplete_problems({"choices": good}) == []
    assert any(expected in problem for problem in autocomplete_problems({"choices": bad}))


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ({"name": "x" * 100}, {"name": "x" * 101}, "name: 101"),
        ({"name": "x"}, {"name": ""}, "name: 0"),
        ({"name": "x", "auto_archive_duration": 10080}, {"name": "x", "auto_archive_duration": 5}, "none of"),
        ({"name": "x", "rate_limit_per_user": 21600}, {"name": "x", "rate_limit_per_user": 21601}, "within"),
    ],
)
def test_a_thread_beyond_the_limit_is_reported(good: dict[str, Any], bad: dict[str, Any], expected: str) -> None:
    assert thread_problems(good) == []
    assert any(expected in problem for problem in thread_problems(bad))
