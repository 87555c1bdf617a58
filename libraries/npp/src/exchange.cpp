// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppidei: filling, copying, converting and rearranging images.
#pragma GCC visibility push(default)
#include <nppi_data_exchange_and_initialization.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/geometry.h"
#include "kernels/move.h"
#include "kernels/pointwise.h"

#include <cstring>

namespace heddle::npp {
namespace {

NppStatus run(const Call &call, const auto &work) {
  return finish(call, launch(work, call.stream));
}

template <typename D> Move moveTo(D *dst, int step, int count, int stride, NppiSize size) {
  Move move;
  move.element = sizeof(D);
  move.count = count;
  for (int i = 0; i < count; ++i)
    move.dst[i] = reinterpret_cast<char *>(dst + i);
  move.dst_step = step;
  move.dst_stride = stride;
  move.width = size.width;
  move.height = size.height;
  return move;
}

template <typename S> void moveFrom(Move &move, const S *src, int step, int stride) {
  for (int i = 0; i < move.count; ++i)
    move.src[i] = reinterpret_cast<const char *>(src + i);
  move.src_step = step;
  move.src_stride = stride;
}

template <typename K> void setConstants(Move &move, const K *values) {
  for (int i = 0; i < move.count; ++i)
    std::memcpy(move.constant[i], values + i, sizeof(K));
}

int written(Channels channels) { return channels.alpha ? 3 : channels.count; }

template <typename D>
NppStatus setsM(const Call &call, Channels channels, const D *values, D *dst, int step,
                NppiSize size, const Npp8u *mask, int mask_step) {
  if (const NppStatus status = checkNotNull(call, {values}))
    return status;
  if (const NppStatus status = checkImages(call, {{dst, step}, {mask, mask_step}}, size))
    return status;
  Move move = moveTo(dst, step, written(channels), channels.count, size);
  setConstants(move, values);
  move.mask = mask;
  move.mask_step = mask_step;
  return run(call, move);
}
template <typename D>
NppStatus setM(const Call &call, Channels channels, const D value, D *dst, int step, NppiSize size,
               const Npp8u *mask, int mask_step) {
  return setsM(call, channels, &value, dst, step, size, mask, mask_step);
}
template <typename D>
NppStatus sets(const Call &call, Channels channels, const D *values, D *dst, int step,
               NppiSize size) {
  if (const NppStatus status = checkNotNull(call, {values}))
    return status;
  if (const NppStatus status = checkImages(call, {{dst, step}}, size))
    return status;
  Move move = moveTo(dst, step, written(channels), channels.count, size);
  setConstants(move, values);
  return run(call, move);
}
// One channel of `channels`, which the pointer chooses.
template <typename D>
NppStatus set(const Call &call, Channels channels, const D value, D *dst, int step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{dst, step}}, size))
    return status;
  Move move = moveTo(dst, step, 1, channels.count, size);
  setConstants(move, &value);
  return run(call, move);
}

template <typename S>
NppStatus copy(const Call &call, Channels channels, const S *src, int src_step, S *dst,
               int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (!channels.alpha)
    return finish(call, cudaMemcpy2DAsync(dst, dst_step, src, src_step,
                                          sizeof(S) * channels.count * size.width, size.height,
                                          cudaMemcpyDeviceToDevice, call.stream));
  Move move = moveTo(dst, dst_step, 3, 4, size);
  moveFrom(move, src, src_step, 4);
  return run(call, move);
}
template <typename S>
NppStatus copyM(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                int dst_step, NppiSize size, const Npp8u *mask, int mask_step) {
  if (const NppStatus status =
          checkImages(call, {{src, src_step}, {dst, dst_step}, {mask, mask_step}}, size))
    return status;
  Move move = moveTo(dst, dst_step, written(channels), channels.count, size);
  moveFrom(move, src, src_step, channels.count);
  move.mask = mask;
  move.mask_step = mask_step;
  return run(call, move);
}
template <typename S>
NppStatus copyChannel(const Call &call, int from, int to, const S *src, int src_step, S *dst,
                      int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Move move = moveTo(dst, dst_step, 1, to, size);
  moveFrom(move, src, src_step, from);
  return run(call, move);
}
template <typename S>
NppStatus toPlanes(const Call &call, Channels channels, const S *src, int src_step,
                   S *const *planes, int dst_step, NppiSize size) {
  if (const NppStatus status = checkNotNull(call, {planes}))
    return status;
  for (int i = 0; i < channels.count; ++i)
    if (const NppStatus status = checkImages(call, {{src, src_step}, {planes[i], dst_step}}, size))
      return status;
  Move move = moveTo(planes[0], dst_step, channels.count, 1, size);
  moveFrom(move, src, src_step, channels.count);
  for (int i = 0; i < channels.count; ++i)
    move.dst[i] = reinterpret_cast<char *>(planes[i]);
  return run(call, move);
}
template <typename S>
NppStatus fromPlanes(const Call &call, Channels channels, const S *const *planes, int src_step,
                     S *dst, int dst_step, NppiSize size) {
  if (const NppStatus status = checkNotNull(call, {planes}))
    return status;
  for (int i = 0; i < channels.count; ++i)
    if (const NppStatus status = checkImages(call, {{planes[i], src_step}, {dst, dst_step}}, size))
      return status;
  Move move = moveTo(dst, dst_step, channels.count, channels.count, size);
  moveFrom(move, planes[0], src_step, 1);
  for (int i = 0; i < channels.count; ++i)
    move.src[i] = reinterpret_cast<const char *>(planes[i]);
  return run(call, move);
}

template <typename S>
NppStatus withBorder(const Call &call, Place place, Channels channels, const S *src, int src_step,
                     NppiSize src_size, S *dst, int dst_step, NppiSize dst_size, int top, int left,
                     const S *values) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, dst_size))
    return status;
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, src_size))
    return status;
  if (top < 0 || left < 0 || dst_size.width < src_size.width + left ||
      dst_size.height < src_size.height + top)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR,
                             "the destination has no room for the source and its borders");
  Move move = moveTo(dst, dst_step, written(channels), channels.count, dst_size);
  moveFrom(move, src, src_step, channels.count);
  move.place = place;
  move.src_width = src_size.width;
  move.src_height = src_size.height;
  move.top = top;
  move.left = left;
  if (values)
    setConstants(move, values);
  return run(call, move);
}
template <typename S>
NppStatus bordered(const Call &call, NppiBorderType type, Channels channels, const S *src,
                   int src_step, NppiSize src_size, S *dst, int dst_step, NppiSize dst_size,
                   int top, int left) {
  const Place place = type == NPP_BORDER_WRAP ? Place::WrappedBorder : Place::ReplicatedBorder;
  return withBorder(call, place, channels, src, src_step, src_size, dst, dst_step, dst_size, top,
                    left, (const S *)nullptr);
}
template <typename S>
NppStatus constsBorder(const Call &call, Channels channels, const S *src, int src_step,
                       NppiSize src_size, S *dst, int dst_step, NppiSize dst_size, int top,
                       int left, const S *values) {
  if (const NppStatus status = checkNotNull(call, {values}))
    return status;
  return withBorder(call, Place::ConstantBorder, channels, src, src_step, src_size, dst, dst_step,
                    dst_size, top, left, values);
}
template <typename S>
NppStatus constBorder(const Call &call, Channels channels, const S *src, int src_step,
                      NppiSize src_size, S *dst, int dst_step, NppiSize dst_size, int top, int left,
                      S value) {
  return constsBorder(call, channels, src, src_step, src_size, dst, dst_step, dst_size, top, left,
                      &value);
}

template <typename S>
NppStatus dup(const Call &call, int count, int stride, const S *src, int src_step, S *dst,
              int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Move move = moveTo(dst, dst_step, count, stride, size);
  moveFrom(move, src, src_step, 1);
  for (int i = 0; i < count; ++i)
    move.src[i] = reinterpret_cast<const char *>(src);
  return run(call, move);
}
template <typename S>
NppStatus transpose(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                    int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Move move = moveTo(dst, dst_step, channels.count, channels.count, {size.height, size.width});
  moveFrom(move, src, src_step, channels.count);
  move.place = Place::Transposed;
  return run(call, move);
}

// `order` says for each channel of the destination which of the source's it gets; in C3C4 forms, 3
// stands for a value and more than 3 for what is there.
template <typename S>
NppStatus swapChannels(const Call &call, int from, int to, int count, const S *src, int src_step,
                       S *dst, int dst_step, NppiSize size, const int *order, const S *value) {
  if (const NppStatus status = checkNotNull(call, {order}))
    return status;
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Move move = moveTo(dst, dst_step, count, to, size);
  moveFrom(move, src, src_step, from);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (order[i] < 0 || (order[i] >= from && !value))
      return HEDDLE_NPP_REFUSE(call, NPP_CHANNEL_ORDER_ERROR, "the source has no such channel");
    if (order[i] > 3)
      continue;
    move.dst[kept] = reinterpret_cast<char *>(dst + i);
    move.src[kept] = order[i] < from ? reinterpret_cast<const char *>(src + order[i]) : nullptr;
    if (order[i] >= from)
      std::memcpy(move.constant[kept], value, sizeof(S));
    ++kept;
  }
  move.count = kept;
  return run(call, move);
}
template <typename S>
NppStatus swap(const Call &call, int from, int to, int count, const S *src, int src_step, S *dst,
               int dst_step, NppiSize size, const int *order) {
  return swapChannels(call, from, to, count, src, src_step, dst, dst_step, size, order,
                      (const S *)nullptr);
}
template <typename S>
NppStatus swapI(const Call &call, int count, S *dst, int step, NppiSize size, const int *order) {
  return swap(call, count, count, count, dst, step, dst, step, size, order);
}
template <typename S>
NppStatus swapValue(const Call &call, int from, const S *src, int src_step, S *dst, int dst_step,
                    NppiSize size, const int *order, const S value) {
  return swapChannels(call, from, 4, 4, src, src_step, dst, dst_step, size, order, &value);
}

// Linear interpolation at (x + dx, y + dy); the source has a row and a column more.
template <typename S>
NppStatus subpix(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                 int dst_step, NppiSize size, float dx, float dy) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Geometry work;
  work.src = operand(src, src_step);
  work.dst = operand(dst, dst_step);
  work.channels = channels;
  work.src_roi = {0, 0, size.width + 1, size.height + 1};
  work.dst_roi = {0, 0, size.width, size.height};
  work.matrix[0] = work.matrix[4] = 1;
  work.matrix[2] = dx;
  work.matrix[5] = dy;
  work.interpolation = NPPI_INTER_LINEAR;
  return run(call, work);
}

template <typename S, typename D>
NppStatus convertSfs(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                     int dst_step, NppiSize size, NppRoundMode mode, int scale_factor) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  if (mode < NPP_RND_NEAR || mode > NPP_RND_ZERO)
    return HEDDLE_NPP_REFUSE(call, NPP_ROUND_MODE_NOT_SUPPORTED_ERROR, "no such rounding mode");
  Pointwise work;
  work.op = Op::Copy;
  work.a = operand(src, src_step);
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  work.factor = scaleOf(scale_factor);
  work.round = Round(mode);
  return run(call, work);
}
template <typename S, typename D>
NppStatus convertRound(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                       int dst_step, NppiSize size, NppRoundMode mode) {
  return convertSfs(call, channels, src, src_step, dst, dst_step, size, mode, 0);
}
template <typename S, typename D>
NppStatus convert(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                  int dst_step, NppiSize size) {
  return convertSfs(call, channels, src, src_step, dst, dst_step, size, NPP_RND_FINANCIAL, 0);
}

template <typename T> constexpr double lowest() {
  return std::is_signed_v<T> ? -std::ldexp(1.0, 8 * sizeof(T) - 1) : 0;
}
template <typename T> constexpr double highest() {
  return std::ldexp(1.0, 8 * sizeof(T) - std::is_signed_v<T>) - 1;
}

template <typename S, typename D>
NppStatus scaleRange(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                     int dst_step, NppiSize size, float low, float high) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  constexpr bool from_float = std::is_floating_point_v<S>, to_float = std::is_floating_point_v<D>;
  const double from_low = from_float ? low : lowest<S>(),
               from_high = from_float ? high : highest<S>();
  const double to_low = to_float ? low : lowest<D>(), to_high = to_float ? high : highest<D>();
  if ((from_float || to_float) && low >= high)
    return HEDDLE_NPP_REFUSE(call, NPP_SCALE_RANGE_ERROR, "the range is empty");
  Pointwise work;
  work.op = Op::Linear;
  work.round = Round::TowardZero;
  if (!to_float) // whole numbers stay themselves in spite of rounding errors
    work.factor = sizeof(D) == 4 ? 1 + 1e-14 : 1 + 1.2e-7;
  work.a = operand(src, src_step);
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  for (int i = 0; i < channels.count; ++i) {
    work.c[i] = (to_high - to_low) / (from_high - from_low);
    work.d[i] = to_low - from_low * work.c[i];
  }
  return run(call, work);
}
template <typename S, typename D>
NppStatus scale(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                int dst_step, NppiSize size) {
  return scaleRange(call, channels, src, src_step, dst, dst_step, size, 0, 1);
}
template <typename S, typename D>
NppStatus scaleHint(const Call &call, Channels channels, const S *src, int src_step, D *dst,
                    int dst_step, NppiSize size, NppHintAlgorithm) {
  return scaleRange(call, channels, src, src_step, dst, dst_step, size, 0, 1);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_SET(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_COPY(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_BORDERS(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_REARRANGE(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_CONVERT(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_SCALE(HEDDLE_NPP_DEFINE)
