"""Pictures of Carcassonne with its boxes."""
