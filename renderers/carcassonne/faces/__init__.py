"""What is printed on the faces of tiles: where it goes, computed from segments alone, and how all boxes draw it."""
