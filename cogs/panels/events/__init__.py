"""Messages about events (tournaments and leagues): pictures, public cards and private panels."""
