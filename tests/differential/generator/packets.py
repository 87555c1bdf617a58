# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random accesses of a thread's own array of structures that are aligned to more than their members
(`struct alignas(16) { u16 v[8]; }`), by index at run time, a vector of 16 bytes at a time or a member."""

import dataclasses

from .tree import FLOATS, INTEGERS, WIDTH, Simple

KINDS = ("u32", "u32", "f32", "u16", "u8")
STARTS = ("gid", "p0", "7")


@dataclasses.dataclass
class Packets:
    """An array of `size` structures with members `type v[each]`, 16 bytes each."""
    name: str
    type: str
    size: int
    each: int


def make_packets(rng, number):
    kind = rng.choice(KINDS)
    return Packets(f"pk{number}", kind, rng.choice((4, 8)), 128 // WIDTH[kind])


def declaration(rng, packets):
    start = f"{packets.type}({rng.choice(STARTS)} + i * {packets.each} + e)"
    return (f"struct alignas(16) P_{packets.name} {{\n  {packets.type} v[{packets.each}];\n}};\n"
            f"P_{packets.name} {packets.name}[{packets.size}];\n"
            f"for (int i = 0; i < {packets.size}; ++i)\n  for (int e = 0; e < {packets.each}; ++e)\n"
            f"    {packets.name}[i].v[e] = {start};")


class PacketStatements:
    """Of Statements."""

    def packet(self, scope):
        packets = self.rng.choice(scope.packets)
        makers = (self.changed_packet, self.changed_packet, self.packets_in_turn, self.member_of_packet)
        return self.rng.choice(makers)(packets, scope)

    def whole(self, packets, index):
        return f"*(uint4 *)&{packets.name}[{index}]"

    def changes(self):
        """All of a vector as a rule: what is not changed is copied, which is another access."""
        parts = "xyzw" if self.rng.random() < 0.7 else self.rng.sample("xyzw", 2)
        return " ".join(f"w.{part} {self.rng.choice(('+=', '^=', '-='))} {self.rng.randrange(1, 9)};"
                        for part in parts)

    def changed_packet(self, packets, scope):
        return Simple(f"{{{{\n  uint4 w = {self.whole(packets, '{0}')};\n  {self.changes()}\n"
                      f"  {self.whole(packets, '{1}')} = w;\n}}}}",
                      self.x.index(scope, packets.size), self.x.index(scope, packets.size))

    def packets_in_turn(self, packets, scope):
        turned = f"(i + {{0}}) & {packets.size - 1}"
        return Simple(f"for (int i = 0; i < {packets.size}; ++i) {{{{\n"
                      f"  uint4 w = {self.whole(packets, turned)};\n  {self.changes()}\n"
                      f"  {self.whole(packets, 'i')} = w;\n}}}}", self.x.index(scope, packets.size))

    def member_of_packet(self, packets, scope):
        kinds = [kind for kind, names in scope.variables.items() if names and kind in INTEGERS + FLOATS]
        if not kinds:
            return self.changed_packet(packets, scope)
        kind = self.rng.choice(kinds)
        name = self.rng.choice(scope.variables[kind])
        member = f"{packets.name}[{{0}}].v[{{1}}]"
        index, part = self.x.index(scope, packets.size), self.x.index(scope, packets.each)
        if packets.type == "f32":  # may be a NaN, whose bits are anything
            return Simple(f"{name} = {kind}(({member}) > 1.0f);", index, part)
        if self.rng.random() < 0.6:
            return Simple(f"{name} = {kind}({member});", index, part)
        value = self.x.expression(packets.type, scope, 1)
        return Simple(f"{member} = {{2}};", index, part, value)
