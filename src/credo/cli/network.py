"""``credo network``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["network"]

SHOWN = 50  # variables
SMALL = 12  # variables of a network whose independencies are shown
SHOWN_INDEPENDENCIES = 12


def network(
    file: Annotated[Path, typer.Argument(help="A network: BIF, XMLBIF, UAI, Hugin, GeNIe, JSON.", show_default=False)],
    *,
    about: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What the joint belief about these variables costs, once for each, instead of the belief about every "
            "variable.",
        ),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What it costs once the state of this variable is known, once for each."),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(
            help="Write it to this file, in the format of its suffix: .bif, .xml, .uai, .json, each with .gz."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """What is in a network, what exact answers cost, and which variables are independent of each other.

    Answers are planned, not computed: `credo network alarm.bif --given HR --given CVP` says what beliefs cost once
    these are known. With `--to` it is written in another format: `credo network alarm.bif --to alarm.uai`.
    """
    from credo.cli.output import emit_json
    from credo.networks.formats import read_network

    net = read_network(file)
    plan = net.plan(about or None, given=given or ())
    document = {
        "name": net.name,
        "kind": type(net).__name__,
        **_contents(net),
        "plan": {
            "question": plan.question,
            "cliques": len(plan.cliques),
            "width": plan.width,
            "widest": plan.widest,
            "entries": plan.entries,
            "bytes": plan.bytes,
            "seconds": plan.seconds,
        },
        **_independencies(net),
    }
    if to is not None:
        from credo.networks.formats import write_network

        write_network(net, to)
        document["written"] = str(to)
    if json:
        emit_json(document)
    else:
        _print(net, repr(plan), document)


def _contents(net: Any) -> dict[str, Any]:
    from credo.networks import BayesianNetwork

    if isinstance(net, BayesianNetwork):
        nodes = [
            {"name": node.name, "states": node.states, "parents": tuple(node.parents), "numbers": node.cells}
            for node in net.nodes.values()
        ]
        return {"edges": len(net.edges), "numbers": sum(node["numbers"] for node in nodes), "variables": nodes}
    scopes = [{"over": each.names, "numbers": len(each.values)} for each in net.potentials]
    return {
        "numbers": sum(each["numbers"] for each in scopes),
        "variables": [{"name": name, "states": states} for name, states in net.variables.items()],
        "potentials": scopes,
    }


def _independencies(net: Any) -> dict[str, Any]:
    from credo.networks import BayesianNetwork

    if not isinstance(net, BayesianNetwork) or len(net) > SMALL:
        return {}
    return {"independencies": [str(each) for each in net.independencies()]}


def _print(net: Any, plan: str, document: dict[str, Any]) -> None:
    from credo.cli.output import table

    title = f"{document['name']}: {net!r}" if document["name"] else repr(net)
    variables = document["variables"]
    columns = [key for key in variables[0] if key != "name"] if variables else []
    rows = [[each["name"], *(_cell(each[key]) for key in columns)] for each in variables[:SHOWN]]
    table(f"{title}, {document['numbers']:,} numbers", ["variable", *columns], rows)
    if len(variables) > SHOWN:
        typer.echo(f"… and {len(variables) - SHOWN:,} more variables; --json lists them all")
    typer.echo(f"\n{plan}")
    if document.get("independencies"):
        held = document["independencies"]
        typer.echo("\nIndependent, given what stands behind the bar:")
        typer.echo("\n".join(f"  {each}" for each in held[:SHOWN_INDEPENDENCIES]))
        if len(held) > SHOWN_INDEPENDENCIES:
            typer.echo(f"  … and {len(held) - SHOWN_INDEPENDENCIES:,} more; --json lists them all")
    if "written" in document:
        typer.echo(f"\nwritten: {document['written']}")


def _cell(value: Any) -> Any:
    if isinstance(value, int):
        return value
    texts = [str(each) for each in value]
    shown = ", ".join(texts[:6])
    return f"{len(texts)}: {shown}, …" if len(texts) > 6 else shown
