"""What follows from the rules of a game: exact odds, differences between games, and whether a game ends."""
