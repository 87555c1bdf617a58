// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/copy.h"

#include <cstring>

namespace heddle {
namespace {

// CUDA runtime API, "API synchronization behavior": up to this size a copy from pageable host
// memory may leave its source to be used again before it is done, as the source has been staged.
constexpr size_t largest_staged = 64 << 10;
// Below this a copy takes less time than waking the stream's thread.
constexpr size_t small = 32 << 10;

/// One side of a copy.
struct Side {
  BoxPlace place;
  bool known = false;     // in an allocation of ours
  bool on_device = false; // in device memory
  bool pageable() const { return !known; }
};

/// The distance from the first byte of the box to just past its last; false if it overflows.
bool extentOf(const BoxPlace &place, const Box &box, size_t &extent) {
  size_t rows = 0, bytes = 0;
  if (__builtin_mul_overflow(box.depth - 1, place.rows, &rows) ||
      __builtin_add_overflow(rows, box.height - 1, &rows) ||
      __builtin_mul_overflow(rows, place.pitch, &bytes))
    return false;
  return !__builtin_add_overflow(bytes, box.width, &extent);
}

/// Finds out what kind of memory the box lies in, and whether all of it does.
cudaError_t examine(const Memory &memory, const Box &box, Side &side) {
  size_t extent = 0;
  if (!side.place.base || !extentOf(side.place, box, extent))
    return cudaErrorInvalidValue;
  if (std::optional<Allocation> allocation = memory.find(side.place.base)) {
    if (!allocation->holds(side.place.base, extent))
      return cudaErrorInvalidValue;
    side.known = true;
    side.on_device = allocation->onDevice();
    return cudaSuccess;
  }
  return memory.stray(side.place.base) ? cudaErrorInvalidValue : cudaSuccess;
}

/// With unified addressing the pointers tell what they are. As on a GPU, a side that `kind` calls
/// the device's must be memory that a device can reach (pinned and managed memory is); what it
/// calls the host's may be device memory too, but where both are the host's.
cudaError_t checkDirection(const Side &destination, const Side &source, cudaMemcpyKind kind) {
  bool fits = true;
  switch (kind) {
  case cudaMemcpyDefault:
    break;
  case cudaMemcpyHostToHost:
    fits = !destination.on_device && !source.on_device;
    break;
  case cudaMemcpyHostToDevice:
    fits = destination.known;
    break;
  case cudaMemcpyDeviceToHost:
    fits = source.known;
    break;
  case cudaMemcpyDeviceToDevice:
    fits = destination.known && source.known;
    break;
  default:
    return cudaErrorInvalidMemcpyDirection;
  }
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

void copyBox(const BoxPlace &destination, const BoxPlace &source, const Box &box) {
  auto *to = static_cast<char *>(destination.base);
  auto *from = static_cast<const char *>(source.base);
  for (size_t z = 0; z < box.depth; ++z) {
    size_t to_slice = z * destination.rows * destination.pitch;
    size_t from_slice = z * source.rows * source.pitch;
    if (box.height > 1 && destination.pitch == box.width && source.pitch == box.width) {
      memmove(to + to_slice, from + from_slice, box.width * box.height);
      continue;
    }
    for (size_t y = 0; y < box.height; ++y)
      memmove(to + to_slice + y * destination.pitch, from + from_slice + y * source.pitch,
              box.width);
  }
}

void fillBox(const BoxPlace &destination, unsigned char value, const Box &box) {
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      memset(static_cast<char *>(destination.base) + (z * destination.rows + y) * destination.pitch,
             value, box.width);
}

/// Puts the work into the stream and waits for it if `wait`.
template <class Function>
cudaError_t perform(Device &device, DeviceStream &stream, size_t bytes, bool wait,
                    Function function) {
  auto work = makeWork([&device, function = std::move(function)]() mutable {
    if (device.error() == cudaSuccess)
      function();
  });
  Start start = wait ? Start::ByCaller : bytes <= small ? Start::AtOnceIfIdle : Start::Now;
  Point point = device.submit(stream, std::move(work), start);
  return wait ? device.synchronize(point) : cudaSuccess;
}

} // namespace

cudaError_t copy(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 const BoxPlace &source, const Box &box, cudaMemcpyKind kind, CopyMode mode) {
  if (box.empty())
    return cudaSuccess;
  if (destination.pitch < box.width || source.pitch < box.width)
    return box.height == 1 && box.depth == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
  Side to{destination}, from{source};
  if (cudaError_t error = examine(device.memory, box, to))
    return error;
  if (cudaError_t error = examine(device.memory, box, from))
    return error;
  if (cudaError_t error = checkDirection(to, from, kind))
    return error;

  size_t bytes = box.width * box.height * box.depth;
  if (mode == CopyMode::Async && from.pageable() && to.known && bytes <= largest_staged) {
    std::vector<char> staged(bytes);
    BoxPlace packed{staged.data(), box.width, box.height};
    copyBox(packed, source, box);
    return perform(device, stream, bytes, false,
                   [destination, box, staged = std::move(staged)]() mutable {
                     copyBox(destination, {staged.data(), box.width, box.height}, box);
                   });
  }
  bool both_on_device = to.on_device && from.on_device;
  bool wait = mode == CopyMode::Blocking ? !both_on_device : from.pageable() || to.pageable();
  return perform(device, stream, bytes, wait,
                 [destination, source, box] { copyBox(destination, source, box); });
}

cudaError_t fill(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 unsigned char value, const Box &box, CopyMode mode) {
  if (box.empty())
    return cudaSuccess;
  if (destination.pitch < box.width)
    return cudaErrorInvalidValue;
  Side to{destination};
  if (cudaError_t error = examine(device.memory, box, to))
    return error;
  if (to.pageable()) // a GPU cannot reach it
    return cudaErrorInvalidValue;
  bool wait = mode == CopyMode::Blocking && !to.on_device;
  size_t bytes = box.width * box.height * box.depth;
  return perform(device, stream, bytes, wait,
                 [destination, value, box] { fillBox(destination, value, box); });
}

} // namespace heddle
