# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of PTX with their types, roundings and modifiers, each as a kernel over edge values.

A case is (text, result type, operand types): in the text, d is the result and a, b, c the operands.
"""
import itertools
import math
import struct

INTEGERS = ["u16", "s16", "u32", "s32", "u64", "s64"]
BITS = ["b16", "b32", "b64"]
ROUNDINGS = ["rn", "rz", "rm", "rp"]


def width(kind):
    return 1 if kind == "pred" else int("".join(c for c in kind.split("x")[0] if c.isdigit())) * (
        2 if "x2" in kind else 1)


def is_float(kind):
    return kind[0] == "f" or kind.startswith("bf")


def integer_cases():
    for kind in INTEGERS:
        for name in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            yield f"{name}.{kind} d, a, b;", kind, [kind, kind]
        for half in ("lo", "hi"):
            yield f"mad.{half}.{kind} d, a, b, c;", kind, [kind] * 3
        yield f"sad.{kind} d, a, b, c;", kind, [kind] * 3
        if kind[0] == "s":
            yield f"abs.{kind} d, a;", kind, [kind]
            yield f"neg.{kind} d, a;", kind, [kind]
        yield f"shr.{kind} d, a, b;", kind, [kind, "u32"]
        if width(kind) < 64:
            wide = kind[0] + str(2 * width(kind))
            yield f"mul.wide.{kind} d, a, b;", wide, [kind, kind]
            yield f"mad.wide.{kind} d, a, b, c;", wide, [kind, kind, wide]
        if width(kind) > 16:
            yield f"bfind.{kind} d, a;", "u32", [kind]
            yield f"bfind.shiftamt.{kind} d, a;", "u32", [kind]
            yield (f"{{ .reg .b32 s, t; and.b32 s, b, 255; and.b32 t, c, 255; bfe.{kind} d, a, s, t; }}",
                   kind, [kind, "u32", "u32"])
    for name in ("add", "sub"):
        yield f"{name}.sat.s32 d, a, b;", "s32", ["s32"] * 2
    for kind in ("u32", "s32"):
        for half in ("lo", "hi"):
            yield f"mul24.{half}.{kind} d, a, b;", kind, [kind] * 2
            yield f"mad24.{half}.{kind} d, a, b, c;", kind, [kind] * 3
        for mode in ("wrap", "clamp"):
            yield f"szext.{mode}.{kind} d, a, b;", kind, [kind, "u32"]
        for other in ("u32", "s32"):
            yield f"dp4a.{kind}.{other} d, a, b, c;", "s32", ["b32"] * 3
            for half in ("lo", "hi"):
                yield f"dp2a.{half}.{kind}.{other} d, a, b, c;", "s32", ["b32"] * 3
    for half in ("mad.hi.sat", "mad24.hi.sat"):
        yield f"{half}.s32 d, a, b, c;", "s32", ["s32"] * 3
    for name in ("add", "sub"): # numbers of two registers
        for kind in ("u32", "u64"):
            yield (f"{name}.cc.{kind} d, a, b; {name}c.{kind} d, c, a;", kind, [kind] * 3)
    yield "mad.lo.cc.u32 d, a, b, c; madc.hi.u32 d, a, b, c;", "u32", ["u32"] * 3


def bit_cases():
    for kind in BITS:
        for name in ("and", "or", "xor"):
            yield f"{name}.{kind} d, a, b;", kind, [kind] * 2
        yield f"not.{kind} d, a;", kind, [kind]
        yield f"cnot.{kind} d, a;", kind, [kind]
        yield f"shl.{kind} d, a, b;", kind, [kind, "u32"]
        if width(kind) > 16:
            for name in ("popc", "clz"):
                yield f"{name}.{kind} d, a;", "u32", [kind]
            yield f"brev.{kind} d, a;", kind, [kind]
            yield (f"{{ .reg .b32 t; and.b32 t, c, 255; bfi.{kind} d, a, b, t, 9; }}", kind,
                   [kind, kind, "b32"])
    for direction, mode in itertools.product("lr", ("wrap", "clamp")):
        yield f"shf.{direction}.{mode}.b32 d, a, b, c;", "b32", ["b32"] * 3
    for table in (0x00, 0x1b, 0x6a, 0x80, 0x96, 0xca, 0xe8, 0xfe):
        yield f"lop3.b32 d, a, b, c, {table};", "b32", ["b32"] * 3
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        yield f"prmt.b32{mode} d, a, b, c;", "b32", ["b32"] * 3
    for mode in ("wrap", "clamp"):
        yield f"bmsk.{mode}.b32 d, a, b;", "b32", ["b32"] * 2


def float_cases():
    for kind, rounding in itertools.product(("f32", "f64"), ROUNDINGS):
        for extra in ("", ".ftz", ".sat", ".ftz.sat") if kind == "f32" else ("",):
            for name in ("add", "sub", "mul"):
                yield f"{name}.{rounding}{extra}.{kind} d, a, b;", kind, [kind] * 2
            yield f"fma.{rounding}{extra}.{kind} d, a, b, c;", kind, [kind] * 3
        for extra in ("", ".ftz") if kind == "f32" else ("",):
            yield f"div.{rounding}{extra}.{kind} d, a, b;", kind, [kind] * 2
            for name in ("rcp", "sqrt"):
                yield f"{name}.{rounding}{extra}.{kind} d, a;", kind, [kind]
    for kind in ("f32", "f64"):
        for extra in ("", ".ftz", ".NaN", ".ftz.NaN") if kind == "f32" else ("",):
            for name in ("min", "max"):
                yield f"{name}{extra}.{kind} d, a, b;", kind, [kind] * 2
        for name in ("abs", "neg"):
            yield f"{name}.{kind} d, a;", kind, [kind]
        yield f"copysign.{kind} d, a, b;", kind, [kind] * 2
        for test in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield f"testp.{test}.{kind} d, a;", "pred", [kind]
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        extras = ("", ".ftz", ".sat", ".ftz.sat") if kind[0] == "f" else ("",)
        for extra in extras:
            for name in ("add", "sub", "mul"):
                yield f"{name}.rn{extra}.{kind} d, a, b;", kind, [kind] * 2
            yield f"fma.rn{extra}.{kind} d, a, b, c;", kind, [kind] * 3
        yield f"fma.rn.relu.{kind} d, a, b, c;", kind, [kind] * 3
        for name, extra in itertools.product(("min", "max"), ("", ".NaN")):
            yield f"{name}{extra}.{kind} d, a, b;", kind, [kind] * 2
        for name in ("abs", "neg"):
            yield f"{name}.{kind} d, a;", kind, [kind]


def angle_error(x):
    """The documented absolute error of sin.approx and cos.approx; there is none for large angles."""
    if abs(x) <= 2 * math.pi:
        return 2 ** -20.5
    return 2 ** -14.7 if abs(x) <= 100 * math.pi else math.inf


def approximate_cases():
    """(case, allowed relative error, allowed absolute error: a number, or a function of the input)."""
    for name, relative, absolute in (("sin", 0, angle_error), ("cos", 0, angle_error), ("lg2", 2 ** -20, 2 ** -20),
                                     ("ex2", 2 ** -21, 0), ("tanh", 2 ** -10, 0), ("rcp", 2 ** -22, 0),
                                     ("sqrt", 2 ** -21, 0), ("rsqrt", 2 ** -21, 0)):
        yield (f"{name}.approx.f32 d, a;", "f32", ["f32"]), relative, absolute
    for name in ("div.approx", "div.full"):
        yield (f"{name}.f32 d, a, b;", "f32", ["f32"] * 2), 2 ** -21, 0


def compare_cases():
    signed = ("eq", "ne", "lt", "le", "gt", "ge")
    for kind in INTEGERS + BITS:
        operations = ("eq", "ne") if kind[0] == "b" else signed
        for operation in operations + (("lo", "ls", "hi", "hs") if kind[0] == "u" else ()):
            yield f"setp.{operation}.{kind} d, a, b;", "pred", [kind] * 2
    for kind in ("f32", "f64", "f16"):
        for operation in signed + ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            yield f"setp.{operation}.{kind} d, a, b;", "pred", [kind] * 2
    for operation, to, kind in itertools.product(("lt", "neu"), ("u32", "f32"), ("f32", "f64")):
        yield f"set.{operation}.{to}.{kind} d, a, b;", to, [kind] * 2
    for kind in ("b16", "b32", "b64"):
        yield f"{{ .reg .pred p; setp.lt.s32 p, c, 3; selp.{kind} d, a, b, p; }}", kind, [kind, kind, "s32"]
    for kind, other in itertools.product(("b32", "b64"), ("s32", "f32")):
        yield f"slct.{kind}.{other} d, a, b, c;", kind, [kind, kind, other]


def can_saturate(to, source):
    """Whether some values of `source` are none of `to`: .sat is illegal otherwise (PTX ISA, "cvt")."""
    to_bits, source_bits = int(to[1:]), int(source[1:])
    if to[0] == source[0]:
        return to_bits < source_bits
    return to[0] == "u" or to_bits <= source_bits


def convert_cases():
    whole = ["u8", "s8"] + INTEGERS
    for to, source in itertools.product(whole, whole):
        yield f"cvt.{to}.{source} d, a;", to, [source]
        if can_saturate(to, source):
            yield f"cvt.sat.{to}.{source} d, a;", to, [source]
    for to, source, rounding in itertools.product(("f32", "f64", "f16"), whole, ROUNDINGS):
        yield f"cvt.{rounding}.{to}.{source} d, a;", to, [source]
    for to, source, rounding in itertools.product(whole, ("f32", "f64", "f16"), ("rni", "rzi", "rmi", "rpi")):
        yield f"cvt.{rounding}.{to}.{source} d, a;", to, [source]
    for kind, rounding in itertools.product(("f32", "f64", "f16"), ("rni", "rzi", "rmi", "rpi")):
        yield f"cvt.{rounding}.{kind}.{kind} d, a;", kind, [kind]
    yield "cvt.f64.f32 d, a;", "f64", ["f32"]
    yield "cvt.f32.f16 d, a;", "f32", ["f16"]
    yield "cvt.f64.f16 d, a;", "f64", ["f16"]
    yield "cvt.f32.bf16 d, a;", "f32", ["bf16"]
    for rounding in ROUNDINGS:
        yield f"cvt.{rounding}.f32.f64 d, a;", "f32", ["f64"]
        yield f"cvt.{rounding}.f16.f32 d, a;", "f16", ["f32"]
        yield f"cvt.{rounding}.f16.f64 d, a;", "f16", ["f64"]
    for rounding in ("rn", "rz"):
        for extra in ("", ".relu"):
            yield f"cvt.{rounding}{extra}.bf16.f32 d, a;", "bf16", ["f32"]
            for packed in ("f16x2", "bf16x2"):
                yield f"cvt.{rounding}{extra}.{packed}.f32 d, a, b;", packed, ["f32"] * 2


def exact_cases():
    return list(itertools.chain(integer_cases(), bit_cases(), float_cases(), compare_cases(),
                                convert_cases()))


# ---- Values

def integer_values(bits):
    top = 1 << (bits - 1)
    values = [0, 1, 2, 3, 5, 7, 8, 15, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 0x5555, 0xAAAA,
              top - 1, top, top + 1, -1, -2, -3, -100, 2 * top // 3]
    return [value % (1 << bits) for value in values]


def float_values(bits, pack):
    numbers = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.14159265, 100.25, -1e-3, 65504.0, 1e5, 255.5,
               -256.0, 32767.5, 2147483648.0, -2147483649.0, 4294967296.0, 9.3e18, 1e-40, -1e-45, 3e38]
    special = {16: [0x7C00, 0xFC00, 0x7E01, 0x0001, 0x03FF], 32: [0x7F800000, 0xFF800000, 0x7FC00001, 1, 0x7FFFFF],
               64: [0x7FF << 52, 0xFFF << 52, (0x7FF8 << 48) + 1, 1, (1 << 52) - 1]}[bits]
    return [pack(number) for number in numbers] + special


def pack_half(number):
    try:
        return struct.unpack("<H", struct.pack("<e", number))[0]
    except OverflowError:
        return 0x7BFF if number > 0 else 0xFBFF


def values_of(kind):
    """The bits of 28 values."""
    if kind in ("f16x2", "bf16x2"):
        half = values_of(kind[:-2])
        return [half[i] | half[(i * 5 + 3) % len(half)] << 16 for i in range(len(half))]
    if kind == "bf16":
        return [bits >> 16 for bits in values_of("f32")[:-2]] + [1, 0x7F]
    if kind == "f16":
        return float_values(16, pack_half)
    if kind == "f32":
        return float_values(32, lambda x: struct.unpack("<I", struct.pack("<f", x))[0])
    if kind == "f64":
        return float_values(64, lambda x: struct.unpack("<Q", struct.pack("<d", x))[0])
    return integer_values(width(kind))


def canonical(kind, bits):
    """NaN has many forms; which one an operation gives is not compared."""
    if kind in ("f16x2", "bf16x2"):
        return canonical(kind[:-2], bits & 0xFFFF) | canonical(kind[:-2], bits >> 16 & 0xFFFF) << 16
    limits = {"f16": (0x7FFF, 0x7C00), "bf16": (0x7FFF, 0x7F80), "f32": (0x7FFFFFFF, 0x7F800000),
              "f64": ((1 << 63) - 1, 0x7FF << 52)}
    if kind in limits and bits & limits[kind][0] > limits[kind][1]:
        return limits[kind][0]
    return bits


# ---- Text

def register(kind):
    return ".pred" if kind == "pred" else f".b{max(width(kind), 16)}"


def kernel(name, case):
    """The case as an entry: each thread takes one value for each operand, from places of 8 bytes."""
    text, result, operands = case
    lines = [f".visible .entry {name}(.param .u64 out, .param .u64 in)", "{", "\t.reg .b64 %o, %i, %t, %r;",
             "\t.reg .b32 %n;", f"\t.reg {register(result)} d;"]
    lines += [f"\t.reg {register(kind)} {letter};" for kind, letter in zip(operands, "abc")]
    lines += ["\tld.param.u64 %o, [out];", "\tld.param.u64 %i, [in];", "\tmov.u32 %n, %tid.x;",
              "\tmul.wide.u32 %t, %n, 24;", "\tadd.u64 %i, %i, %t;"]
    for i, (kind, letter) in enumerate(zip(operands, "abc")):
        lines.append(f"\tld.global.b{width(kind)} {letter}, [%i+{8 * i}];")
    lines += ["\tmov.b64 %r, 0;", "\t" + text]
    if result == "pred":
        lines.append("\tselp.b64 %r, 1, 0, d;")
    else:
        lines.append(f"\tcvt.u64.u{width(result)} %r, d;")
    lines += ["\tmul.wide.u32 %t, %n, 8;", "\tadd.u64 %o, %o, %t;", "\tst.global.u64 [%o], %r;", "\tret;", "}"]
    return "\n".join(lines) + "\n"


def module(cases):
    header = ".version 7.8\n.target sm_90\n.address_size 64\n\n"
    return header + "\n".join(kernel(f"case{i}", case) for i, case in enumerate(cases))


THREADS = 28 * 28


def inputs(case):
    """Three values of 8 bytes for each thread: all pairs of the first two operands' values."""
    lists = [values_of(kind) for kind in case[2]] + [[0]] * (3 - len(case[2]))
    data = bytearray()
    for i in range(THREADS):
        for values, index in zip(lists, (i, i // 28, i * 7 + i // 28 + 3)):
            data += struct.pack("<Q", values[index % len(values)])
    return bytes(data)
