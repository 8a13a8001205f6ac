"""Test that a repository at a fixed version gives the same files in all forms, and that no other version is read."""

import shutil

import pytest

from helpers_books import Repository, archive_of, git, without_work_tree
from sentrep.errors import SentrepError
from sentrep.sources.git_tree import GitFolder

FILES = {
    "books/b.txt": "Two.\n",
    "books/a/x.txt": "One.\r\nTwo.\n",
    "books/a.txt": "Before a/, as Git sorts.\n",
    "books/Émile\rby Zola.txt": "é\n",
    "README.md": "read me\n",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return Repository(tmp_path_factory.mktemp("repository"), FILES)


@pytest.mark.parametrize("form", ["archive", "bare", "clone", "folder"])
@pytest.mark.parametrize("folder", ["books", "books/a"])
def test_every_form_gives_the_same_files_in_gits_order(repository, form, folder):
    found = list(GitFolder(repository.forms()[form], folder, repository.tree(folder)).files())
    names = git(repository.folder, "ls-tree", "-r", "-z", "--name-only", f"HEAD:{folder}").strip("\0").split("\0")
    assert [name for name, _ in found] == names
    assert {name: content.decode() for name, content in found} == {name: FILES[f"{folder}/{name}"] for name in names}


def test_whole_repository(repository):
    for root in (repository.archive, repository.bare, repository.unpacked):
        assert len(list(GitFolder(root, "", repository.tree()).files())) == len(FILES)


def test_executables_and_links_belong_to_the_tree(tmp_path):
    made = Repository(tmp_path, {"run.sh": "exit\n"})
    (made.folder / "run.sh").chmod(0o755)
    (made.folder / "link").symlink_to("run.sh")
    git(made.folder, "add", "-A")
    git(made.folder, "commit", "-q", "-m", "more")
    git(made.folder, "archive", "--format=tar.gz", "--prefix=x/", "-o", str(made.archive), "HEAD")
    unpacked = tmp_path / "again"
    shutil.copytree(made.folder, unpacked, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    for root in (made.archive, unpacked):
        assert dict(GitFolder(root, "", made.tree()).files()) == {"run.sh": b"exit\n", "link": b"run.sh"}


def test_of_a_clone_only_the_objects_count(tmp_path):
    made = Repository(tmp_path, FILES)
    tree = made.tree("books")
    assert len(list(GitFolder(without_work_tree(made), "books", tree).files())) == 4


def test_partial_clone_names_missing_files(repository, tmp_path):
    git(repository.bare, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:limit=10", f"file://{repository.bare}", "partial")
    found = dict(GitFolder(tmp_path / "partial", "books", repository.tree("books")).files())
    assert {name for name, content in found.items() if content is None} == {"a.txt", "a/x.txt"}
    assert found["b.txt"] == b"Two.\n"


@pytest.mark.parametrize("form", ["archive", "bare", "clone", "folder"])
def test_another_version_is_refused(repository, form):
    with pytest.raises(SentrepError, match=r"expected a repository whose folder books has Git tree id 1234.*found"):
        list(GitFolder(repository.forms()[form], "books", "1234" * 10).files())


def test_changed_file_of_a_folder_is_noticed(repository, tmp_path):
    shutil.copytree(repository.unpacked, tmp_path / "changed")
    (tmp_path / "changed" / "books" / "b.txt").write_text("Three.\n")
    with pytest.raises(SentrepError, match=r"found tree id [0-9a-f]{40} \(number of files: 4\)"):
        list(GitFolder(tmp_path / "changed", "books", repository.tree("books")).files())


def test_truncated_archive_is_named(repository, tmp_path):
    content = repository.archive.read_bytes()
    for length in (20, len(content) // 2, len(content) - 4):
        (tmp_path / "short.tar.gz").write_bytes(content[:length])
        with pytest.raises(SentrepError, match=r"short.tar.gz: .*damaged archive"):
            list(GitFolder(tmp_path / "short.tar.gz", "books", repository.tree("books")).files())


def test_archive_in_another_order_is_refused(tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(archive_of([("b.txt", b"2"), ("a.txt", b"1")]))
    with pytest.raises(SentrepError, match="not in Git's order"):
        list(GitFolder(tmp_path / "a.tar.gz", "", "1234" * 10).files())


def test_missing_folder_is_refused(repository, tmp_path):
    with pytest.raises(SentrepError, match=r"found tree id [0-9a-f]{40} \(number of files: 0\)"):
        list(GitFolder(repository.unpacked, "none", repository.tree("books")).files())
