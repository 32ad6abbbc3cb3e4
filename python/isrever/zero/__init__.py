"""AlphaZero: `python -m isrever.zero` learns the game from nothing but its rules.

A network plays against itself, learns from its games, and plays again, generation after generation.
It needs JAX (`pip install "isrever[train]"`), and a GPU for more than small boards.
"""
