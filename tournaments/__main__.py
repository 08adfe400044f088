"""``python -m tournaments``: see :mod:`tournaments.cli.commands`."""

import sys

from tournaments.cli.commands import main

sys.exit(main(sys.argv[1:]))
