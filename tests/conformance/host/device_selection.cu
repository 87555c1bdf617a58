// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choosing a device: by ordinal, by properties, by PCI bus id; flags and versions.
#include "check.h"

int main() {
  int runtime = 0, driver = 0;
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_EQ(runtime, CUDART_VERSION);
  CHECK(driver >= 12000);

  CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  unsigned flags = 0;
  CHECK_CUDA(cudaGetDeviceFlags(&flags));
  CHECK_EQ(flags & cudaDeviceScheduleMask, unsigned(cudaDeviceScheduleBlockingSync));
  CHECK_CUDA(cudaSetDevice(0));
  cudaDeviceProp wanted;
  CHECK_CUDA(cudaGetDeviceProperties(&wanted, 0));
  int chosen = -1;
  CHECK_CUDA(cudaChooseDevice(&chosen, &wanted));
  CHECK_EQ(chosen, 0);
  char bus[32] = "";
  CHECK_CUDA(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  int domain = -1, busNumber = -1, slot = -1;
  CHECK_EQ(sscanf(bus, "%x:%x:%x.0", &domain, &busNumber, &slot), 3);
  CHECK_EQ(busNumber, wanted.pciBusID);
  int found = -1;
  CHECK_CUDA(cudaDeviceGetByPCIBusId(&found, bus));
  CHECK_EQ(found, 0);
  RETURN_RESULT();
}
