"""Composed privacy losses in ball arithmetic: sums over atoms, residues, contours."""
