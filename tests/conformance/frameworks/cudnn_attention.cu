// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcudnn
// hardware: skip NVIDIA's engines take attention of half precision only, and on some shapes
//
// Attention as frameworks write it in cuDNN's backend API: a graph of products, masks and a
// softmax, and the graph of its gradients, with groups of heads that share keys and values. Random
// masks, transposes, and what engine configurations say of themselves.
#include "../libraries/cudnn_graph.h"

#include <deque>

namespace {

constexpr int64_t B = 2, H = 4, G = 2, S = 9,
                  D = 8; // batches, heads, heads of keys, sequence, depth
constexpr float factor = 0.25f;

/// Operations that live as long as their graph.
struct Graph {
  std::deque<Node> nodes;
  std::deque<Tensor> own;
  std::vector<const Node *> operations;
  std::vector<Tensor *> given;

  Tensor &inner(std::vector<int64_t> dims, cudnnDataType_t type = CUDNN_DATA_FLOAT,
                std::vector<int64_t> strides = {}) {
    own.emplace_back(std::move(dims), -1, true, type, std::move(strides));
    return own.back();
  }
  Tensor &number(float value) {
    own.emplace_back(std::vector<int64_t>{1, 1, 1, 1});
    own.back().data[0] = value;
    given.push_back(&own.back());
    return own.back();
  }
  Node &node(cudnnBackendDescriptorType_t type) {
    nodes.emplace_back(type);
    return nodes.back();
  }
  void add(Node &operation) { operations.push_back(&operation.finalize()); }

  void matmul(const Tensor &a, const Tensor &b, const Tensor &c) {
    Node &how = node(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT).finalize();
    add(node(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
            .set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a.node)
            .set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b.node)
            .set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c.node)
            .set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how));
  }
  const Tensor &each(cudnnPointwiseMode_t mode, const Tensor &x, const Tensor *b, const Tensor &y,
                     const Tensor *t = nullptr, int64_t axis = -1) {
    Node &how = node(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    if (axis >= 0)
      how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, axis);
    how.finalize();
    Node &op = node(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x.node)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y.node);
    if (b)
      op.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b->node);
    if (t)
      op.set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t->node);
    add(op);
    return y;
  }
  const Tensor &reduce(cudnnReduceTensorOp_t op, const Tensor &x, const Tensor &y) {
    Node &how = node(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, op)
        .set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
        .finalize();
    add(node(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR)
            .set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x.node)
            .set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y.node)
            .set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how));
    return y;
  }
  /// The same elements in memory, rows as columns.
  const Tensor &transposed(const Tensor &x) {
    const auto &d = x.dims;
    const Tensor &y = inner({d[0], d[1], d[3], d[2]}, CUDNN_DATA_FLOAT,
                            {d[1] * d[2] * d[3], d[2] * d[3], 1, d[3]});
    add(node(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR)
            .set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x.node)
            .set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y.node));
    return y;
  }
  /// Scaled scores, of which those to later positions are gone.
  const Tensor &scores(const Tensor &q, const Tensor &kt) {
    const std::vector<int64_t> all{B, H, S, S};
    const Tensor &s = inner(all), &scaled = inner(all), &masked = inner(all);
    matmul(q, kt, s);
    each(CUDNN_POINTWISE_MUL, s, &number(factor), scaled);
    const Tensor &row =
        each(CUDNN_POINTWISE_GEN_INDEX, scaled, nullptr, inner(all, CUDNN_DATA_INT32), nullptr, 2);
    const Tensor &column =
        each(CUDNN_POINTWISE_GEN_INDEX, scaled, nullptr, inner(all, CUDNN_DATA_INT32), nullptr, 3);
    const Tensor &seen = each(CUDNN_POINTWISE_CMP_GE, row, &column, inner(all, CUDNN_DATA_BOOLEAN));
    return each(CUDNN_POINTWISE_BINARY_SELECT, scaled, &number(-HUGE_VALF), masked, &seen);
  }
  void run(std::initializer_list<Tensor *> tensors) {
    given.insert(given.end(), tensors);
    execute(operations, given);
  }
};

/// What attention computes, in double and by its definition.
struct Reference {
  std::vector<double> o, stats, dq, dk, dv;

  Reference(Tensor &q, Tensor &k, Tensor &v, Tensor &d_o)
      : o(B * H * S * D), stats(B * H * S), dq(o.size()), dk(B * G * S * D), dv(dk.size()) {
    for (int64_t bh = 0; bh < B * H; ++bh)
      head(bh, bh / H * G + bh % H / (H / G), q, k, v, d_o);
  }

private:
  void head(int64_t bh, int64_t bg, Tensor &q, Tensor &k, Tensor &v, Tensor &d_o) {
    const auto at = [](Tensor &t, int64_t matrix, int64_t i, int64_t d) {
      return double(t.data[size_t((matrix * S + i) * D + d)]);
    };
    for (int64_t i = 0; i < S; ++i) {
      double p[S] = {}, sum = 0, dp[S] = {}, delta = 0;
      for (int64_t j = 0; j <= i; ++j) {
        double score = 0;
        for (int64_t d = 0; d < D; ++d)
          score += at(q, bh, i, d) * at(k, bg, j, d);
        sum += p[j] = std::exp(factor * score);
      }
      stats[size_t(bh * S + i)] = std::log(sum);
      for (int64_t j = 0; j <= i; ++j) {
        p[j] /= sum;
        for (int64_t d = 0; d < D; ++d) {
          o[size_t((bh * S + i) * D + d)] += p[j] * at(v, bg, j, d);
          dp[j] += at(d_o, bh, i, d) * at(v, bg, j, d);
          dv[size_t((bg * S + j) * D + d)] += p[j] * at(d_o, bh, i, d);
        }
        delta += p[j] * dp[j];
      }
      for (int64_t j = 0; j <= i; ++j)
        for (int64_t d = 0; d < D; ++d) {
          const double ds = factor * p[j] * (dp[j] - delta);
          dq[size_t((bh * S + i) * D + d)] += ds * at(k, bg, j, d);
          dk[size_t((bg * S + j) * D + d)] += ds * at(q, bh, i, d);
        }
    }
  }
};

/// The same memory as matrices of the other way about.
struct Turned : Tensor {
  explicit Turned(const Tensor &x)
      : Tensor({B, G, D, S}, -1, false, CUDNN_DATA_FLOAT, {G * S * D, S * D, 1, D}) {
    std::copy_n(x.data.data, x.data.count, data.data);
  }
};

void attention() {
  Tensor q({B, H, S, D}, 1), k({B, G, S, D}, 2), v({B, G, S, D}, 3), o({B, H, S, D}),
      stats({B, H, S, 1}), d_o({B, H, S, D}, 4), dq({B, H, S, D}), dk({B, G, S, D}),
      dv({B, G, S, D});
  Turned kt(k), vt(v);
  const Reference expected(q, k, v, d_o);
  const std::vector<int64_t> all{B, H, S, S}, rows{B, H, S, 1}, whole{B, H, S, D};
  {
    Graph g;
    const Tensor &s = g.scores(q, kt), &p = g.inner(all);
    const Tensor &most = g.reduce(CUDNN_REDUCE_TENSOR_MAX, s, g.inner(rows));
    const Tensor &e =
        g.each(CUDNN_POINTWISE_EXP, g.each(CUDNN_POINTWISE_SUB, s, &most, g.inner(all)), nullptr,
               g.inner(all));
    const Tensor &sum = g.reduce(CUDNN_REDUCE_TENSOR_ADD, e, g.inner(rows));
    g.each(CUDNN_POINTWISE_ADD, g.each(CUDNN_POINTWISE_LOG, sum, nullptr, g.inner(rows)), &most,
           stats);
    g.each(CUDNN_POINTWISE_DIV, e, &sum, p);
    g.matmul(p, v, o);
    g.run({&q, &kt, &v, &o, &stats});
  }
  compare(o.data, expected.o, 1e-5);
  compare(stats.data, expected.stats, 1e-5);
  {
    Graph g;
    const Tensor &p = g.each(CUDNN_POINTWISE_EXP,
                             g.each(CUDNN_POINTWISE_SUB, g.scores(q, kt), &stats, g.inner(all)),
                             nullptr, g.inner(all));
    const Tensor &dv_all = g.inner(whole), &dk_all = g.inner(whole), &dp = g.inner(all);
    g.matmul(g.transposed(p), d_o, dv_all);
    g.reduce(CUDNN_REDUCE_TENSOR_ADD, dv_all, dv);
    g.matmul(d_o, vt, dp);
    const Tensor &delta =
        g.reduce(CUDNN_REDUCE_TENSOR_ADD, g.each(CUDNN_POINTWISE_MUL, d_o, &o, g.inner(whole)),
                 g.inner(rows));
    const Tensor &gradient =
        g.each(CUDNN_POINTWISE_MUL, g.each(CUDNN_POINTWISE_SUB, dp, &delta, g.inner(all)), &p,
               g.inner(all));
    const Tensor &ds = g.each(CUDNN_POINTWISE_MUL, gradient, &g.number(factor), g.inner(all));
    g.matmul(ds, k, dq);
    g.matmul(g.transposed(ds), q, dk_all);
    g.reduce(CUDNN_REDUCE_TENSOR_ADD, dk_all, dk);
    g.run({&q, &k, &kt, &vt, &stats, &o, &d_o, &dq, &dk, &dv});
  }
  compare(dq.data, expected.dq, 1e-5);
  compare(dk.data, expected.dk, 1e-5);
  compare(dv.data, expected.dv, 1e-5);
}

std::vector<double> drawn(int64_t seed, int64_t offset, double probability) {
  Graph g;
  Tensor mask({1, 1, 64, 65});
  Node &how = g.node(CUDNN_BACKEND_RNG_DESCRIPTOR),
       &op = g.node(CUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR);
  how.set(CUDNN_ATTR_RNG_DISTRIBUTION, CUDNN_TYPE_RNG_DISTRIBUTION,
          CUDNN_RNG_DISTRIBUTION_BERNOULLI)
      .set(CUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, CUDNN_TYPE_DOUBLE, probability)
      .finalize();
  Tensor where({1, 1, 1, 1}, -1, false, CUDNN_DATA_INT32);
  const auto number = int32_t(offset);
  std::memcpy(where.data.data, &number, sizeof number);
  op.set(CUDNN_ATTR_OPERATION_RNG_YDESC, mask.node)
      .set(CUDNN_ATTR_OPERATION_RNG_SEED, CUDNN_TYPE_INT64, seed)
      .set(CUDNN_ATTR_OPERATION_RNG_OFFSET_DESC, where.node)
      .set(CUDNN_ATTR_OPERATION_RNG_DESC, how);
  g.add(op);
  g.run({&mask, &where});
  return mask.data.values();
}

void randomMasks() {
  const auto first = drawn(5, 0, 0.75);
  CHECK(first == drawn(5, 0, 0.75)); // as a backward pass needs it
  CHECK(first != drawn(6, 0, 0.75));
  CHECK(first != drawn(5, 100, 0.75));
  double sum = 0;
  for (const double value : first) {
    CHECK(value == 0 || value == 1);
    sum += value;
  }
  CHECK_NEAR(sum / double(first.size()), 0.75, 0.03);
  for (const double value : drawn(1, 0, 1))
    CHECK_EQ(value, 1);
}

/// What programs ask a configuration, with and without room for the answer.
void configurations() {
  Tensor x({1, 2, 2, 2}, 1), y({1, 2, 2, 2});
  const Node relu = pointwise(CUDNN_POINTWISE_RELU_FWD, x, nullptr, y);
  Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR),
      heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR),
      configuration(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR), engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, relu)
      .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle)
      .finalize();
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A)
      .finalize();
  int64_t count = -1;
  for (const int64_t asked : {0, 5}) { // null: only how many there are
    count = -1;
    OK(cudnnBackendGetAttribute(heuristics.d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                CUDNN_TYPE_BACKEND_DESCRIPTOR, asked, &count, nullptr));
    CHECK(count >= 1);
  }
  OK(cudnnBackendGetAttribute(heuristics.d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &configuration.d));
  OK(cudnnBackendGetAttribute(configuration.d, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 64, &count, nullptr));
  CHECK_EQ(count, 0);
  OK(cudnnBackendGetAttribute(configuration.d, CUDNN_ATTR_ENGINECFG_ENGINE,
                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine.d));
  OK(cudnnBackendGetAttribute(engine.d, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                              16, &count, nullptr));
  int32_t shared = -1;
  OK(cudnnBackendGetAttribute(configuration.d, CUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED,
                              CUDNN_TYPE_INT32, 1, &count, &shared));
  CHECK(shared >= 0);
  CHECK(cudnnBackendGetAttribute(heuristics.d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, nullptr,
                                 nullptr) != CUDNN_STATUS_SUCCESS);
  CHECK(cudnnBackendGetAttribute(engine.d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 1, &count,
                                 &count) != CUDNN_STATUS_SUCCESS);
  CHECK(cudnnGetVersion() >= 91000);
}

} // namespace

int main() {
  OK(cudnnCreate(&handle));
  attention();
  randomMasks();
  configurations();
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
