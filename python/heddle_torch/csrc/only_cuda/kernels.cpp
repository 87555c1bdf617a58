// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

namespace heddle::aten {

const OnlyCuda *onlyCudaKernel(const std::string &Name) {
  static const OnlyCudaKernels All = [] {
    OnlyCudaKernels Kernels;
    for (const auto &Family : {attentionKernels, convolutionKernels, normalizationKernels,
                               productKernels, recurrentKernels, samplingKernels})
      Kernels.merge(Family());
    return Kernels;
  }();
  const auto Found = All.find(Name);
  return Found == All.end() ? nullptr : &Found->second;
}

} // namespace heddle::aten
