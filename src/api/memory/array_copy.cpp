// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to and from CUDA arrays.
#include "api/memory/array_copy.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::api;

namespace heddle::api {

cudaError_t checkArrayDirection(bool to_array, bool from_array, cudaMemcpyKind kind) {
  switch (kind) {
  case cudaMemcpyDefault:
  case cudaMemcpyDeviceToDevice:
    return cudaSuccess;
  case cudaMemcpyHostToDevice:
    return from_array ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
  case cudaMemcpyDeviceToHost:
    return to_array ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
  case cudaMemcpyHostToHost:
    return to_array || from_array ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
  }
  return cudaErrorInvalidMemcpyDirection;
}

namespace {

cudaError_t placeSide(const Side3D &side, const Array *array, size_t element, const Box &box,
                      BoxPlace &place) {
  if (array)
    return array->place(side.position.x * element, side.position.y, side.position.z, box, place);
  const size_t rows = side.pointer.ysize ? side.pointer.ysize : 1;
  auto *base = static_cast<char *>(side.pointer.ptr);
  if (base)
    base +=
        (side.position.z * rows + side.position.y) * side.pointer.pitch + side.position.x * element;
  place = {base, side.pointer.pitch, rows};
  return cudaSuccess;
}

} // namespace

cudaError_t placeBox(const Side3D &to, const Side3D &from, const cudaExtent &extent,
                     BoxPlace &to_place, BoxPlace &from_place, Box &box) {
  std::shared_ptr<Array> to_array, from_array;
  if (to.array)
    if (cudaError_t error = Array::find(to.array, to_array))
      return error;
  if (from.array)
    if (cudaError_t error = Array::find(from.array, from_array))
      return error;
  // A side is either an array or memory.
  if ((to_array && to.pointer.ptr) || (from_array && from.pointer.ptr))
    return cudaErrorInvalidValue;
  size_t element = 1;
  if (to_array || from_array)
    element = (to_array ? to_array : from_array)->format.texelBytes();
  if (to_array && from_array && from_array->format.texelBytes() != element)
    return cudaErrorInvalidValue;
  box = {extent.width * element, extent.height, extent.depth};
  if (box.empty())
    return cudaSuccess;
  if (cudaError_t error = placeSide(to, to_array.get(), element, box, to_place))
    return error;
  return placeSide(from, from_array.get(), element, box, from_place);
}

} // namespace heddle::api

namespace {

/// A side of a 2-D copy: an array and a place in it, or memory.
struct Side2D {
  cudaArray_const_t array = nullptr;
  size_t x = 0, y = 0;
  const void *pointer = nullptr;
  size_t pitch = 0;
  bool isArray = false;
};

Side2D memory(const void *pointer, size_t pitch) { return {nullptr, 0, 0, pointer, pitch, false}; }
Side2D place(cudaArray_const_t array, size_t x, size_t y) {
  return {array, x, y, nullptr, 0, true};
}

cudaError_t find(const Side2D &side, std::shared_ptr<Array> &array) {
  return side.isArray ? Array::find(side.array, array) : cudaSuccess;
}

/// NVIDIA's volumeRender and volumeFiltering copy a row to an array with a pitch of 0.
size_t pitchOf(const Side2D &memory, const Box &box) {
  return memory.pitch || box.height > 1 ? memory.pitch : box.width;
}

cudaError_t copy2D(cudaStream_t handle, const Side2D &to, const Side2D &from, const Box &box,
                   cudaMemcpyKind kind, CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Array> arrays[2];
    if (cudaError_t error = find(to, arrays[0]))
      return error;
    if (cudaError_t error = find(from, arrays[1]))
      return error;
    if (cudaError_t error = checkArrayDirection(to.isArray, from.isArray, kind))
      return error;
    BoxPlace places[2];
    const Side2D *sides[] = {&to, &from};
    for (int i = 0; i < 2; ++i) {
      if (!arrays[i])
        places[i] = {const_cast<void *>(sides[i]->pointer), pitchOf(*sides[i], box)};
      else if (cudaError_t error = arrays[i]->place(sides[i]->x, sides[i]->y, 0, box, places[i]))
        return error;
    }
    return copy(*stream.device, stream, places[0], places[1], box, kind, mode);
  });
}

/// A copy of bytes that go on from row to row of an array; the other side is memory.
cudaError_t copyRun(cudaStream_t handle, const Side2D &array, const void *memory, size_t bytes,
                    bool to_array, cudaMemcpyKind kind, CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Array> found;
    if (cudaError_t error = find(array, found))
      return error;
    if (cudaError_t error = checkArrayDirection(to_array, !to_array, kind))
      return error;
    std::vector<std::pair<BoxPlace, Box>> boxes;
    if (cudaError_t error = found->run(array.x, array.y, bytes, boxes))
      return error;
    const char *at = static_cast<const char *>(memory);
    for (const auto &[in_array, box] : boxes) {
      const BoxPlace linear = {const_cast<char *>(at), box.width};
      if (cudaError_t error = copy(*stream.device, stream, to_array ? in_array : linear,
                                   to_array ? linear : in_array, box, kind, mode))
        return error;
      at += box.width * box.height;
    }
    return cudaSuccess;
  });
}

/// The same between two arrays, whose rows may differ in length: piece by piece.
cudaError_t copyRuns(cudaStream_t handle, const Side2D &to, const Side2D &from, size_t bytes,
                     cudaMemcpyKind kind) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Array> target, source;
    if (cudaError_t error = find(to, target))
      return error;
    if (cudaError_t error = find(from, source))
      return error;
    if (cudaError_t error = checkArrayDirection(true, true, kind))
      return error;
    Side2D at = to, of = from;
    while (bytes) {
      const size_t left_to = target->usedRowBytes() - std::min(at.x, target->usedRowBytes());
      const size_t left_from = source->usedRowBytes() - std::min(of.x, source->usedRowBytes());
      const Box box = {std::min({left_to, left_from, bytes})};
      BoxPlace places[2];
      if (box.width == 0)
        return cudaErrorInvalidValue;
      if (cudaError_t error = target->place(at.x, at.y, 0, box, places[0]))
        return error;
      if (cudaError_t error = source->place(of.x, of.y, 0, box, places[1]))
        return error;
      if (cudaError_t error =
              copy(*stream.device, stream, places[0], places[1], box, kind, CopyMode::Blocking))
        return error;
      bytes -= box.width;
      const auto advance = [&](Side2D &side, size_t left) {
        side.x += box.width;
        if (left == box.width) {
          side.x = 0;
          ++side.y;
        }
      };
      advance(at, left_to);
      advance(of, left_from);
    }
    return cudaSuccess;
  });
}

} // namespace

// ---- In the default stream ----------------------------------------------------------------------

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy2DToArray,
                           (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                            size_t spitch, size_t width, size_t height, cudaMemcpyKind kind),
                           copy2D(stream, place(dst, wOffset, hOffset), memory(src, spitch),
                                  {width, height}, kind, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy2DFromArray,
                           (void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                            size_t hOffset, size_t width, size_t height, cudaMemcpyKind kind),
                           copy2D(stream, memory(dst, dpitch), place(src, wOffset, hOffset),
                                  {width, height}, kind, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy2DArrayToArray,
                           (cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                            cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                            size_t width, size_t height, cudaMemcpyKind kind),
                           copy2D(stream, place(dst, wOffsetDst, hOffsetDst),
                                  place(src, wOffsetSrc, hOffsetSrc), {width, height}, kind,
                                  CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpyToArray,
                           (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                            size_t count, cudaMemcpyKind kind),
                           copyRun(stream, place(dst, wOffset, hOffset), src, count, true, kind,
                                   CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpyFromArray,
                           (void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                            size_t count, cudaMemcpyKind kind),
                           copyRun(stream, place(src, wOffset, hOffset), dst, count, false, kind,
                                   CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpyArrayToArray,
                           (cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                            cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                            size_t count, cudaMemcpyKind kind),
                           copyRuns(stream, place(dst, wOffsetDst, hOffsetDst),
                                    place(src, wOffsetSrc, hOffsetSrc), count, kind))

// ---- In a given stream --------------------------------------------------------------------------

HEDDLE_STREAM_CALL(cudaMemcpy2DToArrayAsync,
                   (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                   copy2D(stream, place(dst, wOffset, hOffset), memory(src, spitch),
                          {width, height}, kind, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpy2DFromArrayAsync,
                   (void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                   copy2D(stream, memory(dst, dpitch), place(src, wOffset, hOffset),
                          {width, height}, kind, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpyToArrayAsync,
                   (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                    cudaMemcpyKind kind, cudaStream_t stream),
                   copyRun(stream, place(dst, wOffset, hOffset), src, count, true, kind,
                           CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpyFromArrayAsync,
                   (void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                    cudaMemcpyKind kind, cudaStream_t stream),
                   copyRun(stream, place(src, wOffset, hOffset), dst, count, false, kind,
                           CopyMode::Async))
