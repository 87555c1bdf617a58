# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mutations: each takes a Source and yields Mutants, programs with one mistake.

A mutant knows the mutated line and its partners: the lines of which a report must name one. README.md says for each kind
why it misbehaves and when it does not.
"""

import dataclasses
import re

KINDS = {}


@dataclasses.dataclass
class Mutant:
    program: str
    kind: str
    line: int
    was: str         # the line in the original
    occurrence: int  # of the kind in that line
    text: str        # of the program
    partners: list   # lines
    nth: int = 0     # of the program's mutants of this kind whose line reads the same, from 1 on

    @property
    def name(self):
        return f"{self.program}:{self.line}:{self.kind}:{self.occurrence}"


def kind(name):
    def add(function):
        KINDS[name] = function
        return function
    return add


@dataclasses.dataclass
class Change:
    place: int
    edits: list
    partners: list


def body_lines(source, function):
    return list(range(source.line_of(function.begin), source.line_of(function.end - 1) + 1))


def around(source, place):
    """The lines of the device function that a place is in, and of those that call it: what it synchronises."""
    wanted = [source.function_at(place)]
    for function in wanted:
        for caller in source.functions if function else []:
            if caller not in wanted and re.search(rf"\b{re.escape(function.name)}\b", source.code[caller.begin:caller.end]):
                wanted.append(caller)
    return sorted({line for function in wanted if function for line in body_lines(source, function)})


def users(source, name):
    """The lines of kernels that are launched with a variable."""
    launched = {match.group(1) for match in re.finditer(rf"(\w+)(?:<[^<>;]*>)?<<<[^;]*?>>>\(([^;]*)\);", source.code)
                if name and re.search(rf"\b{name}\b", match.group(2))}
    return sorted({line for function in source.functions if function.name in launched for line in body_lines(source, function)})


def declared(source, place):
    """The lines of a declaration: debug information names one of them."""
    return list(range(source.line_of(place), source.line_of(source.code.find(";", place)) + 1))


def allocations(source, name):
    """The lines that allocate for a variable of the host's."""
    return [source.line_of(match.start()) for match in
            re.finditer(rf"\bcudaMalloc\w*\([^;]*&{name}\b|\bDeviceBuffer<[\w :*]+>\s+{name}\(", source.code)] if name else []


def shared_arrays(source, function):
    """Names of the __shared__ variables of a function."""
    body = source.code[function.begin:function.end]
    return {name for line in re.findall(r"__shared__\s+([^;]*);", body)
            for name in re.findall(r"(\w+)\s*(?:\[[^;]*?\])*\s*(?:,|$)", line)}


def barriers(source):
    for pattern in (r"__syncthreads|__syncwarp|sync|__barrier_sync",):
        for begin, end, name, arguments in source.calls(pattern):
            yield begin, end, name
    for match in re.finditer(r"\b\w+(?:\.|->)sync\(\)|\bcg::this_\w+\(\)\.sync\(\)", source.code):
        yield match.start(), match.end(), "sync"


@kind("barrier removed")
def barrier_removed(source):
    for begin, end, _ in barriers(source):
        extent = source.statement(begin, end)
        if extent and source.function_at(begin):
            yield Change(begin, [(*extent, ";")], around(source, begin))


@kind("barrier in a branch")
def barrier_in_a_branch(source):
    for begin, end, name in barriers(source):
        extent = source.statement(begin, end)
        if extent and source.function_at(begin) and name == "__syncthreads":
            yield Change(begin, [(extent[0], extent[0], "if (threadIdx.x != 0) ")], around(source, begin))


@kind("barrier moved")
def barrier_moved(source):
    """It changes places with the statement in the line before."""
    for begin, end, _ in barriers(source):
        extent = source.statement(begin, end)
        if not extent or not source.function_at(begin):
            continue
        line_begin = source.text.rfind("\n", 0, extent[0]) + 1
        before_begin = source.text.rfind("\n", 0, line_begin - 1) + 1
        before = source.code[before_begin:line_begin]
        if re.fullmatch(r"(?!return|__|auto|const|int|float|double|unsigned|bool)[\w\[\]().:%+*/<>&\- ]+(?:[-+*/|&^]|<<|>>)?= ?[^;{}]*;",
                        before.strip()) and "[" in before and source.text[line_begin:extent[0]].strip() == "":
            earlier = source.code[:before_begin].rstrip()
            if earlier[-1:] in ";{}":
                yield Change(before_begin + len(before) - len(before.lstrip()),
                             [(*extent, ";"), (before_begin, before_begin, source.text[extent[0]:extent[1]] + " ")],
                             around(source, begin))


def body_after(source, closing):
    """The code of the statement behind a condition."""
    begin = closing + 1 + len(source.code[closing + 1:]) - len(source.code[closing + 1:].lstrip())
    end = source.close(begin) if source.code[begin] == "{" else source.code.find(";", begin)
    return source.code[begin:end + 1]


def subscripts(code):
    return " ".join(re.findall(r"\[([^\[\];]*)\]", code))


@kind("bound weakened")
def bound_weakened(source):
    """Where the variable that is compared is part of an index behind it."""
    for match in re.finditer(r"\b(if|for|while)\s*\(", source.code):
        opening = match.end() - 1
        closing = source.close(opening)
        if not source.function_at(match.start()) or closing < 0:
            continue
        for less in re.finditer(r"(?<= )<(?= )", source.code[opening:closing]):
            place = opening + less.start()
            left = re.search(r"(\w+) ?$", source.code[opening:place])
            if left and not left.group(1).isdigit() and re.search(rf"\b{left.group(1)}\b", subscripts(body_after(source, closing))):
                yield Change(place, [(place, place + 1, "<=")], around(source, place))


@kind("guard dropped")
def guard_dropped(source):
    for match in re.finditer(r"\bif\s*\(", source.code):
        opening = match.end() - 1
        closing = source.close(opening)
        function = source.function_at(match.start())
        if not function or closing < 0:
            continue
        condition = source.code[opening + 1:closing]
        rest = source.code[closing + 1:].lstrip()
        stores = re.search(r"\] ?[-+*/|&^]?= |\]\+\+|atomic", body_after(source, closing))
        if re.search(r"\b(?:threadIdx\.x|t|tid|lane|i) == 0|\w < \w|>=", condition) and stores and not rest.startswith(("return", "break", "continue")):
            yield Change(match.start(), [(opening + 1, closing, f"true || ({source.text[opening + 1:closing]})")],
                         around(source, match.start()))


PLAIN = {"Add": "*({0}) += {1}", "Sub": "*({0}) -= {1}", "And": "*({0}) &= {1}", "Or": "*({0}) |= {1}",
         "Xor": "*({0}) ^= {1}", "Exch": "*({0}) = {1}", "Max": "*({0}) = max(*({0}), {1})",
         "Min": "*({0}) = min(*({0}), {1})"}


def atomics(source):
    for begin, end, name, arguments in source.calls(r"atomic(?:Add|Sub|And|Or|Xor|Exch|Max|Min)"):
        if len(arguments) == 2 and source.function_at(begin):
            yield begin, end, name, arguments


@kind("atomic made plain")
def atomic_made_plain(source):
    for begin, end, name, arguments in atomics(source):
        plain = PLAIN[name.removeprefix("atomic")].format(*arguments)
        yield Change(begin, [(begin, end, plain if source.statement(begin, end) else f"({plain})")], around(source, begin))


@kind("atomic scope narrowed")
def atomic_scope_narrowed(source):
    for begin, end, name, arguments in atomics(source):
        function = source.function_at(begin)
        root = re.match(r"[&*(\s]*(\w+)", arguments[0])
        if root and root.group(1) not in shared_arrays(source, function):
            yield Change(begin, [(begin, begin + len(name), name + "_block")], around(source, begin))


@kind("fence removed")
def fence_removed(source):
    for begin, end, _, _ in source.calls(r"__threadfence|__threadfence_block|__threadfence_system"):
        extent = source.statement(begin, end)
        if extent and source.function_at(begin):
            yield Change(begin, [(*extent, ";")], around(source, begin))


def root_of(argument):
    match = re.match(r"(?:\([^()]*\)|reinterpret_cast<[^<>]*>\(|[&*(\s])*([A-Za-z_]\w*)", argument)
    return match.group(1) if match else ""


@kind("host initialisation removed")
def host_initialisation_removed(source):
    for begin, end, name, arguments in source.calls(r"cudaMemset(?:Async)?|cudaMemcpy(?:Async)?"):
        extent = source.statement(begin, end)
        if extent and (name.startswith("cudaMemset") or "HostToDevice" in " ".join(arguments)):
            yield Change(begin, [(*extent, ";")], allocations(source, root_of(arguments[0])) + users(source, root_of(arguments[0])))
    for match in re.finditer(r"\bDeviceBuffer<[\w :*]+>\s+(\w+)\(", source.code):
        argument = source.text[match.end():source.close(match.end() - 1)]
        if not source.function_at(match.start()) and not re.match(r"[\d(]|.*[*+/]|n$|sizeof", argument):
            yield Change(match.start(), [(match.end(), match.end(), "check::Unwritten(), ")],
                         declared(source, match.start()) + users(source, match.group(1)))


@kind("shared initialisation removed")
def shared_initialisation_removed(source):
    for function in source.functions:
        names = shared_arrays(source, function)
        if not names:
            continue
        body = source.code[function.begin:function.end]
        pattern = rf"(?<=[;{{}})\s])({'|'.join(sorted(names))})\b((?:\[[^;={{}}]*\])*) = [^;{{}}=]*;"
        for match in re.finditer(pattern, body):
            begin = function.begin + match.start()
            before = source.code[:begin].rstrip()
            if before[-1] in ";{})" or before.endswith("else"):
                yield Change(begin, [(begin, function.begin + match.end(), ";")], body_lines(source, function))


@kind("wait removed")
def wait_removed(source):
    for begin, end, _, _ in source.calls(r"cudaStreamWaitEvent"):
        extent = source.statement(begin, end)
        if extent:
            yield Change(begin, [(*extent, ";")], [line for function in source.functions if function.is_kernel for line in body_lines(source, function)])


@kind("allocation shrunk")
def allocation_shrunk(source):
    for begin, end, _, arguments in source.calls(r"cudaMalloc(?:Managed|Async)?"):
        if len(arguments) >= 2 and arguments[0].startswith("&"):
            size = source.text.index(arguments[1], source.text.index(",", begin))
            yield Change(begin, [(size, size + len(arguments[1]), f"({arguments[1]}) - 1")],
                         [])
    for match in re.finditer(r"\bDeviceBuffer<[\w :*]+>\s+(\w+)\(", source.code):
        if not source.function_at(match.start()):
            yield Change(match.start(), [(match.end(), match.end(), "check::Shrunk(), ")], declared(source, match.start()))


@kind("shared array shrunk")
def shared_array_shrunk(source):
    for match in re.finditer(r"__shared__\s+[\w :]+?[ *&](\w+)\[", source.code):
        function = source.function_at(match.start())
        closing = source.close(match.end() - 1)
        size = source.text[match.end():closing].strip()
        if function and size and "extern" not in source.code[max(0, match.start() - 10):match.start()]:
            yield Change(match.start(), [(match.end(), closing, f"({size}) - 1")], body_lines(source, function))


@kind("index off by one")
def index_off_by_one(source):
    for function in source.functions:
        names = shared_arrays(source, function) | set(function.parameters)
        for match in re.finditer(rf"\b({'|'.join(sorted(map(re.escape, names))) or '-'})\[", source.code[function.begin:function.end]):
            opening = function.begin + match.end() - 1
            if re.search(r"__shared__[^;]*$", source.code[function.begin:opening]):
                continue
            closing = source.close(opening)
            if closing > 0 and "threadIdx" in source.code[function.begin:function.end]:
                yield Change(opening, [(closing, closing, " + 1")], body_lines(source, function))


def mutants_of(program, source, kinds=None):
    result = []
    for name, function in KINDS.items():
        if kinds and name not in kinds:
            continue
        seen = {}
        for change in function(source):
            line = source.line_of(change.place)
            seen[line] = seen.get(line, 0) + 1
            text = source.edited(change.edits)
            result.append(Mutant(program, name, line, source.line(line).strip(), seen[line], text, list(change.partners)))
    return result
