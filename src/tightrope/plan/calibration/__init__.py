"""Calibration: the parameter that just meets a target."""
