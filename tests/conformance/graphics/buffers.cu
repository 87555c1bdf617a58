// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenGL's buffers as resources: a kernel fills one that OpenGL draws, kernels see what OpenGL has
// put there, the stream's order holds, and the program's state of OpenGL stays.
// hardware: skip needs OpenGL
#include "gl.h"

#include <numeric>

constexpr int width = 32, height = 16, count = width * height;

struct Vertex {
  float x, y;
  uchar4 color;
};

__host__ __device__ uchar4 colorOf(int x, int y) {
  return make_uchar4(x * 8, y * 16, (x * y) & 255, 255);
}

__global__ void place(Vertex *vertices) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int x = i % width, y = i / width;
  vertices[i] = {(x + 0.5f) * 2 / width - 1, (y + 0.5f) * 2 / height - 1, colorOf(x, y)};
}

__global__ void scale(const int *from, int *values, int n, int factor, long long wait) {
  for (const long long begin = clock64(); clock64() - begin < wait;)
    ;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = from[i] * factor;
}

template <class T> T *pointerTo(cudaGraphicsResource_t resource, size_t expected_bytes) {
  void *pointer = nullptr;
  size_t bytes = 0;
  CHECK_CUDA(cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource));
  CHECK_EQ(bytes, expected_bytes);
  return static_cast<T *>(pointer);
}

void drawnByOpenGl() {
  gl::makeCanvas(width, height);
  const unsigned buffer = gl::makeBuffer(std::vector<Vertex>(count));
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  place<<<(count + 127) / 128, 128>>>(pointerTo<Vertex>(resource, count * sizeof(Vertex)));
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));

  gl::BindBuffer(gl::array_buffer, buffer);
  gl::VertexPointer(2, gl::float_type, sizeof(Vertex), nullptr);
  gl::ColorPointer(4, gl::unsigned_byte, sizeof(Vertex),
                   reinterpret_cast<void *>(offsetof(Vertex, color)));
  gl::EnableClientState(gl::vertex_array);
  gl::EnableClientState(gl::color_array);
  gl::DrawArrays(gl::points, 0, count);
  const std::vector<uchar4> pixels = gl::readCanvas(width, height);
  for (int i = 0; i < count; ++i) {
    const uchar4 expected = colorOf(i % width, i / width);
    CHECK(memcmp(&pixels[i], &expected, sizeof expected) == 0);
  }
  gl::DisableClientState(gl::vertex_array);
  gl::DisableClientState(gl::color_array);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
  gl::BindBuffer(gl::array_buffer, 0);
  gl::DeleteBuffers(1, &buffer);
}

/// Two buffers at once, in a stream of their own, whose kernel takes a while.
void inTheStreamsOrder() {
  constexpr int n = 10000;
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), -5000);
  const unsigned from = gl::makeBuffer(numbers), to = gl::makeBuffer(std::vector<int>(n, -1));
  cudaGraphicsResource_t resources[2] = {};
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resources[0], from, cudaGraphicsRegisterFlagsReadOnly));
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resources[1], to, cudaGraphicsRegisterFlagsNone));
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 1; round <= 3; ++round) {
    CHECK_CUDA(cudaGraphicsMapResources(2, resources, stream));
    int *const values = pointerTo<int>(resources[1], n * sizeof(int));
    scale<<<(n + 255) / 256, 256, 0, stream>>>(pointerTo<int>(resources[0], n * sizeof(int)),
                                               values, n, round, 200000);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaGraphicsUnmapResources(2, resources, stream));
    const std::vector<int> result = gl::readBuffer<int>(to, n);
    for (int i = 0; i < n; ++i)
      CHECK_EQ(result[i], numbers[i] * round);
    CHECK(gl::readBuffer<int>(from, n) == numbers);
  }
  CHECK_CUDA(cudaGraphicsUnregisterResource(resources[0]));
  CHECK_CUDA(cudaGraphicsUnregisterResource(resources[1]));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

/// What a map does not write stays what OpenGL has put there, between maps too.
void partsAndNewContent() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3, 4});
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone));
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  CHECK_CUDA(cudaMemset(pointerTo<int>(resource, 16) + 1, 0, sizeof(int)));
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK(gl::readBuffer<int>(buffer, 4) == (std::vector<int>{1, 0, 3, 4}));

  const int six[] = {6, 5, 4, 3, 2, 1};
  gl::BindBuffer(gl::array_buffer, buffer);
  gl::BufferData(gl::array_buffer, sizeof six, six, gl::static_draw);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  int seen[6] = {};
  CHECK_CUDA(
      cudaMemcpy(seen, pointerTo<int>(resource, sizeof six), sizeof six, cudaMemcpyDeviceToHost));
  CHECK(memcmp(seen, six, sizeof six) == 0);
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK_EQ(unsigned(gl::integer(gl::array_buffer_binding)), buffer);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// Storage that only OpenGL itself may write.
void immutableStorage() {
  if (!gl::BufferStorage)
    return;
  const std::vector<int> content = {10, 20, 30};
  unsigned buffer = 0;
  gl::GenBuffers(1, &buffer);
  gl::BindBuffer(gl::array_buffer, buffer);
  gl::BufferStorage(gl::array_buffer, 12, content.data(), 0);
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone));
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  int *const values = pointerTo<int>(resource, 12);
  scale<<<1, 3>>>(values, values, 3, 7, 0);
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK(gl::readBuffer<int>(buffer, 3) == (std::vector<int>{70, 140, 210}));
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// The functions from before there were resources.
void bufferObjects() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3, 4});
  CHECK_CUDA(cudaGLRegisterBufferObject(buffer));
  void *pointer = nullptr;
  CHECK_CUDA(cudaGLMapBufferObject(&pointer, buffer));
  scale<<<1, 4>>>(static_cast<int *>(pointer), static_cast<int *>(pointer), 4, 11, 0);
  CHECK_CUDA(cudaGLUnmapBufferObject(buffer));
  CHECK(gl::readBuffer<int>(buffer, 4) == (std::vector<int>{11, 22, 33, 44}));
  CHECK_CUDA(cudaGLUnregisterBufferObject(buffer));
  CHECK_EQ(cudaGLMapBufferObject(&pointer, buffer), cudaErrorInvalidValue);
}

int main() {
  const gl::Context context;
  unsigned devices = 0;
  int device = -1;
  CHECK_CUDA(cudaGLGetDevices(&devices, &device, 1, cudaGLDeviceListAll));
  CHECK(devices >= 1);
  CHECK_EQ(device, 0);
  drawnByOpenGl();
  inTheStreamsOrder();
  partsAndNewContent();
  immutableStorage();
  bufferObjects();
  CHECK_EQ(gl::GetError(), 0u);
  RETURN_RESULT();
}
