# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of this folder, one thing each, and what a compiler says of them.

Each file of programs/ holds many, one after another. A line `//--- name options` begins one; the
options are nvcc's.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class Part:
    group: str
    name: str
    options: tuple
    source: str

    @property
    def key(self):
        return f"{self.group}/{self.name}"


def all_parts():
    parts = []
    for file in sorted(PROGRAMS.glob("*.cu")):
        chunks = re.split(r"^//--- (.*)\n", file.read_text(), flags=re.M)
        for head, body in zip(chunks[1::2], chunks[2::2]):
            name, *options = head.split()
            parts.append(Part(file.stem, name, tuple(options), body))
    names = [part.key for part in parts]
    assert len(names) == len(set(names)), "two programs of one name"
    return parts


@dataclass(frozen=True)
class Message:
    kind: str  # error, warning, fatal
    line: int  # in the program, 0 without one
    number: str  # "20091-D", or ""
    text: str

    def short(self):
        return [self.kind, self.line, self.number, self.text]


# nvcc's front end: `a.cu(3): error: …`, `a.cu(3): warning #20091-D: …`; the host compiler's and Heddle's:
# `a.cu:3:5: error: …`; the drivers': `nvcc fatal   : …`, `ptxas error   : …`, `ptxas a.ptx, line 7; error : …`.
FRONT_END = re.compile(r"^a\.cu\((\d+)\): (error|warning|catastrophic error)(?: #(\S+?))?: (.*)$")
HOST = re.compile(r"^a\.cu:(\d+):(?:\d+:)? (?:fatal )?(error|warning)(?: #(\S+?))?: (.*)$")
BACK_END = re.compile(r"^a\.cu\((\d+)\): (Error|Warning): (.*)$")  # nvcc's code generator
DRIVER = re.compile(r"^(?:nvcc|ptxas|nvlink|heddlecc|cudafe\+\+|cicc)\b.*?(error|warning|fatal)\s*: (.*)$")


def messages_of(output):
    found = []
    for line in output.splitlines():
        if match := FRONT_END.match(line):
            found.append(Message(match[2].split()[-1], int(match[1]), match[3] or "", match[4]))
        elif match := HOST.match(line):
            found.append(Message(match[2], int(match[1]), match[3] or "", match[4]))
        elif match := BACK_END.match(line):
            found.append(Message(match[2].lower(), int(match[1]), "", match[3]))
        elif match := DRIVER.match(line):
            found.append(Message(match[1], 0, "", match[2]))
    return list(dict.fromkeys(found))


def compile_part(part, compiler, folder, environment=None):
    """Exit code and messages of `compiler` for one program, compiled to an object."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.cu").write_text(part.source)
    command = [*compiler, *part.options, "a.cu", "-o", "a.o"]
    if "-ptx" not in part.options:
        command.insert(len(compiler), "-c")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                          timeout=300, env=environment)
    return done.returncode, messages_of(done.stdout + done.stderr), done.stdout + done.stderr
