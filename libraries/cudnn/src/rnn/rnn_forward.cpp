// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forward pass of recurrent networks (cudnnRNNMode_t in NVIDIA's reference has the equations).
#include "activation.h"
#include "parallel.h"
#include "rnn_run.h"

#include <cmath>

namespace heddle::cudnn {
namespace {

template <typename T> struct Forward {
  const RnnRun &run;
  const Rnn &r = run.rnn;
  const RnnShape s{run.rnn};
  const int64_t times = run.x.times, batch = run.x.batch, rows = times * batch;
  const In<T> weights{packedTensor(run.rnn.type, {rnnWeights(s)}), run.weights};
  Buffer<T> own;
  RnnSpace<T> space;
  Buffer<T> hidden, cells; // of all pseudo-layers, at first those given, at last the results

  explicit Forward(const RnnRun &given)
      : run(given), own(given.training ? 0 : RnnSpace<T>(given.rnn, rows, nullptr).elements),
        space(given.rnn, rows, given.training ? static_cast<T *>(given.reserve) : own.data()),
        hidden(readStates<T>(given.rnn, batch, s.output, given.hx)),
        cells(readStates<T>(given.rnn, batch, s.hidden, given.cx)) {}

  /// The input's part of all gates, with its biases.
  void inputGates(int p, const T *input, T *gates, int64_t stride) const {
    const int64_t width = s.inputOf(p), all = int64_t(s.gates) * s.hidden;
    const RnnPart w = rnnMatrix(s, p, 0);
    if (w.rows == 0) {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t g = 0; g < s.gates; ++g)
          std::copy_n(input + i * width, s.hidden, gates + i * stride + g * s.hidden);
    } else {
      gemm(false, true, rows, all, width, T(1), input, width, weights.data() + w.at, width, T(0),
           gates, stride);
    }
    if (!s.input_bias)
      return;
    const T *bias = weights.data() + rnnBias(s, p, 0).at;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < all; ++k)
        gates[i * stride + k] += bias[k];
  }

  /// One sequence's cell: `gates` has the input's part and gets the gates, `state` is the state's
  /// part; returns the new state in h (before projection), and an LSTM's cell in c.
  void cell(T *gates, const T *state, const T *before, T *c, T *kept_cell, T *h) const {
    const int64_t n = s.hidden;
    for (int64_t j = 0; j < n; ++j) {
      if (r.cell == CUDNN_LSTM) {
        T &i = gates[j], &f = gates[n + j], &g = gates[2 * n + j], &o = gates[3 * n + j];
        i = sigmoid(i + state[j]);
        f = sigmoid(f + state[n + j]);
        g = std::tanh(g + state[2 * n + j]);
        o = sigmoid(o + state[3 * n + j]);
        c[j] = f * c[j] + i * g;
        if (r.clip == CUDNN_RNN_CLIP_MINMAX)
          c[j] = std::clamp(c[j], T(r.clip_low), T(r.clip_high));
        kept_cell[j] = c[j];
        h[j] = o * std::tanh(c[j]);
      } else if (r.cell == CUDNN_GRU) {
        T &reset = gates[j], &update = gates[n + j], &fresh = gates[2 * n + j];
        reset = sigmoid(reset + state[j]);
        update = sigmoid(update + state[n + j]);
        gates[3 * n + j] = state[2 * n + j];
        fresh = std::tanh(fresh + reset * state[2 * n + j]);
        h[j] = (1 - update) * fresh + update * before[j];
      } else {
        const T sum = gates[j] + state[j];
        h[j] = gates[j] = r.cell == CUDNN_RNN_TANH ? std::tanh(sum) : std::max(sum, T(0));
      }
    }
  }

  void pseudoLayer(int p, const T *input) const {
    const auto &my = space.pseudo[size_t(p)];
    const int64_t kept = RnnSpace<T>::keptGates(r) * s.hidden, all = int64_t(s.gates) * s.hidden;
    inputGates(p, input, my.gates, kept);
    const RnnPart matrix = rnnMatrix(s, p, s.gates), bias = rnnBias(s, p, s.gates),
                  projection = rnnMatrix(s, p, 2 * s.gates);
    const RnnSteps steps{run.x.lengths, batch, p % s.directions == 1};
    T *const h = hidden.data() + int64_t(p) * batch * s.output;
    T *const c = cells.data() + int64_t(p) * batch * s.hidden;
    const Buffer<T> state(batch * all), fresh(batch * s.hidden), projected(batch * s.output);
    for (int64_t step = 0; step < times; ++step) {
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t k = 0; k < all; ++k)
          state[b * all + k] = s.recurrent_bias ? weights[bias.at + k] : T(0);
      gemm(false, true, batch, all, s.output, T(1), h, s.output, weights.data() + matrix.at,
           s.output, T(1), state.data(), all);
      parallelEach(batch, std::max<int64_t>(1, 4096 / all), [&](int64_t b) {
        T *const to = fresh.data() + b * s.hidden;
        std::fill_n(to, s.hidden, T(0));
        if (!steps.active(step, b))
          return;
        const int64_t row = steps.row(step, b);
        cell(my.gates + row * kept, state.data() + b * all, h + b * s.output, c + b * s.hidden,
             my.cell + row * s.hidden, to);
      });
      if (s.projected)
        gemm(false, true, batch, s.output, s.hidden, T(1), fresh.data(), s.hidden,
             weights.data() + projection.at, s.hidden, T(0), projected.data(), s.output);
      for (int64_t b = 0; b < batch; ++b) {
        if (!steps.active(step, b))
          continue;
        const int64_t row = steps.row(step, b);
        const T *const out = (s.projected ? projected.data() : fresh.data()) + b * s.output;
        std::copy_n(out, s.output, h + b * s.output);
        std::copy_n(out, s.output, my.state + row * s.output);
        if (s.projected)
          std::copy_n(fresh.data() + b * s.hidden, s.hidden, my.raw + row * s.hidden);
      }
    }
  }

  /// The outputs of a layer's directions side by side.
  void collect(int layer, T *to) const {
    const int64_t width = int64_t(s.output) * s.directions;
    for (int64_t i = 0; i < rows; ++i)
      for (int d = 0; d < s.directions; ++d) {
        const bool inside = i / batch < run.x.lengths[size_t(i % batch)];
        const T *from = space.pseudo[size_t(layer * s.directions + d)].state + i * s.output;
        for (int64_t k = 0; k < s.output; ++k)
          to[i * width + d * s.output + k] = inside ? from[k] : T(0);
      }
  }

  void drop(T *input, T *mask) const {
    const int64_t n = rows * s.output * s.directions;
    if (!run.training || !run.dropout || run.dropout->probability == 0) {
      std::fill_n(mask, n, T(1));
      return;
    }
    const Buffer<uint8_t> drawn(n);
    drawMask(*run.dropout, drawn.data(), n);
    for (int64_t i = 0; i < n; ++i) {
      mask[i] = drawn[i] ? T(dropoutScale(*run.dropout)) : T(0);
      input[i] *= mask[i];
    }
  }

  void layers(const void *x, void *y, void *hy, void *cy) const {
    const Buffer<T> first(rows * s.input), out(rows * s.output * s.directions);
    rowsFromData(run.x, x, first.data());
    for (int layer = 0; layer < s.layers; ++layer) {
      const T *input = first.data();
      if (layer > 0) {
        const auto &my = space.layers[size_t(layer)];
        collect(layer - 1, my.input);
        drop(my.input, my.mask);
        input = my.input;
      }
      for (int d = 0; d < s.directions; ++d)
        pseudoLayer(layer * s.directions + d, input);
    }
    collect(s.layers - 1, out.data());
    dataFromRows(run.y, out.data(), y);
    if (hy)
      writeElements(packedTensor(r.type, {s.pseudoLayers(), batch, s.output}), hy, hidden.data(),
                    {});
    if (cy && r.cell == CUDNN_LSTM)
      writeElements(packedTensor(r.type, {s.pseudoLayers(), batch, s.hidden}), cy, cells.data(),
                    {});
  }
};

} // namespace

void rnnForward(const RnnRun &run, const void *x, void *y, void *hy, void *cy) {
  byWidth(rnnIsWide(run.rnn), [&]<typename T>() { Forward<T>(run).layers(x, y, hy, cy); });
}

int64_t rnnReserve(const Rnn &r, int64_t times, int64_t batch) {
  return RnnSpace<float>(r, times * batch, nullptr).elements;
}

} // namespace heddle::cudnn
