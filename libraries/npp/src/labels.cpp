// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: labels of connected regions.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "kernels/labels.h"
#include "scratch.h"

namespace heddle::npp {
namespace {

template <typename S>
NppStatus labels(const Call &call, int, const S *src, int src_step, Npp32u *dst, int dst_step,
                 NppiSize size, NppiNorm norm, Npp8u *buffer) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  if (const NppStatus status = checkConnectivity(call, norm))
    return status;
  const Labels work{operand(src, src_step), operand(dst, dst_step),   size.width, size.height,
                    norm == nppiNormInf,    aligned<unsigned>(buffer)};
  return finish(call, launch(work, call.stream));
}

NppStatus compressSize(const Call &call, int, int starting_number, int *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  if (starting_number < 1 || starting_number > NPP_MAX_32S / 4 - 64)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "there are no labels or too many");
  *bytes = (starting_number + 1) * 4 + int(alignment);
  return NPP_SUCCESS;
}

// The number of labels goes to host memory, so the call waits.
NppStatus compress(const Call &call, int, Npp32u *labels, int step, NppiSize size,
                   int starting_number, int *new_number, Npp8u *buffer) {
  if (const NppStatus status = checkImages(call, {{labels, step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {new_number, buffer}))
    return status;
  if (starting_number < 1)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "there are no labels");
  const Compress work{operand(labels, step), size.width, size.height, unsigned(starting_number),
                      aligned<unsigned>(buffer)};
  cudaError_t error = launch(work, call.stream);
  if (!error)
    error = cudaMemcpyAsync(new_number, work.flags + work.limit, sizeof(int),
                            cudaMemcpyDeviceToHost, call.stream);
  if (!error)
    error = cudaStreamSynchronize(call.stream);
  return finish(call, error);
}

NppStatus checkBatch(const Call &call, int count, NppiSize size) {
  if (count < 1)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "the batch has no images");
  if (size.width < 1 || size.height < 1 || double(size.width) * size.height > NPP_MAX_32U)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region has no pixels or too many");
  return NPP_SUCCESS;
}

NppStatus labelsBatch(const Call &call, Type type, bool per_image, const NppiImageDescriptor *src,
                      NppiImageDescriptor *dst, int count, NppiSize size, NppiNorm norm) {
  if (const NppStatus status = checkNotNull(call, {src, dst}))
    return status;
  if (const NppStatus status = checkBatch(call, count, size))
    return status;
  if (const NppStatus status = checkConnectivity(call, norm))
    return status;
  const LabelsBatch work{src,        dst,         count, per_image,
                         size.width, size.height, type,  norm == nppiNormInf};
  return finish(call, launch(work, call.stream));
}

NppStatus compressBatch(const Call &call, bool per_image, NppiImageDescriptor *images,
                        NppiBufferDescriptor *buffers, unsigned *counts, int count, NppiSize size,
                        int buffer_size) {
  if (const NppStatus status = checkNotNull(call, {images, buffers, counts}))
    return status;
  if (const NppStatus status = checkBatch(call, count, size))
    return status;
  // The largest width and height need not be of the same image.
  if (buffer_size < 1 || (!per_image && buffer_size < (double(size.width) * size.height + 1) * 4))
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the buffers are too small");
  const CompressBatch work{images, buffers, counts, count, per_image, size.width, size.height};
  return finish(call, launch(work, call.stream));
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_LABELS_SIZES(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_LABELS(HEDDLE_NPP_DEFINE)
