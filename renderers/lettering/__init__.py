"""Words in pictures, in whatever script a player writes a name."""
