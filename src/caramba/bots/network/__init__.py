"""Players who learned from games against themselves: a small network of what a seat knows.

`sheet.py` is the list of yes/no features that a game fills in, `network.py` the network that
judges such a list, `champion.py` the player. How it learns: `selfplay.py` plays games,
`descent.py` brings the network nearer to what came of them, `training.py` does both for hours.
"""
