// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.h"

#include "common/task.h"

#include <algorithm>
#include <cerrno>
#include <cuda_runtime_api.h>
#include <unistd.h>

using namespace heddle::cufile;

namespace {

constexpr size_t most_at_once = 1u << 30; // Linux moves less than 2 GiB in a call

/// Until all is moved, the file ends or a call fails; what was moved before is what counts.
/// `unreachable`: it ended where no memory can be reached.
ssize_t moveAll(const File &file, const Transfer &transfer, bool &unreachable) {
  char *const memory = static_cast<char *>(transfer.base) + transfer.memory_offset;
  size_t done = 0;
  while (done < transfer.size) {
    const size_t bytes = std::min(transfer.size - done, most_at_once);
    const off_t place = transfer.file_offset + off_t(done);
    const ssize_t moved = transfer.operation == CUFILE_READ
                              ? pread(file.descriptor(), memory + done, bytes, place)
                              : pwrite(file.descriptor(), memory + done, bytes, place);
    if (moved < 0 && errno == EINTR)
      continue;
    unreachable = moved < 0 && errno == EFAULT;
    if (moved < 0 && done == 0)
      return -1;
    if (moved <= 0) // the end of the file, or an error that a further call would meet first
      break;
    done += size_t(moved);
  }
  return ssize_t(done);
}

/// heddle check keeps devices' memory closed to the host; to work in a stream it is open.
ssize_t moveInStream(const File &file, const Transfer &transfer, bool &unreachable) {
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
    return -CU_FILE_CUDA_DRIVER_ERROR;
  ssize_t result = -1;
  int error = 0;
  const cudaError_t failed = heddle::library::submit(
      "cuFileRead", stream,
      [&] {
        result = moveAll(file, transfer, unreachable);
        error = errno;
      },
      true);
  cudaStreamDestroy(stream);
  errno = error;
  return failed == cudaSuccess ? result : -CU_FILE_CUDA_DRIVER_ERROR;
}

} // namespace

ssize_t heddle::cufile::run(const File &file, const Transfer &transfer, bool in_stream) {
  if (!transfer.base || transfer.file_offset < 0 || transfer.memory_offset < 0)
    return -CU_FILE_INVALID_VALUE;
  if (!isWithinBuffer(transfer.base, transfer.memory_offset, transfer.size))
    return -CU_FILE_INVALID_MAPPING_RANGE;
  bool unreachable = false;
  ssize_t moved = moveAll(file, transfer, unreachable);
  if (unreachable && !in_stream)
    moved = moveInStream(file, transfer, unreachable);
  return unreachable && moved < 0 ? -CU_FILE_CUDA_POINTER_INVALID : moved;
}

namespace {

ssize_t transferNow(CUfileHandle_t fh, const Transfer &transfer) noexcept {
  try {
    const std::shared_ptr<File> file = findFile(fh);
    return file ? run(*file, transfer, false) : -CU_FILE_HANDLE_NOT_REGISTERED;
  } catch (...) {
    return -CU_FILE_INTERNAL_ERROR;
  }
}

} // namespace

ssize_t cuFileRead(CUfileHandle_t fh, void *bufPtr_base, size_t size, off_t file_offset,
                   off_t bufPtr_offset) {
  return transferNow(fh, {CUFILE_READ, bufPtr_base, size, file_offset, bufPtr_offset});
}

ssize_t cuFileWrite(CUfileHandle_t fh, const void *bufPtr_base, size_t size, off_t file_offset,
                    off_t bufPtr_offset) {
  return transferNow(
      fh, {CUFILE_WRITE, const_cast<void *>(bufPtr_base), size, file_offset, bufPtr_offset});
}
