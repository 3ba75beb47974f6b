"""A page on this machine that shows sheets and reloads when they change.

In: pages, or findings when there is nothing new to show. Out: HTTP on the loopback address, to whoever asks by that
name: no other machine, and no other site in the browser, gets an answer.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Condition, Thread
from urllib.parse import unquote

LOOPBACK = "127.0.0.1"
PATIENCE = 20.0  # seconds that a question for news may wait
KINDS = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "png": "image/png",
    "json": "application/json",
}


class Board:
    """What is shown now: the last good pages, and what is wrong."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.problems = ""
        self.version = 0
        self.news = Condition()

    def show_pages(self, pages: dict[str, bytes]) -> None:
        with self.news:
            self.pages = {**self.pages, **pages}
            self.problems = ""
            self.version += 1
            self.news.notify_all()

    def show_problems(self, text: str) -> None:
        with self.news:
            self.problems = text
            self.version += 1
            self.news.notify_all()

    def after(self, version: int, patience: float = PATIENCE) -> dict[str, object]:
        """The state, once it is newer than a version or patience has run out."""
        with self.news:
            self.news.wait_for(lambda: self.version != version, patience)
            return {"version": self.version, "problems": self.problems, "pages": sorted(self.pages)}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader who leaves in the middle of an answer is no fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def serve(board: Board, port: int = 0) -> ThreadingHTTPServer:
    """Start answering; the server knows the port it was given."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers.get("Host") not in own_names(server):
                self.send_error(403)
                return
            path = unquote(self.path)
            if path == "/":
                self.answer(shell(), KINDS["html"])
            elif path.startswith("/news/") and path[6:].isdecimal():
                self.answer(json.dumps(board.after(int(path[6:][:9]))).encode(), KINDS["json"])
            elif path.startswith("/made/") and path[6:] in board.pages:
                self.answer(board.pages[path[6:]], KINDS.get(path.rpartition(".")[2], "application/octet-stream"))
            else:
                self.send_error(404)

        def answer(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet: the terminal belongs to what was made."""

    server = Server((LOOPBACK, port), Answers)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def own_names(server: ThreadingHTTPServer) -> tuple[str, str]:
    return f"{LOOPBACK}:{server.server_port}", f"localhost:{server.server_port}"


def shell() -> bytes:
    return (files("ritual_dsl.sheets") / "templates" / "watch.html").read_bytes()
