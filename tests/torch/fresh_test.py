#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an empty virtual environment to the output of a kernel of Triton's, by the commands of docs/python.md, word by
word.

HEDDLE_WHEELS is a folder with the packages' wheels (pip download), or "pypi": pip asks PyPI, and takes what its cache
has, as after ./dev test --python has made .cache/torch. Skipped without it, for PyTorch's wheel has 900 MB.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import environment

EXAMPLE = environment.SOURCE / "examples" / "15-python-triton"
OUT_OF_REACH = ("Failed to establish a new connection", "name resolution", "Read timed out", "Max retries exceeded")


def skip(why):
    print("skipped:", why)
    sys.exit(environment.SKIPPED)


def commands():
    """Those of the section PyTorch."""
    lines = (environment.SOURCE / "docs" / "python.md").read_text(encoding="utf-8").split("\n## PyTorch\n")[1].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    "))
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("    "))
    return [line.strip() for line in lines[first:last]]


def settings(folder):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("CUDA", "HEDDLE_", "LD_", "PYTHON", "TRITON", "VIRTUAL_ENV"))}
    env.update(PATH=os.pathsep.join([str(folder / "env" / "bin"), str(environment.BUILD / "bin"), env["PATH"]]),
               TRITON_CACHE_DIR=str(folder / "triton"), PIP_DISABLE_PIP_VERSION_CHECK="1", PYTHONDONTWRITEBYTECODE="1")
    wheels = os.environ["HEDDLE_WHEELS"]
    if wheels != "pypi":
        env.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels)
    return env


def main():
    if not os.environ.get("HEDDLE_WHEELS"):
        skip("HEDDLE_WHEELS is not set; ./dev test --python sets it")
    told = commands()
    assert len(told) <= 3 and told[0].startswith("pip install ") and told[-1].startswith("python3 "), told
    with tempfile.TemporaryDirectory(prefix="heddle-fresh-") as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
        done = subprocess.run(["sh", "-ec", "\n".join(["exec 3>&1 1>&2", *told[:-1], "exec 1>&3", told[-1]])], cwd=environment.SOURCE,
                              env=settings(folder), capture_output=True, text=True, check=False, timeout=1700)
    if done.returncode != 0 and any(text in done.stderr for text in OUT_OF_REACH):
        skip("PyPI is out of reach")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (EXAMPLE / "expected.txt").read_text(encoding="utf-8"), done.stdout + done.stderr
    print(*told, done.stdout, sep="\n")


if __name__ == "__main__":
    main()
