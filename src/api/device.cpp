// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device management: which devices there are, which one is current, their settings.
#include "api/entry.h"
#include "engine/observe/host.h"
#include "support/driver_version.h"

#include <cstdio>

using namespace heddle;
using namespace heddle::api;

namespace {

cudaError_t tell(int number, int *version) {
  return call([&] {
    if (!version)
      return cudaErrorInvalidValue;
    *version = number;
    return cudaSuccess;
  });
}

bool exists(const Platform &platform, int device) {
  return device >= 0 && device < platform.deviceCount();
}

/// Makes the device's primary context the thread's.
void makeCurrent(Platform &platform, int device) {
  Platform::currentOrdinal() = device;
  Context::setCurrent(Context::primaryOf(platform.device(device)));
  Context::useRuntime();
}

cudaError_t select(int device) {
  return call([&] {
    // Looked at first in a forked process, too (measured on an H100).
    if (Platform::forked() && !exists(Platform::instance(), device))
      return cudaErrorInvalidDevice;
    if (const cudaError_t error = platformStatus())
      return error;
    Platform &platform = Platform::instance();
    if (!exists(platform, device))
      return cudaErrorInvalidDevice;
    makeCurrent(platform, device);
    return cudaSuccess;
  });
}

cudaError_t reset() {
  return callPlatform([](Platform &platform) {
    Context::primaryOf(platform.current())->reset();
    return cudaSuccess;
  });
}

cudaError_t synchronize() {
  return callDevice([](Device &device) {
    engine::observe::ApiCall::concerns({.device = device.ordinal});
    cudaError_t error = Capture::checkDeviceWait(device);
    return error ? error : device.synchronize();
  });
}

cudaError_t setLimit(cudaLimit limit, size_t value) {
  return callUnsafe([&](Device &device) { return device.setLimit(limit, value); });
}

cudaError_t getLimit(size_t *value, cudaLimit limit) {
  return callDevice([&](Device &device) {
    return value ? device.getLimit(limit, *value) : cudaErrorInvalidValue;
  });
}

cudaError_t setCacheConfig(cudaFuncCache config) {
  return callDevice([&](Device &device) {
    if (unsigned(config) > cudaFuncCachePreferEqual)
      return cudaErrorInvalidValue;
    device.cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t getCacheConfig(cudaFuncCache *config) {
  return callDevice([&](Device &device) {
    if (!config)
      return cudaErrorInvalidValue;
    *config = device.cache_config;
    return cudaSuccess;
  });
}

cudaError_t setFlags(Device &device, unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  bool one_schedule = (schedule & (schedule - 1)) == 0;
  constexpr unsigned known =
      cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  if ((flags & ~known) || !one_schedule)
    return cudaErrorInvalidValue;
  device.flags = flags | cudaDeviceMapHost; // always on with unified addressing
  return cudaSuccess;
}

cudaError_t countDevices(int *count) {
  if (!count)
    return cudaErrorInvalidValue;
  // Known to a forked process, too (measured on an H200).
  const cudaError_t error = Platform::forked() ? cudaSuccess : platformStatus();
  if (!error)
    *count = Platform::instance().deviceCount();
  return error;
}

} // namespace

cudaError_t cudaDriverGetVersion(int *version) { return tell(driver_cuda_version, version); }

cudaError_t cudaRuntimeGetVersion(int *version) { return tell(CUDART_VERSION, version); }
extern "C" HEDDLE_EXPORT cudaError_t heddle13_cudaRuntimeGetVersion(int *version) {
  return tell(cuda13_version, version);
}

cudaError_t cudaGetDeviceCount(int *count) {
  return call([&] {
    if (count)
      *count = 0;
    return countDevices(count);
  });
}
// Without devices, it leaves the count as it was.
extern "C" HEDDLE_EXPORT cudaError_t heddle13_cudaGetDeviceCount(int *count) {
  return call([&] { return countDevices(count); });
}

cudaError_t cudaGetDevice(int *device) {
  return callPlatform([&](Platform &) {
    if (!device)
      return cudaErrorInvalidValue;
    *device = Platform::currentOrdinal();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  const engine::observe::ApiCall this_call(__func__);
  return select(device);
}

cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags) {
  return callPlatform([&](Platform &platform) {
    if (!exists(platform, device))
      return cudaErrorInvalidDevice;
    if (flags & ~unsigned(cudaInitDeviceFlagsAreValid))
      return cudaErrorInvalidValue;
    return flags ? setFlags(platform.device(device), deviceFlags) : cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  return callPlatform([&](Platform &platform) {
    if (!devices || count < 0 || count > platform.deviceCount())
      return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (!exists(platform, devices[i]))
        return cudaErrorInvalidDevice;
    if (count > 0) // the first in the list is the one to try first
      makeCurrent(platform, devices[0]);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return callPlatform([&](Platform &platform) { return setFlags(platform.current(), flags); });
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  return callPlatform([&](Platform &platform) {
    if (!flags)
      return cudaErrorInvalidValue;
    *flags = platform.current().flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceReset() { return reset(); }
cudaError_t cudaDeviceSynchronize() { return synchronize(); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) { return setLimit(limit, value); }
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) { return getLimit(value, limit); }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) { return setCacheConfig(config); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) { return getCacheConfig(config); }

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return callDevice([&](Device &device) {
    if (unsigned(config) > cudaSharedMemBankSizeEightByte)
      return cudaErrorInvalidValue;
    // Since Maxwell banks are four bytes wide whatever one asks for.
    device.shared_config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  return callDevice([&](Device &device) {
    if (!config)
      return cudaErrorInvalidValue;
    *config = device.shared_config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return callDevice([&](Device &device) {
    if (leastPriority)
      *leastPriority = device.gpu.lowest_stream_priority;
    if (greatestPriority)
      *greatestPriority = device.gpu.highest_stream_priority;
    return cudaSuccess;
  });
}

// ---- PCI ----------------------------------------------------------------------------------------

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int length, int device) {
  return callPlatform([&](Platform &platform) {
    if (!exists(platform, device))
      return cudaErrorInvalidDevice;
    const gpu::Gpu &gpu = platform.device(device).gpu;
    char text[32];
    int size = snprintf(text, sizeof text, "%04x:%02x:%02x.0", gpu.pci_domain_id,
                        gpu::pciBus(gpu, platform.device(device).board), gpu.pci_device_id);
    if (!pciBusId || length <= size)
      return cudaErrorInvalidValue;
    snprintf(pciBusId, size_t(length), "%s", text);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return callPlatform([&](Platform &platform) {
    if (!device || !pciBusId)
      return cudaErrorInvalidValue;
    // domain:bus:device.function, or without domain or function
    int domain = 0, bus = 0, slot = 0;
    if (sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot) != 3) {
      domain = 0;
      if (sscanf(pciBusId, "%x:%x", &bus, &slot) != 2)
        return cudaErrorInvalidValue;
    }
    for (int i = 0; i < platform.deviceCount(); ++i) {
      const gpu::Gpu &gpu = platform.device(i).gpu;
      if (gpu.pci_domain_id == domain && gpu::pciBus(gpu, platform.device(i).board) == bus &&
          gpu.pci_device_id == slot) {
        *device = i;
        return cudaSuccess;
      }
    }
    return cudaErrorInvalidDevice;
  });
}

// ---- Peers --------------------------------------------------------------------------------------

cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peerDevice) {
  return callPlatform([&](Platform &platform) {
    if (!canAccess)
      return cudaErrorInvalidValue;
    if (!exists(platform, device) || !exists(platform, peerDevice))
      return cudaErrorInvalidDevice;
    *canAccess = device != peerDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned flags) {
  return callDevice([&](Device &device) {
    if (flags != 0)
      return cudaErrorInvalidValue;
    if (!exists(Platform::instance(), peerDevice))
      return cudaErrorInvalidDevice;
    if (peerDevice == device.ordinal)
      return cudaErrorPeerAccessUnsupported;
    return device.enablePeer(peerDevice);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return callDevice([&](Device &device) {
    if (!exists(Platform::instance(), peerDevice))
      return cudaErrorInvalidDevice;
    return device.disablePeer(peerDevice);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice) {
  return callPlatform([&](Platform &platform) {
    if (!value)
      return cudaErrorInvalidValue;
    if (!exists(platform, srcDevice) || !exists(platform, dstDevice) || srcDevice == dstDevice)
      return cudaErrorInvalidDevice;
    switch (attr) {
    case cudaDevP2PAttrPerformanceRank:
      *value = 0;
      return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
      *value = 1;
      return cudaSuccess;
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 0;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

// ---- Profiler: nothing is done without one, as on a GPU -----------------------------------------

namespace {
// Waits, so that what was launched before is before.
cudaError_t setProfiler(bool on) {
  engine::observe::HostObserver *observer = engine::observe::hostObserver();
  if (!observer)
    return cudaSuccess;
  const cudaError_t error = synchronize();
  observer->profiler(on);
  return error;
}
} // namespace

cudaError_t cudaProfilerStart() { return setProfiler(true); }
cudaError_t cudaProfilerStop() { return setProfiler(false); }

// ---- The names before CUDA 4 --------------------------------------------------------------------

cudaError_t cudaThreadExit() { return reset(); }
cudaError_t cudaThreadSynchronize() { return synchronize(); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return setLimit(limit, value); }
cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) { return getLimit(value, limit); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return setCacheConfig(config); }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) { return getCacheConfig(config); }

// Other devices' writes into a device's memory are visible at once: there is one memory.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope) {
  return callDevice([&](Device &) {
    const bool good = target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                      (scope == cudaFlushGPUDirectRDMAWritesToOwner ||
                       scope == cudaFlushGPUDirectRDMAWritesToAllDevices);
    return good ? cudaSuccess : cudaErrorInvalidValue;
  });
}
