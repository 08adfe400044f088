"""What the host knows of people and servers, and of their choices."""
