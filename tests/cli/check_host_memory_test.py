# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check: kernels that access the host's own memory."""

from cli import BUILD, CliTest, main


class HostMemory(CliTest):
    def test_a_program_that_asks(self):
        # Outside of heddle check, all memory can be accessed; within, what the GPU says counts.
        self.write("ask.cu", """\
#include <cstdio>
__global__ void set(int *p) { *p = 5; }
int main() {
  int can = 0, *p = new int(0);
  cudaDeviceGetAttribute(&can, cudaDevAttrPageableMemoryAccess, 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (!can) cudaMallocManaged(&p, sizeof(int));
  set<<<1, 1>>>(p);
  std::printf("%d %d %d", can, properties.pageableMemoryAccess, cudaDeviceSynchronize());
  std::printf(" %d\\n", *p);
  return 0;
}
""")
        self.expect(self.heddlecc("ask.cu", "-o", "ask"))
        self.expect(self.command("./ask"), 0, "1 1 0 5\n", "")
        self.expect(self.heddle("check", "./ask"), 0, "0 0 0 5\n", "heddle check: nothing found\n")

    def test_loops_around_a_compare_and_swap_end(self):
        # An access that does not happen must not keep them from it.
        self.write("loops.cu", """\
__global__ void wrap(unsigned *p) { atomicInc(p, 17); }
__global__ void own(int *p) {
  int old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, assumed + 1);
  } while (old != assumed);
}
int main() {
  unsigned *p = new unsigned(3);
  wrap<<<1, 32>>>(p);
  own<<<1, 32>>>((int *)p);
  return cudaDeviceSynchronize() + int(*p) - 3;
}
""")
        for engine in ("simd", "reference"):
            self.expect(self.heddle("check", "loops.cu", env={"HEDDLE_ENGINE": engine}), 1,
                        err_has=["host memory accessed by a kernel", "in wrap(unsigned int*)", "in own(int*)"])

    def test_xml_may_have_a_value(self):
        self.write("right.cu", "int main() { int *p; return cudaMalloc(&p, 4); }\n")
        self.expect(self.heddlecc("right.cu", "-o", "right"))
        tool = BUILD / "share" / "heddle" / "toolkit" / "bin" / "compute-sanitizer"
        for form in (["--xml"], ["--xml", "yes"], ["--xml=no"]):
            self.expect(self.command(tool, "--save", "out", *form, "./right"), 0, out_has="ERROR SUMMARY: 0 errors\n")


if __name__ == "__main__":
    main()
