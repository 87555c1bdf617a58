// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -Xcompiler -fopenmp -lnccl
// env: HEDDLE_DEVICES=4
//
// OpenMP threads with a device each: kernels on parts of an array, managed memory, and a sum over
// all devices, whose communicators the threads make.
#include "../check.h"

#include <algorithm>
#include <nccl.h>
#include <omp.h>

namespace {

__global__ void add(int *data, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] += value;
}

__global__ void sum(const int *data, int count, unsigned long long *result) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(result, static_cast<unsigned long long>(data[i]));
}

} // namespace

int main() {
  int devices = 0, failures = 0, threads = 0;
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  devices = std::min(devices, 4);
  const int part = 100003;
  std::vector<int> host(size_t(part) * devices);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = int(i % 1000);
  ncclUniqueId id;
  CHECK_EQ(ncclGetUniqueId(&id), ncclSuccess);
  std::vector<unsigned long long> sums(devices);

#pragma omp parallel num_threads(devices) reduction(+ : failures, threads)
  {
    const int thread = omp_get_thread_num();
    int device = -1;
    int *data = nullptr;
    unsigned long long *total = nullptr;
    ncclComm_t comm;
    ++threads;
    failures += cudaSetDevice(thread) != cudaSuccess;
    failures += cudaGetDevice(&device) != cudaSuccess || device != thread;
    failures += cudaMalloc(&data, part * sizeof(int)) != cudaSuccess;
    failures += cudaMallocManaged(&total, sizeof *total) != cudaSuccess;
    failures += ncclCommInitRank(&comm, devices, id, thread) != ncclSuccess;
    *total = 0;
    int *const own = host.data() + size_t(part) * thread;
    failures += cudaMemcpy(data, own, part * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess;
    add<<<(part + 127) / 128, 128>>>(data, part, thread);
    sum<<<8, 64>>>(data, part, total);
    failures += ncclAllReduce(total, total, 1, ncclUint64, ncclSum, comm, nullptr) != ncclSuccess;
    failures += cudaMemcpy(own, data, part * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
    failures += cudaDeviceSynchronize() != cudaSuccess;
    sums[thread] = *total;
    failures += ncclCommDestroy(comm) != ncclSuccess;
    failures += cudaFree(data) != cudaSuccess;
    failures += cudaFree(total) != cudaSuccess;
  }

  CHECK_EQ(threads, devices);
  CHECK_EQ(failures, 0);
  size_t wrong = 0;
  unsigned long long expected = 0;
  for (size_t i = 0; i < host.size(); ++i) {
    const int value = int(i % 1000) + int(i / part);
    wrong += host[i] != value;
    expected += value;
  }
  CHECK_EQ(wrong, 0u);
  for (const unsigned long long one : sums)
    CHECK_EQ(one, expected);
  RETURN_RESULT();
}
