"""Reference code for the tests: the definitions, evaluated by brute force.

Nothing here imports the package under test; only the standard library, NumPy and mpmath.

* `finite_pairs`: random pairs of laws on a few outcomes, of kinds that break false theorems.
* `divergences`: the exact privacy parameters of such pairs, thousands at a time.
* `orders`: suprema over all Renyi orders, with a proof that they are the suprema.
* `exact_laws`: discrete and continuous laws in any precision.

A conversion is tested by falsification: draw pairs, compute their exact source parameter, and see
whether the target that the conversion promises holds for each of them.
"""
