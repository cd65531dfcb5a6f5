"""Other software that plays games at random, measured beside ours by `caramba bench --peers`.

`serve.py` and the `play_*.py` beside it are run by an interpreter of their own, in which the
peers are installed (`install.py`), and import nothing of Caramba; `process.py` talks to them.
"""
