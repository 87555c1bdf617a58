# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A CUDA source as text: where its device functions are, and where calls, statements and subscripts begin and end.

It knows comments, strings and brackets, which is enough for programs that are written as ours are. What it does not
understand it leaves out, so that a mutant is missing, never wrong.
"""

import dataclasses
import re

CLOSING = {"(": ")", "[": "]", "{": "}"}


def mask(text):
    """The text with comments, strings and preprocessor lines blanked; each character stays at its place."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


@dataclasses.dataclass
class Function:
    """A __global__ or __device__ function: its parameters' names and the extent of its body, braces included."""
    name: str
    begin: int
    end: int
    parameters: tuple
    is_kernel: bool


class Source:
    def __init__(self, text):
        self.text = text
        self.code = mask(text)
        self.functions = list(self._functions())

    def line_of(self, place):
        return self.text.count("\n", 0, place) + 1

    def line(self, number):
        return self.text.splitlines()[number - 1]

    def close(self, place):
        """The index of the bracket that closes the one at `place`; -1 if there is none."""
        opening, depth = self.code[place], 0
        closing = CLOSING[opening]
        for i in range(place, len(self.code)):
            if self.code[i] == opening:
                depth += 1
            elif self.code[i] == closing:
                depth -= 1
                if depth == 0:
                    return i
        return -1

    def _functions(self):
        for match in re.finditer(r"\b__(global|device)__\b", self.code):
            stop = re.compile(r"[;{=]").search(self.code, match.end())
            if not stop or stop.group() != "{":
                continue
            head = self.code[match.start():stop.start()]
            names = re.findall(r"(\w+)\s*\(", head)
            names = [n for n in names if n not in ("__launch_bounds__", "decltype", "noexcept", "alignas")]
            end = self.close(stop.start())
            if not names or end < 0:
                continue
            inner = head[head.index(names[0]):]
            inner = inner[inner.index("(") + 1:]
            yield Function(names[0], stop.start(), end + 1, tuple(re.findall(r"(\w+)\s*(?:,|\)|$|=|\[)", inner)),
                           match.group(1) == "global")

    def function_at(self, place):
        for function in self.functions:
            if function.begin <= place < function.end:
                return function
        return None

    def calls(self, pattern):
        """(begin, end, name, arguments) of each call whose name matches; `end` is behind the closing bracket."""
        for match in re.finditer(rf"(?<![\w.>])((?:cg::)?(?:{pattern}))\s*\(", self.code):
            opening = match.end() - 1
            closing = self.close(opening)
            if closing > 0:
                yield match.start(), closing + 1, match.group(1), self.split(opening + 1, closing)

    def split(self, begin, end):
        """The pieces between commas at the outermost level, as text."""
        pieces, depth, start = [], 0, begin
        for i in range(begin, end):
            letter = self.code[i]
            depth += (letter in "([{") - (letter in ")]}")
            if letter == "," and depth == 0:
                pieces.append(self.text[start:i].strip())
                start = i + 1
        pieces.append(self.text[start:end].strip())
        return [piece for piece in pieces if piece]

    def statement(self, begin, end):
        """The extent of the statement that an expression is all of, with CHECK_CUDA around it; or None."""
        before = self.code[:begin].rstrip()
        if before.endswith("CHECK_CUDA("):
            begin = len(before) - len("CHECK_CUDA(")
            end = self.code.index(")", end) + 1
            before = self.code[:begin].rstrip()
        after = re.compile(r"\s*;").match(self.code, end)
        if after and (not before or before[-1] in ";{})" or before.endswith("else") or before.endswith("do")):
            return begin, after.end()
        return None

    def edited(self, edits):
        """The text with (begin, end, replacement) applied; lines keep their numbers."""
        text = self.text
        for begin, end, replacement in sorted(edits, reverse=True):
            lines = text.count("\n", begin, end) - replacement.count("\n")
            text = text[:begin] + replacement + "\n" * lines + text[end:]
        return text
