"""The presentation of Carcassonne. Importing anything of this package registers its boxes first."""

from cogs.games.carcassonne import boxes as boxes
