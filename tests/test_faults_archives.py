"""Test damaged and malicious archives: the error is one line with the file name, and no partial output is written."""

import bz2
import gzip
import io
import lzma
import random
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from sentrep.corpora.sentence_shards import read_shard, shard_paths
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.sources.archives import SourceFiles, iter_members
from sentrep.sources.mirror import check
from sentrep.sources.registry import manifest, source

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "hat", "."]
TEXT = " ".join(random.Random(0).choices(WORDS, k=5000)).encode()
PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
NAMES = ["b.tar.xz", "b.tar.gz", "b.tgz", "b.tar.bz2", "t.txt.bz2", "t.txt.gz", "t.txt.xz", "b.zip"]


def pack(path: Path, members: dict[str, bytes]) -> Path:
    """Write members to an archive of the format that its name implies."""
    if ".tar" in path.name or path.suffix == ".tgz":
        kind = path.suffix[1:].replace("tgz", "gz").replace("tar", "")
        with tarfile.open(path, f"w:{kind}") as archive:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    else:
        path.write_bytes(PACKERS[path.suffix[1:]](next(iter(members.values()))))
    return path


def read(path: Path) -> dict[str, bytes]:
    members = SourceFiles.of([path])
    with members.guard():
        return {name: stream.read() for name, stream in members}


def listed(folder: Path, path: Path) -> Path:
    """Write the manifest of one file."""
    write_json(folder / "manifest.json", manifest("books", [path]))
    return folder / "manifest.json"


@pytest.mark.parametrize("name", NAMES)
def test_whole_archives_are_read(tmp_path, name):
    assert list(read(pack(tmp_path / name, {"a.txt": TEXT})).values()) == [TEXT]


@pytest.mark.parametrize("name", NAMES)
def test_a_flipped_bit_is_never_read_as_text(tmp_path, name):
    """Every format has a checksum, so each flipped bit is either noticed or leaves the text unchanged."""
    path = pack(tmp_path / name, {"a.txt": TEXT})
    good = path.read_bytes()
    dice = random.Random(1)
    for bit in [*range(160), *dice.sample(range(8 * len(good)), 160)]:
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bad)
        try:
            # []: the flipped bit changed the type of a member of the tar file
            assert list(read(path).values()) in ([TEXT], []), bit
        except SentrepError as error:
            assert f"{name}: expected a complete and readable file" in str(error)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", [0.001, 0.3, 0.9, 0.999])
def test_a_truncated_archive_ends_with_one_line(tmp_path, name, part):
    path = pack(tmp_path / name, {"a.txt": TEXT})
    path.write_bytes(path.read_bytes()[: int(part * path.stat().st_size)])
    with pytest.raises(SentrepError, match=f"{name}: expected a complete and readable file.*download it again"):
        build_sentences(listed(tmp_path, path), "sentences", tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, "manifest.json"])


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_no_corpus(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(SentrepError, match=r"expected (a complete and readable file|.*sentence)"):
        build_sentences(listed(tmp_path, tmp_path / name), "sentences", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_html_in_the_place_of_an_archive(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"<html><body>Please log in.</body></html>\n" * 300)
    with pytest.raises(SentrepError, match=f"{name}: expected a complete and readable file"):
        build_sentences(listed(tmp_path, path), "sentences", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["evil.tar", "evil.tar.gz", "evil.zip"])
def test_members_that_point_outside_write_nothing_there(tmp_path, name):
    """Archives are read as streams, and members are never unpacked under their names."""
    inside = tmp_path / "inside"
    inside.mkdir()
    names = ["../outside.txt", str(tmp_path / "absolute.txt"), "a/../../../outside.txt", "..\\outside.txt"]
    path = pack(inside / name, dict.fromkeys(names, b"A sentence here .\n"))
    build_sentences(listed(inside, path), "sentences", inside / "out")
    assert sorted(p.name for p in tmp_path.rglob("*outside*")) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["inside"]
    shards = "".join(read_shard(p).decode() for p in shard_paths(inside / "out"))
    assert shards.count("A sentence here .") == len(names)


def test_links_and_devices_in_a_tar_are_passed_over(tmp_path):
    path = tmp_path / "links.tar"
    (tmp_path / "secret").write_text("secret")
    with tarfile.open(path, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"member{kind.decode()}.txt")
            info.type, info.linkname = kind, str(tmp_path / "secret")
            archive.addfile(info)
        info = tarfile.TarInfo("text.txt")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"text"))
    assert read(path) == {"text.txt": b"text"}


def test_links_in_a_zip_are_their_text(tmp_path):
    info = zipfile.ZipInfo("link.txt")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "l.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert read(tmp_path / "l.zip") == {"link.txt": b"/etc/passwd"}


def test_an_encrypted_zip_is_named(tmp_path):
    path = pack(tmp_path / "b.zip", {"a.txt": TEXT})
    content = bytearray(path.read_bytes())
    for header, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(header) + at] |= 1  # set the bit that marks the file as encrypted
    path.write_bytes(content)
    with pytest.raises(SentrepError, match=r"b\.zip: expected a complete and readable file.*password"):
        list(iter_members(listed(tmp_path, path)))


def test_a_tar_whose_name_lies_about_its_compression(tmp_path):
    """Check tars that a server has unpacked, or whose first member is named like the start of a bz2 file."""
    for written in ("x.tar", "x.tar.xz"):
        path = pack(tmp_path / written, {"BZh9.txt": TEXT}).rename(tmp_path / "x.tar.gz")
        assert read(path) == {"BZh9.txt": TEXT}


def test_a_file_of_the_mirror_that_is_not_the_published_one(tmp_path):
    row = source("cr_positive")
    path = tmp_path / row.mirror_path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"<html>")
    with pytest.raises(SentrepError, match=f"custrev.pos: .* with SHA-256 {row.sha256}, found a file of 6 bytes"):
        check(manifest("cr_positive", [path]), row, tmp_path)
    check(manifest("cr_positive", [path]), row, tmp_path, own=True)


def test_a_file_of_the_mirror_that_was_damaged_on_the_way(tmp_path):
    row = source("sts_2012")
    path = tmp_path / "sts" / "2012" / "STS.gs.MSRpar.txt"
    path.parent.mkdir(parents=True)
    path.write_text("5.0\n")
    record = manifest("sts_2012", [path])
    check(record, row, tmp_path)
    digest = record["files"][0]["sha256"]
    (tmp_path / "SHA256SUMS").write_text(f"{digest}  sts/2012/STS.gs.MSRpar.txt\n")
    check(record, row, tmp_path)
    path.write_text("4.0\n")
    with pytest.raises(SentrepError, match=f"MSRpar.txt: expected a file with SHA-256 {digest}, found"):
        check(manifest("sts_2012", [path]), row, tmp_path)
