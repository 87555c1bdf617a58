// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A neural network learns to read digits, with cuDNN and cuBLAS.
//
// The network is LeNet (LeCun et al., 1998), small: two convolutions, each followed by ReLU and by
// pooling, then two layers of products of matrices, then softmax. The digits are drawn by a
// formula: the seven segments of a pocket calculator, moved about, some brighter than others, with
// noise. In each step the network sees 50 of them, and every weight moves a little against the
// gradient of the loss.
//
// A library call is work on a stream like a kernel: it returns at once. What cuDNN needs to know
// about memory, it is told by descriptors. Forward and backward calls come in pairs.
//
//   heddle run examples/11-lenet/lenet.cu -lcudnn -lcublas
#include "../check.h"

#include <cmath>
#include <cublas_v2.h>
#include <cudnn.h>
#include <vector>

#define CHECK_LIBRARY(call)                                                                        \
  do {                                                                                             \
    int status_of_library = (int)(call);                                                           \
    if (status_of_library != 0) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_of_library);       \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

const int batch = 50, side = 16, classes = 10;
cudnnHandle_t cudnn;
cublasHandle_t cublas;
const float one = 1, zero = 0;

// ---- Data ----

unsigned random_state = 1;
float uniform() { // 0 to 1
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) / 16777216.0f;
}

/// The segments of the ten digits: top, upper left and right, middle, lower left and right, bottom.
const char *const segments[classes] = {"1110111", "0010010", "1011101", "1011011", "0111010",
                                       "1101011", "1101111", "1010010", "1111111", "1111011"};

void drawDigit(int digit, float *picture) {
  for (int i = 0; i < side * side; ++i)
    picture[i] = 0.2f * uniform();
  const int left = 3 + (int)(4 * uniform()), top = 1 + (int)(3 * uniform());
  for (int s = 0; s < 7; ++s) {
    if (segments[digit][s] == '0')
      continue;
    const bool across = s % 3 == 0; // top, middle, bottom
    const int x = across ? left : left + (s % 3 == 2 ? 6 : 0);
    const int y = across ? top + s / 3 * 6 : top + s / 3 * 6;
    const float light = 0.6f + 0.4f * uniform();
    for (int i = 0; i <= 6; ++i)
      picture[across ? y * side + x + i : (y + i) * side + x] = light;
  }
}

// ---- Memory and layers ----

struct Vector {
  float *data;
  size_t count;
  explicit Vector(size_t n) : count(n) { CHECK(cudaMalloc(&data, n * sizeof(float))); }
  ~Vector() { CHECK(cudaFree(data)); }
  void upload(const std::vector<float> &v) {
    CHECK(cudaMemcpy(data, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  std::vector<float> download() const {
    std::vector<float> v(count);
    CHECK(cudaMemcpy(v.data(), data, count * sizeof(float), cudaMemcpyDeviceToHost));
    return v;
  }
};

/// Weights with their gradient; at first random, the smaller the more inputs each output has.
struct Weights {
  Vector value, gradient;
  Weights(size_t n, int inputs) : value(n), gradient(n) {
    std::vector<float> v(n);
    for (float &e : v)
      e = (2 * uniform() - 1) * std::sqrt(3.0f / inputs);
    value.upload(v);
  }
  void step(float rate) {
    const float against = -rate;
    CHECK_LIBRARY(cublasSaxpy(cublas, (int)value.count, &against, gradient.data, 1, value.data, 1));
  }
};

cudnnTensorDescriptor_t tensor(int n, int c, int h, int w) {
  cudnnTensorDescriptor_t t;
  CHECK_LIBRARY(cudnnCreateTensorDescriptor(&t));
  CHECK_LIBRARY(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
  return t;
}

/// What a layer leaves behind: its outputs and, on the way back, the loss's gradient by them.
struct Activations {
  cudnnTensorDescriptor_t shape;
  Vector value, gradient;
  Activations(int c, int h, int w)
      : shape(tensor(batch, c, h, w)), value((size_t)batch * c * h * w), gradient(value.count) {}
  ~Activations() { CHECK_LIBRARY(cudnnDestroyTensorDescriptor(shape)); }
};

/// Convolution with a bias for each channel.
struct Convolution {
  Weights filter, bias;
  cudnnFilterDescriptor_t filter_shape;
  cudnnTensorDescriptor_t bias_shape;
  cudnnConvolutionDescriptor_t how;
  Convolution(int in, int out, int size, int pad)
      : filter((size_t)out * in * size * size, in * size * size), bias(out, 1000000),
        bias_shape(tensor(1, out, 1, 1)) {
    CHECK_LIBRARY(cudnnCreateFilterDescriptor(&filter_shape));
    CHECK_LIBRARY(cudnnSetFilter4dDescriptor(filter_shape, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, out,
                                             in, size, size));
    CHECK_LIBRARY(cudnnCreateConvolutionDescriptor(&how));
    CHECK_LIBRARY(cudnnSetConvolution2dDescriptor(how, pad, pad, 1, 1, 1, 1,
                                                  CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  }
  ~Convolution() {
    CHECK_LIBRARY(cudnnDestroyFilterDescriptor(filter_shape));
    CHECK_LIBRARY(cudnnDestroyTensorDescriptor(bias_shape));
    CHECK_LIBRARY(cudnnDestroyConvolutionDescriptor(how));
  }
  void forward(const Activations &x, Activations &y) {
    // This algorithm needs no workspace; others say how much they do.
    CHECK_LIBRARY(cudnnConvolutionForward(
        cudnn, &one, x.shape, x.value.data, filter_shape, filter.value.data, how,
        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y.shape, y.value.data));
    CHECK_LIBRARY(
        cudnnAddTensor(cudnn, &one, bias_shape, bias.value.data, &one, y.shape, y.value.data));
  }
  void backward(Activations &x, const Activations &y, bool needs_input_gradient) {
    CHECK_LIBRARY(cudnnConvolutionBackwardBias(cudnn, &one, y.shape, y.gradient.data, &zero,
                                               bias_shape, bias.gradient.data));
    CHECK_LIBRARY(cudnnConvolutionBackwardFilter(cudnn, &one, x.shape, x.value.data, y.shape,
                                                 y.gradient.data, how,
                                                 CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0,
                                                 &zero, filter_shape, filter.gradient.data));
    if (needs_input_gradient)
      CHECK_LIBRARY(cudnnConvolutionBackwardData(
          cudnn, &one, filter_shape, filter.value.data, y.shape, y.gradient.data, how,
          CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &zero, x.shape, x.gradient.data));
  }
  void step(float rate) {
    filter.step(rate);
    bias.step(rate);
  }
};

/// y = W x + b for each picture. cuBLAS counts by columns, so a picture's values are a column.
struct Full {
  int in, out;
  Weights matrix, bias;
  cudnnTensorDescriptor_t bias_shape;
  Full(int inputs, int outputs)
      : in(inputs), out(outputs), matrix((size_t)inputs * outputs, inputs), bias(outputs, 1000000),
        bias_shape(tensor(1, outputs, 1, 1)) {}
  ~Full() { CHECK_LIBRARY(cudnnDestroyTensorDescriptor(bias_shape)); }
  void forward(const Activations &x, Activations &y) {
    CHECK_LIBRARY(cublasSgemm(cublas, CUBLAS_OP_T, CUBLAS_OP_N, out, batch, in, &one,
                              matrix.value.data, in, x.value.data, in, &zero, y.value.data, out));
    CHECK_LIBRARY(
        cudnnAddTensor(cudnn, &one, bias_shape, bias.value.data, &one, y.shape, y.value.data));
  }
  void backward(Activations &x, const Activations &y) {
    CHECK_LIBRARY(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_T, in, out, batch, &one, x.value.data,
                              in, y.gradient.data, out, &zero, matrix.gradient.data, in));
    CHECK_LIBRARY(cudnnConvolutionBackwardBias(cudnn, &one, y.shape, y.gradient.data, &zero,
                                               bias_shape, bias.gradient.data));
    CHECK_LIBRARY(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, in, batch, out, &one,
                              matrix.value.data, in, y.gradient.data, out, &zero, x.gradient.data,
                              in));
  }
  void step(float rate) {
    matrix.step(rate);
    bias.step(rate);
  }
};

struct Relu {
  cudnnActivationDescriptor_t how;
  Relu() {
    CHECK_LIBRARY(cudnnCreateActivationDescriptor(&how));
    CHECK_LIBRARY(
        cudnnSetActivationDescriptor(how, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  }
  ~Relu() { CHECK_LIBRARY(cudnnDestroyActivationDescriptor(how)); }
  void forward(Activations &x) { // in place
    CHECK_LIBRARY(cudnnActivationForward(cudnn, how, &one, x.shape, x.value.data, &zero, x.shape,
                                         x.value.data));
  }
  void backward(Activations &x) {
    CHECK_LIBRARY(cudnnActivationBackward(cudnn, how, &one, x.shape, x.value.data, x.shape,
                                          x.gradient.data, x.shape, x.value.data, &zero, x.shape,
                                          x.gradient.data));
  }
};

struct Pooling {
  cudnnPoolingDescriptor_t how;
  Pooling() {
    CHECK_LIBRARY(cudnnCreatePoolingDescriptor(&how));
    CHECK_LIBRARY(cudnnSetPooling2dDescriptor(how, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2,
                                              0, 0, 2, 2));
  }
  ~Pooling() { CHECK_LIBRARY(cudnnDestroyPoolingDescriptor(how)); }
  void forward(const Activations &x, Activations &y) {
    CHECK_LIBRARY(
        cudnnPoolingForward(cudnn, how, &one, x.shape, x.value.data, &zero, y.shape, y.value.data));
  }
  void backward(Activations &x, const Activations &y) {
    CHECK_LIBRARY(cudnnPoolingBackward(cudnn, how, &one, y.shape, y.value.data, y.shape,
                                       y.gradient.data, x.shape, x.value.data, &zero, x.shape,
                                       x.gradient.data));
  }
};

// ---- The network ----

/// The gradient of the mean cross entropy by what goes into softmax: (probability - truth) / batch.
__global__ void lossGradient(const float *probabilities, const int *labels, float *gradient) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < batch * classes)
    gradient[i] = (probabilities[i] - (labels[i / classes] == i % classes)) / batch;
}

struct Network {
  Activations input{1, side, side}, c1{6, side, side}, p1{6, 8, 8}, c2{16, 4, 4}, p2{16, 2, 2},
      f1{32, 1, 1}, f2{classes, 1, 1}, out{classes, 1, 1};
  Convolution conv1{1, 6, 5, 2}, conv2{6, 16, 5, 0};
  Full full1{64, 32}, full2{32, classes};
  Pooling pool;
  Relu relu;

  void forward() {
    conv1.forward(input, c1);
    relu.forward(c1);
    pool.forward(c1, p1);
    conv2.forward(p1, c2);
    relu.forward(c2);
    pool.forward(c2, p2);
    full1.forward(p2, f1);
    relu.forward(f1);
    full2.forward(f1, f2);
    CHECK_LIBRARY(cudnnSoftmaxForward(cudnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL,
                                      &one, f2.shape, f2.value.data, &zero, out.shape,
                                      out.value.data));
  }
  void backward(const int *labels) {
    lossGradient<<<(batch * classes + 127) / 128, 128>>>(out.value.data, labels, f2.gradient.data);
    full2.backward(f1, f2);
    relu.backward(f1);
    full1.backward(p2, f1);
    pool.backward(c2, p2);
    relu.backward(c2);
    conv2.backward(p1, c2, true);
    pool.backward(c1, p1);
    relu.backward(c1);
    conv1.backward(input, c1, false);
  }
  void step(float rate) {
    conv1.step(rate);
    conv2.step(rate);
    full1.step(rate);
    full2.step(rate);
  }
};

struct Result {
  double loss, right;
};

int main() {
  CHECK_LIBRARY(cudnnCreate(&cudnn));
  CHECK_LIBRARY(cublasCreate(&cublas));
  Result first = {}, last = {};
  {
    Network network;
    int *labels;
    CHECK(cudaMalloc(&labels, batch * sizeof(int)));
    const int steps = 150;
    for (int step = 0; step <= steps; ++step) {
      // New digits in every step, so the last ones are a test: the network has not seen them.
      std::vector<float> pictures((size_t)batch * side * side);
      std::vector<int> truth(batch);
      for (int i = 0; i < batch; ++i) {
        truth[i] = (int)(classes * uniform());
        drawDigit(truth[i], &pictures[(size_t)i * side * side]);
      }
      network.input.value.upload(pictures);
      CHECK(cudaMemcpy(labels, truth.data(), batch * sizeof(int), cudaMemcpyHostToDevice));
      network.forward();
      if (step == 0 || step == steps) {
        const std::vector<float> p = network.out.value.download();
        Result r = {};
        for (int i = 0; i < batch; ++i) {
          const float *row = &p[(size_t)i * classes];
          int best = 0;
          for (int k = 1; k < classes; ++k)
            best = row[k] > row[best] ? k : best;
          r.loss -= std::log(row[truth[i]]) / batch;
          r.right += best == truth[i];
        }
        (step == 0 ? first : last) = r;
      }
      network.backward(labels);
      network.step(0.3f);
    }
    CHECK(cudaFree(labels));
  }
  CHECK_LIBRARY(cublasDestroy(cublas));
  CHECK_LIBRARY(cudnnDestroy(cudnn));

  // Guessing gives a loss of ln 10 = 2.3 and one digit in ten. The last bits of the results depend
  // on the machine, so only what is certain is printed.
  const bool guesses = std::fabs(first.loss - 2.3) < 0.4, learned = last.loss < 0.3;
  std::printf("before: the loss is %s (%s)\n", guesses ? "about 2.3" : "strange",
              guesses ? "right" : "WRONG");
  std::printf("after:  the loss is %s (%s)\n", learned ? "below 0.3" : "too high",
              learned ? "right" : "WRONG");
  std::printf("new digits that are read: %s (%s)\n", last.right >= 45 ? "at least 45 of 50" : "few",
              last.right >= 45 ? "right" : "WRONG");
  if (!guesses || !learned || last.right < 45) {
    std::printf("%f %f %f\n", first.loss, last.loss, last.right);
    return 1;
  }
  return 0;
}
