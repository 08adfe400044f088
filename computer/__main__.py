"""Entry point of ``python -m computer``; see :mod:`computer.cli`."""

import sys

from computer.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
