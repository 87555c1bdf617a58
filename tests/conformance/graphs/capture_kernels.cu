// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captured work does not run; the graph does, with the arguments of the capture.
#include "graphs.h"

int main() {
  DeviceBuffer<long long> digits(1);
  long long result = 0, start = 9;
  Stream stream;
  beginCapture(stream);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(int(status), int(cudaStreamCaptureStatusActive));
  CHECK_CUDA(cudaMemcpyAsync(digits, &start, sizeof start, cudaMemcpyHostToDevice, stream));
  for (int i = 1; i <= 3; ++i)
    appendDigit<<<1, 1, 0, stream>>>(digits, i);
  CHECK_CUDA(cudaMemcpyAsync(&result, digits, sizeof result, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = endCapture(stream);
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(int(status), int(cudaStreamCaptureStatusNone));
  CHECK_EQ(digits.download()[0], 0);
  CHECK_EQ(nodesOf(graph).size(), size_t(5));
  CHECK_EQ(edgesOf(graph).size(), size_t(8));
  Executable exec(graph);
  exec.run(stream);
  CHECK_EQ(result, 9123);
  start = 4; // read at each launch
  exec.run(stream);
  CHECK_EQ(result, 4123);
  RETURN_RESULT();
}
