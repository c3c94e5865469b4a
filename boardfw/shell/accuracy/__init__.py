"""How well games were recorded: what was said at the board against what hands really played.

``truth`` says what was played, ``score`` what became of one game, ``chain`` of several on one
board, ``summary`` of many, ``report`` puts it into words. Pure functions: whoever has the truth and
the actions can score a game.
"""
