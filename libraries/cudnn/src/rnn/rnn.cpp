// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of recurrent networks and of their data, and where the weights lie.
#include "rnn.h"

#include <cstring>

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(RNNDescriptor, cudnnRNNStruct)
HEDDLE_CUDNN_DESCRIPTOR(RNNDataDescriptor, cudnnRNNDataStruct)

int64_t cudnnRNNDataStruct::positions() const {
  if (layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
    return int64_t(times) * batch;
  int64_t all = 0;
  for (const int length : lengths)
    all += length;
  return all;
}

std::vector<int64_t> cudnnRNNDataStruct::places() const {
  std::vector<int64_t> places(size_t(int64_t(times) * batch), -1);
  int64_t packed = 0;
  for (int t = 0; t < times; ++t)
    for (int b = 0; b < batch; ++b) {
      if (t >= lengths[size_t(b)])
        continue;
      const int64_t row = int64_t(t) * batch + b;
      places[size_t(row)] = layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED ? packed
                            : layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED
                                ? int64_t(b) * times + t
                                : row;
      ++packed;
    }
  return places;
}

namespace heddle::cudnn {

RnnShape::RnnShape(const Rnn &r)
    : gates(r.cell == CUDNN_LSTM ? 4 : (r.cell == CUDNN_GRU ? 3 : 1)),
      directions(r.direction == CUDNN_BIDIRECTIONAL ? 2 : 1), layers(r.layers),
      hidden(r.hidden_size),
      output(r.projection_size > 0 && r.projection_size < r.hidden_size ? r.projection_size
                                                                        : r.hidden_size),
      input(r.input_size), projected(output != hidden), skips_input(r.input == CUDNN_SKIP_INPUT),
      input_bias(r.bias == CUDNN_RNN_SINGLE_INP_BIAS || r.bias == CUDNN_RNN_DOUBLE_BIAS),
      recurrent_bias(r.bias == CUDNN_RNN_SINGLE_REC_BIAS || r.bias == CUDNN_RNN_DOUBLE_BIAS) {}

RnnPart rnnMatrix(const RnnShape &s, int pseudo_layer, int id) {
  int64_t at = 0;
  for (int p = 0;; ++p) {
    const bool skips = s.skips_input && p < s.directions;
    for (int i = 0; i < 2 * s.gates + s.projected; ++i) {
      RnnPart part;
      part.at = at;
      part.rows = i == 2 * s.gates ? s.output : s.hidden;
      part.columns = i < s.gates ? s.inputOf(p) : (i == 2 * s.gates ? s.hidden : s.output);
      if (i < s.gates && skips)
        part.rows = part.columns = 0;
      if (p == pseudo_layer && i == id)
        return part;
      at += part.rows * part.columns;
    }
    if (p >= pseudo_layer)
      return {at, 0, 0}; // also the end of this pseudo-layer's matrices
  }
}

RnnPart rnnBias(const RnnShape &s, int pseudo_layer, int id) {
  const int64_t matrices = rnnMatrix(s, s.pseudoLayers() - 1, INT32_MAX).at;
  const int64_t sets = s.input_bias + s.recurrent_bias, size = int64_t(s.gates) * s.hidden;
  const int64_t of_pseudo = matrices + pseudo_layer * sets * size;
  if (id < s.gates && s.input_bias)
    return {of_pseudo + int64_t(id) * s.hidden, s.hidden, 1};
  if (id >= s.gates && id < 2 * s.gates && s.recurrent_bias)
    return {of_pseudo + (s.input_bias ? size : 0) + int64_t(id - s.gates) * s.hidden, s.hidden, 1};
  return {of_pseudo, 0, 0};
}

int64_t rnnWeights(const RnnShape &s) {
  const int64_t sets = s.input_bias + s.recurrent_bias;
  return rnnMatrix(s, s.pseudoLayers() - 1, INT32_MAX).at +
         s.pseudoLayers() * sets * s.gates * s.hidden;
}

bool rnnIsWide(const Rnn &r) { return r.type == CUDNN_DATA_DOUBLE; }

Rnn rnnOf(const cudnnRNNStruct *descriptor) {
  const Rnn r = live(descriptor);
  need(r.set, "a descriptor of a recurrent network was not set");
  return r;
}

void checkRnn(const Rnn &r) {
  need(unsigned(r.algorithm) < CUDNN_RNN_ALGO_COUNT && unsigned(r.cell) <= CUDNN_GRU &&
           unsigned(r.bias) <= CUDNN_RNN_SINGLE_REC_BIAS &&
           unsigned(r.direction) <= CUDNN_BIDIRECTIONAL && unsigned(r.input) <= CUDNN_SKIP_INPUT,
       "there is no such algorithm, cell, bias, direction or input");
  need(r.hidden_size > 0 && r.layers > 0 && r.input_size >= 0, "a size is not positive");
  need(r.projection_size >= 0 && r.projection_size <= r.hidden_size,
       "the projection is larger than the state");
  supported(r.projection_size == 0 || r.projection_size == r.hidden_size || r.cell == CUDNN_LSTM,
            "only LSTM cells can be projected");
  supported(r.type == CUDNN_DATA_FLOAT || r.type == CUDNN_DATA_DOUBLE ||
                r.type == CUDNN_DATA_HALF || r.type == CUDNN_DATA_BFLOAT16,
            "the data type is not supported");
  need(r.input == CUDNN_LINEAR_INPUT || r.input_size == 0 || r.input_size == r.hidden_size,
       "an input that is skipped has the state's size");
}

} // namespace heddle::cudnn

cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t descriptor, cudnnRNNAlgo_t algorithm,
                                       cudnnRNNMode_t cell, cudnnRNNBiasMode_t bias,
                                       cudnnDirectionMode_t direction, cudnnRNNInputMode_t input,
                                       cudnnDataType_t type, cudnnDataType_t precision,
                                       cudnnMathType_t math, int32_t input_size,
                                       int32_t hidden_size, int32_t projection_size, int32_t layers,
                                       cudnnDropoutDescriptor_t dropout, uint32_t flags) {
  return call(__func__, [&] {
    auto &d = live(descriptor);
    if (dropout)
      live(dropout);
    need(input_size > 0, "a size is not positive");
    Rnn r;
    r.set = true;
    r.algorithm = algorithm;
    r.cell = cell;
    r.bias = bias;
    r.direction = direction;
    r.input = input;
    r.type = type;
    r.precision = precision;
    r.math = math;
    r.input_size = input_size;
    r.hidden_size = hidden_size;
    r.projection_size = projection_size;
    r.layers = layers;
    r.dropout = dropout;
    r.flags = flags;
    checkRnn(r);
    d = r;
  });
}

cudnnStatus_t cudnnGetRNNDescriptor_v8(cudnnRNNDescriptor_t descriptor, cudnnRNNAlgo_t *algorithm,
                                       cudnnRNNMode_t *cell, cudnnRNNBiasMode_t *bias,
                                       cudnnDirectionMode_t *direction, cudnnRNNInputMode_t *input,
                                       cudnnDataType_t *type, cudnnDataType_t *precision,
                                       cudnnMathType_t *math, int32_t *input_size,
                                       int32_t *hidden_size, int32_t *projection_size,
                                       int32_t *layers, cudnnDropoutDescriptor_t *dropout,
                                       uint32_t *flags) {
  return call(__func__, [&] {
    const Rnn r = rnnOf(descriptor);
    give(algorithm, r.algorithm);
    give(cell, r.cell);
    give(bias, r.bias);
    give(direction, r.direction);
    give(input, r.input);
    give(type, r.type);
    give(precision, r.precision);
    give(math, r.math);
    give(input_size, r.input_size);
    give(hidden_size, r.hidden_size);
    give(projection_size, r.projection_size);
    give(layers, r.layers);
    give(dropout, r.dropout);
    give(flags, r.flags);
  });
}

cudnnStatus_t cudnnRNNSetClip_v8(cudnnRNNDescriptor_t descriptor, cudnnRNNClipMode_t mode,
                                 cudnnNanPropagation_t nan, double low, double high) {
  return call(__func__, [&] {
    auto &d = live(descriptor);
    need(unsigned(mode) <= CUDNN_RNN_CLIP_MINMAX && unsigned(nan) <= CUDNN_PROPAGATE_NAN,
         "there is no such mode");
    need(mode == CUDNN_RNN_CLIP_NONE || low <= high, "the lower limit is above the upper one");
    d.clip = mode;
    d.clip_nan = nan;
    d.clip_low = low;
    d.clip_high = high;
  });
}
cudnnStatus_t cudnnRNNGetClip_v8(cudnnRNNDescriptor_t descriptor, cudnnRNNClipMode_t *mode,
                                 cudnnNanPropagation_t *nan, double *low, double *high) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(mode, d.clip);
    give(nan, d.clip_nan);
    give(low, d.clip_low);
    give(high, d.clip_high);
  });
}
cudnnStatus_t cudnnRNNSetClip_v9(cudnnRNNDescriptor_t descriptor, cudnnRNNClipMode_t mode,
                                 double low, double high) {
  return cudnnRNNSetClip_v8(descriptor, mode, CUDNN_NOT_PROPAGATE_NAN, low, high);
}
cudnnStatus_t cudnnRNNGetClip_v9(cudnnRNNDescriptor_t descriptor, cudnnRNNClipMode_t *mode,
                                 double *low, double *high) {
  return cudnnRNNGetClip_v8(descriptor, mode, nullptr, low, high);
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor, cudnnDataType_t type,
                                        cudnnRNNDataLayout_t layout, int times, int batch, int size,
                                        const int lengths[], void *fill) {
  return call(__func__, [&] {
    auto &to = live(descriptor);
    needPointers(lengths);
    need(times > 0 && batch > 0 && size > 0, "a size is not positive");
    need(unsigned(layout) <= CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, "there is no such layout");
    supported(type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
                  type == CUDNN_DATA_BFLOAT16,
              "the data type is not supported");
    RnnData d{true, type, layout, times, batch, size, {lengths, lengths + batch}};
    for (int b = 0; b < batch; ++b) {
      need(d.lengths[size_t(b)] >= 0 && d.lengths[size_t(b)] <= times, "a length is out of range");
      need(layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED || b == 0 ||
               d.lengths[size_t(b)] <= d.lengths[size_t(b - 1)],
           "packed sequences must be in the order of their lengths");
    }
    if (fill) {
      d.has_fill = true;
      readElements(packedTensor(type, {1}), fill, &d.fill);
    }
    to = d;
  });
}

cudnnStatus_t cudnnGetRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor, cudnnDataType_t *type,
                                        cudnnRNNDataLayout_t *layout, int *times, int *batch,
                                        int *size, int requested, int lengths[], void *fill) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    need(d.set, "the descriptor was not set");
    need(requested >= 0, "the requested lengths are negative");
    give(type, d.type);
    give(layout, d.layout);
    give(times, d.times);
    give(batch, d.batch);
    give(size, d.size);
    if (lengths)
      std::copy_n(d.lengths.begin(), std::min(requested, d.batch), lengths);
    if (fill)
      writeElements(packedTensor(d.type, {1}), fill, &d.fill, {});
  });
}

cudnnStatus_t cudnnBuildRNNDynamic(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                   int batch) {
  return call(__func__, [&] {
    live(handle);
    (void)rnnOf(descriptor); // nothing needs to be compiled
    need(batch > 0, "the batch is not positive");
  });
}

cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                        cudnnForwardMode_t mode, cudnnRNNDataDescriptor_t x_desc,
                                        size_t *workspace, size_t *reserve) {
  return call(__func__, [&] {
    live(handle);
    const Rnn r = rnnOf(descriptor);
    const auto &x = live(x_desc);
    need(x.set, "the descriptor was not set");
    need(unsigned(mode) <= CUDNN_FWD_MODE_TRAINING, "there is no such mode");
    const size_t bytes = rnnIsWide(r) ? sizeof(double) : sizeof(float);
    give(workspace, 0);
    give(reserve,
         mode == CUDNN_FWD_MODE_TRAINING ? size_t(rnnReserve(r, x.times, x.batch)) * bytes : 0);
  });
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                         size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    const Rnn r = rnnOf(descriptor);
    *bytes = size_t(rnnWeights(RnnShape(r))) * sizeOf(r.type);
  });
}

namespace {

void givePart(const Rnn &r, const RnnPart &part, const void *weights,
              cudnnTensorDescriptor_t descriptor, void **address) {
  if (part.rows == 0) {
    static_cast<Tensor &>(live(descriptor)) = Tensor();
    give(address, nullptr);
    return;
  }
  static_cast<Tensor &>(live(descriptor)) = packedTensor(r.type, {1, part.rows, part.columns});
  const auto offset = size_t(part.at) * sizeOf(r.type);
  give(address,
       weights ? const_cast<char *>(static_cast<const char *>(weights)) + offset : nullptr);
}

} // namespace

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                      int32_t pseudo_layer, size_t bytes, const void *weights,
                                      int32_t id, cudnnTensorDescriptor_t m_desc, void **matrix,
                                      cudnnTensorDescriptor_t b_desc, void **bias) {
  return call(__func__, [&] {
    live(handle);
    const Rnn r = rnnOf(descriptor);
    const RnnShape s(r);
    need(pseudo_layer >= 0 && pseudo_layer < s.pseudoLayers(), "there is no such pseudo-layer");
    need(id >= 0 && id < 2 * s.gates + (r.cell == CUDNN_LSTM), "there is no such matrix");
    need(bytes >= size_t(rnnWeights(s)) * sizeOf(r.type), "the weights have too little room");
    if (m_desc)
      givePart(r, rnnMatrix(s, pseudo_layer, id), weights, m_desc, matrix);
    if (b_desc)
      givePart(r, rnnBias(s, pseudo_layer, id), weights, b_desc, bias);
  });
}

namespace {

/// Checks what all three passes have in common.
RnnRun runOf(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnRNNDataDescriptor_t x_desc,
             cudnnRNNDataDescriptor_t y_desc, size_t weight_bytes, const void *weights,
             bool training, size_t reserve_bytes, void *reserve) {
  live(handle);
  RnnRun run;
  run.rnn = rnnOf(descriptor);
  run.x = live(x_desc);
  run.y = live(y_desc);
  const RnnShape s(run.rnn);
  need(run.x.set && run.y.set, "a descriptor was not set");
  need(run.x.times == run.y.times && run.x.batch == run.y.batch && run.x.lengths == run.y.lengths,
       "input and output have different sequences");
  need(run.x.size == run.rnn.input_size && run.y.size == s.output * s.directions,
       "a vector has not the network's size");
  need(weight_bytes >= size_t(rnnWeights(s)) * sizeOf(run.rnn.type),
       "the weights have too little room");
  needPointers(weights);
  run.weights = weights;
  run.training = training;
  run.reserve = reserve;
  const size_t bytes = rnnIsWide(run.rnn) ? sizeof(double) : sizeof(float);
  need(!training || (reserve && reserve_bytes >=
                                    size_t(rnnReserve(run.rnn, run.x.times, run.x.batch)) * bytes),
       "the reserve space is too small");
  if (run.rnn.dropout)
    run.dropout = live(run.rnn.dropout);
  return run;
}

void checkState(const Rnn &r, cudnnTensorDescriptor_t descriptor, int batch, int size, bool used) {
  if (!used)
    return;
  const Tensor t = contents(descriptor);
  need(t.n == 3 && t.dim[0] == RnnShape(r).pseudoLayers() && t.dim[1] == batch && t.dim[2] == size,
       "a state has not the network's size");
}

} // namespace

cudnnStatus_t cudnnRNNForward(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                              cudnnForwardMode_t mode, const int32_t[],
                              cudnnRNNDataDescriptor_t x_desc, const void *x,
                              cudnnRNNDataDescriptor_t y_desc, void *y,
                              cudnnTensorDescriptor_t h_desc, const void *hx, void *hy,
                              cudnnTensorDescriptor_t c_desc, const void *cx, void *cy,
                              size_t weight_bytes, const void *weights, size_t, void *,
                              size_t reserve_bytes, void *reserve) {
  return call(__func__, [&, name = __func__] {
    need(unsigned(mode) <= CUDNN_FWD_MODE_TRAINING, "there is no such mode");
    RnnRun r = runOf(handle, descriptor, x_desc, y_desc, weight_bytes, weights,
                     mode == CUDNN_FWD_MODE_TRAINING, reserve_bytes, reserve);
    needPointers(x, y);
    const bool lstm = r.rnn.cell == CUDNN_LSTM;
    checkState(r.rnn, h_desc, r.x.batch, RnnShape(r.rnn).output, hx || hy);
    checkState(r.rnn, c_desc, r.x.batch, r.rnn.hidden_size, lstm && (cx || cy));
    r.hx = hx;
    r.cx = lstm ? cx : nullptr;
    run(handle, name, [=] { rnnForward(r, x, y, hy, cy); });
  });
}

cudnnStatus_t
cudnnRNNBackwardData_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, const int32_t[],
                        cudnnRNNDataDescriptor_t y_desc, const void *y, const void *dy,
                        cudnnRNNDataDescriptor_t x_desc, void *dx, cudnnTensorDescriptor_t h_desc,
                        const void *hx, const void *dhy, void *dhx, cudnnTensorDescriptor_t c_desc,
                        const void *cx, const void *dcy, void *dcx, size_t weight_bytes,
                        const void *weights, size_t, void *, size_t reserve_bytes, void *reserve) {
  return call(__func__, [&, name = __func__] {
    RnnRun r = runOf(handle, descriptor, x_desc, y_desc, weight_bytes, weights, true, reserve_bytes,
                     reserve);
    needPointers(y, dy, dx);
    const bool lstm = r.rnn.cell == CUDNN_LSTM;
    checkState(r.rnn, h_desc, r.x.batch, RnnShape(r.rnn).output, hx || dhy || dhx);
    checkState(r.rnn, c_desc, r.x.batch, r.rnn.hidden_size, lstm && (cx || dcy || dcx));
    r.hx = hx;
    r.cx = lstm ? cx : nullptr;
    run(handle, name, [=] { rnnBackwardData(r, dy, dx, dhy, lstm ? dcy : nullptr, dhx, dcx); });
  });
}

cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                         cudnnWgradMode_t mode, const int32_t[],
                                         cudnnRNNDataDescriptor_t x_desc, const void *x,
                                         cudnnTensorDescriptor_t h_desc, const void *hx,
                                         cudnnRNNDataDescriptor_t y_desc, const void *y,
                                         size_t weight_bytes, void *dweights, size_t, void *,
                                         size_t reserve_bytes, void *reserve) {
  return call(__func__, [&, name = __func__] {
    need(unsigned(mode) <= CUDNN_WGRAD_MODE_SET, "there is no such mode");
    RnnRun r = runOf(handle, descriptor, x_desc, y_desc, weight_bytes, dweights, true,
                     reserve_bytes, reserve);
    needPointers(x, y);
    checkState(r.rnn, h_desc, r.x.batch, RnnShape(r.rnn).output, hx != nullptr);
    r.hx = hx;
    run(handle, name, [=] { rnnBackwardWeights(r, x, dweights, mode == CUDNN_WGRAD_MODE_ADD); });
  });
}
