from sentrep.api.evaluation import Evaluation as Evaluation
from sentrep.api.evaluation import evaluate as evaluate
from sentrep.api.model import Model as Model
from sentrep.api.model import load as load
from sentrep.api.model import train as train
from sentrep.api.scikit_learn import SentenceVectors as SentenceVectors
from sentrep.api.transfer import evaluate_transfer as evaluate_transfer

__version__: str
