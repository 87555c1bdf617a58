// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __isGlobal, __isShared, __isLocal, __isConstant, __isGridConstant and PTX's isspacep of pointers
// to everything that has an address.
#include "check.h"

struct Big {
  int values[16];
};

struct Base {
  __device__ virtual int get() const { return 1; }
};

__device__ int variable;
__device__ const int table[4] = {1, 2, 3, 4};
__constant__ int constant[4] = {5, 6, 7, 8};
__managed__ int managed;

enum { Global = 1, Shared = 2, Local = 4, Constant = 8, GridConstant = 16 };

__device__ __noinline__ int spaces(const void *pointer) {
  return (__isGlobal(pointer) ? Global : 0) | (__isShared(pointer) ? Shared : 0) |
         (__isLocal(pointer) ? Local : 0) | (__isConstant(pointer) ? Constant : 0) |
         (__isGridConstant(pointer) ? GridConstant : 0);
}

#define ISSPACEP(SPACE, POINTER)                                                                   \
  [&] {                                                                                            \
    unsigned is;                                                                                   \
    asm volatile("{ .reg .pred p; isspacep." SPACE " p, %1; selp.u32 %0, 1, 0, p; }"               \
                 : "=r"(is)                                                                        \
                 : "l"(POINTER));                                                                  \
    return int(is);                                                                                \
  }()

__device__ __noinline__ int spacesInPtx(const void *pointer) {
  return ISSPACEP("global", pointer) * Global | ISSPACEP("shared", pointer) * Shared |
         ISSPACEP("local", pointer) * Local | ISSPACEP("const", pointer) * Constant |
         ISSPACEP("param", pointer) * GridConstant;
}

const int kinds = 12;

__global__ void look(int *out, const int *device, const int *pinned, Big changed) {
  __shared__ int shared[8];
  extern __shared__ int dynamic[];
  const int t = int(threadIdx.x);
  int local[4] = {t, t + 1, t + 2, t + 3};
  Base object;
  changed.values[t % 16] = t;
  shared[t % 8] = dynamic[t % 8] = changed.values[(t + 1) % 16];
  void *heap = malloc(16);
  const void *pointers[kinds] = {
      &variable, &table[t % 4],  &constant[t % 4], &managed,      device,  pinned,
      heap,      &shared[t % 8], dynamic,          &local[t % 4], &object, &changed};
  for (int i = 0; i < kinds; ++i) {
    out[(t * kinds + i) * 2] = spaces(pointers[i]);
    out[(t * kinds + i) * 2 + 1] = spacesInPtx(pointers[i]);
  }
  free(heap);
  variable = local[1] + object.get();
}

int main() {
  const int threads = 40;
  const int expected[kinds] = {Global, Global, Constant, Global, Global, Global,
                               Global, Shared, Shared,   Local,  Local,  Local};
  DeviceBuffer<int> out(threads * kinds * 2), device(1);
  int *pinned = nullptr;
  CHECK_CUDA(cudaMallocHost(&pinned, sizeof *pinned));
  look<<<1, threads, 64>>>(out, device, pinned, Big{});
  const std::vector<int> got = out.download();
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < kinds; ++i) {
      CHECK_EQ(got[(t * kinds + i) * 2] + 100 * i, expected[i] + 100 * i);
      CHECK_EQ(got[(t * kinds + i) * 2 + 1] + 100 * i, expected[i] + 100 * i);
    }
  CHECK_CUDA(cudaFreeHost(pinned));
  RETURN_RESULT();
}
