"""``python -m tournaments``: the names of the formats, and simulated events."""
