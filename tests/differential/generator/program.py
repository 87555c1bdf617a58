# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and a main() that runs them as one .cu file; differential.h is the rest of the program."""

PER_FILE = 100  # kernels that are compiled together, and with the same options
OPTIONS = ("", "", "", "-use_fast_math", "", "-G", "-fmad=false", "", "", "-O0")


def options_of(seed, index):
    """Compiler options for the file that has this kernel: others in each file and for each seed."""
    found = OPTIONS[(seed + index // PER_FILE) % len(OPTIONS)]
    return [found] if found else []


def render_program(kernels, comment="", apart=False):
    """apart: the kernels are variants of one; each goes into a namespace of its own, v0, v1 …, and
    goes by that name in what the program prints."""
    parts = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]
    parts += ["// " + line if line else "//" for line in comment.split("\n") if comment]
    parts.append('#include "differential.h"\n')
    entries = []
    for number, kernel in enumerate(kernels):
        text = [kernel.render(), "", kernel.launch(), ""]
        parts += [f"namespace v{number} {{", *text, "}"] if apart else text
        entries.append(f'    {{"v{number}", v{number}::launch_{kernel.name}}},' if apart
                       else f'    {{"{kernel.name}", launch_{kernel.name}}},')
    parts += ["static const Entry entries[] = {", *entries, "};\n"]
    parts.append("int main(int argc, char **argv) {\n"
                 "  return runEntries(entries, sizeof entries / sizeof *entries, argc, argv);\n}")
    return "\n".join(parts) + "\n"
