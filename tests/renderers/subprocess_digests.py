"""Digests of the same pictures drawn in two processes with different hash seeds.

The order of a set of strings differs between hash seeds; pictures must not depend on it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder of the repository."""


def digests_of_two_processes(imports: str, pictures: str) -> set[str]:
    """Draw pictures in two processes; return the different digests of their pixels and palettes.

    ``pictures`` is a Python expression for several pictures, and ``imports`` the statements that it needs. If both
    processes draw the same pixels, only one digest is returned.
    """
    code = (
        f"from hashlib import sha256; from tests.renderers.image_checks import pixel_bytes; {imports};"
        f"print(sha256(b''.join(pixel_bytes(picture) for picture in {pictures})).hexdigest())"
    )
    return {
        subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
