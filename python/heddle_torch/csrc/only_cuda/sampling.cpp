// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's grids, and what is left: scaled masks, the choice of cuDNN's CTC loss.
#include "kernels.h"

#include <ATen/ATen.h>

namespace heddle::aten {
namespace {

using at::Tensor;

// cuDNN has bilinear sampling with zeros outside, and corners aligned.
constexpr int64_t Bilinear = 0, Zeros = 0;

Tensor gridSampler(const Tensor &Input, const Tensor &Grid) {
  return at::grid_sampler_2d(Input, Grid, Bilinear, Zeros, /*align_corners=*/true);
}
std::tuple<Tensor, Tensor> gridSamplerBackward(const Tensor &Input, const Tensor &Grid,
                                               const Tensor &Grad) {
  return at::grid_sampler_2d_backward(Grad, Input, Grid, Bilinear, Zeros, true, {true, true});
}
Tensor affineGrid(const Tensor &Theta, int64_t N, int64_t C, int64_t H, int64_t W) {
  return at::affine_grid_generator(Theta, {N, C, H, W}, /*align_corners=*/true);
}
Tensor affineGridBackward(const Tensor &Grad, int64_t N, int64_t C, int64_t H, int64_t W) {
  return at::affine_grid_generator_backward(Grad, {N, C, H, W}, /*align_corners=*/true);
}
Tensor maskedScale(const Tensor &T, const Tensor &Mask, double Scale) {
  return T * Mask.to(T.scalar_type()) * Scale;
}
// ATen's own loss is used.
bool useCtcLoss(const Tensor &, const Tensor &, at::IntArrayRef, at::IntArrayRef, int64_t) {
  return false;
}
bool useCtcLossTensor(const Tensor &, const Tensor &, const Tensor &, const Tensor &, int64_t) {
  return false;
}

} // namespace

OnlyCudaKernels samplingKernels() {
  return {
      {"aten::cudnn_grid_sampler", onlyCuda<&gridSampler>()},
      {"aten::cudnn_grid_sampler_backward", onlyCuda<&gridSamplerBackward>()},
      {"aten::cudnn_affine_grid_generator", onlyCuda<&affineGrid>()},
      {"aten::cudnn_affine_grid_generator_backward", onlyCuda<&affineGridBackward>()},
      {"aten::_masked_scale", onlyCuda<&maskedScale>()},
      {"aten::_use_cudnn_ctc_loss", onlyCuda<&useCtcLoss>()},
      {"aten::_use_cudnn_ctc_loss.Tensor", onlyCuda<&useCtcLossTensor>()},
      {"aten::_use_miopen_ctc_loss", onlyCuda<&useCtcLoss>()},
      {"aten::_use_miopen_ctc_loss.Tensor", onlyCuda<&useCtcLossTensor>()},
  };
}

} // namespace heddle::aten
