"""`ritual render`: sheets to print and to read."""

from __future__ import annotations

import argparse
from pathlib import Path

from ritual_dsl import load
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics import fail
from ritual_dsl.sheets.geometry import BACKS, MARKS, PAPERS
from ritual_dsl.sheets.options import FORMATS, INKS, SHEETS, Options, offset
from ritual_dsl.sheets.render import render

HELP = """
Writes <DIR>/<sheet>.<language>.<format>. PDF and PNG need the extra `ritual-dsl[pdf]`.

examples:
  ritual render my_game --format pdf                             every sheet in every language
  ritual render my_game --sheet cards --format pdf --lang en+ja  both languages on each card
  ritual render my_game+./house.yaml --sheet cards --format pdf --changed-from my_game
  ritual render ./house.yaml --watch                             a page that follows every edit
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, perhaps with modules: game+variant+ruling=option")
    parser.add_argument("--sheet", default="all", metavar="S", help=f"{', '.join(SHEETS)}, several, or all (default)")
    parser.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)}, several, or all; default: html")
    parser.add_argument("--lang", metavar="L", help="ja, several (en,ja), or two on one sheet (en+ja); default: each")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; default: build/<game id>")
    parser.add_argument("--force", action="store_true", help="replace files that were not made here")
    parser.add_argument("--templates", metavar="DIR", type=Path, help="your own templates: see docs/templates.md")
    parser.add_argument("--changed-from", metavar="GAME", help="only the cards that differ from another game's")
    parser.add_argument(
        "--watch", action="store_true", help="make sheets again whenever a file is edited, and show them"
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="of the page that --watch shows; default: any")
    paper = parser.add_argument_group("on paper")
    paper.add_argument("--paper", default="a4", metavar="P", help=f"{' or '.join(PAPERS)}; default: a4")
    paper.add_argument("--ink", default="full", metavar="I", help=f"{' or '.join(INKS)}; low spares ink")
    paper.add_argument(
        "--backs", default="long", metavar="B", help=f"{', '.join(BACKS)}: the edge the paper turns over"
    )
    paper.add_argument("--marks", default="edge", metavar="M", help=f"crop marks: {', '.join(MARKS)}")
    paper.add_argument(
        "--bleed", default=1.5, type=float, metavar="MM", help="how far colours run over the cut; default: 1.5"
    )
    paper.add_argument(
        "--back-offset", default="0,0", metavar="X,Y", help="moves the backs, for printers that drift (mm)"
    )
    paper.add_argument("--proof", action="store_true", help="shows cut and safe zone on every card")
    paper.add_argument(
        "--ppi", default=300, type=int, metavar="N", help="resolution of single cards as PNG; default: 300"
    )
    paper.add_argument("--base-url", metavar="URL", help="where the images of a Tabletop Simulator deck will lie")


def run(args: argparse.Namespace) -> int:
    options = Options(
        paper=args.paper,
        ink=args.ink,
        marks=args.marks,
        backs=args.backs,
        bleed=args.bleed,
        back_offset=offset(args.back_offset),
        proof=args.proof,
        ppi=args.ppi,
        changed_from=args.changed_from,
        templates=args.templates,
        base_url=args.base_url,
        force=args.force,
    )
    if args.watch:
        return watch(args, options)
    game = load(args.game)
    out = args.out or Path("build") / game.id
    for path in render(game, lang=args.lang, format=args.format or "html", out=out, sheet=args.sheet, options=options):
        print(path)
    return CLEAN


def watch(args: argparse.Namespace, options: Options) -> int:
    """Until it is interrupted. Without --lang only the first language, without --format HTML and, if it can be, PDF."""
    from ritual_dsl.sheets.serve import LOOPBACK, serve
    from ritual_dsl.sheets.watch import Watcher
    from ritual_dsl.sheets.workshop import can_typeset

    formats = args.format or ("html,pdf" if can_typeset() else "html")
    watcher = Watcher(args.game, args.lang, args.sheet, formats, args.out, options)
    try:
        server = serve(watcher.board, args.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise fail("RIT668", f"port {args.port} cannot be used: {reason}", help="another --port") from error
    print(f"http://{LOOPBACK}:{server.server_port}/ (Ctrl-C ends it)", flush=True)
    watcher.run(lambda text: print(text, flush=True))
    server.shutdown()
    return CLEAN
