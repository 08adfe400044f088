"""Entry point of ``python -m engine``; see :mod:`engine.cli.commands`."""

import sys

from engine.cli.commands import main

sys.exit(main(sys.argv[1:]))
