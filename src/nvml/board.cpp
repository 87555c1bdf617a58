// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only a board knows: sensors, limits of power, links, numbers of a real card.
#include "nvml/handles.h"

using namespace heddle::nvml;

namespace {
nvmlReturn_t notThere(nvmlDevice_t device) {
  return callDevice(device, [](const Card &) { return NVML_ERROR_NOT_SUPPORTED; });
}

// What an administrator may change.
nvmlReturn_t refused(nvmlDevice_t device) {
  return callDevice(device, [](const Card &) { return NVML_ERROR_NO_PERMISSION; });
}
} // namespace

nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t) {
  return refused(device);
}
nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned, unsigned) {
  return refused(device);
}
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device) { return refused(device); }

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned *,
                                                          unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned *, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned *, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char *, unsigned) { return notThere(device); }
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char *, unsigned) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned, nvmlEnableState_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned, nvmlPciInfo_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned,
                                                 nvmlIntNvLinkDeviceType_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned *) { return notThere(device); }
nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned *) { return notThere(device); }
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *) { return notThere(device); }
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned *) { return notThere(device); }
nvmlReturn_t nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetDriverModel(nvmlDevice_t device, nvmlDriverModel_t *,
                                      nvmlDriverModel_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t,
                                         unsigned int *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t,
                                         nvmlEccCounterType_t, unsigned long long *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned int *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned int *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t device, nvmlDevice_t *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned int, unsigned int *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t,
                                               unsigned int *) {
  return notThere(device);
}
nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *,
                                             unsigned int *, unsigned long long) {
  return notThere(device);
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int valuesCount,
                                      nvmlFieldValue_t *values) {
  return callDevice(device, [&](const Card &) {
    if (!values || valuesCount < 1)
      return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < valuesCount; ++i)
      values[i].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
    return NVML_SUCCESS;
  });
}
