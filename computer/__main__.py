"""``python -m computer``: see ``docs/computer.md``."""

import sys

from computer.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
