// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launching costs when the kernel does nothing. Prints "name value unit" lines for
// overheads.py.
#include <algorithm>
#include <chrono>
#include <cstdio>

__global__ void empty() {}
__global__ void barrier() { __syncthreads(); }
__global__ void children(int count) {
  for (int i = 0; i < count; ++i)
    empty<<<1, 32>>>();
}

// Milliseconds that `launches` launches of `kernel` take, from first to last.
template <class Kernel> float milliseconds(Kernel kernel, int launches, int blocks, int threads) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  kernel<<<1, 32>>>();
  cudaDeviceSynchronize();
  cudaEventRecord(begin);
  for (int i = 0; i < launches; ++i)
    kernel<<<blocks, threads>>>();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float elapsed = 0;
  cudaEventElapsedTime(&elapsed, begin, end);
  return elapsed;
}

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * 0.5f + 1.0f;
}

// Microseconds that `body` takes at best, from the call to the end of its work.
template <class Body> double microseconds(Body body) {
  double best = 1e30;
  for (int i = 0; i < 400; ++i) {
    auto begin = std::chrono::steady_clock::now();
    body();
    cudaDeviceSynchronize();
    std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - begin;
    best = std::min(best, elapsed.count());
  }
  return best;
}

// 20 small kernels, launched one by one and as a graph.
void graphs() {
  const int n = 1024, count = 20;
  float *data = nullptr;
  cudaMalloc(&data, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  auto launches = [&] {
    for (int i = 0; i < count; ++i)
      scale<<<n / 256, 256, 0, stream>>>(data, n);
  };
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  launches();
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  const double one_by_one = microseconds(launches);
  const double replay = microseconds([&] { cudaGraphLaunch(exec, stream); });
  std::printf("20 small kernels, launches, us: %.2f\n", one_by_one);
  std::printf("20 small kernels, graph replay, us: %.2f\n", replay);
  std::printf("graph replay, times as fast: %.2f\n", one_by_one / replay);
}

int main() {
  const int blocks = 20000, threads = 1024, launches = 2000;
  const double millions = blocks * double(threads) / 1e6;
  std::printf("empty threads, M/s: %.1f\n",
              millions / milliseconds(empty, 1, blocks, threads) * 1e3);
  std::printf("threads with one barrier, M/s: %.1f\n",
              millions / 10 / milliseconds(barrier, 1, blocks / 10, threads) * 1e3);
  std::printf("launch of one warp, us: %.2f\n",
              milliseconds(empty, launches, 1, 32) * 1e3 / launches);
  graphs();
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  children<<<1, 1>>>(1);
  cudaEventRecord(begin);
  children<<<1, 1>>>(10 * launches);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float elapsed = 0;
  cudaEventElapsedTime(&elapsed, begin, end);
  std::printf("launch of one warp from a kernel, us: %.2f\n", elapsed * 1e3 / (10 * launches));
  return 0;
}
