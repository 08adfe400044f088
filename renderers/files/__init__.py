"""From the pixels of a picture to the bytes of its file."""
