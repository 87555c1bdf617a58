// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnvidia-ml
// env: HEDDLE_GPU=h200 HEDDLE_DEVICES=3
// NVML says of devices what CUDA says, does not start it, and works in a process made by fork.
#include "../check.h"

#include <nvml.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK_NVML(call) CHECK_EQ(int(call), int(NVML_SUCCESS))

static std::string uuidOf(const cudaDeviceProp &properties) {
  std::string text = "GPU-";
  char digits[8];
  for (int i = 0; i < 16; ++i) {
    std::snprintf(digits, sizeof digits, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                  properties.uuid.bytes[i] & 255);
    text += digits;
  }
  return text;
}

static void checkDevice(unsigned index) {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, int(index)));
  nvmlDevice_t device, same;
  CHECK_NVML(nvmlDeviceGetHandleByIndex(index, &device));
  char name[NVML_DEVICE_NAME_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
  CHECK_NVML(nvmlDeviceGetName(device, name, sizeof name));
  CHECK(std::string(name) == properties.name);
  CHECK_NVML(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
  CHECK(uuidOf(properties) == uuid);
  CHECK_NVML(nvmlDeviceGetHandleByUUID(uuid, &same));
  CHECK_EQ(same, device);
  nvmlPciInfo_t pci;
  CHECK_NVML(nvmlDeviceGetPciInfo(device, &pci));
  CHECK_EQ(pci.bus, unsigned(properties.pciBusID));
  char bus[32];
  CHECK_CUDA(cudaDeviceGetPCIBusId(bus, sizeof bus, int(index)));
  CHECK_NVML(nvmlDeviceGetHandleByPciBusId(bus, &same));
  CHECK_EQ(same, device);
  CHECK_NVML(nvmlDeviceGetHandleByPciBusId(pci.busId, &same));
  CHECK_EQ(same, device);
  int major = 0, minor = -1;
  CHECK_NVML(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  CHECK_EQ(major, properties.major);
  CHECK_EQ(minor, properties.minor);
  unsigned clock = 0, bits = 0;
  CHECK_NVML(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &clock));
  CHECK_EQ(clock, unsigned(properties.clockRate / 1000));
  CHECK_NVML(nvmlDeviceGetMemoryBusWidth(device, &bits));
  CHECK_EQ(bits, unsigned(properties.memoryBusWidth));
}

static void checkMemory() {
  nvmlDevice_t device;
  CHECK_NVML(nvmlDeviceGetHandleByIndex(1, &device));
  nvmlMemory_t before, after;
  CHECK_NVML(nvmlDeviceGetMemoryInfo(device, &before));
  CHECK_CUDA(cudaSetDevice(1));
  void *memory;
  constexpr size_t bytes = 64 << 20;
  CHECK_CUDA(cudaMalloc(&memory, bytes));
  CHECK_NVML(nvmlDeviceGetMemoryInfo(device, &after));
  CHECK_EQ(after.used - before.used, static_cast<unsigned long long>(bytes));
  CHECK_EQ(after.total, after.used + after.free);
  nvmlMemory_v2_t second = {};
  CHECK_EQ(int(nvmlDeviceGetMemoryInfo_v2(device, &second)),
           int(NVML_ERROR_ARGUMENT_VERSION_MISMATCH));
  second.version = nvmlMemory_v2;
  CHECK_NVML(nvmlDeviceGetMemoryInfo_v2(device, &second));
  CHECK_EQ(second.used, after.used);
  unsigned count = 0;
  CHECK_EQ(int(nvmlDeviceGetComputeRunningProcesses(device, &count, nullptr)),
           int(NVML_ERROR_INSUFFICIENT_SIZE));
  CHECK_EQ(count, 1u);
  nvmlProcessInfo_t process;
  CHECK_NVML(nvmlDeviceGetComputeRunningProcesses(device, &count, &process));
  CHECK_EQ(process.pid, unsigned(getpid()));
  CHECK_EQ(process.usedGpuMemory, after.used);
  CHECK_CUDA(cudaFree(memory));
}

static void checkErrors() {
  nvmlDevice_t device, other;
  CHECK_EQ(int(nvmlDeviceGetHandleByIndex(3, &device)), int(NVML_ERROR_INVALID_ARGUMENT));
  CHECK_EQ(int(nvmlDeviceGetHandleByUUID("GPU-none", &device)), int(NVML_ERROR_NOT_FOUND));
  CHECK_NVML(nvmlDeviceGetHandleByIndex(0, &device));
  CHECK_NVML(nvmlDeviceGetHandleByIndex(2, &other));
  char small[4];
  CHECK_EQ(int(nvmlDeviceGetName(device, small, sizeof small)), int(NVML_ERROR_INSUFFICIENT_SIZE));
  unsigned value = 0;
  CHECK_EQ(int(nvmlDeviceGetPowerUsage(device, &value)), int(NVML_ERROR_NOT_SUPPORTED));
  CHECK_EQ(int(nvmlDeviceGetPowerUsage(nullptr, &value)), int(NVML_ERROR_INVALID_ARGUMENT));
  nvmlGpuP2PStatus_t status;
  CHECK_NVML(nvmlDeviceGetP2PStatus(device, other, NVML_P2P_CAPS_INDEX_READ, &status));
  CHECK_EQ(int(status), int(NVML_P2P_STATUS_OK));
  int reach = 0;
  CHECK_CUDA(cudaDeviceCanAccessPeer(&reach, 0, 2));
  CHECK_EQ(reach, 1);
  CHECK(std::string(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)) == "Not Supported");
}

int main() {
  unsigned count = 0;
  CHECK_EQ(int(nvmlDeviceGetCount(&count)), int(NVML_ERROR_UNINITIALIZED));
  CHECK_NVML(nvmlInit());
  CHECK_NVML(nvmlInit());
  CHECK_NVML(nvmlDeviceGetCount(&count));
  CHECK_EQ(count, 3u);
  nvmlDevice_t device;
  CHECK_NVML(nvmlDeviceGetHandleByIndex(0, &device));
  count = 0; // room for none
  CHECK_NVML(nvmlDeviceGetComputeRunningProcesses(device, &count, nullptr));
  CHECK_EQ(count, 0u);        // CUDA has not been started
  const pid_t child = fork(); // a child may start CUDA, as it was not started before
  if (child == 0)
    _exit(cudaFree(nullptr) == cudaSuccess &&
                  cudaGetDeviceCount(reinterpret_cast<int *>(&count)) == cudaSuccess &&
                  count == 3 && nvmlDeviceGetCount(&count) == NVML_SUCCESS
              ? 0
              : 1);
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  for (unsigned i = 0; i < 3; ++i)
    checkDevice(i);
  checkMemory();
  checkErrors();
  int version = 0, cuda = -1;
  CHECK_NVML(nvmlSystemGetCudaDriverVersion(&version));
  CHECK_CUDA(cudaDriverGetVersion(&cuda));
  CHECK_EQ(version, cuda);
  CHECK_NVML(nvmlShutdown());
  CHECK_NVML(nvmlShutdown());
  CHECK_EQ(int(nvmlShutdown()), int(NVML_ERROR_UNINITIALIZED));
  RETURN_RESULT();
}
