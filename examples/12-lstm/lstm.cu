// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recurrent network learns to remember, with cuDNN.
//
// Each sequence has eight numbers, each with a mark beside it. Two marks are set; the network reads
// one number after another and must say, after the last one, the sum of the two that were marked.
// An LSTM (Hochreiter and Schmidhuber, 1997) can: its cells keep what their gates let in.
//
// cuDNN keeps all weights of a network in one piece of memory, whose layout is its own affair;
// cudnnGetRNNWeightParams says where each matrix lies. A step is a forward call, a backward call
// for the data and one for the weights, which share what the forward call leaves in the reserve.
//
//   heddle run examples/12-lstm/lstm.cu -lcudnn
#include "../check.h"

#include <cmath>
#include <cudnn.h>
#include <vector>

#define CHECK_CUDNN(call)                                                                          \
  do {                                                                                             \
    cudnnStatus_t status_of_cudnn = (call);                                                        \
    if (status_of_cudnn != CUDNN_STATUS_SUCCESS) {                                                 \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudnnGetErrorString(status_of_cudnn));                                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

const int times = 8, batch = 32, hidden = 24, inputs = 2;

unsigned random_state = 7;
float uniform() { // -1 to 1
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) / 8388608.0f - 1;
}

/// The answer is the dot product of the last output and `read`. Adds each sequence's squared error
/// to `loss`, and writes the gradients by the last output and by `read`.
__global__ void readAnswer(const float *y, const float *wanted, const float *read, float *dy,
                           float *dread, float *loss) {
  const int b = blockIdx.x, j = threadIdx.x; // a block for each sequence
  const float *last = y + ((times - 1) * batch + b) * hidden;
  float answer = 0;
  for (int k = 0; k < hidden; ++k)
    answer += last[k] * read[k];
  const float error = answer - wanted[b];
  dy[((times - 1) * batch + b) * hidden + j] = 2 * error * read[j] / batch;
  atomicAdd(&dread[j], 2 * error * last[j] / batch);
  if (j == 0)
    atomicAdd(loss, error * error / batch);
}

/// Adam (Kingma and Ba, 2015): steps of about the same size for all weights.
__global__ void adam(int n, int step, float *w, const float *gradient, float *mean, float *square) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  mean[i] = 0.9f * mean[i] + 0.1f * gradient[i];
  square[i] = 0.999f * square[i] + 0.001f * gradient[i] * gradient[i];
  const float m = mean[i] / (1 - powf(0.9f, step)), s = square[i] / (1 - powf(0.999f, step));
  w[i] -= 0.01f * m / (sqrtf(s) + 1e-8f);
}

float *zeros(size_t n) {
  float *p;
  CHECK(cudaMalloc(&p, n * sizeof(float)));
  CHECK(cudaMemset(p, 0, n * sizeof(float)));
  return p;
}

int main() {
  cudnnHandle_t handle;
  cudnnRNNDescriptor_t lstm;
  cudnnRNNDataDescriptor_t xt, yt;
  cudnnTensorDescriptor_t state;
  CHECK_CUDNN(cudnnCreate(&handle));
  CHECK_CUDNN(cudnnCreateRNNDescriptor(&lstm));
  CHECK_CUDNN(cudnnCreateRNNDataDescriptor(&xt));
  CHECK_CUDNN(cudnnCreateRNNDataDescriptor(&yt));
  CHECK_CUDNN(cudnnCreateTensorDescriptor(&state));
  CHECK_CUDNN(cudnnSetRNNDescriptor_v8(
      lstm, CUDNN_RNN_ALGO_STANDARD, CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, CUDNN_UNIDIRECTIONAL,
      CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, inputs, hidden,
      hidden, 1, nullptr, CUDNN_RNN_PADDED_IO_ENABLED));
  const std::vector<int> lengths(batch, times);
  float fill = 0;
  const auto layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
  CHECK_CUDNN(cudnnSetRNNDataDescriptor(xt, CUDNN_DATA_FLOAT, layout, times, batch, inputs,
                                        lengths.data(), &fill));
  CHECK_CUDNN(cudnnSetRNNDataDescriptor(yt, CUDNN_DATA_FLOAT, layout, times, batch, hidden,
                                        lengths.data(), &fill));
  const int dims[] = {1, batch, hidden}, strides[] = {batch * hidden, hidden, 1};
  CHECK_CUDNN(cudnnSetTensorNdDescriptor(state, CUDNN_DATA_FLOAT, 3, dims, strides));

  size_t weight_bytes, work_bytes, reserve_bytes;
  CHECK_CUDNN(cudnnGetRNNWeightSpaceSize(handle, lstm, &weight_bytes));
  CHECK_CUDNN(cudnnGetRNNTempSpaceSizes(handle, lstm, CUDNN_FWD_MODE_TRAINING, xt, &work_bytes,
                                        &reserve_bytes));
  const int count = (int)(weight_bytes / sizeof(float));
  // The weights of the network, and behind them those that read the answer.
  const int all = count + hidden;
  float *w = zeros(all), *dw = zeros(all), *mean = zeros(all), *square = zeros(all);
  std::vector<float> start(all);
  for (float &v : start)
    v = uniform() / std::sqrt((float)hidden);
  CHECK(cudaMemcpy(w, start.data(), all * sizeof(float), cudaMemcpyHostToDevice));
  float *x = zeros(times * batch * inputs), *dx = zeros(times * batch * inputs),
        *y = zeros(times * batch * hidden), *dy = zeros(times * batch * hidden),
        *wanted = zeros(batch), *loss = zeros(1);
  void *work = zeros(work_bytes / 4 + 1), *reserve = zeros(reserve_bytes / 4 + 1);
  int *device_lengths;
  CHECK(cudaMalloc(&device_lengths, batch * sizeof(int)));
  CHECK(cudaMemcpy(device_lengths, lengths.data(), batch * sizeof(int), cudaMemcpyHostToDevice));

  const int steps = 500, at_end = 20;
  double before = 0, after = 0;
  for (int step = 1; step <= steps; ++step) {
    std::vector<float> numbers((size_t)times * batch * inputs), sums(batch);
    for (int b = 0; b < batch; ++b) {
      const int first = (int)((uniform() + 1) / 2 * (times / 2)),
                second = times / 2 + (int)((uniform() + 1) / 2 * (times / 2));
      for (int t = 0; t < times; ++t) {
        float *at = &numbers[(size_t)(t * batch + b) * inputs];
        at[0] = uniform();
        at[1] = t == first || t == second;
        if (at[1] != 0)
          sums[b] += at[0];
      }
    }
    CHECK(cudaMemcpy(x, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(wanted, sums.data(), batch * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dw, 0, all * sizeof(float)));
    CHECK(cudaMemset(loss, 0, sizeof(float)));
    CHECK_CUDNN(cudnnRNNForward(handle, lstm, CUDNN_FWD_MODE_TRAINING, device_lengths, xt, x, yt, y,
                                state, nullptr, nullptr, state, nullptr, nullptr, weight_bytes, w,
                                work_bytes, work, reserve_bytes, reserve));
    readAnswer<<<batch, hidden>>>(y, wanted, w + count, dy, dw + count, loss);
    CHECK_CUDNN(cudnnRNNBackwardData_v8(handle, lstm, device_lengths, yt, y, dy, xt, dx, state,
                                        nullptr, nullptr, nullptr, state, nullptr, nullptr, nullptr,
                                        weight_bytes, w, work_bytes, work, reserve_bytes, reserve));
    CHECK_CUDNN(cudnnRNNBackwardWeights_v8(handle, lstm, CUDNN_WGRAD_MODE_ADD, device_lengths, xt,
                                           x, state, nullptr, yt, y, weight_bytes, dw, work_bytes,
                                           work, reserve_bytes, reserve));
    adam<<<(all + 127) / 128, 128>>>(all, step, w, dw, mean, square);
    float now;
    CHECK(cudaMemcpy(&now, loss, sizeof(float), cudaMemcpyDeviceToHost));
    if (step <= at_end)
      before += now / at_end;
    if (step > steps - at_end)
      after += now / at_end;
  }
  for (void *p :
       {(void *)w, (void *)dw, (void *)mean, (void *)square, (void *)x, (void *)dx, (void *)y,
        (void *)dy, (void *)wanted, (void *)loss, work, reserve, (void *)device_lengths})
    CHECK(cudaFree(p));
  CHECK_CUDNN(cudnnDestroyTensorDescriptor(state));
  CHECK_CUDNN(cudnnDestroyRNNDataDescriptor(xt));
  CHECK_CUDNN(cudnnDestroyRNNDataDescriptor(yt));
  CHECK_CUDNN(cudnnDestroyRNNDescriptor(lstm));
  CHECK_CUDNN(cudnnDestroy(handle));

  // Saying 0 always has a mean squared error of 2/3, the variance of the sum of two numbers.
  const bool right = before > 0.3 && after < 0.1;
  std::printf("the error falls from %s to %s (%s)\n", before > 0.3 ? "that of guessing" : "?",
              after < 0.1 ? "less than a sixth of it" : "?", right ? "right" : "WRONG");
  if (!right)
    std::printf("%f %f\n", before, after);
  return right ? 0 : 1;
}
