"""``python -m gallery [DIR [NAME …]]``: write the contact sheets of all games into a folder.

With names, such as ``focus-night`` or ``castle-focus-night``, only these sheets are written.
"""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import Final

from gallery import carcassonne, the_castle
from gallery.contact_sheets import write_sheets

_DEFAULT_FOLDER: Final = "gallery/sheets"
"""The folder into which sheets are written if none is named; Git ignores it."""


def main() -> None:
    """Write the sheets named on the command line, by default all, into the folder that is its first argument."""
    folder, *names = sys.argv[1:] or [_DEFAULT_FOLDER]
    write_sheets(chain(carcassonne.sheets(), the_castle.sheets()), Path(folder), names)


if __name__ == "__main__":
    main()
