# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of a given type, without side effects and without undefined results."""

from .indices import INPUT_ELEMENTS, Indices
from .narrow import Narrow
from .places import PlaceIndices
from .tree import FLOATS, INTEGERS, WIDTH, Expr, arithmetic_type

INTEGER_CONSTANTS = {
    8: ("0", "1", "2", "7", "0x7f", "0x80", "0xff", "33"),
    16: ("0", "1", "3", "255", "0x7fff", "0x8000", "0xffff", "1000"),
    32: ("0", "1", "2", "5", "31", "32", "255", "1000003", "0x7fffffff", "0x80000000u",
         "0xffffffffu", "0x9e3779b9u"),
    64: ("0", "1", "3", "63", "0xffffffffull", "0x100000000ull", "0x7fffffffffffffffull",
         "0x8000000000000000ull", "0xffffffffffffffffull", "0x9e3779b97f4a7c15ull"),
}
FLOAT_CONSTANTS = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "3.1415927", "-2.5e10", "1e-30",
                   "1e38", "0.1", "1e-42", "16777216.0")

# Functions of device mathematics: name, number of operands. Those that become many instructions are
# rationed, for compile time is what the tests mostly take.
CHEAP_MATH = (("fabs", 1), ("sqrt", 1), ("floor", 1), ("ceil", 1), ("trunc", 1), ("rint", 1),
              ("fma", 3), ("fmin", 2), ("fmax", 2), ("fdim", 2))
COSTLY_MATH_F32 = (("sinf", 1), ("cosf", 1), ("tanf", 1), ("expf", 1), ("exp2f", 1), ("logf", 1),
                   ("log2f", 1), ("log1pf", 1), ("expm1f", 1), ("powf", 2), ("atan2f", 2),
                   ("atanf", 1), ("asinf", 1), ("sinhf", 1), ("tanhf", 1), ("cbrtf", 1),
                   ("hypotf", 2), ("erff", 1), ("rsqrtf", 1), ("fmodf", 2), ("roundf", 1),
                   ("__sinf", 1), ("__cosf", 1), ("__expf", 1), ("__logf", 1), ("__log2f", 1),
                   ("__powf", 2), ("__fdividef", 2), ("__frsqrt_rn", 1), ("__saturatef", 1),
                   ("__fadd_rz", 2), ("__fmul_ru", 2), ("__frcp_rn", 1), ("__fmaf_rn", 3))
COSTLY_MATH_F64 = (("sin", 1), ("exp", 1), ("log", 1), ("pow", 2), ("cbrt", 1), ("rsqrt", 1),
                   ("atan", 1), ("__dadd_rn", 2), ("__dmul_rn", 2), ("__fma_rn", 3), ("round", 1))

# Integer intrinsics: text, result, operands.
INTRINSICS = (
    ("__popc({0})", "i32", "u32"), ("__clz(int({0}))", "i32", "u32"),
    ("__ffs(int({0}))", "i32", "u32"), ("__brev({0})", "u32", "u32"),
    ("__popcll({0})", "i32", "u64"), ("__clzll(i64({0}))", "i32", "u64"),
    ("__ffsll(i64({0}))", "i32", "u64"), ("__brevll({0})", "u64", "u64"),
    ("__byte_perm({0}, {1}, {2})", "u32", "u32", "u32", "u32"),
    ("__umulhi({0}, {1})", "u32", "u32", "u32"), ("__mulhi({0}, {1})", "i32", "i32", "i32"),
    ("__umul64hi({0}, {1})", "u64", "u64", "u64"), ("__mul64hi({0}, {1})", "i64", "i64", "i64"),
    ("__umul24({0} & 0xffffffu, {1} & 0xffffffu)", "u32", "u32", "u32"),
    ("__sad({0}, {1}, {2})", "u32", "i32", "i32", "u32"),
    ("__usad({0}, {1}, {2})", "u32", "u32", "u32", "u32"),
    ("__hadd({0}, {1})", "i32", "i32", "i32"), ("__rhadd({0}, {1})", "i32", "i32", "i32"),
    ("__uhadd({0}, {1})", "u32", "u32", "u32"),
    ("__funnelshift_l({0}, {1}, {2})", "u32", "u32", "u32", "u32"),
    ("__funnelshift_rc({0}, {1}, {2})", "u32", "u32", "u32", "u32"),
    ("__dp4a({0}, {1}, {2})", "u32", "u32", "u32", "u32"),
    ("__vadd4({0}, {1})", "u32", "u32", "u32"), ("__vmaxs2({0}, {1})", "u32", "u32", "u32"),
    ("__vabsdiffu4({0}, {1})", "u32", "u32", "u32"), ("__vcmpgtu4({0}, {1})", "u32", "u32", "u32"),
)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions(Indices, PlaceIndices, Narrow):
    """Makes expressions for one kernel; `costly` more functions may be expensive to compile."""

    def __init__(self, rng, costly):
        self.rng = rng
        self.costly = costly

    def pick(self, choices):
        """One of (weight, value) pairs with a weight above 0."""
        at = self.rng.random() * sum(weight for weight, _ in choices)
        for weight, value in choices:
            at -= weight
            if at < 0:
                return value
        return [value for weight, value in choices if weight][-1]

    # Leaves

    def constant(self, kind):
        if kind == "bool":
            return Expr(kind, self.rng.choice(("true", "false")), constant=True)
        if kind in INTEGERS:
            return Expr(kind, f"{kind}({self.rng.choice(INTEGER_CONSTANTS[WIDTH[kind]])})",
                        constant=True)
        text = self.rng.choice(FLOAT_CONSTANTS)
        return Expr(kind, f"f32({text}f)" if kind == "f32" else f"{kind}({text})", constant=True)

    def varying_leaf(self, kind, scope):
        """Something that no compiler can compute: a variable or a number of the thread."""
        same = [(name, kind) for name in scope.variables.get(kind, ())]
        others = [v for v in scope.all_variables() if v[1] not in ("bool", "f16")] if \
            kind not in ("f16", "bool") else []
        choices = [v for v in scope.readable if not v[2]]
        if same and (not others or self.rng.random() < 0.75):
            name, source = self.rng.choice(same)
        elif choices and kind not in ("f16", "bool") and (not others or self.rng.random() < 0.4):
            name, source = self.rng.choice(choices)[:2]
        elif others:
            name, source = self.rng.choice(others)
        else:
            name, source = self.rng.choice(scope.all_variables())
        return Expr(kind, self.converted(name, source, kind), constant=False)

    @staticmethod
    def converted(text, source, kind):
        if source == kind:
            return text
        if source == "f16":
            text, source = f"__half2float({text})", "f32"
        if kind == "f16":
            return f"__float2half({text if source == 'f32' else f'f32({text})'})"
        if kind == "bool":
            return f"({text} > 0)" if source in FLOATS else f"(({text} & 1) != 0)"
        return text if source == kind else f"{kind}({text})"

    def load(self, kind, scope):
        """A read from memory, or None where there is none of this type."""
        choices = []
        if scope.buffers and kind != "bool":
            choices.append((3, lambda: Expr(kind, f"in_{kind}[{{0}}]",
                                            self.index(scope, INPUT_ELEMENTS))))
            if not scope.places:
                choices.append((0.15 if scope.regular else 0.4,
                                lambda: self.guarded_load(kind, scope)))
        if kind == "u32":
            choices.append((1, lambda: Expr(kind, "constants[{0} & 63]",
                                            self.uniform(scope, 0) if scope.regular
                                            else self.varying_leaf("u32", scope))))
        for array in scope.arrays:
            if array.type == kind:
                choices.append((2, lambda a=array: Expr(kind, f"{a.name}[{{0}}]",
                                                        self.index(scope, a.size))))
        for array in scope.owned:
            if array.type == kind:
                choices.append((2, lambda a=array: Expr(kind, f"{a.name}[{a.own}]",
                                                        constant=False)))
        for array in scope.public:
            if array.type == kind:
                choices.append((6, lambda a=array: self.of_any_thread(a, scope)))
        for output in scope.outputs:
            if output.type == kind:
                choices.append((1, lambda o=output: Expr(
                    kind, f"{o.name}[{o.slot(self.rng.randrange(o.slots))}]", constant=False)))
        for name, fields in scope.structures + scope.vectors:
            for field, source in fields:
                if source == kind:
                    choices.append((1, lambda n=name, f=field: Expr(kind, f"{n}.{f}",
                                                                    constant=False)))
        choices += self.mixed_loads(kind, scope)
        return self.pick(choices)() if choices else None

    def of_any_thread(self, array, scope):
        """What some other thread wrote into a shared array."""
        if scope.regular and self.rng.random() < 0.8:
            return self.of_tile(array, "", scope)
        index = Expr("u32", self.rng.choice((
            f"(tid + {self.rng.choice((1, 2, 16, 32, 33))})", f"({array.size * 4 - 1} - tid)",
            "(tid * 33)", "(tid / 32 * 32)", "(tid ^ 1)")), constant=False) \
            if self.rng.random() < 0.5 else self.varying_leaf("u32", scope)
        return Expr(array.type, f"{array.name}[{array.slot_of_any}]", index)

    def of_tile(self, array, counter, scope):
        """An element of this thread's row or column of a shared array that has the block's shape, the
        one that `counter` says, or a fixed one."""
        along, across = self.rng.randrange(array.shape[0]), self.rng.randrange(array.shape[1])
        if counter:
            along, across = f"u32({counter}) % {array.shape[0]}u", f"u32({counter}) % {array.shape[1]}u"
        thread = self.rng.choice((f"{array.row} * {array.shape[0]} + {along}",
                                  f"({across}) * {array.shape[0]} + {array.column}"))
        return Expr(array.type, f"{array.name}[{array.slot.format(f'({thread})')}]", constant=False)

    def mixed_loads(self, kind, scope):
        """Through pointers that point into different address spaces from lane to lane."""
        local = [a for a in scope.arrays if a.type == kind]
        if not (scope.buffers and local):
            return []

        def make():
            array = self.rng.choice(local)
            return Expr(kind, f"*({{0}} ? &in_{kind}[{{1}}] : (const {kind} *)&{array.name}[{{2}}])",
                        self.boolean(scope, 0), self.index(scope, INPUT_ELEMENTS),
                        self.index(scope, array.size))
        return [(1, make)]

    def leaf(self, kind, scope):
        at = self.rng.random()
        if at < 0.15:
            return self.constant(kind) if kind != "f16" else self.varying_leaf(kind, scope)
        if at < 0.55:
            found = self.load(kind, scope)
            if found:
                return found
        return self.varying_leaf(kind, scope)

    # Integers

    def expression(self, kind, scope, depth):
        if kind == "bool":
            return self.boolean(scope, depth)
        if kind == "f16":
            return self.half(scope, depth)
        if kind in FLOATS:
            return self.floating(kind, scope, depth)
        return self.integer(kind, scope, depth)

    def integer(self, kind, scope, depth):
        if depth <= 0:
            return self.leaf(kind, scope)
        calls = [f for f in scope.functions if f.type == kind]
        return self.pick((
            (10, self.arithmetic), (3, self.division), (3, self.shift), (4, self.intrinsic),
            (2, self.conversion), (2, self.select), (1, self.comparison_as_integer),
            (1, self.minimum), (1.4, self.filled),
            (3 if scope.regular else 1.5, self.narrow),
            (4 if calls else 0, self.call), (2, self.leaf_of)))(
                kind, scope, depth - 1)

    def leaf_of(self, kind, scope, _depth):
        return self.leaf(kind, scope)

    def arithmetic(self, kind, scope, depth):
        work = arithmetic_type(kind)
        if self.rng.random() < 0.15:
            operator = self.rng.choice("~-")
            if kind == work:
                return Expr(kind, f"({operator}{{0}})", self.expression(kind, scope, depth))
            return Expr(kind, f"{kind}({operator}{work}({{0}}))",
                        self.expression(kind, scope, depth))
        operator = self.rng.choice("++-*&|^")
        if kind == work or (operator in "&|^" and WIDTH[kind] >= 32):
            return Expr(kind, f"({{0}} {operator} {{1}})", self.expression(kind, scope, depth),
                        self.expression(kind, scope, depth))
        return Expr(kind, f"{kind}({work}({{0}}) {operator} {work}({{1}}))",
                    self.expression(kind, scope, depth), self.expression(kind, scope, depth))

    def varying(self, kind, scope, depth):
        """An expression that is not a constant one."""
        found = self.expression(kind, scope, depth)
        return self.varying_leaf(kind, scope) if found.constant else found

    def division(self, kind, scope, depth):
        operator = self.rng.choice("/%")
        if self.rng.random() < 0.3:
            divisor = Expr(kind, str(self.rng.choice((1, 2, 3, 7, 10, 16, 100))), constant=True)
        elif self.rng.random() < 0.3:
            divisor = Expr(kind, f"{kind}({{0}} & 3)", self.varying(kind, scope, 0))
        else:
            divisor = self.varying(kind, scope, depth)
        return Expr(kind, f"{'' if WIDTH[kind] >= 32 else kind}({{0}} {operator} {{1}})",
                    self.expression(kind, scope, depth), divisor)

    def shift(self, kind, scope, depth):
        operator = self.rng.choice(("<<", ">>"))
        if self.rng.random() < 0.4:
            amount = Expr("u32", str(self.rng.randrange(WIDTH[kind])), constant=True)
        elif self.rng.random() < 0.6:
            amount = Expr("u32", "({0} & 63u)", self.varying("u32", scope, 0))
        else:
            amount = self.varying("u32", scope, 0)
        value = self.varying(kind, scope, depth)
        return Expr(kind, f"{'' if WIDTH[kind] >= 32 else kind}({{0}} {operator} {{1}})", value, amount)

    def intrinsic(self, kind, scope, depth):
        at = self.rng.randrange(len(INTRINSICS))
        text, result, *operands = INTRINSICS[at]
        found = Expr(result, text, *(self.expression(o, scope, depth) for o in operands),
                     constant=False)
        return found if result == kind else Expr(kind, f"{kind}({{0}})", found)

    def conversion(self, kind, scope, depth):
        source = self.rng.choice(INTEGERS + FLOATS + FLOATS + ("bits32", "bits64"))
        if source == "bits32":
            return Expr(kind, f"{kind}(bits({{0}}))", self.varying("f32", scope, depth))
        if source == "bits64":
            return Expr(kind, f"{kind}(bits({{0}}))", self.varying("f64", scope, depth))
        return Expr(kind, f"{kind}({{0}})", self.varying(source, scope, depth))

    def select(self, kind, scope, depth):
        return Expr(kind, f"{kind if WIDTH[kind] < 32 else ''}({{0}} ? {{1}} : {{2}})", self.boolean(scope, depth),
                    self.expression(kind, scope, depth), self.expression(kind, scope, depth))

    def comparison_as_integer(self, kind, scope, depth):
        return Expr(kind, f"{kind}({{0}})", self.boolean(scope, depth))

    def minimum(self, kind, scope, depth):
        name = self.rng.choice(("min", "max"))
        wide = {"u8": "u32", "u16": "u32", "i8": "i32", "i16": "i32"}.get(kind, kind)
        text = f"{name}({{0}}, {{1}})" if wide == kind else f"{kind}({name}({wide}({{0}}), {wide}({{1}})))"
        return Expr(kind, text,
                    self.expression(kind, scope, depth), self.expression(kind, scope, depth))

    def filled(self, kind, scope, _depth):
        """A thread's number, shifted so far that its bits are signs, or gone."""
        numbers = [text for text, source, uniform in scope.readable
                   if source == "u32" and not uniform]
        if not numbers:
            return self.leaf(kind, scope)
        number = f"({self.rng.choice(numbers)} << {self.rng.randrange(20, 32)})"
        back = self.rng.randrange(1, 20)
        # More than once, or LLVM makes a mask of the shifts.
        text = self.rng.choice((
            f"({number} ^ ({number} >> {back}))", f"({number} + (i32({number}) >> {back}))",
            f"(i64(i32({number})) * 3)", f"(i32({number}) < 0 ? {number} + 1u : {number} >> 1)",
            f"(i32({number}) > -1 ? 5u : {number})", f"(i16({number} >> 12) + i8({number} >> 20))"))
        return Expr(kind, f"{kind}({text})", constant=False)

    def call(self, kind, scope, depth):
        function = self.rng.choice([f for f in scope.functions if f.type == kind])
        return Expr(kind, function.call, *(self.expression(p, scope, min(depth, 1))
                                           for p in function.parameters), constant=False)

    # Booleans

    def boolean(self, scope, depth):
        """A condition that differs from lane to lane and holds neither nearly always nor never."""
        at = self.rng.random()
        flags = scope.variables.get("bool")
        if flags and at < 0.1:
            return Expr("bool", self.rng.choice(flags), constant=False)
        readable = [text for text, kind, uniform in scope.readable if kind == "u32" and not uniform]
        if at < 0.3 and readable:
            return Expr("bool", self.lane_condition(self.rng.choice(readable)), constant=False)
        if at < 0.35 and depth > 0:
            return self.narrow_comparison(scope, depth)
        if at < 0.5:
            mask = self.rng.choice((1, 2, 3, 4, 6, 8))
            return Expr("bool", f"(({{0}} & {mask}) {self.rng.choice(('==', '!='))} 0)",
                        self.varying(self.rng.choice(("u32", "i32", "u64", "u8")), scope, depth))
        if at < 0.85 or depth <= 0:
            kind = self.rng.choice(INTEGERS + FLOATS)
            one, other = self.expression(kind, scope, depth), self.varying(kind, scope, 0)
            if one.render() == other.render():
                other = self.constant(kind)
            return Expr("bool", f"({{0}} {self.rng.choice(COMPARISONS)} {{1}})", one, other)
        if at < 0.9:
            test = self.rng.choice(("!({0} == {0})", "isinf({0})", "isfinite({0})", "isnan({0})"))
            return Expr("bool", f"bool({test})", self.varying("f32", scope, depth))
        operator = self.rng.choice(("&&", "||"))
        return Expr("bool", f"({{0}} {operator} {{1}})", self.boolean(scope, depth - 1),
                    self.boolean(scope, depth - 1))

    def short_condition(self, scope):
        """A few instructions."""
        kind = self.rng.choice(("u32", "i32", "u32", "i32", "u8", "f32"))
        one, other = self.varying_leaf(kind, scope), self.varying_leaf(kind, scope)
        if one.render() == other.render() or self.rng.random() < 0.6:
            other = Expr(kind, str(self.rng.choice((0, 1, 2, 3, 5, 16, 100))), constant=True)
        return Expr("bool", f"({{0}} {self.rng.choice(COMPARISONS)} {{1}})", one, other, constant=False)

    def lane_condition(self, text):
        """Of some threads of a warp, or of some warps."""
        number, border = self.rng.randrange(1, 32), 32 * self.rng.randrange(1, 8)
        return self.rng.choice((
            f"({text} % {self.rng.choice((2, 3, 4, 5))} == 1)", f"({text} < {number})",
            f"({text} % 32 {self.rng.choice(('<', '>=', '=='))} {self.rng.choice((0, 1, number))})",
            f"(({text} & {1 << self.rng.randrange(8)}) != 0)", f"({text} != {number})",
            f"({text} == {number})", f"({text} {self.rng.choice(('<', '>='))} {border})"))

    # Floating point

    def floating(self, kind, scope, depth):
        if depth <= 0:
            return self.leaf(kind, scope)
        calls = [f for f in scope.functions if f.type == kind]
        return self.pick((
            (12, self.float_arithmetic), (4, self.cheap_math),
            (9 if self.costly > 0 else 0, self.costly_math), (3, self.float_conversion),
            (2, self.select), (3 if calls else 0, self.call), (2, self.leaf_of)))(
                kind, scope, depth - 1)

    def float_arithmetic(self, kind, scope, depth):
        if self.rng.random() < 0.1:
            return Expr(kind, "(-{0})", self.expression(kind, scope, depth))
        operator = self.pick(((3, "+"), (3, "-"), (4, "*"), (1, "/")))
        return Expr(kind, f"({{0}} {operator} {{1}})", self.expression(kind, scope, depth),
                    self.expression(kind, scope, depth))

    def cheap_math(self, kind, scope, depth):
        name, count = self.rng.choice(CHEAP_MATH)
        return self.math_call(name + ("f" if kind == "f32" else ""), count, kind, scope, depth)

    def costly_math(self, kind, scope, depth):
        self.costly -= 1 if kind == "f32" else 2
        name, count = self.rng.choice(COSTLY_MATH_F32 if kind == "f32" else COSTLY_MATH_F64)
        return self.math_call(name, count, kind, scope, depth)

    def math_call(self, name, count, kind, scope, depth):
        arguments = ", ".join(f"{{{i}}}" for i in range(count))
        return Expr(kind, f"{name}({arguments})",
                    *(self.expression(kind, scope, depth) for _ in range(count)), constant=False)

    def float_conversion(self, kind, scope, depth):
        at = self.rng.random()
        if at < 0.15 and kind == "f32":
            return Expr(kind, "__half2float({0})", self.half(scope, depth))
        if at < 0.3:
            # Bits of a number that is neither NaN nor infinite.
            text = "__uint_as_float({0} & 0xbfffffffu)" if kind == "f32" else \
                "__longlong_as_double(i64({0} & 0xbfffffffffffffffull))"
            return Expr(kind, text, self.integer("u32" if kind == "f32" else "u64", scope, depth))
        source = self.rng.choice(INTEGERS + tuple(f for f in FLOATS if f != kind))
        return Expr(kind, f"{kind}({{0}})", self.varying(source, scope, depth))

    def half(self, scope, depth):
        if not scope.variables.get("f16") or depth <= 0:
            if scope.variables.get("f16") and self.rng.random() < 0.6:
                return Expr("f16", self.rng.choice(scope.variables["f16"]), constant=False)
            return Expr("f16", "__float2half({0})", self.varying("f32", scope, 0))
        name, count = self.rng.choice((("__hadd", 2), ("__hsub", 2), ("__hmul", 2), ("__hfma", 3)))
        return Expr("f16", f"{name}({', '.join(f'{{{i}}}' for i in range(count))})",
                    *(self.half(scope, depth - 1) for _ in range(count)), constant=False)

    # Uniform expressions

    def uniform(self, scope, depth):
        """A u32 that is the same in all threads of the block."""
        leaves = [(text, kind) for text, kind, uniform in scope.readable if uniform]
        leaves += [(name, "u32") for name in scope.uniform_variables]
        if depth <= 0 or self.rng.random() < 0.2:
            if not leaves or self.rng.random() < 0.1:
                return self.constant("u32")
            text, kind = self.rng.choice(leaves)
            return Expr("u32", text if kind == "u32" else f"u32({text})", constant=False)
        at = self.rng.random()
        if at < 0.2 and scope.buffers:
            return Expr("u32", f"in_u32[{{0}} & {INPUT_ELEMENTS - 1}]",
                        self.uniform(scope, depth - 1), constant=False)
        if at < 0.3 and scope.public:
            for array in scope.public:
                if array.type == "u32":
                    return Expr("u32", f"{array.name}[{array.slot_of_any}]",
                                self.uniform(scope, depth - 1), constant=False)
        operator = self.rng.choice(("+", "-", "*", "&", "|", "^", ">>"))
        if operator == ">>":
            return Expr("u32", f"({{0}} >> {self.rng.randrange(8)})", self.uniform(scope, depth - 1))
        return Expr("u32", f"({{0}} {operator} {{1}})", self.uniform(scope, depth - 1),
                    self.uniform(scope, depth - 1))

    def uniform_boolean(self, scope):
        mask = self.rng.choice((1, 2, 3, 4))
        return Expr("bool", f"(({{0}} & {mask}) {self.rng.choice(('==', '!='))} 0)",
                    self.uniform(scope, 2))
