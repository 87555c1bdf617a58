// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks by the calls of versions 6 and 7: sequences are packed, as one descriptor for
// each time says, and the first one's vectors have the size of the input.
#include "rnn.h"

using namespace heddle::cudnn;

#define TENSOR const cudnnTensorDescriptor_t

cudnnStatus_t cudnnSetRNNDescriptor_v6(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                       const int hidden_size, const int layers,
                                       cudnnDropoutDescriptor_t dropout, cudnnRNNInputMode_t input,
                                       cudnnDirectionMode_t direction, cudnnRNNMode_t cell,
                                       cudnnRNNAlgo_t algorithm, cudnnDataType_t precision) {
  return call(__func__, [&] {
    live(handle);
    auto &d = live(descriptor);
    if (dropout)
      live(dropout);
    Rnn r;
    r.set = true;
    r.algorithm = algorithm;
    r.cell = cell;
    r.direction = direction;
    r.input = input;
    r.type = r.precision = precision;
    r.hidden_size = hidden_size;
    r.layers = layers;
    r.dropout = dropout;
    checkRnn(r);
    d = r;
  });
}

cudnnStatus_t cudnnGetRNNDescriptor_v6(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                       int *hidden_size, int *layers,
                                       cudnnDropoutDescriptor_t *dropout,
                                       cudnnRNNInputMode_t *input, cudnnDirectionMode_t *direction,
                                       cudnnRNNMode_t *cell, cudnnRNNAlgo_t *algorithm,
                                       cudnnDataType_t *precision) {
  return call(__func__, [&] {
    live(handle);
    const Rnn r = rnnOf(descriptor);
    give(hidden_size, r.hidden_size);
    give(layers, r.layers);
    give(dropout, r.dropout);
    give(input, r.input);
    give(direction, r.direction);
    give(cell, r.cell);
    give(algorithm, r.algorithm);
    give(precision, r.precision);
  });
}

#define SETTING(Type, Name, member, valid)                                                         \
  cudnnStatus_t cudnnSetRNN##Name(cudnnRNNDescriptor_t descriptor, Type value) {                   \
    return call(__func__, [&] {                                                                    \
      auto &r = live(descriptor);                                                                  \
      need(valid, "there is no such value");                                                       \
      r.member = value;                                                                            \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnGetRNN##Name(cudnnRNNDescriptor_t descriptor, Type *value) {                  \
    return call(__func__, [&] {                                                                    \
      needPointers(value);                                                                         \
      *value = live(descriptor).member;                                                            \
    });                                                                                            \
  }
SETTING(cudnnMathType_t, MatrixMathType, math, unsigned(value) <= CUDNN_FMA_MATH)
SETTING(cudnnRNNBiasMode_t, BiasMode, bias, unsigned(value) <= CUDNN_RNN_SINGLE_REC_BIAS)
SETTING(unsigned, PaddingMode, flags, value <= CUDNN_RNN_PADDED_IO_ENABLED)

cudnnStatus_t cudnnSetRNNProjectionLayers(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                                          const int recurrent, const int output) {
  return call(__func__, [&] {
    live(handle);
    Rnn r = rnnOf(descriptor);
    supported(output == 0, "projections of outputs are not supported");
    r.projection_size = recurrent;
    checkRnn(r);
    live(descriptor) = r;
  });
}

cudnnStatus_t cudnnGetRNNProjectionLayers(cudnnHandle_t handle,
                                          const cudnnRNNDescriptor_t descriptor, int *recurrent,
                                          int *output) {
  return call(__func__, [&] {
    live(handle);
    give(recurrent, rnnOf(descriptor).projection_size);
    give(output, 0);
  });
}

cudnnStatus_t cudnnRNNSetClip(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                              cudnnRNNClipMode_t mode, cudnnNanPropagation_t nan, double low,
                              double high) {
  const cudnnStatus_t status = call(__func__, [&] { live(handle); });
  return status ? status : cudnnRNNSetClip_v8(descriptor, mode, nan, low, high);
}

cudnnStatus_t cudnnRNNGetClip(cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor,
                              cudnnRNNClipMode_t *mode, cudnnNanPropagation_t *nan, double *low,
                              double *high) {
  const cudnnStatus_t status = call(__func__, [&] { live(handle); });
  return status ? status : cudnnRNNGetClip_v8(descriptor, mode, nan, low, high);
}

namespace {

/// What the descriptors of all times say together.
RnnData sequences(const int times, TENSOR *descriptors) {
  need(times > 0, "the length is not positive");
  needPointers(descriptors);
  RnnData d;
  d.set = true;
  d.layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
  d.times = times;
  for (int t = 0; t < times; ++t) {
    const Tensor at = contents(descriptors[t]);
    need(at.n >= 3, "a time's tensor has fewer than 3 dimensions");
    if (t == 0) {
      d.type = at.type;
      d.batch = int(at.dim[0]);
      d.size = int(at.dim[1]);
      d.lengths.assign(size_t(d.batch), 0);
    }
    need(at.dim[0] <= (t ? contents(descriptors[t - 1]).dim[0] : at.dim[0]) &&
             at.dim[1] == d.size && at.type == d.type,
         "the times' tensors do not go together");
    for (int64_t b = 0; b < at.dim[0]; ++b)
      d.lengths[size_t(b)] = t + 1;
  }
  return d;
}

Rnn withInput(const cudnnRNNStruct *descriptor, int input_size) {
  Rnn r = rnnOf(descriptor);
  r.input_size = input_size;
  checkRnn(r);
  return r;
}

size_t reserveBytes(const Rnn &r, const RnnData &x) {
  return size_t(rnnReserve(r, x.times, x.batch)) * (rnnIsWide(r) ? sizeof(double) : sizeof(float));
}

RnnRun runOf(cudnnHandle_t handle, const cudnnRNNStruct *descriptor, const RnnData &x,
             const RnnData &y, const cudnnFilterStruct *w_desc, const void *w, void *reserve,
             size_t reserve_bytes, bool training) {
  live(handle);
  RnnRun run;
  run.rnn = withInput(descriptor, x.size);
  run.rnn.type = x.type;
  run.x = x;
  run.y = y;
  const RnnShape s(run.rnn);
  need(x.lengths == y.lengths && y.size == s.output * s.directions,
       "the output has not the network's size");
  need(contents(w_desc).count() >= rnnWeights(s), "the weights have too little room");
  needPointers(w);
  need(!training || (reserve && reserve_bytes >= reserveBytes(run.rnn, x)),
       "the reserve space is too small");
  run.weights = w;
  run.training = training;
  run.reserve = reserve;
  if (run.rnn.dropout)
    run.dropout = live(run.rnn.dropout);
  return run;
}

void forward(cudnnHandle_t handle, const char *name, RnnRun r, const void *x, const void *hx,
             const void *cx, void *y, void *hy, void *cy) {
  needPointers(x, y);
  r.hx = hx;
  r.cx = r.rnn.cell == CUDNN_LSTM ? cx : nullptr;
  run(handle, name, [=] { rnnForward(r, x, y, hy, cy); });
}

} // namespace

cudnnStatus_t cudnnGetRNNWorkspaceSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                       const int times, TENSOR *x_desc, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    (void)withInput(descriptor, sequences(times, x_desc).size);
    *bytes = 0;
  });
}

cudnnStatus_t cudnnGetRNNTrainingReserveSize(cudnnHandle_t handle,
                                             const cudnnRNNDescriptor_t descriptor, const int times,
                                             TENSOR *x_desc, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    const RnnData x = sequences(times, x_desc);
    *bytes = reserveBytes(withInput(descriptor, x.size), x);
  });
}

cudnnStatus_t cudnnGetRNNParamsSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                    TENSOR x_desc, size_t *bytes, cudnnDataType_t type) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    const Rnn r = withInput(descriptor, int(contents(x_desc).dim[1]));
    *bytes = size_t(rnnWeights(RnnShape(r))) * sizeOf(type);
  });
}

namespace {

void givePart(cudnnHandle_t handle, const cudnnRNNStruct *descriptor, int pseudo_layer,
              const cudnnTensorStruct *x_desc, const cudnnFilterStruct *w_desc, const void *w,
              int id, bool bias, cudnnFilterDescriptor_t to, void **address) {
  live(handle);
  const RnnShape s(withInput(descriptor, int(contents(x_desc).dim[1])));
  need(pseudo_layer >= 0 && pseudo_layer < s.pseudoLayers(), "there is no such pseudo-layer");
  need(id >= 0 && id < 2 * s.gates + s.projected, "there is no such matrix");
  needPointers(address);
  const cudnnDataType_t type = contents(w_desc).type;
  const RnnPart part = bias ? rnnBias(s, pseudo_layer, id) : rnnMatrix(s, pseudo_layer, id);
  static_cast<Tensor &>(live(to)) =
      part.rows ? packedTensor(type, {1, part.rows, part.columns}) : Tensor();
  *address = part.rows && w
                 ? const_cast<char *>(static_cast<const char *>(w)) + size_t(part.at) * sizeOf(type)
                 : nullptr;
}

} // namespace

#define PARAMS(Name, is_bias)                                                                      \
  cudnnStatus_t cudnnGetRNNLinLayer##Name##Params(                                                 \
      cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor, const int pseudo_layer,         \
      TENSOR x_desc, const cudnnFilterDescriptor_t w_desc, const void *w, const int id,            \
      cudnnFilterDescriptor_t to, void **address) {                                                \
    return call(__func__, [&] {                                                                    \
      givePart(handle, descriptor, pseudo_layer, x_desc, w_desc, w, id, is_bias, to, address);     \
    });                                                                                            \
  }
PARAMS(Matrix, false)
PARAMS(Bias, true)

cudnnStatus_t cudnnRNNForwardInference(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                       const int times, TENSOR *x_desc, const void *x, TENSOR,
                                       const void *hx, TENSOR, const void *cx,
                                       const cudnnFilterDescriptor_t w_desc, const void *w,
                                       TENSOR *y_desc, void *y, TENSOR, void *hy, TENSOR, void *cy,
                                       void *, size_t) {
  return call(__func__, [&, name = __func__] {
    const RnnRun r = runOf(handle, descriptor, sequences(times, x_desc), sequences(times, y_desc),
                           w_desc, w, nullptr, 0, false);
    forward(handle, name, r, x, hx, cx, y, hy, cy);
  });
}

cudnnStatus_t cudnnRNNForwardTraining(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                      const int times, TENSOR *x_desc, const void *x, TENSOR,
                                      const void *hx, TENSOR, const void *cx,
                                      const cudnnFilterDescriptor_t w_desc, const void *w,
                                      TENSOR *y_desc, void *y, TENSOR, void *hy, TENSOR, void *cy,
                                      void *, size_t, void *reserve, size_t reserve_bytes) {
  return call(__func__, [&, name = __func__] {
    const RnnRun r = runOf(handle, descriptor, sequences(times, x_desc), sequences(times, y_desc),
                           w_desc, w, reserve, reserve_bytes, true);
    forward(handle, name, r, x, hx, cx, y, hy, cy);
  });
}

cudnnStatus_t cudnnRNNBackwardData(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                   const int times, TENSOR *y_desc, const void *y, TENSOR *,
                                   const void *dy, TENSOR, const void *dhy, TENSOR, const void *dcy,
                                   const cudnnFilterDescriptor_t w_desc, const void *w, TENSOR,
                                   const void *hx, TENSOR, const void *cx, TENSOR *dx_desc,
                                   void *dx, TENSOR, void *dhx, TENSOR, void *dcx, void *, size_t,
                                   void *reserve, size_t reserve_bytes) {
  return call(__func__, [&, name = __func__] {
    RnnRun r = runOf(handle, descriptor, sequences(times, dx_desc), sequences(times, y_desc),
                     w_desc, w, reserve, reserve_bytes, true);
    needPointers(y, dy, dx);
    const bool lstm = r.rnn.cell == CUDNN_LSTM;
    r.hx = hx;
    r.cx = lstm ? cx : nullptr;
    run(handle, name, [=] { rnnBackwardData(r, dy, dx, dhy, lstm ? dcy : nullptr, dhx, dcx); });
  });
}

cudnnStatus_t cudnnRNNBackwardWeights(cudnnHandle_t handle, const cudnnRNNDescriptor_t descriptor,
                                      const int times, TENSOR *x_desc, const void *x, TENSOR,
                                      const void *hx, TENSOR *y_desc, const void *y, const void *,
                                      size_t, const cudnnFilterDescriptor_t dw_desc, void *dw,
                                      const void *reserve, size_t reserve_bytes) {
  return call(__func__, [&, name = __func__] {
    RnnRun r = runOf(handle, descriptor, sequences(times, x_desc), sequences(times, y_desc),
                     dw_desc, dw, const_cast<void *>(reserve), reserve_bytes, true);
    needPointers(x, y);
    r.hx = hx;
    run(handle, name, [=] { rnnBackwardWeights(r, x, dw, true); });
  });
}
