# Two commands are enough: `make run` and `make test`. Each works from a bare clone and creates what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PEERS  := build/peers/.installed

.PHONY: run test check bench screens docs messages clean

run: $(STAMP) ## install what is needed and open the tutor
	@$(BIN)/tutor

# Two processes share two cores: torch's own threads would only wait for each other.
test: check ## every check and every test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist loadscope

check: $(STAMP) ## style, types, import contract, decks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/tutor decks check

bench: $(PEERS) ## speed and memory as ratios against peers, in one run
	$(BIN)/python -m tests.bench

screens: $(STAMP) ## the pictures in docs/
	$(BIN)/python -m tests.screens docs

docs: $(STAMP) ## the pages in docs/ that list experiments and decks
	$(BIN)/python -m tests.pages docs

messages: $(STAMP) ## gather the marked texts, compile the catalogues of the interface
	$(BIN)/python -m tests.messages

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tutor needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Set PYTHON=python3.11 (or newer).")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (torch is the large part: about 200 MB as a CPU build) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(PEERS): $(STAMP) ## the peers of the extra `bench`, where only their own processes find them
	$(BIN)/python -m tests.bench.install

clean: ## remove what was installed and built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
