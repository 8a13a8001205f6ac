"""Train the maps of images and sentences on fixed vectors, and keep the weights that are best on validation images."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp
import torch
from torch import Tensor

from sentrep.encoders.base import Vectors
from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.objective import Scorer, margin_loss
from sentrep.evaluation.retrieval.ranking import Scores, over_folds, total_recall
from sentrep.evaluation.retrieval.settings import Settings

log = logging.getLogger("sentrep")
_ORDER, _WRONG = range(2)  # streams of random numbers
_PROJECTED = 4096  # sentences or images projected at a time


@dataclass(frozen=True)
class Features:
    """Features of the images and captions of a split.

    Attributes:
        images: (n, d) float32.
        captions: (n m, e) float32, dense or sparse, image by image.
    """

    images: npt.NDArray[np.float32]
    captions: Vectors


class Rows:
    """Rows of a matrix as tensors on a device; only the requested rows of a sparse matrix become dense."""

    def __init__(self, matrix: Vectors, device: str, unit: bool = False) -> None:
        self._device, self._unit = device, unit
        self._rows: sp.csr_array | Tensor
        if isinstance(matrix, sp.csr_array):
            self._rows = sp.csr_array(matrix, dtype=np.float32)
        else:
            self._rows = torch.from_numpy(matrix).to(device)
        self.shape: tuple[int, ...] = np.shape(cast(Any, matrix))

    def take(self, rows: npt.NDArray[np.int64]) -> Tensor:
        """Return some rows, (n, d) float32."""
        if isinstance(self._rows, Tensor):
            found = self._rows[torch.from_numpy(rows).to(self._device)]
        else:
            found = torch.from_numpy(self._rows[rows].toarray()).to(self._device)
        return torch.nn.functional.normalize(found, dim=1) if self._unit else found


@dataclass(frozen=True)
class Outcome:
    """Result of the training.

    Attributes:
        measured: measures on the test images, see :func:`sentrep.evaluation.retrieval.ranking.over_folds`.
        history: rows of step, epoch, loss (mean since the previous row), validation (sum of six recalls).
        best_step: step whose weights were kept.
    """

    measured: pd.DataFrame
    history: pd.DataFrame
    best_step: int


def train_maps(
    train: Features, dev: Features, test: Features, settings: Settings, seed: int, device: str = "cpu"
) -> Outcome:
    """Train the maps, keep the weights that are best on validation images, and measure them on test images.

    Randomness depends only on the seed and the step or epoch number.

    Args:
        train: training features.
        dev: validation features.
        test: test features.
        settings: see :class:`sentrep.evaluation.retrieval.settings.Settings`.
        seed: seed of weights, order and wrong pairs.
        device: torch device.

    Raises:
        SentrepError: the loss is not finite, or there are fewer images than in a fold.
    """
    fitted, validated = _on_device(train, settings, device), _on_device(dev, settings, device)
    images, captions = (rows.shape[1] for rows in fitted)
    scorer = Scorer(images, captions, settings.dimension, settings.scoring, settings.bias, seed).to(device)
    optimiser = torch.optim.Adam(scorer.parameters(), lr=settings.learning_rate)
    best, best_step, best_state, since = -1.0, 0, copy.deepcopy(scorer.state_dict()), 0
    history: list[dict[str, float]] = []
    losses: list[Tensor] = []
    pairs = fitted[1].shape[0]
    last = settings.epochs * -(-pairs // settings.batch_size)
    for step, epoch, chosen in _steps(pairs, settings, seed):
        loss = batch_loss(scorer, *fitted, chosen, settings, np.random.default_rng([seed, _WRONG, step]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
        if step % settings.validate_every and step != last:
            continue
        mean_loss = float(torch.stack(losses).mean())
        if not np.isfinite(mean_loss):
            raise SentrepError(
                "retrieval",
                expected="a finite loss",
                found="NaN or infinity",
                remedy="set a smaller `learning_rate`",
            )
        reached = total_recall(evaluate(scorer, *validated, settings, "validation images"))
        history.append({"step": step, "epoch": epoch, "loss": mean_loss, "validation": reached})
        log.info("step %d of %d: loss %.4g, validation recalls %.1f of 600", step, last, mean_loss, reached)
        losses, since = [], since + 1
        if reached > best:
            best, best_step, best_state, since = reached, step, copy.deepcopy(scorer.state_dict()), 0
        if settings.patience is not None and since >= settings.patience:
            break
    scorer.load_state_dict(best_state)
    measured = evaluate(scorer, *_on_device(test, settings, device), settings, "test images")
    return Outcome(measured, pd.DataFrame(history), best_step)


def evaluate(scorer: Scorer, images: Rows, captions: Rows, settings: Settings, where: str) -> pd.DataFrame:
    """Return measures over folds of a split, see :func:`sentrep.evaluation.retrieval.ranking.over_folds`."""
    per_image = captions.shape[0] // images.shape[0]
    was_training = scorer.training
    scorer.eval()

    def score(fold: slice) -> Scores:
        with torch.no_grad():
            rows = np.arange(fold.start, fold.stop)
            columns = np.arange(fold.start * per_image, fold.stop * per_image)
            left = [scorer.project_images(images.take(part)) for part in _parts(rows)]
            right = [scorer.project_sentences(captions.take(part)) for part in _parts(columns)]
            return (torch.cat(left) @ torch.cat(right).T).cpu().numpy()

    measured = over_folds(images.shape[0], settings.fold_images, score, where)
    scorer.train(was_training)
    return measured


def _on_device(features: Features, settings: Settings, device: str) -> tuple[Rows, Rows]:
    """Return the images and captions of a split."""
    return Rows(features.images, device, settings.image_normalisation == "unit"), Rows(features.captions, device)


def _steps(pairs: int, settings: Settings, seed: int) -> Iterator[tuple[int, int, npt.NDArray[np.int64]]]:
    """Yield the step, the epoch, and the pairs of a batch."""
    step = 0
    for epoch in range(settings.epochs):
        order = np.random.default_rng([seed, _ORDER, epoch]).permutation(pairs)
        for begin in range(0, pairs, settings.batch_size):
            step += 1
            yield step, epoch, order[begin : begin + settings.batch_size]


def batch_loss(
    scorer: Scorer,
    images: Rows,
    captions: Rows,
    chosen: npt.NDArray[np.int64],
    settings: Settings,
    rng: np.random.Generator,
) -> Tensor:
    """Return the loss of some pairs, each given by the number of its caption."""
    per_image = captions.shape[0] // images.shape[0]
    own = chosen // per_image
    shape = (settings.contrasts,) if settings.drawn_for == "batch" else (len(chosen), settings.contrasts)
    wrong_images, wrong_captions = (rng.integers(count, size=shape) for count in (images.shape[0], captions.shape[0]))
    use_images, use_captions = (
        None if settings.own_as_contrast else _differs(of, own) for of in (wrong_images, wrong_captions // per_image)
    )
    device = scorer.images.weight.device
    return margin_loss(
        scorer.project_images(images.take(own)),
        scorer.project_sentences(captions.take(chosen)),
        scorer.project_images(images.take(wrong_images.ravel())).view(*shape, settings.dimension),
        scorer.project_sentences(captions.take(wrong_captions.ravel())).view(*shape, settings.dimension),
        settings.margin,
        None if use_images is None else use_images.to(device),
        None if use_captions is None else use_captions.to(device),
    )


def _differs(image_of: npt.NDArray[np.int64], own: npt.NDArray[np.int64]) -> Tensor:
    """Return (b, n) bool: the drawn image, or the image of the drawn caption, is not the pair's."""
    return torch.from_numpy(np.atleast_2d(image_of) != own[:, None])


def _parts(rows: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    return [rows[begin : begin + _PROJECTED] for begin in range(0, len(rows), _PROJECTED)]
