# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random trees of sums in shared memory, and other work between barriers that only some threads of a block
have: mostly the first ones.

In each round a thread changes one element, its own as a rule, and reads others' only if no thread changes those
in that round."""

from .tree import FLOATS, INTEGERS, Block, Expr, Group, Simple, arithmetic_type

BRACES = str.maketrans({"{": "{{", "}": "}}"})


def in_braces(lines):
    """The text of a Simple that has these lines in a block, with one expression."""
    text = "{\n" + "\n".join("  " + line for line in lines) + "\n}"
    return text.translate(BRACES).replace("{{0}}", "{0}")


class Trees:
    """Of Statements."""

    some_left = False  # threads have returned already, so their elements are not there

    def tree(self, scope):
        return self.x.pick(((1.5, self.tree_reduction), (5, self.halving_tree), (2, self.growing_tree),
                            (6, self.stages), (0 if self.some_left else 1, self.hand_round)))(scope)

    def known_threads(self, threads):
        """A condition of the thread's number alone."""
        power = 1 << self.rng.randrange(1, 10)
        a, b = (self.rng.randrange(self.rng.choice((threads + 1, 40))) for _ in range(2))
        return self.rng.choice((
            "tid < {a}", "tid >= {a}", "tid == {a}", "tid != {a}", "tid % {p} == 0", "(tid & {q}) == {b}",
            "tid % {c} == {d}", "(tid & {p}) != 0", "tid / 32 == {e}", "2 * tid < {a}", "tid % {p} < {c}",
            "(tid ^ {p}) > tid")).format(a=a, b=b & (power - 1), p=power, q=power - 1, c=a % 7 + 1,
                                         d=b % (a % 7 + 1), e=a // 32)

    def condition_of_round(self, threads, calm):
        known = self.known_threads(threads)
        if calm:
            return known
        other = self.rng.choice((None, None, None, None, "gid < p0", "x > v", "int(tid) < p1", "x == v"))
        if other and self.rng.random() < 0.5:
            return other
        return f"{known} && {other}" if other else known

    def place_of_round(self, threads, calm):
        """Where a thread finds or leaves an element, and when: another one for each thread."""
        power = 1 << self.rng.randrange(0, max(1, threads.bit_length() - 1))
        near = self.rng.choice((1, 1, 2, 3, power, self.rng.randrange(threads)))
        beside = (("tid", None), ("tid", None), (f"tid + {near}", f"tid + {near} < {threads}"),
                  (f"tid - {near}", f"tid >= {near}"))
        return self.rng.choice(beside if calm else beside + (
            (f"{threads - 1} - tid", None),
            (f"tid ^ {power}", f"(tid ^ {power}) < {threads}"),
            (f"2 * tid + {power & 1}", f"2 * tid + {power & 1} < {threads}"),
            (f"(tid + {near}) % {threads}", None)))

    def asked_place(self, threads, calm):
        """Such a place, behind `if (...) `, if something is asked."""
        place, within = self.place_of_round(threads, calm)
        condition = self.condition_of_round(threads, calm) if self.rng.random() < 0.6 else None
        asked = " && ".join(c for c in (within, condition) if c)
        return place, f"if ({asked}) " if asked else ""

    def shuffle_of_some(self, kind):
        """By lanes that are known, and are all of the mask; or by all, at two places."""
        count = self.rng.choice((2, 4, 8, 16))
        if self.rng.random() < 0.6:
            return f"if (tid < {count}) v = __shfl_xor_sync({(1 << count) - 1}u, v, {count // 2});"
        asked = self.rng.choice(("tid & 1", f"tid % 32 < {count}"))
        other = f"__shfl_xor_sync(0xffffffffu, v, {count // 2})"
        return f"if ({asked}) v = {other}; else v = {kind}({other} + {kind}(1));"

    def hand_round(self, scope):
        """The block's threads hand elements to each other, in an array of as many as there are threads: in
        each round all load, from places that follow from their numbers, before all store."""
        array = self.rng.choice(scope.owned)
        threads, kind = array.threads, array.type
        target = self.variable_of(kind, scope) or f"{array.name}[{array.own}]"
        if threads < 2:
            return None
        if threads % 32 == 0 and kind in FLOATS + INTEGERS and self.rng.random() < 0.2:
            return self.warp_round(threads, kind, target, scope)
        self.hands = getattr(self, "hands", 0) + 1
        name = f"hand{self.hands}"
        calm = self.rng.random() < 0.65  # all is known when the kernel is compiled
        work = kind if kind in FLOATS else arithmetic_type(kind)
        lines = [f"__shared__ {kind} {name}[{threads}];", f"{kind} x = {{0}}, v = {target};",
                 f"{name}[tid] = x;", "__syncthreads();"]
        for _ in range(self.rng.randint(1, 7)):
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                place, asked = self.asked_place(threads, calm)
                value = self.rng.choice(("{w}(v) + {w}({e})", "{w}(v) - {w}({e})", "{e}", "{w}({e}) * {w}(3)")
                                        ).format(w=work, e=f"{name}[{place}]")
                lines.append(f"{asked}v = {kind}({value});")
            lines.append("__syncthreads();")
            place, asked = self.asked_place(threads, calm)
            if threads % 32 == 0 and kind in ("i32", "u32", "f32") and self.rng.random() < 0.1:
                lines.insert(-1, self.shuffle_of_some(kind))
            value = self.rng.choice(("v", "v", "x"))
            lines.append(f"{asked}{name}[{place}] = {value};")
            lines.append("__syncthreads();")
        lines.append(f"{target} = {kind}({work}(v) + {work}({name}[tid]));")
        value = Expr(kind, f"{kind}(tid * {self.rng.randrange(1, 9)} + gid)", constant=False) if calm \
            else self.x.expression(kind, scope, 1)
        return Simple(in_braces(lines), value)

    def warp_round(self, threads, kind, target, scope):
        """A warp's threads do so without barriers: they are in step, as the memory is volatile."""
        self.hands = getattr(self, "hands", 0) + 1
        name = f"step{self.hands}"
        work = kind if kind in FLOATS else arithmetic_type(kind)
        lines = [f"__shared__ volatile {kind} {name}[{threads}];", f"{kind} v = {{0}};",
                 f"{name}[tid] = v;"]
        for _ in range(self.rng.randint(1, 6)):
            near, power = self.rng.randrange(1, 32), 1 << self.rng.randrange(5)
            place, within = self.rng.choice((
                ("tid", ""), (f"tid + {near}", f"if (tid % 32 + {near} < 32) "),
                (f"tid - {near}", f"if (tid % 32 >= {near}) "), (f"tid ^ {power}", ""),
                (f"tid ^ {power}", f"if (tid % 32 < {near}) "), (f"(tid & ~31u) + (tid + {near}) % 32", "")))
            change = self.rng.choice((
                "{a}v = {k}({w}(v) + {w}({n}[{p}]));", "{a}{n}[tid] = {k}({w}({n}[tid]) + {w}({n}[{p}]));",
                "{a}{n}[tid] = v = {k}({w}(v) - {w}({n}[{p}]));", "{a}{n}[{p}] = v;"))
            lines.append(change.format(a=within, k=kind, w=work, n=name, p=place))
        lines.append(f"{target} = {kind}({work}(v) + {work}({name}[tid]));")
        return Simple(in_braces(lines), self.x.expression(kind, scope, 1))

    def tree_reduction(self, scope):
        """Halves of a shared array are added until one element is left, whatever its size."""
        array = self.rng.choice(scope.owned)
        target = self.variable_of(array.type, scope)
        if not target:
            return None
        one, other, first = (f"{array.name}[{array.slot_of_any.format(f'({thread})')}]"
                             for thread in ("tid", "tid + half", "0u"))
        work = array.type if array.type in FLOATS else arithmetic_type(array.type)
        return Simple(f"{array.name}[{array.own}] = {{0}};\n__syncthreads();\n" + (
            f"for (u32 size = {array.threads}, half; size > 1; size = half) {{\n"
            f"  half = (size + 1) / 2;\n  if (tid + half < size)\n"
            f"    {one} = {array.type}({work}({one}) + {work}({other}));\n  __syncthreads();\n}}\n"
            f"{target} = {first};\n__syncthreads();").translate(BRACES),
                      self.x.expression(array.type, scope, 1))

    def extent(self, array):
        """A thread's number, of how many: in its row, or in the block."""
        in_row = self.rng.random() < (0.5 if array.row_threads == array.threads else 0.8)
        return ("threadIdx.x", array.row_threads) if in_row else ("tid", array.threads)

    def combined(self, array, one, other):
        kind = array.type
        work = kind if kind in FLOATS else arithmetic_type(kind)
        form = self.rng.choice(("{a} + {b}", "{a} + {b}", "{a} - {b}", "{a} * {w}(3) + {b}"))
        return f"{kind}({form.format(a=f'{work}({one})', b=f'{work}({other})', w=work)})"

    def round_of(self, array, condition, other, scope):
        """What threads do between two barriers: work that all have, a step that some have, work again."""
        own = f"{array.name}[{array.own}]"
        names = scope.variables.get(array.type)
        kept = self.rng.choice(names) if names else None
        lines = []
        if self.rng.random() < 0.15 and kept:
            lines.append(f"{kept} = {self.combined(array, kept, 's')};")
        before = self.rng.random() < 0.2
        if before:
            lines.append(f"const {array.type} mine = {own};")
        value = self.combined(array, "mine" if before else own, other)
        inner = [f"{own} = {value};"]
        if kept and self.rng.random() < 0.35:  # a value that lives on behind the barrier
            inner = [f"{kept} = {self.combined(array, kept, other)};", f"{own} = {kept};"]
        lines.append(f"if ({condition}) {{")
        lines += ["  " + line for line in inner] + ["}"]
        if kept and self.rng.random() < 0.15:
            lines[-1] = f"}} else {{\n  {kept} = {self.combined(array, kept, own)};\n}}"
        if kept and self.rng.random() < 0.15:
            lines.append(f"{kept} = {self.combined(array, kept, own)};")
        return lines

    def rounds(self, array, head, lines, scope):
        unroll = self.rng.choice(("", "#pragma unroll\n", "#pragma unroll\n", "#pragma unroll\n",
                                  "#pragma unroll 1\n"))
        body = "\n".join("  " + part for line in lines for part in line.split("\n"))
        target = self.variable_of(array.type, scope)
        result = f"{unroll}{head} {{\n{body}\n  __syncthreads();\n}}\n"
        if target:
            first = array.slot.format(self.rng.choice(("0u", "(tid - threadIdx.x)")))
            result += f"{target} = {self.combined(array, target, f'{array.name}[{first}]')};\n"
        return Simple(f"{array.name}[{array.own}] = {{0}};\n__syncthreads();\n"
                      + (result + "__syncthreads();").translate(BRACES),
                      self.x.expression(array.type, scope, 1))

    def halving_tree(self, scope):
        """The distance between two elements that are added halves from round to round."""
        array = self.rng.choice(scope.owned)
        number, count = self.extent(array)
        if count < 2:
            return None
        condition = self.rng.choice((
            "{n} < s", "{n} < s", "{n} < s", "int({n}) < int(s)", "s > {n}", "{n} <= s - 1",
            "int({n}) <= int(s) - 1", "!({n} >= s)", "{n} < s && {n} + s < {c}",
            "{n} < s && {n} + p0 < {c}", "{n} < s && ({n} & 1) == 0", "{n} + {n} < s + s",
            "{n} >= s && {n} < 2 * s")).format(n=number, c=count)
        distance = "tid - s" if ">= s &&" in condition else "tid + s"
        other = f"{array.name}[{array.slot.format(f'({distance})')}]"
        start = str(count // 2)
        if number == "threadIdx.x" and self.rng.random() < 0.4:
            start = "blockDim.x / 2"
        kind, step = self.rng.choice(("u32", "int")), self.rng.choice(("s >>= 1", "s /= 2"))
        last = self.rng.choice((0, 0, 0, 1, 4))
        return self.rounds(array, f"for ({kind} s = {start}; s > {last}; {step})",
                           self.round_of(array, condition, other, scope), scope)

    def growing_tree(self, scope):
        """The distance grows: threads whose numbers are multiples have work, or the first ones have that
        of others."""
        array = self.rng.choice(scope.owned)
        number, count = self.extent(array)
        if count < 2:
            return None
        all_threads = number == "threadIdx.x" and self.rng.random() < 0.4
        head = f"for (u32 s = 1; s < {'blockDim.x' if all_threads else count}; s *= 2)"
        if self.rng.random() < 0.5:
            other = f"{array.name}[{array.slot.format('(tid + s)')}]"
            condition = self.rng.choice(("{n} % (2 * s) == 0", "({n} & (2 * s - 1)) == 0"))
            condition = f"{condition.format(n=number)} && {number} + s < {count}"
            return self.rounds(array, head, self.round_of(array, condition, other, scope), scope)
        first = f"tid - {number} + " if number != "tid" else ""
        one, other = (f"{array.name}[{array.slot.format(f'({first}{text})')}]"
                      for text in (f"2 * s * {number}", f"2 * s * {number} + s"))
        return self.rounds(array, head, [f"if (2 * s * {number} + s < {count}) {{",
                                         f"  {one} = {self.combined(array, one, other)};", "}"], scope)

    def some_threads(self, array, scope):
        """Mostly a condition that holds for the first threads and for no others."""
        number, count = self.extent(array)
        a, b = (self.rng.randrange(self.rng.choice((count + 3, 33))) for _ in range(2))
        conditions = self.x.pick((
            (4, ("{n} < {a}", "{n} < {a}", "{n} <= {a}", "int({n}) < {a}", "{n} == 0", "{n} < p0",
                 "{n} < blockDim.x / 2", "int({n}) < p1", "{n} * 3 < {a}", "({n} << 1) < {a}",
                 "int({n}) * 2 + p1 < {a}", "{n} + blockIdx.x < {a}", "i64({n}) + p1 < {a}",
                 "int({n}) - {b} < {a}", "int({n}) < int(q0 & 63)", "{n} < {a} && tid < {b}")),
            # Those that hold for others look alike.
            (4, ("{n} >= {a}", "{n} > {a}", "{a} < {n}", "{n} != 0", "{n} == {a}", "{n} - {a} < {b}",
                 "{n} + p5 < {a}", "{n} < {a} && ({n} & 96) == 32", "{n} < p0 && {n} >= {b}",
                 "{n} >= {b} && {n} < {a} + p0",
                 "{n} < {a} || {n} == {b}", "i8({n}) < {b}", "({n} ^ {a}) < {b}", "u8({n} + {a}) < {b}",
                 "int({n}) > {a}", "{n} % 64 < 32", "{a} - {n} < {b}"))))
        text = self.rng.choice(conditions).format(n=number, a=a, b=b)
        if self.rng.random() < 0.12:
            return Expr("bool", f"({text} && {{0}})", self.x.short_condition(scope), constant=False)
        return Expr("bool", f"({text})", constant=False)

    def stages(self, scope):
        """Barriers with work between them that some threads have."""
        array = self.rng.choice(scope.owned)
        own = f"{array.name}[{array.own}]"
        names = scope.variables.get(array.type)
        statements = []
        for _ in range(self.rng.randint(2, 6)):
            kept = self.rng.choice(names) if names else None
            target = kept if kept and self.rng.random() < 0.3 else own
            value = self.x.expression(array.type, scope, 1)
            if self.rng.random() < 0.6:
                value = Expr(array.type, self.combined(array, own, "{0}"),
                             self.x.varying_leaf(array.type, scope), constant=False)
            text = f"if ({{0}})\n  {target} = {{1}};\n"
            if kept and self.rng.random() < 0.15:  # of all threads
                text += f"{kept} = {self.combined(array, kept, own)};\n"
            barrier = "__syncthreads();" if self.rng.random() < 0.9 else ""
            statements.append(Simple((text + barrier).strip(), self.some_threads(array, scope), value))
        return Group(Block(statements))
