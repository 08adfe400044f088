"""All tables of the database, on one ``metadata``. Times are UTC milliseconds since 1970, setups and actions text.

Importing any of these modules imports all, so that ``metadata`` is complete. Migrations describe the tables as they
were at their time, and import none of this.
"""

from store.schema import admin, people, play, tourneys
from store.schema.columns import metadata

__all__ = ["admin", "metadata", "people", "play", "tourneys"]
