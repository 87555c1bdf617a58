// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppist: statistics of images, integral images and histograms.
#pragma GCC visibility push(default)
#include <nppi_linear_transforms.h>
#include <nppi_statistics_functions.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/pointwise.h"
#include "kernels/reduce.h"

namespace heddle::npp {
namespace {

using enum Reduction;
constexpr Op MaxEvery = Op::Max, MinEvery = Op::Min;

template <typename S>
NppStatus prepare(const Call &call, Reduce &work, Reduction kind, Channels channels, const S *src,
                  int src_step, NppiSize size, const void *buffer) {
  if (const NppStatus status = checkImages(call, {{src, src_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer}))
    return status;
  work.kind = kind;
  work.a = operand(src, src_step);
  work.width = size.width;
  work.height = size.height;
  work.channels = channels.count;
  work.used = channels.alpha ? 3 : channels.count;
  work.scratch = const_cast<void *>(buffer);
  return NPP_SUCCESS;
}

NppStatus setMask(const Call &call, Reduce &work, const Npp8u *mask, int step) {
  if (const NppStatus status = checkNotNull(call, {mask}))
    return status;
  if (step <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_STEP_ERROR, "the mask's step is not positive");
  work.mask = mask;
  work.mask_step = step;
  return NPP_SUCCESS;
}

// Only one of three channels, counted from 1.
NppStatus setChannel(const Call &call, Reduce &work, int coi) {
  if (coi < 1 || coi > 3)
    return HEDDLE_NPP_REFUSE(call, NPP_COI_ERROR, "the channel of interest is not 1, 2 or 3");
  work.a.data += (coi - 1) * sizeOf(work.a.type);
  work.used = 1;
  return NPP_SUCCESS;
}

NppStatus run(const Call &call, const Reduce &work) {
  return finish(call, launch(work, call.stream));
}

NppStatus bufferSize(const Call &call, int, NppiSize size, size_t *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  if (size.width < 0 || size.height < 0)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region's width or height is negative");
  *bytes = reduce_scratch;
  return NPP_SUCCESS;
}

// What all reductions to one or two results a channel come to; `coi` is 0 for all channels.
struct Results {
  const Npp8u *mask = nullptr;
  int mask_step = 0;
  bool masked = false;
  int coi = -1;
};

template <typename S, typename R>
NppStatus reduceTo(const Call &call, Reduction kind, Channels channels, const S *src, int src_step,
                   NppiSize size, Npp8u *buffer, R *first, R *second, const Results &how = {}) {
  Reduce work;
  if (const NppStatus status = prepare(call, work, kind, channels, src, src_step, size, buffer))
    return status;
  if (const NppStatus status = checkNotNull(call, {first}))
    return status;
  if (how.masked)
    if (const NppStatus status = setMask(call, work, how.mask, how.mask_step))
      return status;
  if (how.coi >= 0)
    if (const NppStatus status = setChannel(call, work, how.coi))
      return status;
  work.first = first;
  work.second = second;
  work.result = typeOf<R>();
  return run(call, work);
}

template <typename S, typename R>
NppStatus reduce(const Call &call, Reduction kind, Channels channels, const S *src, int src_step,
                 NppiSize size, Npp8u *buffer, R *result) {
  return reduceTo(call, kind, channels, src, src_step, size, buffer, result, (R *)nullptr);
}
template <typename S, typename R>
NppStatus reduceM(const Call &call, Reduction kind, const S *src, int src_step, const Npp8u *mask,
                  int mask_step, NppiSize size, Npp8u *buffer, R *result) {
  return reduceTo(call, kind, C1, src, src_step, size, buffer, result, (R *)nullptr,
                  {mask, mask_step, true});
}
template <typename S, typename R>
NppStatus reduceCM(const Call &call, Reduction kind, const S *src, int src_step, const Npp8u *mask,
                   int mask_step, NppiSize size, int coi, Npp8u *buffer, R *result) {
  return reduceTo(call, kind, C3, src, src_step, size, buffer, result, (R *)nullptr,
                  {mask, mask_step, true, std::max(coi, 0)});
}

template <typename S>
NppStatus deviation(const Call &call, Reduction kind, const S *src, int src_step, NppiSize size,
                    Npp8u *buffer, Npp64f *mean, Npp64f *deviation) {
  if (const NppStatus status = checkNotNull(call, {deviation}))
    return status;
  return reduceTo(call, kind, C1, src, src_step, size, buffer, mean, deviation);
}
template <typename S>
NppStatus deviationM(const Call &call, Reduction kind, const S *src, int src_step,
                     const Npp8u *mask, int mask_step, NppiSize size, Npp8u *buffer, Npp64f *mean,
                     Npp64f *deviation) {
  if (const NppStatus status = checkNotNull(call, {deviation}))
    return status;
  return reduceTo(call, kind, C1, src, src_step, size, buffer, mean, deviation,
                  {mask, mask_step, true});
}
template <typename S>
NppStatus deviationC(const Call &call, Reduction kind, const S *src, int src_step, NppiSize size,
                     int coi, Npp8u *buffer, Npp64f *mean, Npp64f *deviation) {
  if (const NppStatus status = checkNotNull(call, {deviation}))
    return status;
  return reduceTo(call, kind, C3, src, src_step, size, buffer, mean, deviation,
                  {nullptr, 0, false, std::max(coi, 0)});
}
template <typename S>
NppStatus deviationCM(const Call &call, Reduction kind, const S *src, int src_step,
                      const Npp8u *mask, int mask_step, NppiSize size, int coi, Npp8u *buffer,
                      Npp64f *mean, Npp64f *deviation) {
  if (const NppStatus status = checkNotNull(call, {deviation}))
    return status;
  return reduceTo(call, kind, C3, src, src_step, size, buffer, mean, deviation,
                  {mask, mask_step, true, std::max(coi, 0)});
}

template <typename S>
NppStatus indexed(const Call &call, Reduction kind, Channels channels, const S *src, int src_step,
                  NppiSize size, Npp8u *buffer, S *result, int *x, int *y) {
  Reduce work;
  if (const NppStatus status = prepare(call, work, kind, channels, src, src_step, size, buffer))
    return status;
  if (const NppStatus status = checkNotNull(call, {result, x, y}))
    return status;
  work.first = result;
  work.result = typeOf<S>();
  work.x = x;
  work.y = y;
  return run(call, work);
}

template <typename S>
NppStatus minMax(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
                 S *least, S *most, Npp8u *buffer) {
  if (const NppStatus status = checkNotNull(call, {most}))
    return status;
  return reduceTo(call, MinMax, channels, src, src_step, size, buffer, least, most);
}

template <typename S>
NppStatus extremes(const Call &call, int channels, const S *src, int src_step, NppiSize size,
                   const Results &how, S *least, S *most, NppiPoint *least_at, NppiPoint *most_at,
                   Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status =
          prepare(call, work, MinMaxIndx, {channels}, src, src_step, size, buffer))
    return status;
  if (const NppStatus status = checkNotNull(call, {least, most, least_at, most_at}))
    return status;
  if (how.masked)
    if (const NppStatus status = setMask(call, work, how.mask, how.mask_step))
      return status;
  if (how.coi >= 0)
    if (const NppStatus status = setChannel(call, work, how.coi))
      return status;
  work.first = least;
  work.second = most;
  work.result = typeOf<S>();
  work.first_at = least_at;
  work.second_at = most_at;
  return run(call, work);
}
template <typename S, typename... Rest>
NppStatus minMaxIndex(const Call &call, int channels, const S *src, int src_step, NppiSize size,
                      Rest... rest) {
  return extremes(call, channels, src, src_step, size, {}, rest...);
}
template <typename S, typename... Rest>
NppStatus minMaxIndexM(const Call &call, int channels, const S *src, int src_step,
                       const Npp8u *mask, int mask_step, NppiSize size, Rest... rest) {
  return extremes(call, channels, src, src_step, size, {mask, mask_step, true}, rest...);
}
template <typename S, typename... Rest>
NppStatus minMaxIndexC(const Call &call, int channels, const S *src, int src_step, NppiSize size,
                       int coi, Rest... rest) {
  return extremes(call, channels, src, src_step, size, {nullptr, 0, false, std::max(coi, 0)},
                  rest...);
}
template <typename S, typename... Rest>
NppStatus minMaxIndexCM(const Call &call, int channels, const S *src, int src_step,
                        const Npp8u *mask, int mask_step, NppiSize size, int coi, Rest... rest) {
  return extremes(call, channels, src, src_step, size, {mask, mask_step, true, std::max(coi, 0)},
                  rest...);
}

template <typename S>
NppStatus norm(const Call &call, Reduction kind, Channels channels, const S *src, int src_step,
               NppiSize size, Npp64f *norm, Npp8u *buffer) {
  return reduce(call, kind, channels, src, src_step, size, buffer, norm);
}
template <typename S>
NppStatus normM(const Call &call, Reduction kind, const S *src, int src_step, const Npp8u *mask,
                int mask_step, NppiSize size, Npp64f *norm, Npp8u *buffer) {
  return reduceM(call, kind, src, src_step, mask, mask_step, size, buffer, norm);
}
template <typename S>
NppStatus normCM(const Call &call, Reduction kind, const S *src, int src_step, const Npp8u *mask,
                 int mask_step, NppiSize size, int coi, Npp64f *norm, Npp8u *buffer) {
  return reduceCM(call, kind, src, src_step, mask, mask_step, size, coi, buffer, norm);
}

// Errors are of all channels together, norms of each.
bool isOfAllChannels(Reduction kind) { return kind >= AverageError || kind == Mse || kind == Psnr; }

template <typename S, typename R>
NppStatus twoTo(const Call &call, Reduction kind, Channels channels, const S *src1, int step1,
                const S *src2, int step2, NppiSize size, R *result, Npp8u *buffer,
                const Results &how) {
  Reduce work;
  if (const NppStatus status = checkImages(call, {{src1, step1}, {src2, step2}}, size))
    return status;
  if (const NppStatus status = prepare(call, work, kind, channels, src1, step1, size, buffer))
    return status;
  if (const NppStatus status = checkNotNull(call, {result}))
    return status;
  if (how.masked)
    if (const NppStatus status = setMask(call, work, how.mask, how.mask_step))
      return status;
  if (isOfAllChannels(kind)) {
    work.width *= channels.count;
    work.channels = work.used = 1;
  }
  work.b = operand(src2, step2);
  work.first = result;
  work.result = typeOf<R>();
  return run(call, work);
}
template <typename S, typename R>
NppStatus norm2(const Call &call, Reduction kind, Channels channels, const S *src1, int step1,
                const S *src2, int step2, NppiSize size, R *result, Npp8u *buffer) {
  return twoTo(call, kind, channels, src1, step1, src2, step2, size, result, buffer, {});
}
template <typename S>
NppStatus norm2M(const Call &call, Reduction kind, const S *src1, int step1, const S *src2,
                 int step2, const Npp8u *mask, int mask_step, NppiSize size, Npp64f *result,
                 Npp8u *buffer) {
  return twoTo(call, kind, C1, src1, step1, src2, step2, size, result, buffer,
               {mask, mask_step, true});
}

template <typename S, typename K>
NppStatus count(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
                int *counts, K low, K high, Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = prepare(call, work, Count, channels, src, src_step, size, buffer))
    return status;
  if (const NppStatus status = checkNotNull(call, {counts}))
    return status;
  if constexpr (std::is_pointer_v<K>) {
    if (const NppStatus status = checkNotNull(call, {low, high}))
      return status;
    for (int i = 0; i < work.used; ++i) {
      work.low[i] = low[i];
      work.high[i] = high[i];
    }
  } else {
    work.low[0] = low;
    work.high[0] = high;
  }
  for (int i = 0; i < work.used; ++i)
    if (work.low[i] > work.high[i])
      return HEDDLE_NPP_REFUSE(call, NPP_RANGE_ERROR, "a lower bound is above the upper");
  work.first = counts;
  work.result = Type::S32;
  return run(call, work);
}

template <typename S>
NppStatus every(const Call &call, Op op, Channels channels, const S *src, int src_step, S *dst,
                int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Pointwise work;
  work.op = op;
  work.a = operand(dst, dst_step);
  work.b = operand(src, src_step);
  work.out = work.a;
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  return finish(call, launch(work, call.stream));
}

template <typename D>
NppStatus integral(const Call &call, int, const Npp8u *src, int src_step, D *dst, int dst_step,
                   NppiSize size, D value) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Integral work{operand(src, src_step), operand(dst, dst_step), {}, size.width, size.height};
  work.first = value;
  return finish(call, launch(work, call.stream));
}
template <typename D, typename Q>
NppStatus sqrIntegral(const Call &call, int, const Npp8u *src, int src_step, D *dst, int dst_step,
                      Q *squares, int squares_step, NppiSize size, D value, Q square_value) {
  if (const NppStatus status =
          checkImages(call, {{src, src_step}, {dst, dst_step}, {squares, squares_step}}, size))
    return status;
  Integral work{operand(src, src_step), operand(dst, dst_step), operand(squares, squares_step),
                size.width, size.height};
  work.first = value;
  work.first_square = square_value;
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus rectStdDev(const Call &call, int, const S *sums, int sums_step, const Npp64f *squares,
                     int squares_step, Npp32f *dst, int dst_step, NppiSize size, NppiRect rect) {
  if (const NppStatus status =
          checkImages(call, {{sums, sums_step}, {squares, squares_step}, {dst, dst_step}}, size))
    return status;
  if (rect.width <= 0 || rect.height <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_RECTANGLE_ERROR, "the rectangle has no pixels");
  const RectDeviation work{operand(sums, sums_step),
                           operand(squares, squares_step),
                           operand(dst, dst_step),
                           size.width,
                           size.height,
                           rect};
  return finish(call, launch(work, call.stream));
}

template <typename S>
NppStatus prepare(const Call &call, Histogram &work, Channels channels, const S *src, int src_step,
                  NppiSize size, const Npp8u *buffer, int levels, Npp32s *counts) {
  if (const NppStatus status = checkImages(call, {{src, src_step}}, size))
    return status;
  if (const NppStatus status = checkNotNull(call, {buffer, counts}))
    return status;
  if (levels < 2)
    return HEDDLE_NPP_REFUSE(call, NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR,
                             "a histogram has at least two levels");
  work.src = operand(src, src_step);
  work.width = size.width;
  work.height = size.height;
  work.channels = channels.count;
  work.bins = levels - 1;
  work.counts = counts;
  return NPP_SUCCESS;
}

template <typename S>
NppStatus even(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
               Npp32s *counts, int levels, Npp32s low, Npp32s high, Npp8u *buffer) {
  Histogram work;
  if (const NppStatus status =
          prepare(call, work, channels, src, src_step, size, buffer, levels, counts))
    return status;
  if (low >= high)
    return HEDDLE_NPP_REFUSE(call, NPP_RANGE_ERROR, "the lowest level is not below the highest");
  work.low = low;
  work.high = high;
  return finish(call, launch(work, call.stream));
}
template <typename S, typename L>
NppStatus range(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
                Npp32s *counts, const L *levels, int level_count, Npp8u *buffer) {
  Histogram work;
  if (const NppStatus status =
          prepare(call, work, channels, src, src_step, size, buffer, level_count, counts))
    return status;
  if (const NppStatus status = checkNotNull(call, {levels}))
    return status;
  work.levels = levels;
  work.level_type = typeOf<L>();
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus evens(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
                Npp32s **counts, int *levels, Npp32s *low, Npp32s *high, Npp8u *buffer) {
  if (const NppStatus status = checkNotNull(call, {src, counts, levels, low, high}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    if (const NppStatus status = even(call, channels, src + i, src_step, size, counts[i], levels[i],
                                      low[i], high[i], buffer))
      return status;
  return NPP_SUCCESS;
}
template <typename S, typename L>
NppStatus ranges(const Call &call, Channels channels, const S *src, int src_step, NppiSize size,
                 Npp32s **counts, const L **levels, int *level_counts, Npp8u *buffer) {
  if (const NppStatus status = checkNotNull(call, {src, counts, levels, level_counts}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    if (const NppStatus status = range(call, channels, src + i, src_step, size, counts[i],
                                       levels[i], level_counts[i], buffer))
      return status;
  return NPP_SUCCESS;
}
NppStatus histogramSize(const Call &call, Channels, NppiSize size, int levels, size_t *bytes) {
  if (levels < 2)
    return HEDDLE_NPP_REFUSE(call, NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR,
                             "a histogram has at least two levels");
  return bufferSize(call, 0, size, bytes);
}
NppStatus histogramSizes(const Call &call, Channels channels, NppiSize size, int *levels,
                         size_t *bytes) {
  if (const NppStatus status = checkNotNull(call, {levels}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    if (const NppStatus status = histogramSize(call, channels, size, levels[i], bytes))
      return status;
  return NPP_SUCCESS;
}

NppStatus magnitude(const Call &call, bool squared, const Npp32fc *src, int src_step, Npp32f *dst,
                    int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  const Magnitude work{operand(src, src_step), operand(dst, dst_step), size.width, size.height,
                       squared};
  return finish(call, launch(work, call.stream));
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_REDUCE(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_MASKED(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_NORMS(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_INTEGRAL(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_HISTOGRAM(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_LINEAR(HEDDLE_NPP_DEFINE)

NppStatus nppiEvenLevelsHost_32s(Npp32s *hpLevels, int nLevels, Npp32s nLowerLevel,
                                 Npp32s nUpperLevel) {
  const Call call = {"nppiEvenLevelsHost_32s", nullptr};
  if (const NppStatus status = checkNotNull(call, {hpLevels}))
    return status;
  if (nLevels < 2)
    return HEDDLE_NPP_REFUSE(call, NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR,
                             "a histogram has at least two levels");
  for (int i = 0; i < nLevels; ++i)
    hpLevels[i] =
        Npp32s(nLowerLevel + (long long)i * ((long long)nUpperLevel - nLowerLevel) / (nLevels - 1));
  return NPP_SUCCESS;
}
NppStatus nppiEvenLevelsHost_32s_Ctx(Npp32s *hpLevels, int nLevels, Npp32s nLowerLevel,
                                     Npp32s nUpperLevel, NppStreamContext) {
  return nppiEvenLevelsHost_32s(hpLevels, nLevels, nLowerLevel, nUpperLevel);
}
