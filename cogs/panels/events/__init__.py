"""What is shown of events: pictures, cards, and the panels that only one person sees."""
