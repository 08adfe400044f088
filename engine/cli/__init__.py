"""The engine on the command line: ``python -m engine``.

This is the only part of the engine that reads files other than its own data, and that reads the clock.
"""
