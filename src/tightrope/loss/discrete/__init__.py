"""Losses of discrete Gaussian noise."""
