# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random device functions: not inlined, recursive, called by pointer, virtual, with warp operations."""

from .scope import Scope
from .tree import FLOATS, Block, Env, Simple, Writer, arithmetic_type

FUNCTION_TYPES = ("u32", "i32", "u64", "f32", "f64", "u8", "i16")


class Function:
    """call: how an expression calls it, with {0} … for the arguments of `parameters`' types.
    definitions: (head, block, result, tail) or text; before: declarations in the calling kernel."""

    def __init__(self, name, kind, parameters, call, definitions, before=""):
        self.name = name
        self.type = kind
        self.parameters = parameters
        self.call = call
        self.definitions = definitions
        self.before = before

    def render(self):
        writer = Writer()
        for part in self.definitions:
            part.render(writer)
        return "\n".join(writer.lines)


class Text:
    def __init__(self, text):
        self.text = text

    def render(self, writer):
        writer.line(self.text)

    blocks = ()


class Body:
    """One function's definition; variables is a list of (name, type, initial value)."""

    def __init__(self, head, variables, block, result, mask=None):
        self.head = head
        self.variables = variables
        self.blocks = [block]
        self.result = result
        self.mask = mask

    def render(self, writer):
        inner = Writer()
        inner.depth = 1
        self.blocks[0].render(inner, Env(self.mask))
        result = self.result.render()
        writer.line(self.head + " {")
        text = "\n".join(inner.lines) + result
        for name, kind, value in self.variables:
            if name in text:
                writer.line(f"  {kind} {name} = {value};")
        writer.lines += inner.lines
        writer.line(f"  return {result};\n}}")


class Functions:
    """Makes the functions of one kernel, whose names start with `prefix`."""

    def __init__(self, rng, expressions, statements, prefix, points=False):
        self.rng = rng
        self.points = points
        self.inlined = "__noinline__"
        self.x = expressions
        self.statements = statements
        self.prefix = prefix
        self.count = 0

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.prefix}_{self.count}"

    def scope(self, parameters, masked=False):
        """The parameters and some variables that start with their values."""
        variables, declared = {}, []
        for name, kind in parameters:
            variables.setdefault(kind, []).append(name)
        for kind in ("u32", "i32", "f32"):
            for number in range(2):
                name = f"{kind[0]}{number}"
                variables.setdefault(kind, []).append(name)
                declared.append((name, kind, f"{kind}({self.rng.choice(parameters)[0]})"))
        scope = Scope(variables, buffers=False, uniform=False, masked=masked, depth=2, weight=16,
                      points=self.points,
                      readable=[("lane()", "u32", False)] if masked else [])
        return scope, declared

    def body(self, head, kind, parameters, masked=False, most=4):
        scope, declared = self.scope(parameters, masked)
        saved, self.statements.left = self.statements.left, 6
        if not masked and self.rng.random() < 0.6:
            scope.jumps = ("return value",)
        store, self.statements.store = self.statements.store, \
            lambda inner: self.x.expression(kind, inner, 1)
        block = self.statements.block(scope, most)
        self.statements.left, self.statements.store = saved, store
        return Body(head, declared, block, self.x.expression(kind, scope, 2),
                    "mask" if masked else None)

    def plain(self, kind=None, parameters=None):
        kind = kind or self.rng.choice(FUNCTION_TYPES)
        parameters = parameters or [(n, self.rng.choice(FUNCTION_TYPES)) for n in
                                    ("x", "y")[:self.rng.randint(1, 2)]]
        name = self.name("f")
        head = f"{self.inlined} __device__ {kind} {name}({declare(parameters)})"
        call = f"{name}({', '.join(f'{{{i}}}' for i in range(len(parameters)))})"
        return Function(name, kind, [k for _, k in parameters], call,
                        [self.body(head, kind, parameters)])

    def recursive(self):
        kind, name = self.rng.choice(("u32", "i32", "f32", "u64")), self.name("r")
        parameters = [("depth", "i32"), ("x", kind)]
        scope, _ = self.scope(parameters)
        scope.variables = {kind: ["x"], "i32": ["depth"] + (["x"] if kind == "i32" else [])}
        steps = [Simple(f"if (depth <= 0 || {{0}})\n  return {{1}};", self.x.boolean(scope, 1),
                        self.x.expression(kind, scope, 1)),
                 Simple(f"const {kind} below = {name}(depth - 1, {{0}});",
                        self.x.expression(kind, scope, 2))]
        if self.rng.random() < 0.4:
            steps.append(Simple(f"if ({{0}})\n  x = {name}(depth - 2, {{1}});",
                                self.x.boolean(scope, 1), self.x.expression(kind, scope, 1)))
        scope.variables[kind] = ["x", "below"]
        head = f"__noinline__ __device__ {kind} {name}({declare(parameters)})"
        body = Body(head, [], Block(steps), self.x.expression(kind, scope, 2))
        return Function(name, kind, ["u32", kind], f"{name}(int({{0}} & 3), {{1}})", [body])

    def by_pointer(self):
        kind = self.rng.choice(("u32", "i32", "f32"))
        parameters = [("x", kind), ("y", "u32")]
        one, other = self.plain(kind, parameters), self.plain(kind, parameters)
        table = self.name("p")
        definitions = one.definitions + other.definitions
        if self.rng.random() < 0.5:
            return Function(table, kind, ["u32", kind, "u32"],
                            f"(({{0}} & 1) ? {one.name} : {other.name})({{1}}, {{2}})", definitions)
        before = f"{kind} (*{table}[2])({kind}, u32) = {{{one.name}, {other.name}}};"
        return Function(table, kind, ["u32", kind, "u32"], f"{table}[{{0}} & 1]({{1}}, {{2}})",
                        definitions, before)

    def virtual(self):
        kind, name = self.rng.choice(("u32", "i32", "f32")), self.name("V")
        parameters = [("x", kind)]
        head = f"  __device__ virtual {kind} value({kind} x) const"
        parts = [Text(f"struct {name} {{\n{head} = 0;\n  u32 seed;\n}};")]
        for letter in "AB":
            # A member cannot be assigned in a const function, so it works on a copy.
            body = self.body(f"  __device__ {kind} value({kind} x) const override", kind,
                             parameters + [("seed", "u32")], most=2)
            body.variables.insert(0, ("seed", "u32", "this->seed"))
            parts += [Text(f"struct {name}{letter} : {name} {{"), body, Text("};")]
        a, b = f"a{name}", f"b{name}"
        before = f"{name}A {a};\n{name}B {b};\n{a}.seed = tid;\n{b}.seed = gid * 3;"
        call = f"({{0}} ? (const {name} *)&{a} : (const {name} *)&{b})->value({{1}})"
        return Function(name, kind, ["bool", kind], call, parts, before)

    def masked(self, kind):
        """Lanes that call it together pass their mask."""
        name = self.name("w")
        parameters = [("x", kind)]
        head = f"__noinline__ __device__ {kind} {name}(u32 mask, {kind} x)"
        return Function(name, kind, [kind], "", [self.body(head, kind, parameters, masked=True)])

    def of_block(self, array):
        """All threads of the block call it together, to exchange what they have through an array."""
        kind, name = array.type, self.name("b")
        rounds, distance = self.rng.randint(1, 3), self.rng.choice((1, 2, 7, 32))
        work = kind if kind in FLOATS else arithmetic_type(kind)
        other = array.slot_of_any.format(f"(tid + {distance})")
        text = (f"__noinline__ __device__ {kind} {name}({kind} *array, u32 tid, {kind} x) {{\n"
                f"  for (int round = 0; round < {rounds}; ++round) {{\n"
                f"    array[{array.own}] = {kind}({work}(x) + {work}(round));\n"
                f"    __syncthreads();\n    x = array[{other}];\n    __syncthreads();\n"
                f"  }}\n  return x;\n}}")
        return Function(name, kind, [], "", [Text(text)])


def declare(parameters):
    return ", ".join(f"{kind} {name}" for name, kind in parameters)
