"""The names around castles (CA-68): editions use different words, such as lord or knight, for the same rules.

Codes such as CA-68 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from cogs.texts import t


def test_CA_68_players_find_both_names() -> None:
    rules = t("rules.bridges-castles-bazaars")

    assert all(word in rules for word in ("lord", "knight", "fief", "vicinity"))
