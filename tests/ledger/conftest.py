"""Stores for the tests: an SQLite file each, and one PostgreSQL for all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import postgres
import pytest
from databases import connected
from sqlalchemy import make_url, text

import tightrope as tr


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a real PostgreSQL; skipped where there is none, unless it is required."""
    if not postgres.available():
        if "postgres" in os.environ.get("TIGHTROPE_REQUIRE", "").split(","):
            pytest.fail("PostgreSQL is required by TIGHTROPE_REQUIRE, and is not installed")
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    with postgres.server() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a database of its own."""
    name = f"test_{uuid.uuid4().hex}"
    with connected(postgres_server) as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return make_url(postgres_server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def sqlite_path(tmp_path: Path) -> str:
    return str(tmp_path / "budget.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest) -> str:
    """Both kinds of store, one after the other."""
    name = "sqlite_path" if request.param == "sqlite" else "postgres_url"
    found: str = request.getfixturevalue(name)
    return found


@pytest.fixture
def store(where: str) -> Iterator[tr.Ledger]:
    with tr.Ledger(where) as opened:
        yield opened
