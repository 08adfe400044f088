"""The commands of ``python -m operations``, a module for each kind of work.

Each has ``add``, which says what may be typed, and functions that carry it out: they print what came of it, and return
the exit status. What is refused is a :class:`~operations.settings.SettingsError`, a line without a traceback.
"""
