// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy.h"

#include "device.h"
#include "fallback.h"

#include <ATen/core/Tensor.h>

namespace heddle::aten {
namespace {

// Whether PyTorch copies the bytes as they lie, in the stream's order, without a kernel.
bool copiesBytes(const at::Tensor &To, const at::Tensor &From) {
  return To.dtype() == From.dtype() && To.sizes() == From.sizes() &&
         To.is_conj() == From.is_conj() && To.is_neg() == From.is_neg() &&
         ((To.is_contiguous() && From.is_contiguous()) ||
          (To.strides() == From.strides() && To.is_non_overlapping_and_dense()));
}

bool isDense(const at::Tensor &T) { return T.layout() == at::kStrided && !T.is_nested(); }

} // namespace

void copy(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, torch::jit::Stack *Stack) {
  const at::Tensor To = (*Stack)[Stack->size() - 3].toTensor();
  const at::Tensor From = (*Stack)[Stack->size() - 2].toTensor();
  const bool Between = To.is_cuda() && From.is_cuda();
  if (!isDense(To) || !isDense(From) || !Between || copiesBytes(To, From)) {
    // at::native::copy_, which looks at the tensors' devices itself. From and to the host it makes
    // temporaries, and copies these by copy_ on the device.
    Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), Stack);
    return;
  }
  if (To.get_device() != From.get_device())
    waitForStream(From.get_device());
  fallback(Op, Keys, Stack);
}

} // namespace heddle::aten
