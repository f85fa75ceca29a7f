"""Numerical ground floor: special functions, directed rounding and one-sided solvers.

Nothing here knows what privacy is.  Each function states its domain and its worst relative error,
so that the floors above can turn a value into a bound by moving it outward by exactly that much.
"""
