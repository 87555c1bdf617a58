// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers beside the runtime's: types of the driver API's functions, and NVTX for C++.
#include "check.h"

#include <cudaTypedefs.h>
#include <nvtx3/nvtx3.hpp>

// As cuda.h declares them.
#if CUDART_VERSION < 13000 // which has no names without a version
static_assert(std::is_same_v<PFN_cuInit, decltype(&cuInit)>);
#endif
static_assert(std::is_same_v<PFN_cuGetErrorName_v6000, decltype(&cuGetErrorName)>);
static_assert(std::is_same_v<PFN_cuGetErrorString_v6000, decltype(&cuGetErrorString)>);
static_assert(std::is_same_v<PFN_cuDriverGetVersion_v2020, decltype(&cuDriverGetVersion)>);
static_assert(std::is_same_v<PFN_cuDeviceGet_v2000, decltype(&cuDeviceGet)>);
static_assert(std::is_same_v<PFN_cuDeviceGetCount_v2000, decltype(&cuDeviceGetCount)>);
static_assert(std::is_same_v<PFN_cuDeviceGetName_v2000, decltype(&cuDeviceGetName)>);
static_assert(std::is_same_v<PFN_cuDeviceGetUuid_v11040, decltype(&cuDeviceGetUuid)>);
static_assert(std::is_same_v<PFN_cuDeviceTotalMem_v3020, decltype(&cuDeviceTotalMem)>);
static_assert(std::is_same_v<PFN_cuDeviceGetAttribute_v2000, decltype(&cuDeviceGetAttribute)>);
static_assert(std::is_same_v<PFN_cuDeviceGetProperties_v2000, decltype(&cuDeviceGetProperties)>);
static_assert(
    std::is_same_v<PFN_cuDeviceComputeCapability_v2000, decltype(&cuDeviceComputeCapability)>);
static_assert(std::is_same_v<PFN_cuDeviceGetPCIBusId_v4010, decltype(&cuDeviceGetPCIBusId)>);
static_assert(std::is_same_v<PFN_cuDeviceGetByPCIBusId_v4010, decltype(&cuDeviceGetByPCIBusId)>);
static_assert(std::is_same_v<PFN_cuDeviceCanAccessPeer_v4000, decltype(&cuDeviceCanAccessPeer)>);
static_assert(std::is_same_v<PFN_cuGetProcAddress_v12000, decltype(&cuGetProcAddress)>);

struct Domain {
  static constexpr const char *name = "conformance";
};

static int versionOfDriver() {
  NVTX3_FUNC_RANGE_IN(Domain);
  void *function = nullptr;
#if CUDART_VERSION < 13000
  CHECK_CUDA(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, cudaEnableDefault, nullptr));
#else
  CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, 2020,
                                              cudaEnableDefault, nullptr));
#endif
  int version = 0;
  CHECK_EQ(int(reinterpret_cast<PFN_cuDriverGetVersion_v2020>(function)(&version)), 0);
  return version;
}

int main() {
  const nvtx3::scoped_range range("main", nvtx3::rgb{0, 255, 0}, nvtx3::payload{1.0f});
  nvtx3::unique_range_in<Domain> started(nvtx3::event_attributes{"started", nvtx3::category{3}});
  nvtx3::mark("here");
  int version = 0;
  CHECK_CUDA(cudaDriverGetVersion(&version));
  CHECK_EQ(versionOfDriver(), version);
  RETURN_RESULT();
}
