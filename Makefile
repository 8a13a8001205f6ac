# `make results` runs the sample preset and writes its report, `make test` the tests; both set up .venv first and need only Python and git.
PYTHON ?= $(or $(firstword $(foreach minor,11 12 13,$(shell command -v python3.$(minor)))),python3)
CORES ?= all
CONTAINER ?= podman
IMAGE ?= registry.example.org/sentrep:0.1.0
BIN := .venv/bin
# uv where it is available, otherwise pip. Both show their progress.
INSTALL = $(if $(shell command -v uv),uv pip install --python $(1)/python,$(1)/python -m pip install)
# The lock files list everything, so nothing is resolved. torch has no hash: its builds for CPUs, CUDA and ROCm are
# different files of the same version.
LOCKED = $(call INSTALL,$(1)) --no-deps --require-hashes
TORCH := $(shell grep --only-matching '^torch==[0-9.]*' requirements.txt)
# Thread pools of numerical libraries must not fight over the cores that test processes share.
export OMP_NUM_THREADS ?= 1

.PHONY: results report docs test test-slow test-conda check format bench scale-test lock image clean

results: .venv/run
	$(BIN)/snakemake --cores $(CORES) all results/report.html

report: .venv/run
	$(BIN)/snakemake --cores $(CORES) results/report.html

# The documentation site, in build/site; warnings are errors.
docs: .venv/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: .venv/dev
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

# Those that take minutes: whole runs in copies of the project. Tests of one file share their copy.
test-slow: .venv/dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m slow --ignore tests/test_conda.py

# Builds every environment of envs/ (six minutes, some gigabytes): `--use-conda` without conda.
test-conda: .venv/dev
	$(BIN)/python -m pytest -q tests/test_conda.py

# Everything a change has to pass.
check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/basedpyright --level error
	$(BIN)/snakemake --lint

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile workflow/rules

# Compares our training with other implementations, on an idle machine; ARGS="--quick", ARGS="--text FILE" and others: benchmarks/README.md.
bench: .venv-bench/ready
	.venv-bench/bin/python benchmarks/run.py $(ARGS)

# Runs the pipeline on a synthetic text of BookCorpus' size, in a new folder with room for 11 GB: FOLDER=/data/new.
scale-test: .venv/run
	$(BIN)/python benchmarks/scale_test.py --folder $(FOLDER) $(ARGS)

# The project and its environment as an image; CONTAINER=docker or CONTAINER=buildah instead of podman.
image:
	$(CONTAINER) build --file Containerfile --tag $(IMAGE) .

clean:
	rm -rf .venv .venv-bench .venv-lock .snakemake

.venv/run: requirements.lock pyproject.toml
	@echo "Setting up .venv with $$($(PYTHON) --version): $$(grep -c '^[a-z].*==' $<) packages and $(TORCH), 1.8 GB on disk (with CUDA: 6 GB)"
	$(PYTHON) -m venv .venv
	$(call LOCKED,$(BIN)) -r $<
	$(call INSTALL,$(BIN)) $(TORCH)
	$(call INSTALL,$(BIN)) --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev: .venv/run requirements-dev.lock
	@echo "Adding to .venv what tests, checks and documentation need: $$(grep -c '^[a-z].*==' requirements-dev.lock) packages in all"
	$(call LOCKED,$(BIN)) -r requirements-dev.lock
	touch $@

# Peers have an environment of their own: the project needs none of them.
.venv-bench/ready: requirements.txt benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	$(call INSTALL,.venv-bench/bin) -r benchmarks/requirements.txt
	touch $@

# Writes the lock files again after a change of requirements*.txt; ARGS=--upgrade renews what those do not pin.
lock: .venv-lock/ready
	$(COMPILE) requirements-dev.txt --output-file requirements-dev.lock
	$(COMPILE) requirements.txt --constraints requirements-dev.lock --output-file requirements.lock

COMPILE = .venv-lock/bin/uv --config-file requirements.uv.toml pip compile $(ARGS) --quiet --universal \
	--python-version 3.11 --generate-hashes --system-certs --no-emit-package torch --custom-compile-command "make lock"

.venv-lock/ready:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install uv==0.13.9
	touch $@
