// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: Canny's edges, labels of regions, watersheds.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "around.h"
#include "fixed_masks.h"
#include "kernels/regions.h"

#include <algorithm>
#include <functional>

namespace heddle::npp {
namespace {

constexpr size_t alignment = 64;

template <typename T> T *aligned(Npp8u *buffer) {
  return reinterpret_cast<T *>((reinterpret_cast<size_t>(buffer) + alignment - 1) / alignment *
                               alignment);
}

NppStatus checkNorm(const Call &call, NppiNorm norm) {
  if (norm < nppiNormInf || norm > nppiNormL2)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "no such norm");
  return NPP_SUCCESS;
}

template <typename Int>
NppStatus sizeTo(const Call &call, int bytes_per_pixel, NppiSize size, Int *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  const double wanted = double(bytes_per_pixel) * size.width * size.height + alignment;
  if (size.width <= 0 || size.height <= 0 || (sizeof(Int) == 4 && wanted > NPP_MAX_32S))
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region has no pixels or too many");
  *bytes = Int(wanted);
  return NPP_SUCCESS;
}
NppStatus regionSize(const Call &call, int bytes_per_pixel, NppiSize size, int *bytes) {
  // Canny's magnitudes, angles and labels are 12 bytes a pixel.
  return sizeTo(call, bytes_per_pixel == 8 ? 12 : bytes_per_pixel, size, bytes);
}
NppStatus regionSizeT(const Call &call, int bytes_per_pixel, NppiSize size, size_t *bytes) {
  return sizeTo(call, bytes_per_pixel, size, bytes);
}

NppStatus canny(const Call &call, int, const Npp8u *src, int src_step, NppiSize src_size,
                NppiPoint offset, Npp8u *dst, int dst_step, NppiSize size,
                NppiDifferentialKernel filter, NppiMaskSize mask_size, Npp16s low, Npp16s high,
                NppiNorm norm, NppiBorderType type, Npp8u *buffer) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  if (const NppStatus status = checkNorm(call, norm))
    return status;
  if (filter != NPP_FILTER_SOBEL && filter != NPP_FILTER_SCHARR)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR, "no such filter");
  if (low < 0 || low > high)
    return HEDDLE_NPP_REFUSE(call, NPP_THRESHOLD_ERROR,
                             "the low threshold is negative or above the high one");
  Canny work;
  if (const NppStatus status = checkEdge(call, {src_size, offset, type}, work.gradient.border))
    return status;
  const bool scharr = filter == NPP_FILTER_SCHARR;
  const NppiSize wanted = sizeOfMask(mask_size);
  const FixedMask x = fixedMask(scharr ? Mask::ScharrVert : Mask::SobelVert, wanted.width);
  const FixedMask y = fixedMask(scharr ? Mask::ScharrHoriz : Mask::SobelHoriz, wanted.width);
  if (wanted.width != wanted.height || x.width == 0)
    return HEDDLE_NPP_REFUSE(call, NPP_MASK_SIZE_ERROR, "the filter has no mask of this size");
  std::copy(x.weights.begin(), x.weights.end(), work.gradient.mask_x);
  std::transform(y.weights.begin(), y.weights.end(), work.gradient.mask_y, std::negate<float>());
  const size_t pixels = size_t(size.width) * size.height;
  float *const magnitude = aligned<float>(buffer);
  work.gradient.src = operand(src, src_step);
  work.gradient.magnitude = operand(magnitude, size.width * 4LL);
  work.gradient.angle = operand(magnitude + pixels, size.width * 4LL);
  work.gradient.width = size.width;
  work.gradient.height = size.height;
  work.gradient.size = wanted.width;
  work.gradient.norm = norm;
  work.dst = operand(dst, dst_step);
  work.low = low;
  work.high = high;
  work.labels = reinterpret_cast<unsigned *>(magnitude + 2 * pixels);
  return finish(call, launch(work, call.stream));
}

template <typename S>
NppStatus labels(const Call &call, int, const S *src, int src_step, Npp32u *dst, int dst_step,
                 NppiSize size, NppiNorm norm, Npp8u *buffer) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  if (norm != nppiNormInf && norm != nppiNormL1)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR,
                             "nppiNormInf is for 8 neighbours and nppiNormL1 for 4");
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

template <typename S>
NppStatus watershed(const Call &call, int, S *image, int step, Npp32u *markers, int markers_step,
                    NppiNorm norm, NppiWatershedSegmentBoundaryType boundaries, NppiSize size,
                    Npp8u *buffer) {
  if (const NppStatus status = checkImages(call, {{image, step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  if (markers)
    if (const NppStatus status = checkImages(call, {{markers, markers_step}}, size))
      return status;
  if (norm != nppiNormInf && norm != nppiNormL1)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR,
                             "nppiNormInf is for 8 neighbours and nppiNormL1 for 4");
  if (boundaries < NPP_WATERSHED_SEGMENT_BOUNDARIES_NONE ||
      boundaries > NPP_WATERSHED_SEGMENT_BOUNDARIES_ONLY)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "no such kind of boundaries");
  Watershed work;
  work.image = operand(image, step);
  work.markers = operand(markers, markers_step);
  work.width = size.width;
  work.height = size.height;
  work.diagonal = norm == nppiNormInf;
  work.boundaries = boundaries;
  work.labels = aligned<unsigned>(buffer);
  work.merged = work.labels + size_t(size.width) * size.height;
  return finish(call, launch(work, call.stream));
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_REGIONS(HEDDLE_NPP_DEFINE)
