# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with its output in the notebook while it comes; an interrupt of the kernel stops it."""

import codecs
import os
import selectors
import signal
import subprocess
import sys
import termios
import time
from typing import Callable, Dict, List, Tuple

from .._errors import CellInterrupted

_PIECE = 1 << 16
_PAUSE, _LONGEST = 0.02, 0.1  # seconds: output is handed on when so long nothing more has come, or after so long
# After an interrupt: how long a program has to end by itself, then after each signal.
_PATIENCE = ((0, 0.3), (signal.SIGINT, 2.0), (signal.SIGTERM, 1.0))

Write = Callable[[str], object]


def _terminal() -> Tuple[int, int]:
    """The ends of a terminal for reading and writing, so that programs write each line at once; else of a pipe."""
    try:
        reader, writer = os.openpty()
    except OSError:
        return os.pipe()
    settings = termios.tcgetattr(writer)
    settings[1] &= ~termios.OPOST  # newlines stay what they are
    termios.tcsetattr(writer, termios.TCSANOW, settings)
    return reader, writer


class _Streams:
    """What a process writes to its stdout and stderr, decoded and handed on in its order."""

    def __init__(self, out: Write, err: Write, colours: bool) -> None:
        self._selector = selectors.DefaultSelector()
        self._ends: Dict[int, Tuple[codecs.IncrementalDecoder, Write]] = {}
        self._held: List[Tuple[Write, str]] = []
        self._since = 0.0
        self.writers: List[int] = []
        for write in (out, err):
            reader, writer = os.pipe() if write is err and not colours else _terminal()
            self._ends[reader] = (codecs.getincrementaldecoder("utf-8")("replace"), write)
            self._selector.register(reader, selectors.EVENT_READ)
            self.writers.append(writer)

    def close_writers(self) -> None:
        for writer in self.writers:
            os.close(writer)
        self.writers = []

    def pump(self, seconds: float) -> bool:
        """Takes what comes within this time and hands it on, soon; False if nothing has come."""
        if not self._ends:
            return False
        # A compiler writes its messages word by word, and each piece becomes a message to the browser.
        ready = self._selector.select(min(seconds, _PAUSE) if self._held else seconds)
        for key, _ in ready:
            self._take(key.fd)
        if not ready or time.monotonic() - self._since > _LONGEST:
            self.hand_on()
        return bool(ready)

    def open(self) -> bool:
        return bool(self._ends)

    def hand_on(self) -> None:
        held, self._held = self._held, []
        self._since = time.monotonic()
        for write, text in held:
            write(text)

    def _take(self, reader: int) -> None:
        decoder, write = self._ends[reader]
        try:
            data = os.read(reader, _PIECE)
        except OSError:  # so a terminal says that no process writes to it any more
            data = b""
        text = decoder.decode(data, final=not data)
        if self._held and self._held[-1][0] is write:
            self._held[-1] = (write, self._held[-1][1] + text)
        elif text:
            self._held.append((write, text))
        if not data:
            self._close(reader)

    def _close(self, reader: int) -> None:
        self._selector.unregister(reader)
        del self._ends[reader]
        os.close(reader)

    def close(self) -> None:
        self.close_writers()
        for reader in list(self._ends):
            self._close(reader)
        self._selector.close()


def _stop(process: "subprocess.Popen[bytes]") -> None:
    # A notebook's interrupt goes to all processes of the kernel, so the program may be ending already.
    try:
        for number, seconds in _PATIENCE:
            if number:
                process.send_signal(number)
            try:
                process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                continue
    finally:
        process.kill()
        process.wait()


def _finish(streams: _Streams) -> None:
    # Until nothing more comes: a process that the program has left behind may keep its ends open for ever.
    while streams.pump(0.05):
        pass
    streams.hand_on()


def run(command: List[str], out: Write, err: Write, colours: bool) -> int:
    """Returns the exit code, negative if a signal ended it. Raises OSError if it cannot be started, and
    CellInterrupted if it was stopped. `colours`: its stderr is a terminal, too."""
    streams = _Streams(out, err, colours)
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=streams.writers[0], stderr=streams.writers[1]
        )
        streams.close_writers()
        try:
            while process.poll() is None and streams.open():
                streams.pump(0.1)
            process.wait()
            _finish(streams)
        except KeyboardInterrupt:
            _stop(process)
            _finish(streams)
            raise CellInterrupted("the program was stopped") from None
        return process.returncode
    finally:
        streams.close()


def to_stdout(text: str) -> None:
    """Into the cell's output, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def to_stderr(text: str) -> None:
    """The same, marked as errors are."""
    sys.stderr.write(text)
    sys.stderr.flush()
