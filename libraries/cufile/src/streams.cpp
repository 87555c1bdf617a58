// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes in the order of a stream. What a pointer points to counts when the stream comes
// to it, unless the stream was registered as one where it is known before.
#include "driver.h"
#include "transfer.h"

#include "common/task.h"

#include <cuda_runtime_api.h>
#include <map>
#include <mutex>
#include <optional>

using namespace heddle::cufile;

namespace {

struct Streams {
  std::mutex mutex;
  std::map<CUstream, unsigned> flags;
};

Streams &streams() {
  static auto &one = *new Streams;
  return one;
}

unsigned flagsOf(CUstream stream) {
  const std::lock_guard lock(streams().mutex);
  const auto found = streams().flags.find(stream);
  return found == streams().flags.end() ? 0 : found->second;
}

/// A number that is known now, or will be.
template <class T> class Later {
public:
  Later(const T *pointer, bool now)
      : pointer_(pointer), value_(now ? std::optional<T>(*pointer) : std::nullopt) {}
  T value() const { return value_ ? *value_ : *pointer_; }

private:
  const T *pointer_;
  std::optional<T> value_;
};

CUfileError_t enqueue(const char *call, CUfileOpcode_t operation, CUfileHandle_t fh, void *base,
                      const size_t *size, const off_t *file_offset, const off_t *memory_offset,
                      ssize_t *moved, CUstream stream) {
  if (!base || !size || !file_offset || !memory_offset || !moved)
    return status(CU_FILE_INVALID_VALUE);
  std::shared_ptr<File> file = findFile(fh);
  if (!file)
    return status(CU_FILE_HANDLE_NOT_REGISTERED);
  const unsigned flags = flagsOf(stream);
  const Later sizes(size, flags & CU_FILE_STREAM_FIXED_FILE_SIZE);
  const Later places(file_offset, flags & CU_FILE_STREAM_FIXED_FILE_OFFSET);
  const Later addresses(memory_offset, flags & CU_FILE_STREAM_FIXED_BUF_OFFSET);
  const auto task = [=] {
    *moved = run(*file, {operation, base, sizes.value(), places.value(), addresses.value()}, true);
  };
  // The default stream makes it a synchronous call.
  const cudaError_t error = heddle::library::submit(call, stream, task, stream == nullptr);
  return error == cudaSuccess ? status(CU_FILE_SUCCESS)
                              : CUfileError_t{CU_FILE_CUDA_DRIVER_ERROR, CUresult(error)};
}

bool isStream(CUstream stream) { return cudaStreamSynchronize(stream) == cudaSuccess; }

} // namespace

void heddle::cufile::forgetStreams() {
  const std::lock_guard lock(streams().mutex);
  streams().flags.clear();
}

CUfileError_t cuFileReadAsync(CUfileHandle_t fh, void *bufPtr_base, size_t *size_p,
                              off_t *file_offset_p, off_t *bufPtr_offset_p, ssize_t *bytes_read_p,
                              CUstream stream) {
  return guarded([&] {
    return enqueue("cuFileReadAsync", CUFILE_READ, fh, bufPtr_base, size_p, file_offset_p,
                   bufPtr_offset_p, bytes_read_p, stream);
  });
}

CUfileError_t cuFileWriteAsync(CUfileHandle_t fh, void *bufPtr_base, size_t *size_p,
                               off_t *file_offset_p, off_t *bufPtr_offset_p,
                               ssize_t *bytes_written_p, CUstream stream) {
  return guarded([&] {
    return enqueue("cuFileWriteAsync", CUFILE_WRITE, fh, bufPtr_base, size_p, file_offset_p,
                   bufPtr_offset_p, bytes_written_p, stream);
  });
}

CUfileError_t cuFileStreamRegister(CUstream stream, unsigned flags) {
  return guarded([&] {
    if (flags > 0xf || !isStream(stream))
      return status(CU_FILE_INVALID_VALUE);
    openDriver();
    const std::lock_guard lock(streams().mutex);
    streams().flags[stream] = flags;
    return status(CU_FILE_SUCCESS);
  });
}

CUfileError_t cuFileStreamDeregister(CUstream stream) {
  return guarded([&] {
    if (!isStream(stream))
      return status(CU_FILE_INVALID_VALUE);
    const std::lock_guard lock(streams().mutex);
    const bool removed = streams().flags.erase(stream) != 0;
    return status(removed ? CU_FILE_SUCCESS : CU_FILE_INVALID_VALUE);
  });
}
