// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations element by element: cudnnAddTensor, cudnnOpTensor, cudnnSetTensor, cudnnScaleTensor,
// and copies between layouts.
#include "parallel.h"
#include "tensor.h"

#include <cmath>
#include <cstring>

struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t op = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnTensorTransformStruct {
  int n = 0;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  int32_t before[CUDNN_DIM_MAX] = {}, after[CUDNN_DIM_MAX] = {};
  uint32_t fold[CUDNN_DIM_MAX] = {};
  cudnnFoldingDirection_t direction = CUDNN_TRANSFORM_FOLD;
};

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(OpTensorDescriptor, cudnnOpTensorStruct)
HEDDLE_CUDNN_DESCRIPTOR(TensorTransformDescriptor, cudnnTensorTransformStruct)

namespace heddle::cudnn {
namespace {

constexpr int64_t grain = 1 << 14;

/// Calls f(position, position in the smaller tensor) for all elements of the larger one.
template <typename F> void eachBroadcast(const Tensor &small, const Tensor &large, const F &f) {
  const Broadcast at(small, large);
  parallelFor(large.count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      f(i, at.isSame() ? i : at(i));
  });
}

template <typename T> T apply(const cudnnOpTensorStruct &op, T a, T b) {
  const bool nan = op.nan == CUDNN_PROPAGATE_NAN && (std::isnan(a) || std::isnan(b));
  switch (op.op) {
  case CUDNN_OP_TENSOR_ADD:
    return a + b;
  case CUDNN_OP_TENSOR_MUL:
    return a * b;
  case CUDNN_OP_TENSOR_MIN:
    return nan ? T(NAN) : std::fmin(a, b);
  case CUDNN_OP_TENSOR_MAX:
    return nan ? T(NAN) : std::fmax(a, b);
  case CUDNN_OP_TENSOR_SQRT:
    return std::sqrt(a);
  case CUDNN_OP_TENSOR_NOT:
    return 1 - a;
  }
  return 0;
}

bool wide(const Tensor &a, const Tensor &b) { return isWide(a.type) || isWide(b.type); }

void copy(cudnnHandle_t handle, const char *name, const Tensor &xt, const void *x, const Tensor &yt,
          void *y, const Blend &blend) {
  run(handle, name, [=] {
    byWidth(wide(xt, yt), [&]<typename T>() {
      const In<T> in(xt, x);
      writeElements(yt, y, in.data(), blend);
    });
  });
}

} // namespace
} // namespace heddle::cudnn

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                   const cudnnTensorDescriptor_t x_desc, const void *x,
                                   const void *beta, const cudnnTensorDescriptor_t y_desc,
                                   void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    needSameShape(xt, yt);
    needPointers(x, y);
    copy(handle, name, xt, x, yt, y, Blend(alpha, beta, yt.type));
  });
}

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             const cudnnTensorDescriptor_t a_desc, const void *A, const void *beta,
                             const cudnnTensorDescriptor_t c_desc, void *C) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor at = contents(a_desc), ct = contents(c_desc);
    need(at.n == ct.n, "the tensors have different numbers of dimensions");
    (void)Broadcast(at, ct);
    needPointers(A, C);
    const Blend blend(alpha, beta, ct.type);
    run(handle, name, [=] {
      byWidth(wide(at, ct), [&]<typename T>() {
        const In<T> a(at, A);
        Out<T> c(ct, C, blend, {A});
        eachBroadcast(at, ct, [&](int64_t i, int64_t j) { c[i] = a[j]; });
        c.finish();
      });
    });
  });
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor, cudnnOpTensorOp_t op,
                                         cudnnDataType_t type, cudnnNanPropagation_t nan) {
  return call(__func__, [&] {
    need(unsigned(op) <= CUDNN_OP_TENSOR_NOT && unsigned(nan) <= CUDNN_PROPAGATE_NAN,
         "there is no such operation or rule for NaN");
    need(isKnown(type), "there is no such data type");
    live(descriptor) = {op, type, nan};
  });
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t descriptor,
                                         cudnnOpTensorOp_t *op, cudnnDataType_t *type,
                                         cudnnNanPropagation_t *nan) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(op, d.op);
    give(type, d.type);
    give(nan, d.nan);
  });
}

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t descriptor,
                            const void *alpha1, const cudnnTensorDescriptor_t a_desc, const void *A,
                            const void *alpha2, const cudnnTensorDescriptor_t b_desc, const void *B,
                            const void *beta, const cudnnTensorDescriptor_t c_desc, void *C) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const auto op = live(descriptor);
    const Tensor at = contents(a_desc), ct = contents(c_desc);
    const bool unary = op.op == CUDNN_OP_TENSOR_SQRT || op.op == CUDNN_OP_TENSOR_NOT;
    const Tensor bt = unary ? at : contents(b_desc);
    needSameShape(at, ct);
    (void)Broadcast(bt, ct);
    needPointers(A, C);
    need(unary || B, "a pointer is null");
    const Blend blend(alpha1, beta, ct.type);
    const double second = unary ? 0 : scalar(alpha2, ct.type);
    run(handle, name, [=] {
      byWidth(wide(at, ct) || isWide(bt.type), [&]<typename T>() {
        const In<T> a(at, A), b(bt, unary ? A : B);
        Out<T> c(ct, C, {1, blend.beta}, {bt.sameShape(ct) ? nullptr : B});
        eachBroadcast(bt, ct, [&](int64_t i, int64_t j) {
          c[i] = apply(op, T(blend.alpha) * a[i], T(second) * b[j]);
        });
        c.finish();
      });
    });
  });
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y_desc, void *y,
                             const void *value) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor yt = contents(y_desc);
    needPointers(y, value);
    // The value has the tensor's own type.
    double number = 0;
    const int one = 1;
    Tensor single = makeTensor(yt.type, CUDNN_TENSOR_NCHW, 1, &one);
    readElements(single, value, &number);
    run(handle, name, [=] {
      const Buffer<double> values(yt.count(), number);
      writeElements(yt, y, values.data(), {});
    });
  });
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y_desc, void *y,
                               const void *alpha) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor yt = contents(y_desc);
    needPointers(y);
    copy(handle, name, yt, y, yt, y, {scalar(alpha, yt.type), 0});
  });
}

cudnnStatus_t cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t descriptor,
                                                const uint32_t n, const cudnnTensorFormat_t format,
                                                const int32_t before[], const int32_t after[],
                                                const uint32_t fold[],
                                                const cudnnFoldingDirection_t direction) {
  return call(__func__, [&] {
    auto &d = live(descriptor);
    need(n > 2 && n <= CUDNN_DIM_MAX, "the number of dimensions is out of range");
    need(unsigned(format) <= CUDNN_TENSOR_NCHW_VECT_C &&
             unsigned(direction) <= CUDNN_TRANSFORM_UNFOLD,
         "there is no such format or direction");
    cudnnTensorTransformStruct t;
    t.n = int(n);
    t.format = format;
    t.direction = direction;
    for (uint32_t i = 0; i < n; ++i) {
      t.before[i] = before ? before[i] : 0;
      t.after[i] = after ? after[i] : 0;
      t.fold[i] = fold && i < n - 2 ? fold[i] : 1;
      need(t.fold[i] >= 1, "a folding factor is zero");
    }
    d = t;
  });
}

cudnnStatus_t cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t descriptor,
                                                uint32_t requested, cudnnTensorFormat_t *format,
                                                int32_t before[], int32_t after[], uint32_t fold[],
                                                cudnnFoldingDirection_t *direction) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(format, d.format);
    give(direction, d.direction);
    for (uint32_t i = 0; i < std::min(requested, uint32_t(d.n)); ++i) {
      if (before)
        before[i] = d.before[i];
      if (after)
        after[i] = d.after[i];
      if (fold && int(i) < d.n - 2)
        fold[i] = d.fold[i];
    }
  });
}

namespace {

void needNoFolding(const cudnnTensorTransformStruct &d) {
  for (int i = 0; i < d.n; ++i)
    supported(d.fold[i] == 1, "transforms that fold dimensions are not supported");
}

Tensor transformed(const cudnnTensorTransformStruct &d, const Tensor &source) {
  need(d.n == source.n, "the transform and the tensor have different numbers of dimensions");
  needNoFolding(d);
  int dim[CUDNN_DIM_MAX];
  for (int i = 0; i < d.n; ++i)
    dim[i] = int(source.dim[size_t(i)]) + d.before[i] + d.after[i];
  return makeTensor(source.type, d.format, d.n, dim);
}

/// Copies what is in both; elements of padding are zero.
void transform(cudnnHandle_t handle, const char *name, const cudnnTensorTransformStruct &d,
               const Tensor &from, const void *x, const Tensor &to, void *y, const Blend &blend) {
  needSameShape(transformed(d, from), to);
  needPointers(x, y);
  run(handle, name, [=] {
    byWidth(wide(from, to), [&]<typename T>() {
      const In<T> in(from, x);
      Out<T> out(to, y, blend, {x});
      parallelFor(to.count(), grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          int64_t rest = i, at = 0, step = 1;
          bool inside = true;
          for (int k = d.n - 1; k >= 0; --k) {
            const int64_t place = rest % to.dim[size_t(k)] - d.before[k];
            rest /= to.dim[size_t(k)];
            inside = inside && place >= 0 && place < from.dim[size_t(k)];
            at += place * step;
            step *= from.dim[size_t(k)];
          }
          out[i] = inside ? in[at] : T(0);
        }
      });
      out.finish();
    });
  });
}

} // namespace

cudnnStatus_t cudnnInitTransformDest(const cudnnTensorTransformDescriptor_t descriptor,
                                     const cudnnTensorDescriptor_t source,
                                     cudnnTensorDescriptor_t destination, size_t *bytes) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    const Tensor to = transformed(d, contents(source));
    static_cast<Tensor &>(live(destination)) = to;
    destination->format = d.format;
    give(bytes, to.bytes());
  });
}

cudnnStatus_t cudnnTransformTensorEx(cudnnHandle_t handle,
                                     const cudnnTensorTransformDescriptor_t descriptor,
                                     const void *alpha, const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor yt = contents(y_desc);
    transform(handle, name, live(descriptor), contents(x_desc), x, yt, y,
              Blend(alpha, beta, yt.type));
  });
}

cudnnStatus_t cudnnTransformFilter(cudnnHandle_t handle,
                                   const cudnnTensorTransformDescriptor_t descriptor,
                                   const void *alpha, const cudnnFilterDescriptor_t x_desc,
                                   const void *x, const void *beta,
                                   const cudnnFilterDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor yt = contents(y_desc);
    transform(handle, name, live(descriptor), contents(x_desc), x, yt, y,
              Blend(alpha, beta, yt.type));
  });
}
