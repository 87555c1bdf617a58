// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backward passes of recurrent networks. The first leaves the gates' gradients in the reserve
// space, from which the second makes those of the weights.
#include "parallel.h"
#include "rnn_run.h"

#include <cmath>

namespace heddle::cudnn {
namespace {

template <typename T> struct Backward {
  const RnnRun &run;
  const Rnn &r = run.rnn;
  const RnnShape s{run.rnn};
  const int64_t times = run.x.times, batch = run.x.batch, rows = times * batch;
  const int64_t kept = RnnSpace<T>::keptGates(r) * s.hidden, all = int64_t(s.gates) * s.hidden;
  const int64_t width = int64_t(s.output) * s.directions;
  const RnnSpace<T> space{run.rnn, rows, static_cast<T *>(run.reserve)};
  const Buffer<T> hx = readStates<T>(run.rnn, batch, s.output, run.hx),
                  cx = readStates<T>(run.rnn, batch, s.hidden, run.cx);

  explicit Backward(const RnnRun &given) : run(given) {}

  RnnSteps stepsOf(int p) const { return {run.x.lengths, batch, p % s.directions == 1}; }
  /// The state or cell before a step.
  const T *before(const RnnSteps &steps, int p, int64_t step, int64_t b, const T *kept_rows,
                  const Buffer<T> &first, int64_t size) const {
    return step == 0 ? first.data() + (int64_t(p) * batch + b) * size
                     : kept_rows + steps.row(step - 1, b) * size;
  }

  /// From the gradients of a cell's new state and cell to those of its gates (`d`) and of the
  /// state and cell before; `direct` is the part of the state's that goes round the gates.
  void cell(const T *gates, T *d, const T *dh, const T *c, const T *c_before, T *dc,
            const T *h_before, T *direct) const {
    const int64_t n = s.hidden;
    for (int64_t j = 0; j < n; ++j) {
      direct[j] = 0;
      if (r.cell == CUDNN_LSTM) {
        const T i = gates[j], f = gates[n + j], g = gates[2 * n + j], o = gates[3 * n + j];
        const T t = std::tanh(c[j]);
        const bool clipped =
            r.clip == CUDNN_RNN_CLIP_MINMAX && (c[j] <= T(r.clip_low) || c[j] >= T(r.clip_high));
        const T to_cell = clipped ? T(0) : dc[j] + dh[j] * o * (1 - t * t);
        d[j] = to_cell * g * i * (1 - i);
        d[n + j] = to_cell * c_before[j] * f * (1 - f);
        d[2 * n + j] = to_cell * i * (1 - g * g);
        d[3 * n + j] = dh[j] * t * o * (1 - o);
        dc[j] = to_cell * f;
      } else if (r.cell == CUDNN_GRU) {
        const T reset = gates[j], update = gates[n + j], fresh = gates[2 * n + j];
        const T to_fresh = dh[j] * (1 - update) * (1 - fresh * fresh);
        d[j] = to_fresh * gates[3 * n + j] * reset * (1 - reset);
        d[n + j] = dh[j] * (h_before[j] - fresh) * update * (1 - update);
        d[2 * n + j] = to_fresh;
        d[3 * n + j] = to_fresh * reset;
        direct[j] = dh[j] * update;
      } else {
        const T y = gates[j];
        d[j] = dh[j] * (r.cell == CUDNN_RNN_TANH ? 1 - y * y : (y > 0 ? T(1) : T(0)));
      }
    }
  }

  /// Through one pseudo-layer: d_out are the gradients of the layer's outputs, dh and dc (batch
  /// rows) those of the last state and cell, and at the end of the first.
  void pseudoLayer(const In<T> &weights, int p, const T *d_out, T *dh, T *dc) const {
    const auto &my = space.pseudo[size_t(p)];
    const RnnSteps steps = stepsOf(p);
    const RnnPart matrix = rnnMatrix(s, p, s.gates), projection = rnnMatrix(s, p, 2 * s.gates);
    const int64_t column = int64_t(p % s.directions) * s.output;
    const Buffer<T> d(batch * kept), sum(batch * s.output), raw(batch * s.hidden),
        direct(batch * s.hidden), to_before(batch * s.output);
    std::fill_n(my.d_gates, rows * kept, T(0));
    if (s.projected)
      std::fill_n(my.d_state, rows * s.output, T(0));
    for (int64_t step = times - 1; step >= 0; --step) {
      std::fill_n(d.data(), batch * kept, T(0));
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t k = 0; k < s.output; ++k) {
          const bool active = steps.active(step, b);
          const int64_t row = active ? steps.row(step, b) : 0;
          const T value = active ? dh[b * s.output + k] + d_out[row * width + column + k] : T(0);
          sum[b * s.output + k] = value;
          if (active && s.projected)
            my.d_state[row * s.output + k] = value;
        }
      if (s.projected)
        gemm(false, false, batch, s.hidden, s.output, T(1), sum.data(), s.output,
             weights.data() + projection.at, s.hidden, T(0), raw.data(), s.hidden);
      const T *const to_cell = s.projected ? raw.data() : sum.data();
      for (int64_t b = 0; b < batch; ++b) {
        if (!steps.active(step, b))
          continue;
        const int64_t row = steps.row(step, b);
        cell(my.gates + row * kept, d.data() + b * kept, to_cell + b * s.hidden,
             my.cell + row * s.hidden, before(steps, p, step, b, my.cell, cx, s.hidden),
             dc + b * s.hidden, before(steps, p, step, b, my.state, hx, s.output),
             direct.data() + b * s.hidden);
        std::copy_n(d.data() + b * kept, kept, my.d_gates + row * kept);
      }
      std::fill_n(to_before.data(), batch * s.output, T(0));
      for (const RnnSegment &g : recurrentSegments(r))
        gemm(false, false, batch, s.output, g.count, T(1), d.data() + g.from, kept,
             weights.data() + matrix.at + g.to * s.output, s.output, T(1), to_before.data(),
             s.output);
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t k = 0; k < s.output && steps.active(step, b); ++k)
          dh[b * s.output + k] =
              to_before[b * s.output + k] + (r.cell == CUDNN_GRU ? direct[b * s.hidden + k] : T(0));
    }
  }

  /// Adds a pseudo-layer's part of the gradients of its layer's input.
  void inputGradient(const In<T> &weights, int p, T *dx, T beta) const {
    const T *d = space.pseudo[size_t(p)].d_gates;
    const int64_t in = s.inputOf(p);
    const RnnPart w = rnnMatrix(s, p, 0);
    if (w.rows != 0) {
      gemm(false, false, rows, in, all, T(1), d, kept, weights.data() + w.at, in, beta, dx, in);
      return;
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < in; ++k) {
        T sum = beta == 0 ? T(0) : dx[i * in + k];
        for (int64_t g = 0; g < s.gates; ++g)
          sum += d[i * kept + g * s.hidden + k];
        dx[i * in + k] = sum;
      }
  }

  void data(const void *dy, void *dx, const void *dhy, const void *dcy, void *dhx,
            void *dcx) const {
    const In<T> weights(packedTensor(r.type, {rnnWeights(s)}), run.weights);
    const Buffer<T> dh = readStates<T>(r, batch, s.output, dhy),
                    dc = readStates<T>(r, batch, s.hidden, dcy);
    Buffer<T> d_out(rows * width);
    rowsFromData(run.y, dy, d_out.data());
    for (int layer = s.layers - 1; layer >= 0; --layer) {
      Buffer<T> d_in(rows * (layer ? width : s.input));
      for (int k = 0; k < s.directions; ++k) {
        const int p = layer * s.directions + k;
        pseudoLayer(weights, p, d_out.data(), dh.data() + int64_t(p) * batch * s.output,
                    dc.data() + int64_t(p) * batch * s.hidden);
        inputGradient(weights, p, d_in.data(), T(k));
      }
      if (layer)
        for (int64_t i = 0; i < rows * width; ++i)
          d_in[i] *= space.layers[size_t(layer)].mask[i];
      d_out = std::move(d_in);
    }
    if (dx)
      dataFromRows(run.x, d_out.data(), dx);
    if (dhx)
      writeElements(packedTensor(r.type, {s.pseudoLayers(), batch, s.output}), dhx, dh.data(), {});
    if (dcx && r.cell == CUDNN_LSTM)
      writeElements(packedTensor(r.type, {s.pseudoLayers(), batch, s.hidden}), dcx, dc.data(), {});
  }

  void addColumns(const T *d, int64_t from, int64_t count, T *to) const {
    for (int64_t k = 0; k < count; ++k) {
      double sum = 0;
      for (int64_t i = 0; i < rows; ++i)
        sum += double(d[i * kept + from + k]);
      to[k] = T(sum);
    }
  }

  void weightsOf(int p, const T *input, T *dw) const {
    const auto &my = space.pseudo[size_t(p)];
    const int64_t in = s.inputOf(p);
    const RnnPart w = rnnMatrix(s, p, 0), state = rnnMatrix(s, p, s.gates),
                  projection = rnnMatrix(s, p, 2 * s.gates);
    if (w.rows)
      gemm(true, false, all, in, rows, T(1), my.d_gates, kept, input, in, T(0), dw + w.at, in);
    // The states before, row by row; rows in no sequence have gradients of zero.
    const Buffer<T> previous(rows * s.output, T(0));
    const RnnSteps steps = stepsOf(p);
    for (int64_t step = 0; step < times; ++step)
      for (int64_t b = 0; b < batch; ++b)
        if (steps.active(step, b))
          std::copy_n(before(steps, p, step, b, my.state, hx, s.output), s.output,
                      previous.data() + steps.row(step, b) * s.output);
    for (const RnnSegment &g : recurrentSegments(r)) {
      gemm(true, false, g.count, s.output, rows, T(1), my.d_gates + g.from, kept, previous.data(),
           s.output, T(0), dw + state.at + g.to * s.output, s.output);
      if (s.recurrent_bias)
        addColumns(my.d_gates, g.from, g.count, dw + rnnBias(s, p, s.gates).at + g.to);
    }
    if (s.input_bias)
      addColumns(my.d_gates, 0, all, dw + rnnBias(s, p, 0).at);
    if (!s.projected)
      return;
    const Buffer<T> raw(rows * s.hidden, T(0));
    for (int64_t i = 0; i < rows; ++i)
      if (i / batch < run.x.lengths[size_t(i % batch)])
        std::copy_n(my.raw + i * s.hidden, s.hidden, raw.data() + i * s.hidden);
    gemm(true, false, s.output, s.hidden, rows, T(1), my.d_state, s.output, raw.data(), s.hidden,
         T(0), dw + projection.at, s.hidden);
  }

  void weightGradients(const void *x, void *to, bool add) const {
    const Buffer<T> first(rows * s.input), dw(rnnWeights(s), T(0));
    rowsFromData(run.x, x, first.data());
    for (int p = 0; p < s.pseudoLayers(); ++p) {
      const int layer = p / s.directions;
      weightsOf(p, layer ? space.layers[size_t(layer)].input : first.data(), dw.data());
    }
    writeElements(packedTensor(r.type, {rnnWeights(s)}), to, dw.data(), {1, add ? 1.0 : 0.0});
  }
};

} // namespace

void rnnBackwardData(const RnnRun &run, const void *dy, void *dx, const void *dhy, const void *dcy,
                     void *dhx, void *dcx) {
  byWidth(rnnIsWide(run.rnn),
          [&]<typename T>() { Backward<T>(run).data(dy, dx, dhy, dcy, dhx, dcx); });
}

void rnnBackwardWeights(const RnnRun &run, const void *x, void *dw, bool add) {
  byWidth(rnnIsWide(run.rnn), [&]<typename T>() { Backward<T>(run).weightGradients(x, dw, add); });
}

} // namespace heddle::cudnn
