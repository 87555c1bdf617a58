#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a reader of a guide does, and compares what happens with what the guide says.

The guide is Markdown. Three kinds of fenced blocks count:

    ```cuda file=hello.cu        the block's text becomes that file (any language; the file may be
    ...                          replaced by a later block)

    ```console                   lines that begin with "$ " are commands; the lines below each are
    $ heddle run hello.cu        its output, as a terminal shows it. "..." stands for any text in a
    Hello                        line; a line that is only "..." for any lines. After a gdb command,
                                 lines that begin with "(gdb) " are typed into it.

    ```yaml ci=github            a CI configuration, whose shell steps are run (ci_steps.py)

All commands must succeed, or end with the code that ```console exit=1 gives for the last of them.
They run in one temporary folder, which is also $HOME. Commands with gdb are left out, and said to
be, where gdb is missing or not allowed to start programs.
"""
import argparse
import difflib
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import threading

import ci_steps

FENCE = re.compile(r"^```(\w+)((?: +\w+=\S+)*) *$")
SECONDS_PER_COMMAND = 120


class Block:
    def __init__(self, line, language, attributes):
        self.line = line  # of the fence in the guide, from 1
        self.language = language
        self.attributes = attributes
        self.text = []


class Command:
    def __init__(self, line, text, exit_code=0):
        self.line, self.text, self.exit_code = line, text, exit_code
        self.typed, self.expected = [], []


def blocks(guide):
    """The fenced blocks that have a language."""
    current = None
    for number, line in enumerate(guide.splitlines(), 1):
        if current is not None:
            if line == "```":
                yield current
                current = None
            else:
                current.text.append(line)
        elif line.startswith("```"):
            match = FENCE.match(line)
            if not match:
                raise SystemExit(f"line {number}: cannot understand the fence {line!r}")
            attributes = dict(word.split("=", 1) for word in match.group(2).split())
            current = Block(number, match.group(1), attributes)
    if current is not None:
        raise SystemExit(f"line {current.line}: the block never ends")


def commands(block):
    found = []
    for number, line in enumerate(block.text, block.line + 1):
        if line.startswith("$ "):
            found.append(Command(number, line[2:]))
        elif not found:
            raise SystemExit(f"line {number}: output without a command")
        elif line.startswith("(gdb) ") and found[-1].text.startswith("gdb "):
            found[-1].typed.append(line[len("(gdb) "):])
            # gdb, not at a terminal, shows its prompt but not what it reads.
            found[-1].expected.append(None)
        else:
            found[-1].expected.append(line)
    if not found:
        raise SystemExit(f"line {block.line}: a console block without a command")
    found[-1].exit_code = int(block.attributes.get("exit", 0))
    return found


def run(command, folder, environment):
    """Runs a command with its output at a terminal, so that lines come in the reader's order."""
    terminal, program_side = pty.openpty()
    fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    process = subprocess.Popen(["bash", "-c", command.text], cwd=folder, env=environment,
                               stdin=subprocess.PIPE, stdout=program_side, stderr=program_side,
                               start_new_session=True)
    os.close(program_side)
    output = bytearray()

    def collect():
        try:
            while data := os.read(terminal, 65536):
                output.extend(data)
        except OSError:  # Linux's way to say that the other side is closed
            pass

    reader = threading.Thread(target=collect)
    reader.start()
    try:
        process.communicate("".join(line + "\n" for line in command.typed).encode(),
                            timeout=SECONDS_PER_COMMAND)
    except subprocess.TimeoutExpired:
        process.kill()
        output.extend(f"\n(no end after {SECONDS_PER_COMMAND} seconds)\n".encode())
    reader.join(10)
    os.close(terminal)
    return process.returncode, output.decode(errors="replace").replace("\r\n", "\n")


def pattern(line):
    return re.compile(".*".join(re.escape(part) for part in line.split("...")))


def matches(expected, actual):
    """Whether the actual lines are the expected ones, "..." being anything."""
    reachable = {0}  # how many actual lines the expected ones so far may have used up
    for line in expected:
        if line == "...":
            reachable = set(range(min(reachable), len(actual) + 1)) if reachable else set()
        else:
            regex = pattern(line)
            reachable = {i + 1 for i in reachable if i < len(actual) and regex.fullmatch(actual[i])}
    return len(actual) in reachable


def expected_lines(command):
    """The guide's lines, with gdb's prompts where gdb puts them."""
    if not command.typed:
        return command.expected
    lines, prompt = [], ""
    for line in command.expected:
        if line is None:
            prompt += "(gdb) "
        elif line == "..." and prompt:
            # Whatever comes may begin on the prompt's line.
            lines += [prompt + "...", "..."]
            prompt = ""
        else:
            lines.append(prompt + line)
            prompt = ""
    return lines + [prompt + "(gdb) "]


def strip_end(lines):
    """Ends of lines and of the output do not matter: neither can be seen."""
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def gdb_works():
    try:
        trial = subprocess.run(["gdb", "-q", "-batch", "-ex", "run", "/bin/true"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "exited normally" in trial.stdout


def check(command, folder, environment):
    """Returns what is wrong, or nothing."""
    code, output = run(command, folder, environment)
    expected = strip_end(expected_lines(command))
    actual = strip_end(output.splitlines())
    if code != command.exit_code:
        return f"exit code {code} instead of {command.exit_code}; its output:\n" + output
    if not matches(expected, actual):
        difference = difflib.unified_diff(expected, actual, "in the guide", "in fact", lineterm="")
        return "another output:\n" + "\n".join(difference)
    return ""


def run_ci_block(block, folder, environment):
    """Runs the shell steps; how many were run, left out, and have failed."""
    run_steps = left_out = 0
    for one in ci_steps.steps(block.attributes["ci"], "\n".join(block.text) + "\n", folder):
        if one.left_out:
            print(f"line {block.line}: LEFT OUT, {one.left_out}: {one.text}")
            left_out += 1
            continue
        code, output = run(Command(block.line, one.text), folder, environment | one.environment)
        run_steps += 1
        if code != 0:
            print(f"line {block.line}: exit code {code} of the step\n{one.text}\n{output}")
            return run_steps, left_out, 1
    return run_steps, left_out, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where heddlecc is")
    parser.add_argument("--keep-going", action="store_true", help="after a difference")
    parser.add_argument("guide", type=pathlib.Path)
    options = parser.parse_args()

    failures = checked = left_out = 0
    debugger = gdb_works()
    with tempfile.TemporaryDirectory(prefix="heddle-guide-") as folder:
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("HEDDLE_", "CUDA_", "XDG_"))}
        environment |= {"PATH": f"{options.bin.resolve()}:{os.environ['PATH']}", "HOME": folder,
                        "TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        for block in blocks(options.guide.read_text(encoding="utf-8")):
            if "file" in block.attributes:
                path = pathlib.Path(folder, block.attributes["file"])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(block.text) + "\n", encoding="utf-8")
                continue
            if "ci" in block.attributes:
                run, skipped, wrong = run_ci_block(block, folder, environment)
                checked, left_out, failures = checked + run, left_out + skipped, failures + wrong
                if wrong and not options.keep_going:
                    return 1
                continue
            if block.language != "console":
                raise SystemExit(f"line {block.line}: neither a file nor a console block")
            for command in commands(block):
                if command.text.startswith("gdb ") and not debugger:
                    print(f"line {command.line}: LEFT OUT, gdb cannot run programs here")
                    left_out += 1
                    continue
                wrong = check(command, folder, environment)
                checked += 1
                if wrong:
                    failures += 1
                    print(f"{options.guide}:{command.line}: $ {command.text}\n{wrong}\n")
                    if not options.keep_going:
                        return 1
    if checked == 0:
        print("the guide has no commands")
        return 1
    print(f"{checked} commands, {failures} not as the guide says, {left_out} left out")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
