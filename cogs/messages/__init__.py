"""How words and pictures stand in a message, and reading one that stands already."""
