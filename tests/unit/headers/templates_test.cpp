// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C++ forms of the API make of their arguments. A fake runtime, below, stands for the C
// functions that they call.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {

// A device of 10 multiprocessors with 1024 threads and 64 KiB of shared memory each.
constexpr int kMultiprocessors = 10, kThreads = 1024, kSharedBytes = 65536;
int max_threads_per_block = 1024;

const void *launched_func, *symbol_seen;
cudaMemLocation location_seen;
unsigned int host_alloc_flags;

// Stand-ins for a kernel and a device variable; only their addresses matter.
void kernel(float, const int *, short) {}
int variable[4];

} // namespace

extern "C" {
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
  *attributes = {};
  attributes->maxThreadsPerBlock = max_threads_per_block;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int) {
  *value = attr == cudaDevAttrWarpSize              ? 32
           : attr == cudaDevAttrMaxThreadsPerBlock  ? 1024
           : attr == cudaDevAttrMultiProcessorCount ? kMultiprocessors
                                                    : kThreads;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *,
                                                                   int size, size_t shared,
                                                                   unsigned int) {
  *blocks = kThreads / size;
  if (shared)
    *blocks = std::min<int>(*blocks, kSharedBytes / shared);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *func, void **args) {
  launched_func = func;
  float first;
  std::memcpy(&first, args[0], sizeof(first));
  EXPECT_EQ(first, 3.0f);
  EXPECT_EQ(*(const int **)args[1], variable);
  short last;
  std::memcpy(&last, args[2], sizeof(last));
  EXPECT_EQ(last, 7);
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *, size_t, size_t offset,
                               cudaMemcpyKind kind) {
  symbol_seen = symbol;
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(kind, cudaMemcpyHostToDevice);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync_v2(const void *, size_t, cudaMemLocation location, unsigned int,
                                    cudaStream_t) {
  location_seen = location;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **ptr, size_t, unsigned int flags) {
  *ptr = variable;
  host_alloc_flags = flags;
  return cudaSuccess;
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
}

TEST(Templates, BlockSizeFillsAMultiprocessor) {
  int grid = 0, block = 0;
  max_threads_per_block = 1024;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, kMultiprocessors);
}

TEST(Templates, BlockSizeObeysKernelAndCaller) {
  int grid = 0, block = 0;
  max_threads_per_block = 256;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel), cudaSuccess);
  EXPECT_EQ(block, 256);
  EXPECT_EQ(grid, 4 * kMultiprocessors);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 128), cudaSuccess);
  EXPECT_EQ(block, 128);
  // 24 KiB a block: two blocks fit, so larger blocks are better.
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 24576), cudaSuccess);
  EXPECT_EQ(block, 256);
  EXPECT_EQ(grid, 2 * kMultiprocessors);
}

TEST(Templates, BlockSizeWithSharedMemoryThatDependsOnIt) {
  int grid = 0, block = 0;
  max_threads_per_block = 1024;
  // 128 bytes a thread: 512 threads fit, in one block or several; the largest block wins.
  auto sharedMemory = [](int threads) { return threads * 128; };
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, sharedMemory),
            cudaSuccess);
  EXPECT_EQ(block, 512);
  EXPECT_EQ(grid, kMultiprocessors);
}

TEST(Templates, OccupancyRefusesNullPointers) {
  int grid = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, (int *)nullptr, kernel),
            cudaErrorInvalidValue);
}

TEST(Templates, LaunchConvertsArgumentsToParameterTypes) {
  cudaLaunchConfig_t config = {};
  int argument = 3, *pointer = variable;
  EXPECT_EQ(cudaLaunchKernelEx(&config, kernel, argument, pointer, 7), cudaSuccess);
  EXPECT_EQ(launched_func, (const void *)kernel);
}

TEST(Templates, SymbolsArePassedByAddress) {
  int source[4] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(variable, source, sizeof(source)), cudaSuccess);
  EXPECT_EQ(symbol_seen, (const void *)variable);
}

#if __HEDDLE_CUDA__ >= 13
TEST(Templates, Cuda12FormsInCuda13) {
  EXPECT_EQ(cudaMemPrefetchAsync(variable, sizeof(variable), 2), cudaSuccess);
  EXPECT_EQ(location_seen.type, cudaMemLocationTypeDevice);
  EXPECT_EQ(location_seen.id, 2);
  EXPECT_EQ(cudaMemPrefetchAsync(variable, sizeof(variable), cudaCpuDeviceId, 0), cudaSuccess);
  EXPECT_EQ(location_seen.type, cudaMemLocationTypeHost);
  EXPECT_EQ(location_seen.id, 0);
}

TEST(Templates, Cuda13Signatures) {
  cudaMemLocation location = {cudaMemLocationTypeDevice, 2};
  EXPECT_EQ(cudaMemPrefetchAsync(variable, sizeof(variable), location, 0), cudaSuccess);
  EXPECT_EQ(location_seen.type, cudaMemLocationTypeDevice);
  EXPECT_EQ(location_seen.id, 2);
}
#endif

TEST(Templates, TypedAllocation) {
  float *p = nullptr;
  EXPECT_EQ(cudaMallocHost(&p, 16, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ((void *)p, (void *)variable);
  EXPECT_EQ(host_alloc_flags, (unsigned)cudaHostAllocMapped);
}

TEST(Templates, ChannelFormats) {
  cudaChannelFormatDesc two = cudaCreateChannelDesc<ushort2>();
  EXPECT_EQ(two.x, 16);
  EXPECT_EQ(two.y, 16);
  EXPECT_EQ(two.z, 0);
  EXPECT_EQ(two.f, cudaChannelFormatKindUnsigned);
  EXPECT_EQ(cudaCreateChannelDesc<float4>().w, 32);
  EXPECT_EQ(cudaCreateChannelDesc<double>().f, cudaChannelFormatKindNone);
}
