# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Separate compilation of device code: -dc, -dlink, -lib, and linkers that know nothing of it."""

from cli import CliTest, main

# main.cu calls a device function of scale.cu and a kernel of shift.cu.
MAIN = """\
#include <cstdio>
extern __device__ int scale(int value);
extern __device__ int offset;
__global__ void shift(int *data);
__global__ void compute(int *data) { *data = scale(*data) + offset; }
int main() {
  int *data;
  if (cudaMallocManaged(&data, sizeof *data) != cudaSuccess) return 1;
  *data = 4;
  compute<<<1, 1>>>(data);
  shift<<<1, 1>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d\\n", *data);
}
"""
SCALE = """\
__device__ int offset = 2;
__device__ int scale(int value) { return value * 10; }
"""
SHIFT = """\
extern __device__ int offset;
__global__ void shift(int *data) { *data += 100 * offset; }
"""
ANSWER = "242\n"

# Links files with each other while it runs: their names with what they are.
LOADER = """\
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#define OK(call) if (const int error = (call)) { std::printf("%d in line %d\\n", error, __LINE__); return 1; }
int main(int count, char **words) {
  CUcontext context;
  CUlinkState link;
  CUmodule module;
  CUfunction compute;
  CUdeviceptr data;
  void *image, *parameters[] = {&data};
  int value = 4;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuLinkCreate(0, nullptr, nullptr, &link));
  for (int i = 1; i + 1 < count; i += 2)
    OK(cuLinkAddFile(link, CUjitInputType(std::atoi(words[i])), words[i + 1], 0, nullptr, nullptr));
  OK(cuLinkComplete(link, &image, nullptr));
  OK(cuModuleLoadData(&module, image));
  OK(cuLinkDestroy(link));
  OK(cuModuleGetFunction(&compute, module, "_Z7computePi"));
  OK(cuMemAlloc(&data, sizeof value));
  OK(cuMemcpyHtoD(data, &value, sizeof value));
  OK(cuLaunchKernel(compute, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(&value, data, sizeof value));
  std::printf("%d\\n", value);
}
"""


class DeviceLink(CliTest):
    def setUp(self):
        super().setUp()
        self.write("main.cu", MAIN)
        self.write("scale.cu", SCALE)
        self.write("shift.cu", SHIFT)
        self.root = self.command(
            "sh", "-c", "dirname $(dirname $(command -v heddlecc))").out.strip()

    def compile_all(self):
        self.expect(self.heddlecc("-dc", "main.cu", "scale.cu", "shift.cu"), 0, "", "")

    def link_elsewhere(self, *files, output="program"):
        """With a compiler that knows nothing of CUDA."""
        return self.command("g++", *files, f"-L{self.root}/lib", "-lcudart",
                            f"-Wl,-rpath,{self.root}/lib", "-o", output)

    def expect_answer(self, program="./program", answer=ANSWER):
        self.expect(self.command(program), 0, answer, "")

    def test_at_once(self):
        self.expect(self.heddlecc("-rdc=true", "main.cu", "scale.cu", "shift.cu", "-o", "program"),
                    0, "", "")
        self.expect_answer()
        self.expect_clean()

    def test_device_link_then_host_linker(self):
        self.compile_all()
        for order in (["main.o", "scale.o", "shift.o"], ["shift.o", "scale.o", "main.o"]):
            self.expect(self.heddlecc("-dlink", *order, "-o", "linked.o"), 0, "", "")
            self.expect(self.link_elsewhere("linked.o", *order), 0, "", "")
            self.expect_answer()
            self.expect(self.link_elsewhere(*order, "linked.o"), 0, "", "")
            self.expect_answer()
        self.expect_clean()

    def test_implicit(self):
        self.compile_all()
        self.expect(self.heddlecc("scale.o", "main.o", "shift.o", "-o", "program"), 0, "", "")
        self.expect_answer()
        # Some sources, some objects; the long names of the options.
        self.expect(self.heddlecc("--relocatable-device-code", "true", "main.cu", "scale.o",
                                  "shift.o", "-o", "program"), 0, "", "")
        self.expect_answer()
        # After a device link of one's own, there is nothing left to do.
        self.expect(self.heddlecc("--device-link", "main.o", "scale.o", "shift.o"), 0, "", "")
        self.assertIn("a_dlink.o", self.files())
        for more in ([], ["-nodlink"]):
            self.expect(self.heddlecc("main.o", "scale.o", "shift.o", "a_dlink.o", *more, "-o",
                                      "program"), 0, "", "")
            self.expect_answer()

    def test_forgotten(self):
        self.compile_all()
        result = self.link_elsewhere("main.o", "scale.o", "shift.o")
        self.expect(result, 1, "", err_has="undefined reference to `__cudaRegisterLinkedBinary_")
        self.expect(self.heddlecc("-nodlink", "main.o", "scale.o", "shift.o", "-o", "program"), 1,
                    "", err_has="__cudaRegisterLinkedBinary_")

    def test_static_library(self):
        self.compile_all()
        self.expect(self.heddlecc("-lib", "scale.o", "shift.o", "-o", "libboth.a"), 0, "", "")
        for arguments in (["main.o", "libboth.a"], ["libboth.a", "main.o", "libboth.a"],
                          ["main.o", "-L.", "-lboth"], ["-rdc=true", "main.cu", "-lboth", "-L", "."],
                          ["main.o", "-L.", "-l:libboth.a"]):
            self.expect(self.heddlecc(*arguments, "-o", "program"), 0, "", "")
            self.expect_answer()
        self.expect(self.heddlecc("-dlink", "-shared", "-Xcompiler=-fPIC", "main.o", "-o",
                                  "linked.o", "-L.", "-lboth", "-lcudadevrt", "-lcudart_static",
                                  "-lrt", "-lpthread", "-ldl"), 0, "", "")
        self.expect(self.link_elsewhere("main.o", "linked.o", "libboth.a"), 0, "", "")
        self.expect_answer()
        # From sources at once.
        self.expect(self.heddlecc("-rdc=true", "-lib", "scale.cu", "shift.cu", "-o", "libsame.a"),
                    0, "", "")
        self.expect(self.heddlecc("main.o", "libsame.a", "-o", "program"), 0, "", "")
        self.expect_answer()

    def test_members_that_nothing_needs(self):
        self.compile_all()
        self.write("broken.cu", "__device__ int missing(int);\n"
                                "__device__ int unused(int x) { return missing(x); }\n")
        self.expect(self.heddlecc("-dc", "broken.cu"), 0, "", "")
        self.expect(self.heddlecc("-lib", "broken.o", "scale.o", "shift.o", "-o", "liball.a"), 0)
        self.expect(self.heddlecc("main.o", "liball.a", "-o", "program"), 0, "", "")
        self.expect_answer()
        self.expect(self.heddlecc("main.o", "scale.o", "shift.o", "broken.o", "-o", "program"), 1,
                    "", err_has="nvlink error   : Undefined reference to '_Z7missingi' in "
                                "'broken.o' (missing(int))\n")

    def test_libraries_that_need_each_other(self):
        self.write("ping.cu", "__device__ int pong(int);\n"
                              "__device__ int ping(int n) { return n ? pong(n - 1) + 1 : 0; }\n")
        self.write("pong.cu", "__device__ int ping(int);\n"
                              "__device__ int pong(int n) { return n ? ping(n - 1) + 10 : 0; }\n")
        self.write("play.cu", """\
#include <cstdio>
__device__ int ping(int);
__global__ void play() { printf("%d\\n", ping(4)); }
int main() { play<<<1, 1>>>(); return cudaDeviceSynchronize(); }
""")
        self.expect(self.heddlecc("-dc", "ping.cu", "pong.cu", "play.cu"), 0, "", "")
        for name in ("ping", "pong"):
            self.expect(self.heddlecc("-lib", f"{name}.o", "-o", f"lib{name}.a"), 0, "", "")
        for order in (["play.o", "libping.a", "libpong.a"], ["libpong.a", "play.o", "libping.a"]):
            self.expect(self.heddlecc(*order, "-o", "program"), 0, "", "")
            self.expect_answer(answer="22\n")

    def test_library_that_has_linked_its_device_code(self):
        # As CMake does with CUDA_RESOLVE_DEVICE_SYMBOLS.
        self.write("library.cu", SHIFT.replace("shift", "shiftMore") + """\
void shiftData(int *data) { shiftMore<<<1, 1>>>(data); }
""")
        self.write("use.cpp", """\
#include <cstdio>
#include <cuda_runtime.h>
void shiftData(int *);
int main() {
  int *data;
  cudaMallocManaged((void **)&data, sizeof *data);
  *data = 1;
  shiftData(data);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *data);
}
""")
        self.compile_all()
        self.expect(self.heddlecc("-dc", "library.cu"), 0, "", "")
        self.expect(self.heddlecc("-dlink", "library.o", "scale.o", "-o", "linked.o"), 0, "", "")
        self.expect(self.command("ar", "qc", "libresolved.a", "library.o", "scale.o", "linked.o"))
        self.expect(self.link_elsewhere("use.cpp", f"-I{self.root}/include", "libresolved.a"), 0,
                    "", "")
        self.expect_answer(answer="201\n")
        self.expect(self.heddlecc("use.cpp", "libresolved.a", "-o", "program"), 0, "", "")
        self.expect_answer(answer="201\n")

    def test_objects_merged_by_the_linker(self):
        self.compile_all()
        self.expect(self.command("ld", "-r", "scale.o", "shift.o", "-o", "merged.o"), 0, "", "")
        self.expect(self.heddlecc("main.o", "merged.o", "-o", "program"), 0, "", "")
        self.expect_answer()

    def test_shared_libraries(self):
        # Each with its own device code, of the same names, in one process; so has the program.
        for name in ("one", "two"):
            self.write(f"{name}.cu", f"""\
extern __device__ int scale(int value);
namespace {{ __global__ void compute(int *data) {{ *data = scale(*data); }} }}
void {name}(int *data) {{ compute<<<1, 1>>>(data); }}
""")
            self.expect(self.heddlecc("-dc", "-Xcompiler", "-fPIC", f"{name}.cu"), 0, "", "")
        self.write("by3.cu", "__device__ int scale(int value) { return value * 3; }\n")
        self.expect(self.heddlecc("-dc", "by3.cu", "scale.cu"), 0, "", "")
        self.expect(self.heddlecc("-shared", "one.o", "by3.o", "-o", "libone.so"), 0, "", "")
        self.expect(self.heddlecc("-shared", "two.o", "scale.o", "-o", "libtwo.so"), 0, "", "")
        self.write("use.cu", """\
#include <cstdio>
__device__ int scale(int value) { return value + 7; }
__global__ void compute(int *data) { *data = scale(*data); }
void one(int *);
void two(int *);
int main() {
  int *data;
  cudaMallocManaged(&data, sizeof *data);
  *data = 1;
  one(data);
  two(data);
  compute<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *data);
}
""")
        self.expect(self.heddlecc("-rdc=true", "use.cu", "-L.", "-lone", "-ltwo", "-Xlinker",
                                  "-rpath,$ORIGIN", "-o", "program"), 0, "", "")
        self.expect_answer(answer="37\n")

    def test_whole_programs_beside_it(self):
        # Objects of both kinds in one program, with device functions of the same name.
        self.write("whole.cu", """\
__device__ int scale(int value) { return value - 1; }
__global__ void decrease(int *data) { *data = scale(*data); }
""")
        self.write("use.cu", MAIN.replace("shift<<<1, 1>>>(data);",
                                          "shift<<<1, 1>>>(data); decrease<<<1, 1>>>(data);")
                   .replace("int main", "__global__ void decrease(int *data);\nint main"))
        self.compile_all()
        self.expect(self.heddlecc("-c", "-rdc=false", "whole.cu"), 0, "", "")
        self.expect(self.heddlecc("-dc", "use.cu"), 0, "", "")
        self.expect(self.heddlecc("whole.o", "use.o", "scale.o", "shift.o", "-o", "program"), 0, "",
                    "")
        self.expect_answer(answer="241\n")

    def test_same_names_in_folders(self):
        for folder, value in (("one", 5), ("two", 70)):
            self.write(f"{folder}/part.cu", f"""\
static __device__ int value = {value};
static __global__ void get(int *out) {{ *out += value; }}
void {folder}(int *out) {{ get<<<1, 1>>>(out); cudaDeviceSynchronize(); }}
""")
            self.expect(self.heddlecc("-dc", "part.cu", cwd=self.work / folder), 0, "", "")
        self.write("use.cu", """\
#include <cstdio>
void one(int *);
void two(int *);
int main() {
  int *out;
  cudaMallocManaged(&out, sizeof *out);
  one(out);
  two(out);
  std::printf("%d\\n", *out);
}
""")
        self.expect(self.heddlecc("use.cu", "one/part.o", "two/part.o", "-o", "program"), 0, "", "")
        self.expect_answer(answer="75\n")

    def test_nothing_to_link(self):
        self.write("plain.cu", "#include <cstdio>\nint main() { std::puts(\"plain\"); }\n")
        self.expect(self.heddlecc("-dc", "plain.cu"), 0, "", "")
        self.expect(self.heddlecc("-dlink", "plain.o", "-o", "linked.o"), 0, "", "")
        self.expect(self.link_elsewhere("plain.o", "linked.o"), 0, "", "")
        self.expect_answer(answer="plain\n")

    def test_repeatable(self):
        contents = []
        for _ in range(2):
            self.compile_all()
            self.expect(self.heddlecc("-dlink", "main.o", "scale.o", "shift.o", "-o", "linked.o"))
            contents.append([(self.work / name).read_bytes() for name in ("main.o", "linked.o")])
        self.assertEqual(contents[0], contents[1])

    def test_linked_while_running(self):
        self.write("loader.cpp", LOADER)
        self.expect(self.heddlecc("loader.cpp", "-lcuda", "-o", "loader"), 0, "", "")
        self.expect(self.heddlecc("-dc", "main.cu", "scale.cu"), 0, "", "")
        self.expect(self.heddlecc("-lib", "scale.o", "-o", "libscale.a"), 0, "", "")
        for kind in ("ptx", "cubin", "fatbin"):
            self.expect(self.heddlecc("-rdc=true", "-" + kind, "main.cu"), 0, "", "")
            self.expect(self.heddlecc("-rdc=true", "-" + kind, "scale.cu"), 0, "", "")
        cubin, ptx, fatbin, thing, library = map(str, range(5))  # CUjitInputType
        callers = [(thing, "main.o"), (ptx, "main.ptx"), (cubin, "main.cubin"),
                   (fatbin, "main.fatbin")]
        callees = [(thing, "scale.o"), (ptx, "scale.ptx"), (cubin, "scale.cubin"),
                   (fatbin, "scale.fatbin"), (library, "libscale.a")]
        pairs = [(caller, callees[0]) for caller in callers]
        pairs += [(callers[1], callee) for callee in callees[1:]]
        for caller, callee in pairs:
            with self.subTest(caller=caller, callee=callee):
                self.expect(self.command("./loader", *caller, *callee), 0, "42\n", "")
        # CUDA's device library, which makefiles name.
        self.expect(self.command("./loader", ptx, "main.ptx", library,
                                 f"{self.root}/lib/libcudadevrt.a", cubin, "scale.cubin"),
                    0, "42\n", "")
        lacking = self.expect(self.command("./loader", thing, "main.o"), 1, err_has="scale")
        self.assertRegex(lacking.out, "^218 in line")
        self.expect(self.command("./loader", library, "main.o"), 1, err_has="main.o")
        self.expect_clean()



class DeviceLinkErrors(CliTest):
    def test_undefined(self):
        self.write("main.cu", MAIN)
        self.write("shift.cu", SHIFT)
        self.expect(self.heddlecc("-dc", "main.cu", "shift.cu"), 0, "", "")
        expected = ("nvlink error   : Undefined reference to '_Z5scalei' in 'main.o' (scale(int))\n"
                    "nvlink error   : Undefined reference to 'offset' in 'main.o'\n"
                    "nvlink error   : Undefined reference to 'offset' in 'shift.o'\n")
        for how in (["-dlink"], ["-o", "program"]):
            self.expect(self.heddlecc(*how, "main.o", "shift.o"), 1, "", expected)
        self.assertNotIn("program", self.files())
        self.assertNotIn("a_dlink.o", self.files())
        self.expect(self.heddlecc("-rdc=true", "main.cu", "shift.cu"), 1, "",
                    expected.replace(".o'", ".cu'"))
        self.expect_clean()
        # A library's member is named with its library.
        self.expect(self.command("ar", "qc", "libshift.a", "shift.o"))
        self.expect(self.heddlecc("main.o", "libshift.a"), 1, "",
                    err_has="Undefined reference to 'offset' in 'libshift.a:shift.o'\n")
        # Without -rdc=true it is the compilation that fails, and says what would help.
        self.expect(self.heddlecc("-c", "main.cu"), 1, "", err_has=["'scale(int)'", "-rdc=true"])

    def test_duplicate(self):
        self.write("one.cu", SCALE)
        self.write("two.cu", "__device__ int scale(int value) { return value; }\n")
        self.expect(self.heddlecc("-dc", "one.cu", "two.cu"), 0, "", "")
        self.expect(self.heddlecc("-dlink", "one.o", "two.o"), 1, "",
                    "nvlink error   : Multiple definition of '_Z5scalei' in 'two.o', first defined "
                    "in 'one.o' (scale(int))\n")

    def test_architectures(self):
        self.write("main.cu", MAIN)
        self.write("scale.cu", SCALE)
        self.write("shift.cu", SHIFT)
        self.expect(self.heddlecc("-dc", "-arch=sm_80", "main.cu", "shift.cu"), 0, "", "")
        self.expect(self.heddlecc("-dc", "-arch=sm_90", "scale.cu"), 0, "", "")
        objects = ["main.o", "scale.o", "shift.o", "-o", "program"]
        self.expect(self.heddlecc("-arch=sm_80", *objects), 1, "",
                    "nvlink error   : SM Arch ('sm_80') not found in 'scale.o', whose device code "
                    "is for sm_90; compile all files for the same GPU (-arch)\n")
        # Newer GPUs run code for older ones.
        for more in ([], ["-arch=sm_90"]):
            self.expect(self.heddlecc(*objects, *more), 0, "", "")
            self.expect(self.command("./program"), 0, ANSWER, "")
        # One for both fits either.
        self.expect(self.heddlecc("-dc", "-gencode", "arch=compute_80,code=sm_80", "-gencode",
                                  "arch=compute_90,code=[sm_90,compute_90]", "scale.cu"), 0, "", "")
        self.expect(self.heddlecc(*objects, "-arch=sm_80"), 0, "", "")

    def test_broken_files(self):
        self.write("scale.cu", SCALE)
        self.expect(self.heddlecc("-dc", "scale.cu"), 0, "", "")
        self.expect(self.heddlecc("-dlink", "missing.o"), 1, "", err_has="missing.o: no such file")
        self.write("text.o", "not an object file\n")
        self.expect(self.heddlecc("-dlink", "text.o", "scale.o"), 0)
        code = (self.work / "scale.o").read_bytes()
        (self.work / "scale.o").write_bytes(code.replace(b'"strong"', b'"strung"'))
        self.expect(self.heddlecc("-dlink", "scale.o"), 1, "",
                    err_has=["scale.o", "relocatable device code: broken header"])


class Resources(CliTest):
    def test_usage(self):
        self.write("main.cu", MAIN)
        self.write("scale.cu", SCALE)
        self.write("shift.cu", SHIFT)
        compiled = self.expect(self.heddlecc("-dc", "-Xptxas", "-v", "main.cu"), 0, "")
        self.assertRegex(compiled.err, r"ptxas info    : Used \d+ registers")
        self.expect(self.heddlecc("-dc", "scale.cu", "shift.cu"), 0, "", "")
        linked = self.expect(self.heddlecc("-dlink", "--resource-usage", "-maxrregcount=6",
                                           "main.o", "scale.o", "shift.o"), 0, "")
        self.assertRegex(linked.err, r"nvlink info    : 4 bytes gmem\n")
        for kernel in ("_Z7computePi", "_Z5shiftPi"):
            self.assertRegex(linked.err, rf"nvlink info    : Function properties for '{kernel}':\n"
                                         r"nvlink info    : used [1-6] registers, \d+ stack, 0 bytes "
                                         r"smem, 360 bytes cmem\[0\], 0 bytes lmem\n")


if __name__ == "__main__":
    main()
