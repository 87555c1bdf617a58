# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA 12 or 13: --cuda, HEDDLE_CUDA, and toolkit folders of either."""

import json
import os

from cli import CliTest, main

# What each release has of its own, by types, functions and macros.
PROGRAM = """\
#include <cuda.h>
#include <cstdio>
static_assert(CUDART_VERSION / 1000 == __CUDACC_VER_MAJOR__ && CUDA_VERSION == CUDART_VERSION, "");
#if CUDART_VERSION >= 13000
static_assert(sizeof(cudaDeviceProp) == 1008 && alignof(double4_32a) == 32, "");
cudaError_t prefetch(void *p) { return cudaMemPrefetchAsync(p, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0); }
#else
static_assert(sizeof(cudaDeviceProp) == 1032, "");
cudaError_t prefetch(void *p) { return cudaMemPrefetchAsync(p, 4, 0); }
#endif
__global__ void kernel(int *p) { *p = 7; }
int main() {
  int *p, version, clock;
  cudaDeviceProp properties;
  cudaMallocManaged(&p, 4);
  kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  cudaRuntimeGetVersion(&version);
  cudaGetDeviceProperties(&properties, 0);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  std::printf("%d %d %d %d %s %d\\n", version, CUDART_VERSION, *p, prefetch(p), properties.name, clock);
}
"""
ANSWER = {12: "12090 12090 7 0 Tesla T4 1590000\n", 13: "13000 13000 7 0 Tesla T4 1590000\n"}

# For CUDA 12; CUDA 13 has removed the member and given the function other parameters.
OLDER = """\
#include <cstdio>
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int *p;
  cudaMallocManaged(&p, 4);
  std::printf("%d %d %d\\n", properties.clockRate, cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, 0), cudaThreadSynchronize());
}
"""

# Built by the host's compiler, with what a toolkit folder has.
HOST = """\
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cstdio>
int main() {
  int runtime = 0, cublas = 0;
  cudaDeviceProp properties;
  cublasHandle_t handle;
  cudaGetDeviceProperties(&properties, 0);
  cublasCreate(&handle);
  cublasGetVersion(handle, &cublas);
  cudaRuntimeGetVersion(&runtime);
  std::printf("%d %d %d %s\\n", CUDART_VERSION / 1000, runtime / 1000, cublas / 10000, properties.name);
}
"""

THRUST = """\
#include <cub/version.cuh>
#include <thrust/reduce.h>
#include <cstdio>
int main() {
  const int numbers[] = {1, 2, 3};
  std::printf("%d %d\\n", CUB_MAJOR_VERSION, thrust::reduce(numbers, numbers + 3));
}
"""


class ReleasesTest(CliTest):
    def builds(self, source, answer, *arguments, **settings):
        self.expect(self.heddlecc(source, "-o", "program", *arguments, **settings), 0, "", "")
        self.expect(self.command("./program"), 0, answer, "")

    def test_flag_and_variable(self):
        self.write("program.cu", PROGRAM)
        self.builds("program.cu", ANSWER[13])
        self.builds("program.cu", ANSWER[12], "--cuda=12")
        self.builds("program.cu", ANSWER[12], env={"HEDDLE_CUDA": "12"})
        self.builds("program.cu", ANSWER[13], "--cuda=13", env={"HEDDLE_CUDA": "12"})
        self.expect(self.heddle("run", "program.cu", "--cuda=12"), 0, ANSWER[12], "")
        self.expect(self.heddlecc("--cuda=12.9", "--version"), 0, out_has="release 12.9, V12.9.")
        self.expect(self.heddlecc("--cuda=11", "program.cu"), 1, "", err_has="'11' is neither 12 nor 13")
        self.expect(self.heddlecc("program.cu", env={"HEDDLE_CUDA": "new"}), 1, "", err_has="HEDDLE_CUDA: 'new' is neither 12 nor 13")

    def test_what_13_has_removed(self):
        self.write("older.cu", OLDER)
        self.builds("older.cu", "1590000 0 0\n", "--cuda=12")
        built = self.heddlecc("older.cu", "-o", "program")
        self.expect(built, 0, "", err_has=["'clockRate' is deprecated", "'cudaMemAdvise' is deprecated: CUDA 13 has it with other",
                                           "'cudaThreadSynchronize' is deprecated: CUDA 13 has removed it; --cuda=12"])
        self.expect(self.command("./program"), 0, "1590000 0 0\n", "")
        self.expect(self.heddlecc("older.cu", "-Werror", "all-warnings"), 1, "", err_has="deprecated")

    def test_toolkits(self):
        self.write("host.cpp", HOST)
        self.write("program.cu", PROGRAM)
        for release, arguments in ((13, []), (12, ["--cuda=12"])):
            folder = self.work / f"cuda-{release}"
            self.expect(self.heddle("toolkit", *arguments, str(folder)), 0, err="")
            version = json.loads((folder / "version.json").read_text())["cuda"]["version"]
            self.assertEqual(version.split(".")[0], str(release))
            for runtime in ("cudart", "cudart_static"):
                self.expect(self.command("g++", "-I", folder / "include", "host.cpp", "-o", "host", "-L", folder / "lib64", "-lcublas",
                                         f"-l{runtime}"), 0, "", "")
                self.expect(self.command("./host", env={"LD_LIBRARY_PATH": str(folder / "lib64")}), 0,
                            f"{release} {release} {release if release == 13 else 12} Tesla T4\n", "")
            # Its nvcc is of that release by itself.
            self.expect(self.command(folder / "bin/nvcc", "program.cu", "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), 0, ANSWER[release], "")
            self.expect(self.command(folder / "bin/ptxas", "--version"), 0, out_has=f"release {release}.")
            headers = "include/cccl/thrust" if release == 13 else "include/thrust"
            self.assertTrue((folder / headers / "version.h").exists(), headers)
        # The other release in its place.
        self.expect(self.heddle("toolkit", "--cuda=12", str(self.work / "cuda-13")), 0, err="")
        self.expect(self.command(self.work / "cuda-13/bin/nvcc", "program.cu", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, ANSWER[12], "")
        self.expect(self.heddle("toolkit", str(self.work / "cuda-12")), 0, err="")
        self.expect(self.command(self.work / "cuda-12/bin/nvcc", "program.cu", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, ANSWER[13], "")
        self.expect(self.heddle("toolkit", "--cuda=11", "cuda"), 1, "", err_has="'11' is neither 12 nor 13")
        self.assertFalse(os.path.exists(self.work / "cuda"))

    def test_env(self):
        self.write("program.cu", PROGRAM)
        for release, choice in ((13, "heddle env"), (12, "heddle env --cuda=12"), (12, "HEDDLE_CUDA=12 heddle env")):
            with self.subTest(choice):
                script = f'eval "$({choice})" && nvcc program.cu -o program && ./program && test -e "$CUDA_HOME/include/cuda.h"'
                self.expect(self.command("sh", "-ec", script), 0, ANSWER[release], "")

    def test_cccl(self):
        self.write("thrust.cu", THRUST)
        self.builds("thrust.cu", "3 6\n", "-std=c++17")
        self.builds("thrust.cu", "2 6\n", "-std=c++17", "--cuda=12")


if __name__ == "__main__":
    main()
