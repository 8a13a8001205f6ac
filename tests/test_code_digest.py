"""Test the digest of the code on which a job depends."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sentrep.errors import SentrepError
from sentrep.io.project import WORKFLOW
from sentrep.provenance import code_digest as digest


def forget():
    """Clear the caches of parsed code, because files have changed."""
    for cached in (digest.code_digest, digest._syntax, digest._imported, digest._content, digest._modules):  # noqa: SLF001
        cached.cache_clear()


class TestDigest:
    @pytest.fixture
    def package(self, tmp_path, monkeypatch) -> Path:
        """Return a copy of the workflow's scripts that tests may change."""
        scripts = tmp_path / "scripts"
        shutil.copytree(WORKFLOW / "scripts", scripts, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        monkeypatch.setattr(digest, "PACKAGE", scripts / "sentrep")
        forget()
        yield scripts
        forget()

    def digest_after(self, package: Path, module: str, change: str) -> tuple[str, str]:
        roots = (package / "train.py", "sentrep.families.siamese_cbow")
        before = digest.code_digest(*roots)
        path = package / "sentrep" / module
        path.write_text(path.read_text() + change)
        forget()
        return before, digest.code_digest(*roots)

    @pytest.mark.parametrize(
        "module",
        [
            "api/training.py",
            "corpora/store.py",
            "encoders/base.py",
            "families/siamese_cbow.py",
            "corpora/tokenisers.py",
        ],
    )
    def test_code_in_an_imported_module_counts(self, package, module):
        before, after = self.digest_after(package, module, "\nADDED = 1\n")
        assert before != after

    def test_code_imported_inside_a_function_counts(self, package):
        before, after = self.digest_after(package, "training/batches.py", "\nADDED = 1\n")
        assert before != after

    def test_templates_of_a_module_count(self, package):
        root = package / "table.py"
        before = digest.code_digest(root)
        template = package / "sentrep" / "tables" / "markup.md.jinja"
        template.write_text(template.read_text() + "end")
        forget()
        assert digest.code_digest(root) != before

    @pytest.mark.parametrize("change", ["\n# a comment\n", "\n\n\n"])
    def test_comments_do_not(self, package, change):
        before, after = self.digest_after(package, "corpora/store.py", change)
        assert before == after

    def test_docstrings_do_not(self, package):
        roots = (package / "train.py",)
        before = digest.code_digest(*roots)
        path = package / "sentrep" / "corpora" / "store.py"
        path.write_text(path.read_text().replace('"""The token store:', '"""A token store:'))
        forget()
        assert digest.code_digest(*roots) == before

    def test_other_families_do_not(self, package):
        before, after = self.digest_after(package, "families/word2vec.py", "\nADDED = 1\n")
        assert before == after

    @pytest.mark.parametrize("content", [None, "", "{", "[]", "read-only"])
    def test_what_earlier_runs_found_changes_nothing(self, package, tmp_path, content):
        """Digests do not depend on cached results, whether the cache is missing, damaged, valid or read-only."""
        script = f"""
import sys
sys.path.insert(0, {str(package)!r})
from pathlib import Path
from sentrep.provenance import code_digest as digest
print(digest.code_digest(Path({str(package / "train.py")!r}), "sentrep.families.cbos"))
print(digest.SYNTAX_CACHE)
"""
        command = [sys.executable, "-I", "-B", "-c", script]
        first, cache = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert first == digest.code_digest(package / "train.py", "sentrep.families.cbos")
        assert len(json.loads(Path(cache).read_text())) > 10
        if content == "read-only":
            Path(cache).unlink()
            Path(cache).mkdir()  # a folder of this name prevents all users, including root, from writing the file
        elif content is not None:
            Path(cache).write_text(content)
        again = subprocess.run(command, capture_output=True, text=True, check=True)
        assert again.stdout.split()[0] == first
        assert again.stderr == ""

    def test_syntax_error(self, package):
        with pytest.raises(SentrepError, match=r"store\.py: expected valid Python code"):
            self.digest_after(package, "corpora/store.py", "\ndef (\n")
