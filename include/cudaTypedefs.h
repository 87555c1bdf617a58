// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaTypedefs.h: the types of the driver API's functions, for what cuGetProcAddress or
// cudaGetDriverEntryPoint find: PFN_cuInit, and with the version of CUDA in which a function came
// (CUDA driver API, "Driver Entry Point Access"). Of the functions that cuda.h declares.
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef CUresult(CUDAAPI *PFN_cuGetErrorString_v6000)(CUresult error, const char **text);
typedef CUresult(CUDAAPI *PFN_cuGetErrorName_v6000)(CUresult error, const char **name);
typedef CUresult(CUDAAPI *PFN_cuInit_v2000)(unsigned int flags);
typedef CUresult(CUDAAPI *PFN_cuDriverGetVersion_v2020)(int *version);
typedef CUresult(CUDAAPI *PFN_cuDeviceGet_v2000)(CUdevice_v1 *device, int ordinal);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetCount_v2000)(int *count);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetName_v2000)(char *name, int length, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetUuid_v9020)(CUuuid *uuid, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetUuid_v11040)(CUuuid *uuid, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceTotalMem_v2000)(unsigned int *bytes, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceTotalMem_v3020)(size_t *bytes, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetAttribute_v2000)(int *value, CUdevice_attribute attribute,
                                                          CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetProperties_v2000)(CUdevprop *properties,
                                                           CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceComputeCapability_v2000)(int *major, int *minor,
                                                               CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetPCIBusId_v4010)(char *id, int length, CUdevice_v1 device);
typedef CUresult(CUDAAPI *PFN_cuDeviceGetByPCIBusId_v4010)(CUdevice_v1 *device, const char *id);
typedef CUresult(CUDAAPI *PFN_cuDeviceCanAccessPeer_v4000)(int *can, CUdevice_v1 device,
                                                           CUdevice_v1 peer);
typedef CUresult(CUDAAPI *PFN_cuGetProcAddress_v11030)(const char *symbol, void **function,
                                                       int version, cuuint64_t flags);
typedef CUresult(CUDAAPI *PFN_cuGetProcAddress_v12000)(const char *symbol, void **function,
                                                       int version, cuuint64_t flags,
                                                       CUdriverProcAddressQueryResult *status);

#ifdef __cplusplus
}
#endif

// As cuda.h names them now.
#define PFN_cuGetErrorString PFN_cuGetErrorString_v6000
#define PFN_cuGetErrorName PFN_cuGetErrorName_v6000
#define PFN_cuInit PFN_cuInit_v2000
#define PFN_cuDriverGetVersion PFN_cuDriverGetVersion_v2020
#define PFN_cuDeviceGet PFN_cuDeviceGet_v2000
#define PFN_cuDeviceGetCount PFN_cuDeviceGetCount_v2000
#define PFN_cuDeviceGetName PFN_cuDeviceGetName_v2000
#define PFN_cuDeviceGetUuid PFN_cuDeviceGetUuid_v11040
#define PFN_cuDeviceTotalMem PFN_cuDeviceTotalMem_v3020
#define PFN_cuDeviceGetAttribute PFN_cuDeviceGetAttribute_v2000
#define PFN_cuDeviceGetProperties PFN_cuDeviceGetProperties_v2000
#define PFN_cuDeviceComputeCapability PFN_cuDeviceComputeCapability_v2000
#define PFN_cuDeviceGetPCIBusId PFN_cuDeviceGetPCIBusId_v4010
#define PFN_cuDeviceGetByPCIBusId PFN_cuDeviceGetByPCIBusId_v4010
#define PFN_cuDeviceCanAccessPeer PFN_cuDeviceCanAccessPeer_v4000
#define PFN_cuGetProcAddress PFN_cuGetProcAddress_v12000

#endif
