"""Write ``cogs/texts/first-keys.txt``: the 500 sentences that players read most often, for translators to begin with.

They are counted while two whole games are read (``tests/golden/wording.py``); descriptions of commands and
answers to mistakes follow. Run
``python -m tests.golden.first_keys`` when sentences have come or gone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

import pytest

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.catalogue import Catalogue
from cogs.texts.exchange import FIRST_KEYS
from tests.golden.wording import play_whole_games, wording

KEY_COUNT: Final = 500


def most_read_keys(count: int) -> list[str]:
    """Return the keys that are looked up most often in two games, the most frequent first."""
    read, filled = Counter[str](), Catalogue.filled

    def count_and_fill(self: Catalogue, key: str, values: Mapping[str, object]) -> str:
        read[key] += 1
        return filled(self, key, values)

    with pytest.MonkeyPatch.context() as patch:
        games = play_whole_games(patch)
        patch.setattr(Catalogue, "filled", count_and_fill)
        wording(LANGUAGE, games)
    commands = [key for key in catalogue().sentences if re.fullmatch(r"command\..*(description|group)|error\..*", key)]
    return list(dict.fromkeys([*sorted(read, key=lambda key: (-read[key], key)), *commands]))[:count]


def main() -> None:
    """Write the file."""
    FIRST_KEYS.write_text("".join(f"{key}\n" for key in most_read_keys(KEY_COUNT)), encoding="utf-8")


if __name__ == "__main__":
    main()
