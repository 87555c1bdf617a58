// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: how they are found, and what they are.
#include "nvml/figures.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace heddle;
using namespace heddle::nvml;

namespace {

constexpr uint64_t mebibyte = 1 << 20;
constexpr unsigned no_instance = 0xffffffff;

template <class Is> nvmlReturn_t findDevice(nvmlDevice_t *device, Is is) {
  return call([&] {
    if (!device)
      return NVML_ERROR_INVALID_ARGUMENT;
    for (int ordinal = 0; ordinal < machine().devices; ++ordinal)
      if (is(Card{*machine().gpu, ordinal})) {
        *device = handleOf(ordinal);
        return NVML_SUCCESS;
      }
    return NVML_ERROR_NOT_FOUND;
  });
}

template <class Body>
nvmlReturn_t callPair(nvmlDevice_t first, nvmlDevice_t second, Body body) noexcept {
  return callDevice(first, [&](const Card &one) {
    return callDevice(second,
                      [&](const Card &other) { return body(one.ordinal == other.ordinal); });
  });
}

// The caller says how many it has room for, and is told how many there are.
nvmlReturn_t listProcesses(nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *infos,
                           bool compute) {
  return callDevice(device, [&](const Card &card) {
    if (!count || (*count > 0 && !infos))
      return NVML_ERROR_INVALID_ARGUMENT;
    const unsigned room = *count, there = compute && isInUse() ? 1 : 0;
    *count = there;
    if (there > room)
      return NVML_ERROR_INSUFFICIENT_SIZE;
    if (there)
      infos[0] = {unsigned(getpid()), usedMemory(card), no_instance, no_instance};
    return NVML_SUCCESS;
  });
}

} // namespace

// ---- Finding them -------------------------------------------------------------------------------

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  return call([&] {
    if (!count)
      return NVML_ERROR_INVALID_ARGUMENT;
    *count = unsigned(machine().devices);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
  const nvmlReturn_t result =
      findDevice(device, [&](const Card &card) { return unsigned(card.ordinal) == index; });
  return result == NVML_ERROR_NOT_FOUND ? NVML_ERROR_INVALID_ARGUMENT : result;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  if (!uuid)
    return call([] { return NVML_ERROR_INVALID_ARGUMENT; });
  return findDevice(
      device, [&](const Card &card) { return gpu::uuidText(card.gpu, card.ordinal) == uuid; });
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *text, nvmlDevice_t *device) {
  unsigned domain = 0, bus = 0, slot = 0;
  if (!text || (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
                (domain = 0, std::sscanf(text, "%x:%x", &bus, &slot) != 2)))
    return call([] { return NVML_ERROR_INVALID_ARGUMENT; });
  return findDevice(device, [&](const Card &card) {
    return unsigned(card.gpu.pci_domain_id) == domain &&
           unsigned(gpu::pciBus(card.gpu, card.ordinal)) == bus &&
           unsigned(card.gpu.pci_device_id) == slot;
  });
}

// Virtual devices have no serial number.
nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device) {
  return call(
      [&] { return serial && device ? NVML_ERROR_NOT_FOUND : NVML_ERROR_INVALID_ARGUMENT; });
}

// ---- What they are ------------------------------------------------------------------------------

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length) {
  return callDevice(device,
                    [&](const Card &card) { return copyText(card.gpu.name, name, length); });
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length) {
  return callDevice(device, [&](const Card &card) {
    return copyText(gpu::uuidText(card.gpu, card.ordinal), uuid, length);
  });
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index) {
  return ask(device, index, [](const Card &card) { return card.ordinal; });
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *minorNumber) {
  return ask(device, minorNumber, [](const Card &card) { return card.ordinal; });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return ask(device, pci, [](const Card &card) {
    nvmlPciInfo_t info = {};
    info.domain = unsigned(card.gpu.pci_domain_id);
    info.bus = unsigned(gpu::pciBus(card.gpu, card.ordinal));
    info.device = unsigned(card.gpu.pci_device_id);
    info.pciDeviceId = unsigned(card.gpu.pci_hardware_id);
    const std::string text = gpu::pciText(card.gpu, card.ordinal);
    std::snprintf(info.busId, sizeof info.busId, "%s", text.c_str());
    std::snprintf(info.busIdLegacy, sizeof info.busIdLegacy, "%s", text.c_str() + 4);
    return info;
  });
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *type) {
  return ask(device, type, [](const Card &card) { return brandOf(card.gpu); });
}
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *arch) {
  return ask(device, arch, [](const Card &card) { return architectureOf(card.gpu); });
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  return callDevice(device, [&](const Card &card) {
    if (!major || !minor)
      return NVML_ERROR_INVALID_ARGUMENT;
    *major = card.gpu.compute_major;
    *minor = card.gpu.compute_minor;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t device, nvmlDeviceAttributes_t *attributes) {
  return ask(device, attributes, [](const Card &card) {
    nvmlDeviceAttributes_t found = {};
    found.multiprocessorCount = unsigned(card.gpu.multiprocessors);
    found.sharedCopyEngineCount = unsigned(card.gpu.async_engines);
    found.memorySizeMB = card.gpu.global_memory_bytes / mebibyte;
    return found;
  });
}
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *numCores) {
  return ask(device, numCores,
             [](const Card &card) { return card.gpu.multiprocessors * card.gpu.fp32_lanes; });
}
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *busWidth) {
  return ask(device, busWidth, [](const Card &card) { return card.gpu.memory_bus_bits; });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  return ask(device, memory, [](const Card &card) {
    const uint64_t total = card.gpu.global_memory_bytes, used = usedMemory(card);
    return nvmlMemory_t{total, total - used, used};
  });
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  if (memory && memory->version != nvmlMemory_v2)
    return call([] { return NVML_ERROR_ARGUMENT_VERSION_MISMATCH; });
  return ask(device, memory, [](const Card &card) {
    const uint64_t total = card.gpu.global_memory_bytes, used = usedMemory(card);
    return nvmlMemory_v2_t{nvmlMemory_v2, total, 0, total - used, used};
  });
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock) {
  return callDevice(device, [&](const Card &card) {
    if (!clock || unsigned(type) >= NVML_CLOCK_COUNT)
      return NVML_ERROR_INVALID_ARGUMENT;
    if (type == NVML_CLOCK_VIDEO)
      return NVML_ERROR_NOT_SUPPORTED;
    const int khz = type == NVML_CLOCK_MEM ? card.gpu.memory_clock_khz : card.gpu.clock_khz;
    *clock = unsigned(khz / 1000);
    return NVML_SUCCESS;
  });
}

// ---- Modes --------------------------------------------------------------------------------------

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  return ask(device, mode, [](const Card &card) { return card.gpu.compute_mode; });
}
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode) {
  return ask(device, mode, [](const Card &) { return NVML_FEATURE_DISABLED; });
}
nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t *display) {
  return ask(device, display, [](const Card &) { return NVML_FEATURE_DISABLED; });
}
nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t *isActive) {
  return ask(device, isActive, [](const Card &) { return NVML_FEATURE_DISABLED; });
}
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending) {
  return callDevice(device, [&](const Card &card) {
    if (!current || !pending)
      return NVML_ERROR_INVALID_ARGUMENT;
    *current = *pending = card.gpu.ecc_enabled ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned *currentMode,
                                  unsigned *pendingMode) {
  return callDevice(device, [&](const Card &card) {
    if (!currentMode || !pendingMode)
      return NVML_ERROR_INVALID_ARGUMENT;
    if (!hasMig(card.gpu))
      return NVML_ERROR_NOT_SUPPORTED;
    *currentMode = *pendingMode = NVML_DEVICE_MIG_DISABLE;
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned *isMigDevice) {
  return ask(device, isMigDevice, [](const Card &) { return 0; });
}
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned *count) {
  return ask(device, count, [](const Card &) { return 0; });
}
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned, nvmlDevice_t *) {
  return callDevice(device, [](const Card &card) {
    return hasMig(card.gpu) ? NVML_ERROR_NOT_FOUND : NVML_ERROR_NOT_SUPPORTED;
  });
}

// ---- How they are joined ------------------------------------------------------------------------

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2,
                                                 nvmlGpuTopologyLevel_t *pathInfo) {
  return callPair(device1, device2, [&](bool same) {
    if (!pathInfo)
      return NVML_ERROR_INVALID_ARGUMENT;
    *pathInfo = same ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_NODE;
    return NVML_SUCCESS;
  });
}

// All memory is one: devices reach each other, but by no NVLink.
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                    nvmlGpuP2PCapsIndex_t p2pIndex, nvmlGpuP2PStatus_t *p2pStatus) {
  return callPair(device1, device2, [&](bool same) {
    if (!p2pStatus || unsigned(p2pIndex) >= NVML_P2P_CAPS_INDEX_UNKNOWN || same)
      return NVML_ERROR_INVALID_ARGUMENT;
    *p2pStatus =
        p2pIndex == NVML_P2P_CAPS_INDEX_NVLINK ? NVML_P2P_STATUS_NOT_SUPPORTED : NVML_P2P_STATUS_OK;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int *onSameBoard) {
  return callPair(device1, device2, [&](bool same) {
    if (!onSameBoard)
      return NVML_ERROR_INVALID_ARGUMENT;
    *onSameBoard = same;
    return NVML_SUCCESS;
  });
}

// The cores that this process may use.
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned cpuSetSize,
                                      unsigned long *cpuSet) {
  return callDevice(device, [&](const Card &) {
    cpu_set_t cores;
    if (!cpuSet || cpuSetSize == 0 || sched_getaffinity(0, sizeof cores, &cores) != 0)
      return NVML_ERROR_INVALID_ARGUMENT;
    const size_t bytes = size_t(cpuSetSize) * sizeof(unsigned long);
    std::memset(cpuSet, 0, bytes);
    std::memcpy(cpuSet, &cores, std::min(bytes, sizeof cores));
    return NVML_SUCCESS;
  });
}

// ---- Processes ----------------------------------------------------------------------------------

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned *infoCount,
                                                     nvmlProcessInfo_t *infos) {
  return listProcesses(device, infoCount, infos, true);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned *infoCount,
                                                      nvmlProcessInfo_t *infos) {
  return listProcesses(device, infoCount, infos, false);
}
nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned *infoCount,
                                                        nvmlProcessInfo_t *infos) {
  return listProcesses(device, infoCount, infos, false);
}

// What PyTorch asks for when memory is short; its header calls the third form by this name.
#undef nvmlDeviceGetComputeRunningProcesses
extern "C" nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device,
                                                             unsigned *infoCount,
                                                             nvmlProcessInfo_v1_t *infos) {
  if (!infoCount || (*infoCount > 0 && !infos))
    return NVML_ERROR_INVALID_ARGUMENT;
  std::vector<nvmlProcessInfo_t> all(*infoCount);
  const nvmlReturn_t result = listProcesses(device, infoCount, all.data(), true);
  if (result == NVML_SUCCESS)
    for (unsigned i = 0; i < *infoCount && i < all.size(); ++i)
      infos[i] = {all[i].pid, all[i].usedGpuMemory};
  return result;
}

// ---- Older names --------------------------------------------------------------------------------

#define HEDDLE_OLDER(older, name)                                                                  \
  asm(".globl " older "\n.type " older ",@function\n.set " older "," name);
HEDDLE_OLDER("nvmlDeviceGetCount", "nvmlDeviceGetCount_v2")
HEDDLE_OLDER("nvmlDeviceGetHandleByIndex", "nvmlDeviceGetHandleByIndex_v2")
HEDDLE_OLDER("nvmlDeviceGetHandleByPciBusId", "nvmlDeviceGetHandleByPciBusId_v2")
HEDDLE_OLDER("nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses_v3")
HEDDLE_OLDER("nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses_v3")
HEDDLE_OLDER("nvmlDeviceGetMPSComputeRunningProcesses_v2",
             "nvmlDeviceGetMPSComputeRunningProcesses_v3")
