"""What needs the others' consent, or an organiser: undo, pauses, substitutes, an end."""
