"""Specifications: an analysis described by hand in TOML, read with a line for every mistake.

``reader`` reads one, ``account`` tells all that can be proved about it as a plain record,
``schema`` gives the format as a JSON schema; ``docs/spec.md`` documents it. Nothing is imported
here, so that a command loads only what it needs.
"""
