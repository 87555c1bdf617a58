// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products into a wider type, and of weights of four bits.
#include "kernels.h"

#include <ATen/ATen.h>

namespace heddle::aten {
namespace {

using at::Scalar;
using at::ScalarType;
using at::Tensor;

Tensor &store(const Tensor &Result, Tensor &Out) {
  Out.resize_(Result.sizes());
  return Out.copy_(Result);
}

Tensor mmTo(const Tensor &A, const Tensor &B, ScalarType To) { return at::mm(A.to(To), B.to(To)); }
Tensor &mmToOut(const Tensor &A, const Tensor &B, ScalarType To, Tensor &Out) {
  return store(mmTo(A, B, To), Out);
}
Tensor bmmTo(const Tensor &A, const Tensor &B, ScalarType To) {
  return at::bmm(A.to(To), B.to(To));
}
Tensor &bmmToOut(const Tensor &A, const Tensor &B, ScalarType To, Tensor &Out) {
  return store(bmmTo(A, B, To), Out);
}
Tensor addmmTo(const Tensor &C, const Tensor &A, const Tensor &B, ScalarType To, const Scalar &Beta,
               const Scalar &Alpha) {
  return at::addmm(C.to(To), A.to(To), B.to(To), Beta, Alpha);
}
Tensor &addmmToOut(const Tensor &C, const Tensor &A, const Tensor &B, ScalarType To,
                   const Scalar &Beta, const Scalar &Alpha, Tensor &Out) {
  return store(addmmTo(C, A, B, To, Beta, Alpha), Out);
}
Tensor baddbmmTo(const Tensor &C, const Tensor &A, const Tensor &B, ScalarType To,
                 const Scalar &Beta, const Scalar &Alpha) {
  return at::baddbmm(C.to(To), A.to(To), B.to(To), Beta, Alpha);
}
Tensor &baddbmmToOut(const Tensor &C, const Tensor &A, const Tensor &B, ScalarType To,
                     const Scalar &Beta, const Scalar &Alpha, Tensor &Out) {
  return store(baddbmmTo(C, A, B, To, Beta, Alpha), Out);
}

// The packed weights have the GPU's shape, [n/8, k/(16 tiles), 32, tiles/2] words, and hold the
// given bytes (two weights each, the first in the upper half) in their order.
Tensor packInt4(const Tensor &Weights, int64_t Tiles) {
  TORCH_CHECK(Weights.dim() == 2 && Weights.scalar_type() == at::kByte,
              "_convert_weight_to_int4pack: expects a matrix of uint8");
  const int64_t N = Weights.size(0), K = Weights.size(1) * 2;
  TORCH_CHECK(N % 8 == 0 && K % (Tiles * 16) == 0,
              "_convert_weight_to_int4pack: n must divide by 8, k by 16 times innerKTiles");
  return Weights.contiguous()
      .view(at::kInt)
      .reshape({N / 8, K / (Tiles * 16), 32, Tiles / 2})
      .clone();
}

Tensor int4Product(const Tensor &A, const Tensor &Packed, int64_t Group,
                   const Tensor &ScalesAndZeros) {
  const int64_t N = Packed.size(0) * 8, K = A.size(1);
  const Tensor Bytes = Packed.contiguous().view({N, -1}).view(at::kByte);
  const Tensor Nibbles =
      at::stack({at::bitwise_right_shift(Bytes, 4), at::bitwise_and(Bytes, 15)}, 2).view({N, K});
  // [k/group, n, 2]: scale and zero of each group of a row.
  const Tensor S = ScalesAndZeros.to(at::kFloat).repeat_interleave(Group, 0);
  const Tensor W = (Nibbles.to(at::kFloat) - 8) * S.select(2, 0).t() + S.select(2, 1).t();
  return at::mm(A.to(at::kFloat), W.t()).to(A.scalar_type());
}

} // namespace

OnlyCudaKernels productKernels() {
  return {
      {"aten::mm.dtype", onlyCuda<&mmTo>()},
      {"aten::mm.dtype_out", onlyCuda<&mmToOut>()},
      {"aten::bmm.dtype", onlyCuda<&bmmTo>()},
      {"aten::bmm.dtype_out", onlyCuda<&bmmToOut>()},
      {"aten::addmm.dtype", onlyCuda<&addmmTo>()},
      {"aten::addmm.dtype_out", onlyCuda<&addmmToOut>()},
      {"aten::baddbmm.dtype", onlyCuda<&baddbmmTo>()},
      {"aten::baddbmm.dtype_out", onlyCuda<&baddbmmToOut>()},
      {"aten::_convert_weight_to_int4pack", onlyCuda<&packInt4>()},
      {"aten::_weight_int4pack_mm", onlyCuda<&int4Product>()},
  };
}

} // namespace heddle::aten
