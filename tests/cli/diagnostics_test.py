# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages about programs that do not compile, link or run: they are about the user's lines."""

import os
import pty
import re
import subprocess

from cli import BUILD, SOURCE, CliTest, main

# What must never be seen: our headers, Clang's own, how we call Clang.
INTERNAL = ("__heddle", "__clang_cuda", "prelude.h", "-cc1", "nvptx", "generated when compiling",
            str(BUILD / "include"), str(SOURCE / "include"))


class Diagnostics(CliTest):
    def fails(self, source, *arguments, code=1):
        """Compiles a program with an error; returns what is said about it."""
        self.write("prog.cu", source)
        result = self.expect(self.heddlecc("prog.cu", *arguments), code, "", err_lacks=INTERNAL)
        self.assertEqual(self.files(), ["prog.cu"])
        self.expect_clean()
        return result.err

    def test_syntax_error(self):
        err = self.fails("__global__ void k(int *p) {\n  *p = 1\n}\nint main() {}\n")
        self.assertEqual(err, "prog.cu:2:9: error: expected ';' after expression\n"
                              "    2 |   *p = 1\n      |         ^\n      |         ;\n")

    def test_said_once(self):
        # Device and host code are compiled separately; the user does not care.
        err = self.fails("#warning only once\nint main() { return missing; }\n")
        self.assertEqual(err.count("only once"), 2, err)  # the message and the line itself
        self.assertEqual(err.count("error:"), 1, err)

    def test_host_function_in_kernel(self):
        err = self.fails("int host(int x) { return x; }\n"
                         "__global__ void k(int *p) {\n  *p = host(1);\n}\nint main() {}\n")
        self.assertRegex(err, r"^prog\.cu:3:8: error: no matching function for call to 'host'")
        self.assertIn("prog.cu:1:5: note: candidate function not viable: call to __host__ function "
                      "from __global__ function", err)

    def test_host_function_in_code_for_both(self):
        # As with nvcc, a warning; whether a kernel comes to it is seen at run time.
        self.write("prog.cu", "int host(int x) { return x; }\n"
                   "__host__ __device__ int both(int x) { return host(x); }\n"
                   "__global__ void k(int *p) { *p = both(1); }\nint main() {}\n")
        made = self.expect(self.heddlecc("prog.cu", "-o", "prog"), 0, "")
        self.assertRegex(made.err, r'^prog\.cu:2:46: warning: calling a __host__ function\("host\(int\)"\) '
                         r'from a __host__ __device__ function\("both"\) is not allowed: .*\[#20011-D\]')
        self.expect(self.heddlecc("-w", "prog.cu", "-o", "prog"), 0, "", "")

    def test_wrong_call_of_the_api(self):
        err = self.fails("int main() { int *p; cudaMalloc(&p); }\n")
        self.assertRegex(err, r"^prog\.cu:1:22: error: no matching function for call to 'cudaMalloc'")
        err = self.fails("int main() { cudaMemcpyy(0, 0, 0, cudaMemcpyDefault); }\n")
        self.assertRegex(err, r"^prog\.cu:1:14: error: use of undeclared identifier 'cudaMemcpyy'")

    def test_too_much_shared_memory(self):
        err = self.fails("__global__ void k(int *p) {\n  __shared__ int x[12289];\n  x[threadIdx.x] = *p;\n"
                         "  __syncthreads();\n  *p = x[1];\n}\nint main() {}\n")
        self.assertEqual(err, "ptxas error   : Entry function '_Z1kPi' uses too much shared data "
                              "(0xc004 bytes, 0xc000 max)\n")

    def test_wrong_launch(self):
        err = self.fails("__global__ void k(int) {}\nint main() { k<<<1, 1>>>(\"text\"); }\n")
        self.assertRegex(err, r"^prog\.cu:2:26: error: cannot initialize a parameter of type 'int'")
        self.assertIn("prog.cu:1:22: note:", err)
        err = self.fails("__global__ int k() { return 1; }\nint main() {}\n")
        self.assertRegex(err, r"^prog\.cu:1:12: error: kernel function type .* must have void return")

    def test_launch_in_device_code(self):
        kernel = "__global__ void k(int *) {}\n"
        err = self.fails(kernel + "__global__ void p() { k<<<1, 1>>>(1.5); }\nint main() {}\n")
        self.assertRegex(err, r"^prog\.cu:2:35: error: cannot initialize a parameter of type 'int \*'")
        err = self.fails(kernel + "__global__ void p(int *x) { k(x); }\nint main() {}\n")
        self.assertRegex(err, r"^prog\.cu:2:30: error: call to global function 'k' not configured")
        err = self.fails("__device__ void f() {}\n__global__ void p() { f<<<1, 1>>>(); }\n"
                         "int main() {}\n")
        self.assertRegex(err, r"^prog\.cu:2:34: error: kernel call to non-global function 'f'")
        later = "__global__ void later(int);\n__global__ void p() {\n  later<<<1, 1>>>(1);\n}\nint main() {}\n"
        err = self.fails(later)
        self.assertRegex(err, r"^prog\.cu:3:3: error: kernel launch from __device__ or __global__ functions "
                              r"requires separate compilation mode")
        self.env["HEDDLE_STRICT"] = "0"
        err = self.fails(later)
        self.assertRegex(err, r"prog\.cu:3:3: error: kernel 'later\(int\)' is launched here, but "
                              r"defined nowhere")

    def test_waiting_for_children(self):
        waits = "__global__ void p() {\n  cudaDeviceSynchronize();\n}\nint main() {}\n"
        for arguments in [], ["-arch=sm_90", "-DCUDA_FORCE_CDP1_IF_SUPPORTED"]:
            err = self.fails(waits, *arguments)
            self.assertRegex(err, r"prog\.cu:2:3: error: cudaDeviceSynchronize\(\) in device code: ")
            self.assertIn("-DCUDA_FORCE_CDP1_IF_SUPPORTED", err)

    def test_split_brackets_keep_their_lines(self):
        err = self.fails("__global__ void k() {}\nint main() {\n  k << < 1, 1 >> > ();\n"
                         "  return missing;\n}\n")
        self.assertRegex(err, r"^prog\.cu:4:10: error:")

    def test_template_instantiation(self):
        err = self.fails("template <class T> __device__ T twice(T x) { return x * 2; }\n"
                         "struct S {};\n__global__ void k() { twice(S()); }\nint main() {}\n")
        self.assertRegex(err, r"^prog\.cu:1:\d+: error: invalid operands")
        self.assertIn("prog.cu:3:23: note: in instantiation", err)

    def test_inline_ptx(self):
        """What ptxas refuses, in its words and with its exit code (recorded with nvcc 13.0)."""
        aborted = "ptxas fatal   : Ptx assembly aborted due to errors\n"
        kernel = "__global__ void k(int *p) {{\n  int x = 0;\n  {}\n  *p = x;\n}}\nint main() {{}}\n"
        unknown = kernel.format('asm("frobnicate.u32 %0;" : "=r"(x));')
        for options in ([], ["-rdc=true"], ["-G"], ["-cubin"]):
            self.assertEqual(self.fails(unknown, *options, code=255),
                             "prog.cu:3:3: error: Not a name of any known instruction: 'frobnicate'\n" + aborted)
        newer = kernel.format('asm volatile("barrier.cluster.arrive;");')
        self.assertEqual(self.fails(newer, "-arch=sm_80", code=255),
                         "prog.cu:3:3: error: Feature 'barrier.cluster.arrive' requires .target sm_90 or higher\n"
                         + aborted)
        short = kernel.format('asm("mov.u32 %0, 1;" : "=r"((short &)x));')
        self.assertEqual(self.fails(short), "prog.cu:3:3: error: asm operand type size(2) does not match type/size "
                                            "implied by constraint 'r'\n")

    def test_inline_ptx_that_is_not_refused(self):
        kernel = "__global__ void k(int *p) {{ int x = 0; {} *p = x; }}\nint main() {{}}\n"
        newer = 'asm volatile("barrier.cluster.arrive;");'
        dead = "__device__ int gpu() { return 750; }\n__device__ void other() { " + newer + " }\n"
        for source, options, env in [(kernel.format(newer), ["-arch=sm_90"], {}),
                                     (kernel.format(newer), [], {"HEDDLE_STRICT": "0"}),
                                     (dead + kernel.format("int a = gpu(); if (a >= 900) { " + newer + " }"), [], {}),
                                     (kernel.format('asm("frobnicate.u32 %0;" : "=r"(p[0]));').replace(
                                         "p[0]", "x").replace("*p = x", "*p = 1"), [], {})]:
            self.write("prog.cu", source)
            result = self.heddlecc("-c", "prog.cu", *options, env=env)
            self.assertEqual((result.code, result.err), (0, ""), source)

    def test_headers_of_other_libraries(self):
        for header, owner in [("nvjpeg2k.h", "nvJPEG2000"), ("nvshmem.h", "NVSHMEM"),
                              ("cupti_pmsampling.h", "a part of CUPTI")]:
            err = self.fails(f"#include <cstdio>\n#include <{header}>\nint main() {{}}\n")
            self.assertRegex(err, rf"^prog\.cu:2:10: fatal error: '{header}' file not found\n")
            self.assertRegex(err, rf"'{header}' belongs to {owner}\b.*not support")
        err = self.fails('#include "mine.h"\nint main() {}\n')
        self.assertIn("'mine.h' file not found", err)
        self.assertNotIn("belongs to", err)

    def test_cccl_that_was_not_fetched(self):
        home = self.folder / "home"
        (home / "lib").mkdir(parents=True)
        (home / "lib/heddle").mkdir()
        libraries = [f"lib/{file.name}" for file in (BUILD / "lib").iterdir() if not file.is_dir()]
        for name in ("bin", "include", "libexec", "share", "lib/heddle/devicelib.bc", *libraries):
            (home / name).symlink_to(BUILD / name)
        self.env["HEDDLE_HOME"] = str(home)
        for header in ("thrust/sort.h", "cub/cub.cuh", "cuda/atomic", "nv/target"):
            err = self.fails(f"#include <{header}>\nint main() {{}}\n")
            self.assertRegex(err, rf"'{header}' belongs to CCCL .*\./dev setup")
        self.expect(self.heddle("doctor"), out_has="Thrust, CUB, libcu++")

    def test_libraries_that_are_not_there(self):
        err = self.fails("int main() {}\n", "-lnvjpeg2k", "-lcuptiutil")
        self.assertRegex(err, r"'nvjpeg2k' belongs to nvJPEG2000")
        self.assertRegex(err, r"'cuptiutil' belongs to a part of CUPTI")

    def test_cpp_files_too(self):
        self.write("part.cpp", "#include <cuda_runtime.h>\nint main() { return cudaMallocc(); }\n")
        result = self.expect(self.heddlecc("part.cpp"), 1, "", err_lacks=INTERNAL)
        self.assertTrue(result.err.startswith("part.cpp:2:21: error: "), result)

    def test_ordinary_programs_are_silent(self):
        self.write("prog.cu", """\
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>
__device__ int unused(int x) { return x; }
__constant__ float table[4];
__global__ void k(float *p, __half h) { *p = std::sqrt(*p) + table[0] + __half2float(h); }
int main() { std::vector<float> v; printf("%zu\\n", v.size()); }
""")
        for arguments in ([], ["-g", "-G"], ["-O3", "-use_fast_math"], ["-Xcompiler", "-Wall"]):
            self.expect(self.heddlecc("prog.cu", *arguments), 0, "", "")


class Colour(CliTest):
    def setUp(self):
        super().setUp()
        self.write("prog.cu", "int main() { return missing; }\n")

    def on_terminal(self, **env):
        """What heddlecc writes to a terminal."""
        main_end, other_end = pty.openpty()
        process = subprocess.Popen(["heddlecc", "prog.cu"], cwd=self.work, stderr=other_end,
                                   env={**self.env, "TERM": "xterm", **env})
        os.close(other_end)
        text = b""
        while True:
            try:
                part = os.read(main_end, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        os.close(main_end)
        self.assertEqual(process.wait(), 1)
        return text.decode()

    def test_only_on_a_terminal(self):
        self.assertNotIn("\x1b", self.heddlecc("prog.cu").err)
        self.assertIn("\x1b[", self.on_terminal())
        self.assertNotIn("\x1b", self.on_terminal(NO_COLOR="1"))


class AtRunTime(CliTest):
    def test_fault_names_kernel_thread_and_line(self):
        self.write("fault.cu", """\
#include <cstdio>
__global__ void poke(int *p) {
  if (threadIdx.x == 5 && blockIdx.x == 1)
    p[1 << 30] = 1;
}
int main() {
  int *p;
  cudaMalloc(&p, 16);
  poke<<<2, 32>>>(p);
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\\n", cudaGetErrorName(error));
}
""")
        result = self.expect(self.heddle("run", "-lineinfo", "fault.cu"), 0,
                             "cudaErrorIllegalAddress\n")
        for part in ("poke", "fault.cu:4", "1", "5"):
            self.assertIn(part, result.err)
        self.expect(self.heddle("run", "-lineinfo", "fault.cu", env={"HEDDLE_QUIET": "1"}), 0,
                    "cudaErrorIllegalAddress\n", "")

    def test_graphs_that_cannot_be_instantiated(self):
        self.write("prog.cu", """
int main() {
  cudaGraph_t graph;
  cudaGraphNode_t a, b;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&b, graph, &a, 1);
  cudaError_t device = cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphAddDependencies(graph, &b, &a, 1);
  cudaError_t cycle = cudaGraphInstantiate(&exec, graph, 0);
  return cycle == cudaErrorInvalidValue && device == cudaErrorInvalidValue ? 0 : 1;
}
""")
        self.expect(self.heddlecc("prog.cu", "-o", "prog"), 0)
        self.expect(self.command("./prog"), 0, "",
                    "heddle: cannot instantiate this graph: a graph that kernels launch has only kernels, copies, fills and child graphs\n"
                    "heddle: cannot instantiate this graph: it has a cycle, in which a node waits for itself\n")

    def test_unknown_engine(self):
        self.write("k.cu", "#include <cstdio>\n__global__ void k() {}\nint main() {\n  k<<<1, 1>>>();\n"
                           "  return cudaGetLastError() != cudaSuccess;\n}\n")
        self.expect(self.heddlecc("k.cu"), 0)
        self.expect(self.command("./a.out", env={"HEDDLE_ENGINE": "quantum"}), 1,
                    err_has=["HEDDLE_ENGINE=quantum", "reference"])


if __name__ == "__main__":
    main()
