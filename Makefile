# Two commands on a fresh machine: `make demo` runs the main job, `make test` passes the tests.
PYTHON ?= python3
BASE := .venv
DEV := .venv-dev
# One process a core, of one thread each.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	$(DEV)/bin/python -m pytest --numprocesses auto --maxprocesses 8

.PHONY: demo test lint check-slow bench docs clean

$(BASE)/ready: pyproject.toml $(shell find src -name '*.py' -o -name '*.bib' -o -name '*.css')
	test -x $(BASE)/bin/python || $(PYTHON) -m venv $(BASE)
	$(BASE)/bin/python -m pip install --quiet --upgrade '.[plots,verify]'
	touch $@

$(DEV)/ready: pyproject.toml src/tightrope/_version.py
	test -x $(DEV)/bin/python || $(PYTHON) -m venv $(DEV)
	$(DEV)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(DEV)/bin/python -m pip install --quiet --editable . --group dev
	touch $@

demo: $(BASE)/ready
	mkdir -p demo
	$(BASE)/bin/tightrope account examples/census2020.toml --certificate demo/certificate.json
	$(BASE)/bin/tightrope verify demo/certificate.json
	$(BASE)/bin/tightrope report examples/census2020.toml --out demo/report.html
	$(BASE)/bin/tightrope figures --out demo/figures

lint: $(DEV)/ready
	$(DEV)/bin/ruff check .
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/mypy
	$(DEV)/bin/lint-imports

test: lint
	$(PYTEST) --dist loadfile -m "not slow" # whole files: examples of a document share names

check-slow: $(DEV)/ready
	$(PYTEST) --dist worksteal -m slow

bench: $(DEV)/ready
	$(DEV)/bin/python -m pip install --quiet --group bench
	$(DEV)/bin/python benchmarks/accounting.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(DEV)/bin/python benchmarks/mechanisms.py

docs: $(DEV)/ready
	$(DEV)/bin/python -m sphinx -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf demo $(BASE) $(DEV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
