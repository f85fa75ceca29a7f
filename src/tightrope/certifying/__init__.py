"""Certificates of what is claimed, which somebody else can check."""

from tightrope.certifying.certificate import Certificate, certificate, certificate_of

__all__ = ["Certificate", "certificate", "certificate_of"]
