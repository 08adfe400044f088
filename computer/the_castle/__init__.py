"""Value the legal actions of The Castle."""
