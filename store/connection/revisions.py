"""The migrations that this release knows, by the names in their files.

Alembic carries them out. It takes longer to load than all else of a start, whose tables are nearly always as they
should be: to see that, it is not needed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"
VERSIONS: Final = "alembic_version"
"""The table in which a database says how far it is."""
_NAMES: Final = re.compile(r'^(?:down_)?revision = (?:"(\w+)"|None)$', re.MULTILINE)


@cache
def known() -> tuple[str, ...]:
    """The migrations, the oldest first."""
    after: dict[str, str] = {}
    for path in (MIGRATIONS / "versions").glob("*.py"):
        name, before = _NAMES.findall(path.read_text(encoding="utf-8"))
        after[before] = name
    chain, last = list[str](), ""
    while last in after:
        last = after[last]
        chain.append(last)
    return tuple(chain)


def of(connection: Connection) -> str | None:
    """How far a database is; None where nothing is in it yet."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    found: str | None = connection.scalar(select(column("version_num")).select_from(table(VERSIONS)))
    return found
