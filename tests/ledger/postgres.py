"""A real PostgreSQL on a free port, in a directory of its own, for the time of the tests."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is; Debian keeps them out of the path."""
    found = shutil.which(name)
    if found:
        return found
    hidden = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))  # noqa: PTH207
    return hidden[-1] if hidden else None


def available() -> bool:
    """Whether there is a PostgreSQL, and a user that may run it."""
    return bool(program("initdb") and program("pg_ctl") and owner() is not False)


def owner() -> pwd.struct_passwd | bool | None:
    """The user that the server runs as: None is this one, False that there is none."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return False


def run(command: list[str | None]) -> None:
    """Run a program of the server as its user."""
    user = owner()
    as_user: dict[str, Any] = {}
    if isinstance(user, pwd.struct_passwd):
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    subprocess.run(
        [str(word) for word in command],
        check=True,
        capture_output=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        timeout=120,
        **as_user,
    )


def free_port() -> int:
    """A port that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(options: str = "") -> Iterator[str]:
    """Start a server, and give the URL of its empty database."""
    folder = Path(tempfile.mkdtemp(prefix="tightrope-postgres-"))
    user = owner()
    if isinstance(user, pwd.struct_passwd):
        os.chown(folder, user.pw_uid, user.pw_gid)
    data, port = folder / "data", free_port()
    told = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200 {options}"
    start = [program("pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log"), "-o", told]
    try:
        made = ["-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync"]
        run([program("initdb"), "-D", str(data), *made])
        run([*start, "start"])
        try:
            yield f"postgresql://owner:secret@127.0.0.1:{port}/postgres"
        finally:
            run([program("pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
