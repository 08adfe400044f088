"""The entry point of ``python -m tournaments``; :mod:`tournaments.cli` has the commands."""

import sys

from tournaments.cli import main

sys.exit(main(sys.argv[1:]))
