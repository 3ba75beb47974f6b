"""Why a scenario came out as it did: what happened in order, the step or patch that did it, and the rules behind it.

In: a `Result` with the trace of its run. Out: text. What one step did several times in a row is told together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import Event, Frame
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.trace import Decided, Evaluation, Happening
from ritual_dsl.model import ir
from ritual_dsl.model.types import Type
from ritual_dsl.scenarios.run import Result
from ritual_dsl.source import Span


def explain_result(result: Result) -> str:
    lines = [f"{result.scenario.name}  ({result.scenario.game})"]
    run = result.run
    if run is not None and run.trace is not None:
        lines += account(run)
        lines += stopped(result, run)
        lines += asked_at_the_end(result, run)
    lines += ["", *(str(m) for m in result.mismatches), *(f"{d.code}: {d.message}" for d in result.diagnostics)]
    lines.append("as expected" if result.passed else "NOT as expected")
    return "\n".join(lines)


# ---- what happened


def account(run: Run) -> Iterator[str]:
    """Call by call, step by step."""
    assert run.trace is not None
    call = None
    known: set[int] = set()
    for _, together in groupby(run.trace.happened, key=lambda h: (id(h.frames[-1]), id(h.cause))):
        group = list(together)
        first = group[0]
        pad = "  " * (len(first.frames) - 1)
        if first.frames[-1] is not call and id(first.frames[-1]) in known:
            yield f"{pad}{first.cause.procedure.name} goes on"
        for depth, frame in enumerate(first.frames):
            if id(frame) not in known:
                yield from ["", "  " * depth + heading(frame, run)]
        known |= {id(frame) for frame in first.frames}
        call = first.frames[-1]
        yield from (f"{pad}  - {line}" for line in told(group, run))
        yield f"{pad}      {by(first, run)}"
        yield from (f"{pad}      {line}" for line in because([e for h in group for e in h.asked], run))


def heading(frame: Frame, run: Run) -> str:
    """A call with its inputs."""
    procedure = run.game.procedures[frame.procedure]
    args = ", ".join(run.show(value, type) for value, (_, type) in zip(frame.local, procedure.params, strict=False))
    return noted(f"{procedure.name}({args})" if args else procedure.name, procedure.cites, procedure.span)


def told(group: Iterable[Happening], run: Run) -> Iterator[str]:
    """Every event, all faces seen; a choice with the options there were."""
    options: dict[tuple[str, tuple[int, ...]], Event] = {}
    for event in (event for happening in group for event in happening.events):
        if event.kind == "asked":
            options[event.public[0], event.public[1]] = event
            continue
        line = Teller(run).sentence((event.kind, *event.public, *event.faces))
        asked = options.pop((event.public[0], event.public[1]), None) if event.kind == "chose" else None
        if asked is not None:
            line += f"  (of {Teller(run).sentence(('asked', *asked.public)).partition(': ')[2]})"
        yield line


def by(happening: Happening, run: Run) -> str:
    """The step that did it, and the patch it stands in."""
    cause = happening.cause
    line = noted(f"by `{cause.step.span.quoted()}`", cause.cites, cause.step.span)
    if cause.patch is None:
        return line
    patch = f"{cause.patch.origin}.{cause.patch.label}"
    return f"{line}, the patch {patch}{guard_words(cause.patch.guard, happening.holder, run)}"


# ---- the rules behind it


def because(evaluations: Iterable[Evaluation], run: Run) -> Iterator[str]:
    """Every question once; those that came out alike for the same reason together."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for evaluation in {(e.rule.name, e.args): e for e in walk_all(evaluations)}.values():
        name, *rest = evaluated(evaluation, run)
        question, _, value = name.partition(" = ")
        alike.setdefault((value, evaluation.rule.name, *rest), []).append(question)
    for (value, _, *rest), questions in alike.items():
        yield f"{', '.join(questions)} = {value}"
        yield from rest


def walk_all(evaluations: Iterable[Evaluation]) -> Iterator[Evaluation]:
    for evaluation in evaluations:
        yield evaluation
        yield from walk_all(evaluation.inner)


def asked_at_the_end(result: Result, run: Run) -> list[str]:
    """The rules that only an expectation asked for."""
    assert run.trace is not None
    told = {id(e) for happening in run.trace.happened for e in walk_all(happening.asked)}
    names = result.scenario.expect.entries if result.scenario.expect is not None else {}
    rest = [e for e in run.trace.last.values() if e.rule.name in names and id(e) not in told]
    return ["", "what else was expected", *(f"  {line}" for line in because(rest, run))] if rest else []


def stopped(result: Result, run: Run) -> Iterator[str]:
    """What ended the run, and the rules that were being asked for it."""
    if result.stopped:
        yield ""
        yield from (f"stopped by {d.code}: {d.message}" for d in result.stopped)
        yield from (f"  {line}" for line in because(result.asked, run))


def evaluated(evaluation: Evaluation, run: Run) -> list[str]:
    """A question with its answer, and the clauses that decided."""
    rule = evaluation.rule
    args = ", ".join(run.show(a, t) for a, (_, t) in zip(evaluation.args, rule.params, strict=True))
    cites = "  " + " ".join(rule.cites) if rule.cites else ""
    lines = [f"{rule.name}{f'({args})' if args else ''} = {run.show(evaluation.value, rule.type)}{cites}"]
    return lines + [f"  {decided(d, rule.type, run)}" for d in evaluation.decided if d.decides]


def decided(d: Decided, type: Type, run: Run) -> str:
    if type.kind == "truth":
        says = "holds" if d.value else "does not hold"
    else:
        says = f"{'limits it to' if d.limit else 'says'} {run.show(d.value, type)}"
    body = d.entry.body.span if d.entry.body is not None else d.entry.span
    line = noted(f"{d.name} {says}: `{body.quoted()}`", d.entry.cites or d.clause.cites, d.entry.span)
    return line + guard_words(d.entry.guard, d.holder, run)


# ---- words


def guard_words(guard: ir.Guard, holder: int | None, run: Run) -> str:
    """Why a patch counts."""
    during = f"during {' and '.join(guard.during)}" if guard.during else ""
    if guard.rule is None or holder is None:
        return f", {during}" if during else ""
    return f", while {guard.rule}({guard.card}, {run.names[holder]}) {during}".rstrip()


def noted(words: str, cites: tuple[str, ...], span: Span) -> str:
    return "  ".join([words, *([" ".join(cites)] if cites else []), f"[{span.path}:{span.line}]"])


def happened(run: Run) -> list[str]:
    """What changed: counters and ends."""
    kinds = ("changed", "ended")
    return [Teller(run).sentence((event.kind, *event.public)) for event in run.state.log if event.kind in kinds]
