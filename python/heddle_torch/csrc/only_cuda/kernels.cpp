// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

namespace heddle::aten {

Boxed onlyCudaKernel(const std::string &Name, size_t Arguments) {
  static const OnlyCudaKernels All = [] {
    OnlyCudaKernels Kernels;
    for (const auto &Family : {attentionKernels, convolutionKernels, normalizationKernels,
                               productKernels, recurrentKernels, samplingKernels})
      Kernels.merge(Family());
    return Kernels;
  }();
  const auto [First, Last] = All.equal_range(Name);
  for (auto Found = First; Found != Last; ++Found)
    if (Found->second.Arguments == Arguments)
      return Found->second.Kernel;
  return nullptr;
}

} // namespace heddle::aten
