// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudnnReduceTensor.
#include "reduce.h"

#include "parallel.h"

#include <cmath>
#include <limits>

struct cudnnReduceTensorStruct {
  cudnnReduceTensorOp_t op = CUDNN_REDUCE_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  cudnnReduceTensorIndices_t indices = CUDNN_REDUCE_TENSOR_NO_INDICES;
  cudnnIndicesType_t indices_type = CUDNN_32BIT_INDICES;
};

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(ReduceTensorDescriptor, cudnnReduceTensorStruct)

namespace heddle::cudnn {
namespace {

/// One reduction in progress.
struct Reduction {
  cudnnReduceTensorOp_t op;
  bool propagate_nan;
  double value;
  int64_t place = 0, count = 0;

  Reduction(cudnnReduceTensorOp_t o, bool nan) : op(o), propagate_nan(nan), value(first(o)) {}
  static double first(cudnnReduceTensorOp_t op) {
    switch (op) {
    case CUDNN_REDUCE_TENSOR_MUL:
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
      return 1;
    case CUDNN_REDUCE_TENSOR_MIN:
      return std::numeric_limits<double>::infinity();
    case CUDNN_REDUCE_TENSOR_MAX:
      return -std::numeric_limits<double>::infinity();
    default:
      return 0;
    }
  }
  void replace(double x, bool better) {
    if (std::isnan(value) && propagate_nan)
      return;
    if (count == 0 || better || (propagate_nan && std::isnan(x))) {
      if (std::isnan(x) && !propagate_nan)
        return;
      value = x;
      place = count;
    }
  }
  void add(double x) {
    switch (op) {
    case CUDNN_REDUCE_TENSOR_ADD:
    case CUDNN_REDUCE_TENSOR_AVG:
      value += x;
      break;
    case CUDNN_REDUCE_TENSOR_MUL:
      value *= x;
      break;
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
      value *= x == 0 ? 1 : x;
      break;
    case CUDNN_REDUCE_TENSOR_MIN:
      replace(x, x < value);
      break;
    case CUDNN_REDUCE_TENSOR_MAX:
      replace(x, x > value);
      break;
    case CUDNN_REDUCE_TENSOR_AMAX:
      replace(std::fabs(x), std::fabs(x) > value);
      break;
    case CUDNN_REDUCE_TENSOR_NORM1:
      value += std::fabs(x);
      break;
    case CUDNN_REDUCE_TENSOR_NORM2:
      value += x * x;
      break;
    }
    ++count;
  }
  double result() const {
    if (op == CUDNN_REDUCE_TENSOR_AVG)
      return value / double(count);
    return op == CUDNN_REDUCE_TENSOR_NORM2 ? std::sqrt(value) : value;
  }
};

bool hasIndices(const cudnnReduceTensorStruct &d) {
  return d.indices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES &&
         (d.op == CUDNN_REDUCE_TENSOR_MIN || d.op == CUDNN_REDUCE_TENSOR_MAX ||
          d.op == CUDNN_REDUCE_TENSOR_AMAX);
}

} // namespace

template <typename T>
void reduceTensor(cudnnReduceTensorOp_t op, bool propagate_nan, const Tensor &at, const T *a,
                  const Tensor &ct, T *c, uint32_t *indices) {
  // The dimensions that stay and those that are reduced, each with its steps in the packed tensor.
  struct Axis {
    int64_t dim, step;
  } kept[max_dims], reduced[max_dims];
  int kept_count = 0, reduced_count = 0;
  int64_t step = at.count(), number = 1;
  for (int i = 0; i < at.n; ++i) {
    const int64_t d = at.dim[size_t(i)];
    step /= d;
    Axis *const axes = ct.dim[size_t(i)] == d ? kept : reduced;
    int &count = axes == kept ? kept_count : reduced_count;
    number *= axes == kept ? 1 : d;
    if (count > 0 && axes[count - 1].step == d * step) // neighbours become one
      axes[count - 1] = {axes[count - 1].dim * d, step};
    else
      axes[count++] = {d, step};
  }
  const auto place = [](const Axis *axes, int n, int64_t i) {
    int64_t offset = 0;
    for (int k = n - 1; k >= 0; --k) {
      offset += i % axes[k].dim * axes[k].step;
      i /= axes[k].dim;
    }
    return offset;
  };
  parallelEach(ct.count(), std::max<int64_t>(1, 4096 / number), [&](int64_t i) {
    const T *from = a + place(kept, kept_count, i);
    Reduction r(op, propagate_nan);
    if (reduced_count == 1)
      for (int64_t k = 0; k < number; ++k)
        r.add(double(from[k * reduced[0].step]));
    else
      for (int64_t k = 0; k < number; ++k)
        r.add(double(from[place(reduced, reduced_count, k)]));
    c[i] = T(r.result());
    if (indices)
      indices[i] = uint32_t(r.place);
  });
}

template void reduceTensor(cudnnReduceTensorOp_t, bool, const Tensor &, const float *,
                           const Tensor &, float *, uint32_t *);
template void reduceTensor(cudnnReduceTensorOp_t, bool, const Tensor &, const double *,
                           const Tensor &, double *, uint32_t *);

} // namespace heddle::cudnn

cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor,
                                             cudnnReduceTensorOp_t op, cudnnDataType_t type,
                                             cudnnNanPropagation_t nan,
                                             cudnnReduceTensorIndices_t indices,
                                             cudnnIndicesType_t indices_type) {
  return call(__func__, [&] {
    need(unsigned(op) <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS && unsigned(nan) <= CUDNN_PROPAGATE_NAN,
         "there is no such operation or rule for NaN");
    need(isKnown(type) && unsigned(indices) <= CUDNN_REDUCE_TENSOR_FLATTENED_INDICES &&
             unsigned(indices_type) <= CUDNN_8BIT_INDICES,
         "there is no such type");
    live(descriptor) = {op, type, nan, indices, indices_type};
  });
}

cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t descriptor,
                                             cudnnReduceTensorOp_t *op, cudnnDataType_t *type,
                                             cudnnNanPropagation_t *nan,
                                             cudnnReduceTensorIndices_t *indices,
                                             cudnnIndicesType_t *indices_type) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(op, d.op);
    give(type, d.type);
    give(nan, d.nan);
    give(indices, d.indices);
    give(indices_type, d.indices_type);
  });
}

namespace {

void checkShapes(const Tensor &at, const Tensor &ct) {
  need(at.n == ct.n, "the tensors have different numbers of dimensions");
  (void)Broadcast(ct, at);
}

} // namespace

cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                           const cudnnReduceTensorDescriptor_t descriptor,
                                           const cudnnTensorDescriptor_t a_desc,
                                           const cudnnTensorDescriptor_t c_desc, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    const Tensor at = contents(a_desc), ct = contents(c_desc);
    checkShapes(at, ct);
    *bytes = hasIndices(live(descriptor)) ? size_t(ct.count()) * sizeof(uint32_t) : 0;
  });
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                             const cudnnReduceTensorDescriptor_t descriptor,
                                             const cudnnTensorDescriptor_t a_desc,
                                             const cudnnTensorDescriptor_t c_desc, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    live(descriptor);
    needPointers(bytes);
    checkShapes(contents(a_desc), contents(c_desc));
    *bytes = 0;
  });
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                const cudnnReduceTensorDescriptor_t descriptor, void *indices,
                                size_t indices_bytes, void *, size_t, const void *alpha,
                                const cudnnTensorDescriptor_t a_desc, const void *A,
                                const void *beta, const cudnnTensorDescriptor_t c_desc, void *C) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const auto d = live(descriptor);
    const Tensor at = contents(a_desc), ct = contents(c_desc);
    checkShapes(at, ct);
    needPointers(A, C);
    uint32_t *places = nullptr;
    if (hasIndices(d)) {
      supported(d.indices_type == CUDNN_32BIT_INDICES, "indices other than of 32 bits");
      need(indices && indices_bytes >= size_t(ct.count()) * sizeof(uint32_t),
           "there is no room for the indices");
      places = static_cast<uint32_t *>(indices);
    }
    const Blend blend(alpha, beta, ct.type);
    run(handle, name, [=] {
      byWidth(isWide(at.type) || isWide(ct.type), [&]<typename T>() {
        const In<T> a(at, A);
        Out<T> c(ct, C, blend, {A});
        reduceTensor<T>(d.op, d.nan == CUDNN_PROPAGATE_NAN, at, a.data(), ct, c.data(), places);
        c.finish();
      });
    });
  });
}
