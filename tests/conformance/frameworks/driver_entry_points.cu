// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flags: -lcuda
//
// cudaGetDriverEntryPointByVersion: a name stands for the form that it had in that version of CUDA,
// and programs of nvcc 12.8 have their modules made ready before they use a managed variable.
#include "../check.h"

#include <cuda.h>

extern "C" char __cudaInitModule(void **handle);

namespace {

void *find(const char *name, unsigned version, unsigned long long flags = cudaEnableDefault) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointVersionNotSufficent;
  CHECK_CUDA(cudaGetDriverEntryPointByVersion(name, &function, version, flags, &found));
  CHECK_EQ(int(found),
           int(function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound));
  return function;
}

/// What the driver itself says of the name.
void *findByDriver(const char *name, int version) {
  void *function = nullptr;
  CUdriverProcAddressQueryResult found;
  CHECK_EQ(cuGetProcAddress(name, &function, version, CU_GET_PROC_ADDRESS_DEFAULT, &found),
           CUDA_SUCCESS);
  return function;
}

void forms() {
  // CUDA 12.0 gave these names new parameters.
  CHECK(find("cuGetProcAddress", 11030) != find("cuGetProcAddress", 12000));
  CHECK(find("cuGraphAddKernelNode", 11040) != find("cuGraphAddKernelNode", 12000));
  CHECK(find("cuStreamGetCaptureInfo", 11030) != find("cuStreamGetCaptureInfo", 12030));
  for (const char *name :
       {"cuGetProcAddress", "cuMemAlloc", "cuStreamGetCaptureInfo", "cuCtxCreate"})
    for (const int version : {11030, 12000, 12040, 12080})
      CHECK(find(name, unsigned(version)) == findByDriver(name, version));
  // The runtime's own version is what the older call means.
  void *function = nullptr;
  CHECK_CUDA(
      cudaGetDriverEntryPoint("cuStreamGetCaptureInfo", &function, cudaEnableDefault, nullptr));
  CHECK(function == find("cuStreamGetCaptureInfo", CUDART_VERSION));
  CHECK(find("cuLaunchKernel", 12000, cudaEnablePerThreadDefaultStream) !=
        find("cuLaunchKernel", 12000, cudaEnableLegacyStream));
}

void works() {
  int version = 0, runtimes = -1;
  const auto ask = reinterpret_cast<CUresult (*)(int *)>(find("cuDriverGetVersion", 2020));
  CHECK_EQ(ask(&version), CUDA_SUCCESS);
  CHECK_CUDA(cudaDriverGetVersion(&runtimes));
  CHECK_EQ(version, runtimes);
}

void refused() {
  void *function = nullptr;
  CHECK(find("cuNoSuchFunction", 12000) == nullptr);
  CHECK_EQ(cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, 0, nullptr),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGetDriverEntryPointByVersion("", &function, 12000, 0, nullptr),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGetDriverEntryPointByVersion("cuInit", nullptr, 12000, 0, nullptr),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, 7, nullptr),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

} // namespace

int main() {
  forms();
  works();
  refused();
#ifdef __clang__                               // NVIDIA follows the handle
  CHECK_EQ(int(__cudaInitModule(nullptr)), 0); // no module of this process
#endif
  RETURN_RESULT();
}
