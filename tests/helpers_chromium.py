"""Chromium driven over a pipe: its DevTools protocol needs no package, only two file descriptors."""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 60.0  # seconds that one answer may take


def find_chromium() -> str | None:
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


class Chromium:
    """One browser with one page. Use as a context manager."""

    def __init__(self, binary: str):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4; copies above these keep dup2 from closing what it needs.
        inside = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_browser, from_browser)]
        command = (
            f'exec 3<&{inside[0]} 4>&{inside[1]}; exec "$0" --headless=new --no-sandbox --disable-gpu '
            f"--remote-debugging-pipe --user-data-dir={self.profile.name} --force-color-profile=srgb "
            "--disable-background-networking --no-first-run --hide-scrollbars about:blank"
        )
        self.process = subprocess.Popen(
            ["bash", "-c", command, binary], pass_fds=inside, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for end in (*inside, to_browser, from_browser):
            os.close(end)
        self.numbers = itertools.count(1)
        self.buffer = b""
        self.events: list[dict] = []
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        try:
            self.session = None
            self.ask("Browser.close")
        except (OSError, TimeoutError):
            self.process.kill()
        self.process.wait(30)
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def ask(self, method: str, **parameters) -> dict:
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _message(self) -> dict:
        end = time.monotonic() + LIMIT
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("no answer from Chromium")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise OSError("Chromium ended")
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, path: Path, width: int, height: int, scheme: str = "light", media: str = "screen") -> None:
        """Load a file at a size, in a colour scheme."""
        self.events.clear()
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.ask("Emulation.setEmulatedMedia", media=media, features=features)
        self.ask("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def wait(self, expression: str) -> None:
        end = time.monotonic() + LIMIT
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def value(self, expression: str):
        """Evaluate JavaScript."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press and release a key: "Tab", "Enter", " "."""
        code = {"Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40, "ArrowRight": 39}[key]
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **extra)

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, exceptions, and requests that left the file."""
        self.value("0")
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(
                ("file:", "about:", "data:")
            ):
                found.append(parameters["request"]["url"])
        return found

    def screenshot(self, path: Path, clip: tuple[int, int, int, int] | None = None) -> None:
        """Save what is seen, or (x, y, width, height) of the page, as PNG."""
        extra = {}
        if clip:
            names = ("x", "y", "width", "height")
            extra = {"clip": {**dict(zip(names, clip, strict=True)), "scale": 1}, "captureBeyondViewport": True}
        data = self.ask("Page.captureScreenshot", format="png", **extra)["data"]
        path.write_bytes(base64.b64decode(data))


if __name__ == "__main__":  # python tests/helpers_chromium.py report.html picture.png 1280 900 light
    page, picture, width, height, scheme = sys.argv[1:]
    with Chromium(find_chromium()) as chromium:
        chromium.open(Path(page), int(width), int(height), scheme)
        chromium.screenshot(Path(picture))
