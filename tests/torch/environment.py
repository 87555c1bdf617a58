# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: they go on in an environment with PyTorch, as after eval "$(heddle env)".

HEDDLE_BUILD names the build folder, HEDDLE_SOURCE the repository, HEDDLE_TORCH an environment with the packages of
requirements.txt (default: .cache/torch, which ./dev test --python makes).
"""

import json
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("HEDDLE_SOURCE", pathlib.Path(__file__).resolve().parents[2])).resolve()
BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", SOURCE / "build")).resolve()
ENVIRONMENT = pathlib.Path(os.environ.get("HEDDLE_TORCH", SOURCE / ".cache" / "torch"))
SKIPPED = 77  # CTest's word for it


def enter():
    """Goes on in that Python; ends the test as skipped if there is none. Call it before torch is imported."""
    python = ENVIRONMENT / "bin" / "python3"
    if not python.exists():
        print(f"skipped: {ENVIRONMENT} is not there; ./dev test --python makes it from PyPI")
        sys.exit(SKIPPED)
    if os.environ.get("HEDDLE_TORCH_ENTERED"):
        return
    env = dict(os.environ, HEDDLE_TORCH_ENTERED="1")
    env.pop("HEDDLE_HOME", None)
    answer = json.loads(subprocess.run([BUILD / "bin" / "heddle", "env", "--json"], capture_output=True, check=True).stdout)
    env.update(answer["set"])
    for name, folder in answer["before"].items():
        env[name] = os.pathsep.join([folder, *filter(None, [env.get(name, "")])])
    env["PATH"] = os.pathsep.join([str(ENVIRONMENT / "bin"), env["PATH"]])
    os.execve(python, [str(python), *sys.argv], env)
