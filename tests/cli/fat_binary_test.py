# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fat binaries as nvcc writes them, in files: loaded, linked, and shown by cuobjdump and nvdisasm.

They are made here, in NVIDIA's format, of PTX and of bytes that stand for machine code.
"""

import struct
import subprocess
import sys

from cli import BUILD, CliTest, main

TOOLS = BUILD / "share/heddle/toolkit/bin"
PTX, MACHINE_CODE = 1, 2

# Calls what another text has.
CALLER = """\
.version 7.8
.target sm_60
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 value);
.visible .entry fill(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .param .b32 value;
  .param .b32 result;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  st.param.b32 [value], %r1;
  call.uni (result), twice, (value);
  ld.param.b32 %r2, [result];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
"""

CALLED = """\
.version 7.8
.target sm_60
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [value];
  add.u32 %r1, %r1, %r1;
  st.param.b32 [result], %r1;
  ret;
}
"""

ALONE = CALLER.replace(".extern .func (.param .b32 result) twice(.param .b32 value);\n", CALLED.split("size 64\n")[1])

CALLS = """\
import ctypes, mmap, sys
from ctypes import byref, c_int, c_size_t, c_void_p

driver, runtime = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libcudart.so.12")
context = c_void_p()
assert driver.cuInit(0) == 0 and driver.cuDevicePrimaryCtxRetain(byref(context), 0) == 0
assert driver.cuCtxSetCurrent(context) == 0

def run(function):
    out, host = c_void_p(), (c_int * 8)()
    assert driver.cuMemAlloc_v2(byref(out), c_size_t(32)) == 0
    arguments = (c_void_p * 1)(ctypes.addressof(out))
    assert driver.cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, None, arguments, None) == 0
    assert driver.cuMemcpyDtoH_v2(host, out, c_size_t(32)) == 0
    return list(host)

def function_of(module):
    function = c_void_p()
    assert driver.cuModuleGetFunction(byref(function), module, b"fill") == 0
    return function

def load_file(path):
    module = c_void_p()
    error = driver.cuModuleLoad(byref(module), path.encode())
    return error or run(function_of(module))

# A fat binary at an offset of a file in memory.
def load_inside(path, offset):
    module = c_void_p()
    with open(path, "rb") as file:
        bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_PRIVATE)
    start = ctypes.addressof(c_int.from_buffer(bytes, offset))
    return driver.cuModuleLoadData(byref(module), c_void_p(start)) or run(function_of(module))

def load_library(path):
    library, kernel, function = c_void_p(), c_void_p(), c_void_p()
    error = runtime.cudaLibraryLoadFromFile(byref(library), path.encode(), None, None, 0, None, None, 0)
    if error:
        return error
    assert runtime.cudaLibraryGetKernel(byref(kernel), library, b"fill") == 0
    assert driver.cuKernelGetFunction(byref(function), kernel) == 0
    return run(function)

def link(*inputs):
    log = ctypes.create_string_buffer(2000)
    options, values = (c_int * 2)(5, 6), (c_void_p * 2)(ctypes.addressof(log), 2000)
    state, image, size, module = c_void_p(), c_void_p(), c_size_t(), c_void_p()
    assert driver.cuLinkCreate_v2(2, options, values, byref(state)) == 0
    for kind, path in inputs:
        error = driver.cuLinkAddFile_v2(state, kind, path.encode(), 0, None, None)
        if error:
            return error, log.value.decode()
    error = driver.cuLinkComplete(state, byref(image), byref(size))
    if error:
        return error, log.value.decode()
    assert driver.cuModuleLoadData(byref(module), image) == 0
    return run(function_of(module))

CUBIN, PTX, FATBINARY, OBJECT, LIBRARY = range(5)
"""

# Of a text that is divided: kernels, variables, and what belongs to what.
DIVIDED = """
library, module = c_void_p(), c_void_p()
with open("long.fatbin", "rb") as file:
    data = ctypes.create_string_buffer(file.read())

def names(functions):
    name = ctypes.c_char_p()
    return [(driver.cuFuncGetName(byref(name), c_void_p(f)), name.value.decode())[1] for f in functions]

def launch(function, *values):
    cells = [c_int(value) for value in values]
    arguments = (c_void_p * len(cells))(*map(ctypes.addressof, cells))
    assert driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None) == 0

def variable(module, name):
    address, size, value = c_void_p(), c_size_t(), c_int()
    error = driver.cuModuleGetGlobal_v2(byref(address), byref(size), module, name)
    if not error:
        assert driver.cuMemcpyDtoH_v2(byref(value), address, size) == 0
    return error or value.value

assert driver.cuModuleLoadData(byref(module), data) == 0
function, owner, count, attribute = c_void_p(), c_void_p(), ctypes.c_uint(), c_int()
assert driver.cuModuleGetFunctionCount(byref(count), module) == 0
for name in b"add3", b"add4", b"broken", b"none":
    print(name.decode(), driver.cuModuleGetFunction(byref(function), module, name), end=" ")
assert driver.cuModuleGetFunction(byref(function), module, b"add5") == 0
assert driver.cuFuncGetModule(byref(owner), function) == 0
assert driver.cuFuncGetAttribute(byref(attribute), 1, function) == 0 # shared bytes
print(count.value, owner.value == module.value, attribute.value)

# Two kernels, one variable; the host sees it, too, and one that no kernel uses.
for name, value in (b"count_up", 3), (b"count_twice", 5):
    assert driver.cuModuleGetFunction(byref(function), module, name) == 0
    launch(function, value)
print(*(variable(module, name) for name in (b"count", b"unused", b"none")))
functions = (c_void_p * count.value)()
assert driver.cuModuleEnumerateFunctions(functions, count, module) == 0
print(*names(functions[:2]), function.value in functions[:])
print(driver.cuModuleUnload(module), driver.cuModuleGetFunction(byref(function), module, b"add3"))

# As what a library registers. Its host functions are addresses.
class Wrapper(ctypes.Structure):
    _fields_ = [("magic", c_int), ("version", c_int), ("data", c_void_p), ("unused", c_void_p)]

class Dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

wrapper, hosts = Wrapper(0x466243B1, 1, ctypes.addressof(data), None), ctypes.create_string_buffer(4)
runtime.__cudaRegisterFatBinary.restype = c_void_p
handle = c_void_p(runtime.__cudaRegisterFatBinary(byref(wrapper)))
host = [c_void_p(ctypes.addressof(hosts) + i) for i in range(4)]
for address, name in zip(host, (b"count_up", b"count_twice", b"broken")):
    runtime.__cudaRegisterFunction(handle, address, name, name, -1, None, None, None, None, None)
runtime.__cudaRegisterVar(handle, host[3], b"count", b"count", 0, c_size_t(4), 0, 0)
runtime.__cudaRegisterFatBinaryEnd(handle)
one, value = Dim3(1, 1, 1), c_int(4)
arguments = (c_void_p * 1)(ctypes.addressof(value))
runtime.cudaLaunchKernel.argtypes = [c_void_p, Dim3, Dim3, c_void_p, c_size_t, c_void_p]
print(*(runtime.cudaLaunchKernel(address, one, one, arguments, 0, None) for address in host[:3]))
assert runtime.cudaMemcpyFromSymbol(byref(value), host[3], c_size_t(4), c_size_t(0), 2) == 0
print(value.value)
runtime.__cudaUnregisterFatBinary(handle)
"""


def long_text():
    """Three hundred kernels, one more that is broken, and two that add to one variable."""
    add = """.visible .entry add{0}(.param .u32 value)
{{
  .reg .b32 %r<3>;
  .shared .align 4 .b8 room{0}[{1}];
  ld.param.u32 %r1, [value];
  st.volatile.shared.u32 [room{0}], %r1;
  ld.volatile.shared.u32 %r2, [room{0}];
  ret;
}}
"""
    count = """.visible .entry {}(.param .u32 value)
{{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [value];
  mul.lo.u32 %r1, %r1, {};
  ld.global.u32 %r2, [count];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [count], %r3;
  ret;
}}
"""
    return (".version 7.8\n.target sm_60\n.address_size 64\n.global .align 4 .u32 count = 10;\n"
            ".const .align 4 .u32 unused = 77;\n" + "".join(add.format(i, 4 * i + 4) for i in range(300)) +
            add.format("x", 4).replace("addx", "broken").replace("ld.volatile", "lt.volatile") +
            count.format("count_up", 1) + count.format("count_twice", 2))


def entry(kind, capability, code, name=b""):
    if isinstance(code, str):
        code = code.encode()
    code += b"\0" * (-len(code) % 8)
    header = 64 + (len(name) + 8) // 8 * 8 if name else 64
    fields = struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, header, len(code), 0, 0, 8, 7, capability, 64 if name else 0,
                         len(name), 0x11, 0, 0)
    return fields.ljust(64, b"\0") + name.ljust(header - 64, b"\0") + code


def fat_binary(*entries):
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, sum(map(len, entries))) + b"".join(entries)


class FatBinaryTest(CliTest):
    def binary(self, name, *parts):
        (self.work / name).write_bytes(b"".join(parts))
        return name

    def python(self, program):
        result = self.command(sys.executable, "-c", CALLS + program, env={"LD_LIBRARY_PATH": str(BUILD / "lib")})
        self.assertEqual(result.code, 0, str(result))
        return result.out.splitlines(), result.err

    def test_loaded_from_files(self):
        whole = fat_binary(entry(MACHINE_CODE, 75, b"code"), entry(PTX, 60, ALONE))
        self.binary("a.fatbin", whole)
        self.binary("larger", b"x" * 4096 + whole + b"and more")
        self.binary("longer", whole + b"and more")
        self.binary("shorter", whole[:-9])
        self.binary("machine", fat_binary(entry(MACHINE_CODE, 75, b"code")))
        self.binary("late", fat_binary(entry(PTX, 60, ALONE.replace("7.8", "9.9"))))
        self.binary("wrong", fat_binary(entry(PTX, 60, ALONE.replace("add.u32", "odd.u32"))))
        out, err = self.python("""
print(load_file("a.fatbin"), load_file("longer"), load_inside("larger", 4096), load_library("a.fatbin"))
for path in "shorter", "machine", "late", "wrong":
    print(load_file(path), load_library(path))
""")
        filled = str([2 * i for i in range(8)])
        self.assertEqual(out, [" ".join([filled] * 4), "200 200", "209 209", "222 222", "218 218"])
        self.assertIn("machine code of GPUs only, without PTX", err)
        self.assertIn("Not a name of any known instruction: 'odd'", err)

    def test_long_text_is_compiled_by_kernels(self):
        self.binary("long.fatbin", fat_binary(entry(PTX, 60, long_text())))
        out, err = self.python(DIVIDED)
        self.assertEqual(out, ["add3 0 add4 0 broken 218 none 500 303 True 24", "23 77 500", "add0 add1 True", "0 400",
                               "0 0 218", "22"], err)
        self.assertIn("PTX of a fat binary, kernel broken, line 10; error   : Not a name of any known instruction: 'lt'", err)
        # What has been used is in the cache: each file there is an image or compiled code.
        self.assertLess(len([path for path in self.cache.rglob("*") if path.is_file()]), 40)

    def test_linked(self):
        caller, called = fat_binary(entry(PTX, 60, CALLER)), fat_binary(entry(PTX, 60, CALLED))
        self.binary("caller.fatbin", caller)
        self.binary("called.fatbin", called)
        self.binary("machine.fatbin", fat_binary(entry(MACHINE_CODE, 75, b"code")))
        self.binary("short.fatbin", called[:100])
        self.write("called.ptx", CALLED)
        for name, section in (("called", "__nv_relfatbin"), ("machine", ".nv_fatbin")):
            self.write(f"{name}.s", f'.section {section},"a"\n.align 8\n.incbin "{name}.fatbin"\n')
            subprocess.run(["cc", "-c", f"{name}.s"], cwd=self.work, check=True)
        subprocess.run(["ar", "rcs", "libcalled.a", "called.o"], cwd=self.work, check=True)
        out, err = self.python("""
caller = FATBINARY, "caller.fatbin"
for kind, path in ((FATBINARY, "called.fatbin"), (CUBIN, "called.fatbin"), (OBJECT, "called.o"), (LIBRARY, "libcalled.a"),
                   (PTX, "called.ptx")):
    print(link(caller, (kind, path)))
for inputs in (caller,), ((FATBINARY, "machine.fatbin"),), ((FATBINARY, "short.fatbin"),), (caller, (OBJECT, "machine.o")):
    error, log = link(*inputs)
    print(error, log.strip())
""")
        self.assertEqual(out[:5], [str([2 * i for i in range(8)])] * 5, err)
        expected = ("218 .*'twice'", "209 .*machine code of GPUs only", "200 a broken fat binary",
                    "200 .*machine.o: it has machine code of GPUs only")
        for line, error in zip(out[5:], expected, strict=True):
            self.assertRegex(line, f"^{error}")

    def test_shown(self):
        self.binary("a.fatbin", fat_binary(entry(MACHINE_CODE, 80, b"code"), entry(PTX, 60, ALONE, b"fill.cu")))
        self.write("a.s", '.section .nv_fatbin,"a"\n.align 8\n.incbin "a.fatbin"\n.zero 24\n.incbin "a.fatbin"\n')
        subprocess.run(["cc", "-c", "a.s"], cwd=self.work, check=True)
        dump = TOOLS / "cuobjdump"
        self.expect(self.command(dump, "-lptx", "a.fatbin"), 0, "PTX file    1: fill.cu.1.sm_60.ptx\n", "")
        self.expect(self.command(dump, "-lelf", "a.o"), 0, "ELF file    1: a.1.sm_80.cubin\nELF file    2: a.2.sm_80.cubin\n", "")
        shown = self.expect(self.command(dump, "-ptx", "a.fatbin"), 0, err="", out_has=["Fatbin elf code:", "arch = sm_80"])
        self.assertIn(ALONE, shown.out)
        self.assertIn("identifier = fill.cu\n", shown.out)
        used = self.expect(self.command(dump, "-res-usage", "a.o"), 0, err="").out
        self.assertEqual(used.count(" Function fill:\n  REG:"), 2)
        for options in ([], ["-ptx"]):
            shown = self.expect(self.command(TOOLS / "nvdisasm", *options, "a.fatbin"), 0, err="").out
            self.assertIn("// Machine code for sm_80 in a fat binary of nvcc's: Heddle does not read it\n", shown)
            self.assertIn(f"// PTX for sm_60 in a fat binary of nvcc's\n{ALONE}\n", shown)
        self.binary("cut.fatbin", (self.work / "a.fatbin").read_bytes()[:-8])
        self.expect(self.command(dump, "-ptx", "cut.fatbin"), 1, "", err_has="a broken fat binary of nvcc")

    def test_pruned(self):
        whole = fat_binary(entry(MACHINE_CODE, 80, b"code"), entry(PTX, 60, ALONE), entry(MACHINE_CODE, 90, b"more code"))
        self.binary("a.fatbin", whole)
        self.write("a.s", '.section .nv_fatbin,"a"\n.align 8\n.incbin "a.fatbin"\n.incbin "a.fatbin"\n')
        subprocess.run(["cc", "-c", "a.s"], cwd=self.work, check=True)
        subprocess.run(["ar", "rcs", "liba.a", "a.o"], cwd=self.work, check=True)
        prune, dump = TOOLS / "nvprune", TOOLS / "cuobjdump"
        for options, elf, ptx in ((["-arch", "sm_90"], 90, None), (["-gencode", "arch=compute_60,code=compute_60"], None, 60),
                                  (["--generate-code=arch=compute_60,code=[compute_60,sm_80]"], 80, 60)):
            for name in ("a.fatbin", "a.o", "liba.a"):
                with self.subTest(options=options, name=name):
                    times = 1 if name == "a.fatbin" else 2
                    self.expect(self.command(prune, *options, name, "-o", "less"), 0, "", "")
                    self.assertEqual((self.work / "less").stat().st_size, (self.work / name).stat().st_size)
                    for option, kind, capability in (("-lelf", "cubin", elf), ("-lptx", "ptx", ptx)):
                        listed = self.expect(self.command(dump, option, "less"), 0, err="").out.splitlines()
                        self.assertEqual([line.split(".", 2)[2] for line in listed],
                                         [f"sm_{capability}.{kind}"] * times if capability else [])
        self.expect(self.command(prune, "-gencode", "arch=compute_60,code=compute_60", "a.fatbin", "-o", "less.fatbin"), 0, "", "")
        self.assertEqual(self.python('print(load_file("less.fatbin"))')[0], [str([2 * i for i in range(8)])])
        self.expect(self.command(prune, "-arch", "sm_70", "a.o", "-o", "none.o"), 1, "", err_has="has no device code for these GPUs")
        self.assertFalse((self.work / "none.o").exists())
        self.expect(self.command(prune, "-arch", "volta", "a.o", "-o", "none.o"), 1, "", err_has="'volta' names no GPU")
        self.expect(self.command(prune, "a.o"), 1, "", err_has="Usage: nvprune")


if __name__ == "__main__":
    main()
