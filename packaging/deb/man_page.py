#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a man page made of what a program says about itself: man_page.py VERSION SUMMARY PROGRAM [COMMAND...].

The text of PROGRAM --help is the description, that of PROGRAM COMMAND --help a section of its own."""
import pathlib
import subprocess
import sys


def help_of(*command):
    return subprocess.run([*command, "--help"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def as_it_is(text):
    """Text for man that keeps its lines. What begins with a dot or a quote would be an instruction."""
    lines = [line.rstrip().replace("\\", "\\e").replace("-", "\\-") for line in text.strip("\n").splitlines()]
    return "\n".join([".nf", *("\\&" + line if line[:1] in (".", "'") else line for line in lines), ".fi"])


def main(version, summary, program, *commands):
    name = pathlib.Path(program).name
    print(f'.TH {name.upper()} 1 "" "Heddle {version}" "User Commands"')
    print(f".SH NAME\n{name} \\- {summary}")
    print(".SH DESCRIPTION\n" + as_it_is(help_of(program)))
    for command in commands:
        print(f".SH {name.upper()} {command.upper()}\n" + as_it_is(help_of(program, command)))
    other = "heddlecc" if name == "heddle" else "heddle"
    print(f".SH SEE ALSO\n.BR {other} (1),\nthe guides in /usr/share/doc/heddle.")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
