// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies, prefetches and discards in batches: all are checked before the first begins. They run in
// the order in which they stand in the batch, which is one of those that CUDA allows.
#include "api/memory/copy.h"
#include "device/texture/array.h"

#include <algorithm>
#include <cstdint>

using namespace heddle;
using namespace heddle::api;

namespace {

/// CUDA refuses batches there: the stream would have to wait for all others.
bool isLegacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

/// Whether entry k of a list is for the elements from firsts[k] on, up to the next entry's.
bool divides(const size_t *firsts, size_t entries, size_t count) {
  if (!firsts || entries == 0 || entries > count || firsts[0] != 0)
    return false;
  for (size_t i = 1; i < entries; ++i)
    if (firsts[i] <= firsts[i - 1])
      return false;
  return firsts[entries - 1] < count;
}

bool isOrder(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/// Puts copies on the stream. Those whose source may end with the call have read it by then.
struct Batch {
  DeviceStream &stream;
  struct Copy {
    std::shared_ptr<CopyOperation> operation;
    cudaMemcpySrcAccessOrder order;
  };
  std::vector<Copy> copies;

  cudaError_t run() {
    for (Copy &each : copies) {
      if (each.order == cudaMemcpySrcAccessOrderDuringApiCall && !stream.capture())
        each.operation->stage();
      if (cudaError_t error = copy(stream, std::move(each.operation), CopyMode::Async))
        return error;
    }
    return cudaSuccess;
  }
};

// ---- Of linear memory ---------------------------------------------------------------------------

struct Pointers {
  void *const *to;
  const void *const *from;
  const size_t *sizes;
  size_t count;
};

cudaError_t addCopies(Batch &batch, const Pointers &all, const cudaMemcpyAttributes *attributes,
                      const size_t *firsts, size_t attribute_count, size_t &failed) {
  size_t entry = 0;
  for (size_t i = 0; i < all.count; ++i) {
    if (entry + 1 < attribute_count && firsts[entry + 1] == i)
      ++entry;
    failed = i;
    const cudaMemcpySrcAccessOrder order = attributes[entry].srcAccessOrder;
    if (!isOrder(order))
      return cudaErrorInvalidValue;
    const size_t size = all.sizes[i];
    std::shared_ptr<CopyOperation> operation;
    if (cudaError_t error = prepareCopy(*batch.stream.device, {all.to[i], size},
                                        {const_cast<void *>(all.from[i]), size}, {size},
                                        cudaMemcpyDefault, operation))
      return error;
    batch.copies.push_back({std::move(operation), order});
  }
  failed = SIZE_MAX;
  return cudaSuccess;
}

cudaError_t copyBatch(const Pointers &all, const cudaMemcpyAttributes *attributes,
                      const size_t *firsts, size_t attribute_count, size_t *failed,
                      cudaStream_t handle, const char *name = __builtin_FUNCTION()) {
  return callStream(
      handle,
      [&](DeviceStream &stream) {
        size_t index = SIZE_MAX;
        if (failed)
          *failed = index;
        if (!all.to || !all.from || !all.sizes || all.count == 0 || !attributes ||
            !divides(firsts, attribute_count, all.count))
          return cudaErrorInvalidValue;
        Batch batch{stream, {}};
        const cudaError_t error = addCopies(batch, all, attributes, firsts, attribute_count, index);
        if (failed)
          *failed = index;
        return error ? error : batch.run();
      },
      name);
}

cudaError_t copyBatchIn(const Pointers &all, const cudaMemcpyAttributes *attributes,
                        const size_t *firsts, size_t attribute_count, size_t *failed,
                        cudaStream_t stream, const char *name = __builtin_FUNCTION()) {
  if (isLegacy(stream))
    return callPlatform([](Platform &) { return cudaErrorInvalidValue; }, name);
  return copyBatch(all, attributes, firsts, attribute_count, failed, stream, name);
}

cudaError_t copyOne(void *to, const void *from, size_t size, const cudaMemcpyAttributes *attributes,
                    cudaStream_t stream) {
  const size_t first = 0;
  return copyBatch({&to, &from, &size, 1}, attributes, &first, 1, nullptr, stream);
}

// ---- Of boxes -----------------------------------------------------------------------------------

size_t texelBytes(const cudaMemcpy3DOperand &operand) {
  if (operand.type != cudaMemcpyOperandTypeArray)
    return 0;
  const auto array = Array::handles().find(operand.op.array.array);
  return array ? array->format.texelBytes() : 0;
}

/// One side of a copy, as cudaMemcpy3D is told of it. `texel`: bytes of an element.
cudaError_t convert(const cudaMemcpy3DOperand &operand, const cudaExtent &extent, size_t texel,
                    cudaArray_t &array, cudaPos &position, cudaPitchedPtr &pointer) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    const cudaOffset3D &offset = operand.op.array.offset;
    array = operand.op.array.array;
    position = {offset.x, offset.y, offset.z};
    return array ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (operand.type != cudaMemcpyOperandTypePointer)
    return cudaErrorInvalidValue;
  const auto &linear = operand.op.ptr;
  const size_t row = linear.rowLength ? linear.rowLength : extent.width;
  const size_t height = linear.layerHeight ? linear.layerHeight : extent.height;
  if (!linear.ptr || row < extent.width || height < extent.height)
    return cudaErrorInvalidValue;
  pointer = {linear.ptr, row * texel, row * texel, height};
  return cudaSuccess;
}

cudaError_t addBox(Batch &batch, const cudaMemcpy3DBatchOp &box) {
  const cudaExtent &extent = box.extent;
  if (!isOrder(box.srcAccessOrder) || !extent.width || !extent.height || !extent.depth)
    return cudaErrorInvalidValue;
  const size_t from_texel = texelBytes(box.src), to_texel = texelBytes(box.dst);
  if (from_texel && to_texel && from_texel != to_texel)
    return cudaErrorInvalidValue;
  const size_t texel = std::max({from_texel, to_texel, size_t(1)});
  cudaMemcpy3DParms parameters = {};
  parameters.extent = extent;
  parameters.kind = cudaMemcpyDefault;
  if (cudaError_t error = convert(box.src, extent, texel, parameters.srcArray, parameters.srcPos,
                                  parameters.srcPtr))
    return error;
  if (cudaError_t error = convert(box.dst, extent, texel, parameters.dstArray, parameters.dstPos,
                                  parameters.dstPtr))
    return error;
  std::shared_ptr<CopyOperation> operation;
  if (cudaError_t error = prepareCopy3D(*batch.stream.device, parameters, operation))
    return error;
  batch.copies.push_back({std::move(operation), box.srcAccessOrder});
  return cudaSuccess;
}

cudaError_t copyBoxes(size_t count, const cudaMemcpy3DBatchOp *boxes, unsigned long long flags,
                      size_t *failed, cudaStream_t handle,
                      const char *name = __builtin_FUNCTION()) {
  return callStream(
      handle,
      [&](DeviceStream &stream) {
        if (failed)
          *failed = SIZE_MAX;
        if (count == 0 || !boxes || flags != 0)
          return cudaErrorInvalidValue;
        Batch batch{stream, {}};
        for (size_t i = 0; i < count; ++i)
          if (cudaError_t error = addBox(batch, boxes[i])) {
            if (failed)
              *failed = i;
            return error;
          }
        return batch.run();
      },
      name);
}

cudaError_t copyBoxesIn(size_t count, const cudaMemcpy3DBatchOp *boxes, unsigned long long flags,
                        size_t *failed, cudaStream_t stream,
                        const char *name = __builtin_FUNCTION()) {
  if (isLegacy(stream))
    return callPlatform([](Platform &) { return cudaErrorInvalidValue; }, name);
  return copyBoxes(count, boxes, flags, failed, stream, name);
}

// ---- Prefetches and discards --------------------------------------------------------------------

/// Ranges of managed memory, of which something is asked in a stream.
cudaError_t callRanges(void **pointers, const size_t *sizes, size_t count, unsigned long long flags,
                       cudaStream_t handle, const char *name = __builtin_FUNCTION()) {
  return callStream(
      handle,
      [&](DeviceStream &stream) {
        if (isLegacy(handle) || flags != 0 || !pointers || !sizes || count == 0)
          return cudaErrorInvalidValue;
        if (!stream.device->gpu.concurrent_managed_access)
          return cudaErrorInvalidDevice;
        for (size_t i = 0; i < count; ++i) {
          const auto found = stream.device->memory.find(pointers[i]);
          if (sizes[i] == 0 || !found || found->kind != MemoryKind::Managed ||
              !found->holds(pointers[i], sizes[i]))
            return cudaErrorInvalidValue;
        }
        return cudaSuccess;
      },
      name);
}

cudaError_t prefetchBatch(void **pointers, size_t *sizes, size_t count,
                          const cudaMemLocation *places, const size_t *firsts, size_t place_count,
                          unsigned long long flags, cudaStream_t stream,
                          const char *name = __builtin_FUNCTION()) {
  if (!places || !divides(firsts, place_count, count))
    return callPlatform([](Platform &) { return cudaErrorInvalidValue; }, name);
  if (cudaError_t error = callRanges(pointers, sizes, count, flags, stream, name))
    return error;
  size_t entry = 0;
  for (size_t i = 0; i < count; ++i) {
    if (entry + 1 < place_count && firsts[entry + 1] == i)
      ++entry;
    if (cudaError_t error =
            cudaMemPrefetchAsync_v2(pointers[i], sizes[i], places[entry], 0, stream))
      return error;
  }
  return cudaSuccess;
}

} // namespace

HEDDLE_STREAM_CALL(cudaMemcpyBatchAsync,
                   (void **dsts, void **srcs, size_t *sizes, size_t count,
                    cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                    size_t *failIdx, cudaStream_t stream),
                   copyBatchIn({dsts, srcs, sizes, count}, attrs, attrsIdxs, numAttrs, failIdx,
                               stream))
HEDDLE_STREAM_CALL(cudaMemcpy3DBatchAsync,
                   (size_t numOps, cudaMemcpy3DBatchOp *opList, size_t *failIdx,
                    unsigned long long flags, cudaStream_t stream),
                   copyBoxesIn(numOps, opList, flags, failIdx, stream))
HEDDLE_STREAM_CALL(cudaMemcpyWithAttributesAsync,
                   (void *dst, const void *src, size_t size, cudaMemcpyAttributes *attr,
                    cudaStream_t stream),
                   copyOne(dst, src, size, attr, stream))
HEDDLE_STREAM_CALL(cudaMemcpy3DWithAttributesAsync,
                   (cudaMemcpy3DBatchOp * op, unsigned long long flags, cudaStream_t stream),
                   copyBoxes(1, op, flags, nullptr, stream))

HEDDLE_STREAM_CALL(cudaMemPrefetchBatchAsync,
                   (void **dptrs, size_t *sizes, size_t count, cudaMemLocation *prefetchLocs,
                    size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                    cudaStream_t stream),
                   prefetchBatch(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                 numPrefetchLocs, flags, stream))
// What is discarded keeps its contents, which is one of those that it may have.
HEDDLE_STREAM_CALL(cudaMemDiscardBatchAsync,
                   (void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                    cudaStream_t stream),
                   callRanges(dptrs, sizes, count, flags, stream))
HEDDLE_STREAM_CALL(cudaMemDiscardAndPrefetchBatchAsync,
                   (void **dptrs, size_t *sizes, size_t count, cudaMemLocation *prefetchLocs,
                    size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                    cudaStream_t stream),
                   prefetchBatch(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                 numPrefetchLocs, flags, stream))

// CUDA 13 has them without the index of what failed.
extern "C" {
#define IN_CUDA_13(name)                                                                           \
  HEDDLE_EXPORT cudaError_t heddle13_cudaMemcpyBatchAsync##name(                                   \
      void **dsts, void **srcs, size_t *sizes, size_t count, cudaMemcpyAttributes *attrs,          \
      size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream) {                                   \
    return cudaMemcpyBatchAsync##name(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs,        \
                                      nullptr, stream);                                            \
  }                                                                                                \
  HEDDLE_EXPORT cudaError_t heddle13_cudaMemcpy3DBatchAsync##name(                                 \
      size_t numOps, cudaMemcpy3DBatchOp *opList, unsigned long long flags, cudaStream_t stream) { \
    return cudaMemcpy3DBatchAsync##name(numOps, opList, nullptr, flags, stream);                   \
  }
IN_CUDA_13()
IN_CUDA_13(_ptsz)
}
