"""Keys of signatures: Ed25519, as objects of the package cryptography or as PEM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tightrope._errors import InvalidArgument


def private(key: Any) -> Any:
    """The key by which a book is signed; raise InvalidArgument if it is none."""
    ed25519, serialization = _cryptography()
    if isinstance(key, bytes):
        key = _from_pem(lambda: serialization.load_pem_private_key(key, None))
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise InvalidArgument("export: private_key must be an Ed25519 key, or its PEM as bytes")
    return key


def public(key: Any) -> Any:
    """The key by which a signature is checked; raise InvalidArgument if it is none."""
    ed25519, serialization = _cryptography()
    if isinstance(key, bytes):
        key = _from_pem(lambda: serialization.load_pem_public_key(key))
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise InvalidArgument("receive: public_key must be an Ed25519 key, or its PEM as bytes")
    return key


def _from_pem(load: Callable[[], Any]) -> Any:
    """The key in a PEM; None if there is none, or one under a password."""
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        return load()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise InvalidArgument(
            'signatures need the package cryptography: pip install "tightrope[sign]"'
        ) from None
    return ed25519, serialization
