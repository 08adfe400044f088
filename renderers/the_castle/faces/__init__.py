"""The faces of castle tiles: their layout, the map of their segments, grounds and structures."""
