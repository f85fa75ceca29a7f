"""Losses between Gaussian mixtures: sampled Gaussian noise, for one unit or for a group."""
