"""The faces of tiles: the place of everything on them, computed from their segments alone.

A face is a tile in one of its four rotations. Prints are what boxes (expansions) have printed on it.
"""
