// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's backend API: descriptors, heuristics, plans, and graphs of one operation or a few.
//
// flags: -std=c++17 -lcudnn

#include "cudnn_graph.h"

namespace {

void convolutions() {
  Tensor x({2, 3, 5, 5}, 1), w({4, 3, 3, 3}, 2), bias({1, 4, 1, 1}, 3), y({2, 4, 5, 5}),
      inner({2, 4, 5, 5}, -1, true), sum({2, 4, 5, 5}, -1, true), dx({2, 3, 5, 5}),
      dw({4, 3, 3, 3});
  const std::vector<int64_t> ones{1, 1};
  Node conv(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  conv.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, int64_t(2))
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, ones)
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, ones)
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, ones)
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, ones)
      .finalize();
  const auto operation = [&](cudnnBackendDescriptorType_t type, int base, const Tensor &a,
                             const Tensor &b, const Tensor &c) {
    Node n(type);
    const auto at = [base](int i) { return cudnnBackendAttributeName_t(base + i); };
    n.set(at(0), CUDNN_TYPE_FLOAT, 1.0f).set(at(1), CUDNN_TYPE_FLOAT, 0.0f).set(at(2), conv);
    n.set(at(3), a.node).set(at(4), b.node).set(at(5), c.node).finalize();
    return n;
  };
  // relu(conv(x, w) + bias), the operations given in no good order.
  const Node forward = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, w, x, inner);
  const Node add = pointwise(CUDNN_POINTWISE_ADD, inner, &bias, sum),
             relu = pointwise(CUDNN_POINTWISE_RELU_FWD, sum, nullptr, y);
  execute({&relu, &forward, &add}, {&x, &w, &bias, &y});
  const Node data = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, w, dx, y);
  execute({&data}, {&w, &dx, &y});
  const Node filter = operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, dw, x, y);
  execute({&filter}, {&x, &dw, &y});
  std::vector<double> ey(200, 0), edx(150, 0), edw(108, 0);
  const auto each = [&](const std::function<void(size_t, size_t, size_t)> &f) {
    for (int o = 0; o < 200; ++o)
      for (int k = 0; k < 27; ++k) {
        const int h = o / 5 % 5 - 1 + k / 3 % 3, v = o % 5 - 1 + k % 3;
        if (h >= 0 && h < 5 && v >= 0 && v < 5)
          f(size_t(((o / 100 * 3 + k / 9) * 5 + h) * 5 + v), size_t(o / 25 % 4 * 27 + k),
            size_t(o));
      }
  };
  each([&](size_t i, size_t j, size_t o) { ey[o] += double(x.data[i]) * w.data[j]; });
  for (size_t o = 0; o < 200; ++o)
    ey[o] = std::max(0.0, ey[o] + bias.data[o / 25 % 4]);
  compare(y.data, ey, 1e-5);
  each([&](size_t i, size_t j, size_t o) {
    edx[i] += ey[o] * w.data[j];
    edw[j] += ey[o] * x.data[i];
  });
  compare(dx.data, edx, 1e-4);
  compare(dw.data, edw, 1e-4);
}

void matricesAndReductions() {
  Tensor a({2, 4, 5}, 1), b({1, 5, 3}, 2), c({2, 4, 3}, -1), r({2, 1, 3});
  Node matmul(CUDNN_BACKEND_MATMUL_DESCRIPTOR), op(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  matmul.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT).finalize();
  op.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a.node)
      .set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b.node)
      .set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c.node)
      .set(CUDNN_ATTR_OPERATION_MATMUL_DESC, matmul)
      .finalize();
  Node reduce(CUDNN_BACKEND_REDUCTION_DESCRIPTOR),
      sum(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  reduce
      .set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE,
           CUDNN_REDUCE_TENSOR_ADD)
      .set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .finalize();
  sum.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, c.node)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, r.node)
      .set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, reduce)
      .finalize();
  execute({&op}, {&a, &b, &c});
  execute({&sum}, {&c, &r});
  std::vector<double> ec(24, 0), er(6, 0);
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j) {
        double &e = ec[size_t((n * 4 + i) * 3 + j)];
        for (int k = 0; k < 5; ++k)
          e += double(a.data[size_t((n * 4 + i) * 5 + k)]) * b.data[size_t(k * 3 + j)];
        er[size_t(n * 3 + j)] += e;
      }
  compare(c.data, ec, 1e-5);
  compare(r.data, er, 1e-5);
}

#ifdef HEDDLE_CUDNN
void pointwiseModes() {
  using F = double (*)(double, double);
  struct Mode {
    cudnnPointwiseMode_t mode;
    F f;
  };
  const Mode modes[] = {
      {CUDNN_POINTWISE_MUL, [](double x, double b) { return x * b; }},
      {CUDNN_POINTWISE_SUB, [](double x, double b) { return x - b; }},
      {CUDNN_POINTWISE_DIV, [](double x, double b) { return x / b; }},
      {CUDNN_POINTWISE_MIN, [](double x, double b) { return std::min(x, b); }},
      {CUDNN_POINTWISE_MAX, [](double x, double b) { return std::max(x, b); }},
      {CUDNN_POINTWISE_ADD_SQUARE, [](double x, double b) { return x + b * b; }},
      {CUDNN_POINTWISE_EXP, [](double x, double) { return std::exp(x); }},
      {CUDNN_POINTWISE_ABS, [](double x, double) { return std::fabs(x); }},
      {CUDNN_POINTWISE_ERF, [](double x, double) { return std::erf(x); }},
      {CUDNN_POINTWISE_CMP_GT, [](double x, double b) { return double(x > b); }},
      {CUDNN_POINTWISE_TANH_FWD, [](double x, double) { return std::tanh(x); }},
      {CUDNN_POINTWISE_SIGMOID_FWD, [](double x, double) { return 1 / (1 + std::exp(-x)); }},
      {CUDNN_POINTWISE_ELU_FWD, [](double x, double) { return x > 0 ? x : std::expm1(x); }},
      {CUDNN_POINTWISE_GELU_FWD,
       [](double x, double) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {CUDNN_POINTWISE_SOFTPLUS_FWD, [](double x, double) { return std::log1p(std::exp(x)); }},
      {CUDNN_POINTWISE_SWISH_FWD, [](double x, double) { return x / (1 + std::exp(-x)); }},
      {CUDNN_POINTWISE_GELU_APPROX_TANH_FWD,
       [](double x, double) {
         return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       }},
  };
  const std::map<int, int> gradients = {
      {CUDNN_POINTWISE_TANH_FWD, CUDNN_POINTWISE_TANH_BWD},
      {CUDNN_POINTWISE_SIGMOID_FWD, CUDNN_POINTWISE_SIGMOID_BWD},
      {CUDNN_POINTWISE_ELU_FWD, CUDNN_POINTWISE_ELU_BWD},
      {CUDNN_POINTWISE_GELU_FWD, CUDNN_POINTWISE_GELU_BWD},
      {CUDNN_POINTWISE_SOFTPLUS_FWD, CUDNN_POINTWISE_SOFTPLUS_BWD},
      {CUDNN_POINTWISE_SWISH_FWD, CUDNN_POINTWISE_SWISH_BWD},
      {CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, CUDNN_POINTWISE_GELU_APPROX_TANH_BWD}};
  Tensor x({1, 3, 4, 5}, 1), b({1, 3, 1, 1}, 2), y({1, 3, 4, 5}), dy({1, 3, 4, 5}, 3);
  for (const Mode &m : modes) {
    const Node op = pointwise(m.mode, x, &b, y);
    execute({&op}, {&x, &b, &y});
    std::vector<double> e(60), g(60);
    for (size_t i = 0; i < 60; ++i) {
      const double v = x.data[i], h = 1e-5;
      e[i] = m.f(v, b.data[i / 20]);
      g[i] = dy.data[i] * (m.f(v + h, 0) - m.f(v - h, 0)) / (2 * h);
    }
    compare(y.data, e, 1e-5);
    const auto found = gradients.find(m.mode);
    if (found == gradients.end())
      continue;
    const Node back = pointwise(cudnnPointwiseMode_t(found->second), x, &dy, y);
    execute({&back}, {&x, &dy, &y});
    compare(y.data, g, 1e-5);
  }
}

/// Three rows of eight, normalised in plain code.
std::vector<double> normalized(const std::vector<double> &v, bool rms, const float *scale,
                               const float *bias) {
  std::vector<double> out(24);
  for (size_t n = 0; n < 3; ++n) {
    double m = 0, s = 0;
    for (size_t i = 0; i < 8 && !rms; ++i)
      m += v[n * 8 + i] / 8;
    for (size_t i = 0; i < 8; ++i)
      s += std::pow(v[n * 8 + i] - m, 2) / 8;
    for (size_t i = 0; i < 8; ++i)
      out[n * 8 + i] = scale[i] * (v[n * 8 + i] - m) / std::sqrt(s + 1e-3) + bias[i];
  }
  return out;
}

/// Layer and RMS normalisation, with the gradients.
void normalizations() {
  for (int rms = 0; rms < 2; ++rms) {
    const auto mode = rms ? CUDNN_RMS_NORM : CUDNN_LAYER_NORM;
    Tensor x({3, 8, 1, 1}, 1), scale({1, 8, 1, 1}, 2), bias({1, 8, 1, 1}, 3), mean({3, 1, 1, 1}),
        inverse({3, 1, 1, 1}), y({3, 8, 1, 1}), epsilon({1, 1, 1, 1}), dy({3, 8, 1, 1}, 4),
        dx({3, 8, 1, 1}), d_scale({1, 8, 1, 1}), d_bias({1, 8, 1, 1});
    epsilon.data[0] = 1e-3f;
    Node f(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR),
        b(CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR);
    f.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, mode)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE,
             CUDNN_NORM_FWD_TRAINING)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, x.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, scale.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, bias.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, epsilon.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, mean.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, inverse.node)
        .set(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y.node)
        .finalize();
    b.set(CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_TYPE_NORM_MODE, mode)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, x.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, mean.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, inverse.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, scale.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, dy.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, dx.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, d_scale.node)
        .set(CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, d_bias.node)
        .finalize();
    execute({&f}, {&x, &scale, &bias, &epsilon, &mean, &inverse, &y});
    execute({&b}, {&x, &scale, &mean, &inverse, &dy, &dx, &d_scale, &d_bias});
    const auto forward = [&](const std::vector<double> &v) {
      return normalized(v, rms, scale.data, bias.data);
    };
    std::vector<double> v = x.data.values(), edx(24);
    compare(y.data, forward(v), 1e-4);
    for (size_t i = 0; i < 24; ++i) {
      double difference = 0;
      for (int sign = -1; sign <= 1; sign += 2) {
        v[i] += sign * 1e-5;
        const auto out = forward(v);
        for (size_t k = 0; k < 24; ++k)
          difference += sign * out[k] * dy.data[k];
        v[i] -= sign * 1e-5;
      }
      edx[i] = difference / 2e-5;
    }
    compare(dx.data, edx, 1e-3);
    for (size_t i = 0; i < 8; ++i) {
      CHECK_NEAR(d_bias.data[i], double(dy.data[i]) + dy.data[8 + i] + dy.data[16 + i], 1e-5);
      double sum = 0;
      for (size_t n = 0; n < 3; ++n)
        sum += dy.data[n * 8 + i] * (y.data[n * 8 + i] - bias.data[i]) / scale.data[i];
      CHECK_NEAR(d_scale.data[i], sum, 1e-3);
    }
  }
}

void statistics() {
  Tensor x({4, 3, 2, 2}, 1), sum({1, 3, 1, 1}), squares({1, 3, 1, 1}), scale({1, 3, 1, 1}, 2),
      bias({1, 3, 1, 1}, 3), mean({1, 3, 1, 1}), inverse({1, 3, 1, 1}), eq_scale({1, 3, 1, 1}),
      eq_bias({1, 3, 1, 1}), count({1, 1, 1, 1}), epsilon({1, 1, 1, 1}), twice({8, 3, 2, 2}),
      flat({4, 12, 1, 1});
  count.data[0] = 16;
  epsilon.data[0] = 1e-3f;
  Node stats(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR),
      finish(CUDNN_BACKEND_OPERATION_BN_FINALIZE_STATISTICS_DESCRIPTOR),
      concat(CUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR),
      reshape(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  stats.set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, x.node)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sum.node)
      .set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squares.node)
      .finalize();
  finish
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_STATS_MODE, CUDNN_TYPE_BN_FINALIZE_STATS_MODE,
           CUDNN_BN_FINALIZE_STATISTICS_TRAINING)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_Y_SUM_DESC, sum.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_Y_SQ_SUM_DESC, squares.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_SCALE_DESC, scale.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_BIAS_DESC, bias.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_SAVED_MEAN_DESC, mean.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_SAVED_INV_STD_DESC, inverse.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_EQ_SCALE_DESC, eq_scale.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_EQ_BIAS_DESC, eq_bias.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_ACCUM_COUNT_DESC, count.node)
      .set(CUDNN_ATTR_OPERATION_BN_FINALIZE_EPSILON_DESC, epsilon.node)
      .finalize();
  concat.set(CUDNN_ATTR_OPERATION_CONCAT_AXIS, CUDNN_TYPE_INT64, int64_t(0))
      .set(CUDNN_ATTR_OPERATION_CONCAT_INPUT_DESCS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
           std::vector<cudnnBackendDescriptor_t>{x.node.d, x.node.d})
      .set(CUDNN_ATTR_OPERATION_CONCAT_OUTPUT_DESC, twice.node)
      .finalize();
  reshape.set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x.node)
      .set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, flat.node)
      .finalize();
  execute({&finish, &stats}, {&x, &sum, &squares, &scale, &bias, &mean, &inverse, &eq_scale,
                              &eq_bias, &count, &epsilon});
  execute({&concat}, {&x, &twice});
  execute({&reshape}, {&x, &flat});
  for (size_t c = 0; c < 3; ++c) {
    double s = 0, q = 0;
    for (size_t i = 0; i < 16; ++i) {
      const double v = x.data[i / 4 * 12 + c * 4 + i % 4];
      s += v, q += v * v;
    }
    CHECK_NEAR(sum.data[c], s, 1e-5);
    CHECK_NEAR(squares.data[c], q, 1e-5);
    const double m = s / 16, i = 1 / std::sqrt(q / 16 - m * m + 1e-3);
    CHECK_NEAR(mean.data[c], m, 1e-5);
    CHECK_NEAR(inverse.data[c], i, 1e-4);
    CHECK_NEAR(eq_scale.data[c], scale.data[c] * i, 1e-4);
    CHECK_NEAR(eq_bias.data[c], bias.data[c] - m * scale.data[c] * i, 1e-4);
  }
  for (size_t i = 0; i < 48; ++i)
    CHECK(flat.data[i] == x.data[i] && twice.data[i] == x.data[i] &&
          twice.data[48 + i] == x.data[i]);
}

void resampling() {
  Tensor x({1, 2, 4, 4}, 1), y({1, 2, 2, 2}), dy({1, 2, 2, 2}, 2), dx({1, 2, 4, 4});
  Node pool(CUDNN_BACKEND_RESAMPLE_DESCRIPTOR), f(CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR),
      b(CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR);
  const std::vector<int64_t> two{2, 2}, none{0, 0};
  pool.set(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE, CUDNN_RESAMPLE_MAXPOOL)
      .set(CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, CUDNN_TYPE_INT64, int64_t(2))
      .set(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, CUDNN_TYPE_INT64, two)
      .set(CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_TYPE_INT64, two)
      .set(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, CUDNN_TYPE_INT64, none)
      .set(CUDNN_ATTR_RESAMPLE_POST_PADDINGS, CUDNN_TYPE_INT64, none)
      .finalize();
  f.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, x.node)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, y.node)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, pool)
      .finalize();
  b.set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_XDESC, x.node)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC, dy.node)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC, dx.node)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC, pool)
      .finalize();
  execute({&f}, {&x, &y});
  execute({&b}, {&x, &dy, &dx});
  for (size_t o = 0; o < 8; ++o) {
    double most = -9, sum = 0;
    for (size_t k = 0; k < 4; ++k) {
      const size_t i = o / 4 * 16 + (o / 2 % 2 * 2 + k / 2) * 4 + o % 2 * 2 + k % 2;
      most = std::max(most, double(x.data[i]));
      sum += dx.data[i];
      CHECK(dx.data[i] == 0 || x.data[i] == y.data[o]);
    }
    CHECK_EQ(double(y.data[o]), most);
    CHECK_EQ(sum, double(dy.data[o]));
  }
}
#endif

void badArguments() {
  cudnnBackendDescriptor_t d = nullptr;
  OK(cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, &d));
  CHECK(cudnnBackendFinalize(d) != CUDNN_STATUS_SUCCESS); // nothing was set
  int64_t n = 0, id = 0;
  CHECK(cudnnBackendGetAttribute(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &n, &id) !=
        CUDNN_STATUS_SUCCESS); // not finalized
  BAD(cudnnBackendSetAttribute(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, nullptr));
  OK(cudnnBackendDestroyDescriptor(d));
#ifdef HEDDLE_CUDNN
  Node again(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  again.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, int64_t(1));
  OK(cudnnBackendInitialize(again.d));
  BAD(cudnnBackendFinalize(again.d));
  Tensor x({1, 2, 3, 4}), y({1, 2, 3, 5});
  const Node wrong = pointwise(CUDNN_POINTWISE_EXP, x, nullptr, y);
  Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, wrong);
  BAD(cudnnBackendFinalize(graph.d));
  Node signal(CUDNN_BACKEND_OPERATION_SIGNAL_DESCRIPTOR);
  UNSUPPORTED(cudnnBackendFinalize(signal.d));
  BAD(cudnnBackendExecute(handle, again.d, again.d));
#endif
}

} // namespace

int main() {
  OK(cudnnCreate(&handle));
  convolutions();
  matricesAndReductions();
#ifdef HEDDLE_CUDNN // NVIDIA's engines have other requirements of types and layouts
  pointwiseModes();
  normalizations();
  statistics();
  resampling();
#endif
  badArguments();
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
