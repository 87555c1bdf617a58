# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random accesses down the columns of tables, as in a transposition: neighbouring threads of a row are far
apart, by a number that only the launch decides, but those one below the other are neighbours."""

from .scope import Table
from .tree import FLOATS, INTEGERS, Expr, Simple, arithmetic_type

MOST_ELEMENTS = 8192  # the input has more


def make_table(rng, name, shape, grid, deep):
    """For a grid of such blocks. Each thread has `rounds` elements of its own in it."""
    kind = rng.choice(INTEGERS + FLOATS + ("f32", "f32", "u32", "u8"))
    column, row, block = "threadIdx.x", "threadIdx.y", ""
    columns, rows = shape[0], shape[1]
    if shape[2] == 1 and rng.random() < 0.6:  # of the grid
        column = "(blockIdx.x * blockDim.x + threadIdx.x)"
        row = "(blockIdx.y * blockDim.y + threadIdx.y)"
        columns, rows = columns * grid[0], rows * grid[1]
    else:
        rows *= shape[2]
        row = "(threadIdx.y + blockDim.y * threadIdx.z)" if shape[2] > 1 else row
        block = "block_number"
    rounds = rng.choice((1, 2, 3, 4) if deep else (1, 1, 2))
    pitch = rows
    while rounds > 1 and columns * rows * rounds > MOST_ELEMENTS:
        rounds -= 1
    extra = MOST_ELEMENTS // (columns * rounds) - rows
    if extra > 0:
        pitch += min(extra, rng.choice((0, 0, 1, 3, 16)))
    size = columns * pitch * rounds
    blocks = grid[0] * grid[1] * grid[2] if block else 1
    return Table(name, kind, column, row, columns, rows, pitch, rounds, rng.choice((0, 0, 0, 1, 2, 3, 4)),
                 block, size, size * blocks)


class Tables:
    """Of Statements."""

    def table_index(self, table, counter, form):
        """Of this thread's element in a round. Each form gives all threads elements of their own."""
        kind = self.rng.choice(("int", "int", "int", "u32", "u64"))
        column, row = f"{kind}({table.column})", f"{kind}({table.row})"
        pitch = self.rng.choice(("p7", "p7", f"{kind}(p7)", str(table.pitch)))
        columns, rounds = table.columns, table.rounds
        ahead = "" if counter == "0" else f"{counter} * {columns} + "
        return (f"({ahead}{column}) * {pitch} + {row}",
                f"({column} * {rounds} + {counter}) * {pitch} + {row}",
                f"{column} * ({rounds} * {pitch}) + {counter} * {pitch} + {row}",
                f"({ahead}{columns - 1} - {column}) * {pitch} + {row}",
                f"({ahead}{column}) * {pitch} + {table.rows - 1} - {row}",
                f"({counter} * {table.rows} + {row}) * {columns} + {column}")[form]

    def table_place(self, table, counter):
        block = f"{table.block} * {table.size} + " if table.block else ""
        return f"{table.name}[{block}{self.table_index(table, counter, table.form)}]"

    def down_columns(self, scope):
        """An element is written, or read, or one is read and the other written; once or in a loop."""
        table = self.rng.choice(scope.tables)
        loops = table.rounds > 1 and not scope.points and self.rng.random() < 0.7
        counter = self.fresh("c") if loops else str(self.rng.randrange(table.rounds))
        inside = scope.inside(readable=scope.readable + [(counter, "u32", True)]) if loops else scope
        lines, exprs = [], []
        if self.rng.random() < 0.6:
            target, kind = self.target(scope)
            if kind not in ("bool", "f16"):
                lines.append(self.column_read(table, counter, target, kind))
        if not lines or self.rng.random() < 0.7:
            lines.append(f"{self.table_place(table, counter)} = {{0}};")
            exprs.append(self.x.expression(table.type, inside, 1))
        if not loops:
            return Simple("\n".join(lines), *exprs)
        unroll = self.rng.choice(("", "#pragma unroll 1\n", "#pragma unroll\n"))
        body = "\n".join("  " + line for line in lines)
        return Simple(f"{unroll}for (int {counter} = 0; {counter} < {table.rounds}; ++{counter}) "
                      f"{{{{\n{body}\n}}}}", *exprs)

    def column_read(self, table, counter, target, kind):
        """Of the table, or of the input, which all may read."""
        source = self.rng.choice((kind, table.type, "f32", "u8"))
        form = self.rng.choice((0, 0, 0, 1, 2, 3, 4, 5))
        place = f"in_{source}[{self.table_index(table, counter, form)}]"
        if self.rng.random() < 0.3:
            source, place = table.type, self.table_place(table, counter)
        work, value = kind if kind in FLOATS else arithmetic_type(kind), self.x.converted(place, source, kind)
        return f"{target} = {kind}({work}({target}) {self.rng.choice('+-*')} {work}({value}));"

    def walk_along_rows(self, scope):
        """Each thread goes along a row of its own."""
        kinds = [k for k in ("f32", "u32", "i32", "f64", "u64") if scope.variables.get(k)]
        if not kinds:
            return None
        kind, counter = self.rng.choice(kinds), self.fresh("c")
        target, source = self.rng.choice(scope.variables[kind]), self.rng.choice((kind, "u8", "f32"))
        number = self.rng.choice(("tid", "threadIdx.x", "(threadIdx.x + blockIdx.x)"))
        work = kind if kind in FLOATS else arithmetic_type(kind)
        trip = Expr("rounds", f"({{0}} & {self.rng.choice((3, 7))})", self.x.uniform(scope, 1))
        # Numbers of threads reach 1023, so a pitch is small, or the last rows are beyond the input.
        pitch = self.rng.choice(("(p7 & 7)", "(p7 & 7)", "(p4 & 7)", "5"))
        index = self.rng.choice((f"int({number}) * {pitch} + {counter}",
                                 f"u64({number}) * {pitch} + {counter}",
                                 f"({counter} + int({number})) * {pitch} + {self.rng.randrange(64)}"))
        element = self.x.converted(f"in_{source}[{index}]", source, kind)
        return Simple(f"for (int {counter} = 0; {counter} < int({{0}}); ++{counter})\n"
                      f"  {target} = {kind}({work}({target}) * {work}(3) + {work}({element}));", trip)
