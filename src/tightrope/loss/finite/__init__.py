"""Losses of pairs of finite distributions, and covers by such pairs."""
