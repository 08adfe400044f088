"""What the cogs share: custom ids, buttons, words, pictures, layouts."""
