// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppim: morphology.
#pragma GCC visibility push(default)
#include <nppi_morphological_operations.h>
#pragma GCC visibility pop

#include "around.h"
#include "kernels/pointwise.h"

namespace heddle::npp {
namespace {

constexpr Around Dilate = Around::Most, Erode = Around::Least;
enum class Twice { Open, Close, TopHat, BlackHat, MorphGradient };
using enum Twice;

// Masks of bytes choose pixels; those of other types are added to or subtracted from them.
template <typename S, typename K>
NppStatus morphBy(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                  S *dst, int dst_step, NppiSize size, const K *mask, NppiSize mask_size,
                  NppiPoint anchor, const Edge *edge) {
  if (const NppStatus status = checkNotNull(call, {mask}))
    return status;
  Neighbourhood work;
  if (const NppStatus status = prepare(call, work, kind, channels, src, src_step, dst, dst_step,
                                       size, mask_size, anchor, edge))
    return status;
  if constexpr (sizeof(K) == 1)
    work.mask = mask;
  else {
    work.weights = reinterpret_cast<const char *>(mask);
    work.weight_type = typeOf<K>();
  }
  return run(call, work);
}
template <typename S, typename K>
NppStatus morph(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                S *dst, int dst_step, NppiSize size, const K *mask, NppiSize mask_size,
                NppiPoint anchor) {
  return morphBy(call, kind, channels, src, src_step, dst, dst_step, size, mask, mask_size, anchor,
                 nullptr);
}
template <typename S, typename K>
NppStatus morphBorder(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                      NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                      const K *mask, NppiSize mask_size, NppiPoint anchor, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return morphBy(call, kind, channels, src, src_step, dst, dst_step, size, mask, mask_size, anchor,
                 &edge);
}
template <typename S>
NppStatus square(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                 S *dst, int dst_step, NppiSize size, const Edge *edge) {
  Neighbourhood work;
  if (const NppStatus status = prepare(call, work, kind, channels, src, src_step, dst, dst_step,
                                       size, {3, 3}, {1, 1}, edge))
    return status;
  return run(call, work);
}
template <typename S>
NppStatus morph3x3(const Call &call, Around kind, Channels channels, const S *src, int src_step,
                   S *dst, int dst_step, NppiSize size) {
  return square(call, kind, channels, src, src_step, dst, dst_step, size, nullptr);
}
template <typename S>
NppStatus morph3x3Border(const Call &call, Around kind, Channels channels, const S *src,
                         int src_step, NppiSize src_size, NppiPoint offset, S *dst, int dst_step,
                         NppiSize size, NppiBorderType type) {
  const Edge edge{src_size, offset, type};
  return square(call, kind, channels, src, src_step, dst, dst_step, size, &edge);
}

// a = a - b or b - a
template <typename S>
NppStatus subtract(const Call &call, Channels channels, const S *a, int a_step, const S *b,
                   int b_step, S *dst, int dst_step, NppiSize size) {
  Pointwise work;
  work.op = Op::Sub;
  work.a = operand(a, a_step);
  work.b = operand(b, b_step);
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  return finish(call, launch(work, call.stream));
}

// The buffer holds the region after the first of two operations; beyond it the edge is repeated.
template <typename S>
NppStatus morphTwice(const Call &call, Twice what, Channels channels, const S *src, int src_step,
                     NppiSize src_size, NppiPoint offset, S *dst, int dst_step, NppiSize size,
                     const Npp8u *mask, NppiSize mask_size, NppiPoint anchor, Npp8u *buffer,
                     NppiBorderType type) {
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  const size_t address = (reinterpret_cast<size_t>(buffer) + 15) / 16 * 16;
  S *const between = reinterpret_cast<S *>(address);
  const int step = int(sizeof(S)) * channels.count * size.width;
  const bool erodes_first =
      what == Twice::Open || what == Twice::TopHat || what == Twice::MorphGradient;
  const Edge edge{src_size, offset, type}, inner{size, {0, 0}, type};
  if (const NppStatus status = morphBy(call, erodes_first ? Erode : Dilate, channels, src, src_step,
                                       between, step, size, mask, mask_size, anchor, &edge))
    return status;
  if (what == Twice::MorphGradient) {
    if (const NppStatus status = morphBy(call, Dilate, channels, src, src_step, dst, dst_step, size,
                                         mask, mask_size, anchor, &edge))
      return status;
    return subtract(call, channels, dst, dst_step, between, step, dst, dst_step, size);
  }
  if (const NppStatus status = morphBy(call, erodes_first ? Dilate : Erode, channels, between, step,
                                       dst, dst_step, size, mask, mask_size, anchor, &inner))
    return status;
  if (what == Twice::TopHat)
    return subtract(call, channels, src, src_step, dst, dst_step, dst, dst_step, size);
  if (what == Twice::BlackHat)
    return subtract(call, channels, dst, dst_step, src, src_step, dst, dst_step, size);
  return NPP_SUCCESS;
}
NppStatus morphSize(const Call &call, size_t element, Channels channels, NppiSize size,
                    int *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  const double wanted = double(element) * channels.count * size.width * size.height + 16;
  if (size.width < 0 || size.height < 0 || wanted > NPP_MAX_32S)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region is negative or too large");
  *bytes = int(wanted);
  return NPP_SUCCESS;
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_MORPHOLOGY(HEDDLE_NPP_DEFINE)
