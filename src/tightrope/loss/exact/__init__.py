"""Sums of few losses whose law is written down outright."""
