"""Losses of Laplace noise, whole and sampled."""
