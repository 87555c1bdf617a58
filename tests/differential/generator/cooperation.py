# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements in which threads act together: warp operations, barriers, atomics.

Each is race-free by itself: what lanes exchange through memory lies between two barriers, and what
atomics change no thread reads before a barrier or the end of the kernel.
"""

from .tree import FLOATS, Expr, Simple, arithmetic_type

ATOMICS = {  # operation: types on which it exists
    "add": ("i32", "u32", "u64"), "min": ("i32", "u32", "i64", "u64"),
    "max": ("i32", "u32", "i64", "u64"), "and": ("i32", "u32", "u64"), "or": ("i32", "u32", "u64"),
    "xor": ("i32", "u32", "u64"), "cas": ("u32", "u64"), "inc": ("u32",), "ticket": ("u32",),
    "exchange": ("u32", "u64"),
}
SHUFFLED = ("i32", "u32", "i64", "u64", "f32", "f64")


class Cooperation:
    def __init__(self, rng, expressions):
        self.rng = rng
        self.x = expressions

    def variable_of(self, kind, scope):
        names = scope.variables.get(kind)
        return self.rng.choice(names) if names else None

    # Within a warp

    def warp_operation(self, scope):
        return self.x.pick(((4, self.shuffle), (4, self.vote), (3, self.match), (4, self.reduction),
                            (1, self.synchronise)))(scope)

    def shuffle(self, scope):
        kinds = [k for k in SHUFFLED if scope.variables.get(k)]
        kind = self.rng.choice(kinds)
        target = self.variable_of(kind, scope)
        value = self.x.expression(kind, scope, 1)
        at = self.rng.random()
        if at < 0.3:
            lane = self.x.integer("u32", scope, 1)
            return Simple(f"{target} = __shfl_sync({{mask}}, {{0}}, sourceLane({{live}}, {{1}}));",
                          value, lane)
        name = self.rng.choice(("Up", "Down", "Xor", "Index"))
        width = self.rng.choice((32, 32, 32, 16, 8, 4))
        step = self.x.uniform(scope, 1) if self.rng.random() < 0.2 else self.x.integer(
            "u32", scope, 1) if self.rng.random() < 0.2 else \
            Expr("u32", str(self.rng.choice((1, 1, 2, 4, 8, 16, 3))), constant=True)
        return Simple(f"{target} = shuffle{name}<{width}>({{mask}}, {{live}}, {{0}}, {{1}} & 31);",
                      value, step)

    def shuffle_in_rounds(self, scope):
        """Each lane comes to one shuffle, but in different rounds of a loop: groups of lanes that wait
        at the same place with other counters."""
        kind = self.rng.choice([k for k in SHUFFLED if scope.variables.get(k)])
        target, start = self.variable_of(kind, scope), self.x.integer("u32", scope, 1)
        step = self.rng.choice((1, 2, 4, 8, 16, 3))
        return Simple("{{\n  const u32 start = {0};\n#pragma unroll 1\n"
                      "  for (u32 round = 0; round < 4; ++round)\n"
                      "    if (((start + round) & 3) == 0)\n"
                      f"      {target} = {kind}(shuffleXor<32>({{mask}}, {{live}}, {target}, {step})"
                      f" + {kind}(round * 7));\n}}}}", start)

    def vote(self, scope):
        target = self.variable_of("u32", scope)
        condition = self.agreeing(scope) if self.rng.random() < 0.4 else self.x.boolean(scope, 2)
        name = self.rng.choice(("ballot", "ballot", "any", "all", "uni"))
        text = f"u32(__{name}_sync({{mask}}, {{0}}))"
        if name == "ballot" and self.rng.random() < 0.5:
            text = self.rng.choice((f"__popc({text})", f"__popc({text} & ((1u << lane()) - 1))",
                                    f"__ffs({text})"))
        return Simple(f"{target} = {text};", condition)

    def agreeing(self, scope):
        """A condition on which all lanes agree, or all but a few."""
        if self.rng.random() < 0.4:
            return self.x.uniform_boolean(scope)
        value = self.x.varying("u32", scope, 1)
        return Expr("bool", self.rng.choice(("({0} != 77777)", "({0} == 77777)")), value)

    def match(self, scope):
        target = self.variable_of("u32", scope)
        kind = self.rng.choice(("u32", "u64", "u64", "i32"))
        bits = self.rng.choice(("1", "3", "7") if kind != "u64" else ("3", "0x100000001ull << 1"))
        value = Expr(kind, f"{kind}({{0}} & ({bits}))", self.x.integer(kind, scope, 1))
        if self.rng.random() < 0.6:
            return Simple(f"{target} = __match_any_sync({{mask}}, {{0}});", value)
        same = Expr(kind, "{0}", value) if self.rng.random() < 0.5 else \
            Expr(kind, f"{kind}({{0}})", self.x.uniform(scope, 1))
        return Simple("{{\n  int same;\n"
                      f"  {target} = __match_all_sync({{mask}}, {{0}}, &same);\n"
                      f"  {target} += same;\n}}}}", same)

    def reduction(self, scope):
        name, kind = self.rng.choice((("add", "u32"), ("min", "u32"), ("min", "i32"),
                                      ("max", "u32"), ("max", "i32"), ("and", "u32"),
                                      ("or", "u32"), ("xor", "u32")))
        target = self.variable_of(kind, scope)
        return Simple(f"{target} = __reduce_{name}_sync({{mask}}, {{0}});",
                      self.x.integer(kind, scope, 1))

    def synchronise(self, _scope):
        return Simple("__syncwarp({mask});")

    def warp_exchange(self, scope):
        """Through shared memory, with __syncwarp for a barrier."""
        array = self.rng.choice(scope.owned)
        target = self.variable_of(array.type, scope)
        if not target:
            return None
        slot = array.slot_of_lane.format("sourceLane({live}, {1})")
        return Simple(f"{array.name}[{array.own}] = {{0}};\n__syncwarp({{mask}});\n"
                      f"{target} = {array.name}[{slot}];\n__syncwarp({{mask}});",
                      self.x.expression(array.type, scope, 1), self.x.integer("u32", scope, 1))

    def overtaken_load(self, scope):
        """One load that half of the lanes come to when others have changed the memory: lanes that wait
        at the same place then, but have seen another value, though all lanes load from one address."""
        arrays = [a for a in scope.owned if a.type in SHUFFLED and scope.variables.get(a.type)]
        if not arrays:
            return None
        array = self.rng.choice(arrays)
        kind, target = array.type, self.variable_of(array.type, scope)
        work = kind if kind in FLOATS else arithmetic_type(kind)
        # Where all lanes are here, the compiler can see that they load from one address.
        source = f"sourceLane({{live}}, {self.rng.randrange(32)})"
        slot = array.slot_of_lane.format("0u" if scope.uniform else source)
        return Simple(f"{{{{\n  {array.name}[{array.own}] = {{0}};\n  __syncwarp({{mask}});\n"
                      "  const u32 late = {live} & 0xaaaaaaaau;\n"
                      "  if (lane() & 1) {{\n    __syncwarp({mask});\n"
                      f"    if (late >> lane() == 1)\n      {array.name}[{slot}] = {{1}};\n"
                      f"    __syncwarp(late);\n  }}}}\n  const {kind} seen = {array.name}[{slot}];\n"
                      "  if (!(lane() & 1))\n    __syncwarp({mask});\n"
                      f"  {target} = {kind}({work}(shuffleXor<32>({{mask}}, {{live}}, seen, 1)) +"
                      f" {work}(seen));\n  __syncwarp({{mask}});\n}}}}",
                      self.x.expression(kind, scope, 1), self.x.expression(kind, scope, 1))

    def masked_call(self, scope):
        functions = scope.masked_functions
        function = self.rng.choice(functions)
        target = self.variable_of(function.type, scope)
        if not target:
            return None
        value = self.x.expression(function.type, scope, 1)
        if len(functions) > 1 and functions[0].type == functions[1].type and \
                self.rng.random() < 0.5:
            # Lanes that call the same function find each other first.
            one, other = functions[:2]
            return Simple("{{\n  const u32 which = u32({0}) & 1;\n"
                          "  const u32 group = __match_any_sync({mask}, which);\n"
                          f"  {target} = (which ? {one.name} : {other.name})(group, {{1}});\n}}}}",
                          self.x.integer("u32", scope, 1), value)
        return Simple(f"{target} = {function.name}({{live}}, {{0}});", value)

    # Within a block

    def block_vote(self, scope):
        name = self.rng.choice(("count", "and", "or"))
        target = self.rng.choice(scope.uniform_variables)
        condition = self.x.short_condition(scope) if scope.regular else self.x.boolean(scope, 2)
        return Simple(f"{target} = u32(__syncthreads_{name}({{0}}));", condition)

    def block_call(self, scope):
        """A function that all threads of the block call, with barriers in it."""
        array, function = self.rng.choice(scope.block_functions)
        target = self.variable_of(array.type, scope)
        if not target or array not in scope.owned:
            return None
        return Simple(f"{target} = {function.name}({array.name}, tid, {{0}});",
                      self.x.expression(array.type, scope, 1))

    # Within the grid

    def atomic(self, scope):
        accumulator = self.rng.choice(scope.accumulators)
        accumulator.used = True
        kind, operation = accumulator.type, accumulator.operation
        index = self.x.index(scope, accumulator.size)
        value = self.x.integer(kind, scope, 2)
        cell = f"{accumulator.name}[{{0}}]"
        if operation == "cas":
            return Simple(f"combineByCas(&{cell}, {{1}});", index, value)
        if operation == "inc":
            return Simple(f"atomicInc(&{cell}, {accumulator.limit}u);", index)
        if operation == "ticket":
            # Which thread gets which ticket is open, but not which tickets there are.
            return Simple("{{\n  const u32 cell = {0};\n"
                          f"  const u32 ticket = atomicAdd(&{accumulator.name}[cell], 1u);\n"
                          f"  atomicXor(&{accumulator.name}_seen[cell], ticket * 0x9e3779b9u);\n}}}}",
                          index)
        if operation == "exchange":
            # What goes in comes out at some time, or is there at the end.
            return Simple("{{\n  const u32 cell = {0};\n"
                          f"  const {kind} old = atomicExch(&{accumulator.name}[cell], {{1}});\n"
                          f"  atomicXor(&{accumulator.name}_seen[cell], old);\n}}}}", index, value)
        name = {"add": "Add", "min": "Min", "max": "Max", "and": "And", "or": "Or",
                "xor": "Xor"}[operation]
        if operation == "add" and kind != "u64" and self.rng.random() < 0.3:
            name = "Sub"
        return Simple(f"atomic{name}(&{cell}, {{1}});", index, value)
