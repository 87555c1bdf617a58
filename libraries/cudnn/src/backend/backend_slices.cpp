// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend_slices.h"

#include <algorithm>

namespace heddle::cudnn {
namespace {

/// Calls function(attribute, tensor) for the tensors of an operation.
template <typename Function> void forTensors(const BackendNode &operation, Function function) {
  for (const auto &[name, value] : operation.values)
    for (const auto &node : value.nodes)
      if (node->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR)
        function(cudnnBackendAttributeName_t(name), tensorOf(*node));
}

/// Batches and heads lie behind each other without gaps.
bool hasPackedOuter(const Tensor &t) {
  return t.stride[1] == t.dim[2] * t.dim[3] && t.stride[0] == t.dim[1] * t.stride[1];
}

/// Whether an operation of this kind keeps to its batch and head, apart from its tensors' sizes.
bool keepsToSlices(const BackendNode &operation) {
  switch (operation.type) {
  case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
    return true;
  case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: {
    const BackendNode &how = operation.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
    return how.get<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE) != CUDNN_POINTWISE_GEN_INDEX ||
           how.get<int64_t>(CUDNN_ATTR_POINTWISE_AXIS, 0) >= 2;
  }
  case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR: {
    const Tensor x = tensorOf(operation.node(CUDNN_ATTR_OPERATION_RESHAPE_XDESC)),
                 y = tensorOf(operation.node(CUDNN_ATTR_OPERATION_RESHAPE_YDESC));
    return x.n == 4 && y.n == 4 && x.dim[0] == y.dim[0] && x.dim[1] == y.dim[1] &&
           hasPackedOuter(x) && hasPackedOuter(y);
  }
  default:
    return false;
  }
}

} // namespace

Slices slicesOf(const BackendNodes &operations) {
  Slices slices{1, 0};
  bool good = true;
  for (const auto &operation : operations)
    forTensors(*operation, [&](cudnnBackendAttributeName_t, const Tensor &t) {
      good &= t.n == 4;
      slices.batches = std::max(slices.batches, t.dim[0]);
      if (t.dim[1] > 1)
        slices.groups = slices.groups ? std::min(slices.groups, t.dim[1]) : t.dim[1];
    });
  slices.groups = std::max<int64_t>(slices.groups, 1);
  for (const auto &operation : operations) {
    good = good && keepsToSlices(*operation);
    const auto &writes = portsOf(operation->type)->writes;
    forTensors(*operation, [&](cudnnBackendAttributeName_t name, const Tensor &t) {
      const bool written = std::find(writes.begin(), writes.end(), name) != writes.end();
      good &= t.dim[0] == slices.batches || (t.dim[0] == 1 && !written);
      good &= t.dim[1] % slices.groups == 0 || (t.dim[1] == 1 && !written);
    });
  }
  return good ? slices : Slices{};
}

int64_t cut(const Slices &slices, int64_t slice, Tensor &t) {
  int64_t before = 0;
  if (slices.batches > 1 && t.dim[0] > 1) {
    before += slice / slices.groups * t.stride[0];
    t.dim[0] = 1;
  }
  if (slices.groups > 1 && t.dim[1] > 1) {
    t.dim[1] /= slices.groups;
    before += slice % slices.groups * t.dim[1] * t.stride[1];
  }
  return before;
}

} // namespace heddle::cudnn
