// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Modules and libraries loaded from an image: functions, variables, attributes, every way to
// launch.
#include "driver.h"

#include <cooperative_groups.h>

using namespace driver;

extern "C" {
__device__ int variable = 7;
__constant__ float factor = 2.0f;

__global__ void scale(float *values, int count, char tag, double plus) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = values[i] * factor + float(plus) + tag;
}
__managed__ int kept = 5;
__global__ void bump() {
  atomicAdd(&variable, 1);
  if (threadIdx.x == 0)
    kept += 2;
}
__global__ void total(int *sum, int *out) {
  atomicAdd(sum, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *sum;
}
__global__ void __launch_bounds__(128) dynamic(int *out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}
}

constexpr int count = 100;

void checkScaled(CUdeviceptr values, float expected) {
  std::vector<float> host(count);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), values, count * sizeof(float)));
  for (float value : host)
    CHECK_EQ(value, expected);
  CHECK_DRIVER(cuMemsetD32(values, 0x3f800000, count)); // 1.0f
  CHECK_DRIVER(
      cuCtxSynchronize()); // the host does not wait for fills, nor does launches()'s stream
}

void launches(CUmodule module) {
  CUfunction function;
  CUdeviceptr values;
  CUstream stream;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "scale"));
  CHECK_DRIVER(cuMemAlloc(&values, count * sizeof(float)));
  CHECK_DRIVER(cuMemsetD32(values, 0x3f800000, count));
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  int n = count;
  char tag = 3;
  double plus = 0.5;
  void *arguments[] = {&values, &n, &tag, &plus};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  checkScaled(values, 5.5f);

  // Packed: each at the offset that cuFuncGetParamInfo says.
  char packed[64] = {};
  size_t offset = 0, size = 0, end = 0;
  for (size_t i = 0; i < 4; ++i) {
    CHECK_DRIVER(cuFuncGetParamInfo(function, i, &offset, &size));
    std::memcpy(packed + offset, arguments[i], size);
    end = offset + size;
  }
  CHECK_EQ(offset, size_t(16));
  CHECK_CODE(cuFuncGetParamInfo(function, 4, &offset, &size), CUDA_ERROR_INVALID_VALUE);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &end,
                   CU_LAUNCH_PARAM_END};
  CHECK_DRIVER(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, nullptr, extra));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  checkScaled(values, 5.5f);

  CUlaunchConfig config = {};
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 32;
  config.hStream = stream;
  CHECK_DRIVER(cuLaunchKernelEx(&config, function, arguments, nullptr));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  checkScaled(values, 5.5f);

  CHECK_CODE(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, extra),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuStreamDestroy(stream));
  CHECK_DRIVER(cuMemFree(values));
}

void cooperative(CUmodule module) {
  CUfunction function;
  CUdeviceptr sum, out;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "total"));
  CHECK_DRIVER(cuMemAlloc(&sum, 4));
  CHECK_DRIVER(cuMemAlloc(&out, 16));
  CHECK_DRIVER(cuMemsetD32(sum, 0, 1));
  void *arguments[] = {&sum, &out};
  CHECK_DRIVER(cuLaunchCooperativeKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments));
  int host[4] = {};
  CHECK_DRIVER(cuMemcpyDtoH(host, out, sizeof host));
  for (int value : host)
    CHECK_EQ(value, 128);
  CHECK_CODE(cuLaunchCooperativeKernel(function, 1 << 20, 1, 1, 32, 1, 1, 0, nullptr, arguments),
             CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK_DRIVER(cuMemFree(sum));
  CHECK_DRIVER(cuMemFree(out));
}

int readVariable(CUdeviceptr pointer) {
  int value = 0;
  CHECK_DRIVER(cuMemcpyDtoH(&value, pointer, sizeof value));
  return value;
}

// Each module has variables of its own, the program's among them.
void variables(CUmodule module) {
  CUdeviceptr pointer, constant, missing;
  size_t bytes = 0;
  CUfunction function, own;
  CHECK_DRIVER(cuModuleGetGlobal(&pointer, &bytes, module, "variable"));
  CHECK_EQ(bytes, sizeof(int));
  CHECK_DRIVER(cuModuleGetGlobal(&constant, nullptr, module, "factor"));
  CHECK_CODE(cuModuleGetGlobal(&missing, nullptr, module, "no such variable"),
             CUDA_ERROR_NOT_FOUND); // an H100 also sets the address to 0
  CHECK_EQ(readVariable(pointer), 7);
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "bump"));
  CHECK_CODE(cuModuleGetFunction(&own, module, "no such function"), CUDA_ERROR_NOT_FOUND);
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_EQ(readVariable(pointer), 39);
  CHECK_DRIVER(cuModuleGetGlobal(&pointer, &bytes, module, "kept"));
  unsigned managed = 0;
  CHECK_DRIVER(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
  CHECK_EQ(managed, 1u);
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_EQ(*reinterpret_cast<int *>(pointer), 7);
  kept = 10;
  bump<<<1, 1>>>();
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_EQ(kept, 12);
  CHECK_EQ(*reinterpret_cast<int *>(pointer), 7);
  CHECK_DRIVER(cuModuleGetGlobal(&pointer, nullptr, module, "variable"));
  CHECK_EQ(readVariable(pointer), 39);
  void *shadow = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress(&shadow, variable));
  CHECK_EQ(readVariable(address(shadow)), 8);
  CHECK_CUDA(cudaGetFuncBySymbol(&own, (const void *)bump));
  CHECK_DRIVER(cuLaunchKernel(own, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_EQ(readVariable(address(shadow)), 10);
}

void attributes(CUmodule module) {
  CUfunction function;
  CUmodule found;
  const char *name = nullptr;
  int value = 0, blocks = 0, grid = 0;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "dynamic"));
  CHECK_DRIVER(cuFuncGetModule(&found, function));
  CHECK_EQ(found, module);
  CHECK_DRIVER(cuFuncGetName(&name, function));
  CHECK_EQ(std::string(name) == "dynamic", true);
  CHECK_DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  CHECK_EQ(value, 128);
  CHECK_DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  CHECK_EQ(value, 0);
  CHECK_CODE(cuFuncGetAttribute(&value, CUfunction_attribute(99), function),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(
      cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
  CHECK_DRIVER(
      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  CHECK_EQ(value, 60000);
  CHECK_DRIVER(cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_SHARED));
  CHECK_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
  CHECK(blocks >= 1);
  CHECK_DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &value, function, nullptr, 0, 0));
  CHECK(grid >= 1 && value >= 32 && value <= 128);
  CUdeviceptr out;
  int host[128];
  CHECK_DRIVER(cuMemAlloc(&out, sizeof host));
  void *arguments[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 60000, nullptr, arguments, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(host, out, sizeof host));
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(host[i], 127 - i);
  CHECK_DRIVER(cuMemFree(out));
}

void libraries(const void *image) {
  CUlibrary library, of;
  CUkernel kernel;
  CUmodule module;
  CUfunction function;
  CUdeviceptr pointer;
  size_t bytes = 0;
  unsigned kernels = 0;
  const char *name = nullptr;
  CHECK_DRIVER(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_DRIVER(cuLibraryGetKernel(&kernel, library, "bump"));
  CHECK_CODE(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_ERROR_NOT_FOUND);
  CHECK_DRIVER(cuKernelGetFunction(&function, kernel));
  CHECK_DRIVER(cuLibraryGetModule(&module, library));
  CHECK_DRIVER(cuLibraryGetGlobal(&pointer, &bytes, library, "variable"));
  CHECK_EQ(bytes, sizeof(int));
#if CUDA_VERSION >= 12040
  CHECK_DRIVER(cuLibraryGetKernelCount(&kernels, library));
  CHECK_EQ(kernels, 4u);
  std::vector<CUkernel> all(kernels);
  CHECK_DRIVER(cuLibraryEnumerateKernels(all.data(), kernels, library));
  CHECK_DRIVER(cuKernelGetLibrary(&of, kernel));
  CHECK_EQ(of, library);
  CHECK_DRIVER(cuKernelGetName(&name, kernel));
  CHECK_EQ(std::string(name) == "bump", true);
#endif
  int value = 0;
  CHECK_DRIVER(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  CHECK(value >= 512);
  // A kernel is launched as its function is.
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_DRIVER(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_EQ(readVariable(pointer), 9);
  CHECK_DRIVER(cuLibraryUnload(library));
}

void link() {
  CUlinkState state;
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
  CHECK_CODE(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, nullptr, 0, "nothing", 0, nullptr, nullptr),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuLinkDestroy(state));
}

void refused() {
  CUmodule module = nullptr;
  char log[256] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CHECK_CODE(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuModuleLoad(&module, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CODE(cuModuleLoadDataEx(&module, "// no PTX\n.version what", 2, options, values),
             CUDA_ERROR_INVALID_PTX);
  CHECK(log[0] != '?' && std::strlen(log) < sizeof log);
}

int main() {
  begin();
  const void *image = ownImage();
  CUmodule module;
  CUfunction function;
  CHECK(image != nullptr);
  CHECK_DRIVER(cuModuleLoadData(&module, image));
#if CUDA_VERSION >= 12040
  unsigned functions = 0;
  CHECK_DRIVER(cuModuleGetFunctionCount(&functions, module));
  CHECK_EQ(functions, 4u);
#endif
  launches(module);
  cooperative(module);
  variables(module);
  attributes(module);
  libraries(image);
  link();
  refused();
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "bump"));
  CHECK_DRIVER(cuModuleUnload(module));
  CHECK_DRIVER(cuCtxSynchronize());
  RETURN_RESULT();
}
