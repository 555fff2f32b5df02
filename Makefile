# make run: the whole house on this machine; make test: what every change must pass.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run demo test full check format lock clean
.DEFAULT_GOAL := run

# The fast curve engine is asked for by itself: where no wheel exists the house runs on py-ecc and says so.
$(STAMP): requirements.lock requirements-fast.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Cloche needs Python 3.11 or newer (try: make PYTHON=python3)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the locked dependencies into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -r requirements-fast.lock \
		|| echo "No wheel of the fast curve engine for this machine: the house will use py-ecc."
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: $(STAMP)
	@exec $(BIN)/cloche serve

demo: $(STAMP)
	@$(BIN)/cloche demo

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile

full: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "long or not long"

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: $(STAMP)
	$(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header --extra dev --extra servers -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-deps --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header -o requirements-fast.lock requirements-fast.in

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
