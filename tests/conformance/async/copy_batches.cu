// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in batches: of pointers and of boxes, their attributes, and what is refused.
#include "check.h"

__global__ void fill(int *data, int count, int value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] = value + i;
}

struct Stream {
  cudaStream_t handle;
  Stream() { CHECK_CUDA(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(handle); }
  void wait() { CHECK_CUDA(cudaStreamSynchronize(handle)); }
};

cudaMemcpyAttributes ordered(cudaMemcpySrcAccessOrder order) {
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = order;
  return attributes;
}

// In the stream's order, after a kernel and before another; to the device, from it and within it.
void checkOrder() {
  constexpr int count = 1000;
  Stream stream;
  DeviceBuffer<int> first(count), second(count), third(count);
  std::vector<int> from_host(count, 7), to_host(count, 0);
  fill<<<1, 128, 0, stream.handle>>>(first.data(), count, 100);
  void *to[] = {second.data(), third.data(), to_host.data()};
  const void *from[] = {first.data(), from_host.data(), first.data()};
  size_t sizes[] = {count * sizeof(int), count * sizeof(int), 10 * sizeof(int)};
  cudaMemcpyAttributes attributes[] = {ordered(cudaMemcpySrcAccessOrderStream),
                                       ordered(cudaMemcpySrcAccessOrderAny),
                                       ordered(cudaMemcpySrcAccessOrderStream)};
  size_t firsts[] = {0, 1, 2};
  CHECK_CUDA(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, firsts, 3, stream.handle));
  fill<<<1, 128, 0, stream.handle>>>(first.data(), count, -1000);
  stream.wait();
  CHECK_EQ(second.download()[999], 1099);
  CHECK_EQ(third.download()[5], 7);
  CHECK_EQ(to_host[9], 109);
  CHECK_EQ(to_host[10], 0);
}

// What a copy reads during the call may change afterwards, though the stream is busy.
void checkSourceOfCall() {
  constexpr int count = 1 << 18; // more than what is staged anyway
  Stream stream;
  DeviceBuffer<int> busy(count), device(count);
  int *pinned = nullptr;
  CHECK_CUDA(cudaMallocHost(&pinned, count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    pinned[i] = i;
  for (int i = 0; i < 20; ++i)
    fill<<<1, 32, 0, stream.handle>>>(busy.data(), count, i);
  void *to[] = {device.data()};
  const void *from[] = {pinned};
  size_t sizes[] = {count * sizeof(int)}, firsts[] = {0};
  cudaMemcpyAttributes attributes[] = {ordered(cudaMemcpySrcAccessOrderDuringApiCall)};
  CHECK_CUDA(cudaMemcpyBatchAsync(to, from, sizes, 1, attributes, firsts, 1, stream.handle));
  for (int i = 0; i < count; ++i)
    pinned[i] = -1;
  stream.wait();
  const std::vector<int> seen = device.download();
  CHECK_EQ(seen[0], 0);
  CHECK_EQ(seen[count - 1], count - 1);
  CHECK_CUDA(cudaFreeHost(pinned));
}

// Rows with gaps into an array, and out of its middle.
void checkBoxes() {
  constexpr int width = 12, height = 5, pitch = 16;
  Stream stream;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK_CUDA(cudaMallocArray(&array, &format, width, height));
  std::vector<int> image(pitch * height);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = int(i);
  DeviceBuffer<int> device(image), piece(4 * 2);

  cudaMemcpy3DBatchOp op = {};
  op.src.type = cudaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = device.data();
  op.src.op.ptr.rowLength = pitch;
  op.dst.type = cudaMemcpyOperandTypeArray;
  op.dst.op.array.array = array;
  op.extent = make_cudaExtent(width, height, 1);
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK_CUDA(cudaMemcpy3DBatchAsync(1, &op, 0, stream.handle));

  cudaMemcpy3DBatchOp back = {};
  back.src.type = cudaMemcpyOperandTypeArray;
  back.src.op.array.array = array;
  back.src.op.array.offset.x = 3;
  back.src.op.array.offset.y = 2;
  back.dst.type = cudaMemcpyOperandTypePointer;
  back.dst.op.ptr.ptr = piece.data();
  back.extent = make_cudaExtent(4, 2, 1);
  back.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK_CUDA(cudaMemcpy3DBatchAsync(1, &back, 0, stream.handle));
  stream.wait();
  const std::vector<int> seen = piece.download();
  CHECK_EQ(seen[0], 2 * pitch + 3);
  CHECK_EQ(seen[4], 3 * pitch + 3);
  CHECK_EQ(seen[7], 3 * pitch + 6);

  back.dst.op.ptr.rowLength = 3; // less than the box
  CHECK_EQ(cudaMemcpy3DBatchAsync(1, &back, 0, stream.handle), cudaErrorInvalidValue);
  back.dst.op.ptr.rowLength = 0;
  back.extent.depth = 0;
  CHECK_EQ(cudaMemcpy3DBatchAsync(1, &back, 0, stream.handle), cudaErrorInvalidValue);
  back.extent.depth = 1;
  back.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  CHECK_EQ(cudaMemcpy3DBatchAsync(1, &back, 0, stream.handle), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy3DBatchAsync(0, &back, 0, stream.handle), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(array));
}

void checkRefusals() {
  Stream stream;
  DeviceBuffer<int> a(8), b(8);
  void *to[] = {a.data(), a.data() + 4};
  const void *from[] = {b.data(), b.data() + 4};
  size_t sizes[] = {16, 16}, firsts[] = {0, 1}, late[] = {1, 2}, equal[] = {0, 0}, far[] = {0, 2};
  cudaMemcpyAttributes good[] = {ordered(cudaMemcpySrcAccessOrderStream),
                                 ordered(cudaMemcpySrcAccessOrderStream)};
  cudaMemcpyAttributes bad[] = {ordered(cudaMemcpySrcAccessOrderInvalid)};
  const auto copy = [&](size_t count, cudaMemcpyAttributes *attributes, size_t *indices,
                        size_t entries) {
    const cudaError_t error =
        cudaMemcpyBatchAsync(to, from, sizes, count, attributes, indices, entries, stream.handle);
    cudaGetLastError();
    return error;
  };
  CHECK_EQ(copy(2, good, firsts, 2), cudaSuccess);
  CHECK_EQ(copy(2, good, firsts, 1), cudaSuccess);
  CHECK_EQ(copy(0, good, firsts, 1), cudaErrorInvalidValue);
  CHECK_EQ(copy(2, good, firsts, 0), cudaErrorInvalidValue);
  CHECK_EQ(copy(2, good, late, 2), cudaErrorInvalidValue);
  CHECK_EQ(copy(2, good, equal, 2), cudaErrorInvalidValue);
  CHECK_EQ(copy(2, good, far, 2), cudaErrorInvalidValue);
  CHECK_EQ(copy(1, good, firsts, 2), cudaErrorInvalidValue);
  CHECK_EQ(copy(2, bad, firsts, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpyBatchAsync(to, from, sizes, 2, good, firsts, 1, nullptr),
           cudaErrorInvalidValue); // the legacy default stream
  stream.wait();
}

int main() {
  checkOrder();
  checkSourceOfCall();
  checkBoxes();
  checkRefusals();
  RETURN_RESULT();
}
