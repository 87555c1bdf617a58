# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random indices into the kernel's input: what grows from thread to thread, and what nearly does."""

from .tree import INTEGERS, Expr

INPUT_ELEMENTS = 8192  # of 64 bits in the integer input, and of f64 and f32; differential.h has more
HIGHEST_COLUMN, HIGHEST_ROW, HIGHEST_PITCH = 1023, 127, 48  # of Scope.plane and of p4


class Indices:
    def index(self, scope, limit):
        """An index below limit, a power of two: affine in the thread's number, or anything."""
        large = scope.buffers and limit >= INPUT_ELEMENTS
        if large and scope.places:
            return self.place_index(scope)
        if large and scope.regular:
            return self.regular_index(scope)
        kind = self.rng.randrange(15)
        if scope.buffers and limit >= 2048 and kind <= 3:
            return self.straight_index(large)
        if kind == 4 and scope.buffers:
            return Expr("index", f"{{0}} & {limit - 1}", self.uniform(scope, 1))
        if kind == 5 and scope.buffers and scope.readable:
            text, source, _ = self.rng.choice(scope.readable)
            return Expr("index", f"(u32({text}) + gid) & {limit - 1}" if source in INTEGERS
                        else f"gid & {limit - 1}", constant=False)
        if kind == 6 and scope.buffers and limit >= 2048:
            return self.bordered_index()
        if kind in (7, 8, 9) and large:
            return (self.pitched_index, self.clamped_index, self.wrapping_index)[kind - 7](scope)
        if kind in (10, 11) and large:
            return self.round_index() if kind == 10 else self.divided_index()
        return Expr("index", f"{{0}} & {limit - 1}",
                    self.integer("u32", scope, 1) if self.rng.random() < 0.3
                    else self.varying_leaf("u32", scope))

    def regular_index(self, scope):
        """Neighbours, as a rule."""
        return self.pick((
            (4, lambda: self.straight_index(True, False)), (2, self.bordered_index),
            (3, lambda: self.pitched_index(scope)), (3, lambda: self.clamped_index(scope)),
            (2, lambda: self.shared_index(scope)), (0.5, lambda: self.wrapping_index(scope)),
            (3, lambda: self.wrapping_index(scope, self.row_number(scope))),
            (0.3, self.round_index), (2, self.divided_index)))()

    def straight_index(self, large, mixed=True):
        step, offset = self.rng.choice((2, 3, 4)), self.rng.randrange(64)
        texts = [f"gid + {offset}", f"gid + {offset}", f"{1023 + offset} - gid"]
        texts += [f"gid * {step} + {offset}"] * large + [f"tid ^ {offset}"] * mixed
        return Expr("index", self.rng.choice(texts), constant=False)

    def bordered_index(self):
        """A neighbour's, as long as there is one: what most gangs choose alike."""
        step, border, offset = self.rng.choice((1, 2, 16)), self.rng.randrange(1, 400), \
            self.rng.randrange(64)
        return Expr("index", self.rng.choice((
            f"min(gid + {step}, {border}u)", f"max(int(gid) - {step}, {offset})",
            f"(gid < {border} ? gid + {step} : {offset})",
            f"(gid >= {border} ? {offset} : gid + {step})",
            f"min(gid - {offset}u, {border}u)", f"min(gid + p5, {border}u)",
            f"(tid >= {offset} ? gid - {offset} : gid + {step})")), constant=False)

    def pitch(self):
        return self.rng.choice(("p4", "p4", "(p1 & 31)", str(self.rng.randint(1, HIGHEST_PITCH))))

    def pitched_index(self, scope):
        """Of an element of a table, whose rows are the threads' rows."""
        column, row = scope.plane
        column = "laneRegister()" if self.rng.random() < 0.3 else column
        kind, offset = self.rng.choice(("int", "int", "u32", "u64")), self.rng.randrange(64)
        return Expr("index", self.rng.choice((
            f"{kind}({row}) * {kind}({self.pitch()}) + {kind}({column}) + {offset}",
            f"({kind}({row}) + {offset}) * {self.rng.randint(1, 16)} + {kind}({column})",
            f"{kind}({row}) * {kind}({self.pitch()})")), constant=False)

    def clamped_index(self, scope):
        """Of a neighbour in a table with borders: the nearest there is, or the one on the other side."""
        def clamped(place, highest):
            distance, border = self.rng.choice((1, 1, 2, 5)), self.rng.randint(1, highest)
            return self.rng.choice((
                f"min(int({place}) + {distance}, {border})", f"max(int({place}) - {distance}, 0)",
                f"min(max(int({place}) - {distance}, 0), {border})",
                f"(int({place}) > 0 ? int({place}) - 1 : {border})",
                f"(int({place}) < {border} ? int({place}) + 1 : 0)", f"int({place})"))
        column, row = scope.plane
        return Expr("index", f"{clamped(row, HIGHEST_ROW // 2)} * {self.pitch()} + "
                             f"{clamped(column, 60)}", constant=False)

    def shared_index(self, scope):
        """That of another row, or one that all threads of the block share."""
        column, _ = scope.plane
        text = self.rng.choice((f"({{0}} & {INPUT_ELEMENTS - 1})", f"({{0}} & 63) * 64 + {column}",
                                f"({{0}} & 4095) + gid"))
        return Expr("index", text, self.uniform(scope, 1), constant=False)

    def wrapping(self, scope, base=None):
        """A number that grows from thread to thread, or from row to row, and may wrap in its type;
        p5 and p6 are near the highest numbers."""
        column, row = scope.plane
        step = self.rng.choice((1, 1, 2, 3, 17))
        base = base or self.rng.choice((
            "gid", "tid", f"gid * {step}", self.row_number(scope),
            f"{row} * {self.rng.choice(('17u', '0x10000000u'))} + {column}",
            f"{row} * 0x{self.rng.getrandbits(32):x}u + {column} * {step}",
            f"{row} * u32(p4) + {column}"))
        kind = self.rng.choice(("u32", "u32", "i32", "i32", "i32", "u16", "i16", "u8", "i8"))
        operand = self.rng.choice((f"+ {'p6' if kind == 'i32' else 'p5'}", f"- {self.rng.randrange(400)}u",
                                   f"+ {self.rng.randrange(70000)}u"))
        return f"{kind}({base} {operand})"

    def row_number(self, scope):
        """Alike in all threads of a row."""
        _, row = scope.plane
        step = self.rng.choice((1 << 30, 3 << 30, 0)) + self.rng.getrandbits(30)
        return self.rng.choice((f"{row} * 0x{step:x}u",) * 3 + (
            f"{row} * u32(p4)", f"({row} ^ {self.rng.randrange(64)}) * 0x30000001u"))

    def wrapping_index(self, scope, base=None):
        """Of 64 bits, so that it matters whether the number has wrapped."""
        text, factor = f"u64({self.wrapping(scope, base)})", self.rng.randrange(3, 99, 2)
        text = self.rng.choice((text, f"({text} * {factor})", f"({text} * {factor} >> 3)",
                                f"(u64(gid) - {text})"))
        return Expr("index", f"{text} % {INPUT_ELEMENTS - 1}u", constant=False)

    def divided_index(self):
        """Of a table whose elements are the threads, row by row: where a row ends has little to do with
        where a warp does."""
        width = self.rng.choice((3, 5, 14, 28, 30, 33, 62, 64, 100, 224))
        pitch, rows = width + self.rng.randrange(5), self.rng.randint(1, 30)
        divisor = self.rng.choice((str(width), str(width), f"max(p4, {width})"))
        number = self.rng.choice(("int(gid)",) * 4 + ("gid", f"int(gid + {self.rng.randrange(300)})"))
        texts = [f"{number} / {divisor} % {rows} * {pitch} + {number} % {divisor}"] * 3
        texts += [f"{number} % {divisor} + {self.rng.randrange(64)}",
                  f"({number} / {divisor} & 4095)", f"({self.pattern(number)} & 4095)"]
        return Expr("index", self.rng.choice(texts), constant=False)

    def pattern(self, number):
        """Neighbours in another order, or several times: warps mostly begin where a group of them does."""
        power = self.rng.choice((2, 4, 8))
        return self.rng.choice((
            f"{number} / {power}", f"({number} + {self.rng.randrange(1, 4)}) / {power}", f"({number} ^ {power - 1})",
            f"({number} & ~{power - 1})", f"{number} / {power} * {power} + {power - 1} - {number} % {power}"))

    def round_index(self):
        """Neighbours in a table of 256 elements, in which the first comes after the last."""
        return Expr("index", f"128 + i8({self.rng.choice(('gid', 'tid', 'threadIdx.x'))} + "
                             f"{self.rng.randrange(256)})", constant=False)

    def guarded_load(self, kind, scope):
        """Where there is an element of that index."""
        index = f"{self.rng.choice(('u32', 'int'))}({self.wrapping(scope)})"
        return Expr(kind, f"(u32({index}) < {self.rng.choice((300, 2048, INPUT_ELEMENTS))}u ? "
                          f"in_{kind}[{index}] : {kind}(1))", constant=False)
