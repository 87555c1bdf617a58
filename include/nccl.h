// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl.h: NCCL 2.27, collective and point-to-point communication between devices, of one process or
// of many. Each function is there a second time as pncclX, for tools that put their own in its
// place.
#ifndef NCCL_H_
#define NCCL_H_

#include <cuda_runtime.h>
#ifdef __cplusplus // programs take half and its kin from here
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define NCCL_MAJOR 2
#define NCCL_MINOR 27
#define NCCL_PATCH 5
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22705
#define NCCL_VERSION(X, Y, Z)                                                                      \
  (((X) <= 2 && (Y) <= 8) ? (X) * 1000 + (Y) * 100 + (Z) : (X) * 10000 + (Y) * 100 + (Z))

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow *ncclWindow_t;
// Heddle's library also has what came later, up to 2.30: docs/compatibility.md.
#define HEDDLE_NCCL 1

#define NCCL_COMM_NULL NULL

#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclNumResults = 8
} ncclResult_t;

#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_UNDEF_FLOAT -1.0f

#define NCCL_WIN_DEFAULT 0x00
#define NCCL_WIN_COLL_SYMMETRIC 0x01
#define NCCL_WIN_STRICT_ORDERING 0x02

#define NCCL_CTA_POLICY_DEFAULT 0x00
#define NCCL_CTA_POLICY_EFFICIENCY 0x01

#define NCCL_SHRINK_DEFAULT 0x00
#define NCCL_SHRINK_ABORT 0x01 // ends what the parent does
#define NCCL_REVOKE_DEFAULT 0x00
#define NCCL_SUSPEND_MEM 0x01

typedef struct ncclConfig_v22700 {
  size_t size; // these three are set by the initialiser alone
  unsigned int magic;
  unsigned int version;
  int blocking;
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char *netName;
  int splitShare;
  int trafficClass;
  const char *commName;
  int collnetEnable;
  int CTAPolicy;
  int shrinkShare;
  int nvlsCTAs;
} ncclConfig_t;

#define NCCL_CONFIG_INITIALIZER                                                                    \
  {                                                                                                \
      sizeof(ncclConfig_t),                             /* size */                                 \
      0xcafebeef,                                       /* magic */                                \
      NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), /* version */                              \
      NCCL_CONFIG_UNDEF_INT,                            /* blocking */                             \
      NCCL_CONFIG_UNDEF_INT,                            /* cgaClusterSize */                       \
      NCCL_CONFIG_UNDEF_INT,                            /* minCTAs */                              \
      NCCL_CONFIG_UNDEF_INT,                            /* maxCTAs */                              \
      NCCL_CONFIG_UNDEF_PTR,                            /* netName */                              \
      NCCL_CONFIG_UNDEF_INT,                            /* splitShare */                           \
      NCCL_CONFIG_UNDEF_INT,                            /* trafficClass */                         \
      NCCL_CONFIG_UNDEF_PTR,                            /* commName */                             \
      NCCL_CONFIG_UNDEF_INT,                            /* collnetEnable */                        \
      NCCL_CONFIG_UNDEF_INT,                            /* CTAPolicy */                            \
      NCCL_CONFIG_UNDEF_INT,                            /* shrinkShare */                          \
      NCCL_CONFIG_UNDEF_INT                             /* nvlsCTAs */                             \
  }

typedef struct ncclSimInfo_v22200 {
  size_t size; // these three are set by the initialiser alone
  unsigned int magic;
  unsigned int version;
  float estimatedTime;
} ncclSimInfo_t;

#define NCCL_SIM_INFO_INITIALIZER                                                                  \
  {                                                                                                \
      sizeof(ncclSimInfo_t),                            /* size */                                 \
      0x74685283,                                       /* magic */                                \
      NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), /* version */                              \
      NCCL_UNDEF_FLOAT                                  /* estimatedTime */                        \
  }

typedef enum { ncclNumOps_dummy = 5 } ncclRedOp_dummy_t;
typedef enum {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4,
  ncclNumOps = 5, // operations that programs make have numbers from here to ncclMaxRedOp
  ncclMaxRedOp = 0x7fffffff >> (32 - 8 * sizeof(ncclRedOp_dummy_t))
} ncclRedOp_t;

typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11,
  ncclNumTypes = 12
} ncclDataType_t;

typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

/// What ncclCommMemStats tells of, in bytes or as 0 and 1.
typedef enum {
  ncclStatGpuMemSuspend = 0,   // what ncclCommSuspend would give back
  ncclStatGpuMemSuspended = 1, // whether the communicator is suspended
  ncclStatGpuMemPersist = 2,   // the rest
  ncclStatGpuMemTotal = 3
} ncclCommMemStat_t;

/// So many signals of a rank, since it was last waited for.
typedef struct {
  int opCnt, peer, sigIdx, ctx;
} ncclWaitSignalDesc_t;

#ifdef __cplusplus
extern "C" {
#endif

// Declares ncclNAME and pncclNAME.
#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE nccl##NAME PARAMETERS;                                                                      \
  TYPE pnccl##NAME PARAMETERS;
#include "__nccl/communicators.h"
#include "__nccl/exchanges.h"
#include "__nccl/functions.h"
#include "__nccl/windows.h"
#undef __NCCL_FUNCTION

#ifdef __cplusplus
}
#endif

#endif // NCCL_H_
