// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver.h"

#include <atomic>

using namespace heddle::cufile;

namespace {

constexpr int version = 1130; // cuFile 1.13, of CUDA 12.8

std::atomic<long> openings = 0;

CUfileError_t setInPages(const char *call, CUFileSizeTConfigParameter_t parameter,
                         size_t kilobytes) {
  if (!driverIsOpen())
    return status(CU_FILE_DRIVER_NOT_INITIALIZED);
  if (kilobytes == 0 || kilobytes % 4 != 0)
    return refuse(call, CU_FILE_DRIVER_UNSUPPORTED_LIMIT, "the size is not a multiple of 4 KB");
  setSizeParameter(parameter, kilobytes);
  return status(CU_FILE_SUCCESS);
}

CUfileError_t closeDriver() {
  long count = openings.load();
  do {
    if (count == 0)
      return status(CU_FILE_DRIVER_NOT_INITIALIZED);
  } while (!openings.compare_exchange_weak(count, count - 1));
  if (count == 1) {
    forgetStreams();
    forgetBuffers();
    forgetFiles();
  }
  return status(CU_FILE_SUCCESS);
}

} // namespace

bool heddle::cufile::driverIsOpen() { return openings.load() > 0; }

void heddle::cufile::openDriver() {
  long none = 0;
  openings.compare_exchange_strong(none, 1);
}

CUfileError_t cuFileDriverOpen() {
  ++openings;
  return status(CU_FILE_SUCCESS);
}

CUfileError_t cuFileDriverClose_v2() { return guarded(closeDriver); }
#undef cuFileDriverClose
CUfileError_t cuFileDriverClose() { return guarded(closeDriver); }

long cuFileUseCount() { return openings.load(); }

CUfileError_t cuFileDriverGetProperties(CUfileDrvProps_t *props) {
  if (!driverIsOpen())
    return status(CU_FILE_DRIVER_NOT_INITIALIZED);
  if (!props)
    return status(CU_FILE_INVALID_VALUE);
  *props = {};
  props->nvfs.poll_thresh_size = sizeParameter(CUFILE_PARAM_POLLTHRESHOLD_SIZE_KB);
  props->nvfs.max_direct_io_size = sizeParameter(CUFILE_PARAM_PROPERTIES_MAX_DIRECT_IO_SIZE_KB);
  // No version and no file system: there is no kernel driver, everything is in compatibility mode.
  props->nvfs.dcontrolflags = 1u << CU_FILE_ALLOW_COMPAT_MODE;
  if (boolParameter(CUFILE_PARAM_PROPERTIES_USE_POLL_MODE))
    props->nvfs.dcontrolflags |= 1u << CU_FILE_USE_POLL_MODE;
  props->fflags = 1u << CU_FILE_BATCH_IO_SUPPORTED | 1u << CU_FILE_STREAMS_SUPPORTED;
  props->max_device_cache_size =
      unsigned(sizeParameter(CUFILE_PARAM_PROPERTIES_MAX_DEVICE_CACHE_SIZE_KB));
  props->per_buffer_cache_size =
      unsigned(sizeParameter(CUFILE_PARAM_PROPERTIES_PER_BUFFER_CACHE_SIZE_KB));
  props->max_device_pinned_mem_size =
      unsigned(sizeParameter(CUFILE_PARAM_PROPERTIES_MAX_DEVICE_PINNED_MEM_SIZE_KB));
  props->max_batch_io_size = unsigned(sizeParameter(CUFILE_PARAM_PROPERTIES_IO_BATCHSIZE));
  props->max_batch_io_timeout_msecs =
      unsigned(sizeParameter(CUFILE_PARAM_PROPERTIES_BATCH_IO_TIMEOUT_MS));
  return status(CU_FILE_SUCCESS);
}

CUfileError_t cuFileDriverSetPollMode(bool poll, size_t poll_threshold_size) {
  const CUfileError_t set =
      setInPages(__func__, CUFILE_PARAM_POLLTHRESHOLD_SIZE_KB, poll_threshold_size);
  if (set.err == CU_FILE_SUCCESS)
    setBoolParameter(CUFILE_PARAM_PROPERTIES_USE_POLL_MODE, poll);
  return set;
}
CUfileError_t cuFileDriverSetMaxDirectIOSize(size_t max_direct_io_size) {
  return setInPages(__func__, CUFILE_PARAM_PROPERTIES_MAX_DIRECT_IO_SIZE_KB, max_direct_io_size);
}
CUfileError_t cuFileDriverSetMaxCacheSize(size_t max_cache_size) {
  return setInPages(__func__, CUFILE_PARAM_PROPERTIES_MAX_DEVICE_CACHE_SIZE_KB, max_cache_size);
}
CUfileError_t cuFileDriverSetMaxPinnedMemSize(size_t max_pinned_size) {
  if (max_pinned_size == SIZE_MAX) // no limit
    --max_pinned_size, max_pinned_size -= max_pinned_size % 4;
  return setInPages(__func__, CUFILE_PARAM_PROPERTIES_MAX_DEVICE_PINNED_MEM_SIZE_KB,
                    max_pinned_size);
}

CUfileError_t cuFileGetVersion(int *result) {
  if (!result)
    return status(CU_FILE_INVALID_VALUE);
  *result = version;
  return status(CU_FILE_SUCCESS);
}
