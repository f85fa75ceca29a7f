"""Tests' programs that take a task and give an outcome, as JSON, in a process of their own.

Such a program imports everything once and forks before a store is opened, so that a crowd of 64
costs one start of Python.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

PATIENCE = 540
"""Seconds after which a program is thought to be deadlocked."""

T = TypeVar("T")


def ask(program: str, task: Any) -> dict[str, Any]:
    """Run the program in that file, and return its outcome."""
    done = subprocess.run(
        [sys.executable, program],
        input=json.dumps(asdict(task)),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def answer(kind: Callable[..., T], work: Callable[[T], Any]) -> None:
    """What such a program does: read a task of that kind, work, and print the outcome."""
    task = kind(**json.loads(sys.stdin.read()))
    print(json.dumps(asdict(work(task))))
