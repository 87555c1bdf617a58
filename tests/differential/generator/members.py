# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random accesses of elements that lie side by side in each thread: members of structures, parts of a
float4, a few elements of an array that belong to the thread. All of them or some, read and written in
turn, several arrays at a time, and through pointers that a compiler cannot tell apart."""

from .scope import VECTORS, Record
from .tree import FLOATS, INTEGERS, WIDTH, Block, Expr, Group, If, Simple, arithmetic_type

WIDTHS = (2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 16, 9, 11)
OF_BITS = {8: ("u8", "i8"), 16: ("u16", "i16"), 32: ("u32", "i32", "f32"), 64: ("u64", "i64", "f64")}
INPUT_BYTES = 65536  # of each input; differential.h has more
MOST_SHARED = 12000  # bytes
HELD = 16  # variables of each type, for what has been read


def make_record(rng, name, threads, total):
    """In global memory as a rule: `threads` is how many a block has, `total` the grid."""
    kind = rng.choice(INTEGERS + FLOATS + ("u32", "f32", "f32", "u8"))
    width = rng.choice(WIDTHS)
    shared = rng.random() < 0.3 and threads * width * WIDTH[kind] // 8 <= MOST_SHARED
    style = rng.choice(("index", "index", "pointer", "structure", "structure", "vector"))
    if style == "vector":
        width = rng.choice((2, 3, 4) if kind not in ("f64", "i64", "u64") else (2,))
    kinds = [kind] * width
    if style == "structure":
        width = min(width, 8)
        # As large as each other, or nearly.
        sizes = (WIDTH[kind],) if rng.random() < 0.8 else (8, 16, 32)
        kinds = [rng.choice(OF_BITS[rng.choice(sizes)]) for _ in range(width)]
    return Record(name, kind, kinds, style, "tid" if shared else "gid", threads if shared else total,
                  shared)


class Members:
    """Of Statements."""

    def side_by_side(self, scope):
        """Accesses of what belongs to the thread, in one array or several at a time."""
        records = self.rng.sample(scope.records, min(len(scope.records), self.rng.choice((1, 1, 2, 3))))
        for record in records:
            record.used = True
        parts = [self.accesses(record, scope) for record in records]
        if self.rng.random() < 0.4:
            parts.append(self.of_input(scope))
        statements = self.merged(parts) if self.rng.random() < 0.6 else sum(parts, [])
        statements += self.used(statements, scope)
        if self.rng.random() < 0.15:
            return If("plain", self.x.short_condition(scope), Block(statements))
        return Group(Block(statements))

    def accesses(self, record, scope):
        """Of one array; often what has just been written is read, or written again."""
        makers = (self.rotated, self.rotated, self.some_read, self.any_order, self.running_sum,
                  self.overlapping)
        rounds = self.rng.choice((1, 1, 2))
        return [s for _ in range(rounds) for s in self.rng.choice(makers)(record, scope)]

    def merged(self, parts):
        """The statements of all parts in turn; each part keeps its order."""
        left, result = [list(part) for part in parts if part], []
        while left:
            part = self.rng.choice(left)
            result.append(part.pop(0))
            left = [part for part in left if part]
        return result

    def order(self, record, most=HELD):
        members = list(range(record.width()))[:most]
        if self.rng.random() < 0.5:
            self.rng.shuffle(members)
        return members

    @staticmethod
    def held(kind, number):
        return f"held_{kind}_{number % HELD}"

    def read(self, record, member, place=None):
        kind = record.kinds[member]
        return Simple(f"{self.held(kind, member)} = {place or self.place(record, member)};")

    def place(self, record, member):
        return record.member(member, self.rng.choice(("", "", "int", "u64")))

    def write(self, record, member, value, place=None):
        kind = record.kinds[member]
        # A NaN's bits would show in the bytes of a structure.
        text = "defined({0})" if kind in FLOATS and record.style == "structure" else "{0}"
        return Simple(f"{place or self.place(record, member)} = {text};", value)

    def value(self, record, member, scope):
        """Mostly of what has been read."""
        kind = record.kinds[member]
        other = self.rng.randrange(record.width())
        held = Expr(kind, self.x.converted(self.held(record.kinds[other], other), record.kinds[other],
                                           kind), constant=False)
        if self.rng.random() < 0.3:
            return held
        if self.rng.random() < 0.2:
            return self.x.expression(kind, scope, 1)
        work = kind if kind in FLOATS else arithmetic_type(kind)
        operator = self.rng.choice("+-*" if kind in FLOATS else "+-*^")
        return Expr(kind, f"{kind}({work}({{0}}) {operator} {work}({{1}}))", held,
                    self.x.leaf(kind, scope) if self.rng.random() < 0.4
                    else self.x.varying_leaf(kind, scope))

    def rotated(self, record, scope):
        """All are read, then all written."""
        result = [self.read(record, m) for m in self.order(record)]
        if record.style == "vector" and self.rng.random() < 0.5:
            values = ", ".join(f"{{{m}}}" for m in range(record.width()))
            return result + [Simple(
                f"{record.whole()} = make_{VECTORS[record.type]}{record.width()}({values});",
                *(self.value(record, m, scope) for m in range(record.width())))]
        return result + [self.write(record, m, self.value(record, m, scope))
                         for m in self.order(record)]

    def some_read(self, record, _scope):
        """Without the first, or the last, or some in the middle; as a rule nothing is written."""
        members = self.order(record)
        kept = [m for m in members if self.rng.random() < 0.6] or members[:1]
        return [self.read(record, m) for m in kept]

    def any_order(self, record, scope):
        """Stores between loads, of the same members or of others."""
        result = []
        for _ in range(self.rng.randint(3, 2 * record.width() + 2)):
            member = self.rng.randrange(record.width())
            result.append(self.read(record, member) if self.rng.random() < 0.5
                          else self.write(record, member, self.value(record, member, scope)))
        return result

    def running_sum(self, record, scope):
        """In a loop that a compiler may unroll; each element is read and written at once."""
        if record.style not in ("index", "pointer") or scope.points:
            return self.any_order(record, scope)
        kind, counter = record.type, self.fresh("m")
        work = kind if kind in FLOATS else arithmetic_type(kind)
        element, total = record.member(counter), self.held(kind, 0)
        written = self.rng.choice((total, f"{kind}({work}({total}) - {work}({element}))",
                                   f"{kind}({work}({element}) * {work}(3))"))
        unroll = self.rng.choice(("#pragma unroll\n", "#pragma unroll\n", "", "#pragma unroll 2\n"))
        return [Simple(f"{total} = {{0}};", self.x.varying_leaf(kind, scope)),
                Simple(f"{unroll}for (int {counter} = 0; {counter} < {record.width()}; ++{counter}) "
                       f"{{{{\n  {total} = {kind}({work}({total}) + {work}({element}));\n"
                       f"  {element} = {written};\n}}}}")]

    def overlapping(self, record, scope):
        """Through a second pointer, some elements further, by a number that the compiler knows or not."""
        if record.style not in ("index", "pointer") or record.width() < 3:
            return self.any_order(record, scope)
        further = self.rng.choice(("(p1 & 1)", "int(p0 & 1)", "1", "(p4 & 1)"))
        result = []
        for _ in range(self.rng.randint(4, 2 * record.width() + 2)):
            member = self.rng.randrange(record.width() - 1)
            place = self.place(record, member) if self.rng.random() < 0.5 else \
                record.member(member, "", further)
            result.append(self.read(record, member, place) if self.rng.random() < 0.5
                          else self.write(record, member, self.value(record, member, scope), place))
        return result

    def of_input(self, scope):
        """Elements of the input, also more than there are from thread to thread."""
        kind = self.rng.choice(INTEGERS + FLOATS)
        step = self.rng.choice(WIDTHS)
        window = self.rng.choice((step, step, step + self.rng.randrange(4)))
        if (scope.total * step + window) * WIDTH[kind] // 8 > INPUT_BYTES:
            return []
        members = [m for m in range(min(window, HELD)) if self.rng.random() < 0.8]
        if self.rng.random() < 0.5:
            self.rng.shuffle(members)
        first = self.rng.choice(("gid", "int(gid)", "u64(gid)"))
        return [Simple(f"{self.held(kind, m)} = in_{kind}[{first} * {step} + {m}];") for m in members]

    def used(self, statements, scope):
        """What has been read goes into a variable, or several."""
        held = [s.text.split(" = ")[0] for s in statements
                if isinstance(s, Simple) and s.text.startswith("held_")]
        held = list(dict.fromkeys(held))
        result = []
        for start in range(0, len(held), 4):
            target, kind = self.target(scope)
            if kind in ("bool", "f16"):
                continue
            work = kind if kind in FLOATS else arithmetic_type(kind)
            terms = [f"{work}({self.x.converted(name, name.split('_')[1], kind)})"
                     for name in held[start:start + 4]]
            sum_ = terms[0]
            for factor, term in zip((3, 5, 7), terms[1:]):
                sum_ = f"({sum_} * {work}({factor}) + {term})"
            result.append(Simple(f"{target} = {kind}({work}({target}) + {sum_});"))
        return result
