// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnpps: signals, which are images of one row for the kernels.
#pragma GCC visibility push(default)
#include <npps.h>
#pragma GCC visibility pop

#include "kernels/move.h"
#include "kernels/reduce.h"
#include "signals.h"

#include <algorithm>
#include <cstring>

namespace heddle::npp {
namespace {

template <typename T> NppStatus signalSet(const Call &call, int, T value, T *dst, size_t length) {
  if (const NppStatus status = checkSignals(call, {dst}, length))
    return status;
  Move move;
  move.element = sizeof(T);
  move.height = 1;
  std::memcpy(move.constant[0], &value, sizeof(T));
  constexpr size_t most = size_t(1) << 30; // a move's width is an int
  for (size_t done = 0; done < length; done += most) {
    move.dst[0] = reinterpret_cast<char *>(dst + done);
    move.width = int(std::min(most, length - done));
    if (const NppStatus status = run(call, move))
      return status;
  }
  return NPP_SUCCESS;
}
template <typename T> NppStatus signalZero(const Call &call, int, T *dst, size_t length) {
  if (const NppStatus status = checkSignals(call, {dst}, length))
    return status;
  return finish(call, cudaMemsetAsync(dst, 0, length * sizeof(T), call.stream));
}
template <typename T>
NppStatus signalCopy(const Call &call, int, const T *src, T *dst, size_t length) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  return finish(
      call, cudaMemcpyAsync(dst, src, length * sizeof(T), cudaMemcpyDeviceToDevice, call.stream));
}

template <typename S, typename D>
NppStatus signalConvertSfs(const Call &call, int, const S *src, D *dst, size_t length,
                           NppRoundMode mode, int scale_factor) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  if (mode < NPP_RND_NEAR || mode > NPP_RND_ZERO)
    return HEDDLE_NPP_REFUSE(call, NPP_ROUND_MODE_NOT_SUPPORTED_ERROR, "no such rounding mode");
  Pointwise work = workOn(Op::Copy, dst, length, scale_factor);
  work.a = operand(src, 0);
  work.round = Round(mode);
  return run(call, work);
}
template <typename S, typename D>
NppStatus signalScale(const Call &call, int, const S *src, D *dst, size_t length,
                      int scale_factor) {
  return signalConvertSfs(call, 0, src, dst, length, NPP_RND_NEAR, scale_factor);
}
template <typename S, typename D>
NppStatus signalConvert(const Call &call, int, const S *src, D *dst, size_t length) {
  return signalConvertSfs(call, 0, src, dst, length, NPP_RND_FINANCIAL, 0);
}

template <typename T>
NppStatus signalLimitVal(const Call &call, Op op, const T *src, T *dst, size_t length, T level,
                         T value) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  Pointwise work = workOn(op, dst, length);
  work.a = operand(src, 0);
  work.c[0] = level;
  work.d[0] = value;
  return run(call, work);
}
template <typename T>
NppStatus signalLimitValI(const Call &call, Op op, T *dst, size_t length, T level, T value) {
  return signalLimitVal(call, op, dst, dst, length, level, value);
}
template <typename T>
NppStatus signalLimit(const Call &call, Op op, const T *src, T *dst, size_t length, T level) {
  return signalLimitVal(call, op, src, dst, length, level, level);
}
template <typename T>
NppStatus signalLimitI(const Call &call, Op op, T *dst, size_t length, T level) {
  return signalLimitVal(call, op, dst, dst, length, level, level);
}
template <typename T>
NppStatus signalThreshold(const Call &call, int, const T *src, T *dst, size_t length, T level,
                          NppCmpOp comparison) {
  if (comparison != NPP_CMP_LESS && comparison != NPP_CMP_GREATER)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR,
                             "thresholds know NPP_CMP_LESS and NPP_CMP_GREATER");
  return signalLimit(call, comparison == NPP_CMP_LESS ? Op::Less : Op::Greater, src, dst, length,
                     level);
}
template <typename T>
NppStatus signalThresholdI(const Call &call, int, T *dst, size_t length, T level,
                           NppCmpOp comparison) {
  return signalThreshold(call, 0, dst, dst, length, level, comparison);
}

template <typename T, typename K>
NppStatus signalCSfs(const Call &call, Op op, const T *src, K value, T *dst, size_t length,
                     int scale_factor) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  Pointwise work = workOn(op, dst, length, scale_factor);
  work.a = operand(src, 0);
  bool zero;
  if constexpr (Number<K>::parts == 2) {
    work.b_constant[0] = value.re;
    work.b_constant[1] = value.im;
    zero = value.re == 0 && value.im == 0;
  } else {
    work.b_constant[0] = value;
    zero = value == 0;
  }
  if (op == Op::Div && zero)
    return HEDDLE_NPP_REFUSE(call, NPP_DIVIDE_BY_ZERO_ERROR, "the divisor is 0");
  return run(call, work);
}
template <typename T, typename K>
NppStatus signalCISfs(const Call &call, Op op, K value, T *dst, size_t length, int scale_factor) {
  return signalCSfs(call, op, dst, value, dst, length, scale_factor);
}
template <typename T, typename K>
NppStatus signalC(const Call &call, Op op, const T *src, K value, T *dst, size_t length) {
  return signalCSfs(call, op, src, value, dst, length, 0);
}
template <typename T, typename K>
NppStatus signalCI(const Call &call, Op op, K value, T *dst, size_t length) {
  return signalCSfs(call, op, dst, value, dst, length, 0);
}

// As for images, the first signal is subtracted from the second, and divides it.
template <typename S, typename D>
NppStatus signal2Sfs(const Call &call, Op op, const S *src1, const S *src2, D *dst, size_t length,
                     int scale_factor) {
  if (const NppStatus status = checkSignals(call, {src1, src2, dst}, length))
    return status;
  Pointwise work = workOn(op, dst, length, scale_factor);
  work.a = operand(src2, 0);
  work.b = operand(src1, 0);
  return run(call, work);
}
template <typename S, typename D>
NppStatus signal2ISfs(const Call &call, Op op, const S *src, D *dst, size_t length,
                      int scale_factor) {
  return signal2Sfs(call, op, src, dst, dst, length, scale_factor);
}
template <typename S, typename D>
NppStatus signal2(const Call &call, Op op, const S *src1, const S *src2, D *dst, size_t length) {
  return signal2Sfs(call, op, src1, src2, dst, length, 0);
}
template <typename S, typename D>
NppStatus signal2I(const Call &call, Op op, const S *src, D *dst, size_t length) {
  return signal2Sfs(call, op, src, dst, dst, length, 0);
}
template <typename T>
NppStatus signal1Sfs(const Call &call, Op op, const T *src, T *dst, size_t length,
                     int scale_factor) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  Pointwise work = workOn(op, dst, length, scale_factor);
  work.a = operand(src, 0);
  return run(call, work);
}
template <typename T>
NppStatus signal1ISfs(const Call &call, Op op, T *dst, size_t length, int scale_factor) {
  return signal1Sfs(call, op, dst, dst, length, scale_factor);
}
template <typename T>
NppStatus signal1(const Call &call, Op op, const T *src, T *dst, size_t length) {
  return signal1Sfs(call, op, src, dst, length, 0);
}
template <typename T> NppStatus signal1I(const Call &call, Op op, T *dst, size_t length) {
  return signal1Sfs(call, op, dst, dst, length, 0);
}
template <typename T>
NppStatus signalNormalize(const Call &call, int, const T *src, T *dst, size_t length, T subtract,
                          T divide) {
  if (const NppStatus status = checkSignals(call, {src, dst}, length))
    return status;
  if (divide == 0)
    return HEDDLE_NPP_REFUSE(call, NPP_DIVIDE_BY_ZERO_ERROR, "the divisor is 0");
  Pointwise work = workOn(Op::Linear, dst, length);
  work.a = operand(src, 0);
  work.c[0] = 1 / double(divide);
  work.d[0] = -double(subtract) / divide;
  return run(call, work);
}

template <typename T>
NppStatus signalIntegral(const Call &call, int, const T *src, T *dst, size_t length,
                         Npp8u *buffer) {
  if (const NppStatus status = checkSignals(call, {src, dst, buffer}, length))
    return status;
  return run(call, RunningSums{src, dst, length});
}
NppStatus signalIntegralSize(const Call &call, int, size_t length, size_t *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  *bytes = reduce_scratch;
  return NPP_SUCCESS;
}

template <typename T> T *allocate(const char *name, size_t size) {
  void *data = nullptr;
  const char *why = "the size is 0 or too large";
  if (size > 0 && size <= size_t(NPP_MAX_64S) / sizeof(T)) {
    const cudaError_t error = cudaMalloc(&data, size * sizeof(T));
    if (error == cudaSuccess)
      return static_cast<T *>(data);
    why = cudaGetErrorString(error);
  }
  library::explain(name, "null", why);
  return nullptr;
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPS_INITIALIZATION(HEDDLE_NPP_DEFINE)
HEDDLE_NPPS_FILTERING(HEDDLE_NPP_DEFINE)

#define HEDDLE_NPPS_DEFINE_MALLOC(t)                                                               \
  Npp##t *nppsMalloc_##t(size_t nSize) { return allocate<Npp##t>("nppsMalloc_" #t, nSize); }
HEDDLE_NPPS_MALLOC(HEDDLE_NPPS_DEFINE_MALLOC)
void nppsFree(void *pValues) { cudaFree(pValues); }

namespace {
using enum Op;
} // namespace
HEDDLE_NPPS_CONVERSION(HEDDLE_NPP_DEFINE)
HEDDLE_NPPS_ARITHMETIC(HEDDLE_NPP_DEFINE)
HEDDLE_NPPS_FUNCTIONS(HEDDLE_NPP_DEFINE)
