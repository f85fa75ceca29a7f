"""The exact engine: privacy losses by their transforms, composed and integrated with proof.

``loss.py`` says what is known of a loss; a folder or module a kind implements it; ``total.py``
composes; ``contour/`` and ``bent/`` integrate, ``exact/`` sums outright; ``profile.py`` answers for
one order of the neighbours, ``pair_profile.py`` for all; ``curve/`` and ``mu/`` turn profiles into
trade-off curves and GDP. docs/engine.md has the proofs.
"""
