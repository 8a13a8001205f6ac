"""Replace conda in tests, by virtual environments in which pip installs the same pinned packages.

This stand-in answers the calls that Snakemake 9 makes (snakemake/deployment/conda.py): ``info``, ``--version``,
``config --get``, ``clean`` and ``env create --file F --prefix P``, after which jobs run ``source
<conda_prefix>/bin/activate P``. Of an environment file, it supports only what the files in envs/ contain: the version
of Python, which must be that of the running interpreter, the version of pip, and packages from PyPI under ``pip:``. pip
finds the packages as usual; to work offline, set PIP_NO_INDEX=1 and PIP_FIND_LINKS=<folder with wheels>.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import yaml

_ACTIVATE = """\
export CONDA_PREFIX="$1"
export PATH="$1/bin:$PATH"
echo "$1 $(command -v python)" >> "{log}"
"""


def install(folder: Path) -> Path:
    """Install the commands in a folder and return the file that logs each activation: environment and Python."""
    commands, log = folder / "bin", folder / "activated.txt"
    commands.mkdir(parents=True)
    (commands / "conda").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).resolve()}" "$@"\n')
    (commands / "conda").chmod(0o755)
    (commands / "activate").write_text(_ACTIVATE.format(log=log))
    log.touch()
    return log


def create(file: Path, prefix: Path) -> None:
    """Create the environment that a file describes.

    Raises:
        ValueError: the file contains something that this stand-in does not support.
        subprocess.CalledProcessError: pip fails.
    """
    entries = yaml.safe_load(file.read_text())["dependencies"]
    wanted = dict(entry.split(" =") for entry in entries if isinstance(entry, str))
    packages = [package for entry in entries if isinstance(entry, dict) for package in entry["pip"]]
    if set(wanted) - {"python", "pip"} or not all("==" in package for package in packages):
        raise ValueError(f"{file}: expected python, pip and exact pins of PyPI, found {entries}")
    if not platform.python_version().startswith(wanted["python"] + "."):
        raise ValueError(f"{file}: expected Python {wanted['python']}, running is {platform.python_version()}")
    subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True)
    pip = [str(prefix / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"pip=={wanted['pip']}.*"], check=True)
    subprocess.run([*pip, *packages], check=True)


def main(arguments: list[str]) -> None:
    """Answer one call of the command."""
    # This is the folder of the `conda` command that was called, which comes first on PATH.
    prefix = next(Path(p).parent for p in os.environ["PATH"].split(os.pathsep) if (Path(p) / "conda").exists())
    if arguments == ["--version"]:
        print("conda 24.7.1")
    elif arguments[:2] == ["info", "--json"]:
        print(json.dumps({"conda_prefix": str(prefix), "platform": "linux-64"}))
    elif arguments[:2] == ["config", "--get"]:
        print(json.dumps({"get": {"channel_priority": "strict"}}))
    elif arguments[:2] == ["env", "create"]:
        parser = argparse.ArgumentParser()
        parser.add_argument("--file", type=Path, required=True)
        parser.add_argument("--prefix", type=Path, required=True)
        options, _ = parser.parse_known_args(arguments[2:])
        create(options.file, options.prefix)
    elif arguments[:1] != ["clean"]:
        sys.exit(f"conda_double.py: unknown call {arguments}")


if __name__ == "__main__":
    main(sys.argv[1:])
