// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a recurrent network's run that the forward and the backward pass share.
//
// Inside, sequences are padded: row t * batch + b is time t of sequence b. A step is a time in the
// order of a direction, so that in step s sequence b is at time s or length - 1 - s.
#pragma once

#include "gemm.h"
#include "rnn.h"

namespace heddle::cudnn {

/// The reserve space, or memory in its place, as arrays of rows.
template <typename T> struct RnnSpace {
  struct Layer {
    T *input, *mask; // of layers above the first
  };
  struct Pseudo {
    T *gates;      // after their functions; a GRU's also have the state's part of the third
    T *cell, *raw; // an LSTM's; the state before projection
    T *state;
    T *d_gates, *d_state;
  };
  std::vector<Layer> layers;
  std::vector<Pseudo> pseudo;
  int64_t elements = 0;

  /// With a null base, only the elements are counted.
  RnnSpace(const Rnn &r, int64_t rows, T *base) {
    const RnnShape s(r);
    const auto take = [&](int64_t columns) {
      T *const at = base ? base + elements : nullptr;
      elements += rows * columns;
      return at;
    };
    const int64_t kept = keptGates(r) * s.hidden, width = s.output * s.directions;
    for (int l = 0; l < s.layers; ++l)
      layers.push_back({l ? take(width) : nullptr, l ? take(width) : nullptr});
    for (int p = 0; p < s.pseudoLayers(); ++p) {
      Pseudo one = {};
      one.gates = take(kept);
      one.cell = take(r.cell == CUDNN_LSTM ? s.hidden : 0);
      one.raw = take(s.projected ? s.hidden : 0);
      one.state = take(s.output);
      one.d_gates = take(kept);
      one.d_state = take(s.projected ? s.output : 0);
      pseudo.push_back(one);
    }
  }
  static int64_t keptGates(const Rnn &r) {
    return r.cell == CUDNN_LSTM || r.cell == CUDNN_GRU ? 4 : 1;
  }
};

/// The order in which a direction goes through the sequences.
struct RnnSteps {
  const std::vector<int> &lengths;
  int64_t batch;
  bool backwards;

  bool active(int64_t step, int64_t b) const { return step < lengths[size_t(b)]; }
  int64_t row(int64_t step, int64_t b) const {
    return (backwards ? lengths[size_t(b)] - 1 - step : step) * batch + b;
  }
};

/// The columns of the gates' gradients that belong to rows of the state's matrices.
struct RnnSegment {
  int64_t from, to, count;
};
inline std::vector<RnnSegment> recurrentSegments(const Rnn &r) {
  const int64_t h = r.hidden_size;
  if (r.cell == CUDNN_GRU)
    return {{0, 0, 2 * h}, {3 * h, 2 * h, h}};
  return {{0, 0, r.cell == CUDNN_LSTM ? 4 * h : h}};
}

/// Brings sequences into padded rows and back. Rows that are in no sequence are zero.
template <typename T> void rowsFromData(const RnnData &d, const void *data, T *rows) {
  const auto places = d.places();
  const Tensor t = packedTensor(d.type, {d.positions(), d.size});
  const In<T> in(t, data);
  for (int64_t i = 0; i < int64_t(places.size()); ++i)
    if (places[size_t(i)] >= 0)
      std::copy_n(in.data() + places[size_t(i)] * d.size, d.size, rows + i * d.size);
    else
      std::fill_n(rows + i * d.size, d.size, T(0));
}
/// Padding keeps its contents, unless the descriptor says what it is filled with.
template <typename T> void dataFromRows(const RnnData &d, const T *rows, void *data) {
  const auto places = d.places();
  const Tensor t = packedTensor(d.type, {d.positions(), d.size});
  const Buffer<T> out(t.count());
  readElements(t, data, out.data());
  if (d.has_fill && d.layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
    std::fill_n(out.data(), t.count(), T(d.fill));
  for (int64_t i = 0; i < int64_t(places.size()); ++i)
    if (places[size_t(i)] >= 0)
      std::copy_n(rows + i * d.size, d.size, out.data() + places[size_t(i)] * d.size);
  writeElements(t, data, out.data(), {});
}

/// A state tensor of all pseudo-layers; zeros if there is none.
template <typename T>
Buffer<T> readStates(const Rnn &r, int64_t batch, int size, const void *data) {
  const int64_t pseudo = RnnShape(r).pseudoLayers();
  Buffer<T> states(pseudo * batch * size, T(0));
  if (data)
    readElements(packedTensor(r.type, {pseudo, batch, size}), data, states.data());
  return states;
}

} // namespace heddle::cudnn
