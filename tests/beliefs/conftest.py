from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from credo.beliefs import Belief


@pytest.fixture(scope="session")
def agrees() -> Callable[..., None]:
    """Hold a law against a frozen distribution of scipy.stats."""

    def check(law: Belief, reference: Any, x: Any, *, rtol: float = 1e-9, entropy: bool = True) -> None:
        log_prob = reference.logpmf if law.discrete else reference.logpdf
        q = np.array([1e-6, 0.01, 0.3, 0.51, 0.8, 0.999])
        q = q.reshape(-1, *(1,) * len(law.batch_shape))
        close = {"rtol": rtol, "atol": 1e-12}
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(law.log_prob(x), log_prob(x), **close)
            np.testing.assert_allclose(law.cdf(x), reference.cdf(x), **close)
            np.testing.assert_allclose(law.quantile(q.ravel()), reference.ppf(q), **close)
            np.testing.assert_allclose(law.mean, reference.mean(), **close)
            np.testing.assert_allclose(law.var, reference.var(), **close)
            np.testing.assert_allclose(law.sd, reference.std(), **close)
            if entropy:
                np.testing.assert_allclose(law.entropy(), reference.entropy(), rtol=rtol, atol=1e-9)

    return check
