# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements: assignments and control flow."""

from .cooperation import Cooperation
from .members import Members
from .packets import PacketStatements
from .places import Stencils
from .tables import Tables
from .tree import (FLOATS, Block, Exchange, Expr, If, IntoLoop, Jump, Loop, Simple, Switch,
                   arithmetic_type)
from .trees import Trees

HEAVIEST = 96  # how often a thread may run one statement


class Statements(Cooperation, Members, PacketStatements, Stencils, Tables, Trees):
    """Makes the statements of one kernel; `left` more, `store` is what a thread that returns early
    leaves behind (an expression maker)."""

    def __init__(self, rng, expressions, left):
        super().__init__(rng, expressions)
        self.left = left
        self.names = 0
        self.store = None

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def block(self, scope, most):
        """Up to `most` statements, at least one."""
        block = Block()
        for _ in range(self.rng.randint(1, most)):
            self.add_statement(block, scope)
            if self.left <= 0:
                break
        if not block.statements:
            block.statements.append(self.assignment(scope))
        return block

    def add_statement(self, block, scope):
        self.left -= 1
        nested = scope.depth < 4 and self.left > 0
        loops = nested and scope.weight < HEAVIEST and not scope.points
        makers = self.regular_makers if scope.regular else self.makers
        statement = self.x.pick(makers(scope, nested, loops))(scope)
        if statement:
            block.statements.append(statement)

    def regular_makers(self, scope, nested, loops):
        """What kernels over tables and grids of points do."""
        exchange = scope.uniform and scope.owned and nested
        vote = scope.uniform and scope.uniform_variables and not scope.points
        return [
            (6, self.assignment), (2 if scope.outputs else 0, self.output), (3, self.short_branches),
            (14 if loops else 0, self.serial_sum), (2 if nested else 0, self.branch),
            (2 if loops and scope.uniform else 0, self.loop), (2 if scope.jumps else 0, self.jump),
            (3 if scope.uniform_variables and scope.uniform else 0, self.uniform_assignment),
            (0.5 if scope.owned else 2 if scope.arrays else 0, self.element),
            (4 if scope.places and scope.buffers else 0, self.stencil), (6 if exchange else 0, self.exchange),
            (1 if vote else 0, self.block_vote), (4 if scope.records else 0, self.side_by_side),
            (3 if scope.tables else 0, self.down_columns),
            (0.5 if scope.tables and loops else 0, self.walk_along_rows),
            (3 if exchange else 0, self.tree)]

    def makers(self, scope, nested, loops):
        return [
            (12, self.assignment), (3, self.element), (1 if scope.arrays else 0, self.fill),
            (2 if scope.outputs else 0, self.output), (2, self.short_branches),
            (1 if loops and scope.buffers else 0, self.serial_sum),
            (2, self.through_pointer), (1 if scope.structures else 0, self.structure),
            (1 if scope.vectors else 0, self.vector), (5 if scope.packets else 0, self.packet),
            (3 if scope.uniform_variables and scope.uniform else 0, self.uniform_assignment),
            (9 if nested else 0, self.branch), (7 if loops else 0, self.loop),
            (3 if nested else 0, self.switch), (0.4 if loops else 0, self.into_loop),
            (7 if scope.jumps else 0, self.jump),
            (9 if scope.masked else 0, self.warp_operation),
            (2 if scope.masked and scope.owned else 0, self.warp_exchange),
            (1 if scope.masked and loops else 0, self.shuffle_in_rounds),
            (1 if scope.masked and scope.owned else 0, self.overtaken_load),
            (2 if scope.masked and scope.masked_functions else 0, self.masked_call),
            (8 if scope.uniform and scope.owned and nested else 0, self.exchange),
            (3 if scope.uniform and scope.uniform_variables else 0, self.block_vote),
            (1.2 if scope.uniform and scope.owned else 0, self.tree),
            (2.5 if scope.records else 0, self.side_by_side),
            (1 if scope.tables else 0, self.down_columns),
            (0.5 if scope.tables and loops else 0, self.walk_along_rows),
            (3 if scope.uniform and scope.block_functions else 0, self.block_call),
            (4 if scope.accumulators else 0, self.atomic),
            (1 if scope.buffers else 0, self.fence)]

    # Assignments

    def target(self, scope):
        """A variable and its type; common types more often."""
        kinds = [kind for kind, names in scope.variables.items() if names]
        kind = self.x.pick([(4 if k in ("u32", "i32", "f32") else 1.5, k) for k in kinds])
        return self.rng.choice(scope.variables[kind]), kind

    def depth_of_expression(self):
        return self.x.pick(((6, 1), (4, 2), (1, 3)))

    def assignment(self, scope):
        name, kind = self.target(scope)
        value = self.x.expression(kind, scope, self.depth_of_expression())
        if kind in ("f32", "f64", "u32", "u64") and self.rng.random() < 0.4:
            operator = self.rng.choice("+-*" if kind in FLOATS else "+-*^|&")
            return Simple(f"{name} {operator}= {{0}};", value)
        if self.rng.random() < 0.25:
            # Old and new value both stay alive: what a mask forgets shows.
            condition = self.x.boolean(scope, 1)
            return Simple(f"if ({{0}})\n  {name} = {{1}};", condition, value)
        return Simple(f"{name} = {{0}};", value)

    def uniform_assignment(self, scope):
        name = self.rng.choice(scope.uniform_variables)
        return Simple(f"{name} = {{0}};", self.x.uniform(scope, 2))

    def element(self, scope):
        """To an element of a local array or to this thread's slot of a shared one."""
        if scope.owned and self.rng.random() < 0.4:
            array = self.rng.choice(scope.owned)
            return Simple(f"{array.name}[{array.own}] = {{0}};",
                          self.x.expression(array.type, scope, 2))
        if not scope.arrays:
            return self.assignment(scope)
        array = self.rng.choice(scope.arrays)
        return Simple(f"{array.name}[{{0}}] = {{1}};", self.x.index(scope, array.size),
                      self.x.expression(array.type, scope, self.depth_of_expression()))

    def fill(self, scope):
        """A run of a local array's elements; LLVM may make memset or memcpy of it."""
        array = self.rng.choice(scope.arrays)
        count = self.x.index(scope, array.size)
        copies = scope.buffers and self.rng.random() < 0.5
        value = Expr(array.type, f"in_{array.type}[gid * 4 + i]", constant=False) if copies \
            else self.x.constant(array.type)
        return Simple(f"for (int i = 0; i < int({{0}}); ++i)\n  {array.name}[i] = {{1}};", count,
                      value)

    def output(self, scope):
        output = self.rng.choice(scope.outputs)
        slot = output.slot(self.rng.randrange(output.slots))
        return Simple(f"{output.name}[{slot}] = {{0}};",
                      self.x.expression(output.type, scope, self.depth_of_expression()))

    def through_pointer(self, scope):
        """To the one or the other variable, from lane to lane."""
        pairs = [names for kind, names in scope.variables.items() if len(names) > 1]
        if not pairs:
            return self.assignment(scope)
        names = self.rng.choice(pairs)
        kind = next(k for k, v in scope.variables.items() if v is names)
        one, other = self.rng.sample(names, 2)
        return Simple(f"*({{0}} ? &{one} : &{other}) = {{1}};", self.x.boolean(scope, 1),
                      self.x.expression(kind, scope, 1))

    def structure(self, scope):
        name, fields = self.rng.choice(scope.structures)
        others = [n for n, f in scope.structures if f is fields and n != name]
        if others and self.rng.random() < 0.4:
            return Simple(f"if ({{0}})\n  {name} = {self.rng.choice(others)};",
                          self.x.boolean(scope, 1))
        field, kind = self.rng.choice(fields)
        return Simple(f"{name}.{field} = {{0}};", self.x.expression(kind, scope, 2))

    def vector(self, scope):
        name, fields = self.rng.choice(scope.vectors)
        kind = fields[0][1]
        vector_type = {("f32", 4): "float4", ("i32", 2): "int2", ("u32", 4): "uint4",
                       ("f64", 2): "double2"}[kind, len(fields)]
        if scope.buffers and self.rng.random() < 0.4:
            bytes_each = {"float4": 16, "int2": 8, "uint4": 16, "double2": 16}[vector_type]
            elements = 65536 // bytes_each
            source = {"f32": "in_f32", "i32": "in_i32", "u32": "in_u32", "f64": "in_f64"}[kind]
            return Simple(f"{name} = ((const {vector_type} *){source})[{{0}}];",
                          self.x.index(scope, elements))
        if self.rng.random() < 0.5:
            parts = [self.x.expression(kind, scope, 1) for _ in fields]
            return Simple(f"{name} = make_{vector_type}("
                          + ", ".join(f"{{{i}}}" for i in range(len(parts))) + ");", *parts)
        field, kind = self.rng.choice(fields)
        return Simple(f"{name}.{field} = {{0}};", self.x.expression(kind, scope, 2))

    def fence(self, _scope):
        return Simple(self.rng.choice(("__threadfence();", "__threadfence_block();")))

    # Control flow

    def short_assignment(self, scope):
        """A few instructions."""
        name, kind = self.target(scope)
        if kind in ("bool", "f16"):
            return Simple(f"{name} = {{0}};", self.x.varying_leaf(kind, scope))
        work = kind if kind in FLOATS else arithmetic_type(kind)
        value = self.x.varying_leaf(kind, scope)
        if value.render() == name or self.rng.random() < 0.4:
            value = self.x.constant(kind)
        if self.rng.random() < 0.3:
            return Simple(f"{name} = {{0}};", value)
        operator = self.rng.choice("+-*" if kind in FLOATS else "+-^&|")
        return Simple(f"{name} = {kind}({work}({name}) {operator} {work}({{0}}));", value)

    def short_block(self, scope, depth):
        if depth > 0 and self.rng.random() < 0.4:
            return Block([self.short_branches(scope, depth - 1)])
        return Block([self.short_assignment(scope) for _ in range(self.rng.choice((1, 1, 2)))])

    def short_branches(self, scope, depth=2):
        """Sides that are a few instructions: what compilers make choices of."""
        if self.rng.random() < 0.3:
            cases = [self.short_block(scope, depth - 1) for _ in range(self.rng.randint(2, 5))]
            fall = {i for i in range(len(cases) - 1) if self.rng.random() < 0.15}
            selector = self.x.varying_leaf(self.rng.choice(("u32", "i32", "u8")), scope)
            return Switch("divergent", selector, cases, fall)
        conditions = [self.x.short_condition(scope) for _ in range(self.rng.choice((1, 1, 2, 3)))]
        text = ("{0}", self.rng.choice(("({0} && {1})", "({0} || {1})")),
                self.rng.choice(("({0} || ({1} && {2}))", "({0} && ({1} || {2}))")))
        condition = Expr("bool", text[len(conditions) - 1], *conditions, constant=False)
        otherwise = self.short_block(scope, depth) if self.rng.random() < 0.6 else None
        return If("plain", condition, self.short_block(scope, depth), otherwise)

    def serial_sum(self, scope):
        """A loop in which each round waits for the one before: a product of matrices, or of tiles that
        threads share, a polynomial, a sum down a column."""
        kinds = [k for k in ("f32", "f32", "f64", "u32", "i32", "u64") if scope.variables.get(k)]
        if not kinds:
            return None
        kind, counter = self.rng.choice(kinds), self.fresh("k")
        target = self.rng.choice(scope.variables[kind])
        inside = scope.inside(readable=scope.readable + [(counter, "u32", True)])
        most = self.rng.choice((3, 7, 15))
        trip = Expr("rounds", f"({{0}} & {most})", self.x.uniform(scope, 1)) \
            if self.rng.random() < 0.5 else Expr("u32", str(self.rng.randint(2, most + 3)))
        factors = [self.factor(kind, counter, inside) for _ in range(2)]
        work = kind if kind in FLOATS else arithmetic_type(kind)
        form = self.rng.choice(("{t} + {a} * {b}", "{t} + {a} * {b}", "{t} + {a}", "{t} * {a} + {b}",
                                "{t} - {a} * {b}"))
        value = form.format(t=f"{work}({target})", a=f"{work}({{1}})", b=f"{work}({{2}})")
        unroll = "#pragma unroll 1\n" if self.rng.random() < 0.6 else ""
        text = f"{unroll}for (u32 {counter} = 0; {counter} < {{0}}; ++{counter})\n" \
               f"  {target} = {kind}({value});"
        return Simple(text, trip, *factors[:1 + ("{2}" in text)])

    def factor(self, kind, counter, scope):
        """Of a round: from a shared tile, from memory, or made of what the thread has."""
        tiles = [a for a in scope.public if a.type not in ("f64", "u64") or a.type == kind]
        at = self.rng.random()
        if tiles and at < 0.7:
            found = self.x.of_tile(self.rng.choice(tiles), counter, scope)
        elif scope.buffers and at < 0.8:
            source = self.rng.choice((kind, kind, "u8", "i16"))
            column, row = scope.plane
            pitch = self.x.pitch()
            index = self.rng.choice((
                f"gid + {counter} * {pitch}", f"{row} * {pitch} + {counter}",
                f"{counter} * {pitch} + {column}", f"{counter} * 3 + {self.rng.randrange(99)}",
                f"({row} + {counter}) * {pitch} + {column}"))
            found = Expr(source, f"in_{source}[{index}]", constant=False)
        else:
            found = self.x.varying_leaf(kind, scope)
        return found if found.type == kind else Expr(kind, f"{kind}({{0}})", found)

    def branch(self, scope):
        kinds = [(5, "plain")]
        if scope.masked:
            kinds += [(5, "masked"), (1, "any"), (1, "all")]
        if scope.uniform:
            kinds.append((3, "uniform"))
        kind = self.x.pick(kinds)
        if kind == "uniform":
            condition, inside = self.x.uniform_boolean(scope), scope.inside()
        else:
            condition = self.x.boolean(scope, 2)
            inside = self.jumping(scope.divergent() if kind == "plain"
                                  else scope.inside(uniform=False), scope)
        then = self.block(inside, 4)
        otherwise = self.block(inside, 3) if self.rng.random() < 0.5 else None
        return If(kind, condition, then, otherwise)

    def jumping(self, inside, scope):
        """A branch that lanes take alone keeps the jumps that need no vote."""
        kept = tuple(j for j in scope.jumps if not j.startswith(("masked", "uniform")))
        if scope.depth == 0 and scope.buffers and self.rng.random() < 0.3:
            kept += ("return",)
        inside.jumps = tuple(dict.fromkeys(kept))
        return inside

    def loop(self, scope):
        kinds = [(4, "divergent")]
        kinds += [(5 if scope.uniform else 3, "uniform")] if scope.masked else []
        if scope.regular and scope.uniform:
            kinds = [(1, "divergent"), (8, "uniform")]
        kinds += [(4, "masked")] if scope.masked else []
        kind = self.x.pick(kinds)
        counter = self.fresh("c")
        readable = scope.readable + [(counter, "i32", kind == "uniform")]
        most = self.rng.choice((2, 3, 4, 7) if scope.weight < 16 else (2, 3))
        changes = {"readable": readable, "weight": scope.weight * most,
                   "labels": (), "jumps": ()}
        label, unroll = None, None
        returning = tuple(j for j in scope.jumps if j == "return")
        if kind == "divergent":
            labels = scope.labels
            if self.rng.random() < 0.4:
                label = self.fresh("done")
                labels += (label,)
            jumps = returning + ("break", "continue") + (("goto",) if labels else ())
            if scope.buffers and self.rng.random() < 0.15:
                jumps += ("return",)
            changes.update(labels=labels, jumps=jumps)
            inside = scope.divergent(**changes)
            trip = self.trip(scope, most, self.rng.random() < 0.3)
        elif kind == "masked":
            changes["jumps"] = (self.rng.choice(("masked break", "masked continue")),)
            inside = scope.inside(uniform=False, **changes)
            trip = self.trip(scope, most, False)
        else:
            changes["jumps"] = ("uniform break", "uniform continue") if scope.uniform else ()
            inside = scope.inside(**changes)
            trip = self.trip(scope, most, True)
            if self.rng.random() < 0.2:
                unroll = self.rng.choice(("", "1", "2"))
        form = self.x.pick(((5, "for"), (2, "while"), (2, "do"), (2, "down")))
        return Loop(kind, form, counter, trip, self.block(inside, 4), label, unroll)

    def trip(self, scope, most, uniform):
        if uniform and self.rng.random() < 0.4:
            return Expr("i32", str(self.rng.randint(1, most)), constant=True)
        value = self.x.uniform(scope, 1) if uniform else self.x.varying(
            self.rng.choice(("u32", "u32", "i32", "u8", "u64")), scope, 1)
        return Expr("i32", f"({{0}} & {most})" if most in (3, 7) else f"(u32({{0}}) % {most + 1}u)",
                    value)

    def jump(self, scope):
        kind = self.rng.choice(scope.jumps)
        if kind.startswith("uniform"):
            return Jump(kind.split()[1], self.x.uniform_boolean(scope))
        condition = self.x.boolean(scope, 1)
        if kind.startswith("return"):
            return Jump(kind, condition, self.store(scope))
        label = self.rng.choice(scope.labels) if kind == "goto" else None
        return Jump(kind, condition, label=label)

    def switch(self, scope):
        uniform = scope.masked and self.rng.random() < 0.3
        # `break` would leave the switch.
        kept = tuple(j for j in scope.jumps if "break" not in j and not j.startswith("masked"))
        if uniform:
            selector, inside = self.x.uniform(scope, 1), scope.inside(jumps=kept)
        else:
            kept = tuple(j for j in kept if not j.startswith("uniform"))
            selector = self.x.varying(self.rng.choice(("u32", "i32", "u16")), scope, 1)
            inside = scope.divergent(jumps=kept)
        cases = [self.block(inside, 2) for _ in range(self.rng.randint(2, 5))]
        fall = {i for i in range(len(cases) - 1) if self.rng.random() < 0.25}
        return Switch("uniform" if uniform else "divergent", selector, cases, fall)

    def into_loop(self, scope):
        counter = self.fresh("c")
        inside = scope.divergent(readable=scope.readable + [(counter, "i32", False)], jumps=(),
                                 labels=(), weight=scope.weight * 4)
        return IntoLoop(counter, self.x.boolean(scope, 1), self.trip(scope, 3, False),
                        self.block(inside, 2), self.block(inside, 2))

    def exchange(self, scope):
        array = self.rng.choice(scope.owned)
        owned = [a for a in scope.owned if a is not array]
        # No thread may leave between the barriers.
        inside = scope.inside(owned=owned, public=scope.public + [array], jumps=(), labels=())
        value = self.x.expression(array.type, scope, 2)
        body = self.block(inside, 4)
        target = self.variable_of(array.type, scope)
        if target:
            body.statements.insert(0, Simple(f"{target} = {{0}};",
                                             self.x.of_any_thread(array, inside)))
        if scope.regular and self.rng.random() < 0.7:
            body.statements.insert(0, self.serial_sum(inside) or self.assignment(inside))
        apart = self.rng.random() < (0.3 if scope.regular else 0.15)
        other = self.x.expression(array.type, scope, 1) if apart else None
        return Exchange(f"{array.name}[{array.own}]", value, body, other)
