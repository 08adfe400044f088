"""Cards, and the panels that only one person sees."""
