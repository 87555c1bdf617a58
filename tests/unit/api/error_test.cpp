// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <thread>

using namespace program;

namespace {

class ErrorTest : public program::Test {};

TEST_F(ErrorTest, HasNamesAndDescriptions) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorUnknown), "cudaErrorUnknown");
  EXPECT_STREQ(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorString(cudaError_t(-1)), "unrecognized error code");
}

TEST_F(ErrorTest, RemembersTheLastErrorOnce) {
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  int device = -1;
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess); // a success does not clear it
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorTest, RemembersPerThread) {
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(ErrorTest, KernelFaultsStickUntilReset) {
  EXPECT_EQ(launchStore(nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int *memory = nullptr;
  size_t free = 0, total = 0;
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 4), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaErrorIllegalAddress);
  EXPECT_EQ(launchStore(memory, 1), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 4), cudaSuccess);
  EXPECT_EQ(launchStore(memory, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(ErrorTest, FaultsStopLaterWorkOnTheirDeviceOnly) {
  int target = 0, elsewhere = 0;
  EXPECT_EQ(launchStore(nullptr, 1), cudaSuccess);
  launchStore(&target, 5); // may still be accepted, but must not run
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(target, 0);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(launchStore(&elsewhere, 5), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(elsewhere, 5);
}

} // namespace
