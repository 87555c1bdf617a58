# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole kernel: its launch, its memory, its variables and its text."""

import random

from .cooperation import ATOMICS
from .expressions import Expressions
from .functions import FUNCTION_TYPES, Functions
from .indices import HIGHEST_PITCH
from .members import HELD, make_record
from .packets import declaration, make_packets
from .places import make_places
from .scope import Accumulator, Array, Scope
from .statements import Statements
from .tables import make_table
from .tree import FLOATS, INTEGERS, Block, Env, Expr, Jump, Simple, Writer, names_in

SHAPES = ((256, 1, 1), (128, 1, 1), (64, 1, 1), (32, 1, 1), (100, 1, 1), (33, 1, 1), (31, 1, 1),
          (1, 1, 1), (32, 8, 1), (16, 16, 1), (8, 8, 8), (7, 5, 3), (40, 3, 1), (2, 2, 2),
          (16, 4, 1), (320, 1, 1), (16, 8, 1), (32, 4, 1), (64, 4, 1), (8, 8, 1), (16, 2, 1),
          (8, 4, 1))
GRIDS = ((1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (2, 2, 1), (1, 3, 1), (8, 1, 1), (5, 2, 1),
         (3, 3, 1), (15, 1, 1), (5, 3, 1), (32, 1, 1), (8, 4, 1), (16, 2, 1))
REGULAR_SHAPES = ((16, 16, 1), (8, 8, 8), (32, 8, 1), (16, 8, 1), (32, 4, 1), (64, 4, 1), (8, 8, 1),
                  (16, 4, 1), (128, 1, 1), (256, 1, 1), (32, 1, 1))
POINT_SHAPES = ((32, 1, 1), (64, 1, 1), (8, 8, 1), (16, 4, 1), (16, 2, 1), (8, 4, 1))  # of small blocks
TREE_SHAPES = ((128, 1, 1), (256, 1, 1), (256, 1, 1), (320, 1, 1), (64, 4, 1), (64, 4, 1), (128, 1, 1),
               (100, 1, 1), (32, 8, 1))
HAND_SHAPES = ((32, 1, 1), (64, 1, 1), (128, 1, 1), (256, 1, 1), (256, 1, 1), (256, 1, 1), (512, 1, 1),
               (1024, 1, 1), (96, 1, 1), (16, 16, 1), (8, 8, 1), (64, 4, 1))
TABLE_SHAPES = ((16, 16, 1), (8, 8, 1), (8, 8, 8), (16, 8, 1), (32, 8, 1), (8, 4, 1), (16, 4, 1))
MOST_THREADS = 1024
SLOTS, SLOTS_OF_MANY = 8, 3  # of each thread in each output, and if there are many threads
HIGHEST_SHARED = 40000
NARROW_KERNELS, LARGE_KERNELS = 0.07, 0.015  # how many ask only for their place in the grid (places.py)


class Output:
    """A buffer in which every thread has `slots` elements of its own, somewhere."""

    def __init__(self, kind, threads, rng, regular, places=None):
        self.type = kind
        self.name = f"out_{kind}"
        self.slots = SLOTS_OF_MANY if places else SLOTS
        self.padded = 1 << max(0, (threads - 1).bit_length())
        self.layout = rng.choice(("apart", "apart", "apart", "together", "reversed") if regular
                                 else ("together", "apart", "reversed", "scattered"))
        self.factor, self.offset = 2 * rng.randrange(1, 50) + 1, rng.randrange(self.padded)
        self.threads, self.shift = threads, 0
        if places and places.large:
            self.padded = (threads + 63) // 64 * 64 + places.extra * places.rows
            self.layout, self.shift, self.gap = "rows", places.shift, places.extra

    def count(self):
        return self.padded * self.slots + self.shift

    def slot(self, number):
        if self.layout == "together":
            return f"gid * {self.slots} + {number}"
        if self.layout == "rows":
            return f"gid + py * {self.gap} + {number * self.padded + self.shift}"
        if self.layout == "apart":
            return f"gid + {number * self.padded}"
        if self.layout == "reversed":
            return f"{self.threads - 1 + number * self.padded} - gid"
        return f"((gid * {self.factor} + {self.offset}) & {self.padded - 1}) + {number * self.padded}"


class Kernel:
    """Kernel `index` of `seed`. render() gives its definition, launch() the host code that runs it."""

    def __init__(self, seed, index):
        self.seed, self.index, self.name = seed, index, f"k{index}"
        self.rng = random.Random(f"{seed}/{index}")
        at = self.rng.random()
        self.places = make_places(self.rng, at < LARGE_KERNELS) if at < LARGE_KERNELS + NARROW_KERNELS \
            else None
        self.regular = self.places is not None or self.rng.random() < 0.36
        self.points = self.regular and (self.places is not None or self.rng.random() < 0.4)
        self.aim = self.choose_aim()
        self.of_block = self.aim in ("tree", "hand")
        self.choose_launch()
        self.x = Expressions(self.rng, self.rng.choice((0, 0, 1) if self.regular else (0, 1, 1, 2, 3)))
        self.statements = Statements(self.rng, self.x, self.rng.choice(
            {"tree": (0, 1, 2), "hand": (0, 0, 0, 1)}[self.aim] if self.of_block
            else (1, 2, 3, 4, 6) if self.regular
            else (3, 4, 6, 8, 10, 14, 20)))
        self.declarations = []  # (names, line), dropped if the text has none of the names
        self.scope = Scope({}, accumulators=[], regular=self.regular, points=self.points, places=self.places,
                           masked=not self.regular, plane=self.plane(), total=self.total)
        self.choose_memory()
        self.choose_variables()
        self.choose_functions()
        self.statements.store = self.store
        self.body = self.make_body()

    def choose_aim(self):
        """What most of the kernel is about, or nothing."""
        if not self.regular or self.places:
            return None
        return self.rng.choice((None, None, "members", "table") + ((None,) if self.points else
                                                                   ("members", "table") + ("tree", "hand") * 3))

    def choose_launch(self):
        rng = self.rng
        shapes = POINT_SHAPES if self.points and rng.random() < 0.7 else \
            {"tree": TREE_SHAPES, "hand": HAND_SHAPES, "table": TABLE_SHAPES}.get(self.aim, REGULAR_SHAPES)
        self.shape = rng.choice(shapes if self.regular and rng.random() < 0.8 else SHAPES)
        self.threads = self.shape[0] * self.shape[1] * self.shape[2]
        grids = [g for g in GRIDS if g[0] * g[1] * g[2] * self.threads <= MOST_THREADS]
        # A worker takes a part of the blocks at a time: only of many are several beside each other.
        self.grid = rng.choice(self.points and [g for g in grids if g[0] * g[1] > 8] or grids)
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.total = self.blocks * self.threads
        if self.places:
            self.shape, self.grid, self.total = self.places.shape, self.places.grid, self.places.total
            self.threads = self.shape[0] * self.shape[1] * self.shape[2]
            self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.bounds = rng.random() < (0.1 if self.places else 0.2)
        # Of a structure, what a kernel needs is kept at barriers by each gang, which so has work there.
        self.style = rng.choice(("parameters", "restrict") + ("structure",) * (not self.of_block))
        self.dynamic = 0
        # In a grid of rows, a thread's number goes along the rows, not block by block.
        self.rows = self.shape[2] == 1 and self.shape[1] > 1 and rng.random() < 0.6
        self.scalars = {"p0": ("u32", str(rng.choice((0, 1, 5, 32, 77, 1 << 31)))),
                        "p1": ("i32", str(rng.choice((-1, 0, 3, 100)))),
                        "p2": ("u64", str(rng.randrange(1 << 40))),
                        "p3": ("f32", rng.choice(("0.5f", "-3.25f", "100.0f"))),
                        "p4": ("i32", str(rng.choice((1, 3, 16, 31, HIGHEST_PITCH)))),
                        "p5": ("u32", f"0u - {rng.randint(1, self.total)}"),
                        "p6": ("u32", f"0x80000000u - {rng.randint(1, self.total)}")}
        if self.places:
            self.scalars.update(p8=("i32", str(self.places.columns)), p9=("i32", str(self.places.rows)))

    def plane(self):
        """A thread's column and row, in its block or in the grid."""
        if self.shape[1] == 1:
            return ("gid", "blockIdx.x") if self.regular and self.rng.random() < 0.7 else Scope.plane
        column, row = "threadIdx.x", "threadIdx.y"
        if self.rng.random() < 0.5:
            column = "(blockIdx.x * blockDim.x + threadIdx.x)"
            row = "(blockIdx.y * blockDim.y + threadIdx.y)"
        return column, f"({row} + blockDim.y * threadIdx.z)" if self.shape[2] > 1 else row

    # Memory

    def declare(self, line, *names):
        self.declarations.append((names, line))

    def choose_memory(self):
        rng = self.rng
        used = rng.sample(INTEGERS, 2) + ["u32", rng.choice(FLOATS), "f32"]
        self.outputs = {k: Output(k, self.total, rng, self.regular, self.places)
                        for k in INTEGERS + FLOATS + ("f16",)}
        self.scope.outputs = [self.outputs[k] for k in dict.fromkeys(used)]
        if self.places and self.places.large:
            self.scope.outputs = []  # what is read is not stored past the caches
            return
        shared = 0
        for number in range(0 if self.points else 1 if self.of_block else rng.choice((0, 1, 1, 2))):
            array = self.shared_array(f"sh{number}", rng.choice(
                ("u32", "u32", "f32", "i32", "u64", "u8", "i16", "f64")))
            shared += 8 * array.size
            if shared <= HIGHEST_SHARED:
                self.scope.owned = self.scope.owned + [array]
        for number in range(0 if self.regular else rng.choice((0, 1, 1, 2))):
            self.choose_accumulator(f"acc{number}")
        for number in range(rng.choice((1, 2, 3)) if self.aim == "members" else rng.choice((0, 0, 1, 2))):
            self.choose_record(f"rec{number}")
        if self.aim == "table" or (not self.places and rng.random() < 0.2):
            table = make_table(rng, "tab", self.shape, self.grid, not self.points)
            self.scope.tables.append(table)
            self.scalars["p7"] = ("i32", str(table.pitch))

    def choose_record(self, name):
        record = make_record(self.rng, name, self.threads, self.total)
        if record.shared and self.points:
            return
        self.scope.records.append(record)
        if record.style == "structure":
            fields = " ".join(f"{kind} m{i};" for i, kind in enumerate(record.kinds))
            self.declare(f"struct S_{name} {{\n  {fields}\n}};", f"S_{name}")
        if record.shared:
            self.declare(f"__shared__ __align__(16) {self.element_of(record)} {name}"
                         f"[{self.elements_of(record)}];", name)
        if record.shared or self.rng.random() < 0.6:
            self.declare("\n".join(f"{record.member(i)} = {kind}(gid * 7 + {i * 3 + 1});"
                                   for i, kind in enumerate(record.kinds)), name)

    @staticmethod
    def element_of(record):
        return "u8" if record.style == "structure" else record.type

    @staticmethod
    def elements_of(record):
        return record.threads * (record.bytes() if record.style == "structure" else record.width())

    def shared_array(self, name, kind):
        """Slots are given to threads straight, in reverse, scattered, or in rows with a column more
        than there are threads in a row; in static or dynamic memory."""
        rng, size = self.rng, self.threads
        forms = ["{0}", f"{size - 1} - ({{0}})"] + ["{0}"] * 4 * self.regular
        if size % 7 and not self.regular:
            forms.append(f"(({{0}}) * 7 + 3) % {size}")
        row = self.shape[0]
        if self.shape[1] > 1:
            forms.append(f"({{0}}) / {row} * {row + 1} + ({{0}}) % {row}")
            size += size // row
        slot = rng.choice(forms)
        array = Array(name, kind, size, slot.format("tid"), slot.format("(tid & ~31u) + {0}"), slot,
                      slot.format(f"{{0}} % {self.threads}u"), self.threads,
                      *self.tile_of_block(), row)
        # Where dynamic memory may begin anywhere, each gang asks, and so has work.
        if rng.random() < (0.1 if self.of_block else 0.35):
            self.declare(f"{kind} *const {name} = ({kind} *)(dynamic_shared + {self.dynamic});", name)
            self.dynamic += (size * 8 + 15) // 16 * 16
        else:
            self.declare(f"__shared__ {kind} {name}[{size}];", name)
        self.declare(f"{name}[{array.own}] = {kind}(tid * 5 + 1);", name)
        return array

    def tile_of_block(self):
        """The rows and columns of a shared array: its shape, this thread's row and column."""
        if self.shape[1] == 1:
            width = self.threads & -self.threads
            return (width, self.threads // width), f"(tid / {width})", f"(tid % {width})"
        row = "(threadIdx.y + blockDim.y * threadIdx.z)" if self.shape[2] > 1 else "threadIdx.y"
        return (self.shape[0], self.shape[1] * self.shape[2]), row, "threadIdx.x"

    def choose_accumulator(self, name):
        rng = self.rng
        operation = rng.choice(("add", *ATOMICS, "add"))
        shared = operation == "exchange" or rng.random() < (0.25 if operation == "add" else 0.5)
        accumulator = Accumulator(name, rng.choice(ATOMICS[operation]), operation,
                                  rng.choice((1, 1, 4, 16, 64)), shared, rng.randrange(1, 40))
        self.scope.accumulators.append(accumulator)
        if shared:
            for each in [name] + [name + "_seen"] * accumulator.companion():
                self.declare(f"__shared__ {accumulator.type} {each}[{accumulator.size}];\n"
                             f"for (u32 i = tid; i < {accumulator.size}; i += {self.threads})\n"
                             f"  {each}[i] = {accumulator.type}(i * 77 + 1);", each)
            self.declare("__syncthreads();", name)

    # Variables

    def choose_variables(self):
        rng, scope = self.rng, self.scope
        kinds = ["u32", "u32", "i32", "f32"] + rng.sample(INTEGERS, 2)
        kinds += [k for k in ("f64", "f16", "bool", "f32", "u64") if rng.random() < 0.3]
        if self.regular:  # few values, as gangs that are wider than warps need
            kinds = rng.sample(("f32", "f32", "f32", "u32", "u32", "i32", "u8", "i16", "f64"),
                               rng.choice((1, 1, 2, 2, 3)))
        if self.places and self.places.large:  # 40 bytes at least; gangs that compute in double are narrow
            kinds += rng.choice((["f64", "f64", "u64"], ["u64", "u64", "i64"])) + ["i64", "f32", "u32"]
        for number, kind in enumerate(kinds):
            scope.variables.setdefault(kind, []).append(f"v{number}")
            self.declare(self.start_of(f"v{number}", kind), f"v{number}")
        scope.readable = [("tid", "u32", False), ("gid", "u32", False), ("lane()", "u32", False),
                          ("laneRegister()", "u32", False), ("threadIdx.x", "u32", False),
                          ("blockIdx.x", "u32", True),
                          ("p0", "u32", True), ("p1", "i32", True), ("p2", "u64", True),
                          ("p3", "f32", False), ("p4", "i32", True), ("p5", "u32", True)]
        if self.shape[1] > 1:
            scope.readable += [("threadIdx.y", "u32", False), ("blockDim.y", "u32", True)]
        if self.places:
            scope.readable = [v for v in scope.readable if v[0] in ("gid", "threadIdx.y", "blockDim.y") or
                              v[0].startswith("p")] + [("py", "u32", False), ("blockIdx.y", "u32", True)]
        for kind in INTEGERS + FLOATS:
            for number in range(HELD):
                name = self.statements.held(kind, number)
                self.declare(f"{kind} {name} = {kind}({number});", name)
        for number in range(rng.choice((1, 2))):
            scope.uniform_variables.append(f"q{number}")
            start = rng.choice(("p0", "blockIdx.y" if self.places else "blockIdx.x", "7", "u32(p1)"))
            self.declare(f"u32 q{number} = {start};", f"q{number}")
        for number in range(rng.choice((0, 0, 0, 1)) if self.places else
                            0 if self.regular else rng.choice((0, 0, 1, 2))):
            kind, size = rng.choice(("u32", "i32", "f32", "u8", "u64", "f64", "i16")), \
                rng.choice((4, 8, 8, 16))
            scope.arrays.append(Array(f"a{number}", kind, size))
            start = rng.choice((f"{kind} a{number}[{size}] = {{}};",
                                f"{kind} a{number}[{size}];\nfor (int i = 0; i < {size}; ++i)\n"
                                f"  a{number}[i] = {kind}(gid * {size} + i);"))
            self.declare(start, f"a{number}")
        self.choose_structures()

    def start_of(self, name, kind):
        """A variable, at first a number of the thread or something from the input."""
        rng = self.rng
        if kind == "f16":
            return f"f16 {name} = __float2half(f32(tid) * 0.25f);"
        if kind == "bool":
            return f"bool {name} = ({rng.choice(('tid', 'gid', 'in_u32[gid]'))} & 1) != 0;"
        if self.places:
            return f"{kind} {name} = {rng.choice((self.x.load_of_place(kind, self.scope), f'{kind}(gid)'))};"
        if self.regular and rng.random() < 0.06:
            return f"{kind} {name} = {kind}(laneRegister());"
        value = rng.choice((f"in_{kind}[gid]", f"in_{kind}[gid * 2 + {rng.randrange(64)}]",
                            f"{kind}(gid)", f"{kind}(tid * 3 + 1)", f"{kind}({rng.randrange(100)})"))
        return f"{kind} {name} = {value};"

    def choose_structures(self):
        rng, scope = self.rng, self.scope
        if self.regular:
            return
        if rng.random() < 0.3:
            kinds = [rng.choice(INTEGERS + FLOATS) for _ in range(rng.randint(2, 4))]
            fields = [(f"m{i}", k) for i, k in enumerate(kinds)]
            text = " ".join(f"{k} {f};" for f, k in fields)
            self.declare(f"struct S {{\n  {text}\n}};", "s0", "s1")
            values = ", ".join(f"{k}(gid + {i})" for i, (_, k) in enumerate(fields))
            scope.structures = [("s0", fields), ("s1", fields)]
            for name in ("s0", "s1"):
                self.declare(f"S {name} = {{{values}}};", name)
        for name in rng.sample(("float4", "int2", "uint4", "double2"), rng.choice((0, 0, 1, 2))):
            kind = {"float4": "f32", "int2": "i32", "uint4": "u32", "double2": "f64"}[name]
            fields = [(f, kind) for f in "xyzw"[:int(name[-1])]]
            start = ", ".join(f"{kind}(tid + {i})" for i in range(len(fields)))
            scope.vectors = scope.vectors + [(f"t_{name}", fields)]
            self.declare(f"{name} t_{name} = make_{name}({start});", f"t_{name}")
        if rng.random() < 0.2:
            scope.packets = [make_packets(rng, number) for number in range(rng.choice((1, 1, 2)))]
            for packets in scope.packets:
                self.declare(declaration(rng, packets), packets.name)

    def choose_functions(self):
        rng = self.rng
        maker = Functions(rng, self.x, self.statements, self.index, self.points)
        self.functions = []
        if self.places and rng.random() < 0.4:
            maker.inlined = rng.choice(("__forceinline__",) * 4 + ("__noinline__",))
            self.functions = [maker.plain(rng.choice([k for k in self.scope.variables
                                                      if k in FUNCTION_TYPES] or ["u32"]))]
            self.scope.functions = list(self.functions)
        if self.regular:
            return
        if rng.random() < 0.3:
            self.functions.append(self.x.pick((
                (4, maker.plain), (2, maker.recursive), (2, maker.by_pointer),
                (2, maker.virtual)))())
        self.scope.functions = list(self.functions)
        if rng.random() < 0.12:
            kind = rng.choice(("u32", "i32", "f32"))
            self.scope.masked_functions = [maker.masked(kind), maker.masked(kind)]
            self.functions += self.scope.masked_functions
        if self.scope.owned and rng.random() < 0.15:
            array = self.scope.owned[0]
            self.scope.block_functions = [(array, maker.of_block(array))]
            self.functions.append(self.scope.block_functions[0][1])
        for function in self.functions:
            for line in function.before.split("\n") if function.before else ():
                self.declare(line, *[n for n in names_in(function.call) | names_in(line)
                                     if n.startswith(("p" + str(self.index), "aV", "bV"))])

    # Statements

    def store(self, scope):
        """What a thread leaves behind when it returns early."""
        kind = self.rng.choice([k for k in scope.variables if k != "bool"])
        output = self.outputs[kind]
        value = self.x.expression(kind, scope, 1)
        return Expr("", f"{output.name}[{output.slot(output.slots - 1)}] = {{0}}", value)

    def make_body(self):
        rng, scope = self.rng, self.scope
        body = Block()
        self.statements.some_left = rng.random() < {"tree": 0.1, "hand": 0}.get(
            self.aim, 0.25 if self.regular else 0.5)
        if self.statements.some_left:
            n = rng.randint(self.total // 2, self.total)
            body.statements.append(Jump("return", Expr("bool", f"gid >= {n}", constant=False)))
        if self.regular and not self.points:
            inside = scope.inside(depth=0)
            first = self.statements.exchange if scope.owned else self.statements.serial_sum
            about = self.aimed(inside)
            body.statements += filter(None, [about])
            if self.aim == "tree":
                body.statements += filter(None, [self.aimed(inside)])
            if not about or (self.aim != "hand" and rng.random() < 0.3):
                body.statements += filter(None, [first(inside)])
            if self.aim != "hand" and rng.random() < 0.15:
                body.statements.append(self.statements.block_vote(inside))
        elif self.aim:
            body.statements += filter(None, [self.aimed(scope.inside(depth=0))])
        if self.places and self.places.stray:
            body.statements.append(self.statements.stray(scope.inside(depth=0)))
        if self.places and self.functions and self.functions[0].type in scope.variables:
            kind = self.functions[0].type
            body.statements.append(Simple(f"{rng.choice(scope.variables[kind])} = {{0}};",
                                          self.x.call(kind, scope.inside(depth=0), 1)))
        while self.statements.left > 0:
            body.statements += self.statements.block(scope.inside(depth=0), 6).statements
        body.statements += self.final_stores()
        body.statements += [self.accumulator_result(a) for a in scope.accumulators
                            if a.shared and a.used]
        return body

    def aimed(self, scope):
        """The first statement of a kernel that is about something."""
        makers = {"tree": self.statements.tree, "hand": self.statements.hand_round,
                  "table": self.statements.down_columns, "members": self.statements.side_by_side}
        possible = {"tree": scope.owned, "hand": scope.owned, "table": scope.tables, "members": scope.records}
        return makers[self.aim](scope) if self.aim and possible[self.aim] else None

    def accumulator_result(self, accumulator):
        """After a barrier, the block's accumulators go to the output."""
        name, kind, size = accumulator.name, accumulator.type, accumulator.size
        value = f"{name}[i]"
        if accumulator.operation == "exchange":
            value = f"{name}[i] ^ {name}_seen[i]"
        elif accumulator.operation == "ticket":
            value = f"{name}[i] + {name}_seen[i] * 3"
        return Simple(f"__syncthreads();\nfor (u32 i = tid; i < {size}; i += {self.threads})\n"
                      f"  sum_{kind}_{name}[block_number * {size} + i] = {kind}({value});")

    def final_stores(self):
        """Every variable goes to the output, so that none is optimised away."""
        result, used = [], {}
        scope = self.scope
        places = [(n, k) for k, names in scope.variables.items() for n in names]
        places += [(f"{a.name}[({{0}}) & {a.size - 1}]", a.type) for a in scope.arrays]
        places += [(f"{n}.{f}", k) for n, fields in scope.structures + scope.vectors
                   for f, k in fields]
        places += [(f"{a.name}[{a.own}]", a.type) for a in scope.owned]
        places += [(q, "u32") for q in scope.uniform_variables]
        places += [(record.member(i), kind) for record in scope.records if record.shared and record.used
                   for i, kind in enumerate(record.kinds)]
        for text, kind in places:
            target = "u8" if kind == "bool" else kind
            number = used[target] = used.get(target, -1) + 1
            output = self.outputs[target]
            place = f"{output.name}[{output.slot(number % output.slots)}]"
            index = [Expr("u32", "gid" if self.places else "tid", constant=False)] if "{0}" in text else []
            if number >= output.slots and kind != "f16":
                operator = "+" if kind in FLOATS else "^"
                result.append(Simple(f"{place} = {target}({place} {operator} {text});", *index))
            else:
                result.append(Simple(f"{place} = {target}({text});", *index))
        return result

    # Text

    def buffers(self):
        """name: (type, elements, first byte) of each buffer that a kernel may have."""
        found = {f"in_{k}": (f"const {k}", 0, None) for k in INTEGERS + FLOATS + ("f16",)}
        found.update({o.name: (o.type, o.count(), "0xa5") for o in self.outputs.values()})
        found.update({r.name: (self.element_of(r), self.elements_of(r), "0xa5")
                      for r in self.scope.records if not r.shared})
        found.update({t.name: (t.type, t.count, "0x3c") for t in self.scope.tables})
        for a in self.scope.accumulators:
            if a.shared:
                found[f"sum_{a.type}_{a.name}"] = (a.type, a.size * self.blocks, "0xa5")
            else:
                found[a.name] = (a.type, a.size, "0xff" if a.operation in ("min", "and", "cas") else "0")
                if a.companion():
                    found[a.name + "_seen"] = (a.type, a.size, "0")
        return found

    def used_parameters(self, names):
        found = [(name, *data) for name, data in self.buffers().items() if name in names]
        return found, [(n, *data) for n, data in self.scalars.items() if n in names]

    def render_body(self):
        writer = Writer()
        writer.depth = 1
        self.body.render(writer, Env() if self.regular else Env("live", True))
        names = names_in("\n".join(writer.lines))
        lines = []
        for wanted, line in reversed(self.declarations):
            if not names.isdisjoint(wanted):
                lines[:0] = ["  " + part for part in line.split("\n")]
                names |= names_in(line)
        if "live" in names:
            lines.append("  u32 live = __ballot_sync(0xffffffffu, 1);")
        if self.places:
            names |= names_in("\n".join(self.prologue(names)))
        return lines + writer.lines, names

    def prologue(self, names):
        if self.places:
            return self.places.prologue()
        thread = "threadIdx.x"
        if self.shape[1] > 1 or self.shape[2] > 1:
            thread += " + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
        lines = [f"  const u32 tid = {thread};"]
        block = "blockIdx.x + gridDim.x * blockIdx.y" if self.grid[1] > 1 else "blockIdx.x"
        if "block_number" in names or ("gid" in names and not self.rows):
            lines.append(f"  const u32 block_number = {block};")
        if "gid" in names and self.rows:
            lines.append("  const u32 gid = blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * "
                         "blockDim.x * (blockIdx.y * blockDim.y + threadIdx.y);")
        elif "gid" in names:
            lines.append("  const u32 gid = block_number * (blockDim.x * blockDim.y * blockDim.z)"
                         " + tid;" if self.shape[1] > 1 else
                         "  const u32 gid = block_number * blockDim.x + tid;")
        return lines

    def render(self):
        lines, names = self.render_body()
        buffers, scalars = self.used_parameters(names)
        restrict = "__restrict__ " if self.style == "restrict" else ""
        parameters = [f"{kind} *{restrict}{name}" for name, kind, _, _ in buffers]
        parameters += [f"{kind} {name}" for name, kind, _ in scalars]
        text = [f"// seed {self.seed}, kernel {self.index}"]
        text += [f.render() for f in self.functions if f.name in names or
                 not names.isdisjoint(names_in(f.call))]
        # A larger block cannot be launched if its threads take all 255 registers; bounds see to that.
        bounded = self.bounds or self.threads > 256
        bounds = f" __launch_bounds__({self.threads})" if bounded else ""
        if self.style == "structure" and parameters:
            text.append(f"struct P{self.index} {{")
            text += [f"  {p};" for p in parameters]
            text.append("};")
            text.append(f"__global__ void{bounds} {self.name}(const P{self.index} parameters) {{")
            text += [f"  const auto {n} = parameters.{n};"
                     for n in [b[0] for b in buffers] + [s[0] for s in scalars]]
        else:
            text.append(f"__global__ void{bounds} {self.name}({', '.join(parameters)}) {{")
        return "\n".join(text + self.prologue(names) + lines + ["}"])

    def launch(self):
        """Host code that runs the kernel and prints what became of its buffers."""
        _, names = self.render_body()
        buffers, scalars = self.used_parameters(names)
        lines = [f"static void launch_{self.name}(Run &run) {{"]
        arguments = []
        for name, kind, count, fill in buffers:
            if fill is None:
                arguments.append(f"run.input<{kind.split()[1]}>()")
            else:
                lines.append(f'  {kind} *{name} = run.output<{kind}>("{name}", {count}, {fill});')
                arguments.append(name)
        arguments += [f"{kind}({value})" for _, kind, value in scalars]
        if self.style == "structure" and arguments:
            lines.append(f"  const P{self.index} parameters = {{{', '.join(arguments)}}};")
            arguments = ["parameters"]
        dynamic = f", {self.dynamic}" if self.dynamic else ""
        lines.append(f"  {self.name}<<<dim3{self.grid}, dim3{self.shape}{dynamic}>>>"
                     f"({', '.join(arguments)});")
        return "\n".join(lines + ["}"])
