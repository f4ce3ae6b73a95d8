"""Log evidence and precisions that others computed for public regression tables, columns and target standardised.

The evidence sees of a table only how many rows it has and how its columns correlate, so that is what is kept here: the
upper triangle of the correlations of the columns and, last, the target.
"""

import numpy as np
import pytest

from credo.linear import BayesianRegression

CORRELATIONS = {
    "yacht": (
        308,
        """
        -0.008610665842303323 -0.002674075966936616 0.002928595308830778 -0.003369350796387986 0
        0.01930617033517853 -0.04631607407371732 0.3394618176370268 -0.08669449955985044 0 -0.02856912011051277
        0.3768232832158867 0.6763645762143515 0 -0.002967364509596084 -0.380222269194616 0 -0.01242113011816089
        0 -0.001025469708312734 0.8100922241227664
        """,
    ),
    "power-plant": (
        9568,
        """
        0.8441067318678671 -0.5075493390955095 -0.5425346521044598 -0.9481284704167593 -0.4135021581265707
        -0.312187282073403 -0.8697803096577882 0.09957431526340707 0.5184290273615737 0.3897940997901018
        """,
    ),
    "concrete": (
        1030,
        """
        -0.2752159110303207 -0.3974673408069008 -0.08158674846410852 0.09238617275378001 -0.1093489941249012
        -0.2227178486655874 0.08194602387182229 0.4978319193241575 -0.3235799005063842 0.1072520272110921
        0.04327041876104109 -0.2839986119592129 -0.2816026706141924 -0.04424601930445418 0.1348292614974049
        -0.2569840228651502 0.377503145901369 -0.009960827842262439 0.07910849096499861 -0.1543705160679299
        -0.1057549162973137 -0.657532907628447 -0.1822936018614355 -0.4506611741300161 0.2776182215210068
        -0.2896333849853048 -0.2659991481862873 0.2226912299131865 -0.1927000280434726 0.3660788271885196
        -0.1784809574233243 -0.00301588034674362 -0.1649346144601098 -0.1560947026475875 -0.1672412472900583
        0.3288730007799874
        """,
    ),
    "energy": (
        768,
        """
        -0.9919014616138878 -0.2037816803210381 -0.8688234077044811 0.8277473168384282 0 0 0 0.6222721790646633
        0.1955016327893902 0.8807195166848432 -0.8581476730290197 0 0 0 -0.6581202267776216 -0.2923164661948915
        0.2809757434745082 0 0 0 0.4556711568983092 -0.9725122370185887 0 0 0 -0.8618282529058238 0 0 0
        0.8894306741007039 0 0 -0.002586533915638774 0.2129642207571904 0.2698409963206338 0.08736759370846416
        """,
    ),
}

# the log evidence, the precision of the weights, that of the noise, and how many weights the data determine
KNOWN = {
    "yacht": (-287.09039665676596, 8.33651690802684, 2.8682910304814975, 5.401138402110978),
    "power-plant": (-964.1387066068755, 5.034412717686868, 14.018613030515857, 3.999509253313812),
    "concrete": (-995.1401193309032, 6.994137242789822, 2.5802634563944875, 7.891241952115747),
    "energy": (-163.8509256163934, 5.438060105271154, 11.822946893039925, 6.8677865182113536),
}


def _rows(name):
    """Rows that have the correlations of the table."""
    n, numbers = CORRELATIONS[name]
    values = np.array(numbers.split(), dtype=float)
    d = round((1 + np.sqrt(1 + 8 * len(values))) / 2)
    products = np.eye(d)
    products[np.triu_indices(d, 1)] = values
    spread, axes = np.linalg.eigh(products + np.triu(products, 1).T)
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(n, d)))[0]
    rows = np.sqrt(n) * (turned * np.sqrt(np.maximum(spread, 0))) @ axes.T
    return rows[:, :-1], rows[:, -1]


@pytest.mark.parametrize("method", ["search", "fixed-point", "gradient"])
@pytest.mark.parametrize("name", KNOWN)
def test_the_evidence_and_the_precisions_are_those_that_are_known(name, method):
    log_evidence, alpha, beta, effective = KNOWN[name]
    model = BayesianRegression(fit_intercept=False, method=method).fit(*_rows(name))
    assert model.log_evidence_ == pytest.approx(log_evidence, rel=1e-12)
    assert model.alpha_ == pytest.approx(alpha, rel=1e-6)
    assert model.beta_ == pytest.approx(beta, rel=1e-7)
    assert model.effective_parameters_ == pytest.approx(effective, rel=1e-7)


@pytest.mark.parametrize("name", KNOWN)
def test_a_precision_for_each_weight_has_more(name):
    X, y = _rows(name)
    each = BayesianRegression(fit_intercept=False, prior="each").fit(X, y)
    assert each.outcome_.good
    assert each.log_evidence_ > KNOWN[name][0]
