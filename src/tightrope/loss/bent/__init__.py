"""Profiles of few runs of sampled Gaussian noise, by a contour that bends to where losses end."""
