# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a kernel smaller while something about it stays interesting.

Takes away statements, puts the inside of a branch or loop in its place, makes expressions simpler: all in
the generator's tree, so that every variant is again free of races and of undefined behaviour.
"""

import copy
import os
import time

from generator.functions import Body
from generator.tree import (INTEGERS, Env, Exchange, Expr, Group, If, IntoLoop, Loop, Switch, Writer,
                            names_in)

NODES_IN_A_PROGRAM = 800  # compiling a program takes some time, however small it is


def number(kernel):
    """Gives each statement and expression an identity that copies keep."""
    count = 0
    for node in nodes(kernel):
        if not hasattr(node, "identity"):
            count += 1
            node.identity = f"{id(kernel)}.{count}"


def bodies(kernel):
    """The kernel's statements, and those of each of its functions."""
    yield kernel.body, None
    for function in kernel.functions:
        for part in function.definitions:
            if isinstance(part, Body):
                yield part.blocks[0], part


def statements(block):
    for statement in block.statements:
        yield statement
        for inner in statement.blocks:
            yield from statements(inner)


def expressions(expr):
    yield expr
    for part in expr.parts:
        yield from expressions(part)


def nodes(kernel):
    for block, function in bodies(kernel):
        for statement in statements(block):
            yield statement
            for expr in statement.exprs:
                yield from expressions(expr)
        if function:
            yield from expressions(function.result)


def size(statement):
    return 1 + sum(size(s) for block in statement.blocks for s in block.statements)


# An edit is (kind, identity or identities, argument).


def deletions(kernel):
    """Ranges of statements, the longest first."""
    found = []

    def visit(block):
        length = len(block.statements)
        step = length
        while step >= 1:
            for start in range(0, length, step):
                part = block.statements[start:start + step]
                found.append((sum(size(s) for s in part),
                              ("delete", tuple(s.identity for s in part), None)))
            step //= 2
        for statement in block.statements:
            for inner in statement.blocks:
                visit(inner)

    for block, _ in bodies(kernel):
        visit(block)
    found.sort(key=lambda pair: -pair[0])
    return [edit for _, edit in found]


def hoists(kernel):
    """A statement's inside in its place; a loop that turns once; one block."""
    found = [] if kernel.grid == (1, 1, 1) else [("one block", (), None)]
    for block, _ in bodies(kernel):
        for statement in statements(block):
            if isinstance(statement, (Group, If, Switch)):
                found += [("inside", (statement.identity,), i)
                          for i in range(len(statement.blocks))]
            if isinstance(statement, If) and len(statement.blocks) > 1:
                found.append(("no else", (statement.identity,), None))
            if isinstance(statement, If) and statement.kind != "plain":
                found.append(("kind", (statement.identity,), "plain")
                             if not needs_mask(statement) else ("nothing", (), None))
            if isinstance(statement, Exchange) and not reads_array(statement):
                found.append(("inside", (statement.identity,), 0))
            if isinstance(statement, (Loop, IntoLoop)):
                at = 0 if isinstance(statement, Loop) else 1
                if not statement.exprs[at].constant:
                    found.append(("trip", (statement.identity,), at))
            if isinstance(statement, Switch) and len(statement.blocks) > 1:
                found += [("no case", (statement.identity,), i)
                          for i in range(len(statement.blocks))]
    return [edit for edit in found if edit[0] != "nothing"]


def needs_mask(statement):
    """Is there anything inside that needs to know which lanes are together, or is in all threads?"""
    return any(getattr(s, "needs_mask", lambda: False)() or isinstance(s, Exchange)
               or getattr(s, "kind", "") in ("masked", "any", "all", "uniform", "masked break",
                                             "masked continue")
               for block in statement.blocks for s in statements(block))


def reads_array(exchange):
    writer = Writer()
    exchange.blocks[0].render(writer, Env("live", True))
    return exchange.slot.split("[")[0] in names_in("\n".join(writer.lines))


def simplifications(kernel):
    found = []
    for node in nodes(kernel):
        if not isinstance(node, Expr) or not node.type:
            continue
        for at, part in enumerate(node.parts):
            if part.type == node.type:
                found.append(("part", (node.identity,), at))
        for simple in simple_texts(node):
            found.append(("text", (node.identity,), simple))
    return found


def simple_texts(expr):
    if expr.type == "bool":
        texts = ("true", "false")
    elif expr.type == "index":
        texts = ("0",)
    elif expr.type == "rounds": # few, which its part need not be
        texts = ("1u",)
    elif expr.type == "f16":
        texts = ("__float2half(1.0f)",)
    elif expr.type in INTEGERS:
        texts = (f"{expr.type}(1)",)
    else:
        texts = (f"{expr.type}(1.0f)",)
    return () if expr.text in texts or (not expr.parts and expr.constant) else texts


def apply_edits(kernel, edits):
    """A copy of the kernel with all the edits, as far as what they change is still there."""
    result = copy.deepcopy(kernel)
    for kind, identities, argument in edits:
        if kind == "one block":
            result.grid = (1, 1, 1)
        elif kind in ("part", "text"):
            edit_expression(result, identities[0], kind, argument)
        else:
            for block, _ in bodies(result):
                edit_block(block, kind, identities, argument)
    return result


def edit_expression(kernel, identity, kind, argument):
    def edited(expr):
        if expr.identity == identity:
            if kind == "part":
                return expr.parts[argument] if argument < len(expr.parts) else expr
            fresh = Expr(expr.type, argument, constant=True)
            fresh.identity = identity
            return fresh
        expr.parts = [edited(part) for part in expr.parts]
        return expr

    for block, function in bodies(kernel):
        for statement in statements(block):
            statement.exprs = [edited(expr) for expr in statement.exprs]
        if function:
            function.result = edited(function.result)


def edit_block(block, kind, identities, argument):
    result = []
    for statement in block.statements:
        if statement.identity not in identities:
            result.append(statement)
        elif kind == "inside" and argument < len(statement.blocks):
            result += statement.blocks[argument].statements
        elif kind != "delete" and kind != "inside":
            edit_statement(statement, kind, argument)
            result.append(statement)
    block.statements = result
    for statement in block.statements:
        for inner in statement.blocks:
            edit_block(inner, kind, identities, argument)


def edit_statement(statement, kind, argument):
    if kind == "no else":
        statement.blocks = statement.blocks[:1]
    elif kind == "kind":
        statement.kind = argument
    elif kind == "trip":
        old = statement.exprs[argument]
        statement.exprs[argument] = Expr("i32", "1", constant=True)
        statement.exprs[argument].identity = old.identity
    elif kind == "no case" and len(statement.blocks) > 1 and argument < len(statement.blocks):
        del statement.blocks[argument]
        last = len(statement.blocks) - 1
        statement.fall = {i - (i > argument) for i in statement.fall if i != argument} - {last}


def reduce_kernel(kernel, interesting, seconds, report=lambda text: None):
    """The smallest variant found within about so many seconds of CPU time. interesting: takes a list
    of kernels and returns a list of booleans."""
    number(kernel)
    clock = Clock(seconds)
    progress = True
    while progress and clock.goes_on():
        progress = False
        for makers in (deletions, hoists, simplifications):
            kernel, better = reduce_with(kernel, makers, interesting, clock)
            progress |= better
            report(f"{sum(1 for _ in nodes(kernel))} nodes")
    return kernel


class Clock:
    """Counts CPU time, child processes' too, since machines that test are busy; and a fifth of the time
    on the wall, for programs that hang."""

    def __init__(self, seconds):
        self.seconds, self.start, self.wall = seconds, sum(os.times()[:4]), time.monotonic()

    def goes_on(self):
        spent = sum(os.times()[:4]) - self.start
        return max(spent, (time.monotonic() - self.wall) / 5) < self.seconds


def reduce_with(kernel, makers, interesting, clock):
    at, better = 0, False
    while clock.goes_on():
        edits = makers(kernel)
        count = NODES_IN_A_PROGRAM // (1 + sum(1 for _ in nodes(kernel)))
        batch = edits[at:at + min(max(count, 4), 32)]
        if not batch:
            break
        good = [edit for edit, yes in zip(batch, interesting([apply_edits(kernel, [edit])
                                                              for edit in batch])) if yes]
        if not good:
            at += len(batch)
            continue
        better = True
        kernel = apply_most(kernel, good, interesting)
        # The edits that did not help come again at the same places, about.
        at += sum(1 for edit in batch if edit not in good) if makers is simplifications else 0
    return kernel, better


def apply_most(kernel, edits, interesting):
    """The kernel with all the edits, or half of them, … or one, which is known to be good."""
    while len(edits) > 1:
        together = apply_edits(kernel, edits)
        if interesting([together])[0]:
            return together
        edits = edits[:len(edits) // 2]
    return apply_edits(kernel, edits)
