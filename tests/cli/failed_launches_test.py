# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launch that failed and that the program has not looked at, and a kernel without its shared memory."""

from cli import BUILD, CliTest, main

SILENT = """\
#include <cstdio>
__global__ void add(int *a) { a[threadIdx.x] += 1; }
int main() {
  static int h[2048];
  int *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  add<<<1, 2048>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", h[5]);
  cudaFree(d);
  return 0;
}
"""
LOOKED = SILENT.replace("<<<1, 2048>>>(d);", "<<<1, 2048>>>(d); cudaGetLastError();")

NO_SHARED = """\
__global__ void reverse(int *data, int n) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
int main() {
  int *data;
  cudaMallocManaged(&data, 2048 * sizeof(int));
  reverse<<<1, 1024>>>(data, 1024);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""
TOLD = ("heddle: the launch of add(int*)<<<(1,1,1), (2048,1,1), 0>>> failed with cudaErrorInvalidConfiguration "
        "(invalid configuration argument), and the program has not asked (cudaGetLastError)\n")


class FailedLaunches(CliTest):
    def test_run_tells_at_the_end(self):
        self.write("silent.cu", SILENT)
        done = self.command(f"{BUILD}/bin/heddle", "run", "silent.cu")
        self.assertEqual((done.code, done.out, done.err), (0, "0\n", TOLD), str(done))
        self.write("looked.cu", LOOKED)
        done = self.command(f"{BUILD}/bin/heddle", "run", "looked.cu")
        self.assertEqual((done.code, done.out, done.err), (0, "0\n", ""), str(done))

    def test_the_program_alone_is_silent(self):
        self.write("silent.cu", SILENT)
        self.assertEqual(self.command(f"{BUILD}/bin/heddlecc", "silent.cu", "-o", "silent").code, 0)
        done = self.command("./silent")
        self.assertEqual((done.code, done.out, done.err), (0, "0\n", ""), str(done))

    def test_check_finds_it(self):
        self.write("silent.cu", SILENT)
        for only in ([], ["--only", "memory"], ["--only", "api"]):
            done = self.command(f"{BUILD}/bin/heddle", "check", *only, "silent.cu")
            self.assertIn("a launch that failed unnoticed", done.err, str(done))
            self.assertIn("cudaErrorInvalidConfiguration", done.err, str(done))
            self.assertNotEqual(done.code, 0)
        for only in ([], ["--only", "api"]):
            self.write("looked.cu", LOOKED)
            done = self.command(f"{BUILD}/bin/heddle", "check", *only, "looked.cu")
            self.assertEqual(done.code, 0, str(done))

    def test_shared_memory_that_the_launch_has_not_given(self):
        self.write("shared.cu", NO_SHARED)
        for size, given in (("", 0), (", 512", 512)):
            self.write("shared.cu", NO_SHARED.replace("1024>>>", f"1024{size}>>>"))
            done = self.command(f"{BUILD}/bin/heddle", "run", "-g", "shared.cu")
            self.assertEqual(done.code, 0, str(done))
            self.assertIn(f"the launch gave {given} bytes of dynamic shared memory", done.err)
        self.write("wild.cu", "__global__ void k() { *(int *)64 = 1; }\n"
                              "int main() { k<<<1, 1>>>(); return !cudaDeviceSynchronize(); }\n")
        done = self.command(f"{BUILD}/bin/heddle", "run", "wild.cu")
        self.assertNotIn("shared memory", done.err)


if __name__ == "__main__":
    main()
