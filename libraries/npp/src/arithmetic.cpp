// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppial: arithmetic and logic on images.
#pragma GCC visibility push(default)
#include <nppi_arithmetic_and_logical_operations.h>
#pragma GCC visibility pop

#include "call.h"
#include "kernels/pointwise.h"

namespace heddle::npp {
namespace {

using enum Op;

template <typename D>
Pointwise workOn(Op op, Channels channels, NppiSize size, D *to, int step, int scale_factor = 0) {
  constexpr int parts = Number<D>::parts;
  Pointwise work;
  work.op = op;
  work.out = operand(to, step);
  work.channels = channels.count * parts;
  work.width = (long long)size.width * work.channels;
  work.height = size.height;
  work.alpha = channels.alpha;
  work.complex = parts == 2;
  work.factor = scaleOf(scale_factor);
  if (op == Op::MulScale)
    work.round = Round::TowardZero;
  return work;
}

template <typename K> void setConstants(Pointwise &work, const K *constants, Channels channels) {
  const int count = channels.alpha ? 3 : channels.count;
  for (int i = 0; i < count; ++i)
    if constexpr (Number<K>::parts == 2) {
      work.b_constant[2 * i] = constants[i].re;
      work.b_constant[2 * i + 1] = constants[i].im;
    } else
      work.b_constant[i] = double(constants[i]);
}

NppStatus run(const Call &call, const Pointwise &work) {
  return finish(call, launch(work, call.stream));
}

// NPP subtracts the first image from the second, and divides the second by the first.
template <typename S, typename D>
NppStatus binarySfs(const Call &call, Op op, Channels channels, const S *src1, int step1,
                    const S *src2, int step2, D *dst, int dst_step, NppiSize size, int scale,
                    Round round = Round::TiesToEven) {
  if (const NppStatus status =
          checkImages(call, {{src1, step1}, {src2, step2}, {dst, dst_step}}, size))
    return status;
  Pointwise work = workOn(op, channels, size, dst, dst_step, scale);
  work.a = operand(src2, step2);
  work.b = operand(src1, step1);
  if (op != Op::MulScale)
    work.round = round;
  return run(call, work);
}
template <typename S, typename D>
NppStatus binaryISfs(const Call &call, Op op, Channels channels, const S *src, int src_step, D *dst,
                     int dst_step, NppiSize size, int scale) {
  return binarySfs(call, op, channels, src, src_step, dst, dst_step, dst, dst_step, size, scale);
}
template <typename S, typename D>
NppStatus binary(const Call &call, Op op, Channels channels, const S *src1, int step1,
                 const S *src2, int step2, D *dst, int dst_step, NppiSize size) {
  return binarySfs(call, op, channels, src1, step1, src2, step2, dst, dst_step, size, 0);
}
template <typename S, typename D>
NppStatus binaryI(const Call &call, Op op, Channels channels, const S *src, int src_step, D *dst,
                  int dst_step, NppiSize size) {
  return binarySfs(call, op, channels, src, src_step, dst, dst_step, dst, dst_step, size, 0);
}

template <typename K> bool isZero(const K &value) {
  if constexpr (Number<K>::parts == 2)
    return value.re == 0 && value.im == 0;
  else
    return value == K{};
}

template <typename S, typename D, typename K>
NppStatus constantsSfs(const Call &call, Op op, Channels channels, const S *src, int src_step,
                       const K *constants, D *dst, int dst_step, NppiSize size, int scale) {
  if (const NppStatus status = checkNotNull(call, {constants}))
    return status;
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Pointwise work = workOn(op, channels, size, dst, dst_step, scale);
  work.a = operand(src, src_step);
  setConstants(work, constants, channels);
  if (op == Op::Div)
    for (int i = 0; i < (channels.alpha ? 3 : channels.count); ++i)
      if (isZero(constants[i]))
        return HEDDLE_NPP_REFUSE(call, NPP_DIVIDE_BY_ZERO_ERROR, "a constant divisor is 0");
  return run(call, work);
}
template <typename D, typename K>
NppStatus constantsISfs(const Call &call, Op op, Channels channels, const K *constants, D *dst,
                        int step, NppiSize size, int scale) {
  return constantsSfs(call, op, channels, dst, step, constants, dst, step, size, scale);
}
template <typename S, typename D, typename K>
NppStatus constants(const Call &call, Op op, Channels channels, const S *src, int src_step,
                    const K *constants, D *dst, int dst_step, NppiSize size) {
  return constantsSfs(call, op, channels, src, src_step, constants, dst, dst_step, size, 0);
}
template <typename D, typename K>
NppStatus constantsI(const Call &call, Op op, Channels channels, const K *constants, D *dst,
                     int step, NppiSize size) {
  return constantsSfs(call, op, channels, dst, step, constants, dst, step, size, 0);
}
template <typename S, typename D, typename K>
NppStatus constantSfs(const Call &call, Op op, Channels channels, const S *src, int src_step,
                      const K constant, D *dst, int dst_step, NppiSize size, int scale) {
  return constantsSfs(call, op, channels, src, src_step, &constant, dst, dst_step, size, scale);
}
template <typename D, typename K>
NppStatus constantISfs(const Call &call, Op op, Channels channels, const K constant, D *dst,
                       int step, NppiSize size, int scale) {
  return constantsSfs(call, op, channels, dst, step, &constant, dst, step, size, scale);
}
template <typename S, typename D, typename K>
NppStatus constant(const Call &call, Op op, Channels channels, const S *src, int src_step,
                   const K constant, D *dst, int dst_step, NppiSize size) {
  return constantsSfs(call, op, channels, src, src_step, &constant, dst, dst_step, size, 0);
}
template <typename D, typename K>
NppStatus constantI(const Call &call, Op op, Channels channels, const K constant, D *dst, int step,
                    NppiSize size) {
  return constantsSfs(call, op, channels, dst, step, &constant, dst, step, size, 0);
}

template <typename S, typename D>
NppStatus unarySfs(const Call &call, Op op, Channels channels, const S *src, int src_step, D *dst,
                   int dst_step, NppiSize size, int scale) {
  if (const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size))
    return status;
  Pointwise work = workOn(op, channels, size, dst, dst_step, scale);
  work.a = operand(src, src_step);
  return run(call, work);
}
template <typename D>
NppStatus unaryISfs(const Call &call, Op op, Channels channels, D *dst, int step, NppiSize size,
                    int scale) {
  return unarySfs(call, op, channels, dst, step, dst, step, size, scale);
}
template <typename S, typename D>
NppStatus unary(const Call &call, Op op, Channels channels, const S *src, int src_step, D *dst,
                int dst_step, NppiSize size) {
  return unarySfs(call, op, channels, src, src_step, dst, dst_step, size, 0);
}
template <typename D>
NppStatus unaryI(const Call &call, Op op, Channels channels, D *dst, int step, NppiSize size) {
  return unarySfs(call, op, channels, dst, step, dst, step, size, 0);
}

template <typename S>
NppStatus absDiffC(const Call &call, Op op, Channels channels, const S *src, int src_step, S *dst,
                   int dst_step, NppiSize size, S constant) {
  return constantsSfs(call, op, channels, src, src_step, &constant, dst, dst_step, size, 0);
}

template <typename S>
NppStatus divRound(const Call &call, Op op, Channels channels, const S *src1, int step1,
                   const S *src2, int step2, S *dst, int dst_step, NppiSize size, NppRoundMode mode,
                   int scale) {
  if (mode < NPP_RND_NEAR || mode > NPP_RND_ZERO)
    return HEDDLE_NPP_REFUSE(call, NPP_ROUND_MODE_NOT_SUPPORTED_ERROR, "no such rounding mode");
  return binarySfs(call, op, channels, src1, step1, src2, step2, dst, dst_step, size, scale,
                   Round(mode));
}
template <typename S>
NppStatus divRoundI(const Call &call, Op op, Channels channels, const S *src, int src_step, S *dst,
                    int dst_step, NppiSize size, NppRoundMode mode, int scale) {
  return divRound(call, op, channels, src, src_step, dst, dst_step, dst, dst_step, size, mode,
                  scale);
}

// To a 32f image are added: an image, its squares, products of two, or a running average.
template <typename S>
NppStatus addTo(const Call &call, Op op, const S *src1, int step1, const S *src2, int step2,
                const Npp8u *mask, int mask_step, Npp32f *dst, int dst_step, NppiSize size,
                float alpha = 0) {
  if (const NppStatus status =
          checkImages(call, {{src1, step1}, {src2, step2}, {dst, dst_step}}, size))
    return status;
  Pointwise work = workOn(op, C1, size, dst, dst_step);
  work.a = operand(src1, step1);
  if (op == Op::Add)
    work.b = operand(dst, dst_step);
  else if (op == Op::AddProduct)
    work.b = operand(src2, step2);
  work.mask = mask;
  work.mask_step = mask_step;
  work.c[0] = alpha;
  return run(call, work);
}
NppStatus checkMask(const Call &call, const Npp8u *mask, int step, NppiSize size) {
  return checkImages(call, {{mask, step}}, size);
}
template <typename S>
NppStatus accumulate(const Call &call, Op op, Channels, const S *src, int src_step, Npp32f *dst,
                     int dst_step, NppiSize size) {
  return addTo(call, op, src, src_step, src, src_step, nullptr, 0, dst, dst_step, size);
}
template <typename S>
NppStatus accumulateM(const Call &call, Op op, Channels, const S *src, int src_step,
                      const Npp8u *mask, int mask_step, Npp32f *dst, int dst_step, NppiSize size) {
  if (const NppStatus status = checkMask(call, mask, mask_step, size))
    return status;
  return addTo(call, op, src, src_step, src, src_step, mask, mask_step, dst, dst_step, size);
}
template <typename S>
NppStatus product(const Call &call, Op op, Channels, const S *src1, int step1, const S *src2,
                  int step2, Npp32f *dst, int dst_step, NppiSize size) {
  return addTo(call, op, src1, step1, src2, step2, nullptr, 0, dst, dst_step, size);
}
template <typename S>
NppStatus productM(const Call &call, Op op, Channels, const S *src1, int step1, const S *src2,
                   int step2, const Npp8u *mask, int mask_step, Npp32f *dst, int dst_step,
                   NppiSize size) {
  if (const NppStatus status = checkMask(call, mask, mask_step, size))
    return status;
  return addTo(call, op, src1, step1, src2, step2, mask, mask_step, dst, dst_step, size);
}
template <typename S>
NppStatus weighted(const Call &call, Op op, Channels, const S *src, int src_step, Npp32f *dst,
                   int dst_step, NppiSize size, float alpha) {
  return addTo(call, op, src, src_step, src, src_step, nullptr, 0, dst, dst_step, size, alpha);
}
template <typename S>
NppStatus weightedM(const Call &call, Op op, Channels, const S *src, int src_step,
                    const Npp8u *mask, int mask_step, Npp32f *dst, int dst_step, NppiSize size,
                    float alpha) {
  if (const NppStatus status = checkMask(call, mask, mask_step, size))
    return status;
  return addTo(call, op, src, src_step, src, src_step, mask, mask_step, dst, dst_step, size, alpha);
}

// Names that stand for functions of their own below.
constexpr struct {
} AlphaComp, AlphaPremul, AlphaPremulC;

template <typename S>
NppStatus alphaCompC(const Call &call, Op op, Channels channels, const S *src1, int step1, S alpha1,
                     const S *src2, int step2, S alpha2, S *dst, int dst_step, NppiSize size,
                     NppiAlphaOp alpha_op) {
  if (const NppStatus status =
          checkImages(call, {{src1, step1}, {src2, step2}, {dst, dst_step}}, size))
    return status;
  if (alpha_op < NPPI_OP_ALPHA_OVER || alpha_op > NPPI_OP_ALPHA_PREMUL)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR, "no such alpha operation");
  Pointwise work = workOn(op, channels, size, dst, dst_step);
  work.a = operand(src1, step1);
  work.b = operand(src2, step2);
  work.alpha_op = alpha_op;
  for (int i = 0; i < channels.count; ++i) {
    work.c[i] = double(alpha1);
    work.d[i] = double(alpha2);
  }
  return run(call, work);
}

template <typename S>
NppStatus alphaPixels(const Call &call, Channels channels, const S *src1, int step1, const S *src2,
                      int step2, S *dst, int dst_step, NppiSize size, int op) {
  if (const NppStatus status = checkImages(
          call, {{src1, step1}, {src2 ? src2 : src1, src2 ? step2 : step1}, {dst, dst_step}}, size))
    return status;
  AlphaPixels work;
  work.a = operand(src1, step1);
  if (src2)
    work.b = operand(src2, step2);
  work.out = operand(dst, dst_step);
  work.width = size.width;
  work.height = size.height;
  work.channels = channels.count;
  work.op = op;
  return finish(call, launch(work, call.stream));
}
template <typename S>
NppStatus alphaComp(const Call &call, decltype(AlphaComp), Channels channels, const S *src1,
                    int step1, const S *src2, int step2, S *dst, int dst_step, NppiSize size,
                    NppiAlphaOp op) {
  if (const NppStatus status = checkNotNull(call, {src2}))
    return status;
  if (op < NPPI_OP_ALPHA_OVER || op > NPPI_OP_ALPHA_PLUS_PREMUL)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR, "no such alpha operation");
  return alphaPixels(call, channels, src1, step1, src2, step2, dst, dst_step, size, op);
}
template <typename S>
NppStatus unary(const Call &call, decltype(AlphaPremul), Channels channels, const S *src,
                int src_step, S *dst, int dst_step, NppiSize size) {
  return alphaPixels(call, channels, src, src_step, (const S *)nullptr, 0, dst, dst_step, size, 0);
}
template <typename S>
NppStatus unaryI(const Call &call, decltype(AlphaPremul) op, Channels channels, S *dst, int step,
                 NppiSize size) {
  return unary(call, op, channels, dst, step, dst, step, size);
}

template <typename S>
NppStatus alphaPremulC(const Call &call, decltype(AlphaPremulC), Channels channels, const S *src,
                       int src_step, S alpha, S *dst, int dst_step, NppiSize size) {
  const S alphas[4] = {alpha, alpha, alpha, alpha};
  return constantsSfs(call, Op::MulScale, channels, src, src_step, alphas, dst, dst_step, size, 0);
}
template <typename S>
NppStatus alphaPremulCI(const Call &call, decltype(AlphaPremulC) op, Channels channels, S alpha,
                        S *dst, int step, NppiSize size) {
  return alphaPremulC(call, op, channels, dst, step, alpha, dst, step, size);
}

} // namespace
} // namespace heddle::npp

using namespace heddle::npp;

HEDDLE_NPPI_BINARY(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_CONSTANT(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_UNARY(HEDDLE_NPP_DEFINE)
HEDDLE_NPPI_OTHER_ARITHMETIC(HEDDLE_NPP_DEFINE)
