# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many threads that ask only for their place in the grid, as kernels over pictures and volumes do. Their
blocks are narrow along x, so that an engine may run some that lie side by side as one; or they write more
than a CPU's caches hold. Some ask for a little more, and their blocks must stay what they are."""

import dataclasses

from .tree import FLOATS, Expr, Simple, arithmetic_type

NARROW_SHAPES = ((8, 8, 1), (16, 4, 1), (4, 4, 1), (2, 2, 2), (8, 4, 2), (1, 8, 1), (16, 1, 1), (8, 1, 1),
                 (3, 5, 1), (5, 3, 2), (12, 2, 1), (10, 4, 1), (24, 2, 1), (6, 2, 2), (7, 3, 1),
                 (16, 8, 1), (4, 2, 4), (2, 8, 1), (8, 2, 1), (4, 8, 1))
LARGE_SHAPES = ((256, 1, 1), (32, 8, 1), (16, 16, 1), (16, 4, 1), (16, 8, 1), (8, 8, 1))
ROW = 32  # threads of a row, up to which an engine has reason to join blocks
ENOUGH_BLOCKS = 64
MOST_THREADS = 16384  # of those with narrow blocks; the input has a little more elements of 64 bits
LARGE = 1 << 20  # threads, or a few more; with 40 bytes each they write more than most last-level caches hold
STRAYS = ("threadIdx.x", "threadIdx.x", "lane()", "laneRegister()", "gridDim.x", "blockIdx.x", "blockDim.x",
          "fence", "loop", "column")


@dataclasses.dataclass
class Places:
    """columns, rows, planes: threads of the grid. width: from one block to the next, and how the code
    calls that. form: of px in the code. table: columns, rows, planes of the input that are read as a table.
    stray: what the kernel asks for beside its place, or nothing. shift, extra: elements of a large output
    before the first, and behind each row."""
    shape: tuple
    grid: tuple
    width: int
    width_text: str
    form: int
    large: bool = False
    stray: str = ""
    shift: int = 0
    extra: int = 0

    def __post_init__(self):
        self.columns = self.grid[0] * self.width
        self.rows, self.planes = (self.grid[i] * self.shape[i] for i in (1, 2))
        self.total = self.columns * self.rows * self.planes
        self.table = (min(self.columns, 128), min(self.rows, 64), 1) if self.large else \
            (self.columns, self.rows, self.planes)

    def prologue(self):
        """px, py, pz and gid, the number among all places."""
        block, own = f"blockIdx.x * {self.width_text}", "threadIdx.x"
        x = (f"{block} + {own}", f"{own} + {block}", f"{self.width_text} * blockIdx.x + {own}")[self.form]
        lines = [f"  const u32 px = {x};", "  const u32 py = blockIdx.y * blockDim.y + threadIdx.y;"]
        place = "py"
        if self.planes > 1:
            lines.append("  const u32 pz = blockIdx.z * blockDim.z + threadIdx.z;")
            place = "(py + u32(p9) * pz)"
        lines.append(f"  const u32 gid = px{f' + u32(p8) * {place}' if self.total > self.columns else ''};")
        return lines


def make_places(rng, large):
    """Of a kernel with a large output, or with narrow blocks."""
    if large:
        shape = rng.choice(LARGE_SHAPES)
        deep = rng.choice((1, 4, 16, 64)) if shape[1] > 1 else 1
        in_row = LARGE // (shape[0] * shape[1] * deep)
        # Rows of a gang that do not all begin with a line of memory, in blocks that cannot be joined; or any.
        uneven = shape[1] > 1 and rng.random() < 0.5
        in_row += uneven or rng.random() < 0.3
        return Places(shape, (in_row, deep, 1), shape[0], "blockDim.x", rng.randrange(3), True, "",
                      rng.choice((0, 0, 16) if uneven else (0, 0, 0, 4, 8, 16, 1, 5)),
                      rng.choice((3, 4) if uneven else (0, 0, 4, 3)))
    shape = rng.choice(NARROW_SHAPES)
    joined = 1
    while shape[0] * joined * 2 <= ROW:
        joined *= 2
    joined = rng.choice((joined,) * 5 + (max(joined // 2, 1), 1))
    width, width_text = shape[0], rng.choice(("blockDim.x",) * 5 + (str(shape[0]),) * 2)
    if rng.random() < 0.06:  # blocks leave places out between them
        width = rng.choice([w for w in (4, 8, 16, 32) if w >= shape[0]])
        width_text = str(width)
    stray = rng.choice(STRAYS) if rng.random() < 0.25 else ""
    return Places(shape, choose_grid(rng, shape, joined, width), width, width_text, rng.randrange(3), False,
                  stray)


def choose_grid(rng, shape, joined, width):
    """With enough blocks for that many to be joined, as a rule, and a row of them not always divisible."""
    most = max(1, MOST_THREADS // (width * shape[1] * shape[2]))
    in_row = joined * rng.choice((1, 1, 2, 3, 4, 5, 7)) + (rng.random() < 0.15)
    while in_row > most:
        in_row = max(1, in_row // 2)
    fewest = min(-(-ENOUGH_BLOCKS * joined // in_row), most // in_row)
    if rng.random() < 0.1:
        fewest = 1
    rest = rng.randint(fewest, max(fewest, min(most // in_row, fewest + 40)))
    deep = rng.choice((1, 2, 3)) if shape[2] > 1 or rng.random() < 0.2 else 1
    return in_row, max(1, rest // deep), deep


class PlaceIndices:
    """Of Expressions."""

    def place_index(self, scope):
        """An element of the input: the thread's own, or a neighbour's."""
        return self.pick((
            (4, lambda: self.own_place(scope)), (5, lambda: self.neighbour(scope)),
            (2, self.divided_index),
            (1, lambda: Expr("index", "{0} & 16383", self.varying_leaf("u32", scope))),
            (1, lambda: Expr("index", "{0} & 16383", self.uniform(scope, 1)))))()

    def load_of_place(self, kind, scope):
        """What a variable is at first."""
        return f"in_{kind}[{(self.own_place if self.rng.random() < 0.5 else self.neighbour)(scope).render()}]"

    def own_place(self, scope):
        places, offset = scope.places, self.rng.choice((0, 0, 1, 5, 16, self.rng.randrange(200)))
        texts = [f"(gid + {offset}) & 16383", f"(px & 4095) + {offset}", f"(py & 1023) + {offset}"]
        if not places.large:
            texts += [f"gid + {offset}"] * 4 + [f"{places.total - 1} - gid", f"px + {offset}"]
        return Expr("index", self.rng.choice(texts), constant=False)

    def neighbour(self, scope, distances=None):
        """The nearest there is, or, where there is none, the one on the other side."""
        columns, rows, planes = scope.places.table
        x, y, z = (self.beside(name, count, distance) for name, count, distance in
                   zip(("px", "py", "pz"), (columns, rows, planes), distances or ("", "", "")))
        if planes > 1:
            y = f"({z} * {rows} + {y})"
        return Expr("index", f"{y} * {columns} + {x}" if rows * planes > 1 else x, constant=False)

    def beside(self, name, count, distance):
        if count == 1:
            return "0"
        last = count - 1
        if not distance:
            step = self.rng.choice((0, 0, 1, 1, 2))
            # In a large grid, most have no place in the table.
            distance = f"+ {step}" if self.rng.random() < 0.5 else f"- {step}"
            if self.rng.random() < 0.3 and count > 4:
                return f"({name} < {last}u ? int({name}) + 1 : 0)" if "+" in distance else \
                    f"({name} - 1u < {last}u ? int({name}) - 1 : {last})"
        return f"min(max(int({name}) {distance}, 0), {last})"


class Stencils:
    """Of Statements."""

    def stencil(self, scope):
        """A sum over neighbours along one axis, in a loop whose rounds are known."""
        kinds = [k for k in scope.variables if k not in ("bool", "f16")]
        if not kinds:
            return None
        kind, counter, axis = self.rng.choice(kinds), self.fresh("d"), self.rng.randrange(3)
        target, source = self.rng.choice(scope.variables[kind]), self.rng.choice((kind, kind, "f32", "u8"))
        index = self.x.neighbour(scope, [f"+ {counter}" if i == axis else "+ 0" for i in range(3)])
        work = kind if kind in FLOATS else arithmetic_type(kind)
        element = self.x.converted(f"in_{source}[{index.render()}]", source, kind)
        unroll = self.rng.choice(("", "", "#pragma unroll\n", "#pragma unroll 1\n"))
        reach = self.rng.choice((1, 1, 2))
        return Simple(f"{unroll}for (int {counter} = -{reach}; {counter} <= {reach}; ++{counter})\n"
                      f"  {target} = {kind}({work}({target}) * {work}(3) + {work}({element}));")

    def stray(self, scope):
        """What makes it matter where a block ends; or what an engine may think does."""
        what, (target, kind) = scope.places.stray, self.target(scope)
        if what == "fence":
            return Simple("__threadfence_block();")
        work = kind if kind in FLOATS else arithmetic_type(kind)
        if what == "loop":
            return Simple(f"for (int r = 0; r < (p1 & 3) + 1; ++r)\n"
                          f"  {target} = {kind}({work}({target}) * {work}(5) + {work}(r));")
        if what == "column":
            what = self.x.converted(f"in_u32[(px * {scope.places.rows} + py) & 16383]", "u32", kind)
        return Simple(f"{target} = {kind}({work}({target}) * {work}(3) + {work}({what}));")
