"""Pytest puts this directory on the path, so that tests find the ``oracle`` package."""
