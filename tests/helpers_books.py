"""Synthetic repositories of books, as an archive, a clone and a folder."""

import io
import os
import random
import shutil
import subprocess
import tarfile
from pathlib import Path

HEADER = """The Project Gutenberg EBook of {title}, by {author}

This eBook is for the use of anyone anywhere at no cost.

Title: {title}

Author: {author}

Release Date: May, 1999

*** START OF THIS PROJECT GUTENBERG EBOOK {upper} ***

Produced by A Volunteer

"""
FOOTER = """

End of the Project Gutenberg EBook of {title}, by {author}

*** END OF THIS PROJECT GUTENBERG EBOOK {upper} ***

START: FULL LICENSE. Section 1. General terms of use.
"""
NOUNS = ["house", "road", "night", "door", "window", "river", "garden", "letter", "friend", "captain", "horse", "fire"]
SMALL = [
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "he",
    "she",
    "was",
    "had",
    "that",
    "with",
    "his",
    "her",
    "for",
    "on",
    "said",
]
WORDS = [*NOUNS, *SMALL]


def prose(seed: int, paragraphs: int = 60) -> str:
    """Return hard-wrapped paragraphs of random words, which differ for every seed."""
    chance = random.Random(seed)
    return "\n\n".join(wrapped(" ".join(sentence(chance) for _ in range(4))) for _ in range(paragraphs))


def sentence(chance: random.Random) -> str:
    words = [chance.choice(WORDS) for _ in range(chance.randint(6, 14))]
    return f"{' '.join(words).capitalize()}."


def wrapped(text: str, width: int = 68) -> str:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def gutenberg(title: str, author: str, text: str) -> str:
    """Return a text with the header and the licence of Project Gutenberg."""
    names = {"title": title, "author": author, "upper": title.upper()}
    return HEADER.format(**names) + text + FOOTER.format(**names)


def git(folder: Path, *arguments: str) -> str:
    """Run git without the user's settings."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.quotepath=off"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, env=environment, check=True, capture_output=True)
    return done.stdout.decode().strip()


class Repository:
    """A repository in each form that a mirror may contain.

    Attributes:
        folder: the work tree of a normal clone.
        bare: a bare clone.
        archive: an archive with a single top-level folder, as written by Git hosts.
        unpacked: the unpacked archive.
    """

    def __init__(self, place: Path, files: dict[str, str]) -> None:
        self.folder, self.bare = place / "clone", place / "bare"
        self.archive, self.unpacked = place / "name-0123abc.tar.gz", place / "unpacked"
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        git(place, "init", "-q", str(self.folder))
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "all")
        git(place, "clone", "-q", "--bare", str(self.folder), str(self.bare))
        git(self.folder, "archive", "--format=tar.gz", "--prefix=name-0123abc/", "-o", str(self.archive), "HEAD")
        # Do not use tarfile here: Python 3.11.2 in Debian 12 lacks the argument that later versions require.
        subprocess.run(["tar", "-xzf", str(self.archive), "-C", str(place)], check=True)
        (place / "name-0123abc").rename(self.unpacked)

    def tree(self, folder: str = "") -> str:
        """Return the tree id of a folder, as computed by git."""
        return git(self.folder, "rev-parse", f"HEAD:{folder}")

    def forms(self) -> dict[str, Path]:
        return {"archive": self.archive, "bare": self.bare, "clone": self.folder, "folder": self.unpacked}


def without_work_tree(repository: Repository) -> Path:
    """Delete the work tree of a normal clone, so that only its objects remain."""
    for path in repository.folder.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return repository.folder


def archive_of(files: list[tuple[str, bytes]]) -> bytes:
    """Return a tar archive with files in the given order."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files:
            info = tarfile.TarInfo(f"top/{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()
