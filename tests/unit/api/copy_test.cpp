// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <numeric>
#include <vector>

using namespace program;

namespace {

class CopyTest : public program::Test {
protected:
  static constexpr size_t size = 1000;
  char *device = nullptr;
  std::vector<char> host = std::vector<char>(4096), back = std::vector<char>(4096);

  void SetUp() override {
    program::Test::SetUp();
    std::iota(host.begin(), host.end(), 0);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), size), cudaSuccess);
  }
  std::vector<char> read() {
    std::vector<char> bytes(size);
    EXPECT_EQ(cudaMemcpy(bytes.data(), device, size, cudaMemcpyDeviceToHost), cudaSuccess);
    return bytes;
  }
};

// The expectations on errors are what an H200 with CUDA 13 returned.
TEST_F(CopyTest, CopiesBothWays) {
  EXPECT_EQ(cudaMemcpy(device, host.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(read(), std::vector<char>(host.begin(), host.begin() + size));
  EXPECT_EQ(cudaMemcpy(device + 500, device, 100, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(read()[550], host[50]);
  EXPECT_EQ(cudaMemcpy(back.data(), device, 10, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back[9], host[9]);
  EXPECT_EQ(cudaMemcpy(back.data(), host.data(), 4096, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(back, host);
}

TEST_F(CopyTest, ChecksBounds) {
  auto to = [&](char *address, size_t bytes) {
    return cudaMemcpy(address, host.data(), bytes, cudaMemcpyHostToDevice);
  };
  EXPECT_EQ(to(device, size + 1), cudaErrorInvalidValue);
  EXPECT_EQ(to(device + 999, 1), cudaSuccess);
  EXPECT_EQ(to(device + 999, 2), cudaErrorInvalidValue);
  EXPECT_EQ(to(device + 1000, 1), cudaErrorInvalidValue);
  EXPECT_EQ(to(device + 100000000, 1), cudaErrorInvalidValue);
  EXPECT_EQ(to(nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(to(nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), device, size + 1, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(to(device, 1), cudaErrorInvalidValue);
}

TEST_F(CopyTest, ChecksDirections) {
  char *h = host.data();
  EXPECT_EQ(cudaMemcpy(h, device, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, h, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, h, 10, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(h, h + 100, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, device + 100, 10, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, device + 100, 10, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, h, 10, cudaMemcpyKind(7)), cudaErrorInvalidMemcpyDirection);
  void *pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, pinned, 10, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(pinned, h, 101, cudaMemcpyHostToHost), cudaErrorInvalidValue);
}

TEST_F(CopyTest, CopiesRows) {
  size_t pitch = 0;
  char *rows = nullptr;
  ASSERT_EQ(cudaMallocPitch(reinterpret_cast<void **>(&rows), &pitch, 20, 5), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(rows, pitch, host.data(), 30, 20, 5, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(back.data(), 25, rows, pitch, 20, 5, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 20; ++x)
      ASSERT_EQ(back[y * 25 + x], host[y * 30 + x]) << x << "," << y;
  EXPECT_EQ(back[20], 0); // between the rows
  auto copy = [&](size_t to_pitch, size_t from_pitch, size_t height) {
    return cudaMemcpy2D(device, to_pitch, host.data(), from_pitch, 20, height,
                        cudaMemcpyHostToDevice);
  };
  EXPECT_EQ(copy(20, 20, 50), cudaSuccess);
  EXPECT_EQ(copy(20, 20, 51), cudaErrorInvalidValue);
  EXPECT_EQ(copy(10, 20, 2), cudaErrorInvalidPitchValue);
  EXPECT_EQ(copy(20, 10, 2), cudaErrorInvalidPitchValue);
  EXPECT_EQ(copy(10, 20, 1), cudaErrorInvalidValue);
}

TEST_F(CopyTest, CopiesBoxes) {
  cudaPitchedPtr box = {};
  ASSERT_EQ(cudaMalloc3D(&box, cudaExtent{16, 4, 3}), cudaSuccess);
  cudaMemcpy3DParms in = {};
  in.srcPtr = {host.data(), 32, 32, 8};
  in.srcPos = {2, 1, 1};
  in.dstPtr = box;
  in.extent = {16, 4, 3};
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  cudaMemcpy3DParms out = {};
  out.srcPtr = box;
  out.srcPos = {1, 1, 1};
  out.dstPtr = {back.data(), 15, 15, 3};
  out.extent = {15, 3, 2};
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 15; ++x)
        ASSERT_EQ(back[(z * 3 + y) * 15 + x], host[((z + 2) * 8 + y + 2) * 32 + x + 3]);
  in.extent.depth = 4;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

TEST_F(CopyTest, Fills) {
  ASSERT_EQ(cudaMemset(device, 0x101, size), cudaSuccess); // the low byte counts
  EXPECT_EQ(read(), std::vector<char>(size, 1));
  EXPECT_EQ(cudaMemset(device, 0, size + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 10), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(nullptr, 0, 10), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMemset2D(device, 10, 7, 3, 100), cudaSuccess);
  EXPECT_EQ(read()[992], 7);
  EXPECT_EQ(read()[993], 1);
  EXPECT_EQ(cudaMemset2D(device, 10, 7, 20, 2), cudaErrorInvalidValue);
  cudaPitchedPtr box = {device, 10, 5, 4};
  ASSERT_EQ(cudaMemset3D(box, 9, cudaExtent{2, 2, 2}), cudaSuccess);
  EXPECT_EQ(read()[51], 9); // slice 1, row 1, byte 1
  EXPECT_EQ(read()[20], 7); // slice 0, row 2
}

TEST_F(CopyTest, StagesPageableSources) {
  std::vector<char> source(1000, 5);
  ASSERT_EQ(cudaMemcpyAsync(device, source.data(), size, cudaMemcpyHostToDevice, nullptr),
            cudaSuccess);
  source.assign(1000, 6); // as if it went out of scope
  EXPECT_EQ(read(), std::vector<char>(size, 5));
}

TEST_F(CopyTest, ReachesVariables) {
  int values[16] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(values, device_variable, 64, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(values[1], 11); // initialised from the image
  values[0] = 77;
  ASSERT_EQ(cudaMemcpyToSymbol(device_variable, values, 4, 60, cudaMemcpyHostToDevice),
            cudaSuccess);
  void *address = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, device_variable), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, constant_variable), cudaSuccess);
  EXPECT_EQ(bytes, 16u);
  ASSERT_EQ(cudaMemcpy(values, address, 64, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(values[15], 77);
  EXPECT_EQ(cudaMemcpy(values, address, 65, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  auto to = [&](size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaMemcpyToSymbol(device_variable, values, count, offset, kind);
  };
  EXPECT_EQ(to(65, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(to(64, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(to(4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(to(4, 0, cudaMemcpyHostToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(to(4, 0, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(&not_a_variable, values, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
}

TEST_F(CopyTest, ManagedVariablesAreTheHostsOwn) {
  void *address = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&address, managed_variable), cudaSuccess);
  EXPECT_EQ(address, managed_variable);
  int value = 8;
  ASSERT_EQ(cudaMemcpyToSymbol(managed_variable, &value, 4, 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(managed_variable[1], 8);
}

TEST_F(CopyTest, EachDeviceHasItsOwnVariables) {
  int value = 5;
  ASSERT_EQ(cudaMemcpyToSymbol(device_variable, &value, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, device_variable, 4, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(value, 10);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess); // variables have their initial values again
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, device_variable, 4, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(value, 10);
}

TEST_F(CopyTest, CopiesBetweenDevices) {
  ASSERT_EQ(cudaMemcpy(device, host.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
  char *peer = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&peer), size), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(peer, 1, device, 0, size), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), peer, size, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[999], host[999]);
  EXPECT_EQ(cudaMemcpyPeer(peer, 0, device, 1, size), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeer(peer, 1, device, 2, size), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemcpyPeer(peer, 1, device, 0, size + 1), cudaErrorInvalidValue);
}

// What writes the initial values is compiled when the variable is first used.
TEST_F(CopyTest, SymbolsWhoseInitialValuesDoNotCompile) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void *address = nullptr;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(cudaGetSymbolAddress(&address, uninitialised_variable), cudaErrorInvalidKernelImage);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "heddle: no initial values\n");
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before, after);
}

} // namespace
