"""``credo query``."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.findings import read_findings
from credo.errors import InvalidInput

if TYPE_CHECKING:
    from credo.networks.inference.explanation import Explanation

__all__ = ["query"]

LEAST_LOG = math.log(sys.float_info.min)
ROUNDING = 1e-12  # the log of a probability nearer to zero is that of nothing found


def query(
    file: Annotated[Path, typer.Argument(help="A network: BIF, XMLBIF, UAI, Hugin, GeNIe, JSON.", show_default=False)],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME…", help="Variables to ask about; all, if none is named.")
    ] = None,
    *,
    given: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FINDING",
            help="What was found, once for each variable: A=yes; 'A={yes,maybe}' for one of several states; "
            "'A~yes:0.8,no:0.1' for how likely what was seen is in each state; 'A:=yes:0.7,no:0.3' for a belief that "
            "is to hold.",
        ),
    ] = None,
    evidence: Annotated[Path | None, typer.Option(help="Findings in a UAI evidence file.")] = None,
    joint: Annotated[bool, typer.Option("--joint", help="The belief about all NAMEs together.")] = False,
    most_probable: Annotated[
        bool, typer.Option("--most-probable", help="The states of the NAMEs that are most probable together.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="For each NAME, what every finding did to its belief, which findings do not fit together, and the "
            "numbers in the tables on which the answer depends most.",
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """What a network says about its variables, exactly, given findings.

    For example `credo query asia.bif lung --given smoke=yes --given xray=no`. The answer is the belief about each NAME,
    with the log of the probability of the findings.
    """
    if joint + most_probable + explain > 1:
        raise InvalidInput("only one of --joint, --most-probable and --explain can be asked for at a time")
    if (joint or explain) and not names:
        raise InvalidInput(
            f"{'--joint' if joint else '--explain'} is about variables that are named; name at least one"
        )
    from credo.cli.output import emit_json
    from credo.networks.formats import read_network
    from credo.networks.inference.watch import watching

    net = read_network(file)
    found = read_findings(net.variables, given or (), evidence)
    with watching(_show):
        if joint:
            answer = _joint(net, names or [], found, json=json)
        elif most_probable:
            answer = _most_probable(net, names, found, json=json)
        else:
            answer = _posteriors(net, names, found, explain=explain, json=json)
    if json:
        emit_json({"network": net.name, "given": _shown(found), **answer})


def _show(share: float) -> None:
    """How far a long answer is, where a person is looking."""
    if sys.stderr.isatty():
        typer.echo(f"\r{share:.0%} done " if share < 1 else "\r          \r", err=True, nl=False)


def _posteriors(
    net: Any, names: list[str] | None, found: dict[str, Any], *, explain: bool, json: bool
) -> dict[str, Any]:
    held = net.posteriors(names, given=found)
    answer = {"posteriors": held.as_dict(), **_evidence(net, found, held.log_evidence)}
    reasons = {name: _explanation(net, name, found) for name in held} if explain else {}
    if explain:
        answer["explanations"] = {name: why.to_dict() for name, why in reasons.items()}
    if json:
        return answer
    from credo.cli.output import table

    if names:
        rows = [(name, state, p) for name, states in answer["posteriors"].items() for state, p in states.items()]
        table(_title(net, found), ["variable", "state", "probability"], rows)
    else:
        lines = [(name, _brief(states)) for name, states in answer["posteriors"].items()]
        table(_title(net, found), ["variable", "states, the most probable first"], lines)
    _print_evidence(answer)
    for why in reasons.values():
        typer.echo(f"\n{why!r}")
    return answer


def _joint(net: Any, names: list[str], found: dict[str, Any], *, json: bool) -> dict[str, Any]:
    held = net.joint(names, given=found)
    evidence = _evidence(net, found, held.log_evidence)
    if json:
        states = dict(zip(held.axes.names, held.axes.states, strict=True))
        return {"names": held.axes.names, "states": states, "joint": held.probs, **evidence}
    import itertools

    from credo.cli.output import table

    together = itertools.product(*held.axes.states)
    rows = [(*each, p) for each, p in zip(together, held.probs.ravel().tolist(), strict=True)]
    table(_title(net, found), [*held.axes.names, "probability"], rows)
    _print_evidence(evidence)
    return evidence


def _most_probable(net: Any, names: list[str] | None, found: dict[str, Any], *, json: bool) -> dict[str, Any]:
    held = net.most_probable(names or None, given=found)
    is_prob = held.log_prob is not None
    answer = {"most_probable": dict(held), "log_prob" if is_prob else "log_product": held.log_product}
    if not json:
        from credo.cli.output import table

        table(_title(net, found), ["variable", "state"], held.items())
        what = "probability of these and what was found" if is_prob else "product of the potentials"
        typer.echo(f"log of the {what}: {held.log_product:.6g} nats")
    return answer


def _explanation(net: Any, name: str, found: dict[str, Any]) -> Explanation:
    from credo.networks import BayesianNetwork
    from credo.networks.evidence import as_evidence

    has_rows = isinstance(net, BayesianNetwork) and not as_evidence(net.variables, found).beliefs
    why: Explanation = net.explain(name, given=found, sensitivity=has_rows)
    return why


def _evidence(net: Any, found: dict[str, Any], log_evidence: float) -> dict[str, float | None]:
    """Log P(findings); of a Markov network the log partition function, and where a belief is to hold, neither."""
    from credo.networks import BayesianNetwork
    from credo.networks.evidence import as_evidence

    if as_evidence(net.variables, found).beliefs:
        return {"log_evidence": None}
    return {"log_evidence" if isinstance(net, BayesianNetwork) else "log_partition": log_evidence}


def _print_evidence(answer: dict[str, Any]) -> None:
    if "log_partition" in answer:
        typer.echo(f"log partition function: {answer['log_partition']:.6g} nats")
    elif abs(log_evidence := answer["log_evidence"] or 0.0) > ROUNDING:
        # Too small for a number that is not zero, or likelihoods above one.
        plain = LEAST_LOG < log_evidence <= 0
        said = f"P(findings) = {math.exp(log_evidence):.4g}, of which the log" if plain else "log P(findings)"
        typer.echo(f"{said} is {log_evidence:.6g} nats")


def _brief(states: dict[Any, float]) -> str:
    ranked = sorted(states.items(), key=lambda pair: -pair[1])
    return "  ".join([*(f"{state} {p:.4g}" for state, p in ranked[:4]), *(["…"] if len(ranked) > 4 else [])])


def _title(net: Any, found: dict[str, Any]) -> str:
    named = net.name or "a network"
    return f"{named}, given {', '.join(_shown(found))}" if found else named


def _shown(found: dict[str, Any]) -> list[str]:
    if not found:
        return []
    from credo.networks.inference.explanation import shown_finding

    return [shown_finding(*each) for each in found.items()]
