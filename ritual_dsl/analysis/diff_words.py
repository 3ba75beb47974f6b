"""A comparison of two games for people, for pull requests and for programs.

In: a `Diff`. Out: text, Markdown or JSON.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from ritual_dsl.analysis.changes import CardChange, Change, Reading
from ritual_dsl.analysis.compare import SAMPLES, Verdict
from ritual_dsl.analysis.diff import Diff, Moved

COLUMN = 56


# ---- words that all forms share


def verdict_words(v: Verdict) -> str:
    run = f"after {v.odds.procedure}" if v.odds.procedure else "as dealt"
    if not v.exact:
        return f"{run}, {v.players} players: {v.differing} of {v.kinds} sampled deals come out differently"
    return f"{run}, {v.players} players: {v.differing:,} of {v.deals:,} deals come out differently{share(v)}"


def share(v: Verdict) -> str:
    return f" ({v.differing / v.deals:.2%})" if v.differing else ""


def proof(d: Diff) -> list[str]:
    """What is proven, what it rests on, and what it says nothing about."""
    verdicts = d.comparison.verdicts
    if not verdicts:
        return ["nothing was compared in play: the games have no odds in common"]
    which = " that both can have" if any(v.deals < max(v.before, v.after) for v in verdicts) else ""
    lines = [f"proven: no deal{which} scores differently"] if d.comparison.proven_same else []
    exact = [v for v in verdicts if v.exact]
    if exact:
        runs = all_of(f"after `{v.odds.procedure}`" if v.odds.procedure else "as dealt" for v in exact)
        players = all_of(v.players for v in exact)
        dealt = " and ".join(f"`{deal.zone.name}` from `{deal.pile.name}`" for deal in exact[0].odds.deals)
        lines.append(f"covered: every deal of {dealt}, {runs}, with {players} players, counters as they start before")
    return lines + [f"not covered: {line}" for line in outside(d)]


def outside(d: Diff) -> list[str]:
    lines = []
    sampled = sorted({f"{v.odds.procedure} with {v.players} players" for v in d.comparison.verdicts if not v.exact})
    if sampled:
        lines.append(f"{SAMPLES} deals each were only sampled: {'; '.join(sampled)}")
    differ = [card.id for card in d.cards if card.kind != "changed"]
    if differ:
        lines.append(f"deals with cards that only one of them has: {all_of(differ)}")
    copies = [card.id for card in d.cards if card.kind == "changed" and any(f[0] == "copies" for f in card.fields)]
    if copies:
        lines.append(f"deals with more copies than the other has: {all_of(copies)}")
    tried = f"; {d.comparison.sampled:,} such states were tried by chance" if d.comparison.sampled else ""
    found = ", and one differs" if d.comparison.only_sampled else ", none differs" if tried else ""
    lines.append(f"counters that stand otherwise{tried}{found}")
    if d.not_covered:
        lines.append(f"changes that nothing run here uses: {all_of(d.not_covered)}")
    if d.comparison.unmatched:
        lines.append(f"odds that only one of them declares: after {all_of(d.comparison.unmatched)}")
    return lines


def card_words(card: CardChange) -> str:
    if card.kind != "changed":
        return "now in the deck" if card.kind == "added" else "no longer in the deck"
    parts = ["does something else"] if card.rules else []
    parts += [f"TEXT NOT UPDATED in {', '.join(card.stale)}"] if card.stale else []
    return "; ".join([*parts, *(name for name, _, _ in card.fields)])


def all_of(words: Iterable[object]) -> str:
    *most, last = [str(word) for word in dict.fromkeys(words)]
    return f"{', '.join(most)} and {last}" if most else last


def amount(value: Fraction | None) -> str:
    return "-" if value is None else f"{float(value):.4f} = {value}"


def change_words(m: Moved) -> str:
    return "" if m.before is None or m.after is None else f"{float(m.change):+.4f}"


# ---- for people


def as_text(d: Diff) -> str:
    parts = [[f"before  {d.a.reference}", f"after   {d.b.reference}"]]
    parts.append(["RULES", *(line for change in d.changes for line in change_lines(change))])
    parts.append(["CARDS", *(line for card in d.cards for line in card_lines(card))])
    parts.append(["WHAT COMES OUT", *(f"  {verdict_words(v)}" for v in d.comparison.verdicts)])
    parts[-1] += [f"  {line}" for line in proof(d)]
    parts += witness_parts(d)
    parts.append([f"ODDS, {d.odds_players} players", *odds_lines(d), *(f"  {note}" for note in d.notes)])
    for part in parts[1:]:
        if len(part) == 1:
            part.append("  no difference")
    return "\n\n".join("\n".join(part) for part in parts)


def card_lines(card: CardChange) -> list[str]:
    lines = [f"  {card.kind:<8} {card.id}: {card_words(card)}"]
    for name, before, after in card.fields:
        lines += [f"    {name}", f"      before  {before or '(nothing)'}", f"      after   {after or '(nothing)'}"]
    return lines


def change_lines(change: Change) -> list[str]:
    """Both readings side by side."""
    head = "  ".join([f"  {change.kind} {change.name}", *change.cites])
    lines = [head, f"    {'before':<{COLUMN}} │ after", f"    {'─' * COLUMN}─┼─{'─' * COLUMN}"]
    for left, right in zip_longest(column(change.before), column(change.after), fillvalue=""):
        lines.append(f"    {left:<{COLUMN}} │ {right}".rstrip())
    return lines


def column(readings: tuple[Reading, ...]) -> list[str]:
    lines: list[str] = []
    for reading in readings:
        text = [reading.when + ":"] if reading.when else []
        text += reading.text.splitlines()
        for line in text:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            lines += textwrap.wrap(line, COLUMN, subsequent_indent=indent, drop_whitespace=True) or [""]
        if reading.place:
            place = reading.place if len(reading.place) < COLUMN - 2 else "…" + reading.place[-COLUMN + 3 :]
            lines.append(f"  {place}")
    return lines or ["(nothing)"]


def witness_parts(d: Diff) -> list[list[str]]:
    w = d.witness
    if w is None:
        return []
    tried = f"It {did(w.passes_before, 'passes')} before and {did(w.fails_after, 'fails')} after."
    if not w.is_scenario:
        tried = "Nothing is run after the deal. This is a file for `ritual odds --given`."
    how = " (found by chance)" if d.comparison.only_sampled else ""
    return [
        [f"THE SMALLEST STATE THAT COMES OUT DIFFERENTLY{how}", f"  {tried}", "", w.text.rstrip()],
        ["WHY, BEFORE", *(f"  {line}" for line in w.before or ("nothing changes",))],
        ["WHY, AFTER", *(f"  {line}" for line in w.after or ("nothing changes",))],
    ]


def did(what: bool, verb: str) -> str:
    return verb if what else f"does NOT {verb[:-1] if verb == 'fails' else 'pass'}"


def odds_lines(d: Diff) -> list[str]:
    if not d.odds:
        return []
    rows = [["card", "report", "before", "after", "change"]]
    rows += [[m.card, m.report, amount(m.before), amount(m.after), change_words(m)] for m in d.odds]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


# ---- for pull requests


def as_markdown(d: Diff) -> str:
    lines = [f"### `{d.a.reference}` → `{d.b.reference}`", ""]
    lines += [f"- {line}" for line in proof(d)] + [""]
    if d.changes:
        lines += ["| clause | before | after |", "|---|---|---|"]
        lines += [f"| {clause_cell(c)} | {reading_cell(c.before)} | {reading_cell(c.after)} |" for c in d.changes] + [
            ""
        ]
    if d.cards:
        lines += ["| card | |", "|---|---|"]
        for card in d.cards:
            lines.append(f"| `{card.id}` | {card.kind}: {cell(card_words(card))} |")
            for name, before, after in card.fields:
                lines.append(f"| ↳ {cell(name)} | {cell(before) or '-'} → {cell(after) or '-'} |")
        lines.append("")
    lines += [f"- {verdict_words(v)}" for v in d.comparison.verdicts] + [""]
    if d.witness is not None:
        lines += ["The smallest state that comes out differently:", "", "```yaml", d.witness.text.rstrip(), "```", ""]
        for word, told in (("before", d.witness.before), ("after", d.witness.after)):
            lines += [f"<details><summary>why, {word}</summary>", "", "```text", *told, "```", "", "</details>", ""]
    if d.odds:
        lines += [f"Odds with {d.odds_players} players:", "", "| card | report | before | after | change |"]
        lines += ["|---|---|---|---|---|"]
        for m in d.odds:
            lines.append(f"| `{m.card}` | {m.report} | {amount(m.before)} | {amount(m.after)} | {change_words(m)} |")
        lines.append("")
    return "\n".join([*lines, *(f"- {note}" for note in d.notes)]).rstrip()


def clause_cell(change: Change) -> str:
    return f"{change.kind} `{change.name}` {' '.join(change.cites)}".strip()


def reading_cell(readings: tuple[Reading, ...]) -> str:
    parts = []
    for r in readings:
        code = "<br>".join(f"`{cell(line)}`" for line in r.text.splitlines())
        parts.append((f"{cell(r.when)}:<br>" if r.when else "") + code)
    return "<br>".join(parts) or "-"


def cell(text: str) -> str:
    """Nothing of a stranger's text ends the cell of a table."""
    return text.replace("|", "\\|").replace("`", "'").replace("<", "&lt;").replace("\n", " ")


# ---- for programs


def as_json(d: Diff) -> dict[str, Any]:
    return {
        "before": d.a.reference,
        "after": d.b.reference,
        "changes": [
            {
                "kind": change.kind,
                "name": change.name,
                "cites": list(change.cites),
                "before": [reading_json(r) for r in change.before],
                "after": [reading_json(r) for r in change.after],
            }
            for change in d.changes
        ],
        "cards": [
            {
                "card": card.id,
                "change": card.kind,
                "fields": {name: {"before": before, "after": after} for name, before, after in card.fields},
                "rules_changed": card.rules,
                "text_not_updated": list(card.stale),
            }
            for card in d.cards
        ],
        "deals": [
            {
                "run": v.odds.procedure,
                "players": v.players,
                "deals": v.deals,
                "deals_before": v.before,
                "deals_after": v.after,
                "differing": v.differing,
                "kinds": v.kinds,
                "exact": v.exact,
            }
            for v in d.comparison.verdicts
        ],
        "proven_same": d.comparison.proven_same,
        "proof": proof(d),
        "scenario": d.witness.text if d.witness is not None and d.witness.is_scenario else None,
        "deal": d.witness.text if d.witness is not None and not d.witness.is_scenario else None,
        "explanations": {"before": list(d.witness.before), "after": list(d.witness.after)} if d.witness else None,
        "odds": {
            "players": d.odds_players,
            "cards": [
                {"card": m.card, "report": m.report, "before": exact(m.before), "after": exact(m.after)} for m in d.odds
            ],
        },
        "notes": d.notes,
    }


def reading_json(r: Reading) -> dict[str, Any]:
    return {"text": r.text, "when": r.when, "origin": r.origin, "cites": list(r.cites), "place": r.place}


def exact(value: Fraction | None) -> str | None:
    return None if value is None else f"{value.numerator}/{value.denominator}"
