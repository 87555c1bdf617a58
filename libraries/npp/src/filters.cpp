// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppif: filters.
#pragma GCC visibility push(default)
#include <nppi_filtering_functions.h>
#pragma GCC visibility pop

#include "around.h"
#include "fixed_masks.h"

namespace heddle::npp {
namespace {

// Names in the headers' lists.
constexpr bool Row = false, Column = true;
constexpr Around Box = Around::Box, Max = Around::Most, Min = Around::Least;
using enum Mask;

// A linear filter with the caller's coefficients; `divisor` is 1 where there is none.
template <typename S, typename D, typename K>
NppStatus filter(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                 int dst_step, NppiSize size, const K *weights, NppiSize mask, NppiPoint anchor,
                 int divisor, const Edge *edge) {
  if (const NppStatus status = checkNotNull(call, {weights}))
    return status;
  if (divisor == 0)
    return HEDDLE_NPP_REFUSE(call, NPP_DIVISOR_ERROR, "the divisor is 0");
  Neighbourhood work;
  // NPP convolves: the mask is turned about, and its anchor with it.
  const NppiPoint turned{mask.width - 1 - anchor.x, mask.height - 1 - anchor.y};
  if (const NppStatus status = prepare(call, work, Around::Linear, channels, src, src_step, dst,
                                       dst_step, size, mask, turned, edge))
    return status;
  work.weights = reinterpret_cast<const char *>(weights);
  work.weight_type = typeOf<K>();
  work.reversed = true;
  work.divisor = divisor;
  return run(call, work);
}

NppiSize lineSize(bool column, int size) { return column ? NppiSize{1, size} : NppiSize{size, 1}; }
NppiPoint lineAnchor(bool column, int anchor) {
  return column ? NppiPoint{0, anchor} : NppiPoint{anchor, 0};
}

template <typename S, typename D, typename K>
NppStatus lineDivisor(const Call &call, bool column, Channels channels, const S *src, int src_step,
                      D *dst, int dst_step, NppiSize size, const K *weights, int count, int anchor,
                      int divisor) {
  return filter(call, channels, src, src_step, dst, dst_step, size, weights,
                lineSize(column, count), lineAnchor(column, anchor), divisor, nullptr);
}
template <typename S, typename D, typename K>
NppStatus line(const Call &call, bool column, Channels channels, const S *src, int src_step, D *dst,
               int dst_step, NppiSize size, const K *weights, int count, int anchor) {
  return lineDivisor(call, column, channels, src, src_step, dst, dst_step, size, weights, count,
                     anchor, 1);
}
template <typename S, typename D, typename K>
NppStatus lineDivisorBorder(const Call &call, bool column, Channels channels, const S *src,
                            int src_step, NppiSize src_size, NppiPoint offset, D *dst, int dst_step,
                            NppiSize size, const K *weights, int count, int anchor, int divisor,
                            NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return filter(call, channels, src, src_step, dst, dst_step, size, weights,
                lineSize(column, count), lineAnchor(column, anchor), divisor, &edge);
}
template <typename S, typename D, typename K>
NppStatus lineBorder(const Call &call, bool column, Channels channels, const S *src, int src_step,
                     NppiSize src_size, NppiPoint offset, D *dst, int dst_step, NppiSize size,
                     const K *weights, int count, int anchor, NppiBorderType type) {
  return lineDivisorBorder(call, column, channels, src, src_step, src_size, offset, dst, dst_step,
                           size, weights, count, anchor, 1, type);
}

template <typename S, typename D, typename K>
NppStatus maskedDivisor(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                        int dst_step, NppiSize size, const K *weights, NppiSize mask,
                        NppiPoint anchor, int divisor) {
  return filter(call, channels, src, src_step, dst, dst_step, size, weights, mask, anchor, divisor,
                nullptr);
}
template <typename S, typename D, typename K>
NppStatus masked2(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                  int dst_step, NppiSize size, const K *weights, NppiSize mask, NppiPoint anchor) {
  return filter(call, channels, src, src_step, dst, dst_step, size, weights, mask, anchor, 1,
                nullptr);
}
template <typename S, typename D, typename K>
NppStatus maskedDivisorBorder(const Call &call, Channels channels, const S *src, int src_step,
                              NppiSize src_size, NppiPoint offset, D *dst, int dst_step,
                              NppiSize size, const K *weights, NppiSize mask, NppiPoint anchor,
                              int divisor, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return filter(call, channels, src, src_step, dst, dst_step, size, weights, mask, anchor, divisor,
                &edge);
}
template <typename S, typename D, typename K>
NppStatus maskedBorder(const Call &call, Channels channels, const S *src, int src_step,
                       NppiSize src_size, NppiPoint offset, D *dst, int dst_step, NppiSize size,
                       const K *weights, NppiSize mask, NppiPoint anchor, NppiBorderType type) {
  return maskedDivisorBorder(call, channels, src, src_step, src_size, offset, dst, dst_step, size,
                             weights, mask, anchor, 1, type);
}

template <typename S>
NppStatus boxOf(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                S *dst, int dst_step, NppiSize size, NppiSize mask, NppiPoint anchor,
                const Edge *edge) {
  Neighbourhood work;
  if (const NppStatus status = prepare(call, work, kind, channels, src, src_step, dst, dst_step,
                                       size, mask, anchor, edge))
    return status;
  work.divisor = double(mask.width) * mask.height;
  return run(call, work);
}
template <typename S>
NppStatus box(const Call &call, Around kind, Channels channels, const S *src, int src_step, S *dst,
              int dst_step, NppiSize size, NppiSize mask, NppiPoint anchor) {
  return boxOf(call, kind, channels, src, src_step, dst, dst_step, size, mask, anchor, nullptr);
}
template <typename S>
NppStatus boxBorder(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                    NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                    NppiSize mask, NppiPoint anchor, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return boxOf(call, kind, channels, src, src_step, dst, dst_step, size, mask, anchor, &edge);
}
// No scratch memory is needed; programs that have none may give a null pointer.
template <typename S>
NppStatus median(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                 int dst_step, NppiSize size, NppiSize mask, NppiPoint anchor, Npp8u *) {
  return boxOf(call, Around::Median, channels, src, src_step, dst, dst_step, size, mask, anchor,
               nullptr);
}
template <typename S>
NppStatus medianBorder(const Call &call, Channels channels, const S *src, int src_step,
                       NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                       NppiSize mask, NppiPoint anchor, Npp8u *, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return boxOf(call, Around::Median, channels, src, src_step, dst, dst_step, size, mask, anchor,
               &edge);
}
NppStatus medianSize(const Call &call, int, NppiSize, NppiSize mask, Npp32u *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  if (mask.width <= 0 || mask.height <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_MASK_SIZE_ERROR, "the mask is empty");
  *bytes = 16;
  return NPP_SUCCESS;
}

template <typename S, typename D>
NppStatus fixedBy(const Call &call, Mask which, Channels channels, const S *src, int src_step,
                  D *dst, int dst_step, NppiSize size, NppiMaskSize mask_size, const Edge *edge) {
  const NppiSize wanted = sizeOfMask(mask_size);
  const FixedMask mask =
      wanted.width == wanted.height ? fixedMask(which, wanted.width) : FixedMask{};
  if (mask.width == 0)
    return HEDDLE_NPP_REFUSE(call, NPP_MASK_SIZE_ERROR, "the filter has no mask of this size");
  Neighbourhood work;
  if (const NppStatus status =
          prepare(call, work, Around::Linear, channels, src, src_step, dst, dst_step, size,
                  {mask.width, mask.height}, {mask.width / 2, mask.height / 2}, edge))
    return status;
  std::copy(mask.weights.begin(), mask.weights.end(), work.fixed);
  return run(call, work);
}
template <typename S, typename D>
NppStatus sized(const Call &call, Mask which, Channels channels, const S *src, int src_step, D *dst,
                int dst_step, NppiSize size, NppiMaskSize mask_size) {
  return fixedBy(call, which, channels, src, src_step, dst, dst_step, size, mask_size, nullptr);
}
template <typename S, typename D>
NppStatus fixed(const Call &call, Mask which, Channels channels, const S *src, int src_step, D *dst,
                int dst_step, NppiSize size) {
  return sized(call, which, channels, src, src_step, dst, dst_step, size, NPP_MASK_SIZE_3_X_3);
}
template <typename S, typename D>
NppStatus sizedBorder(const Call &call, Mask which, Channels channels, const S *src, int src_step,
                      NppiSize src_size, NppiPoint offset, D *dst, int dst_step, NppiSize size,
                      NppiMaskSize mask_size, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return fixedBy(call, which, channels, src, src_step, dst, dst_step, size, mask_size, &edge);
}
template <typename S, typename D>
NppStatus fixedBorder(const Call &call, Mask which, Channels channels, const S *src, int src_step,
                      NppiSize src_size, NppiPoint offset, D *dst, int dst_step, NppiSize size,
                      NppiBorderType type) {
  return sizedBorder(call, which, channels, src, src_step, src_size, offset, dst, dst_step, size,
                     NPP_MASK_SIZE_3_X_3, type);
}

template <typename S>
NppStatus separable(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                    int dst_step, NppiSize size, int taps, const float *weights, const Edge *edge) {
  if (const NppStatus status = checkNotNull(call, {weights}))
    return status;
  Neighbourhood work;
  if (const NppStatus status = prepare(call, work, Around::Separable, channels, src, src_step, dst,
                                       dst_step, size, {taps, taps}, {taps / 2, taps / 2}, edge))
    return status;
  work.weights = reinterpret_cast<const char *>(weights);
  return run(call, work);
}
template <typename S>
NppStatus taps(const Call &call, Channels channels, const S *src, int src_step, S *dst,
               int dst_step, NppiSize size, int count, const float *weights) {
  return separable(call, channels, src, src_step, dst, dst_step, size, count, weights, nullptr);
}
template <typename S>
NppStatus tapsBorder(const Call &call, Channels channels, const S *src, int src_step,
                     NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                     int count, const float *weights, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return separable(call, channels, src, src_step, dst, dst_step, size, count, weights, &edge);
}

template <typename S>
NppStatus bilateral(const Call &call, Channels channels, const S *src, int src_step,
                    NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                    int radius, int spread, float value_sigma, float place_sigma,
                    NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  Neighbourhood work;
  const int width = 2 * radius + 1;
  if (const NppStatus status = prepare(call, work, Around::Bilateral, channels, src, src_step, dst,
                                       dst_step, size, {width, width}, {radius, radius}, &edge))
    return status;
  if (spread < 1 || !(value_sigma > 0) || !(place_sigma > 0))
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "a distance or sigma is not positive");
  work.spread = spread;
  work.value_sigma = value_sigma;
  work.place_sigma = place_sigma;
  return run(call, work);
}

template <typename S>
NppStatus adaptive(const Call &call, Channels channels, const S *src, int src_step,
                   NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                   NppiSize mask, float delta, S above, S below, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  Neighbourhood work;
  if (const NppStatus status =
          prepare(call, work, Around::Adaptive, channels, src, src_step, dst, dst_step, size, mask,
                  {mask.width / 2, mask.height / 2}, &edge))
    return status;
  work.divisor = double(mask.width) * mask.height;
  work.delta = delta;
  work.above = above;
  work.below = below;
  return run(call, work);
}

template <typename S, typename D>
NppStatus gradient(const Call &call, Mask vertical, Mask horizontal, const S *src, int src_step,
                   NppiSize src_size, NppiPoint offset, D *x, int x_step, D *y, int y_step,
                   D *magnitude, int magnitude_step, float *angle, int angle_step, NppiSize size,
                   NppiMaskSize mask_size, NppiNorm norm, NppiBorderType type) {
  if (const NppStatus status = checkImages(call, {{src, src_step}}, size))
    return status;
  Gradient work;
  if (const NppStatus status = checkEdge(call, {src_size, offset, type}, work.border))
    return status;
  const NppiSize wanted = sizeOfMask(mask_size);
  const FixedMask mask_x = fixedMask(vertical, wanted.width);
  if (mask_x.width == 0 || wanted.width != wanted.height)
    return HEDDLE_NPP_REFUSE(call, NPP_MASK_SIZE_ERROR, "the filter has no mask of this size");
  if (norm < nppiNormInf || norm > nppiNormL2)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "no such norm");
  const FixedMask mask_y = fixedMask(horizontal, wanted.width);
  std::copy(mask_x.weights.begin(), mask_x.weights.end(), work.mask_x);
  // Vectors point downwards where rows grow brighter, as the filter does: NVIDIA's sample
  // FilterBorderControlNPP says that a white border shows at the right and at the bottom.
  std::copy(mask_y.weights.begin(), mask_y.weights.end(), work.mask_y);
  work.src = operand(src, src_step);
  work.x = operand(x, x_step);
  work.y = operand(y, y_step);
  work.magnitude = operand(magnitude, magnitude_step);
  work.angle = operand(angle, angle_step);
  work.width = size.width;
  work.height = size.height;
  work.size = wanted.width;
  work.norm = norm;
  return finish(call, launch(work, call.stream));
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_GENERAL_FILTER(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_BOX(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_FIXED_FILTER(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_OTHER_FILTER(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_GRADIENT(HEDDLE_NPP_DEFINE)
