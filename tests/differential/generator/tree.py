# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions and statements.

Text is made late, from the tree, so that the reducer can take parts of a tree away. The mask that a
warp operation names is filled in then: it depends on the branches and loops around the statement.
"""

import re

# Everything that exists as a variable, with the type whose arithmetic it takes. Signed arithmetic is
# done unsigned, for overflow of signed integers is undefined in C++.
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f32", "f64")
WIDTH = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64,
         "f32": 32, "f64": 64, "f16": 16, "bool": 1}


def arithmetic_type(name):
    return "u64" if WIDTH[name] == 64 else "u32"


class Expr:
    """A typed expression without side effects: text with {0}, {1} … for its parts.

    constant: made of literals only. Clang computes such an expression itself, before Heddle can give
    a division by zero or a wide shift its meaning.
    """

    def __init__(self, type_name, text, *parts, constant=None):
        self.type = type_name
        self.text = text
        self.parts = list(parts)
        self.constant = bool(parts) and all(p.constant for p in parts) if constant is None \
            else constant

    def render(self):
        if not self.parts:
            return self.text
        return self.text.format(*(part.render() for part in self.parts))


class Env:
    """What a statement's text depends on: the variable with the mask of the lanes that are here
    together (None: not known), whether that is all of the warp's, and what `return` stores."""

    def __init__(self, mask=None, whole_warp=False):
        self.mask = mask
        self.whole_warp = whole_warp

    def operation_mask(self):
        """In code that the whole warp runs, people write the full mask."""
        return "0xffffffffu" if self.whole_warp else self.mask


class Writer:
    def __init__(self):
        self.lines = []
        self.depth = 0
        self.names = 0

    def line(self, text):
        for part in text.split("\n"):
            self.lines.append("  " * self.depth + part if part else "")

    def fresh(self, prefix):
        """A variable name that the text does not have yet; trees have none with two underscores."""
        self.names += 1
        return f"{prefix}_{self.names}"

    def block(self, head, block, env, tail="}"):
        self.line(head)
        self.depth += 1
        block.render(self, env)
        self.depth -= 1
        self.line(tail)


class Block:
    def __init__(self, statements=()):
        self.statements = list(statements)

    def render(self, writer, env):
        for statement in self.statements:
            statement.render(writer, env)
            # Lanes may have ended: they must be in no mask any more, for no lane can shuffle from them.
            if env.mask and statement.contains(Jump, lambda jump: jump.kind == "return"):
                writer.line(f"{env.mask} = __ballot_sync({env.mask}, 1);")

    def contains(self, kind, condition):
        return any(s.contains(kind, condition) for s in self.statements)


class Statement:
    """exprs and blocks are what the reducer may simplify."""

    def __init__(self, exprs=(), blocks=()):
        self.exprs = list(exprs)
        self.blocks = list(blocks)

    def contains(self, kind, condition=lambda statement: True):
        return (isinstance(self, kind) and condition(self)) or \
            any(block.contains(kind, condition) for block in self.blocks)

    def rendered(self):
        return [expr.render() for expr in self.exprs]


class Simple(Statement):
    """Lines without control flow: {0} … are expressions, {mask} is the mask for warp operations and
    {live} the variable that holds exactly the lanes that are here."""

    def __init__(self, text, *exprs):
        super().__init__(exprs)
        self.text = text

    def render(self, writer, env):
        writer.line(self.text.format(*self.rendered(), mask=env.operation_mask(), live=env.mask))

    def needs_mask(self):
        return "{mask}" in self.text or "{live}" in self.text


class Group(Statement):
    """Statements that belong together."""

    def __init__(self, block):
        super().__init__((), [block])

    def render(self, writer, env):
        writer.block("{", self.blocks[0], env)


class If(Statement):
    """kind: plain (afterwards it is not known which lanes are together until the branches have joined), uniform
    (all threads that are here decide alike), masked (a vote before says who goes where), any or all
    (the lanes vote and decide alike)."""

    def __init__(self, kind, condition, then, otherwise=None):
        super().__init__([condition], [then] + ([otherwise] if otherwise else []))
        self.kind = kind

    def render(self, writer, env):
        condition = self.exprs[0].render()
        environments = [Env(), Env()]
        if self.kind == "uniform":
            environments = [env, env]
        elif self.kind in ("any", "all") and env.mask:
            condition = f"__{self.kind}_sync({env.operation_mask()}, {condition})"
            environments = [env, env]
        elif self.kind == "masked" and env.mask:
            condition, environments = self.vote(writer, env, condition)
        last = len(self.blocks) == 1
        writer.block(f"if ({condition}) {{", self.blocks[0], environments[0],
                     "}" if last else "} else {")
        if not last:
            writer.depth += 1
            self.blocks[1].render(writer, environments[1])
            writer.depth -= 1
            writer.line("}")

    def vote(self, writer, env, condition):
        taken, mask = writer.fresh("taken"), writer.fresh("mask")
        writer.line(f"const bool {taken} = {condition};")
        writer.line(f"u32 {mask} = __ballot_sync({env.operation_mask()}, {taken});")
        environments = [Env(mask)]
        if len(self.blocks) > 1:
            rest = writer.fresh("mask")
            writer.line(f"u32 {rest} = {env.mask} & ~{mask};")
            environments.append(Env(rest))
        return taken, environments


class Loop(Statement):
    """A loop that runs its body at most `trip` times; the counter counts from 0.

    kind: uniform (all threads that are here make the same number of turns), masked (lanes leave one by
    one, and the others know by a vote) or divergent (anything goes, which lanes are together is not known).
    form: for, while, do (at least one turn) or down (the counter counts down).
    """

    def __init__(self, kind, form, counter, trip, body, label=None, unroll=None):
        super().__init__([trip], [body])
        self.kind = kind
        self.form = form
        self.counter = counter
        self.label = label
        self.unroll = unroll

    def render(self, writer, env):
        if self.kind == "masked" and env.mask:
            self.render_masked(writer, env)
        else:
            self.render_plain(writer, env if self.kind == "uniform" else Env())
        if self.contains(Jump, lambda jump: jump.label and jump.label == self.label):
            writer.line(f"{self.label}:;")

    def render_masked(self, writer, env):
        mask, turn, go = writer.fresh("mask"), writer.fresh("mask"), writer.fresh("go")
        writer.line(f"u32 {mask} = {env.mask};")
        writer.line(f"for (int {self.counter} = 0;; ++{self.counter}) {{")
        writer.depth += 1
        writer.line(f"const bool {go} = {self.counter} < int({self.exprs[0].render()});")
        writer.line(f"{mask} = __ballot_sync({mask}, {go});")
        writer.line(f"if (!{go})\n  break;")
        # A lane that breaks off tells those that are in the loop; one that goes on to the next turn
        # stays in the loop's mask, but not in this turn's, and does not learn which lanes break off then.
        # So a loop has jumps of one kind; what a loop within has concerns that loop's masks.
        if self.has_jump("masked continue"):
            assert not self.has_jump("masked break")
            writer.line(f"u32 {turn} = {mask};")
            mask = turn
        self.blocks[0].render(writer, Env(mask))
        writer.depth -= 1
        writer.line("}")

    def has_jump(self, kind):
        """Is there a jump that continues or leaves this loop, not one within?"""
        def found(block):
            return any(isinstance(s, Jump) and s.kind == kind or
                       not isinstance(s, Loop) and any(map(found, s.blocks))
                       for s in block.statements)
        return found(self.blocks[0])

    def render_plain(self, writer, env):
        counter, trip = self.counter, f"int({self.exprs[0].render()})"
        unroll = "" if self.unroll is None else f"#pragma unroll {self.unroll}".rstrip() + "\n"
        body, turns = self.blocks[0], None
        if self.form == "for":
            head = f"for (int {counter} = 0; {counter} < {trip}; ++{counter}) {{"
        elif self.form == "down":
            head = f"for (int {counter} = {trip} - 1; {counter} >= 0; --{counter}) {{"
        else:
            turns = writer.fresh("turns")
            writer.line(f"int {turns} = {trip if self.form == 'while' else 0};")
            head = (f"while ({turns}-- > 0) {{" if self.form == "while" else "do {") + \
                f"\n  const int {counter} = {turns};"
        tail = f"}} while (++{turns} < {trip});" if self.form == "do" else "}"
        writer.block(unroll + head, body, env, tail)


class Jump(Statement):
    """if (condition) break, continue, goto label or return. store: what a thread leaves behind."""

    def __init__(self, kind, condition, store=None, label=None):
        super().__init__([condition] + ([store] if store else []))
        self.kind = kind
        self.label = label

    def render(self, writer, env):
        texts = self.rendered()
        if self.kind.startswith("masked"):
            stay = writer.fresh("stay")
            writer.line(f"const bool {stay} = !({texts[0]});")
            writer.line(f"{env.mask} = __ballot_sync({env.mask}, {stay});")
            writer.line(f"if (!{stay})\n  {self.kind.split()[1]};")
            return
        action = {"goto": f"goto {self.label}"}.get(self.kind, self.kind)
        if self.kind == "return" and len(texts) > 1:
            writer.line(f"if ({texts[0]}) {{\n  {texts[1]};\n  return;\n}}")
        elif self.kind == "return value":
            writer.line(f"if ({texts[0]})\n  return {texts[1]};")
        else:
            writer.line(f"if ({texts[0]})\n  {action};")


class Switch(Statement):
    """cases: one block each; those in `fall` go on into the next one. The last block is the default.
    Selected by the low bits of an expression."""

    def __init__(self, kind, selector, cases, fall):
        super().__init__([selector], cases)
        self.kind = kind
        self.fall = fall

    def render(self, writer, env):
        inside = env if self.kind == "uniform" else Env()
        writer.line(f"switch (int({self.exprs[0].render()} & 7)) {{")
        for number, block in enumerate(self.blocks):
            last = number == len(self.blocks) - 1
            writer.line(f"{'default' if last else f'case {number}'}: {{")
            writer.depth += 1
            block.render(writer, inside)
            writer.depth -= 1
            writer.line("}")
            if number not in self.fall:
                writer.line("break;")
        writer.line("}")


class IntoLoop(Statement):
    """A loop with two entrances: some lanes jump over the first half of its first turn."""

    def __init__(self, counter, enters_late, trip, first, second):
        super().__init__([enters_late, trip], [first, second])
        self.counter = counter

    def render(self, writer, env):
        texts = self.rendered()
        top, middle, turns = (writer.fresh(p) for p in ("top", "middle", "turns"))
        writer.line(f"int {self.counter} = 0;\nconst int {turns} = int({texts[1]});")
        writer.line(f"if ({texts[0]})\n  goto {middle};")
        writer.line(f"{top}: {{")
        writer.depth += 1
        self.blocks[0].render(writer, Env())
        writer.depth -= 1
        writer.line(f"}}\n{middle}: {{")
        writer.depth += 1
        self.blocks[1].render(writer, Env())
        writer.depth -= 1
        writer.line(f"}}\nif (++{self.counter} < {turns})\n  goto {top};")


class Exchange(Statement):
    """Every thread writes its slot of a shared array; between two barriers all may read all of it.
    Where there is another value, every other warp writes that, and comes to the first barrier at
    another place in the program: threads are counted one by one there since Volta."""

    def __init__(self, slot, value, body, other=None):
        super().__init__([value] + [other] * (other is not None), [body])
        self.slot = slot

    def render(self, writer, env):
        values = [expr.render() for expr in self.exprs]
        if len(values) == 1:
            writer.line(f"{self.slot} = {values[0]};\n__syncthreads();")
        else:
            writer.line(f"if (tid & 32) {{\n  {self.slot} = {values[0]};\n  __syncthreads();\n"
                        f"}} else {{\n  {self.slot} = {values[1]};\n  __syncthreads();\n}}")
        writer.block("{", self.blocks[0], env, "}\n__syncthreads();")


def names_in(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))
