# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chromium without a window, spoken to by its DevTools protocol through a pipe (chromedevtools.github.io):
one JSON message after another, each ended by a zero byte, on the browser's file descriptors 3 and 4."""

import contextlib
import json
import os
import select
import shutil
import subprocess
import time

LIMIT = 60  # seconds for any answer


def program():
    """Debian's Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """A browser with one page."""

    def __init__(self, folder):
        self.last, self.events, self.buffer = 0, [], b""
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def descriptors():
            # By way of numbers that are neither of the two.
            first, second = os.dup(to_read), os.dup(to_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", f"--user-data-dir={folder}",
             "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
        os.close(to_read)
        os.close(to_write)
        self.session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(domain + ".enable")

    def receive(self):
        end = time.monotonic() + LIMIT
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """Calls a method of the protocol; returns its result. Events that come meanwhile are kept."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.events.clear()
        self.send("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    @contextlib.contextmanager
    def in_frame(self):
        """Within it, all is about the page's frame: one that is sandboxed, which has a process of its own."""
        frame, = [target for target in self.send("Target.getTargets")["targetInfos"] if target["type"] == "iframe"]
        page, self.session = self.session, self.send("Target.attachToTarget", targetId=frame["targetId"], flatten=True)["sessionId"]
        try:
            for domain in ("Runtime", "Log"): # which tell what there was before
                self.send(domain + ".enable")
            yield
        finally:
            self.session = page

    def value(self, expression):
        """What an expression of JavaScript is."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression):
        """Until it is true: what the browser does later, such as following a link."""
        end = time.monotonic() + LIMIT
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def press(self, key):
        """A key goes down and up, where the focus is."""
        text = key if len(key) == 1 else ""
        codes = {"Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13}
        code = codes.get(key, ord(key.upper()) if text else 0)
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode=code)

    def click(self, selector):
        """The mouse, in the middle of the first element that the selector is for."""
        x, y = self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
          e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();
          return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def complaints(self):
        """Exceptions, and errors in the browser's log."""
        return [event for event in self.events if event["method"] == "Runtime.exceptionThrown" or (
            event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error")]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
        except (OSError, EOFError, RuntimeError, TimeoutError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
