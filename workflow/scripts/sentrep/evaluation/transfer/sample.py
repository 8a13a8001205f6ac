"""The sample preset's transfer tasks: small, made up from patterns and word lists, in the files of the releases.

SAMPLE DATA. Nobody wrote these reviews or asked these questions; they have the form of the real tasks and nothing else.
Each item fills a pattern of its class with words drawn from lists; about one in twelve gets the class of another, so
that no classifier can be right throughout. The files lie in ``workflow/sample/transfer/``; the same seed writes the
same bytes again: ``python -m sentrep.evaluation.transfer.sample FOLDER``. MR is not among them: gensim's wheel carries
200 of its lines.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from sentrep.evaluation.transfer import sample_words as words
from sentrep.io.files import atomic_file

_SLOT = re.compile(r"\{(\w+)\}")
_ODD = 12  # one item in so many has the class of another
SEED = 1


def write_all(folder: str | Path, seed: int = SEED) -> list[Path]:
    """Write the files of all sample tasks below ``folder``; return their paths."""
    written = []
    for name, lines in sorted(files(seed).items()):
        path = Path(folder) / name
        with atomic_file(path) as temporary:
            temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def files(seed: int = SEED) -> dict[str, list[str]]:
    """Return the lines of every file, by its path below the folder."""
    dice = random.Random(seed)
    found: dict[str, list[str]] = {}
    for task, (positive, negative) in words.CLASS_FILES.items():
        texts = _labelled(words.PATTERNS[task], 80, dice)
        for name in (positive, negative):
            found[f"{task}/{name}"] = [text for label, text in texts if label == name]
    for name, each in (("train_5500.label", 30), ("TREC_10.label", 10)):
        found[f"TREC/{name}"] = [f"{label} {text}" for label, text in _labelled(words.PATTERNS["TREC"], each, dice)]
    for split, each in (("train", 30), ("dev", 12), ("test", 16)):
        reviews = _labelled(words.PATTERNS["SST"], each, dice)
        found[f"SST/stsa.fine.{split}"] = [f"{label} {text}" for label, text in reviews]
        found[f"SST/sentiment-{split}"] = [f"{text} \t{int(label > '2')}" for label, text in reviews if label != "2"]
    for split, pairs in (("train", 160), ("test", 80)):
        found[f"MRPC/msr_paraphrase_{split}.txt"] = list(_paraphrases(pairs, dice))
    for name, pairs in (("SICK_train", 160), ("SICK_trial", 60), ("SICK_test_annotated", 100)):
        found[f"SICK/{name}.txt"] = list(_related(pairs, dice))
    return found


def _fill(pattern: str, dice: random.Random, chosen: Mapping[str, str] | None = None) -> str:
    """Return a pattern with a word of the list that each slot names, or the one chosen for it."""
    return _SLOT.sub(lambda match: (chosen or {}).get(match[1]) or dice.choice(words.LISTS[match[1]]), pattern)


def _labelled(patterns: Mapping[str, list[str]], each: int, dice: random.Random) -> list[tuple[str, str]]:
    """Return (class, text) of about ``each`` different items of every class, mixed."""
    items: list[tuple[str, str]] = []
    seen: set[str] = set()
    labels = list(patterns)
    for label in labels:
        wanted = len(items) + each
        while len(items) < wanted:
            text = _fill(dice.choice(patterns[label]), dice)
            if text not in seen:
                seen.add(text)
                others = [other for other in labels if other != label]
                items.append((dice.choice(others) if dice.randrange(_ODD) == 0 else label, text))
    dice.shuffle(items)
    return items


def _paraphrases(pairs: int, dice: random.Random) -> Iterator[str]:
    """Yield the lines of an MSRP file: two wordings of the same news, or news that differ in a fact."""
    yield "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    for number in range(pairs):
        first, second = dice.choice(words.NEWS)
        facts = {slot: dice.choice(words.LISTS[slot]) for slot in words.FACTS}
        same = dice.random() < 0.65
        changed = dict(facts)
        if not same:
            for slot in dice.sample(sorted(words.FACTS), 3):
                changed[slot] = dice.choice([word for word in words.LISTS[slot] if word != facts[slot]])
        quality = same != (dice.randrange(_ODD) == 0)
        texts = f"{_fill(first, dice, facts)}\t{_fill(second, dice, changed)}"
        yield f"{int(quality)}\t{2 * number + 1}\t{2 * number + 2}\t{texts}"


def _related(pairs: int, dice: random.Random) -> Iterator[str]:
    """Yield the lines of a SICK file: the score falls with every part of a scene that is changed."""
    yield "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
    slots = ("who", "does", "where")
    for number in range(1, pairs + 1):
        scene = {slot: dice.choice(words.LISTS[slot]) for slot in slots}
        changed = dice.sample(slots, dice.randrange(4))
        other = {
            slot: dice.choice([word for word in words.LISTS[slot] if word != scene[slot]]) if slot in changed else word
            for slot, word in scene.items()
        }
        first, second = (dice.choice(words.SCENES) for _ in range(2))
        score = min(5.0, max(1.0, 4.8 - 1.2 * len(changed) + dice.uniform(-0.4, 0.4)))
        judgement = "NEUTRAL" if changed else "ENTAILMENT"
        yield f"{number}\t{_fill(first, dice, scene)}\t{_fill(second, dice, other)}\t{score:.1f}\t{judgement}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m sentrep.evaluation.transfer.sample FOLDER")
    write_all(sys.argv[1])
