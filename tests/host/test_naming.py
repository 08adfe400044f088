"""Display names that tell people with the same name apart, by digits of their Discord ids.

Normally the last four digits are appended, as in "Ana #0001", and more of them where those are equal, too. Negative
ids stand for people who were erased.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host import Person, unique_names

BASE = 4 * 10**17
"""A number as large as Discord's ids, to which the last digits are added."""

numbers = st.sampled_from([1234, 1235, 10_001_234, 20_001_234]).map(BASE.__add__) | st.integers(-(10**12), 2**63 - 1)
"""Ids: some share their last four digits, some are negative."""
names = st.sampled_from(["Ana", "ana", "Ana #1234", "Ana #10001234", "Ana #1234 #1234", "#1234", "#34", "", "ẞ", "ss"])
crowds = st.lists(st.builds(Person, numbers, names | st.text(max_size=4)), max_size=8, unique_by=lambda p: p.user_id)
"""People with different ids and often the same name."""


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ([(1, "Ana"), (2, "Ben")], ["Ana", "Ben"]),
        ([(1, "Ana"), (2, "ana"), (3, "Ben")], ["Ana #0001", "ana #0002", "Ben"]),
        ([(1, "N" * 32), (2, "N" * 32)], [f"{'N' * 32} #0001", f"{'N' * 32} #0002"]),
        ([(1, "Ana"), (2, "Ana"), (3, "Ana #0002")], ["Ana #0001", "Ana #0002", "Ana #0002 #0003"]),
        ([(10_001, "Ana"), (20_001, "Ana"), (2, "Ana")], ["Ana #00010001", "Ana #00020001", "Ana #0002"]),
        ([(-1, "Ana"), (-2, "Ana"), (-102, "Ana")], ["Ana #1", "Ana #2", "Ana #102"]),
        ([(1, "Ana"), (1, "Ana")], ["Ana", "Ana"]),
    ],
    ids=["different", "same name", "long", "imitated", "same last digits, too", "forgotten", "the same person"],
)
def test_digits_are_appended_to_the_names_of_namesakes(people: list[tuple[int, str]], expected: list[str]) -> None:
    assert unique_names([Person(*person) for person in people]) == expected


@given(crowds)
def test_no_two_people_get_the_same_name(people: list[Person]) -> None:
    shown_names = unique_names(people)
    assert len({name.casefold() for name in shown_names}) == len(people)
    assert unique_names(people[::-1]) == shown_names[::-1]
    for person, name in zip(people, shown_names, strict=True):
        assert name == person.name or name.startswith(f"{person.name} #")
