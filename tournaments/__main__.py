"""Entry point of ``python -m tournaments``; see :mod:`tournaments.cli`."""

import sys

from tournaments.cli import main

sys.exit(main(sys.argv[1:]))
