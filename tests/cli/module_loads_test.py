# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver says of code that a program loads: the error and the log. Recorded on an H200 (driver 580, CUDA 13.0)."""

import json
import sys

from cli import BUILD, CliTest, main

KERNEL = ".visible .entry k() { ret; }\n"
UNKNOWN = "error   : Binary format for key='0', ident='' is not recognized"
INPUT = "ptxas application ptx input, line "
ABORTED = "\nptxas fatal   : Ptx assembly aborted due to errors"
NEWER = "ptxas fatal   : SM version specified by .target is higher than default SM version assumed"


def ptx(version, target, body=KERNEL):
    return f".version {version}\n.target {target}\n.address_size 64\n{body}"


# Text, error, log.
ROWS = {
    "ok": (ptx("8.0", "sm_75"), 0, ""),
    "empty": ("", 200, UNKNOWN),
    "garbage": ("this is not PTX", 200, UNKNOWN),
    "version 1.0": (ptx("1.0", "sm_10"), 218, INPUT + "3; error   : Feature '.address_size directive' requires PTX ISA "
                                                      ".version 2.3 or later" + ABORTED),
    "target sm_999": (ptx("8.0", "sm_999"), 218, INPUT + "2; fatal   : Unsupported .target 'sm_999'" + ABORTED),
    "target sm_100": (ptx("9.0", "sm_100"), 218, NEWER),
    "target sm_120": (ptx("9.0", "sm_120"), 218, NEWER),
    "target sm_90a": (ptx("8.0", "sm_90a"), 0, ""),
    "target sm_100a": (ptx("9.0", "sm_100a"), 218, NEWER),
    "sm_80 in an old version": (ptx("6.0", "sm_80"), 218, INPUT + "2; error   : PTX .version 6.0 does not support "
                                                                  ".target sm_80" + ABORTED),
    "no version": (".target sm_75\n" + KERNEL, 200, UNKNOWN),
    "no target": (".version 8.0\n" + KERNEL, 218, INPUT + "2; fatal   : Missing .target directive at start of file "
                                                          "'application ptx input'" + ABORTED),
    "syntax error": (ptx("8.0", "sm_75", ".visible .entry k() { frob; ret; }\n"), 218,
                     INPUT + "4; error   : Not a name of any known instruction: 'frob'" + ABORTED),
    "feature above target": (ptx("8.0", "sm_75", ".visible .entry k() { barrier.cluster.arrive; ret; }\n"), 218,
                             INPUT + "4; error   : Feature 'barrier.cluster.arrive' requires .target sm_90 or higher"
                             + ABORTED),
    "feature above version": (
        ptx("6.0", "sm_70", ".visible .entry k() { .reg .b32 a; redux.sync.add.s32 a, a, -1; ret; }\n"), 218,
        INPUT + "4; error   : Feature 'redux' requires .target sm_80 or higher\n" + INPUT
        + "4; error   : Feature 'redux' requires PTX ISA .version 7.0 or later" + ABORTED),
    "unresolved function": (ptx("8.0", "sm_75", ".extern .func f();\n.visible .entry k() { call f; ret; }\n"), 218,
                            "ptxas fatal   : Unresolved extern function 'f'"),
    "unresolved variable": (ptx("8.0", "sm_75", ".extern .global .u32 v;\n.visible .entry k() { .reg .u32 a; "
                                "ld.global.u32 a, [v]; st.global.u32 [v], a; ret; }\n"), 0, ""),
    "shared memory over the static limit": (
        ptx("8.0", "sm_75", ".shared .b8 s[49156];\n.visible .entry k() { .reg .u32 a; st.shared.u32 [s], a; ret; }\n"),
        0, ""),
    "shared memory over all limits": (
        ptx("8.0", "sm_75", ".global .u32 g;\n.shared .b8 s[300000];\n.visible .entry k() { .reg .u32 a; "
            "ld.volatile.shared.u32 a, [s]; st.global.u32 [g], a; ret; }\n"),
        218, "ptxas error   : Entry function 'k' uses too much shared data (0x493e0 bytes, 0x38c00 max)"),
    "an address that is a number": (
        ptx("8.0", "sm_75", ".visible .entry k() {\n.reg .u32 a; st.global.u32 [0], a; ret; }\n"), 218,
        INPUT + "5; error   : Immediate addresses allowed only for .local state space" + ABORTED),
    "maxntid 2048": (ptx("8.0", "sm_75", ".visible .entry k() .maxntid 2048, 1, 1 { ret; }\n"), 0, ""),
    "reqntid 64": (ptx("8.0", "sm_75", ".visible .entry k() .reqntid 64, 1, 1 { ret; }\n"), 0, ""),
    "maxnreg 8": (ptx("8.0", "sm_75", ".visible .entry k() .maxnreg 8 { ret; }\n"), 0, ""),
    "twice": (ptx("8.0", "sm_75", KERNEL + KERNEL), 218, INPUT + "5; error   : Duplicate definition of function 'k'"
              + ABORTED),
    "undefined register": (ptx("8.0", "sm_75", ".visible .entry k() { mov.u32 q, 1; ret; }\n"), 218,
                           INPUT + "4; error   : Arguments mismatch for instruction 'mov'\n" + INPUT
                           + "4; error   : Unknown symbol 'q'" + ABORTED),
}

# Loads each text; where that succeeds, launches k in one thread. Prints a list for each in JSON.
LOAD = """\
import ctypes, json, sys
cuda = ctypes.CDLL(sys.argv[1])
cuda.cuLaunchKernel.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
context = ctypes.c_void_p()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
answers = {}
for name, text in json.load(sys.stdin).items():
    log = ctypes.create_string_buffer(1000)
    options = (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 1000)
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    error = cuda.cuModuleLoadDataEx(ctypes.byref(module), text.encode() + bytes(64), 2, options, values)
    answers[name] = [error, log.value.decode()]
    if error == 0:
        assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k") == 0, name
        assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0, name
        assert cuda.cuCtxSynchronize() == 0, name
print(json.dumps(answers))
"""

# Loads files as modules and as libraries. Prints for each the errors of cuModuleLoad, cuLibraryLoadData and
# cuLibraryGetKernel.
FILES = """\
import ctypes, sys
cuda = ctypes.CDLL(sys.argv[1])
context = ctypes.c_void_p()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
for path in sys.argv[2:]:
    module, library, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    print(path, cuda.cuModuleLoad(ctypes.byref(module), path.encode()), end=" ")
    error = cuda.cuLibraryLoadFromFile(ctypes.byref(library), path.encode(), None, None, 0, None, None, 0)
    print(error, "-" if error else cuda.cuLibraryGetKernel(ctypes.byref(kernel), library, b"k"))
"""


class ModuleLoads(CliTest):
    maxDiff = None

    def test_texts(self):
        done = self.command(sys.executable, "-c", LOAD, f"{BUILD}/lib/libcuda.so.1", env={"HEDDLE_GPU": "h100"},
                            stdin=json.dumps({name: row[0] for name, row in ROWS.items()}))
        self.assertEqual(done.code, 0, str(done))
        answers = json.loads(done.out)
        for name, (_, error, log) in ROWS.items():
            with self.subTest(name):
                self.assertEqual(answers[name], [error, log])

    def test_files(self):
        self.write("k.cu", 'extern "C" __global__ void k() {}\n')
        self.write("empty.bin", "")
        self.write("text.bin", "hello")
        files = []
        for arch in ("sm_80", "sm_90", "sm_100", "compute_80", "compute_100"):
            for kind in ("cubin", "fatbin") if arch.startswith("sm") else ("fatbin", ):
                files.append(f"{arch}.{kind}")
                done = self.command(f"{BUILD}/bin/heddlecc", f"-arch={arch}", f"-{kind}", "k.cu", "-o", files[-1])
                self.assertEqual(done.code, 0, str(done))
        done = self.command(sys.executable, "-c", FILES, f"{BUILD}/lib/libcuda.so.1", *files, "empty.bin", "text.bin",
                            "nowhere.cubin", "/tmp", env={"HEDDLE_GPU": "h100"})
        self.assertEqual((done.code, done.out), (0, """\
sm_80.cubin 209 0 209
sm_80.fatbin 0 0 0
sm_90.cubin 0 0 0
sm_90.fatbin 0 0 0
sm_100.cubin 209 0 209
sm_100.fatbin 209 0 209
compute_80.fatbin 0 0 0
compute_100.fatbin 209 0 209
empty.bin 200 200 -
text.bin 200 200 -
nowhere.cubin 301 301 -
/tmp 2 2 -
"""), str(done))


if __name__ == "__main__":
    main()
