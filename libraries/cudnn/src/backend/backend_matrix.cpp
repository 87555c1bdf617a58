// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend's products of matrices, reductions and random numbers.
#include "backend_run.h"

#include "dropout.h"
#include "gemm.h"
#include "parallel.h"
#include "reduce.h"

namespace heddle::cudnn {
namespace {

/// A product's sizes, and which matrices of A and B a matrix of C comes from.
struct Product {
  int64_t rows, columns, inner, batches;
  Broadcast at_a, at_b;
};

Tensor batchesOf(Tensor t) {
  if (t.n == 2)
    t.dim[0] = 1;
  t.n = std::max(1, t.n - 2);
  return t;
}

Product productOf(const Tensor &a, const Tensor &b, const Tensor &c) {
  const int n = c.n;
  need(n >= 2 && a.n == n && b.n == n, "the numbers of dimensions do not go together");
  const auto size = [n](const Tensor &t, int back) { return t.dim[size_t(n - back)]; };
  const Tensor batches = batchesOf(c);
  const Product p{size(c, 2),
                  size(c, 1),
                  size(a, 1),
                  batches.count(),
                  Broadcast(batchesOf(a), batches, true),
                  Broadcast(batchesOf(b), batches, true)};
  need(size(a, 2) == p.rows && size(b, 1) == p.columns && size(b, 2) == p.inner,
       "the matrices do not go together");
  return p;
}

template <typename T>
void multiply(const Product &p, const BackendTensor &a, const BackendTensor &b,
              const BackendTensor &c) {
  const In<T> left(a.tensor, a.data), right(b.tensor, b.data);
  Out<T> out(c.tensor, c.data, {}, {a.data, b.data});
  for (int64_t batch = 0; batch < p.batches; ++batch)
    gemm(false, false, p.rows, p.columns, p.inner, T(1),
         left.data() + p.at_a(batch) * p.rows * p.inner, p.inner,
         right.data() + p.at_b(batch) * p.inner * p.columns, p.columns, T(0),
         out.data() + batch * p.rows * p.columns, p.columns);
  out.finish();
}

/// Splits dimensions of which the result keeps a part: neighbours are reduced to one.
void splitParts(Tensor &x, Tensor &y) {
  Tensor of_x = x, of_y = y;
  of_x.n = of_y.n = 0;
  for (int i = 0; i < x.n; ++i) {
    const int64_t all = x.dim[size_t(i)], kept = y.dim[size_t(i)];
    need(all % kept == 0, "a dimension of the result is not a part of the input's");
    const bool part = kept != 1 && kept != all;
    need(of_x.n + (part ? 2 : 1) <= max_dims, "there are too many dimensions");
    of_x.dim[size_t(of_x.n++)] = part ? kept : all;
    of_y.dim[size_t(of_y.n++)] = kept;
    if (part) {
      of_x.dim[size_t(of_x.n++)] = all / kept;
      of_y.dim[size_t(of_y.n++)] = 1;
    }
  }
  x = of_x, y = of_y;
}

template <typename T>
void reduce(cudnnReduceTensorOp_t how, const BackendTensor &x, const BackendTensor &y) {
  const In<T> in(x.tensor, x.data);
  Out<T> out(y.tensor, y.data, {}, {x.data});
  Tensor from = x.tensor, to = y.tensor;
  splitParts(from, to);
  reduceTensor<T>(how, true, from, in.data(), to, out.data());
  out.finish();
}

/// A seed or an offset: a number of the description, or a tensor of one element.
uint64_t wholeNumber(const BackendNode &op, cudnnBackendAttributeName_t name, BackendTensors &t) {
  if (!op.has(name))
    return 0;
  if (op.values.at(name).nodes.empty())
    return uint64_t(op.get<int64_t>(name));
  const BackendTensor tensor = t.at(op.node(name));
  need(tensor.tensor.count() == 1, "a seed or an offset has more than one element");
  supported(tensor.tensor.type == CUDNN_DATA_INT64 || tensor.tensor.type == CUDNN_DATA_INT32,
            "a seed or an offset is not a whole number");
  if (!tensor.data)
    return 0;
  return tensor.tensor.type == CUDNN_DATA_INT64
             ? *static_cast<const uint64_t *>(tensor.data)
             : uint64_t(*static_cast<const uint32_t *>(tensor.data));
}

} // namespace

void runMatmul(const BackendNode &op, BackendTensors &t) {
  const auto a = t.at(op.node(CUDNN_ATTR_OPERATION_MATMUL_ADESC)),
             b = t.at(op.node(CUDNN_ATTR_OPERATION_MATMUL_BDESC)),
             c = t.at(op.node(CUDNN_ATTR_OPERATION_MATMUL_CDESC));
  const Product p = productOf(a.tensor, b.tensor, c.tensor);
  if (!t.isTrial())
    byWidth(a.isWide() || b.isWide() || c.isWide(), [&]<typename T>() { multiply<T>(p, a, b, c); });
}

void runReduction(const BackendNode &op, BackendTensors &t) {
  const auto x = t.at(op.node(CUDNN_ATTR_OPERATION_REDUCTION_XDESC)),
             y = t.at(op.node(CUDNN_ATTR_OPERATION_REDUCTION_YDESC));
  const auto how = op.node(CUDNN_ATTR_OPERATION_REDUCTION_DESC)
                       .get<cudnnReduceTensorOp_t>(CUDNN_ATTR_REDUCTION_OPERATOR);
  need(x.tensor.n == y.tensor.n, "the numbers of dimensions do not go together");
  if (t.isTrial()) {
    Tensor from = x.tensor, to = y.tensor;
    return splitParts(from, to);
  }
  byWidth(x.isWide() || y.isWide(), [&]<typename T>() { reduce<T>(how, x, y); });
}

// The same seed and offset draw the same numbers again, as a backward pass needs.
void runRandom(const BackendNode &op, BackendTensors &t) {
  const auto y = t.at(op.node(CUDNN_ATTR_OPERATION_RNG_YDESC));
  const BackendNode &d = op.node(CUDNN_ATTR_OPERATION_RNG_DESC);
  supported(d.get<cudnnRngDistribution_t>(CUDNN_ATTR_RNG_DISTRIBUTION) ==
                CUDNN_RNG_DISTRIBUTION_BERNOULLI,
            "random numbers are supported as Bernoulli's distribution only");
  const double stays = d.number(CUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, 0.5);
  need(stays >= 0 && stays <= 1, "the probability is not in 0 to 1");
  const uint64_t seed = wholeNumber(op, CUDNN_ATTR_OPERATION_RNG_SEED, t),
                 offset = wholeNumber(op, CUDNN_ATTR_OPERATION_RNG_OFFSET_DESC, t);
  if (t.isTrial())
    return;
  std::vector<uint8_t> mask(size_t(y.tensor.count()));
  drawBernoulli(seed, offset, stays, mask.data(), int64_t(mask.size()));
  y.write(std::vector<double>(mask.begin(), mask.end()));
}

} // namespace heddle::cudnn
