"""All tables of the database, registered in one ``metadata``.

Times are stored as UTC milliseconds since 1970, setups and actions of games as texts. Importing any module of this
package imports all of them, so that ``metadata`` is complete. Migrations describe the tables as they were when the
migration was written; therefore they import nothing from here.
"""

from store.schema import admin, people, play, tourneys
from store.schema.columns import metadata

__all__ = ["admin", "metadata", "people", "play", "tourneys"]
