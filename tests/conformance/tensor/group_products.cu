// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: matrices in shared memory by rows and by columns, in all widths of swizzling; a in
// registers; with and without the old sum, and with signs.
// flags: -gencode=arch=compute_90a,code=sm_90a -std=c++17
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cuda_fp16.h>

constexpr int rows = 64, columns = 16, depth = 16;

/// Where number (place, k) lies, in bytes. PTX ISA, "Asynchronous Warpgroup Level Matrix Shared
/// Memory Layout": groups of eight lines of the width, whose chunks of 16 bytes change places.
__device__ int placeOf(int mode, bool by_columns, int places, int place, int k) {
  const int width = mode ? 256 >> mode : 16, group = 8 * width;
  int line, byte, start;
  if (!by_columns) {
    line = place % 8;
    byte = mode ? k * 2 : k % 8 * 2;
    start = mode ? place / 8 * group : place / 8 * 2 * group + k / 8 * group;
  } else {
    const int held = width / 2, groups = places * 2 / width > 0 ? places * 2 / width : 1;
    line = k % 8;
    byte = place % held * 2;
    start = mode ? place / held * 2 * group + k / 8 * group
                 : place / held * group + k / 8 * groups * group;
  }
  const int chunk = byte / 16 ^ (mode == 1   ? line
                                 : mode == 2 ? line / 2
                                 : mode == 3 ? line / 4
                                             : 0);
  return start + line * width + chunk * 16 + byte % 16;
}

__device__ unsigned long long descriptorOf(const void *matrix, int mode, bool by_columns,
                                           int places) {
  const int width = mode ? 256 >> mode : 16, group = 8 * width;
  const int groups = places * 2 / width > 0 ? places * 2 / width : 1;
  int leading = group, stride = mode ? group : 2 * group;
  if (by_columns) {
    leading = mode ? 2 * group : groups * group;
    stride = group;
  }
  const auto field = [](unsigned long long bytes) { return (bytes & 0x3ffff) >> 4; };
  return field(__cvta_generic_to_shared(matrix)) | field(leading) << 16 | field(stride) << 32 |
         (unsigned long long)mode << 62;
}

#define SUMS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define OUTPUTS                                                                                    \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define PRODUCT(SIGN_A, SIGN_B, BY_A, BY_B)                                                        \
  asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;"                                             \
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " SUMS ", %8, %9, p, " #SIGN_A  \
               ", " #SIGN_B ", " #BY_A ", " #BY_B ";}"                                             \
               : OUTPUTS                                                                           \
               : "l"(da), "l"(db), "r"(keep))

__global__ void product(const float *a, const float *b, float *out, int mode, int by_a, int by_b,
                        int keep) {
  alignas(1024) __shared__ char memory[2][16384];
  const int t = int(threadIdx.x);
  for (int i = t; i < rows * depth; i += 128)
    *reinterpret_cast<__half *>(memory[0] + placeOf(mode, by_a, rows, i / depth, i % depth)) =
        __float2half(a[i]);
  for (int i = t; i < columns * depth; i += 128)
    *reinterpret_cast<__half *>(
        memory[1] + placeOf(mode, by_b, columns, i % columns, i / columns)) = __float2half(b[i]);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned long long da = descriptorOf(memory[0], mode, by_a, rows),
                           db = descriptorOf(memory[1], mode, by_b, columns);
  float d[8];
  for (int i = 0; i < 8; ++i)
    d[i] = float(i);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (by_a && by_b)
    PRODUCT(1, 1, 1, 1);
  else if (by_a)
    PRODUCT(1, 1, 1, 0);
  else if (by_b)
    PRODUCT(1, 1, 0, 1);
  else
    PRODUCT(1, 1, 0, 0);
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i)
    out[t * 8 + i] = d[i];
}

// a from registers, negated; b by rows of the depth, 128 bytes wide.
__global__ void fromRegisters(const float *a, const float *b, float *out) {
  alignas(1024) __shared__ char memory[16384];
  const int t = int(threadIdx.x), row = t / 32 * 16 + t % 32 / 4;
  for (int i = t; i < columns * depth; i += 128)
    *reinterpret_cast<__half *>(memory + placeOf(1, false, columns, i % columns, i / columns)) =
        __float2half(b[i]);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  unsigned w[4];
  for (int i = 0; i < 4; ++i) {
    const float *two = a + (row + i % 2 * 8) * depth + i / 2 * 8 + t % 4 * 2;
    const __half2 pair = __floats2half2_rn(two[0], two[1]);
    w[i] = reinterpret_cast<const unsigned &>(pair);
  }
  const unsigned long long db = descriptorOf(memory, 1, false, columns);
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0;"
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " SUMS
               ", {%8, %9, %10, %11}, %12, p, -1, 1, 0;}"
               : OUTPUTS
               : "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "l"(db));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i)
    out[t * 8 + i] = d[i];
}

// Register i of thread t has the sum of this row and column (PTX ISA, "D fragment").
float expected(const std::vector<float> &a, const std::vector<float> &b, int t, int i) {
  const int row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % 2;
  float sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[size_t(row * depth + k)] * b[size_t(k * columns + column)];
  return sum;
}

int main() {
  std::vector<float> a(rows * depth), b(depth * columns);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = float(int(i * 7 % 23) - 11);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = float(int(i * 5 % 17) - 8);
  DeviceBuffer<float> da(a), db(b), out(128 * 8);
  for (int mode = 0; mode < 4; ++mode)
    for (int way = 0; way < 8; ++way) {
      const int by_a = way & 1, by_b = way >> 1 & 1, keep = way >> 2;
      product<<<1, 128>>>(da.data(), db.data(), out.data(), mode, by_a, by_b, keep);
      CHECK_CUDA(cudaDeviceSynchronize());
      const std::vector<float> got = out.download();
      for (int t = 0; t < 128; ++t)
        for (int i = 0; i < 8; ++i)
          CHECK_EQ(got[size_t(t * 8 + i)], expected(a, b, t, i) + (keep ? float(i) : 0));
    }
  fromRegisters<<<1, 128>>>(da.data(), db.data(), out.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<float> got = out.download();
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 8; ++i)
      CHECK_EQ(got[size_t(t * 8 + i)], -expected(a, b, t, i));
  RETURN_RESULT();
}
