# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --heddle-check: each test that does something wrong on the GPU fails, and says what.

The session runs once more, under heddle check, which tells each access of each kernel to a checker in this process.
After each test the checker writes what it has found (__heddleWriteFindings); what is new since the test began is the
test's. --heddle-check=memory,init chooses checks, as heddle check --only does.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Dict, Generator, List, Optional, Tuple

import pytest

from . import _machine, _tree
from ._errors import HeddleError

_FOLDER = "HEDDLE_CHECK_FOLDER"  # set by heddle check
_DEFAULT = "memory,race,sync"

_Key = Tuple[str, ...]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("heddle").addoption(
        "--heddle-check",
        nargs="?",
        const=_DEFAULT,
        metavar="CHECKS",
        help=f"fail tests whose kernels heddle check finds wrong; CHECKS as heddle check --only has them ({_DEFAULT})",
    )


def _command(checks: str, arguments: List[str]) -> List[str]:
    complaint = _machine.complaint()
    if complaint:
        raise HeddleError(complaint)
    _tree.settle()
    return [str(_tree.program("heddle")), "check", "--only", checks, sys.executable, "--", "-m", "pytest", *arguments]


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Optional[int]:
    checks = config.getoption("heddle_check")
    if not checks or os.environ.get(_FOLDER):
        return None
    try:
        command = _command(checks, [str(one) for one in config.invocation_params.args])
    except HeddleError as error:
        raise pytest.UsageError(f"--heddle-check: {error}") from error
    sys.stdout.flush()
    sys.stderr.flush()
    return subprocess.call(command, cwd=config.invocation_params.dir)


def pytest_configure(config: pytest.Config) -> None:
    checks = config.getoption("heddle_check")
    if checks and os.environ.get(_FOLDER):
        config.pluginmanager.register(_Findings(pathlib.Path(os.environ[_FOLDER]), checks.split(",")), "heddle-findings")


def _loaded(name: str) -> Optional[ctypes.CDLL]:
    """A library, if this process has it already."""
    try:
        return ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None


def _places(places: List[Dict[str, Any]]) -> str:
    return ", called from ".join(
        f"{one['function']} at {one['file']}:{one['line']}" if one["line"] else one["function"] for one in places
    )


def _text(finding: Dict[str, Any]) -> str:
    lines = [f"{finding['title']}: {finding['what']}"]
    if finding["places"]:
        lines.append(f"  at {_places(finding['places'][:1])}")
    if "kernel" in finding:
        lines.append(f"  kernel {finding['kernel']}: block {finding['block']}, thread {finding['thread']}")
    if finding.get("launched"):
        lines.append(f"  launched in {_places(finding['launched'])}")
    lines += [f"  {finding[part]}" for part in ("object", "freed", "why") if part in finding]
    if finding["again"]:
        lines.append("  (this place was wrong in an earlier test, too, which is where this launch and thread are from)")
    return "\n".join(lines)


class _Findings:
    """What the checked process has found, by tests."""

    def __init__(self, folder: pathlib.Path, checks: List[str]) -> None:
        self.folder = folder
        self.checks = checks
        self.counts: Dict[_Key, int] = {}

    def _write(self) -> None:
        """This process's findings become a file, with those of work that is under way."""
        core, driver = _loaded("libheddle_core.so.0"), _loaded("libcuda.so.1")
        if core is None:
            return
        if driver is not None:
            driver.cuCtxSynchronize()  # without a context there is no work either
        core.__getattr__("__heddleWriteFindings")()

    def _all(self) -> List[Dict[str, Any]]:
        # A worker of pytest-xdist has tests of its own; otherwise a test's children are the test's, too.
        own = "PYTEST_XDIST_WORKER" in os.environ
        files = [self.folder / f"{os.getpid()}.json"] if own else sorted(self.folder.glob("*.json"))
        found: List[Dict[str, Any]] = []
        for file in files:
            try:
                found += json.loads(file.read_text(encoding="utf-8", errors="replace"))["findings"]
            except FileNotFoundError:  # it has found nothing
                continue
        return [finding for finding in found if finding["check"] in self.checks]

    def news(self) -> List[Dict[str, Any]]:
        """Since the last call: a place that is known and was wrong again is news, too."""
        self._write()
        counts: Dict[_Key, int] = {}
        fresh: Dict[_Key, Dict[str, Any]] = {}
        for finding in self._all():
            key = (finding["kind"], finding.get("kernel", ""), finding.get("access", ""), json.dumps(finding["places"]))
            key = key if finding["places"] else (*key, finding["what"])
            counts[key] = counts.get(key, 0) + finding["count"]
            if counts[key] > self.counts.get(key, 0):
                known = key in self.counts
                fresh.setdefault(key, {**finding, "again": known})
        self.counts = counts
        return list(fresh.values())

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        self.news()  # what happened between tests is none's; heddle check tells it at the end
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Generator[None, Any, None]:
        outcome = yield
        found = [_text(finding) for finding in self.news()]
        if not found:
            return
        report: pytest.TestReport = outcome.get_result()
        if report.failed:  # its own reason comes first
            report.sections.append(("heddle check", "\n".join(found)))
        else:
            report.outcome = "failed"
            report.longrepr = "heddle check: " + "\nheddle check: ".join(found)
