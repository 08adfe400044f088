"""What is printed on the castle tiles, and where it goes: grounds, paths, buildings, whose each point is."""
