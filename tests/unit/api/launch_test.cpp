// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <vector>

using namespace program;
using namespace heddle;

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
}

namespace {

class LaunchTest : public program::Test {};

TEST_F(LaunchTest, PassesArguments) {
  int *memory = nullptr, value = 0;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), sizeof(int)), cudaSuccess);
  ASSERT_EQ(launchStore(memory, 42), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 42);
}

TEST_F(LaunchTest, CopiesArgumentsAtTheLaunch) {
  int first = 0, second = 0, *address = &first, value = 1;
  void *arguments[] = {&address, &value};
  ASSERT_EQ(cudaLaunchKernel(&store, 1, 1, arguments, 0, nullptr), cudaSuccess);
  address = &second;
  value = 2;
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
}

TEST_F(LaunchTest, HandsTheLaunchToTheEngine) {
  engine::Launch seen;
  fake::define("reads_shared", [&](const engine::Launch &launch) {
    seen = launch;
    return std::nullopt;
  });
  ASSERT_EQ(launch(&reads_shared, dim3(2, 3, 4), dim3(5, 6, 7), 100), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen.grid.count(), 24u);
  EXPECT_EQ(seen.block.y, 6u);
  EXPECT_EQ(seen.dynamic_shared_bytes, 100u);
  EXPECT_FALSE(seen.cooperative);
  EXPECT_EQ(seen.device.multiprocessors, 40u);
  EXPECT_EQ(seen.device.max_resident_blocks, 4u); // 7 warps a block, 32 an SM
  EXPECT_NE(seen.globals, nullptr);
}

TEST_F(LaunchTest, RefusesImpossibleShapes) {
  for (dim3 grid : {dim3(0), dim3(1, 0), dim3(1, 65536), dim3(1, 1, 65536), dim3(0x80000000u)})
    EXPECT_EQ(launch(&heavy, grid, 1), cudaErrorInvalidConfiguration) << grid.x << "," << grid.y;
  for (dim3 block : {dim3(0), dim3(1025), dim3(1, 1, 65), dim3(32, 33), dim3(1, 1025)})
    EXPECT_EQ(launch(&heavy, 1, block), cudaErrorInvalidConfiguration) << block.x << "," << block.y;
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&heavy, dim3(0x7fffffff), 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(LaunchTest, ChecksResources) {
  EXPECT_EQ(launch(&store_bounded, 1, 128), cudaSuccess);
  EXPECT_EQ(launch(&store_bounded, 1, 129), cudaErrorInvalidValue); // __launch_bounds__(128)
  EXPECT_EQ(launch(&heavy, 1, 256), cudaSuccess);
  // 255 * 1024 registers are more than there are, but they are estimated.
  EXPECT_EQ(launch(&heavy, 1, 1024), cudaSuccess);
  EXPECT_EQ(launch(&reads_shared, 1, 1, 48 * 1024 - 1024), cudaSuccess);
  EXPECT_EQ(launch(&reads_shared, 1, 1, 48 * 1024 - 1023), cudaErrorInvalidValue);
}

TEST_F(LaunchTest, LetsAKernelOptIntoMoreSharedMemory) {
  auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(launch(&store_bounded, 1, 1, 65536), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&store_bounded, attribute, 65537), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&store_bounded, attribute, -1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&store_bounded, attribute, 65536), cudaSuccess);
  EXPECT_EQ(launch(&store_bounded, 1, 1, 65536), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&store_bounded, attribute, 1024), cudaSuccess);
  EXPECT_EQ(launch(&store_bounded, 1, 1, 2048), cudaErrorInvalidValue);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &store_bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 1024);
}

TEST_F(LaunchTest, KnowsItsKernels) {
  EXPECT_EQ(launch(&unknown, 1, 1), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(nullptr, 1, 1), cudaErrorInvalidDeviceFunction);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(&uncompilable, 1, 1), cudaErrorInvalidKernelImage);
  EXPECT_EQ(launch(&uncompilable, 1, 1), cudaErrorInvalidKernelImage);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "heddle: does not compile\n");
}

TEST_F(LaunchTest, CooperativeGridsMustBeResident) {
  auto launchAll = [](unsigned blocks) {
    return cudaLaunchCooperativeKernel(&store_bounded, blocks, 128, nullptr, 0, nullptr);
  };
  EXPECT_EQ(launchAll(8 * 40), cudaSuccess); // 8 blocks of 128 threads an SM
  EXPECT_EQ(launchAll(8 * 40 + 1), cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(LaunchTest, TakesExtendedConfigurations) {
  bool cooperative = false;
  fake::define("store_bounded", [&](const engine::Launch &launch) {
    cooperative = launch.cooperative;
    return std::nullopt;
  });
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.attrs = attributes;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &store_bounded, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(cooperative);
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {2, 1, 1};
  config.numAttrs = 2;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &store_bounded, nullptr),
            cudaErrorNotSupported); // on a T4
  EXPECT_EQ(cudaLaunchKernelExC(nullptr, &store_bounded, nullptr), cudaErrorInvalidValue);
}

TEST_F(LaunchTest, StacksCallConfigurations) {
  auto *stream = reinterpret_cast<cudaStream_t>(0x10);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1, 2, 3), dim3(4, 5, 6), 7, stream), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(9), dim3(8), 0, nullptr), 0u);
  dim3 grid, block;
  size_t shared = 1;
  cudaStream_t popped = stream;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &popped), cudaSuccess);
  EXPECT_EQ(grid.x, 9u);
  EXPECT_EQ(popped, nullptr);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &popped), cudaSuccess);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(block.y, 5u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(popped, stream);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &popped),
            cudaErrorMissingConfiguration);
}

TEST_F(LaunchTest, ShowsPrintsWhenSynchronising) {
  fake::define("heavy", [](const engine::Launch &launch) {
    launch.device.print->write("hello\n");
    return std::nullopt;
  });
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  auto printed = [&](auto synchronise) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(cudaLaunchKernel(&heavy, 1, 1, nullptr, 0, stream), cudaSuccess);
    synchronise();
    return testing::internal::GetCapturedStdout();
  };
  int value = 0;
  EXPECT_EQ(printed([] { cudaDeviceSynchronize(); }), "hello\n");
  EXPECT_EQ(printed([&] { cudaStreamSynchronize(stream); }), "hello\n");
  EXPECT_EQ(printed([&] {
              cudaEventRecord(event, stream);
              cudaEventSynchronize(event);
            }),
            "hello\n");
  EXPECT_EQ(
      printed([&] { cudaMemcpyFromSymbol(&value, device_variable, 4, 0, cudaMemcpyDeviceToHost); }),
      "hello\n");
  EXPECT_EQ(printed([&] {
              while (cudaStreamQuery(stream) == cudaErrorNotReady)
                ;
            }),
            "");
  EXPECT_EQ(printed([] { cudaDeviceReset(); }), "hello\nhello\n");
}

TEST_F(LaunchTest, DescribesKernels) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &reads_shared), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 1024u);
  EXPECT_EQ(attributes.numRegs, 32);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 * 1024 - 1024);
  EXPECT_EQ(attributes.ptxVersion, 75);
  EXPECT_EQ(attributes.preferredShmemCarveout, -1);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &store_bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &heavy), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024); // 255 registers are only an estimate
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &unknown), cudaErrorInvalidDeviceFunction);
  size_t offset = 0, size = 0;
  ASSERT_EQ(cudaFuncGetParamInfo(&store, 1, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(cudaFuncGetParamInfo(&store, 2, &offset, &size), cudaErrorInvalidValue);
}

TEST_F(LaunchTest, AnswersOccupancy) {
  int blocks = -1;
  auto ask = [&](const void *kernel, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
  };
  EXPECT_EQ(ask(&store, 128, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(ask(&store, 32, 0), cudaSuccess);
  EXPECT_EQ(blocks, 16);
  EXPECT_EQ(ask(&heavy, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 1);
  EXPECT_EQ(ask(&store, 2048, 0), cudaSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(ask(&store, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(ask(&unknown, 32, 0), cudaErrorInvalidDeviceFunction);
  size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &store, 2, 128), cudaSuccess);
  EXPECT_EQ(bytes, 32768u);
}

} // namespace
