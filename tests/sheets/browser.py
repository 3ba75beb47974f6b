"""Debian's chromium without a window, spoken to over a pipe: just enough to look at a page."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
WORDS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")


def chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="ritual-browser-")
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        words = [chromium() or "", *WORDS, f"--user-data-dir={self.folder}", "about:blank"]
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_read, from_write)]  # clear of 3 and 4
        self.process = subprocess.Popen(
            words,
            preexec_fn=lambda: (os.dup2(high[0], 3), os.dup2(high[1], 4)),
            pass_fds=(3, 4),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in high:
            os.close(end)
        os.close(to_read)
        os.close(from_write)
        self.number = 0
        self.rest = b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.page("Page.enable")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def page(self, method: str, **params: Any) -> dict[str, Any]:
        return self.ask(method, self.session, **params)

    def next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            chunk = os.read(self.from_read, 1 << 20)
            assert chunk, "the browser is gone"
            self.rest += chunk
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, width: int = 1000, scheme: str = "light", scripts: bool = True) -> None:
        self.page("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=1200, deviceScaleFactor=1, mobile=False)
        self.page("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.page("Page.navigate", url=path.resolve().as_uri())
        while self.next().get("method") != "Page.loadEventFired":
            pass

    def run(self, script: str) -> Any:
        result = self.page("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def names(self) -> list[tuple[str, str]]:
        """Role and name of everything a screen reader meets."""
        nodes = self.page("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored") and "role" in node
        ]

    def screenshot(self) -> bytes:
        return base64.b64decode(self.page("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def printed(self) -> bytes:
        return base64.b64decode(self.page("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
