"""Value the legal actions of Carcassonne, with the terms of each box."""
