// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of any type and layout as rows of float or double, and back.
#include "elements.h"

#include "parallel.h"
#include "tensor.h"

namespace heddle::cudnn {
namespace {

/// A tensor's dimensions and strides, with dimension 1 split where elements of it lie side by side,
/// and neighbours merged where memory allows it; the last one is the row.
struct Walk {
  int n = 0;
  int64_t dim[max_dims + 2], stride[max_dims + 2];
  int64_t rows = 1;

  explicit Walk(const Tensor &t) {
    for (int i = 0; i < t.n; ++i)
      if (i == 1 && t.vect > 1) {
        append(t.dim[i] / t.vect, t.stride[i]);
        append(t.vect, 1);
      } else {
        append(t.dim[i], t.stride[i]);
      }
    if (n == 0)
      append(1, 1);
    for (int i = 0; i < n - 1; ++i)
      rows *= dim[i];
  }
  int64_t length() const { return dim[n - 1]; }
  int64_t step() const { return stride[n - 1]; }
  int64_t offset(int64_t row) const {
    int64_t at = 0;
    for (int i = n - 2; i >= 0; --i) {
      at += row % dim[i] * stride[i];
      row /= dim[i];
    }
    return at;
  }

private:
  void append(int64_t d, int64_t s) {
    if (n > 0 && (stride[n - 1] == d * s || d == 1)) {
      dim[n - 1] *= d;
      stride[n - 1] = d == 1 ? stride[n - 1] : s;
      return;
    }
    if (n > 0 && dim[n - 1] == 1) {
      dim[n - 1] = d;
      stride[n - 1] = s;
      return;
    }
    dim[n] = d;
    stride[n++] = s;
  }
};

constexpr int64_t grain = 1 << 15; // elements that are worth another thread

} // namespace

template <typename T> void readElements(const Tensor &from, const void *data, T *to) {
  const Walk walk(from);
  const int64_t length = walk.length(), step = walk.step();
  byType(from.type, [&]<typename E>() {
    const E *source = static_cast<const E *>(data);
    parallelEach(walk.rows, grain / std::max<int64_t>(length, 1), [&](int64_t row) {
      const E *in = source + walk.offset(row);
      T *out = to + row * length;
      for (int64_t i = 0; i < length; ++i)
        out[i] = static_cast<T>(in[i * step]);
    });
  });
}

template <typename T>
void writeElements(const Tensor &to, void *data, const T *from, const Blend &blend) {
  const Walk walk(to);
  const int64_t length = walk.length(), step = walk.step();
  const T alpha = T(blend.alpha), beta = T(blend.beta);
  byType(to.type, [&]<typename E>() {
    E *target = static_cast<E *>(data);
    parallelEach(walk.rows, grain / std::max<int64_t>(length, 1), [&](int64_t row) {
      const T *in = from + row * length;
      E *out = target + walk.offset(row);
      if (beta == 0)
        for (int64_t i = 0; i < length; ++i)
          out[i * step] = toElement<E>(alpha * in[i]);
      else
        for (int64_t i = 0; i < length; ++i)
          out[i * step] = toElement<E>(alpha * in[i] + beta * static_cast<T>(out[i * step]));
    });
  });
}

template void readElements(const Tensor &, const void *, float *);
template void readElements(const Tensor &, const void *, double *);
template void writeElements(const Tensor &, void *, const float *, const Blend &);
template void writeElements(const Tensor &, void *, const double *, const Blend &);

double scalar(const void *value, cudnnDataType_t output) {
  needPointers(value);
  return output == CUDNN_DATA_DOUBLE ? *static_cast<const double *>(value)
                                     : double(*static_cast<const float *>(value));
}

Blend::Blend(const void *alpha_at, const void *beta_at, cudnnDataType_t output)
    : alpha(scalar(alpha_at, output)), beta(scalar(beta_at, output)) {}

Broadcast::Broadcast(const Tensor &small, const Tensor &large, bool groups)
    : n_(large.n), same_(small.sameShape(large)), dim_(large.dim) {
  need(small.n <= large.n, "a tensor has more dimensions than the one it is applied to");
  int64_t step = 1;
  const int missing = large.n - small.n;
  for (int i = n_ - 1; i >= 0; --i) {
    const int64_t all = large.dim[size_t(i)], d = i < missing ? 1 : small.dim[size_t(i - missing)];
    need(d == 1 || d == all || (groups && all % d == 0),
         "a dimension is neither 1 nor the other tensor's");
    repeats_[size_t(i)] = all / d;
    step_[size_t(i)] = step;
    step *= d;
  }
}

int64_t Broadcast::operator()(int64_t position) const {
  int64_t at = 0;
  for (int i = n_ - 1; i >= 0; --i) {
    at += position % dim_[size_t(i)] / repeats_[size_t(i)] * step_[size_t(i)];
    position /= dim_[size_t(i)];
  }
  return at;
}

} // namespace heddle::cudnn
