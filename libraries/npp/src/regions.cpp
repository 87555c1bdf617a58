// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: Canny's edges and watersheds.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "around.h"
#include "fixed_masks.h"
#include "kernels/regions.h"
#include "scratch.h"

#include <algorithm>
#include <functional>

namespace heddle::npp {
namespace {

NppStatus checkNorm(const Call &call, NppiNorm norm) {
  if (norm < nppiNormInf || norm > nppiNormL2)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "no such norm");
  return NPP_SUCCESS;
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
  if (const NppStatus status = checkConnectivity(call, norm))
    return status;
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

HEDDLE_NPPI_CANNY_SIZES(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_CANNY(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_WATERSHED_SIZES(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_WATERSHED(HEDDLE_NPP_DEFINE)
