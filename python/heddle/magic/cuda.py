# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The magics. Each hands a cell's text to heddle run, check or profile, which build and run it."""

import json
import pathlib
from typing import List

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import publish_display_data

from .. import _tree
from .._errors import CellFailed
from . import findings, page, process
from .options import CellOptions, file_name, parse, words_of
from .scratch import PathFilter, Scratch


def _publish(html: str, text: str) -> None:
    publish_display_data({"text/html": html, "text/plain": text})  # type: ignore[no-untyped-call]


@magics_class
class CudaMagics(Magics):
    """%%cuda and %%cuda_file."""

    _scratch = Scratch()  # one for all, also after %reload_ext

    @cell_magic
    def cuda(self, line: str, cell: str) -> None:
        """Compiles the cell as CUDA C++ and runs it.

            %%cuda [options] [-- arguments]           runs it
            %%cuda check [options] [-- arguments]     … and shows wrong accesses, races and misused barriers
            %%cuda profile [options] [-- arguments]   … and shows what a GPU would do, line by line

        Options are nvcc's (-O3 -arch=sm_80 -lcublas …), with other files to compile (sum.cu), and those of heddle
        check and heddle profile. --name FILE is what the cell is called in messages (cell.cu), and keeps it.
        Line numbers are those of the cell. {name} stands for a Python variable.
        """
        self._cell("%%cuda", line, cell)

    @cell_magic
    def cu(self, line: str, cell: str) -> None:
        """Another name of %%cuda."""
        self._cell("%%cu", line, cell)

    @cell_magic
    def cuda_file(self, line: str, cell: str) -> None:
        """Keeps the cell as a file for later %%cuda cells, which may #include it or name it to be compiled as well.

        %%cuda_file NAME
        """
        words = words_of(line)
        name = file_name(words[0] if len(words) == 1 else line)
        self._scratch.write(name, f"%%cuda_file {line}", cell)
        use = f'#include "{name}"' if pathlib.Path(name).suffix in (".cuh", ".h", ".hh", ".hpp", ".inl") else name
        print(f"{name} is there for %%cuda cells: {use if use != name else '%%cuda ' + name}")

    def _cell(self, magic: str, line: str, cell: str) -> None:
        options = parse(line)
        file = self._scratch.write(options.name, f"{magic} {line}", cell)
        action = {"run": self._run, "check": self._check, "profile": self._profile}[options.mode]
        action(options, file)

    def _heddle(self, mode: str, words: List[str], options: CellOptions, file: pathlib.Path) -> int:
        command = [str(_tree.program("heddle")), mode, *words, str(file), *self._scratch.resolve(options.words)]
        # Files beside the notebook can be included, too.
        command += ["-I.", "--", *options.arguments]
        errors = PathFilter(self._scratch)
        # On a terminal, the other two show how far they are, line over line.
        colours = mode == "run"
        try:
            return process.run(command, process.to_stdout, lambda text: process.to_stderr(errors.feed(text)), colours)
        except OSError as error:
            raise CellFailed(f"cannot run {command[0]}: {error.strerror}") from None
        finally:
            process.to_stderr(errors.rest())

    def _run(self, options: CellOptions, file: pathlib.Path) -> None:
        self._expect_success(self._heddle("run", [], options, file))

    def _check(self, options: CellOptions, file: pathlib.Path) -> None:
        report, text = self._outputs("check.json", "check.txt")
        words = ["--json-file", str(report), "--report", str(text)]
        code = self._heddle("check", words, options, file)
        if not report.is_file():  # it has not come so far
            self._expect_success(code or 1)
            return
        found = json.loads(report.read_text(encoding="utf-8", errors="replace"))
        _publish(findings.html(found, self._scratch), self._scratch.shown(text.read_text(errors="replace")))

    def _profile(self, options: CellOptions, file: pathlib.Path) -> None:
        report, text = self._outputs("profile.html", "profile.txt")
        code = self._heddle("profile", ["--html", str(report), "--report", str(text)], options, file)
        if report.is_file():
            shown = [self._scratch.shown(path.read_text(encoding="utf-8", errors="replace")) for path in (report, text)]
            _publish(page.iframe(shown[0]), shown[1])
        self._expect_success(code)

    def _outputs(self, *names: str) -> List[pathlib.Path]:
        """Files for reports, of which none is there."""
        paths = [self._scratch.folder / name for name in names]
        for path in paths:
            if path.exists():
                path.unlink()
        return paths

    @staticmethod
    def _expect_success(code: int) -> None:
        # An error, so that what runs all cells stops here; the tag raises-exception lets it go on.
        if code != 0:
            raise CellFailed(f"exit code {code}" if code > 0 else f"ended by signal {-code}")
