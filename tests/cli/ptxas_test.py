# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ptxas, nvdisasm and cuobjdump of the toolkit folder, as programs that compile at run time call them."""

import ctypes
import os

from cli import BUILD, CliTest, main

TOOLS = BUILD / "share/heddle/toolkit/bin"

PTX = """\
.version 8.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 by)
{
    .reg .b64 %rd<5>;
    .reg .f32 %f<5>;
    .reg .b32 %r<2>;
    .shared .align 4 .b8 room[256];
    ld.param.u64 %rd1, [p];
    ld.param.f32 %f1, [by];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.global.f32 %f2, [%rd2];
    mul.f32 %f3, %f2, %f1;
    add.f32 %f4, %f3, %f1;
    st.global.f32 [%rd2], %f4;
    ret;
}
"""


class Ptxas(CliTest):
    def ptxas(self, *arguments):
        return self.command(TOOLS / "ptxas", *arguments)

    def test_versions(self):
        for tool in ("ptxas", "nvdisasm", "cuobjdump"):
            for option in ("--version", "-V"):
                self.expect(self.command(TOOLS / tool, option), 0, err="",
                            out_has="Cuda compilation tools, release 13.0, V13.0.88\n")
        self.expect(self.ptxas("--help"), 0, err="", out_has="--gpu-name <value>  (-arch)")

    def test_image(self):
        self.write("a file.ptx", PTX)
        result = self.expect(self.ptxas("-lineinfo", "-v", "--regAllocOptLevel=2", "--gpu-name=sm_80", "a file.ptx", "-o", "a.cubin"), 0, "")
        for line in ("ptxas info    : 0 bytes gmem\n", "ptxas info    : Compiling entry function 'scale' for 'sm_80'\n",
                     "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"):
            self.assertIn(line, result.err)
        self.assertRegex(result.err, r"ptxas info    : Used \d+ registers, 364 bytes cmem\[0\]\n")
        self.expect(self.command(TOOLS / "cuobjdump", "-res-usage", "a.cubin"), 0, err="", out_has="Function scale:")
        shown = self.expect(self.command(TOOLS / "nvdisasm", "-c", "a.cubin"), 0, err="", out_has=".entry scale")
        self.assertTrue(shown.out.startswith("// Heddle makes no machine code of GPUs: this is the PTX of a file.ptx (sm_80)\n"))
        self.expect(self.command(TOOLS / "nvdisasm", "a file.ptx"), 1, "", err_has="nvdisasm: error: File 'a file.ptx'")
        self.run_image("a.cubin", [2.0 * x + 2.0 for x in range(4)])

    def test_lines_of_inline_ptx(self):
        # As Triton 3.9 writes them: inside inline PTX the lines are counted on.
        self.write("lines.py", "\n" * 9)
        inline = "\t.loc\t1 5 3\n\t// begin inline asm\n\t.loc\t1 5 3\n\tmov.u32 %r1, %r1;\n\t.loc\t1 6 3\n\tst.global.f32 [%rd2], %f4;\n\t// end inline asm"
        text = PTX.replace("    st.global.f32 [%rd2], %f4;", inline).replace("add.f32 %f4", "mov.b64 %rd2, 64;\n    add.f32 %f4")
        self.write("lines.ptx", text + f'\n.file 1 "{self.work / "lines.py"}"\n')
        self.write_program("lines.ptx")
        self.assertIn("lines.py:5 in scale", self.command("python3", "run.py").err)

    def run_image(self, name, expected):
        self.write_program(name)
        self.expect(self.command("python3", "run.py"), 0, f"{expected}\n", "")

    def write_program(self, name):
        """In a process of its own: cuModuleLoadData takes the file's bytes."""
        self.write("run.py", f"""\
import ctypes, sys
cuda = ctypes.CDLL({str(BUILD / "lib/libcuda.so.1")!r})
def call(name, *arguments):
    error = getattr(cuda, name)(*arguments)
    assert error == 0, (name, error)
P = ctypes.c_void_p
context, module, function, memory = P(), P(), P(), ctypes.c_uint64()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), open({name!r}, "rb").read())
call("cuModuleGetFunction", ctypes.byref(function), module, b"scale")
call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(16))
values = (ctypes.c_float * 4)(*range(4))
call("cuMemcpyHtoD_v2", memory, values, ctypes.c_size_t(16))
by = ctypes.c_float(2)
arguments = (P * 2)(ctypes.addressof(memory), ctypes.addressof(by))
call("cuLaunchKernel", function, 1, 1, 1, 4, 1, 1, 0, None, arguments, None)
call("cuMemcpyDtoH_v2", values, memory, ctypes.c_size_t(16))
print(list(values))
""")

    def test_options(self):
        self.write("a.ptx", PTX)
        self.write("options", "-v --opt-level 0\n")
        for arguments in (["-arch", "sm_90a", "-O3"], ["-arch=sm_75", "--fmad=false", "-g"], ["-arch", "sm_120", "-c"],
                          ["-arch", "sm_86", "--warn-on-spills", "-suppress-debug-info", "-maxrregcount=32"],
                          ["--gpu-name", "sm_100f", "--options-file", "options", "--entry", "scale"]):
            with self.subTest(arguments):
                self.expect(self.ptxas(*arguments, "a.ptx"), 0, "")
                self.assertGreater((self.work / "elf.o").stat().st_size, 100)
                (self.work / "elf.o").unlink()
        self.expect(self.ptxas("-arch", "sm_80", "--input-as-string", PTX, "-o", "b.cubin"), 0, "", "")
        self.run_image("b.cubin", [2.0, 4.0, 6.0, 8.0])

    def test_fused_or_not(self):
        self.write("a.ptx", PTX)
        for fused in ("true", "false"):
            self.expect(self.ptxas("-arch=sm_75", f"--fmad={fused}", "a.ptx", "-o", "a.cubin"), 0, "", "")
            shown = self.command(TOOLS / "nvdisasm", "a.cubin").out
            self.assertEqual("fma.rn.f32" in shown, fused == "true", shown)

    def test_wrong(self):
        self.write("a.ptx", PTX)
        self.write("late.ptx", PTX.replace("8.0", "9.9"))
        self.write("broken.ptx", PTX.replace("mul.f32 %f3", "mull.f32 %f3").replace("%f2, %f1;", "%f2, %x;"))
        self.write("newer.ptx", PTX.replace("ld.param.f32 %f1, [by];", "redux.sync.add.s32 %r1, %r1, -1;"))
        self.write("own.ptx", PTX.replace("sm_75", "sm_90a"))
        arch = ["-arch", "sm_90"]
        for arguments, message in [
                ([], "ptxas fatal   : No input file specified\n"),
                (["--gpu-name=sm_999", "a.ptx"], "ptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'\n"),
                (["--frobnicate", "a.ptx"], "ptxas fatal   : Unknown option '--frobnicate'\n"),
                ([*arch, "none.ptx"], "ptxas fatal   : Could not open input file 'none.ptx'\n"),
                ([*arch, "a.ptx", "-o"], "ptxas fatal   : Missing argument for option '-o'\n"),
                ([*arch, "a.ptx", "-o", "none/a.cubin"], "ptxas fatal   : Could not open output file 'none/a.cubin'"),
                ([*arch, "--entry", "main", "a.ptx"], "ptxas fatal   : Entry function 'main' not found\n"),
                (["a.ptx"], "SM version specified by .target is higher than default SM version assumed\n"),
                ([*arch, "late.ptx"], "ptxas late.ptx, line 1; fatal   : Unsupported .version 9.9; current version is '9.5'\n"),
                ([*arch, "broken.ptx"], "ptxas broken.ptx, line 15; error   : Not a name of any known instruction: 'mull'\n"),
                ([*arch, "newer.ptx"], "ptxas newer.ptx, line 11; error   : Feature 'redux' requires .target sm_80 or higher\n"),
                ([*arch, "own.ptx"], "Program with .target 'sm_90a' cannot be compiled to architecture 'sm_90'\n")]:
            with self.subTest(arguments):
                self.expect(self.ptxas(*arguments), 255, "", err_has=message)
                self.assertFalse([name for name in os.listdir(self.work) if "cubin" in name or name == "elf.o"])

    def test_warnings(self):
        self.write("a.ptx", PTX.replace(".reg .b32 %r<2>;", ".reg .b32 %r<2>; .reg .f64 %d; .local .b8 own[64];")
                   .replace("ret;", "cvt.f64.f32 %d, %f4; ret;"))
        for more, status in ([], 0), (["-w"], 0), (["-Werror"], 255):
            result = self.ptxas("-arch=sm_80", "-warn-double-usage", *more, "a.ptx")
            self.assertEqual(result.code, status, result)
            self.assertEqual("warning : Double precision is used in 'scale'" in result.err, more != ["-w"], result)


if __name__ == "__main__":
    main()
