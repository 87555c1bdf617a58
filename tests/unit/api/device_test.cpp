// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <cstring>
#include <thread>

using namespace program;

namespace {

class DeviceApiTest : public program::Test {};

TEST_F(DeviceApiTest, DescribesATeslaT4) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "Tesla T4");
  EXPECT_EQ(properties.major, 7);
  EXPECT_EQ(properties.minor, 5);
  EXPECT_EQ(properties.totalGlobalMem, 15828320256u);
  EXPECT_EQ(properties.totalConstMem, 65536u);
  EXPECT_EQ(properties.sharedMemPerBlock, 49152u);
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 65536u);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.regsPerBlock, 65536);
  EXPECT_EQ(properties.multiProcessorCount, 40);
  EXPECT_EQ(properties.maxBlocksPerMultiProcessor, 16);
  EXPECT_EQ(properties.maxThreadsPerMultiProcessor, 1024);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 2), cudaErrorInvalidDevice);
}

TEST_F(DeviceApiTest, AttributesAgreeWithProperties) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 1), cudaSuccess);
  auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 1), cudaSuccess) << which;
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), properties.maxThreadsPerBlock);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrPciBusId), properties.pciBusID);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture3DDepth), properties.maxTexture3D[2]);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
            int(properties.sharedMemPerBlockOptin));
  // Every attribute that CUDA 13.0 has an answer for.
  for (int which = 1; which < cudaDevAttrMax; ++which) {
    bool reserved = which == 44 || (which >= 102 && which <= 105) || which == 107 || which == 110 ||
                    (which >= 122 && which <= 124) || (which >= 127 && which <= 129) ||
                    which == 132 || which == 136 || which == 137 || which == 141 ||
                    (which >= 145 && which <= 146); // the last five are the driver's alone
    if (!reserved)
      attribute(cudaDeviceAttr(which));
  }
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDeviceAttr(9999), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9), cudaErrorInvalidDevice);
}

TEST_F(DeviceApiTest, EachThreadHasACurrentDevice) {
  int device = -1;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  std::thread([] {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
  }).join();
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
}

TEST_F(DeviceApiTest, ManagesPeers) {
  int can = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(5, 0), cudaErrorInvalidDevice);
}

TEST_F(DeviceApiTest, FindsDevicesByBus) {
  char first[32], second[32];
  int device = -1;
  ASSERT_EQ(cudaDeviceGetPCIBusId(first, sizeof first, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetPCIBusId(second, sizeof second, 1), cudaSuccess);
  EXPECT_STRNE(first, second);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, second), cudaSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "zz"), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:77:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetPCIBusId(first, 5, 0), cudaErrorInvalidValue);
}

TEST_F(DeviceApiTest, ChoosesADevice) {
  cudaDeviceProp wanted = {};
  int device = -1;
  wanted.major = 7;
  EXPECT_EQ(cudaChooseDevice(&device, &wanted), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST_F(DeviceApiTest, KeepsFlags) {
  unsigned flags = 0;
  ASSERT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaDeviceMapHost));
  EXPECT_EQ(cudaSetDeviceFlags(3), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, 0xcu);
}

TEST_F(DeviceApiTest, HasVersionsAndOldNames) {
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 12090);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 13000); // newer than the runtime's
  EXPECT_EQ(cudaThreadSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaThreadExit(), cudaSuccess);
}

} // namespace
