// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppitc: thresholds and comparisons.
#pragma GCC visibility push(default)
#include <nppi_threshold_and_compare_operations.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/pointwise.h"

namespace heddle::npp {
namespace {

using enum Op;

// A constant of one channel, or an array of them; null for an array that is not there.
template <typename K> const K *valuesOf(const K &value) { return &value; }
template <typename K> const K *valuesOf(const K *values) { return values; }

template <typename S>
NppStatus prepare(const Call &call, Pointwise &work, Op op, Channels channels, const S *src,
                  int src_step, S *dst, int dst_step, NppiSize size) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  work.op = op;
  work.a = operand(src, src_step);
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.width = (long long)size.width * channels.count;
  work.height = size.height;
  work.alpha = channels.alpha;
  return NPP_SUCCESS;
}

template <typename K>
NppStatus fill(const Call &call, double *to, const K *values, Channels channels) {
  if (const NppStatus status = checkNotNull(call, {values}))
    return status;
  for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
    to[i] = values[i];
  return NPP_SUCCESS;
}

template <typename S, typename K>
NppStatus thresholdVal(const Call &call, Op op, Channels channels, const S *src, int src_step,
                       S *dst, int dst_step, NppiSize size, K threshold, K value) {
  Pointwise work;
  if (const NppStatus status =
          prepare(call, work, op, channels, src, src_step, dst, dst_step, size))
    return status;
  if (const NppStatus status = fill(call, work.c, valuesOf(threshold), channels))
    return status;
  if (const NppStatus status = fill(call, work.d, valuesOf(value), channels))
    return status;
  return finish(call, launch(work, call.stream));
}
template <typename S, typename K>
NppStatus thresholdValI(const Call &call, Op op, Channels channels, S *dst, int step, NppiSize size,
                        K threshold, K value) {
  return thresholdVal(call, op, channels, dst, step, dst, step, size, threshold, value);
}
template <typename S, typename K>
NppStatus threshold(const Call &call, Op op, Channels channels, const S *src, int src_step, S *dst,
                    int dst_step, NppiSize size, K threshold) {
  return thresholdVal(call, op, channels, src, src_step, dst, dst_step, size, threshold, threshold);
}
template <typename S, typename K>
NppStatus thresholdI(const Call &call, Op op, Channels channels, S *dst, int step, NppiSize size,
                     K threshold) {
  return thresholdVal(call, op, channels, dst, step, dst, step, size, threshold, threshold);
}

template <typename S, typename K>
NppStatus thresholdValOp(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                         int dst_step, NppiSize size, K threshold, K value, NppCmpOp comparison) {
  switch (comparison) {
  case NPP_CMP_LESS:
  case NPP_CMP_EQ:
  case NPP_CMP_GREATER:
    return thresholdVal(call,
                        comparison == NPP_CMP_LESS ? Op::Less
                        : comparison == NPP_CMP_EQ ? Op::Equal
                                                   : Op::Greater,
                        channels, src, src_step, dst, dst_step, size, threshold, value);
  default:
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR,
                             "thresholds know NPP_CMP_LESS and NPP_CMP_GREATER");
  }
}
template <typename S, typename K>
NppStatus thresholdValOpI(const Call &call, Channels channels, S *dst, int step, NppiSize size,
                          K threshold, K value, NppCmpOp comparison) {
  return thresholdValOp(call, channels, dst, step, dst, step, size, threshold, value, comparison);
}
template <typename S, typename K>
NppStatus thresholdOp(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                      int dst_step, NppiSize size, K threshold, NppCmpOp comparison) {
  return thresholdValOp(call, channels, src, src_step, dst, dst_step, size, threshold, threshold,
                        comparison);
}
template <typename S, typename K>
NppStatus thresholdOpI(const Call &call, Channels channels, S *dst, int step, NppiSize size,
                       K threshold, NppCmpOp comparison) {
  return thresholdValOp(call, channels, dst, step, dst, step, size, threshold, threshold,
                        comparison);
}

template <typename S, typename K>
NppStatus thresholdTwo(const Call &call, Channels channels, const S *src, int src_step, S *dst,
                       int dst_step, NppiSize size, K low, K low_value, K high, K high_value) {
  Pointwise work;
  if (const NppStatus status =
          prepare(call, work, Op::LessGreater, channels, src, src_step, dst, dst_step, size))
    return status;
  const struct {
    double *to;
    const S *values;
  } wanted[] = {{work.c, valuesOf(low)},
                {work.e, valuesOf(low_value)},
                {work.d, valuesOf(high)},
                {work.f, valuesOf(high_value)}};
  for (const auto &[to, values] : wanted)
    if (const NppStatus status = fill(call, to, values, channels))
      return status;
  for (int i = 0; i < 3; ++i)
    if (work.c[i] > work.d[i])
      return HEDDLE_NPP_REFUSE(call, NPP_THRESHOLD_ERROR, "the lower threshold is above the upper");
  return finish(call, launch(work, call.stream));
}
template <typename S, typename K>
NppStatus thresholdTwoI(const Call &call, Channels channels, S *dst, int step, NppiSize size, K low,
                        K low_value, K high, K high_value) {
  return thresholdTwo(call, channels, dst, step, dst, step, size, low, low_value, high, high_value);
}

NppStatus comparisonOf(const Call &call, NppCmpOp comparison, Op &op) {
  if (comparison < NPP_CMP_LESS || comparison > NPP_CMP_GREATER)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR, "no such comparison");
  op = Op(int(Op::CompareLess) + comparison);
  return NPP_SUCCESS;
}

// Compares with an image or, if `src2` is null, with constants.
template <typename S>
NppStatus compareWith(const Call &call, Op op, Channels channels, const S *src1, int step1,
                      const S *src2, int step2, const S *constants, Npp8u *dst, int dst_step,
                      NppiSize size, float epsilon = 0) {
  if (const NppStatus status = checkImages(
          call, {{src1, step1}, {src2 ? src2 : src1, src2 ? step2 : step1}, {dst, dst_step}}, size))
    return status;
  Pointwise work;
  work.op = op;
  work.a = operand(src1, step1);
  if (src2)
    work.b = operand(src2, step2);
  else if (const NppStatus status = fill(call, work.b_constant, constants, channels))
    return status;
  work.out = operand(dst, dst_step);
  work.channels = channels.count;
  work.alpha = channels.alpha;
  work.width = size.width;
  work.height = size.height;
  work.c[0] = epsilon;
  return finish(call, launchComparison(work, call.stream));
}

template <typename S>
NppStatus compareTwo(const Call &call, Channels channels, const S *src1, int step1, const S *src2,
                     int step2, Npp8u *dst, int dst_step, NppiSize size, NppCmpOp comparison) {
  Op op;
  if (const NppStatus status = checkNotNull(call, {src2}))
    return status;
  if (const NppStatus status = comparisonOf(call, comparison, op))
    return status;
  return compareWith(call, op, channels, src1, step1, src2, step2, (const S *)nullptr, dst,
                     dst_step, size);
}
template <typename S, typename K>
NppStatus compareC(const Call &call, Channels channels, const S *src, int src_step, K constant,
                   Npp8u *dst, int dst_step, NppiSize size, NppCmpOp comparison) {
  Op op;
  if (const NppStatus status = comparisonOf(call, comparison, op))
    return status;
  return compareWith(call, op, channels, src, src_step, (const S *)nullptr, 0, valuesOf(constant),
                     dst, dst_step, size);
}
NppStatus checkEpsilon(const Call &call, float epsilon) {
  return epsilon >= 0 ? NPP_SUCCESS
                      : HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR, "epsilon is negative");
}
NppStatus compareEps(const Call &call, Channels channels, const float *src1, int step1,
                     const float *src2, int step2, Npp8u *dst, int dst_step, NppiSize size,
                     float epsilon) {
  if (const NppStatus status = checkNotNull(call, {src2}))
    return status;
  if (const NppStatus status = checkEpsilon(call, epsilon))
    return status;
  return compareWith(call, Op::CompareNear, channels, src1, step1, src2, step2,
                     (const float *)nullptr, dst, dst_step, size, epsilon);
}
template <typename K>
NppStatus compareEpsC(const Call &call, Channels channels, const float *src, int src_step,
                      K constant, Npp8u *dst, int dst_step, NppiSize size, float epsilon) {
  if (const NppStatus status = checkEpsilon(call, epsilon))
    return status;
  return compareWith(call, Op::CompareNear, channels, src, src_step, (const float *)nullptr, 0,
                     valuesOf(constant), dst, dst_step, size, epsilon);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_THRESHOLD(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_COMPARE(HEDDLE_NPP_DEFINE)
