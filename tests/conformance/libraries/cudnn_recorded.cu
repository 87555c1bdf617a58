// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's results for inputs made by formula, against those of NVIDIA's library on a real GPU
// (recorded/cudnn.inc). With the argument `record`, prints that file's contents. Each case has
// its results' first elements as float; they may differ by what float arithmetic in another order
// does.
//
// flags: -std=c++17 -lcudnn

#include "cudnn_check.h"

#include <cstring>
#include <string>

namespace {

struct Recorded {
  const char *name;
  std::vector<float> values;
};
const std::vector<Recorded> recorded = {
#include "recorded/cudnn.inc"
};

cudnnHandle_t handle;
const float one = 1, zero = 0;
bool records = false;
const size_t most = 24;

/// Records or checks the first elements of a result.
void result(const std::string &name, Array<float> &values) {
  CHECK_CUDA(cudaDeviceSynchronize());
  const size_t n = std::min(values.count, most);
  if (records) {
    std::printf("{\"%s\", {", name.c_str());
    for (size_t i = 0; i < n; ++i)
      std::printf("%s%af", i ? ", " : "", double(values[i]));
    std::printf("}},\n");
    CHECK(n > 0);
    return;
  }
  CHECK(n > 0);
  for (const Recorded &r : recorded)
    if (name == r.name) {
      CHECK_EQ(r.values.size(), n);
      for (size_t i = 0; i < n; ++i)
        CHECK_NEAR(values[i], r.values[i], 2e-5 * std::max(1.0f, std::fabs(r.values[i])));
    }
}

void convolutions() {
  for (int mode = 0; mode < 2; ++mode) {
    Tensor4 x(CUDNN_DATA_FLOAT, 2, 4, 9, 8), y(CUDNN_DATA_FLOAT, 2, 6, 5, 4);
    FilterDescriptor w;
    ConvolutionDescriptor c;
    OK(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 6, 4, 3, 3));
    OK(cudnnSetConvolution2dDescriptor(c, 1, 1, 2, 2, 1, 1, cudnnConvolutionMode_t(mode),
                                       CUDNN_DATA_FLOAT));
    OK(cudnnSetConvolutionMathType(c, CUDNN_FMA_MATH));
    Array<float> xa(576, 1), wa(216, 2), ya(240, 3), dx(576), dw(216);
    Array<char> work(1 << 24);
    OK(cudnnConvolutionBackwardData(handle, &one, w, wa, y, ya, c,
                                    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, work, work.count, &zero, x,
                                    dx));
    OK(cudnnConvolutionBackwardFilter(handle, &one, x, xa, y, ya, c,
                                      CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, work, work.count, &zero,
                                      w, dw));
    OK(cudnnConvolutionForward(handle, &one, x, xa, w, wa, c,
                               CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, work, work.count, &zero, y,
                               ya));
    const std::string name = mode ? "cross-correlation" : "convolution";
    result(name + " forward", ya);
    result(name + " data", dx);
    result(name + " filter", dw);
  }
}

void layers() {
  Tensor4 t(CUDNN_DATA_FLOAT, 2, 3, 4, 4), p(CUDNN_DATA_FLOAT, 2, 3, 2, 2);
  Array<float> x(96, 1), dy(96, 2), y(96), dx(96), pooled(24), dp(24, 3);
  for (int mode = 0; mode < 4; ++mode) {
    PoolingDescriptor d;
    OK(cudnnSetPooling2dDescriptor(d, cudnnPoolingMode_t(mode), CUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1,
                                   2, 2));
    OK(cudnnPoolingForward(handle, d, &one, t, x, &zero, p, pooled));
    OK(cudnnPoolingBackward(handle, d, &one, p, pooled, p, dp, t, x, &zero, t, dx));
    result("pooling " + std::to_string(mode), pooled);
    result("pooling's gradient " + std::to_string(mode), dx);
  }
  // Equal elements: which one gets the gradient of their maximum.
  Array<float> same(96);
  PoolingDescriptor d;
  OK(cudnnSetPooling2dDescriptor(d, CUDNN_POOLING_MAX_DETERMINISTIC, CUDNN_NOT_PROPAGATE_NAN, 3, 3,
                                 1, 1, 2, 2));
  OK(cudnnPoolingForward(handle, d, &one, t, same, &zero, p, pooled));
  OK(cudnnPoolingBackward(handle, d, &one, p, pooled, p, dp, t, same, &zero, t, dx));
  result("pooling's gradient of equal elements", dx);
  for (int mode = 0; mode < 5; ++mode) {
    ActivationDescriptor a;
    OK(cudnnSetActivationDescriptor(a, cudnnActivationMode_t(mode), CUDNN_NOT_PROPAGATE_NAN, 0.5));
    OK(cudnnActivationForward(handle, a, &one, t, x, &zero, t, y));
    OK(cudnnActivationBackward(handle, a, &one, t, y, t, dy, t, x, &zero, t, dx));
    result("activation " + std::to_string(mode), y);
    result("activation's gradient " + std::to_string(mode), dx);
  }
  for (int algorithm = 0; algorithm < 3; ++algorithm) {
    const auto a = cudnnSoftmaxAlgorithm_t(algorithm);
    OK(cudnnSoftmaxForward(handle, a, CUDNN_SOFTMAX_MODE_CHANNEL, &one, t, x, &zero, t, y));
    OK(cudnnSoftmaxBackward(handle, a, CUDNN_SOFTMAX_MODE_CHANNEL, &one, t, y, t, dy, &zero, t,
                            dx));
    result("softmax " + std::to_string(algorithm), y);
    result("softmax's gradient " + std::to_string(algorithm), dx);
  }
  TensorDescriptor parameters;
  OK(cudnnDeriveBNTensorDescriptor(parameters, t, CUDNN_BATCHNORM_SPATIAL));
  Array<float> scale(3, 4), bias(3, 5), mean(3, 6), variance(3, 7), m(3), v(3), ds(3), db(3);
  OK(cudnnBatchNormalizationForwardTraining(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, t, x, t,
                                            y, parameters, scale, bias, 0.25, mean, variance, 1e-3,
                                            m, v));
  OK(cudnnBatchNormalizationBackward(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, t,
                                     x, t, dy, t, dx, parameters, scale, ds, db, 1e-3, m, v));
  result("batch normalisation", y);
  result("batch normalisation's gradient", dx);
  result("batch normalisation's running variance", variance);
  LRNDescriptor l;
  OK(cudnnSetLRNDescriptor(l, 4, 0.3, 0.75, 1.5)); // an even window has more ahead than behind
  OK(cudnnLRNCrossChannelForward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, t, x, &zero, t, y));
  OK(cudnnLRNCrossChannelBackward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, t, y, t, dy, t, x,
                                  &zero, t, dx));
  result("response normalisation", y);
  result("response normalisation's gradient", dx);
}

/// Cells whose weights are set by cudnnGetRNNWeightParams, so that their layout does not matter.
void recurrent() {
  const int times = 3, batch = 2, in = 3, hidden = 4, lengths[] = {3, 2};
  for (int cell = 0; cell < 4; ++cell) {
    RNNDescriptor rnn;
    RNNDataDescriptor xt, yt;
    TensorN state(CUDNN_DATA_FLOAT, {2, batch, hidden});
    float fill = 0;
    const auto layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
    OK(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, cudnnRNNMode_t(cell),
                                CUDNN_RNN_DOUBLE_BIAS, CUDNN_BIDIRECTIONAL, CUDNN_LINEAR_INPUT,
                                CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_FMA_MATH, in, hidden,
                                hidden, 1, nullptr, CUDNN_RNN_PADDED_IO_ENABLED));
    OK(cudnnSetRNNDataDescriptor(xt, CUDNN_DATA_FLOAT, layout, times, batch, in, lengths, &fill));
    OK(cudnnSetRNNDataDescriptor(yt, CUDNN_DATA_FLOAT, layout, times, batch, 2 * hidden, lengths,
                                 &fill));
    size_t weight_bytes, work_bytes, reserve_bytes;
    OK(cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes));
    OK(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, xt, &work_bytes,
                                 &reserve_bytes));
    Array<float> w(weight_bytes / 4);
    const int gates = cell == CUDNN_LSTM ? 4 : (cell == CUDNN_GRU ? 3 : 1);
    for (int p = 0; p < 2; ++p)
      for (int id = 0; id < 2 * gates; ++id) {
        TensorDescriptor md, bd;
        void *m = nullptr, *b = nullptr;
        OK(cudnnGetRNNWeightParams(handle, rnn, p, weight_bytes, w, id, md, &m, bd, &b));
        for (int i = 0; i < hidden * (id < gates ? in : hidden); ++i)
          static_cast<float *>(m)[i] = float(0.5 * number(i, 10 * p + id));
        for (int i = 0; i < hidden; ++i)
          static_cast<float *>(b)[i] = float(0.5 * number(i, 100 + 10 * p + id));
      }
    Array<char> work(work_bytes), reserve(reserve_bytes);
    Array<int> device_lengths(batch);
    device_lengths[0] = 3;
    device_lengths[1] = 2;
    Array<float> x(18, 1), y(48), hx(16, 2), cx(16, 3), hy(16), cy(16), dy(48, 4), dx(18), dhx(16),
        dcx(16);
    OK(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, device_lengths, xt, x, yt, y, state,
                       hx, hy, state, cx, cy, weight_bytes, w, work_bytes, work, reserve_bytes,
                       reserve));
    OK(cudnnRNNBackwardData_v8(handle, rnn, device_lengths, yt, y, dy, xt, dx, state, hx, nullptr,
                               dhx, state, cx, nullptr, dcx, weight_bytes, w, work_bytes, work,
                               reserve_bytes, reserve));
    const std::string name = "cell " + std::to_string(cell);
    result(name + " output", y);
    result(name + " state", hy);
    result(name + " gradient", dx);
    result(name + " state's gradient", dhx);
  }
}

} // namespace

int main(int argc, char **argv) {
  records = argc > 1 && std::strcmp(argv[1], "record") == 0;
  OK(cudnnCreate(&handle));
  convolutions();
  layers();
  recurrent();
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
