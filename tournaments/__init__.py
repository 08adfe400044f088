"""The rules of tournaments and leagues as a pure library: formats, pairing, points, tie-breaks and ratings.

``event.EventFold`` is the state of an event, computed from its log; ``formats`` has the formats by name, and ``stages``
the rules of their parts. Nothing in this package uses Discord, a database, a clock or files.
"""
