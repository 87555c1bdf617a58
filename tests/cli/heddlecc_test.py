# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddlecc in the place of nvcc: what makefiles and build systems do with it."""

import os
import re

from cli import BUILD, HELLO, CliTest, main

LIBRARY = """\
__global__ void addOne(int *p) { ++*p; }
extern "C" void launchAddOne(int *p) { addOne<<<1, 1>>>(p); }
"""

USER = """\
#include <cstdio>
#include <cuda_runtime.h>
extern "C" void launchAddOne(int *);
int main() {
  int *p;
  if (cudaMallocManaged((void **)&p, sizeof *p) != cudaSuccess) return 1;
  *p = 41;
  launchAddOne(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
"""


class Build(CliTest):
    def test_default_output(self):
        self.write("hello.cu", HELLO)
        self.expect(self.heddlecc("hello.cu"), 0, "", "")
        self.assertEqual(self.files(), ["a.out", "hello.cu"])
        self.expect(self.command("./a.out"), 0, "thread 0 of 2\nthread 1 of 2\n", "")
        self.expect_clean()

    def test_compile_then_link(self):
        self.write("kernels.cu", LIBRARY)
        self.write("main.cpp", USER)
        self.expect(self.heddlecc("-c", "kernels.cu"), 0, "", "")
        self.expect(self.heddlecc("-c", "main.cpp", "-o", "other.o"), 0, "", "")
        self.expect(self.heddlecc("kernels.o", "other.o", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, "42\n", "")
        self.assertEqual(self.files(),
                         ["kernels.cu", "kernels.o", "main.cpp", "other.o", "program"])
        self.expect_clean()

    def test_many_objects_at_once(self):
        self.write("kernels.cu", LIBRARY)
        self.write("main.cpp", USER)
        self.expect(self.heddlecc("-c", "kernels.cu", "main.cpp"), 0, "", "")
        self.expect(self.heddlecc("-o", "program", "main.o", "kernels.o"), 0, "", "")
        self.expect(self.command("./program"), 0, "42\n", "")
        (self.work / "objects").mkdir()
        self.expect(self.heddlecc("-c", "-odir", "objects", "kernels.cu", "main.cpp"), 0, "", "")
        self.assertEqual(self.files(self.work / "objects"), ["kernels.o", "main.o"])
        self.expect(self.heddlecc("-c", "-o", "x.o", "kernels.cu", "main.cpp"), 1, "",
                    err_has="option -o")

    def test_static_library(self):
        self.write("kernels.cu", LIBRARY)
        self.write("main.cpp", USER)
        self.expect(self.heddlecc("-lib", "kernels.cu", "-o", "libkernels.a"), 0, "", "")
        for arguments in (["main.cpp", "libkernels.a"], ["main.cpp", "-L.", "-lkernels"]):
            self.expect(self.heddlecc(*arguments, "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), 0, "42\n", "")

    def test_shared_library(self):
        self.write("kernels.cu", LIBRARY)
        self.write("main.cpp", USER)
        self.expect(self.heddlecc("-shared", "-Xcompiler", "-fPIC", "kernels.cu", "-o",
                                  "libkernels.so"), 0, "", "")
        self.expect(self.heddlecc("main.cpp", "-L.", "-lkernels", "-Xlinker", "-rpath,$ORIGIN",
                                  "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, "42\n", "")

    def test_other_compilers_link(self):
        # A program whose C++ is compiled and linked by the host compiler, with only -lcudart.
        self.write("kernels.cu", LIBRARY)
        self.write("main.cpp", USER)
        root = self.command("sh", "-c", "dirname $(dirname $(command -v heddlecc))").out.strip()
        self.expect(self.heddlecc("-c", "kernels.cu"), 0)
        self.expect(self.command("g++", f"-I{root}/include", "main.cpp", "kernels.o", f"-L{root}/lib",
                                 "-lcudart", f"-Wl,-rpath,{root}/lib", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, "42\n", "")

    def test_language_given(self):
        self.write("program.cpp", HELLO)
        self.write("program.txt", HELLO)
        for name in ("program.cpp", "program.txt"):
            self.expect(self.heddlecc("-x", "cu", name, "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), 0, "thread 0 of 2\nthread 1 of 2\n")
        self.expect(self.heddlecc("program.txt"), 1, "", err_has=["program.txt", "-x cu"])
        self.expect(self.heddlecc("-x", "fortran", "program.cpp"), 1, "", err_has="fortran")

    def test_run(self):
        self.write("arguments.cu", "#include <cstdio>\nint main(int n, char **a) {\n"
                                   '  for (int i = 1; i < n; ++i) std::puts(a[i]);\n  return 5;\n}\n')
        self.expect(self.heddlecc("-run", "arguments.cu", "-run-args", "one two", "-o", "kept"),
                    5, "one\ntwo\n", "")
        self.assertIn("kept", self.files())

    def test_preprocess_to_files(self):
        self.write("one.cu", "#define VALUE 17\nint one = VALUE;\n")
        self.expect(self.heddlecc("-cuda", "one.cu"), 0, "", "")
        self.assertEqual(self.files(), ["one.cu", "one.cu.cpp.ii"])
        self.assertIn("int one = 17;", (self.work / "one.cu.cpp.ii").read_text())

    def test_sums_that_wrap(self):
        # g++ hardly uses that signed sums do not overflow; Clang would drop the loop's end.
        self.write("wrap.cu", "int steps(int n) { int i = n; while (i + 100 > i) i += 100;\n"
                              "  return i < 0 ? 0 : 7; }\n"
                              "int main(int n, char **) { return steps(2147483000 + n); }\n")
        self.expect(self.heddlecc("-O3", "wrap.cu", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 7, "", "")

    def test_dry_run(self):
        self.write("hello.cu", HELLO)
        said = self.expect(self.heddlecc("--dryrun", "-DN=3", "hello.cu"), 0, "").err
        self.assertTrue(all(line.startswith("#$ ") for line in said.splitlines()), said)
        # The last line is for build systems that link by themselves.
        device, host, link, _ = [line for line in said.splitlines() if "libexec/heddle/host-c++" in line]
        self.assertIn("--cuda-device-only", device)
        self.assertIn("hello.cu", host)
        self.assertRegex(host, "-DN=3.* -o [^ ]*hello.o")
        self.assertIn("-o a.out", link)
        self.assertEqual(self.files(), ["hello.cu"])
        said = self.expect(self.heddlecc("--dryrun", "--keep", "-cubin", "hello.cu"), 0, "").err
        self.assertIn("-o hello.cubin", said)
        self.assertEqual(self.files(), ["hello.cu"])

    def test_keep(self):
        self.write("hello.cu", HELLO)
        self.write("part.cpp", "int two() { return 2; }\n")
        intermediate = ["hello.cpp1.ii", "hello.cpp4.ii", "hello.fatbin", "hello.o", "hello.ptx",
                        "hello.sm_90.cubin"]
        (self.work / "kept").mkdir()
        self.expect(self.heddlecc("--keep", "--keep-dir", "kept", "-arch=sm_90", "hello.cu",
                                  "part.cpp", "-o", "hello"), 0, "", "")
        self.assertEqual(self.files(), ["hello", "hello.cu", "kept", "part.cpp"])
        self.assertEqual(self.files(self.work / "kept"),
                         sorted(intermediate + ["part.cpp4.ii", "part.o"]))
        kept = {path.name: path.read_bytes() for path in (self.work / "kept").iterdir()}
        self.assertIn(b".target sm_90", kept["hello.ptx"])
        self.assertIn(b"hello", kept["hello.cpp1.ii"])
        self.assertEqual(kept["hello.fatbin"], kept["hello.sm_90.cubin"])
        self.expect(self.heddlecc("kept/hello.o", "kept/part.o", "-o", "again"), 0, "", "")
        self.expect(self.command("./again"), 0, "thread 0 of 2\nthread 1 of 2\n", "")
        self.expect(self.heddlecc("-save-temps", "-arch=sm_90", "-c", "hello.cu", "-o", "it.o"),
                    0, "", "")
        self.assertTrue(set(intermediate) - {"hello.o"} < set(self.files()))
        self.expect(self.heddlecc("--keep", "--keep-dir", "nowhere", "hello.cu"), 1, "",
                    err_has="nowhere")
        self.expect_clean()

    def test_options_file(self):
        self.write("value.cu", "int main() { return VALUE; }\n")
        self.write("options.txt", "-DVALUE=9\n-o program\n")
        self.expect(self.heddlecc("--options-file", "options.txt", "value.cu"), 0, "", "")
        self.expect(self.command("./program"), 9)

    def test_what_only_kernels_read(self):
        # make and ccache are told of headers and text that only the device's pass sees.
        self.write("device only.h", "#define ADD 1\n")
        self.write("kernel.cu", '#ifdef __CUDA_ARCH__\n#include "device only.h"\n#else\n'
                                "#define ADD 0\n#endif\n"
                                "__global__ void kernel(int *to) { *to += ADD; }\n")
        self.expect(self.heddlecc("-c", "kernel.cu", "-MD", "-MF", "kernel.d", "-MP"), 0, "", "")
        rule = (self.work / "kernel.d").read_text()
        self.assertIn("device\\ only.h", rule)
        self.assertIn("kernel.cu", rule.split(":")[1])
        self.expect(self.heddlecc("-MM", "kernel.cu"), 0, err="", out_has="device\\ only.h")
        before = self.expect(self.heddlecc("-E", "kernel.cu"), 0, err="", out_has="only.h").out
        self.assertEqual(self.expect(self.heddlecc("-E", "kernel.cu"), 0, err="").out, before)
        self.write("device only.h", "#define ADD 2\n")
        self.assertNotEqual(self.expect(self.heddlecc("-E", "kernel.cu"), 0, err="").out, before)

    def test_in_a_makefile(self):
        self.write("kernels.cu", '#include "one.h"\n' + LIBRARY)
        self.write("one.h", "")
        self.write("main.cpp", USER)
        self.write("Makefile", """\
NVCC ?= nvcc
NVCCFLAGS = -O3 -m64 -std=c++14 -gencode arch=compute_70,code=sm_70 --compiler-options -Wall
program: kernels.o main.o
\t$(NVCC) $(NVCCFLAGS) $^ -o $@
%.o: %.cu
\t$(NVCC) $(NVCCFLAGS) -MD -MF $*.d -c $< -o $@
%.o: %.cpp
\t$(NVCC) $(NVCCFLAGS) -dc $< -o $@
-include kernels.d
""")
        self.expect(self.command("make", "NVCC=heddlecc"), 0, err="")
        self.expect(self.command("./program"), 0, "42\n", "")
        self.expect(self.command("make", "NVCC=heddlecc"), 0, out_has="up to date")
        later = (self.work / "program").stat().st_mtime + 5
        os.utime(self.work / "one.h", (later, later))
        self.expect(self.command("make", "-n", "NVCC=heddlecc"), 0, out_has="-c kernels.cu")


class Options(CliTest):
    def value(self, *arguments, source="int main() { return VALUE; }\n"):
        """The exit code of a program built with the arguments."""
        self.write("value.cu", source)
        self.expect(self.heddlecc("value.cu", "-o", "value", *arguments), 0, "", "")
        return self.command("./value").code

    def test_version(self):
        for flag in ("--version", "-V"):
            result = self.expect(self.heddlecc(flag), 0, err="")
            # How makefiles, CMake and configure scripts look for it.
            self.assertEqual(re.search(r"release (\d+\.\d+)", result.out)[1], "13.0")
            self.assertRegex(result.out, r", V13\.0\.\d+\n")
        shell = "heddlecc --version | grep release | sed 's/.*release //' | sed 's/,.*//'"
        self.expect(self.command("sh", "-c", shell), 0, "13.0\n")
        self.write("version.cu", "static_assert(__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0);"
                                 "static_assert(CUDART_VERSION == 13000); int main() {}\n")
        self.expect(self.heddlecc("version.cu"), 0, "", "")

    def test_help(self):
        result = self.expect(self.heddlecc("--help"), 0, err="")
        for option in ("--gpu-architecture", "-Xcompiler", "-shared", "--resource-usage"):
            self.assertIn(option, result.out)

    def test_spellings_of_values(self):
        for arguments in (["-DVALUE=3"], ["-D", "VALUE=3"], ["-D=VALUE=3"], ["--define-macro=VALUE=3"],
                          ["--define-macro", "VALUE=3"]):
            with self.subTest(arguments):
                self.assertEqual(self.value(*arguments), 3)

    def test_undefine(self):
        self.assertEqual(self.value("-DVALUE", "-UVALUE", source="""\
#ifdef VALUE
#error defined
#endif
int main() { return 4; }
"""), 4)

    def test_include_paths(self):
        self.write("one/one.h", "#define ONE 1\n")
        self.write("two/two.h", "#define TWO 2\n")
        self.write("pre.h", "#define FIRST 4\n")
        source = "#include <one.h>\n#include <two.h>\nint main() { return ONE + TWO + FIRST; }\n"
        self.assertEqual(self.value("-Ione", "-isystem", "two", "-include", "pre.h", source=source), 7)
        self.assertEqual(self.value("-I", "one", "-isystem=two", "--pre-include=pre.h", source=source), 7)
        self.assertEqual(self.value("-I=one", "--include-path", "two", "-include=pre.h",
                                    source=source), 7)

    def test_architectures(self):
        source = """\
#include <cstdio>
__global__ void k(int *arch) {
#ifdef __CUDA_ARCH__
  *arch = __CUDA_ARCH__;
#endif
}
int main() {
  int *arch;
  cudaMallocManaged(&arch, 4);
  k<<<1, 1>>>(arch);
  cudaDeviceSynchronize();
  return *arch / 10;
}
"""
        for arguments, arch in [
                ([], 75), (["-arch=sm_80"], 80), (["-arch", "sm_86"], 86), (["-arch=compute_89"], 89),
                (["--gpu-architecture=sm_90"], 90), (["-arch=sm_90a"], 90), (["-arch=sm_35"], 75),
                (["-arch=sm_100"], 100), (["-arch=sm_103a"], 103),
                (["-arch=compute_120f"], 120), (["-arch=sm_121"], 121), (["-arch=native"], 75), (["-arch=all-major"], 75),
                (["-gencode", "arch=compute_80,code=sm_80"], 80),
                (["-gencode=arch=compute_70,code=sm_70", "-gencode=arch=compute_80,code=sm_80"], 80),
                (["-gencode=arch=compute_80,code=[sm_80,compute_80]"], 80),
                (['-gencode=arch=compute_80,code="sm_80,compute_80"'], 80),
                (["--generate-code", "arch=compute_80,code=compute_80"], 80),
                (["-gencode", "code=sm_80,arch=compute_80"], 80),
                (["-arch=compute_75", "-code=sm_75,sm_80"], 80)]:
            with self.subTest(arguments):
                self.assertEqual(self.value(*arguments, source=source), arch)

    def test_standards(self):
        source = "__global__ void k() {}\nint main() { return __cplusplus / 100 % 100; }\n"
        for standard, year in (("c++11", 11), ("c++14", 14), ("c++17", 17), ("c++20", 20)):
            for arguments in ([f"-std={standard}"], ["--std", standard]):
                self.assertEqual(self.value(*arguments, source=source), year)

    def test_openmp(self):
        source = """\
#include <omp.h>
__global__ void k() {}
int main() {
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads += 1;
  return threads;
}
"""
        for arguments in (["-Xcompiler", "-fopenmp"], ["-Xcompiler=-fopenmp"],
                          ["--compiler-options", "-Wall,-fopenmp"], ["-Xcompiler", "-fopenmp", "-lgomp"]):
            with self.subTest(arguments):
                self.assertEqual(self.value(*arguments, source=source), 3)

    def test_host_compiler_options(self):
        self.assertEqual(self.value("-Xcompiler", "-DVALUE=6,-Wall"), 6)
        self.assertEqual(self.value("-Xcompiler", "-DVALUE=7 -O2"), 7)
        self.assertEqual(self.value("-ccbin", "g++-12", "-DVALUE=8"), 8)
        self.write("unused.cu", "constexpr int n = 2;\nstatic __device__ int f(int a) { return a + n; }\nstatic __constant__ int table[2];\n"
                   "__global__ void k(int *p, int q) { *p = f(table[1]); }\nint main() { k<<<1, 1>>>(nullptr, 1); }\n")
        self.expect(self.heddlecc("unused.cu", "-Xcompiler", "-Wall,-Wextra"), 0, "", "")
        self.write("unused.cu", "int main() { int x; }\n")
        self.expect(self.heddlecc("unused.cu", "-Xcompiler", "-Wall"), 0,
                    err_has=["unused.cu:1:", "unused variable 'x'"])
        self.expect(self.heddlecc("unused.cu", "-Xcompiler", "-Wall", "-Werror", "all-warnings"), 1,
                    err_has="error: unused variable 'x'")
        self.expect(self.heddlecc("unused.cu", "-Xcompiler", "-Wall", "-w"), 0, "", "")

    def test_what_cannot_matter_is_accepted(self):
        self.assertEqual(self.value(
            "-DVALUE=5", "-m64", "-lineinfo", "-ftz=true", "-prec-div=false", "-prec-sqrt", "true", "-compress-mode=size",
            "--fmad=false", "-use_fast_math", "--expt-relaxed-constexpr", "--extended-lambda",
            "-maxrregcount=32", "-rdc=true", "-Xptxas", "-O3,-dlcm=ca", "--default-stream", "per-thread",
            "-t", "4", "-Xcudafe", "--diag_suppress=177", "-diag-suppress", "20012", "-cudart", "static",
            "-lcudart", "-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl", "-lm", "-restrict",
            "--threads", "0", "-Wno-deprecated-gpu-targets", "-O3", "-split-compile=2", "--keep",
            "-forward-unknown-to-host-compiler"), 5)

    def test_ptx_files_become_images(self):
        text = (".version 7.8\n.target sm_70\n.address_size 64\n\n.visible .entry k(.param .u64 out)\n{\n"
                "\t.reg .b64 %rd1;\n\tld.param.u64 %rd1, [out];\n\tst.global.u32 [%rd1], 7;\n\tret;\n}\n")
        self.write("k.ptx", text)
        self.expect(self.heddlecc("-cubin", "k.ptx"), 0, "", "")
        self.assertTrue((self.work / "k.cubin").stat().st_size > 0)
        self.expect(self.heddlecc("k.ptx"), 1, "", err_has=["k.ptx", "-cubin"])
        self.write("wrong.ptx", text.replace("[out]", "[uot]"))
        self.expect(self.heddlecc("-cubin", "wrong.ptx"), 1, "",
                    "ptxas wrong.ptx, line 8; error   : Illegal operand type to instruction 'ld'\n"
                    "ptxas wrong.ptx, line 8; error   : Unknown symbol 'uot'\n"
                    "ptxas fatal   : Ptx assembly aborted due to errors\n")

    def test_unknown_options_are_named(self):
        self.write("hello.cu", HELLO)
        for option in ("--frobnicate", "-frobnicate=3", "-zap", "--"):
            self.expect(self.heddlecc("hello.cu", option), 1, "",
                        f"heddlecc: error: unknown option '{option}'\n")
        self.expect(self.heddlecc("hello.cu", "-optix-ir"), 1, "",
                    err_has=["'-optix-ir'", "not supported"])
        self.expect(self.heddlecc("hello.cu", "-maxrregcount=few"), 1, "",
                    err_has=["-maxrregcount", "few"])
        self.expect(self.heddlecc("missing.cu"), 1, "", "heddlecc: error: missing.cu: no such file\n")
        self.expect(self.heddlecc(), 1, "", "heddlecc: error: no input files\n")

    def test_ptx(self):
        self.write("scale.cu", """\
extern "C" __device__ int counter;
__device__ int counter = 3;
extern "C" __global__ void scale(float *x, float by) {
  asm volatile("// as written");
  x[threadIdx.x] = x[threadIdx.x] * by + counter / int(by);
}
""")
        self.expect(self.heddlecc("scale.cu", "-ptx", "-arch=sm_80"), 0, "")
        ptx = (self.work / "scale.ptx").read_text()
        for part in (".target sm_80", ".address_size 64", ".visible .entry scale(", ".visible .global",
                     "// as written", "fma.rn.f32"):
            self.assertIn(part, ptx)
        self.assertNotIn(".loc", ptx)
        self.expect(self.heddlecc("scale.cu", "--ptx", "-lineinfo", "-ftz=true", "-maxrregcount=40",
                                  "-o", "other.ptx"), 0, "")
        ptx = (self.work / "other.ptx").read_text()
        for part in (".loc", ".ftz.f32", ".maxnreg 40", "scale.cu"):
            self.assertIn(part, ptx)
        self.expect(self.heddlecc("scale.cu", "-G", "-cubin", "-o", "scale.cubin"), 0, "")
        self.write("main.cu", "__global__ void inside(int *p) { *p = 3; }\nint main() {}\n")
        self.expect(self.heddlecc("main.cu", "-o", "program"), 0, "")
        dump = f"{BUILD}/share/heddle/toolkit/bin/cuobjdump"
        self.expect(self.command(dump, "--dump-ptx", "program"), 0,
                    out_has=["Fatbin ptx code:", "arch = sm_75", ".visible .entry _Z6insidePi("])
        shown = self.expect(self.command(dump, "-ptx", "scale.cubin"), 0, err="")
        self.assertEqual(shown.out.count(".entry scale("), 1)
        self.expect(self.command(dump, "-res-usage", "scale.cubin"), 0, out_has="Function scale:")
        self.expect(self.command(dump, "-lelf", "program"), 0, out_has="ELF file    1: main.cu")
        self.expect(self.command(dump, "-sass", "program"), 1, "", err_has="'-sass' is not supported")
        self.expect(self.command(dump, "-ptx", "scale.cu"), 1, "", err_has="does not contain device code")
        self.write("wrong.cu", "__global__ void f() { nothing(); }\n")
        self.expect(self.heddlecc("wrong.cu", "-ptx"), 1, "", err_has=["wrong.cu:1:", "nothing"])
        self.assertFalse((self.work / "wrong.ptx").exists())
        self.expect(self.heddlecc("scale.cu", "-ltoir", "-arch=sm_80"), 0, "")
        self.assertGreater((self.work / "scale.ltoir").stat().st_size, 1000)

    def test_resource_usage(self):
        source = """\
__constant__ float table[64];
__global__ void scale(float *p, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = p[threadIdx.x] * table[n];
  __syncthreads();
  p[threadIdx.x] = tile[127 - threadIdx.x];
}
int main() {}
"""
        self.write("scale.cu", source)
        for arguments in (["--resource-usage"], ["-res-usage"], ["-Xptxas", "-v"], ["-Xptxas=-v"],
                          ["--ptxas-options=-v"], ["-Xptxas", "-O3,-v"]):
            with self.subTest(arguments):
                result = self.expect(self.heddlecc("-arch=sm_80", "scale.cu", *arguments), 0, "")
                self.assertRegex(result.err, r"""(?x)
ptxas\ info\ +:\ Compiling\ entry\ function\ '_Z5scalePfi'\ for\ 'sm_80'\n
ptxas\ info\ +:\ Function\ properties\ for\ _Z5scalePfi\n
\ +0\ bytes\ stack\ frame,\ 0\ bytes\ spill\ stores,\ 0\ bytes\ spill\ loads\n
ptxas\ info\ +:\ Used\ [1-9]\d*\ registers,\ 512\ bytes\ smem,\ 364\ bytes\ cmem\[0\],
\ 256\ bytes\ cmem\[3\]\n$""")
        result = self.heddlecc("-arch=sm_80", "scale.cu", "-Xptxas", "-v", "-maxrregcount", "2")
        self.expect(result, 0, err_has="Used 2 registers")


class Preprocessing(CliTest):
    def test_preprocess(self):
        self.write("answer.cu", "#define ANSWER 42\nint answer = ANSWER;\n")
        self.expect(self.heddlecc("-E", "answer.cu"), 0, err="", out_has="int answer = 42;")
        self.expect(self.heddlecc("-E", "answer.cu", "-o", "answer.ii"), 0, "", "")
        self.assertIn("int answer = 42;", (self.work / "answer.ii").read_text())

    def dependencies(self, text):
        target, _, files = text.replace("\\\n", " ").partition(":")
        return target, files.split()

    def test_dependencies(self):
        self.write("main.cu", '#include "folder/a.h"\n#include <cstdio>\nint main() {}\n')
        self.write("folder/a.h", '#include "b.h"\n')
        self.write("folder/b.h", "")
        for flag in ("-M", "--generate-dependencies"):
            result = self.expect(self.heddlecc(flag, "main.cu"), 0, err="")
            target, files = self.dependencies(result.out)
            self.assertEqual(target, "main.o")
            self.assertLessEqual({"main.cu", "folder/a.h", "folder/b.h"}, set(files))
        target, files = self.dependencies(self.expect(self.heddlecc("-MM", "main.cu"), 0).out)
        self.assertEqual((target, files), ("main.o", ["main.cu", "folder/a.h", "folder/b.h"]))
        self.assertEqual(self.files(), ["folder", "main.cu"])

    def test_dependencies_beside_object(self):
        self.write("main.cu", '#include "a.h"\n__global__ void k() {}\nint main() {}\n')
        self.write("a.h", "")
        self.expect(self.heddlecc("-c", "main.cu", "-o", "m.o", "-MD", "-MF", "deps.d", "-MP",
                                  "-MT", "target"), 0, "", "")
        text = (self.work / "deps.d").read_text()
        target, _ = self.dependencies(text)
        self.assertEqual(target, "target")
        self.assertIn("a.h:\n", text)
        self.expect(self.heddlecc("-MMD", "-c", "main.cu", "-o", "m.o"), 0, "", "")
        self.assertEqual(self.dependencies((self.work / "m.d").read_text()),
                         ("m.o", ["main.cu", "a.h"]))
        self.expect(self.heddlecc("-MMD", "main.cu", "-o", "program"), 0, "", "")
        self.assertEqual(self.dependencies((self.work / "main.d").read_text()),
                         ("program", ["main.cu", "a.h"]))


if __name__ == "__main__":
    main()
