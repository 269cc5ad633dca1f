# Python 3.11 with venv, make and git are all that is needed; everything else comes from the requirements.

# Not ?=, which would take the HOST that some shells export; the command line still overrides.
HOST := 127.0.0.1
PORT := 8000

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check -q
UNIT := $(wildcard tests/architecture tests/engine tests/spec tests/core tests/app)
# Who is served while others are silent is a matter of seconds, so nothing else runs beside it.
ALONE := tests/journey/test_slow_clients.py
BENCHES := $(filter-out benchmarks/__init__.py benchmarks/tables.py benchmarks/people.py benchmarks/busy_house.py benchmarks/busy_decisions.py benchmarks/addresses.py, $(wildcard benchmarks/*.py))

# Tests never see the developer's own settings, and never touch var/.
IN_TEMPORARY_FOLDER = unset DATABASE_URL REDIS_URL $$(env | sed -n 's/^\(RISKAPP_[A-Z_]*\)=.*/\1/p'); \
	RISKAPP_VAR=$$(mktemp -d) && export RISKAPP_VAR && trap 'rm -rf "$$RISKAPP_VAR"' EXIT &&

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test check bench clean chromium

help:
	@echo "make run     start riskapp (PORT=8000 HOST=127.0.0.1); the first time installs what it needs"
	@echo "make test    make check, then every test: SQLite, PostgreSQL, a real browser"
	@echo "make check   style, types, layers, migrations, diagrams and requirements, without running the product"
	@echo "make bench   the promises about speed and memory, as ratios"
	@echo "make clean   remove what make has made; the files and the database in var/ stay"

run: .venv/product.stamp
	@$(MAKE) -sq .venv/compiled.stamp || (nice $(MAKE) -s .venv/compiled.stamp &)
	@exec $(PY) manage.py serve --host $(HOST) --port $(PORT)

test: check chromium .venv/compiled.stamp
	@$(IN_TEMPORARY_FOLDER) $(PY) -m pytest -n auto --dist worksteal $(UNIT)
	@$(IN_TEMPORARY_FOLDER) $(PY) tests/on_postgres.py -n auto tests/app
	@$(IN_TEMPORARY_FOLDER) $(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder tests/journey --ignore $(ALONE)
	@$(IN_TEMPORARY_FOLDER) $(PY) -m pytest $(ALONE)

check: .venv/developer.stamp
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -c 'from importlinter.cli import lint_imports_command as lint; lint()'
	@$(IN_TEMPORARY_FOLDER) $(PY) manage.py makemigrations --check --dry-run
	@$(IN_TEMPORARY_FOLDER) $(PY) manage.py draw_states --check
	@$(PY) scripts/requirements.py

chromium: .venv/developer.stamp
	@$(PY) scripts/chromium.py

bench: .venv/developer.stamp
	@$(IN_TEMPORARY_FOLDER) for bench in $(BENCHES); do echo "== $$bench"; $(PY) $$bench || exit 1; done

clean:
	rm -rf .venv .venv-peers .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis var/static var/log
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is younger than the list that it has installed.

.venv/product.stamp: requirements.txt scripts/venv.sh
	@sh scripts/venv.sh
	@echo "Installing what riskapp needs …"
	@$(PIP) install -r requirements.txt
	@touch $@

# The hot loops are compiled while the officer signs in, not at the first click on a run; and before the tests, of which
# some have seconds only. So are the modules, which else every process compiles anew where Python may keep no bytecode.
.venv/compiled.stamp: .venv/product.stamp $(wildcard riskapp/core/*.py riskapp/core/*/*.py)
	@$(PY) -m compileall -q riskapp
	@$(PY) -m riskapp.core.warm
	@touch $@

.venv/developer.stamp: requirements-dev.txt .venv/product.stamp
	@echo "Installing what its developers need …"
	@$(PIP) install -r requirements-dev.txt
	@touch $@
