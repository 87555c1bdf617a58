// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/copy.h"

#include "engine/observe/observer.h"

#include <algorithm>
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

cudaError_t wrong(const Side &side, size_t bytes) {
  if (engine::observe::observer)
    engine::observe::observer->wrongCopy(side.place.base, bytes);
  return cudaErrorInvalidValue;
}

/// Finds out what kind of memory the box lies in, and whether all of it does.
cudaError_t examine(const Memory &memory, const Box &box, Side &side) {
  size_t extent = 0;
  if (!side.place.base || !extentOf(side.place, box, extent))
    return cudaErrorInvalidValue;
  if (std::optional<Allocation> allocation = memory.find(side.place.base)) {
    if (!allocation->holds(side.place.base, extent))
      return wrong(side, extent);
    side.known = true;
    side.on_device = allocation->onDevice();
    return cudaSuccess;
  }
  return memory.stray(side.place.base) ? wrong(side, extent) : cudaSuccess;
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

// Tells an observer of what copies and fills write.
void tellCopied(const void *to, const void *from, size_t bytes) {
  if (engine::observe::observer)
    engine::observe::observer->copied(to, from, bytes);
}

void tellWritten(const void *to, size_t bytes) {
  if (engine::observe::observer)
    engine::observe::observer->filled(to, bytes);
}

void copyBox(const BoxPlace &destination, const BoxPlace &source, const Box &box) {
  auto *to = static_cast<char *>(destination.base);
  auto *from = static_cast<const char *>(source.base);
  for (size_t z = 0; z < box.depth; ++z) {
    size_t to_slice = z * destination.rows * destination.pitch;
    size_t from_slice = z * source.rows * source.pitch;
    if (box.height > 1 && destination.pitch == box.width && source.pitch == box.width) {
      memmove(to + to_slice, from + from_slice, box.width * box.height);
      tellCopied(to + to_slice, from + from_slice, box.width * box.height);
      continue;
    }
    for (size_t y = 0; y < box.height; ++y) {
      char *row = to + to_slice + y * destination.pitch;
      memmove(row, from + from_slice + y * source.pitch, box.width);
      tellCopied(row, from + from_slice + y * source.pitch, box.width);
    }
  }
}

template <class Element> void fillBox(const BoxPlace &destination, unsigned value, const Box &box) {
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y) {
      char *row =
          static_cast<char *>(destination.base) + (z * destination.rows + y) * destination.pitch;
      if constexpr (sizeof(Element) == 1)
        memset(row, int(value), box.width);
      else
        std::fill_n(reinterpret_cast<Element *>(row), box.width / sizeof(Element), Element(value));
      tellWritten(row, box.width);
    }
}

/// The copy as a graph tells of it: sizes and pitches that do not matter are 0.
cudaMemcpy3DParms describe(const BoxPlace &to, const BoxPlace &from, const Box &box,
                           cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  bool one_row = box.height == 1 && box.depth == 1, slices = box.depth > 1;
  parameters.srcPtr = {from.base, one_row ? 0 : from.pitch, 0, slices ? from.rows : 0};
  parameters.dstPtr = {to.base, one_row ? 0 : to.pitch, 0, slices ? to.rows : 0};
  parameters.extent = {box.width, box.height, box.depth};
  parameters.kind = kind;
  return parameters;
}

Start startFor(size_t bytes, bool wait) {
  return wait ? Start::ByCaller : bytes <= small ? Start::AtOnceIfIdle : Start::Now;
}

} // namespace

void CopyOperation::run() const noexcept {
  if (staged.empty())
    copyBox(destination, source, box);
  else
    copyBox(destination, {const_cast<char *>(staged.data()), box.width, box.height}, box);
}

void CopyOperation::stage() {
  staged.resize(box.bytes());
  copyBox({staged.data(), box.width, box.height}, source, box);
}

void FillOperation::run() const noexcept {
  if (element == 1)
    fillBox<uint8_t>(destination, value, box);
  else if (element == 2)
    fillBox<uint16_t>(destination, value, box);
  else
    fillBox<uint32_t>(destination, value, box);
}

/// One row, of which an H200 takes other pitches: 0 in a copy, and any in a fill.
static bool isRow(const Box &box) { return box.height == 1 && box.depth == 1; }

cudaError_t prepareCopy(Device &device, const BoxPlace &destination, const BoxPlace &source,
                        const Box &box, cudaMemcpyKind kind,
                        std::shared_ptr<CopyOperation> &operation) {
  operation = std::make_shared<CopyOperation>(device);
  operation->box = box;
  operation->parameters = describe(destination, source, box, kind);
  if (box.empty())
    return cudaSuccess;
  const bool without_pitch = isRow(box) && !destination.pitch && !source.pitch;
  if (!without_pitch && (destination.pitch < box.width || source.pitch < box.width))
    return isRow(box) ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
  Side to{destination}, from{source};
  if (cudaError_t error = examine(device.memory, box, to))
    return error;
  if (cudaError_t error = examine(device.memory, box, from))
    return error;
  if (cudaError_t error = checkDirection(to, from, kind))
    return error;
  operation->destination = destination;
  operation->source = source;
  operation->from_pageable = from.pageable();
  operation->to_pageable = to.pageable();
  operation->within_device = to.on_device && from.on_device;
  return cudaSuccess;
}

cudaError_t prepareFill(Device &device, const BoxPlace &destination, unsigned value,
                        unsigned element, const Box &box,
                        std::shared_ptr<FillOperation> &operation) {
  operation = std::make_shared<FillOperation>(device);
  operation->destination = destination;
  operation->box = box;
  operation->value = value;
  operation->element = element;
  operation->parameters = {
      destination.base, box.height > 1 ? destination.pitch : 0, value, element, box.width / element,
      box.height};
  if (box.empty())
    return cudaSuccess;
  if (destination.pitch < box.width && !isRow(box))
    return cudaErrorInvalidValue;
  Side to{destination};
  if (cudaError_t error = examine(device.memory, box, to))
    return error;
  if (to.pageable()) // a GPU cannot reach it
    return cudaErrorInvalidValue;
  operation->on_device = to.on_device;
  return cudaSuccess;
}

cudaError_t copy(DeviceStream &stream, std::shared_ptr<CopyOperation> operation, CopyMode mode) {
  if (operation->box.empty())
    return cudaSuccess;
  const CopyOperation &copy = *operation;
  const size_t bytes = copy.box.bytes();
  bool wait =
      mode == CopyMode::Blocking ? !copy.within_device : copy.from_pageable || copy.to_pageable;
  // A graph reads its source whenever it is launched; a stream must let go of it now.
  if (mode == CopyMode::Async && copy.from_pageable && !copy.to_pageable &&
      bytes <= largest_staged && !stream.capture()) {
    operation->stage();
    wait = false;
  }
  return put(stream, std::move(operation), {startFor(bytes, wait), wait, mode == CopyMode::Async});
}

cudaError_t copy(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 const BoxPlace &source, const Box &box, cudaMemcpyKind kind, CopyMode mode) {
  std::shared_ptr<CopyOperation> operation;
  cudaError_t error = prepareCopy(device, destination, source, box, kind, operation);
  return error ? error : copy(stream, std::move(operation), mode);
}

cudaError_t fill(Device &device, DeviceStream &stream, const BoxPlace &destination, unsigned value,
                 unsigned element, const Box &box, CopyMode mode) {
  std::shared_ptr<FillOperation> operation;
  if (cudaError_t error = prepareFill(device, destination, value, element, box, operation);
      error || box.empty())
    return error;
  bool wait = mode == CopyMode::Blocking && !operation->on_device;
  return put(stream, std::move(operation),
             {startFor(box.bytes(), wait), wait, mode == CopyMode::Async});
}

} // namespace heddle
