"""The faces of tiles: their layout, computed from segments alone, and the prints that all expansions share."""
