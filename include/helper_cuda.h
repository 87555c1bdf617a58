// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// helper_cuda.h: error checking and device selection, as NVIDIA's samples do them.
//
//   checkCudaErrors(cudaMalloc(&p, bytes));   // prints file, line, code and call, then exits
//   kernel<<<grid, block>>>(p);
//   getLastCudaError("kernel failed");
//   int device = findCudaDevice(argc, argv);  // -device=N, or the fastest one
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include <cuda_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_string.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

// Any enumeration can be checked: what has no name of its own is shown by its number.
template <typename Status> inline const char *_cudaGetErrorEnum(Status) { return "<unknown>"; }
inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

#if defined(CUDA_VERSION) || defined(__cuda_cuda_h__) // cuda.h was included first
inline const char *_cudaGetErrorEnum(CUresult error) {
  const char *name = nullptr;
  return cuGetErrorName(error, &name) == CUDA_SUCCESS && name ? name : "<unknown>";
}
#endif

template <typename Status>
void check(Status result, char const *const call, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(result), call);
    exit(EXIT_FAILURE);
  }
}

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

/// Prints the pending error, if there is one, and clears it.
inline bool __printLastCudaError(const char *message, const char *file, const int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    return false;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
          static_cast<int>(error), cudaGetErrorString(error));
  return true;
}

/// The same, and ends the program.
inline void __getLastCudaError(const char *message, const char *file, const int line) {
  if (__printLastCudaError(message, file, line))
    exit(EXIT_FAILURE);
}

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

/// Rounds to the nearest integer, halves away from zero.
inline int ftoi(float value) {
  return value >= 0 ? static_cast<int>(value + 0.5f) : static_cast<int>(value - 0.5f);
}

struct HeddleSmGeneration {
  int version; // 0xMm: major, minor compute capability
  int cores;   // FP32 cores a multiprocessor has
  const char *name;
};

/// FP32 cores and name of each compute capability (CUDA C++ Programming Guide, "Compute
/// Capabilities"). One that is newer than the table counts as the newest known.
inline const HeddleSmGeneration &heddleSmGeneration(int major, int minor) {
  static const HeddleSmGeneration generations[] = {
      {0x30, 192, "Kepler"},  {0x32, 192, "Kepler"},  {0x35, 192, "Kepler"},  {0x37, 192, "Kepler"},
      {0x50, 128, "Maxwell"}, {0x52, 128, "Maxwell"}, {0x53, 128, "Maxwell"}, {0x60, 64, "Pascal"},
      {0x61, 128, "Pascal"},  {0x62, 128, "Pascal"},  {0x70, 64, "Volta"},    {0x72, 64, "Xavier"},
      {0x75, 64, "Turing"},   {0x80, 64, "Ampere"},   {0x86, 128, "Ampere"},  {0x87, 128, "Ampere"},
      {0x89, 128, "Ada"},     {0x90, 128, "Hopper"},
  };
  const int count = sizeof(generations) / sizeof(generations[0]);
  for (int i = 0; i < count; ++i)
    if (generations[i].version == (major << 4) + minor)
      return generations[i];
  return generations[count - 1];
}

inline int _ConvertSMVer2Cores(int major, int minor) {
  return heddleSmGeneration(major, minor).cores;
}

inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  return heddleSmGeneration(major, minor).name;
}

inline int heddleDeviceAttribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// The number of devices; ends the program if there is none.
inline int heddleRequireDevices(const char *caller) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "%s() CUDA error: no devices supporting CUDA.\n", caller);
    exit(EXIT_FAILURE);
  }
  return count;
}

/// Makes `device` current and gives its number, or a negative number if it cannot be used.
inline int gpuDeviceInit(int device) {
  const int count = heddleRequireDevices("gpuDeviceInit");
  if (device < 0)
    device = 0;
  if (device > count - 1) {
    fprintf(stderr, "\n>> %d CUDA capable GPU device(s) detected. <<\n", count);
    fprintf(stderr, ">> gpuDeviceInit (-device=%d) is not a valid GPU device. <<\n\n", device);
    return -device;
  }
  if (heddleDeviceAttribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited) {
    fprintf(stderr, "Error: device is running in <Compute Mode Prohibited>, "
                    "no threads can use cudaSetDevice().\n");
    return -1;
  }
  const int major = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMinor, device);
  checkCudaErrors(cudaSetDevice(device));
  printf("gpuDeviceInit() CUDA Device [%d]: \"%s\"\n", device,
         _ConvertSMVer2ArchName(major, minor));
  return device;
}

/// The device with the most cores times clock.
inline int gpuGetMaxGflopsDeviceId() {
  const int count = heddleRequireDevices("gpuGetMaxGflopsDeviceId");
  int best = -1;
  uint64_t best_performance = 0;
  for (int device = 0; device < count; ++device) {
    if (heddleDeviceAttribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited)
      continue;
    const int major = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMajor, device);
    const int minor = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMinor, device);
    const uint64_t performance =
        uint64_t(heddleDeviceAttribute(cudaDevAttrMultiProcessorCount, device)) *
        uint64_t(_ConvertSMVer2Cores(major, minor)) *
        uint64_t(heddleDeviceAttribute(cudaDevAttrClockRate, device));
    if (best < 0 || performance > best_performance) {
      best = device;
      best_performance = performance;
    }
  }
  if (best < 0) {
    fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: all devices have compute mode "
                    "prohibited.\n");
    exit(EXIT_FAILURE);
  }
  return best;
}

/// Makes the device named by -device=N current, or else the fastest one.
inline int findCudaDevice(int argc, const char **argv) {
  if (checkCmdLineFlag(argc, argv, "device")) {
    const int device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (device < 0) {
      printf("exiting...\n");
      exit(EXIT_FAILURE);
    }
    return device;
  }
  const int device = gpuGetMaxGflopsDeviceId();
  checkCudaErrors(cudaSetDevice(device));
  const int major = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMinor, device);
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
         _ConvertSMVer2ArchName(major, minor), major, minor);
  return device;
}

/// The first integrated device that may be used, or -1.
inline int findIntegratedGPU() {
  const int count = heddleRequireDevices("findIntegratedGPU");
  for (int device = 0; device < count; ++device) {
    if (heddleDeviceAttribute(cudaDevAttrIntegrated, device) &&
        heddleDeviceAttribute(cudaDevAttrComputeMode, device) != cudaComputeModeProhibited) {
      checkCudaErrors(cudaSetDevice(device));
      return device;
    }
  }
  fprintf(stderr, "CUDA error: no integrated GPU found.\n");
  return -1;
}

/// True if the current device has at least this compute capability.
inline bool checkCudaCapabilities(int major_version, int minor_version) {
  int device = 0;
  checkCudaErrors(cudaGetDevice(&device));
  const int major = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = heddleDeviceAttribute(cudaDevAttrComputeCapabilityMinor, device);
  if (major > major_version || (major == major_version && minor >= minor_version)) {
    printf("  Device %d: <%16s >, Compute SM %d.%d detected\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
    return true;
  }
  printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n",
         major_version, minor_version);
  return false;
}

#endif
