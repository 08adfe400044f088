"""The faces of castle tiles: their layout, the map of their segments, grounds and structures.

A face is a tile in one of its four rotations; a segment is the part of a path, tower, house or court on it.
"""
