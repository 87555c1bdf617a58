# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a statement may use and do at its place in a kernel."""

import dataclasses

from .tree import WIDTH

VECTORS = {"f32": "float", "i32": "int", "u32": "uint", "i8": "char", "u8": "uchar", "i16": "short",
           "u16": "ushort", "f64": "double", "i64": "longlong", "u64": "ulonglong"}


@dataclasses.dataclass
class Array:
    """An array of threads' own (local), or of the block (shared), with `size` elements. For a shared
    one, own is the index of the slot that only this thread touches outside of an Exchange,
    slot_of_lane that of a lane {0} of this warp, slot that of thread {0} of the block, and slot_of_any
    the same, where {0} may be any number. shape: of the block, rows of all planes together, with this
    thread's row and column."""
    name: str
    type: str
    size: int
    own: str = ""
    slot_of_lane: str = ""
    slot: str = ""
    slot_of_any: str = ""
    threads: int = 0
    shape: tuple = (1, 1)
    row: str = ""
    column: str = ""
    row_threads: int = 1


@dataclasses.dataclass
class Record:
    """Elements of threads' own that lie side by side, with those of thread `first` + 1 behind those of
    `first`. style: how a program names them (index, pointer, structure, vector); kinds: their types."""
    name: str
    type: str
    kinds: list
    style: str
    first: str
    threads: int
    shared: bool
    used: bool = False

    def width(self):
        return len(self.kinds)

    def member(self, number, cast="", further=""):
        """An element; further: from a pointer that points so many elements behind the record's."""
        if self.style == "structure":
            return f"((S_{self.name} *){self.name})[{self.first}].m{number}"
        if self.style == "vector":
            return f"{self.whole()}.{'xyzw'[int(number)]}"
        first = f"{cast}({self.first})" if cast else self.first
        base = f"({self.name} + {further})" if further else self.name
        if self.style == "pointer":
            return f"({base} + {first} * {self.width()})[{number}]"
        return f"{base}[{first} * {self.width()} + {number}]"

    def whole(self):
        return f"(({VECTORS[self.type]}{self.width()} *){self.name})[{self.first}]"

    def bytes(self):
        """Of a thread, as C++ lays out its structures."""
        end, sizes = 0, [WIDTH[kind] // 8 for kind in self.kinds]
        for size in sizes + [max(sizes)]:
            end = (end + size - 1) // size * size + size
        return end - max(sizes)


@dataclasses.dataclass
class Table:
    """A matrix of columns that lie behind each other, `pitch` elements from one to the next, of which each
    thread has `rounds` elements of its own. size: elements of one block's matrix, if each has one, number
    `block`, or of all. form: which of them are the thread's."""
    name: str
    type: str
    column: str
    row: str
    columns: int
    rows: int
    pitch: int
    rounds: int
    form: int
    block: str
    size: int
    count: int


@dataclasses.dataclass
class Accumulator:
    """Memory that many threads change with one atomic operation, so that the order does not matter."""
    name: str
    type: str
    operation: str
    size: int
    shared: bool
    limit: int = 0  # of atomicInc
    used: bool = False

    def companion(self):
        """Does it come with a second array, {name}_seen?"""
        return self.operation in ("ticket", "exchange")


@dataclasses.dataclass
class Scope:
    """uniform: all threads of the block that have not ended run this together. masked: a mask of the
    lanes that run this together is known. jumps: the jumps allowed here. weight: how often one thread
    may come here. regular: threads do alike with what lies side by side. points: and each by itself,
    without loops. plane: a thread's column and
    row in a table, or what it takes for them. total: how many threads there are. places: what else there
    is of a kernel that asks only for its place in the grid (places.py)."""
    variables: dict  # type: names that may be read and assigned
    uniform_variables: list = dataclasses.field(default_factory=list)
    readable: list = dataclasses.field(default_factory=list)  # (text, type, uniform)
    arrays: list = dataclasses.field(default_factory=list)
    owned: list = dataclasses.field(default_factory=list)  # shared arrays: own slot only
    public: list = dataclasses.field(default_factory=list)  # shared arrays: anyone may read
    accumulators: list = dataclasses.field(default_factory=list)
    structures: list = dataclasses.field(default_factory=list)
    vectors: list = dataclasses.field(default_factory=list)
    packets: list = dataclasses.field(default_factory=list)
    records: list = dataclasses.field(default_factory=list)
    tables: list = dataclasses.field(default_factory=list)
    outputs: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)
    masked_functions: list = dataclasses.field(default_factory=list)
    block_functions: list = dataclasses.field(default_factory=list)  # (shared array, function)
    buffers: bool = True  # the kernel's buffers are at hand
    regular: bool = False
    points: bool = False
    plane: tuple = ("(gid & 15)", "(gid >> 4)")
    total: int = 1
    places: object = None
    uniform: bool = True
    masked: bool = True
    jumps: tuple = ()
    labels: tuple = ()
    depth: int = 0
    weight: int = 1

    def inside(self, **changes):
        """The scope of a block in a statement of this scope."""
        changes.setdefault("depth", self.depth + 1)
        return dataclasses.replace(self, **changes)

    def divergent(self, **changes):
        """The scope of a block that some lanes run, which is not known."""
        return self.inside(uniform=False, masked=False, **changes)

    def all_variables(self):
        return [(name, kind) for kind, names in self.variables.items() for name in names]
