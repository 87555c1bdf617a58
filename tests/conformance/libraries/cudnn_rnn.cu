// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's recurrent networks: every cell, direction, bias and layout against plain code,
// gradients against finite differences, and the calls of version 6.
//
// flags: -std=c++17 -lcudnn

#include "cudnn_check.h"

#include <string>

namespace {

cudnnHandle_t handle;

struct Config {
  cudnnRNNMode_t cell;
  cudnnRNNBiasMode_t bias;
  int directions, layers, input, hidden, projection;
  cudnnRNNDataLayout_t layout;
  cudnnRNNInputMode_t input_mode;
  int gates() const { return cell == CUDNN_LSTM ? 4 : (cell == CUDNN_GRU ? 3 : 1); }
  int output() const { return projection ? projection : hidden; }
};
const int times = 4, batch = 3, lengths[] = {4, 3, 1};

/// A network with its data, in double.
struct Network {
  Config a;
  RNNDescriptor rnn;
  RNNDataDescriptor xt, yt;
  TensorN ht, ct;
  size_t weight_bytes = 0, work_bytes = 0, reserve_bytes = 0;
  Array<double> x, y, hx, hy, cx, cy, *w = nullptr;
  Array<char> *work = nullptr, *reserve = nullptr;
  Array<int> device_lengths{batch};

  explicit Network(const Config &c)
      : a(c), ht(CUDNN_DATA_DOUBLE, {c.layers * c.directions, batch, c.output()}),
        ct(CUDNN_DATA_DOUBLE, {c.layers * c.directions, batch, c.hidden}),
        x(size_t(times * batch * c.input), 1), y(size_t(times * batch * c.output() * c.directions)),
        hx(states(c.output()), 2), hy(states(c.output())), cx(states(c.hidden), 3),
        cy(states(c.hidden)) {
    for (size_t i = 0; i < batch; ++i)
      device_lengths[i] = lengths[i];
    OK(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, c.cell, c.bias,
                                c.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL,
                                c.input_mode, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE,
                                CUDNN_DEFAULT_MATH, c.input, c.hidden, c.output(), c.layers,
                                nullptr, CUDNN_RNN_PADDED_IO_ENABLED));
    double fill = 0;
    OK(cudnnSetRNNDataDescriptor(xt, CUDNN_DATA_DOUBLE, c.layout, times, batch, c.input, lengths,
                                 &fill));
    OK(cudnnSetRNNDataDescriptor(yt, CUDNN_DATA_DOUBLE, c.layout, times, batch,
                                 c.output() * c.directions, lengths, &fill));
    OK(cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes));
    OK(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, xt, &work_bytes,
                                 &reserve_bytes));
    w = new Array<double>(weight_bytes / sizeof(double), 4);
    for (size_t i = 0; i < w->count; ++i)
      (*w)[i] *= 0.6;
    work = new Array<char>(work_bytes);
    reserve = new Array<char>(reserve_bytes);
  }
  ~Network() {
    delete w;
    delete work;
    delete reserve;
  }
  size_t states(int size) const { return size_t(a.layers * a.directions * batch * size); }
  /// Where a sequence's vector is.
  size_t place(int t, int b) const {
    if (a.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED)
      return size_t(t * batch + b);
    if (a.layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED)
      return size_t(b * times + t);
    size_t at = size_t(b);
    for (int s = 0; s < t; ++s)
      for (int k : lengths)
        at += k > s;
    return at;
  }
  void forward(bool training = true) {
    OK(cudnnRNNForward(handle, rnn, training ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE,
                       device_lengths, xt, x, yt, y, ht, hx, hy, ct, cx, cy, weight_bytes, *w,
                       work_bytes, *work, training ? reserve_bytes : 0,
                       training ? reserve->data : nullptr));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  struct Part {
    const double *m = nullptr, *b = nullptr;
    int rows = 0, columns = 0;
  };
  Part part(int pseudo, int id) const {
    TensorDescriptor md, bd;
    void *m = nullptr, *b = nullptr;
    OK(cudnnGetRNNWeightParams(handle, rnn, pseudo, weight_bytes, *w, id, md, &m, bd, &b));
    Part p{static_cast<double *>(m), static_cast<double *>(b)};
    if (m) {
      cudnnDataType_t type;
      int n, dims[3], strides[3];
      OK(cudnnGetTensorNdDescriptor(md, 3, &type, &n, dims, strides));
      CHECK(n == 3 && dims[0] == 1 && type == CUDNN_DATA_DOUBLE);
      p.rows = dims[1];
      p.columns = dims[2];
    }
    return p;
  }
};

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

/// One step of one sequence in plain code.
void step(const Network &n, const std::vector<Network::Part> &parts, const std::vector<double> &in,
          std::vector<double> &h, std::vector<double> &c) {
  const Config &a = n.a;
  const int g = a.gates();
  std::vector<std::vector<double>> from_x(size_t(g), std::vector<double>(size_t(a.hidden))),
      from_h = from_x;
  for (int k = 0; k < g; ++k)
    for (int j = 0; j < a.hidden; ++j) {
      const auto &wx = parts[size_t(k)], &wh = parts[size_t(g + k)];
      double &u = from_x[size_t(k)][size_t(j)], &v = from_h[size_t(k)][size_t(j)];
      u = wx.b ? wx.b[j] : 0;
      v = wh.b ? wh.b[j] : 0;
      for (size_t i = 0; i < in.size() && wx.m; ++i)
        u += wx.m[size_t(j) * in.size() + i] * in[i];
      if (!wx.m)
        u += in[size_t(j)];
      for (size_t i = 0; i < h.size(); ++i)
        v += wh.m[size_t(j) * h.size() + i] * h[i];
    }
  std::vector<double> out(size_t(a.hidden));
  for (size_t j = 0; j < out.size(); ++j) {
    const auto sum = [&](size_t k) { return from_x[k][j] + from_h[k][j]; };
    if (a.cell == CUDNN_LSTM) {
      c[j] = sigmoid(sum(1)) * c[j] + sigmoid(sum(0)) * std::tanh(sum(2));
      out[j] = sigmoid(sum(3)) * std::tanh(c[j]);
    } else if (a.cell == CUDNN_GRU) {
      const double fresh = std::tanh(from_x[2][j] + sigmoid(sum(0)) * from_h[2][j]);
      const double update = sigmoid(sum(1));
      out[j] = (1 - update) * fresh + update * h[j];
    } else {
      out[j] = a.cell == CUDNN_RNN_TANH ? std::tanh(sum(0)) : std::max(sum(0), 0.0);
    }
  }
  if (a.projection) {
    const auto &p = parts[size_t(2 * g)];
    CHECK(p.rows == a.projection && p.columns == a.hidden);
    std::vector<double> narrow(size_t(a.projection), 0);
    for (size_t j = 0; j < narrow.size(); ++j)
      for (size_t i = 0; i < out.size(); ++i)
        narrow[j] += p.m[j * out.size() + i] * out[i];
    out = narrow;
  }
  h = out;
}

void checkForward(Network &n) {
  const Config &a = n.a;
  const int o = a.output();
  using Sequence = std::vector<std::vector<double>>;
  std::vector<Sequence> in(batch);
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t < lengths[b]; ++t) {
      const double *from = n.x + n.place(t, b) * size_t(a.input);
      in[size_t(b)].emplace_back(from, from + a.input);
    }
  for (int layer = 0; layer < a.layers; ++layer) {
    std::vector<Sequence> out(batch);
    for (int b = 0; b < batch; ++b)
      out[size_t(b)].assign(size_t(lengths[b]), std::vector<double>(size_t(o * a.directions)));
    for (int d = 0; d < a.directions; ++d) {
      const int pseudo = layer * a.directions + d;
      std::vector<Network::Part> parts;
      for (int id = 0; id < 2 * a.gates() + (a.projection != 0); ++id)
        parts.push_back(n.part(pseudo, id));
      for (int b = 0; b < batch; ++b) {
        const size_t row = size_t(pseudo * batch + b);
        std::vector<double> h(n.hx + row * size_t(o), n.hx + (row + 1) * size_t(o)),
            c(n.cx + row * size_t(a.hidden), n.cx + (row + 1) * size_t(a.hidden));
        for (int s = 0; s < lengths[b]; ++s) {
          const size_t t = size_t(d ? lengths[b] - 1 - s : s);
          step(n, parts, in[size_t(b)][t], h, c);
          std::copy(h.begin(), h.end(), out[size_t(b)][t].begin() + d * o);
        }
        for (int j = 0; j < o; ++j)
          CHECK_NEAR(n.hy[row * size_t(o) + size_t(j)], h[size_t(j)], 1e-10);
        for (int j = 0; j < a.hidden && a.cell == CUDNN_LSTM; ++j)
          CHECK_NEAR(n.cy[row * size_t(a.hidden) + size_t(j)], c[size_t(j)], 1e-10);
      }
    }
    in = out;
  }
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t < lengths[b]; ++t)
      for (int j = 0; j < o * a.directions; ++j)
        CHECK_NEAR(n.y[n.place(t, b) * size_t(o * a.directions) + size_t(j)],
                   in[size_t(b)][size_t(t)][size_t(j)], 1e-10);
}

/// The gradients of a sum of y, hy and cy, by x, hx, cx and the weights.
void checkBackward(Network &n) {
  const bool lstm = n.a.cell == CUDNN_LSTM;
  Array<double> dy(n.y.count, 11), dhy(n.hy.count, 12), dcy(n.cy.count, 13), dx(n.x.count),
      dhx(n.hx.count), dcx(n.cx.count), dw(n.w->count);
  n.forward();
  OK(cudnnRNNBackwardData_v8(handle, n.rnn, n.device_lengths, n.yt, n.y, dy, n.xt, dx, n.ht, n.hx,
                             dhy, dhx, n.ct, n.cx, dcy, dcx, n.weight_bytes, *n.w, n.work_bytes,
                             *n.work, n.reserve_bytes, *n.reserve));
  for (int twice = 0; twice < 2; ++twice) // gradients are added
    OK(cudnnRNNBackwardWeights_v8(handle, n.rnn, CUDNN_WGRAD_MODE_ADD, n.device_lengths, n.xt, n.x,
                                  n.ht, n.hx, n.yt, n.y, n.weight_bytes, dw, n.work_bytes, *n.work,
                                  n.reserve_bytes, *n.reserve));
  CHECK_CUDA(cudaDeviceSynchronize());
  const auto loss = [&] {
    n.forward(false);
    double sum = 0;
    for (int b = 0; b < batch; ++b)
      for (int t = 0; t < lengths[b]; ++t)
        for (size_t j = 0; j < n.y.count / (times * batch); ++j) {
          const size_t at = n.place(t, b) * (n.y.count / (times * batch)) + j;
          sum += n.y[at] * dy[at];
        }
    for (size_t i = 0; i < n.hy.count; ++i)
      sum += n.hy[i] * dhy[i];
    for (size_t i = 0; i < n.cy.count && lstm; ++i)
      sum += n.cy[i] * dcy[i];
    return sum;
  };
  const auto check = [&](double *v, size_t count, const double *gradient, double scale) {
    for (size_t i = 0; i < count; i += std::max<size_t>(1, count / 13)) {
      const double kept = v[i];
      v[i] = kept + 1e-5;
      const double above = loss();
      v[i] = kept - 1e-5;
      const double below = loss();
      v[i] = kept;
      CHECK_NEAR(gradient[i] / scale, (above - below) / 2e-5,
                 1e-5 * std::max(1.0, std::fabs(gradient[i])));
    }
  };
  check(n.x, size_t(batch) * size_t(n.a.input), dx,
        1); // the first time, which all layouts begin with
  check(n.hx, n.hx.count, dhx, 1);
  if (lstm)
    check(n.cx, n.cx.count, dcx, 1);
  check(*n.w, n.w->count, dw, 2);
}

void networks() {
  const auto linear = CUDNN_LINEAR_INPUT, skip = CUDNN_SKIP_INPUT;
  const auto packed = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
             seq = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
             rows = CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED;
  const Config configs[] = {
      {CUDNN_RNN_TANH, CUDNN_RNN_DOUBLE_BIAS, 1, 1, 3, 4, 0, seq, linear},
      {CUDNN_RNN_RELU, CUDNN_RNN_SINGLE_INP_BIAS, 2, 2, 3, 4, 0, packed, linear},
      {CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, 1, 2, 5, 4, 0, seq, linear},
      {CUDNN_LSTM, CUDNN_RNN_SINGLE_REC_BIAS, 2, 2, 5, 4, 0, packed, linear},
      {CUDNN_LSTM, CUDNN_RNN_NO_BIAS, 1, 1, 4, 4, 0, seq, skip},
      {CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, 1, 2, 3, 5, 2, seq, linear},
      {CUDNN_GRU, CUDNN_RNN_DOUBLE_BIAS, 2, 2, 3, 4, 0, packed, linear},
      {CUDNN_GRU, CUDNN_RNN_SINGLE_INP_BIAS, 1, 1, 3, 4, 0, seq, linear},
#ifdef HEDDLE_CUDNN
      {CUDNN_GRU, CUDNN_RNN_SINGLE_REC_BIAS, 2, 1, 3, 4, 0, rows, linear},
#endif
  };
  (void)rows;
  for (const Config &c : configs) {
    Network n(c);
    n.forward(false);
    checkForward(n);
    n.forward(true);
    checkForward(n);
    if (c.layout != rows)
      checkBackward(n);
  }
}

void descriptors() {
  Network n({CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, 1, 1, 3, 4, 0,
             CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED, CUDNN_LINEAR_INPUT});
  cudnnRNNAlgo_t algorithm;
  cudnnRNNMode_t cell;
  cudnnRNNBiasMode_t bias;
  cudnnDirectionMode_t direction;
  cudnnRNNInputMode_t input;
  cudnnDataType_t type, precision;
  cudnnMathType_t math;
  int32_t in, hidden, projection, layers;
  cudnnDropoutDescriptor_t dropout;
  uint32_t flags;
  OK(cudnnGetRNNDescriptor_v8(n.rnn, &algorithm, &cell, &bias, &direction, &input, &type,
                              &precision, &math, &in, &hidden, &projection, &layers, &dropout,
                              &flags));
  CHECK(cell == CUDNN_LSTM && in == 3 && hidden == 4 && layers == 1 && projection == 4);
  cudnnRNNDataLayout_t layout;
  int t, b, v, got[3];
  double fill = 1;
  OK(cudnnGetRNNDataDescriptor(n.xt, &type, &layout, &t, &b, &v, 3, got, &fill));
  CHECK(t == times && b == batch && v == 3 && got[1] == 3 && got[2] == 1 && fill == 0);
  cudnnRNNClipMode_t mode;
  cudnnNanPropagation_t nan;
  double low, high;
  OK(cudnnRNNSetClip_v8(n.rnn, CUDNN_RNN_CLIP_MINMAX, CUDNN_NOT_PROPAGATE_NAN, -0.1, 0.1));
  OK(cudnnRNNGetClip_v8(n.rnn, &mode, &nan, &low, &high));
  CHECK(mode == CUDNN_RNN_CLIP_MINMAX && low == -0.1 && high == 0.1);
#if CUDNN_MAJOR >= 9
  OK(cudnnRNNSetClip_v9(n.rnn, CUDNN_RNN_CLIP_MINMAX, -0.2, 0.2));
  OK(cudnnRNNGetClip_v9(n.rnn, &mode, &low, &high));
  CHECK(low == -0.2 && high == 0.2);
#endif
  n.forward();
#ifdef HEDDLE_CUDNN // an H100 goes on with the limits of _v8
  for (size_t i = 0; i < n.cy.count; ++i)
    CHECK(std::fabs(n.cy[i]) <= high + 1e-12);
#endif
  // Bad arguments.
  BAD(cudnnSetRNNDataDescriptor(n.xt, CUDNN_DATA_DOUBLE, layout, times, batch, 0, lengths,
                                nullptr));
  BAD(cudnnSetRNNDataDescriptor(n.xt, CUDNN_DATA_DOUBLE, layout, 2, batch, 3, lengths, nullptr));
  BAD(cudnnGetRNNWeightParams(handle, n.rnn, 5, n.weight_bytes, *n.w, 0, nullptr, nullptr, nullptr,
                              nullptr));
#ifdef HEDDLE_CUDNN
  OK(cudnnBuildRNNDynamic(handle, n.rnn, batch));
  BAD(cudnnRNNForward(handle, n.rnn, CUDNN_FWD_MODE_TRAINING, n.device_lengths, n.xt, n.x, n.yt,
                      n.y, n.ht, n.hx, n.hy, n.ct, n.cx, n.cy, n.weight_bytes, *n.w, 0, nullptr, 0,
                      nullptr));
#endif
}

#ifdef HEDDLE_CUDNN
/// The calls of version 6 on packed sequences give what those of version 8 do.
void versionSix() {
  Network n({CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, 2, 2, 3, 4, 0,
             CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, CUDNN_LINEAR_INPUT});
  n.forward();
  const std::vector<double> y = n.y.values(), hy = n.hy.values(), cy = n.cy.values();
  RNNDescriptor rnn;
  const auto type = CUDNN_DATA_DOUBLE;
  OK(cudnnSetRNNDescriptor_v6(handle, rnn, 4, 2, nullptr, CUDNN_LINEAR_INPUT, CUDNN_BIDIRECTIONAL,
                              CUDNN_LSTM, CUDNN_RNN_ALGO_STANDARD, type));
  int hidden, layers, projection, out;
  cudnnDropoutDescriptor_t dropout;
  cudnnRNNInputMode_t input;
  cudnnDirectionMode_t direction;
  cudnnRNNMode_t cell;
  cudnnRNNAlgo_t algorithm;
  cudnnDataType_t precision;
  OK(cudnnGetRNNDescriptor_v6(handle, rnn, &hidden, &layers, &dropout, &input, &direction, &cell,
                              &algorithm, &precision));
  CHECK(hidden == 4 && layers == 2 && cell == CUDNN_LSTM && direction == CUDNN_BIDIRECTIONAL);
  cudnnMathType_t math;
  cudnnRNNBiasMode_t bias;
  unsigned padding;
  cudnnRNNClipMode_t clip;
  cudnnNanPropagation_t nan;
  double low, high;
  OK(cudnnSetRNNMatrixMathType(rnn, CUDNN_TENSOR_OP_MATH));
  OK(cudnnGetRNNMatrixMathType(rnn, &math));
  OK(cudnnSetRNNBiasMode(rnn, CUDNN_RNN_DOUBLE_BIAS));
  OK(cudnnGetRNNBiasMode(rnn, &bias));
  OK(cudnnSetRNNPaddingMode(rnn, CUDNN_RNN_PADDED_IO_ENABLED));
  OK(cudnnGetRNNPaddingMode(rnn, &padding));
  OK(cudnnSetRNNProjectionLayers(handle, rnn, 4, 0));
  OK(cudnnGetRNNProjectionLayers(handle, rnn, &projection, &out));
  OK(cudnnRNNSetClip(handle, rnn, CUDNN_RNN_CLIP_NONE, CUDNN_NOT_PROPAGATE_NAN, -1, 1));
  OK(cudnnRNNGetClip(handle, rnn, &clip, &nan, &low, &high));
  CHECK(math == CUDNN_TENSOR_OP_MATH && bias == CUDNN_RNN_DOUBLE_BIAS && padding == 1 &&
        projection == 4 && out == 0 && clip == CUDNN_RNN_CLIP_NONE && low == -1);
  std::vector<TensorN *> owned;
  std::vector<cudnnTensorDescriptor_t> xt, yt;
  for (int t = 0; t < times; ++t) {
    int b = 0;
    for (int k : lengths)
      b += k > t;
    owned.push_back(new TensorN(type, {b, 3, 1}));
    xt.push_back(*owned.back());
    owned.push_back(new TensorN(type, {b, 8, 1}));
    yt.push_back(*owned.back());
  }
  size_t work = 0, reserve = 0, bytes = 0;
  OK(cudnnGetRNNWorkspaceSize(handle, rnn, times, xt.data(), &work));
  OK(cudnnGetRNNTrainingReserveSize(handle, rnn, times, xt.data(), &reserve));
  OK(cudnnGetRNNParamsSize(handle, rnn, xt[0], &bytes, type));
  CHECK_EQ(bytes, n.weight_bytes);
  FilterDescriptor w, part;
  const int dims[] = {int(bytes / 8), 1, 1};
  OK(cudnnSetFilterNdDescriptor(w, type, CUDNN_TENSOR_NCHW, 3, dims));
  void *m8 = nullptr, *b8 = nullptr, *m6 = nullptr, *b6 = nullptr;
  TensorDescriptor md, bd;
  OK(cudnnGetRNNWeightParams(handle, n.rnn, 3, bytes, *n.w, 6, md, &m8, bd, &b8));
  OK(cudnnGetRNNLinLayerMatrixParams(handle, rnn, 3, xt[0], w, *n.w, 6, part, &m6));
  OK(cudnnGetRNNLinLayerBiasParams(handle, rnn, 3, xt[0], w, *n.w, 6, part, &b6));
  CHECK(m8 == m6 && b8 == b6 && m6 && b6);
  Array<char> r(reserve), s(work);
  for (int training = 0; training < 2; ++training) {
    n.y.set(std::vector<double>(n.y.count, 0));
    if (training)
      OK(cudnnRNNForwardTraining(handle, rnn, times, xt.data(), n.x, n.ht, n.hx, n.ct, n.cx, w,
                                 *n.w, yt.data(), n.y, n.ht, n.hy, n.ct, n.cy, s, work, r,
                                 reserve));
    else
      OK(cudnnRNNForwardInference(handle, rnn, times, xt.data(), n.x, n.ht, n.hx, n.ct, n.cx, w,
                                  *n.w, yt.data(), n.y, n.ht, n.hy, n.ct, n.cy, s, work));
    compare(n.y, y, 1e-12);
    compare(n.hy, hy, 1e-12);
    compare(n.cy, cy, 1e-12);
  }
  Array<double> dy(n.y.count, 11), dx6(n.x.count), dx8(n.x.count), dh6(n.hx.count), dh8(n.hx.count),
      dc6(n.cx.count), dc8(n.cx.count), dw6(n.w->count), dw8(n.w->count);
  n.forward();
  OK(cudnnRNNBackwardData_v8(handle, n.rnn, n.device_lengths, n.yt, n.y, dy, n.xt, dx8, n.ht, n.hx,
                             nullptr, dh8, n.ct, n.cx, nullptr, dc8, bytes, *n.w, n.work_bytes,
                             *n.work, n.reserve_bytes, *n.reserve));
  OK(cudnnRNNBackwardWeights_v8(handle, n.rnn, CUDNN_WGRAD_MODE_ADD, n.device_lengths, n.xt, n.x,
                                n.ht, n.hx, n.yt, n.y, bytes, dw8, n.work_bytes, *n.work,
                                n.reserve_bytes, *n.reserve));
  OK(cudnnRNNBackwardData(handle, rnn, times, yt.data(), n.y, yt.data(), dy, n.ht, nullptr, n.ct,
                          nullptr, w, *n.w, n.ht, n.hx, n.ct, n.cx, xt.data(), dx6, n.ht, dh6, n.ct,
                          dc6, s, work, r, reserve));
  OK(cudnnRNNBackwardWeights(handle, rnn, times, xt.data(), n.x, n.ht, n.hx, yt.data(), n.y, s,
                             work, w, dw6, r, reserve));
  compare(dx6, dx8.values(), 1e-12);
  compare(dh6, dh8.values(), 1e-12);
  compare(dc6, dc8.values(), 1e-12);
  compare(dw6, dw8.values(), 1e-12);
  BAD(cudnnGetRNNWorkspaceSize(handle, rnn, 0, xt.data(), &work));
  for (TensorN *t : owned)
    delete t;
}

/// Attention is not there, and says so.
void attention() {
  const cudnnAttnDescriptor_t none = nullptr;
  const cudnnSeqDataDescriptor_t seq = nullptr;
  cudnnAttnDescriptor_t a = nullptr;
  cudnnSeqDataDescriptor_t q = nullptr;
  const auto wanted = CUDNN_STATUS_NOT_SUPPORTED;
  const auto f = CUDNN_DATA_FLOAT;
  CHECK_EQ(cudnnCreateAttnDescriptor(&a), wanted);
  CHECK_EQ(cudnnDestroyAttnDescriptor(a), wanted);
  CHECK_EQ(cudnnCreateSeqDataDescriptor(&q), wanted);
  CHECK_EQ(cudnnDestroySeqDataDescriptor(q), wanted);
  CHECK_EQ(cudnnSetSeqDataDescriptor(q, f, 0, nullptr, nullptr, 0, nullptr, nullptr), wanted);
  CHECK_EQ(cudnnGetSeqDataDescriptor(q, nullptr, nullptr, 0, nullptr, nullptr, nullptr, 0, nullptr,
                                     nullptr),
           wanted);
  CHECK_EQ(cudnnSetAttnDescriptor(a, 0, 1, 1, f, f, CUDNN_DEFAULT_MATH, nullptr, nullptr, 1, 1, 1,
                                  1, 1, 1, 1, 1, 1, 1, 1),
           wanted);
  CHECK_EQ(cudnnGetAttnDescriptor(a, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr, nullptr),
           wanted);
  CHECK_EQ(cudnnGetMultiHeadAttnBuffers(handle, none, nullptr, nullptr, nullptr), wanted);
  CHECK_EQ(cudnnGetMultiHeadAttnWeights(handle, none, CUDNN_MH_ATTN_Q_WEIGHTS, 0, nullptr, nullptr,
                                        nullptr),
           wanted);
  CHECK_EQ(cudnnMultiHeadAttnForward(handle, none, 0, nullptr, nullptr, nullptr, nullptr, seq,
                                     nullptr, nullptr, seq, nullptr, seq, nullptr, seq, nullptr, 0,
                                     nullptr, 0, nullptr, 0, nullptr),
           wanted);
  CHECK_EQ(cudnnMultiHeadAttnBackwardData(handle, none, nullptr, nullptr, nullptr, nullptr, seq,
                                          nullptr, seq, nullptr, nullptr, seq, nullptr, nullptr,
                                          seq, nullptr, nullptr, 0, nullptr, 0, nullptr, 0,
                                          nullptr),
           wanted);
  CHECK_EQ(cudnnMultiHeadAttnBackwardWeights(handle, none, CUDNN_WGRAD_MODE_ADD, seq, nullptr, seq,
                                             nullptr, seq, nullptr, seq, nullptr, 0, nullptr,
                                             nullptr, 0, nullptr, 0, nullptr),
           wanted);
}
#endif

} // namespace

int main() {
  OK(cudnnCreate(&handle));
  networks();
  descriptors();
#ifdef HEDDLE_CUDNN
  versionSix();
  attention();
#endif
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
