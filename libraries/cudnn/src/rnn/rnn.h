// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recurrent networks: what the descriptors say, where the weights lie, and the computation, which
// both the calls of version 8 and those of version 6 use.
#pragma once

#include "dropout.h"
#include "tensor.h"

#include <optional>

struct cudnnRNNStruct {
  bool set = false;
  cudnnRNNAlgo_t algorithm = CUDNN_RNN_ALGO_STANDARD;
  cudnnRNNMode_t cell = CUDNN_RNN_TANH;
  cudnnRNNBiasMode_t bias = CUDNN_RNN_DOUBLE_BIAS;
  cudnnDirectionMode_t direction = CUDNN_UNIDIRECTIONAL;
  cudnnRNNInputMode_t input = CUDNN_LINEAR_INPUT;
  cudnnDataType_t type = CUDNN_DATA_FLOAT, precision = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int input_size = 0, hidden_size = 0, projection_size = 0, layers = 0;
  cudnnDropoutDescriptor_t dropout = nullptr;
  uint32_t flags = 0;
  cudnnRNNClipMode_t clip = CUDNN_RNN_CLIP_NONE;
  cudnnNanPropagation_t clip_nan = CUDNN_NOT_PROPAGATE_NAN;
  double clip_low = 0, clip_high = 0;
};

struct cudnnRNNDataStruct {
  bool set = false;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
  int times = 0, batch = 0, size = 0;
  std::vector<int> lengths;
  double fill = 0;
  bool has_fill = false;

  int64_t positions() const; // vectors in memory
  /// Where the vector of a sequence at a time lies; in a packed layout, sequences are by length.
  std::vector<int64_t> places() const;
};

namespace heddle::cudnn {

using Rnn = cudnnRNNStruct;
using RnnData = cudnnRNNDataStruct;

/// The sizes of a network. A pseudo-layer is one direction of a layer.
struct RnnShape {
  int gates, directions, layers, hidden, output, input; // output: of one direction
  bool projected, skips_input, input_bias, recurrent_bias;

  explicit RnnShape(const Rnn &r);
  int pseudoLayers() const { return layers * directions; }
  int inputOf(int pseudo_layer) const {
    return pseudo_layer < directions ? input : output * directions;
  }
};

/// The place of a matrix or bias in the weights' memory, in elements; rows 0: there is none.
struct RnnPart {
  int64_t at = 0, rows = 0, columns = 0;
};
/// The matrices come first, by pseudo-layers, then the biases. `id` is cuDNN's linLayerID: the
/// gates' matrices for the input, for the state, and the projection.
RnnPart rnnMatrix(const RnnShape &s, int pseudo_layer, int id);
RnnPart rnnBias(const RnnShape &s, int pseudo_layer, int id);
int64_t rnnWeights(const RnnShape &s);

/// The reserve space in elements of the compute type, for networks of up to so many vectors.
int64_t rnnReserve(const Rnn &r, int64_t times, int64_t batch);

/// All that a run is given. Tensors of states are (pseudo-layers, batch, size), packed.
struct RnnRun {
  Rnn rnn;
  RnnData x, y;
  const void *weights = nullptr;
  bool training = false;
  void *reserve = nullptr;
  const void *hx = nullptr, *cx = nullptr;
  std::optional<Dropout> dropout;
};

void rnnForward(const RnnRun &run, const void *x, void *y, void *hy, void *cy);
void rnnBackwardData(const RnnRun &run, const void *dy, void *dx, const void *dhy, const void *dcy,
                     void *dhx, void *dcx);
void rnnBackwardWeights(const RnnRun &run, const void *x, void *dw, bool add);

Rnn rnnOf(const cudnnRNNStruct *descriptor);
void checkRnn(const Rnn &r);
bool rnnIsWide(const Rnn &r);

} // namespace heddle::cudnn
