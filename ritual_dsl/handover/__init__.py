"""Handing a game over: as a spreadsheet of its cards, as an overlay made from one, as a copy to edit."""
