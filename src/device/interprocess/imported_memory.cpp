// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/interprocess/imported_memory.h"

#include <algorithm>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace heddle {
namespace {

struct Import {
  uint64_t inode, offset;
  SharedMapping mapping;
  size_t uses;
};

std::mutex mutex;

std::vector<Import> &imports() {               // call with the mutex held
  static auto *list = new std::vector<Import>; // outlives the program's static objects
  return *list;
}

/// Maps the place and makes it known as memory of the device.
cudaError_t map(Device &device, const SharedPlace &place, int descriptor, Import &result) {
  const int opened = descriptor >= 0 ? dup(descriptor) : openSharedFile(place.file);
  if (opened < 0)
    return cudaErrorMapBufferObjectFailed;
  result = {place.file.inode, place.offset, mapSharedFile(opened, place.offset, place.size), 1};
  close(opened); // the mapping keeps the file
  if (!result.mapping.start)
    return cudaErrorMapBufferObjectFailed;
  if (device.memory.add(
          {result.mapping.start, place.size, MemoryKind::Imported, device.ordinal, 0}))
    return cudaSuccess;
  unmapSharedFile(result.mapping);
  return cudaErrorMapBufferObjectFailed;
}

} // namespace

cudaError_t exportMemory(Device &device, const Allocation &allocation, SharedPlace &place) {
  // Nothing may write to pages that are being moved.
  if (cudaError_t error = device.synchronize())
    return error;
  const std::optional<Arena::Shared> shared = device.memory.share(allocation);
  if (!shared)
    return cudaErrorMemoryAllocation;
  place.mark = SharedPlace::expected_mark;
  place.file = describeSharedFile(shared->descriptor);
  place.offset = shared->offset;
  place.size = allocation.size;
  return cudaSuccess;
}

cudaError_t importMemory(Device &device, const SharedPlace &place, int descriptor, void *&pointer) {
  if (place.mark != SharedPlace::expected_mark)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  for (Import &import : imports())
    if (import.inode == place.file.inode && import.offset == place.offset) {
      ++import.uses;
      pointer = import.mapping.start;
      return cudaSuccess;
    }
  Import import;
  if (cudaError_t error = map(device, place, descriptor, import))
    return error;
  pointer = import.mapping.start;
  imports().push_back(import);
  return cudaSuccess;
}

cudaError_t closeImportedMemory(Memory &memory, void *pointer) {
  std::lock_guard lock(mutex);
  auto found = std::find_if(imports().begin(), imports().end(),
                            [&](const Import &import) { return import.mapping.start == pointer; });
  if (found == imports().end())
    return cudaErrorInvalidValue;
  if (--found->uses > 0)
    return cudaSuccess;
  if (std::optional<Allocation> allocation = memory.find(pointer))
    memory.release(*allocation);
  unmapSharedFile(found->mapping);
  imports().erase(found);
  return cudaSuccess;
}

} // namespace heddle
