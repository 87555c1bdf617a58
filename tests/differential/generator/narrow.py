# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random sums, products and comparisons of bytes and words, as C++ computes them: as 32-bit integers
that hold the whole result. Each comes with the lowest and the highest value that it may have."""

from .indices import INPUT_ELEMENTS
from .tree import Expr

NARROW = {"u8": (0, 255), "i8": (-128, 127), "u16": (0, 65535), "i16": (-32768, 32767)}
HIGHEST = 1 << 30


class Narrow:
    def narrow(self, kind, scope, depth):
        """As an expression of a type. It may be less than what has been computed: its low bits."""
        if self.rng.random() < 0.25:
            return self.narrow_area(kind, scope)
        tree, _, _ = self.narrow_tree(scope, min(depth + 1, 2 + scope.regular))
        return Expr(kind, f"{kind}({{0}})", tree)

    def narrow_area(self, kind, scope):
        """A product of bytes, which fills 16 bits without a sign."""
        sides = [Expr("i32", "int(u8({0}))", self.narrow_leaf(scope)[0]) for _ in range(2)]
        return Expr(kind, f"{kind}({self.rng.choice(('{0} * {1}', '{0} * {1} / 3', '{0} * {0} + {1}'))})",
                    *sides, constant=False)

    def narrow_comparison(self, scope, depth):
        one, other = self.narrow_tree(scope, depth)[0], self.narrow_tree(scope, depth - 1)[0]
        return Expr("bool", f"({{0}} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {{1}})",
                    one, other, constant=False)

    def narrow_leaf(self, scope):
        kind = self.pick(((5, "u8"), (2, "i8"), (2, "u16"), (2, "i16")))
        names = scope.variables.get(kind)
        if names and self.rng.random() < 0.4:
            value = Expr(kind, self.rng.choice(names), constant=False)
        elif scope.buffers:
            value = Expr(kind, f"in_{kind}[{{0}}]", self.index(scope, INPUT_ELEMENTS), constant=False)
        else:
            value = Expr(kind, f"{kind}({{0}})", self.varying_leaf("u32", scope), constant=False)
        return Expr("i32", "int({0})", value), *NARROW[kind]

    def narrow_tree(self, scope, depth):
        """(expression of type int, lowest, highest value)"""
        if depth <= 0 or self.rng.random() < 0.1:
            return self.narrow_leaf(scope)
        maker = self.pick(((6, self.narrow_sum), (3, self.narrow_product), (3, self.narrow_extreme),
                           (3, self.narrow_shift), (2, self.narrow_bits), (2, self.narrow_choice),
                           (3, self.narrow_quotient), (1, self.narrow_distance)))
        found = maker(scope, depth - 1)
        if found and -HIGHEST < found[1] and found[2] < HIGHEST:
            return found
        return self.narrow_leaf(scope)

    def narrow_operand(self, scope, depth):
        """Another tree, or a small number."""
        if self.rng.random() < 0.3:
            number = self.rng.choice((1, 2, 3, 5, 16, 100, 128, 255))
            return Expr("i32", str(number), constant=True), number, number
        return self.narrow_tree(scope, depth)

    def narrow_sum(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_operand(scope, depth)
        if self.rng.random() < 0.6:
            return Expr("i32", "({0} + {1})", a, b), low + lowest, high + highest
        return Expr("i32", "({0} - {1})", a, b), low - highest, high - lowest

    def narrow_product(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_operand(scope, depth - 1)
        corners = [x * y for x in (low, high) for y in (lowest, highest)]
        return Expr("i32", "({0} * {1})", a, b), min(corners), max(corners)

    def narrow_extreme(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_operand(scope, depth)
        if self.rng.random() < 0.3:
            return Expr("i32", "min(max({0}, 0), 255)", a), 0, 255
        if self.rng.random() < 0.5:
            return Expr("i32", "min({0}, {1})", a, b), min(low, lowest), min(high, highest)
        return Expr("i32", "max({0}, {1})", a, b), max(low, lowest), max(high, highest)

    def narrow_shift(self, scope, depth):
        (a, low, high), by = self.narrow_tree(scope, depth), self.rng.randrange(1, 8)
        if self.rng.random() < 0.6 or low < 0:
            return Expr("i32", f"({{0}} >> {by})", a), low >> by, high >> by
        return Expr("i32", f"({{0}} << {by})", a), low << by, high << by

    def narrow_bits(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_operand(scope, depth)
        if self.rng.random() < 0.4:
            mask = self.rng.choice((1, 15, 63, 127, 255, 511))
            return Expr("i32", f"({{0}} & {mask})", a), 0, mask
        # Both fit so many bits and a sign.
        bound = 1 << max(map(int.bit_length, (low, high, lowest, highest)))
        return Expr("i32", f"({{0}} {self.rng.choice('&|^')} {{1}})", a, b), \
            -bound if min(low, lowest) < 0 else 0, bound - 1

    def narrow_choice(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_operand(scope, depth)
        return Expr("i32", "({2} ? {0} : {1})", a, b, self.narrow_comparison(scope, depth)), \
            min(low, lowest), max(high, highest)

    def narrow_quotient(self, scope, depth):
        (a, low, high), by = self.narrow_tree(scope, depth), self.rng.choice((3, 7, 9, 10, 16))
        if self.rng.random() < 0.7:
            return Expr("i32", f"({{0}} / {by})", a), -(-low // by) if low < 0 else 0, max(high, 0)
        return Expr("i32", f"({{0}} % {by})", a), 1 - by, by - 1

    def narrow_distance(self, scope, depth):
        (a, low, high), (b, lowest, highest) = self.narrow_tree(scope, depth), \
            self.narrow_tree(scope, depth)
        return Expr("i32", "abs({0} - {1})", a, b), 0, max(high - lowest, highest - low)
