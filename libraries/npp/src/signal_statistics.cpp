// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnpps: statistics of signals.
#pragma GCC visibility push(default)
#include <npps_statistics_functions.h>
#pragma GCC visibility pop

#include "kernels/reduce.h"
#include "signals.h"

namespace heddle::npp {
namespace {

using enum Reduction;

template <typename S>
NppStatus prepare(const Call &call, Reduce &work, Reduction kind, const S *src, size_t length,
                  Npp8u *buffer) {
  if (const NppStatus status = checkSignals(call, {src, buffer}, length))
    return status;
  work.kind = kind;
  work.a = operand(src, 0);
  work.width = length;
  work.scratch = buffer;
  return NPP_SUCCESS;
}
NppStatus signalSize(const Call &call, int, size_t, size_t *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  *bytes = reduce_scratch;
  return NPP_SUCCESS;
}
template <typename S, typename R>
NppStatus signalReduceSfs(const Call &call, Reduction kind, const S *src, size_t length, R *result,
                          int scale_factor, Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = checkNotNull(call, {result}))
    return status;
  if (const NppStatus status = prepare(call, work, kind, src, length, buffer))
    return status;
  work.first = result;
  work.result = typeOf<R>();
  work.factor = scaleOf(scale_factor);
  return run(call, work);
}
template <typename S, typename R>
NppStatus signalReduce(const Call &call, Reduction kind, const S *src, size_t length, R *result,
                       Npp8u *buffer) {
  return signalReduceSfs(call, kind, src, length, result, 0, buffer);
}
template <typename S>
NppStatus signalIndexed(const Call &call, Reduction kind, const S *src, size_t length, S *result,
                        int *index, Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = checkNotNull(call, {result, index}))
    return status;
  if (const NppStatus status = prepare(call, work, kind, src, length, buffer))
    return status;
  work.first = result;
  work.result = typeOf<S>();
  work.x = index;
  return run(call, work);
}
template <typename S>
NppStatus signalTwo(const Call &call, Reduction kind, const S *src, size_t length, S *first,
                    S *second, Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = checkNotNull(call, {first, second}))
    return status;
  if (const NppStatus status = prepare(call, work, kind, src, length, buffer))
    return status;
  work.first = first;
  work.second = second;
  work.result = typeOf<S>();
  return run(call, work);
}
template <typename S>
NppStatus signalExtremes(const Call &call, int, const S *src, size_t length, S *least,
                         int *least_at, S *most, int *most_at, Npp8u *buffer) {
  if (const NppStatus status =
          signalIndexed(call, Reduction::MinIndx, src, length, least, least_at, buffer))
    return status;
  return signalIndexed(call, Reduction::MaxIndx, src, length, most, most_at, buffer);
}
template <typename S, typename R>
NppStatus signalPair(const Call &call, Reduction kind, const S *src1, const S *src2, size_t length,
                     R *result, Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = checkNotNull(call, {src2, result}))
    return status;
  if (const NppStatus status = prepare(call, work, kind, src1, length, buffer))
    return status;
  work.b = operand(src2, 0);
  work.first = result;
  work.result = typeOf<R>();
  return run(call, work);
}
template <typename S>
NppStatus signalCount(const Call &call, int, const S *src, size_t length, int *count, S low, S high,
                      Npp8u *buffer) {
  Reduce work;
  if (const NppStatus status = checkNotNull(call, {count}))
    return status;
  if (const NppStatus status = prepare(call, work, Reduction::Count, src, length, buffer))
    return status;
  if (low > high)
    return HEDDLE_NPP_REFUSE(call, NPP_RANGE_ERROR, "the lower bound is above the upper");
  work.low[0] = low;
  work.high[0] = high;
  work.first = count;
  work.result = Type::S32;
  return run(call, work);
}

template <typename T>
NppStatus signalEvery(const Call &call, Op op, const T *src, T *dst, size_t length) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  Pointwise work = workOn(op, dst, length);
  work.a = operand(dst, 0);
  work.b = operand(src, 0);
  return run(call, work);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPS_STATISTICS(HEDDLE_NPP_DEFINE)
