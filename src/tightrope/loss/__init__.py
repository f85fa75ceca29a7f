"""The exact engine: privacy losses by their transforms, composed and integrated with proof.

``loss.py`` says what is known of a loss, one module a kind implements it, ``total.py`` composes,
``contour.py`` integrates, ``profile.py`` answers for one order of the neighbours and
``pair_profile.py`` for all. docs/engine.md has the proofs.
"""
