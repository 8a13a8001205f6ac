"""Model families by name.

A family is a module with two names: ``Parameters``, a frozen dataclass of everything that can be set (defaults are
the paper's), and ``train(store, parameters, run) -> Encoder``. ``ENCODER`` may name the encoder's class if it is
not :class:`sentrep.encoders.base.AveragingEncoder`; ``CPU_ONLY = True`` says that it computes nothing on a GPU. Modules
are imported by name, when needed: heavy libraries (torch, numba, gensim) are imported inside functions, so that
reading a configuration stays quick.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import read_json

if TYPE_CHECKING:
    from sentrep.training.checkpoints import Checkpoints

FAMILIES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


@dataclasses.dataclass
class Run:
    """What a training run is given besides data and parameters.

    Attributes:
        seed: of every random number drawn.
        threads: processor cores to use.
        device: "cpu" or "cuda", already checked to exist.
        snapshot: called as ``snapshot(epochs, encoder)`` where a family's parameters ask for intermediate models.
        inputs: folders of what the model is built on besides its corpus (other models, mined pairs), by the
            names that the configuration gives them.
        checkpoints: where an interrupted run leaves what it needs to go on; None: nowhere.
        history: rows of {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}, filled while
            training and written beside the model.
        seconds: wall time spent training, interrupted runs included.
        resumed_at: steps at which an interrupted run was taken up again.
        measured: what the family measures on its own data, such as accuracies on a test set; goes to ``meta.json``.
    """

    seed: int
    threads: int = 1
    device: str = "cpu"
    snapshot: Callable[[float, Encoder], None] = lambda epochs, encoder: None
    inputs: Mapping[str, Path] = dataclasses.field(default_factory=dict)
    checkpoints: Checkpoints | None = None
    history: list[dict[str, float]] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    resumed_at: list[int] = dataclasses.field(default_factory=list)
    measured: dict[str, Any] = dataclasses.field(default_factory=dict)


def family(name: str) -> ModuleType:
    """Return the module of a family.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in FAMILIES:
        raise unknown_name("models", "family", name, FAMILIES)
    return importlib.import_module(f"sentrep.families.{name}")


def parse_parameters(family_name: str, values: Mapping[str, Any], where: str) -> Any:
    """Build a family's ``Parameters`` from plain values.

    Raises:
        SentrepError: a key is unknown, a value has the wrong type or is outside its range.
    """
    cls = family(family_name).Parameters
    hints = get_type_hints(cls)
    typed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in hints:
            raise unknown_name(where, f"parameter of {family_name}", key, hints)
        try:
            typed[key] = _validator(hints[key]).validate_python(value)
        except ValidationError:
            raise SentrepError(
                f"{where}.{key}",
                expected=_describe(hints[key]),
                found=repr(value),
                remedy="correct the configuration",
            ) from None
    try:
        return cls(**typed)
    except ValueError as error:
        raise SentrepError(
            where, expected="consistent parameters", found=str(error), remedy="correct the configuration"
        ) from None


def load_encoder(directory: str | Path) -> Encoder:
    """Load a model folder, whatever its family."""
    meta = read_json(Path(directory) / "meta.json")
    return getattr(family(meta["family"]), "ENCODER", AveragingEncoder).load(directory)


@cache
def _validator(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


def _describe(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(map(str, get_args(hint)))}"
    return " or ".join(getattr(h, "__name__", str(h)) for h in (get_args(hint) or (hint,)))
