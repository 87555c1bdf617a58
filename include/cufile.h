// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cufile.h: files to and from device memory, as cuFile 1.13 (of CUDA 12.8) declares it. Heddle's
// library reads and writes with pread and pwrite.
#ifndef __CUFILE_H_
#define __CUFILE_H_

#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sockaddr;

#define CUFILEOP_BASE_ERR 5000

/* Name, distance from the base, and what cufileop_status_error says of it. */
#define CUFILEOP_STATUS_ENTRIES                                                                    \
  CUFILE_OP(CU_FILE_DRIVER_NOT_INITIALIZED, 1, "the cuFile driver is not open")                    \
  CUFILE_OP(CU_FILE_DRIVER_INVALID_PROPS, 2, "invalid driver property")                            \
  CUFILE_OP(CU_FILE_DRIVER_UNSUPPORTED_LIMIT, 3, "driver property out of range")                   \
  CUFILE_OP(CU_FILE_DRIVER_VERSION_MISMATCH, 4, "driver version mismatch")                         \
  CUFILE_OP(CU_FILE_DRIVER_VERSION_READ_ERROR, 5, "driver version cannot be read")                 \
  CUFILE_OP(CU_FILE_DRIVER_CLOSING, 6, "driver is being closed")                                   \
  CUFILE_OP(CU_FILE_PLATFORM_NOT_SUPPORTED, 7, "not supported on this platform")                   \
  CUFILE_OP(CU_FILE_IO_NOT_SUPPORTED, 8, "not supported on this file")                             \
  CUFILE_OP(CU_FILE_DEVICE_NOT_SUPPORTED, 9, "not supported on this device")                       \
  CUFILE_OP(CU_FILE_NVFS_DRIVER_ERROR, 10, "file system driver error")                             \
  CUFILE_OP(CU_FILE_CUDA_DRIVER_ERROR, 11, "CUDA driver API error")                                \
  CUFILE_OP(CU_FILE_CUDA_POINTER_INVALID, 12, "invalid device pointer")                            \
  CUFILE_OP(CU_FILE_CUDA_MEMORY_TYPE_INVALID, 13, "invalid memory type")                           \
  CUFILE_OP(CU_FILE_CUDA_POINTER_RANGE_ERROR, 14, "range exceeds the allocation")                  \
  CUFILE_OP(CU_FILE_CUDA_CONTEXT_MISMATCH, 15, "CUDA context mismatch")                            \
  CUFILE_OP(CU_FILE_INVALID_MAPPING_SIZE, 16, "access beyond what can be pinned")                  \
  CUFILE_OP(CU_FILE_INVALID_MAPPING_RANGE, 17, "access beyond what is registered")                 \
  CUFILE_OP(CU_FILE_INVALID_FILE_TYPE, 18, "unsupported type of file")                             \
  CUFILE_OP(CU_FILE_INVALID_FILE_OPEN_FLAG, 19, "file opened with unsupported flags")              \
  CUFILE_OP(CU_FILE_DIO_NOT_SET, 20, "file not opened for direct I/O")                             \
  CUFILE_OP(CU_FILE_INVALID_VALUE, 22, "invalid argument")                                         \
  CUFILE_OP(CU_FILE_MEMORY_ALREADY_REGISTERED, 23, "memory is registered already")                 \
  CUFILE_OP(CU_FILE_MEMORY_NOT_REGISTERED, 24, "memory is not registered")                         \
  CUFILE_OP(CU_FILE_PERMISSION_DENIED, 25, "permission denied")                                    \
  CUFILE_OP(CU_FILE_DRIVER_ALREADY_OPEN, 26, "driver is open already")                             \
  CUFILE_OP(CU_FILE_HANDLE_NOT_REGISTERED, 27, "file descriptor is not registered")                \
  CUFILE_OP(CU_FILE_HANDLE_ALREADY_REGISTERED, 28, "file descriptor is registered already")        \
  CUFILE_OP(CU_FILE_DEVICE_NOT_FOUND, 29, "device not found")                                      \
  CUFILE_OP(CU_FILE_INTERNAL_ERROR, 30, "internal error")                                          \
  CUFILE_OP(CU_FILE_GETNEWFD_FAILED, 31, "no new file descriptor")                                 \
  CUFILE_OP(CU_FILE_NVFS_SETUP_ERROR, 33, "file system driver cannot be set up")                   \
  CUFILE_OP(CU_FILE_IO_DISABLED, 34, "disabled by the configuration for this file")                \
  CUFILE_OP(CU_FILE_BATCH_SUBMIT_FAILED, 35, "batch cannot be submitted")                          \
  CUFILE_OP(CU_FILE_GPU_MEMORY_PINNING_FAILED, 36, "device memory cannot be pinned")               \
  CUFILE_OP(CU_FILE_BATCH_FULL, 37, "batch is full")                                               \
  CUFILE_OP(CU_FILE_ASYNC_NOT_SUPPORTED, 38, "not supported in streams")                           \
  CUFILE_OP(CU_FILE_IO_MAX_ERROR, 39, "not an error of cuFile")

typedef enum CUfileOpError {
  CU_FILE_SUCCESS = 0,
#define CUFILE_OP(name, number, text) name = CUFILEOP_BASE_ERR + number,
  CUFILEOP_STATUS_ENTRIES
#undef CUFILE_OP
} CUfileOpError;

static inline const char *cufileop_status_error(CUfileOpError status) {
  switch (status) {
  case CU_FILE_SUCCESS:
    return "success";
#define CUFILE_OP(name, number, text)                                                              \
  case name:                                                                                       \
    return text;
    CUFILEOP_STATUS_ENTRIES
#undef CUFILE_OP
  }
  return "unknown cuFile error";
}

typedef struct CUfileError {
  CUfileOpError err;
  CUresult cu_err; /* where err is CU_FILE_CUDA_DRIVER_ERROR */
} CUfileError_t;

#define IS_CUFILE_ERR(err) (abs((int)(err)) > CUFILEOP_BASE_ERR)
#define CUFILE_ERRSTR(err) cufileop_status_error((CUfileOpError)abs((int)(err)))
#define IS_CUDA_ERR(status) ((status).err == CU_FILE_CUDA_DRIVER_ERROR)
#define CU_FILE_CUDA_ERR(status) ((status).cu_err)

typedef enum CUfileDriverStatusFlags {
  CU_FILE_LUSTRE_SUPPORTED = 0,
  CU_FILE_WEKAFS_SUPPORTED = 1,
  CU_FILE_NFS_SUPPORTED = 2,
  CU_FILE_GPFS_SUPPORTED = 3,
  CU_FILE_NVME_SUPPORTED = 4,
  CU_FILE_NVMEOF_SUPPORTED = 5,
  CU_FILE_SCSI_SUPPORTED = 6,
  CU_FILE_SCALEFLUX_CSD_SUPPORTED = 7,
  CU_FILE_NVMESH_SUPPORTED = 8,
  CU_FILE_BEEGFS_SUPPORTED = 9,
  CU_FILE_NVME_P2P_SUPPORTED = 11,
  CU_FILE_SCATEFS_SUPPORTED = 12
} CUfileDriverStatusFlags_t;

typedef enum CUfileDriverControlFlags {
  CU_FILE_USE_POLL_MODE = 0,
  CU_FILE_ALLOW_COMPAT_MODE = 1
} CUfileDriverControlFlags_t;

typedef enum CUfileFeatureFlags {
  CU_FILE_DYN_ROUTING_SUPPORTED = 0,
  CU_FILE_BATCH_IO_SUPPORTED = 1,
  CU_FILE_STREAMS_SUPPORTED = 2,
  CU_FILE_PARALLEL_IO_SUPPORTED = 3
} CUfileFeatureFlags_t;

typedef struct CUfileDrvProps {
  struct {
    unsigned int major_version, minor_version;
    size_t poll_thresh_size;   /* KB */
    size_t max_direct_io_size; /* KB */
    unsigned int dstatusflags;
    unsigned int dcontrolflags;
  } nvfs;
  unsigned int fflags;
  unsigned int max_device_cache_size;      /* KB */
  unsigned int per_buffer_cache_size;      /* KB */
  unsigned int max_device_pinned_mem_size; /* KB */
  unsigned int max_batch_io_size;
  unsigned int max_batch_io_timeout_msecs;
} CUfileDrvProps_t;

typedef struct cufileRDMAInfo {
  int version;
  int desc_len;
  const char *desc_str;
} cufileRDMAInfo_t;

typedef struct CUfileFSOps {
  const char *(*fs_type)(const void *handle);
  int (*getRDMADeviceList)(const void *handle, struct sockaddr **addresses);
  int (*getRDMADevicePriority)(const void *handle, char *, size_t, off_t, struct sockaddr *);
  ssize_t (*read)(const void *handle, char *, size_t, off_t, cufileRDMAInfo_t *);
  ssize_t (*write)(const void *handle, const char *, size_t, off_t, cufileRDMAInfo_t *);
} CUfileFSOps_t;

enum CUfileFileHandleType {
  CU_FILE_HANDLE_TYPE_OPAQUE_FD = 1,
  CU_FILE_HANDLE_TYPE_OPAQUE_WIN32 = 2,
  CU_FILE_HANDLE_TYPE_USERSPACE_FS = 3
};

typedef struct CUfileDescr_t {
  enum CUfileFileHandleType type;
  union {
    int fd;
    void *handle;
  } handle;
  const CUfileFSOps_t *fs_ops;
} CUfileDescr_t;

typedef void *CUfileHandle_t;
typedef void *CUfileBatchHandle_t;

typedef enum CUfileOpcode { CUFILE_READ = 0, CUFILE_WRITE = 1 } CUfileOpcode_t;

typedef enum CUFILEStatus_enum {
  CUFILE_WAITING = 0x01,
  CUFILE_PENDING = 0x02,
  CUFILE_INVALID = 0x04,
  CUFILE_CANCELED = 0x08,
  CUFILE_COMPLETE = 0x10,
  CUFILE_TIMEOUT = 0x20,
  CUFILE_FAILED = 0x40
} CUfileStatus_t;

typedef enum cufileBatchMode { CUFILE_BATCH = 1 } CUfileBatchMode_t;

typedef struct CUfileIOParams {
  CUfileBatchMode_t mode;
  union {
    struct {
      void *devPtr_base;
      off_t file_offset;
      off_t devPtr_offset;
      size_t size;
    } batch;
  } u;
  CUfileHandle_t fh;
  CUfileOpcode_t opcode;
  void *cookie;
} CUfileIOParams_t;

typedef struct CUfileIOEvents {
  void *cookie;
  CUfileStatus_t status;
  size_t ret; /* bytes, or a negative error */
} CUfileIOEvents_t;

/* What of a stream's operations is known when they are submitted (cuFileStreamRegister). */
#define CU_FILE_STREAM_FIXED_BUF_OFFSET 1
#define CU_FILE_STREAM_FIXED_FILE_OFFSET 2
#define CU_FILE_STREAM_FIXED_FILE_SIZE 4
#define CU_FILE_STREAM_PAGE_ALIGNED_INPUTS 8

typedef enum CUFileSizeTConfigParameter_t {
  CUFILE_PARAM_PROFILE_STATS,
  CUFILE_PARAM_EXECUTION_MAX_IO_QUEUE_DEPTH,
  CUFILE_PARAM_EXECUTION_MAX_IO_THREADS,
  CUFILE_PARAM_EXECUTION_MIN_IO_THRESHOLD_SIZE_KB,
  CUFILE_PARAM_EXECUTION_MAX_REQUEST_PARALLELISM,
  CUFILE_PARAM_PROPERTIES_MAX_DIRECT_IO_SIZE_KB,
  CUFILE_PARAM_PROPERTIES_MAX_DEVICE_CACHE_SIZE_KB,
  CUFILE_PARAM_PROPERTIES_PER_BUFFER_CACHE_SIZE_KB,
  CUFILE_PARAM_PROPERTIES_MAX_DEVICE_PINNED_MEM_SIZE_KB,
  CUFILE_PARAM_PROPERTIES_IO_BATCHSIZE,
  CUFILE_PARAM_POLLTHRESHOLD_SIZE_KB,
  CUFILE_PARAM_PROPERTIES_BATCH_IO_TIMEOUT_MS
} CUFileSizeTConfigParameter_t;

typedef enum CUFileBoolConfigParameter_t {
  CUFILE_PARAM_PROPERTIES_USE_POLL_MODE,
  CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE,
  CUFILE_PARAM_FORCE_COMPAT_MODE,
  CUFILE_PARAM_FS_MISC_API_CHECK_AGGRESSIVE,
  CUFILE_PARAM_EXECUTION_PARALLEL_IO,
  CUFILE_PARAM_PROFILE_NVTX,
  CUFILE_PARAM_PROPERTIES_ALLOW_SYSTEM_MEMORY,
  CUFILE_PARAM_USE_PCIP2PDMA,
  CUFILE_PARAM_PREFER_IO_URING,
  CUFILE_PARAM_FORCE_ODIRECT_MODE,
  CUFILE_PARAM_SKIP_TOPOLOGY_DETECTION,
  CUFILE_PARAM_STREAM_MEMOPS_BYPASS
} CUFileBoolConfigParameter_t;

typedef enum CUFileStringConfigParameter_t {
  CUFILE_PARAM_LOGGING_LEVEL,
  CUFILE_PARAM_ENV_LOGFILE_PATH,
  CUFILE_PARAM_LOG_DIR
} CUFileStringConfigParameter_t;

/* ---- Files and buffers ---------------------------------------------------------------------- */
CUfileError_t cuFileHandleRegister(CUfileHandle_t *fh, CUfileDescr_t *descr);
void cuFileHandleDeregister(CUfileHandle_t fh);
CUfileError_t cuFileBufRegister(const void *bufPtr_base, size_t length, int flags);
CUfileError_t cuFileBufDeregister(const void *bufPtr_base);

/* Bytes, -1 with errno, or the negative of a CUfileOpError. */
ssize_t cuFileRead(CUfileHandle_t fh, void *bufPtr_base, size_t size, off_t file_offset,
                   off_t bufPtr_offset);
ssize_t cuFileWrite(CUfileHandle_t fh, const void *bufPtr_base, size_t size, off_t file_offset,
                    off_t bufPtr_offset);

/* ---- The driver ------------------------------------------------------------------------------ */
CUfileError_t cuFileDriverOpen(void);
CUfileError_t cuFileDriverClose(void);
CUfileError_t cuFileDriverClose_v2(void);
#define cuFileDriverClose cuFileDriverClose_v2
long cuFileUseCount(void);
CUfileError_t cuFileDriverGetProperties(CUfileDrvProps_t *props);
CUfileError_t cuFileDriverSetPollMode(bool poll, size_t poll_threshold_size);
CUfileError_t cuFileDriverSetMaxDirectIOSize(size_t max_direct_io_size);
CUfileError_t cuFileDriverSetMaxCacheSize(size_t max_cache_size);
CUfileError_t cuFileDriverSetMaxPinnedMemSize(size_t max_pinned_size);
CUfileError_t cuFileGetVersion(int *version);

CUfileError_t cuFileGetParameterSizeT(CUFileSizeTConfigParameter_t param, size_t *value);
CUfileError_t cuFileGetParameterBool(CUFileBoolConfigParameter_t param, bool *value);
CUfileError_t cuFileGetParameterString(CUFileStringConfigParameter_t param, char *desc_str,
                                       int len);
CUfileError_t cuFileSetParameterSizeT(CUFileSizeTConfigParameter_t param, size_t value);
CUfileError_t cuFileSetParameterBool(CUFileBoolConfigParameter_t param, bool value);
CUfileError_t cuFileSetParameterString(CUFileStringConfigParameter_t param, const char *desc_str);

/* ---- Batches --------------------------------------------------------------------------------- */
CUfileError_t cuFileBatchIOSetUp(CUfileBatchHandle_t *batch_idp, unsigned nr);
CUfileError_t cuFileBatchIOSubmit(CUfileBatchHandle_t batch_idp, unsigned nr,
                                  CUfileIOParams_t *iocbp, unsigned int flags);
CUfileError_t cuFileBatchIOGetStatus(CUfileBatchHandle_t batch_idp, unsigned min_nr, unsigned *nr,
                                     CUfileIOEvents_t *iocbp, struct timespec *timeout);
CUfileError_t cuFileBatchIOCancel(CUfileBatchHandle_t batch_idp);
void cuFileBatchIODestroy(CUfileBatchHandle_t batch_idp);

/* ---- Streams --------------------------------------------------------------------------------- */
CUfileError_t cuFileReadAsync(CUfileHandle_t fh, void *bufPtr_base, size_t *size_p,
                              off_t *file_offset_p, off_t *bufPtr_offset_p, ssize_t *bytes_read_p,
                              CUstream stream);
CUfileError_t cuFileWriteAsync(CUfileHandle_t fh, void *bufPtr_base, size_t *size_p,
                               off_t *file_offset_p, off_t *bufPtr_offset_p,
                               ssize_t *bytes_written_p, CUstream stream);
CUfileError_t cuFileStreamRegister(CUstream stream, unsigned flags);
CUfileError_t cuFileStreamDeregister(CUstream stream);

#ifdef __cplusplus
}
#endif
#endif
