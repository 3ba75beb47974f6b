"""All that a terminal shows a player, or several who see alike, of a game in play."""

from __future__ import annotations

from ritual_dsl.cli.board import Board
from ritual_dsl.cli.printed import Printed
from ritual_dsl.cli.question import Question
from ritual_dsl.engine import Run
from ritual_dsl.engine.session import Session
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import news

PRINTED: dict[str, Printed] = {}  # by reference: reading a game's sheets takes a while


def terminal(run: Run, seat: frozenset[int]) -> str:
    if run.game.reference not in PRINTED:
        PRINTED[run.game.reference] = Printed(run.game, "en")
    printed = PRINTED[run.game.reference]
    board, teller = Board(run, seat, printed), Teller(run, "en")
    lines = [*board.lines(), *(teller.sentence(observation) for _, observation in news(run, seat))]
    for card in board.cards():
        lines += printed.whole(run.game.cards[card], "")
    if run.choice is not None and seat <= set(run.choice.who):
        session = Session.__new__(Session)  # the run as it is, not from its start
        session.game, session.run, session.people = run.game, run, seat
        lines += Question(session, run.choice, printed).lines(board, just_read=False)
    return "\n".join(lines)
