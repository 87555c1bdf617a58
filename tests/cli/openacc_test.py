# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvc++ of the toolkit folder: OpenACC on the host, together with kernels and CUDA's libraries."""

from cli import BUILD, CliTest, main

TOOLS = BUILD / "share/heddle/toolkit/bin"

KERNELS = """\
__global__ void twiceEach(double *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
extern "C" void twice(double *p, int n) {
  twiceEach<<<(n + 255) / 256, 256>>>(p, n);
  cudaDeviceSynchronize();
}
"""

PROGRAM = """\
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <openacc.h>
#ifndef _OPENACC
#error
#endif
extern "C" void twice(double *p, int n);
int main() {
  const int n = 1000;
  acc_init(acc_device_nvidia);
  double *x = (double *)malloc(n * sizeof *x), *y = (double *)malloc(n * sizeof *y), two = 2;
  for (int i = 0; i < n; i++) { x[i] = i; y[i] = 1; }
  cublasHandle_t handle;
  cublasCreate(&handle);
#pragma acc data copyin(x[0:n]) copy(y[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] += x[i];
#pragma acc host_data use_device(x, y)
    {
      cublasDaxpy(handle, n, &two, x, 1, y, 1);
      cudaDeviceSynchronize();
      twice(y, n);
    }
  }
  double *d = (double *)acc_malloc(n * sizeof *d), sum = 0;
#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < n; i++) d[i] = i;
  twice(d, n);
#pragma acc parallel loop reduction(+ : sum) deviceptr(d)
  for (int i = 0; i < n; i++) sum += d[i];
  acc_free(d);
  double *c;
  cudaMalloc((void **)&c, n * sizeof *c);
#pragma acc kernels deviceptr(c)
  for (int i = 0; i < n; i++) c[i] = 3;
  double last = 0;
  cudaMemcpy(&last, c + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g, %d device of type %d\\n", y[10], sum, last, acc_get_num_devices(acc_device_nvidia),
              acc_get_device_type() == acc_device_nvidia);
}
"""


class OpenAcc(CliTest):
    def test_with_kernels_and_libraries(self):
        self.write("kernels.cu", KERNELS)
        self.write("program.cpp", PROGRAM)
        self.expect(self.command(TOOLS / "nvcc", "-c", "kernels.cu"), 0, "", "")
        for compiler, options in (("nvc++", ["-acc=gpu", "-gpu=cc80,managed", "-Minfo=accel", "-fast", "-cudalib=cublas"]),
                                  ("pgc++", ["-ta=tesla:cc70", "-tp", "px", "--c++17", "-Mcuda", "-lcublas", "-lcudart"])):
            with self.subTest(compiler):
                self.expect(self.command(TOOLS / compiler, *options, "program.cpp", "kernels.o", "-o", "program"), 0, "", "")
                self.expect(self.command("./program"), 0, "62 999000 3, 1 device of type 1\n", "")

    def test_c(self):
        self.write("sum.c", """\
#include <stdio.h>
int main(void) {
  long sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  printf("%ld %d\\n", sum, _OPENACC > 0);
  return 0;
}
""")
        for compiler in ("nvc", "pgcc"):
            self.expect(self.command(TOOLS / compiler, "-acc", "-O4", "sum.c", "-o", "sum"), 0, "", "")
            self.expect(self.command("./sum"), 0, "4950 1\n", "")

    def test_what_it_says(self):
        for argument in ("--version", "-V"):
            self.expect(self.command(TOOLS / "nvc++", argument), 0, out_has=["nvc++:", "Free Software Foundation"], err="")
        self.write("kernels.cu", KERNELS)
        self.expect(self.command(TOOLS / "nvc++", "kernels.cu"), 1, "", err_has="compiled by nvcc")
        self.write("wrong.cpp", "int main() { return missing; }\n")
        self.expect(self.command(TOOLS / "nvc++", "-acc", "wrong.cpp"), 1, "", err_has="missing")
        self.expect(self.command(TOOLS / "nvc++", "-stdpar", "wrong.cpp"), 1, "", err_has="-stdpar")
        self.assertEqual(self.files(), ["kernels.cu", "wrong.cpp"])


if __name__ == "__main__":
    main()
