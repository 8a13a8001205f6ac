# `make results` runs the sample preset and writes its report; `make test` runs the tests. Both set up .venv first and
# require only Python and git.
PYTHON ?= $(or $(firstword $(foreach minor,11 12 13,$(shell command -v python3.$(minor)))),python3)
CORES ?= all
CONTAINER ?= podman
IMAGE ?= registry.example.org/sentrep:0.1.0
BIN := .venv/bin
# Install packages with uv if it is available, and with pip otherwise. Both show their progress.
INSTALL = $(if $(shell command -v uv),uv pip install --python $(1)/python,$(1)/python -m pip install)
# The lock files list all dependencies, so none have to be resolved. torch has no hash, because its builds for CPUs,
# CUDA and ROCm are different files with the same version.
LOCKED = $(call INSTALL,$(1)) --no-deps --require-hashes
TORCH := $(shell grep --only-matching '^torch==[0-9.]*' requirements.txt)
# Use one thread in numerical libraries, because several test processes share the cores.
export OMP_NUM_THREADS ?= 1

.PHONY: results report docs test test-slow test-conda check format bench scale-test lock image clean

results: .venv/run
	$(BIN)/snakemake --cores $(CORES) all results/report.html

report: .venv/run
	$(BIN)/snakemake --cores $(CORES) results/report.html

# Build the documentation site in build/site. Warnings are treated as errors.
docs: .venv/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: .venv/dev
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

# Run the slow tests, which take minutes because they run the whole pipeline in copies of the project. The tests in one
# file share a copy.
test-slow: .venv/dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m slow --ignore tests/test_conda.py

# Build every environment in envs/ (six minutes, several gigabytes) to test `--use-conda` on machines without conda.
test-conda: .venv/dev
	$(BIN)/python -m pytest -q tests/test_conda.py

# Run the static checks that a change must pass.
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

# Compare sentrep with other implementations on an idle machine. benchmarks/README.md describes the options, such as
# ARGS="--quick" and ARGS="--text FILE".
bench: .venv-bench/ready
	.venv-bench/bin/python benchmarks/run.py $(ARGS)

# Run the pipeline on a synthetic text of BookCorpus's size in a new folder, such as FOLDER=/data/new. It needs 11 GB of
# disk space.
scale-test: .venv/run
	$(BIN)/python benchmarks/scale_test.py --folder $(FOLDER) $(ARGS)

# Build a container image of the project and its environment. Set CONTAINER=docker or
# CONTAINER=buildah to use a tool other than podman.
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
	@echo "Adding the packages for tests, checks and documentation to .venv: $$(grep -c '^[a-z].*==' requirements-dev.lock) packages in total"
	$(call LOCKED,$(BIN)) -r requirements-dev.lock
	touch $@

# The other implementations have a separate environment, because the project itself does not need them.
.venv-bench/ready: requirements.txt benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	$(call INSTALL,.venv-bench/bin) -r benchmarks/requirements.txt
	touch $@

# Regenerate the lock files after a change to requirements*.txt. ARGS=--upgrade also upgrades dependencies that are not
# pinned.
lock: .venv-lock/ready
	$(COMPILE) requirements-dev.txt --output-file requirements-dev.lock
	$(COMPILE) requirements.txt --constraints requirements-dev.lock --output-file requirements.lock

COMPILE = .venv-lock/bin/uv --config-file requirements.uv.toml pip compile $(ARGS) --quiet --universal \
	--python-version 3.11 --generate-hashes --system-certs --no-emit-package torch --custom-compile-command "make lock"

.venv-lock/ready:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install uv==0.13.9
	touch $@
