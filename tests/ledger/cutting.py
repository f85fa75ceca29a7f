"""A proxy in front of PostgreSQL that cuts connections, for instance between commit and answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import make_url

COMMITTED = b"COMMIT\0"
"""The tag by which the server says that a transaction is committed."""

HEADER = 6
"""Bytes of a message before a statement's text: its kind, length, and the end of an empty name."""

Cut = Callable[[bytes], bool]
"""Whether to cut the connection instead of passing on what the server has just said."""


class Proxy:
    """Passes everything on until ``cut`` says no; ``cuts`` counts.

    A client that begins to say ``last_words``, a statement, is cut off before them, once.
    """

    def __init__(self, host: str, port: int):
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut: Cut = lambda said: False
        self.cuts = 0
        self.last_words = b""
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                threading.Thread(target=self._up, args=(client, server), daemon=True).start()
                threading.Thread(target=self._down, args=(client, server), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := client.recv(1 << 16):
                if self.last_words and self.last_words in said:
                    before = said.index(self.last_words) - HEADER
                    self.last_words = b""
                    self.cuts += 1
                    server.sendall(said[:before])
                    break
                server.sendall(said)
        _end(client, server)

    def _down(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := server.recv(1 << 16):
                if self.cut(said):
                    self.cuts += 1
                    break
                client.sendall(said)
        _end(client, server)


def _end(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()


def times(count: int) -> Cut:
    """Cut the first answers to a commit, so many of them."""
    left = [count]

    def cut(said: bytes) -> bool:
        if COMMITTED not in said or not left[0]:
            return False
        left[0] -= 1
        return True

    return cut


@contextmanager
def proxied(url: str) -> Iterator[tuple[Proxy, str]]:
    """The proxy, and the URL by which the database is reached through it."""
    address = make_url(url)
    assert address.host
    assert address.port
    proxy = Proxy(address.host, address.port)
    try:
        yield proxy, address.set(port=proxy.port).render_as_string(hide_password=False)
    finally:
        proxy.close()
