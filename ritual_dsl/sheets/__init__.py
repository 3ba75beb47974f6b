"""Printable sheets of a game: rules, player aid, cards and tokens, as HTML, PDF, PNG and for Tabletop Simulator.

In: a game or its reference. Out: files. `content` gathers plain data from the game and its look, `geometry` places
pieces on paper, templates turn data into HTML or Typst, and `workshop` runs them in a process of their own.
"""
