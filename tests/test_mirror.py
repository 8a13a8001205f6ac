"""Test that a mirror is filled over a network, and that a run without a network reads everything from it."""

import bz2
import dataclasses
import gzip
import hashlib
import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from helpers_faults import ENVIRONMENT
from helpers_project import SNAKEMAKE, copy_project
from helpers_server import Server, serving
from sentrep.cli import main
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.io.files import read_json
from sentrep.sources import mirror as module
from sentrep.sources.mirror import read_sums
from sentrep.sources.registry import Source, local_files, read_sources

SOURCES = read_sources()
# With this code, any use of the network raises an error that names the address.
NO_NETWORK = """
import socket, sys
def refuse(*arguments, **named):
    raise AssertionError(f"the network was used: {arguments}")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
"""
FETCH_ALL = f"""{NO_NETWORK}
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import fetch
from sentrep.config.plan_sources import SourcesPlan
mirror, output, names = Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]
for name in names:
    where = {{"downloads": str(output / "downloads"), "manifest": str(output / f"{{name}}.json")}}
    places = {{"mirror": str(mirror), "files": {{}}, "checksums": str(output / "checksums.json")}}
    fetch.main(source=name, row=SourcesPlan.row(name), config={{"places": places}}, **where)
"""


def content(address: str) -> bytes:
    """Return a file of the type that an address implies, with different content for each address."""
    text = f"content of {address}\n".encode() * 10
    if address.endswith(".zip"):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            # the date is always 1980, so the bytes do not depend on the time
            archive.writestr(zipfile.ZipInfo("text.txt"), text)
        return packed.getvalue()
    return {"bz2": bz2.compress, "gz": partial(gzip.compress, mtime=0)}.get(address.rpartition(".")[2], bytes)(text)


@pytest.fixture
def internet(monkeypatch) -> Iterator[Server]:
    """Start a server that provides every source under its real file name, and no other files."""
    with serving() as server:
        root = server.address.rpartition("/")[0]

        def known(name: str) -> Source:
            row = SOURCES[name]
            addresses = []
            for address in row.addresses:
                path = "/" + address.partition("://")[2]
                server.bodies[path] = content(row.addresses[0])
                addresses.append(root + path)
            digest = hashlib.sha256(content(row.addresses[0])).hexdigest() if row.sha256 else ""
            return dataclasses.replace(row, addresses=tuple(addresses), sha256=digest, bytes="")

        monkeypatch.setattr(module, "source", known)
        yield server


def needed(preset: str) -> set[str]:
    return set(make_plan(resolve({"preset": preset})).used_sources)


def fetched(preset: str) -> set[str]:
    """Return the sources that are part of neither the project nor a package."""
    return {name for name in needed(preset) if not SOURCES[name].bundled}


def test_paper_needs_nothing_by_hand(internet, tmp_path, capsys):
    assert main(["fetch", "--preset", "paper", "--to", str(tmp_path / "m")]) == 0
    assert capsys.readouterr().out == ""
    names = fetched("paper")
    assert {"bookcorpus", "wikipedia", "coco", "trec"} <= names
    for name in names:
        files = local_files(name, str(tmp_path / "m"))
        assert [file.read_bytes() for file in files] == [content(SOURCES[name].addresses[0])], name
    sums = read_sums(tmp_path / "m")
    assert len(sums) == len(names)
    checked = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path / "m", check=False)
    assert checked.returncode == 0
    asked = len(internet.paths)
    assert main(["fetch", "--preset", "paper", "--to", str(tmp_path / "m")]) == 0
    assert len(internet.paths) == asked  # existing files are not fetched again
    assert read_sums(tmp_path / "m") == sums


def test_what_has_no_address_is_asked_for_by_name(internet, tmp_path, capsys):
    assert main(["fetch", "--preset", "novels", "--to", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "source books (the user's own plain-text books): expected files that match books/novels-0*.tar.xz"
    )
    assert all(
        line.endswith(f"found no files; copy the files to {tmp_path}, because sentrep cannot download them")
        for line in lines
    )
    for name in ("books/novels-01.tar.xz", "wikipedia/articles.jsonl.xz"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"mine")
    assert main(["fetch", "--preset", "novels", "--to", str(tmp_path)]) == 0
    assert read_sums(tmp_path)["books/novels-01.tar.xz"] == hashlib.sha256(b"mine").hexdigest()


def test_one_source_that_fails_does_not_stop_the_others(internet, tmp_path, capsys):
    internet.faults = ["404"]
    assert main(["fetch", "--preset", "paper", "--to", str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("\n") == 1
    assert len(read_sums(tmp_path)) == len(fetched("paper")) - 1


def test_the_sample_preset_needs_no_mirror(internet, tmp_path):
    assert main(["fetch", "--preset", "sample", "--to", str(tmp_path)]) == 0
    assert internet.paths == []
    assert read_sums(tmp_path) == {}


def test_own_configuration(internet, tmp_path, capsys):
    (tmp_path / "mine.yaml").write_text("papers: [cbos]\nmirror: null\n")
    command = ["fetch", "--preset", "paper", "--to", str(tmp_path / "m"), "--configfile", str(tmp_path / "mine.yaml")]
    assert main(command) == 0
    assert not any("coco" in path for path in internet.paths)
    command[-1] = str(tmp_path / "none.yaml")
    assert main(command) == 1
    assert "none.yaml: expected a YAML file, found no file" in capsys.readouterr().err


def without_network(tmp_path: Path, mirror: Path) -> subprocess.CompletedProcess:
    """Fetch every source of the preset paper in a process without access to a network."""
    # the other sources have a real checksum, which the synthetic files do not match
    rows = [name for name in sorted(fetched("paper")) if not SOURCES[name].sha256]
    command = [sys.executable, "-c", FETCH_ALL, ENVIRONMENT["PYTHONPATH"], str(mirror), str(tmp_path / "out"), *rows]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)


def test_with_a_full_mirror_nothing_is_fetched(internet, tmp_path):
    mirror = tmp_path / "m"
    assert main(["fetch", "--preset", "paper", "--to", str(mirror)]) == 0
    done = without_network(tmp_path, mirror)
    assert done.returncode == 0, done.stderr
    manifests = list((tmp_path / "out").glob("*.json"))
    assert len(manifests) > 10
    for path in manifests:
        for entry in read_json(path)["files"]:
            assert Path(entry["path"]).is_relative_to(mirror.resolve())
    assert not (tmp_path / "out" / "downloads").exists()
    # Check the test itself: without one of the files, the network is used.
    next(mirror.glob("wikipedia/*")).unlink()
    done = without_network(tmp_path, mirror)
    assert done.returncode != 0
    assert "the network was used: (('archive.org'" in done.stderr


@pytest.mark.slow
def test_snakemake_without_a_network(mirror, tmp_path):
    """Fetch all sources of the preset novels from the real mirror, in a namespace without a network."""
    unshare = ["unshare", "--net", "--map-root-user"]
    if subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode:
        pytest.skip("cannot create a network namespace (unshare --net --map-root-user)")
    project = copy_project(tmp_path / "project")
    config = ["--config", "preset=novels", f"mirror={mirror}"]
    command = [*unshare, *SNAKEMAKE, "--until", "fetch", *config]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    made = {path.stem for path in (project / "results/novels/sources").glob("*.json")}
    assert made == needed("novels")
    assert not (project / "results/novels/downloads").exists()


def test_a_mirror_that_is_not_there(tmp_path):
    command = [*SNAKEMAKE, "--dry-run", "--quiet", "--config", "preset=novels", f"mirror={tmp_path}/nowhere"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        f"mirror: expected an existing folder, found no folder at {tmp_path}/nowhere; correct the path"
        in done.stdout + done.stderr
    )
