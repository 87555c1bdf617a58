// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, functions by name, settings of tools, peers; and what hardware is needed for says no.
//
// flags: -std=c++17 -lcuda
#include "driver.h"

#include <cudaProfiler.h>
#include <cuda_runtime.h>

using namespace driver;

void devices() {
  CUdevice device;
  int count = 0, value = 0;
  char name[256] = {}, bus[32] = {};
  size_t bytes = 0;
  CUuuid uuid;
  CHECK_DRIVER(cuDeviceGetCount(&count));
  CHECK(count >= 1);
  CHECK_DRIVER(cuDeviceGet(&device, 0));
  CHECK_CODE(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CODE(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_DRIVER(cuDeviceGetName(name, sizeof name, 0));
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK_EQ(std::string(name) == properties.name, true);
  CHECK_DRIVER(cuDeviceTotalMem(&bytes, 0));
  CHECK_EQ(bytes, properties.totalGlobalMem);
  CHECK_DRIVER(cuDeviceGetUuid(&uuid, 0));
  CHECK_EQ(std::memcmp(&uuid, &properties.uuid, sizeof uuid), 0);
  CHECK_DRIVER(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  CHECK_DRIVER(cuDeviceGetByPCIBusId(&device, bus));
  CHECK_EQ(device, 0);
  // The runtime's attributes have the driver's numbers.
  for (int attribute = 1; attribute < 20; ++attribute) {
    int runtime = -1;
    CHECK_DRIVER(cuDeviceGetAttribute(&value, CUdevice_attribute(attribute), 0));
    CHECK_CUDA(cudaDeviceGetAttribute(&runtime, cudaDeviceAttr(attribute), 0));
    CHECK_EQ(value, runtime);
  }
  CHECK_DRIVER(
      cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK_EQ(value, 1);
  CHECK_CODE(cuDeviceGetAttribute(&value, CUdevice_attribute(100000), 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99),
             CUDA_ERROR_INVALID_DEVICE);
  CHECK_CODE(cuDeviceCanAccessPeer(&value, 0, 99), CUDA_ERROR_INVALID_DEVICE);
}

void errors() {
  const char *text = nullptr;
  CHECK_DRIVER(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text));
  CHECK_EQ(std::string(text) == "CUDA_ERROR_NOT_FOUND", true);
  CHECK_DRIVER(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  CHECK_EQ(std::string(text) == "invalid argument", true);
  CHECK_CODE(cuGetErrorString(CUresult(123456), &text), CUDA_ERROR_INVALID_VALUE);
}

// The forms that CUDA 12's header names.
void byName() {
  const char *const names[] = {"cuInit",         "cuMemAlloc",           "cuMemcpyDtoH",
                               "cuLaunchKernel", "cuStreamBeginCapture", "cuModuleGetGlobal",
                               "cuCtxCreate",    "cuGetProcAddress"};
  CUdriverProcAddressQueryResult found;
  void *function = nullptr;
  for (const char *name : names) {
    function = nullptr;
    CHECK_DRIVER(cuGetProcAddress(name, &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    CHECK_EQ(int(found), int(CU_GET_PROC_ADDRESS_SUCCESS));
    CHECK(function != nullptr);
  }
  CHECK_DRIVER(cuGetProcAddress("cuInit", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  CHECK_EQ(reinterpret_cast<CUresult (*)(unsigned)>(function)(0), CUDA_SUCCESS);
  CHECK_CODE(cuGetProcAddress("cuNoSuchFunction", &function, 12000, 0, nullptr),
             CUDA_ERROR_NOT_FOUND);
  CHECK_CODE(cuGetProcAddress(nullptr, &function, 12000, 0, &found), CUDA_ERROR_INVALID_VALUE);
  cudaDriverEntryPointQueryResult status;
#if CUDART_VERSION < 13000
  CHECK_CUDA(cudaGetDriverEntryPoint("cuCtxSynchronize", &function, cudaEnableDefault, &status));
#else
  CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuCtxSynchronize", &function, 12000,
                                              cudaEnableDefault, &status));
#endif
  CHECK_EQ(reinterpret_cast<CUresult (*)()>(function)(), CUDA_SUCCESS);
}

void settings() {
  bool on = true, told = false;
  size_t bytes = sizeof on;
  CHECK_DRIVER(cuProfilerStart());
  CHECK_DRIVER(cuProfilerStop());
  CHECK_DRIVER(cuCoredumpSetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, &on, &bytes));
  CHECK_DRIVER(cuCoredumpGetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, &told, &bytes));
  CHECK_EQ(told, true);
}

int main() {
  begin();
  devices();
  errors();
  byName();
  settings();
  RETURN_RESULT();
}
