// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldmatrix, stmatrix and movmatrix: tiles of 8x8 16-bit numbers, as they are and transposed.
// flags: -arch=sm_90 -std=c++17
// env: HEDDLE_GPU=h200
#include "check.h"

__device__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// Tile n, row r, column c: n * 100 + r * 10 + c. Thread t gives the address of row t % 8 of tile
// t / 8; rows lie 24 numbers apart.
__global__ void load(unsigned *out) {
  alignas(16) __shared__ unsigned short tiles[32][24];
  const unsigned t = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    tiles[t][i] = (unsigned short)(t / 8 * 100 + t % 8 * 10 + i);
  __syncthreads();
  unsigned one, two[2], four[4], transposed[4], address = addressOf(tiles[t]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(one)
               : "r"(address)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(two[0]), "=r"(two[1])
               : "r"(address)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
               : "r"(address)
               : "memory");
  for (int i = 0; i < 4; ++i)
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                 : "=r"(transposed[i])
                 : "r"(four[i]));
  unsigned *own = out + t * 11;
  own[0] = one;
  for (int i = 0; i < 2; ++i)
    own[1 + i] = two[i];
  for (int i = 0; i < 4; ++i) {
    own[3 + i] = four[i];
    own[7 + i] = transposed[i];
  }
}

__global__ void store(unsigned short *out) {
  alignas(16) __shared__ unsigned short tiles[3][16][8];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 3 * 16 * 8; i += 32)
    (&tiles[0][0][0])[i] = 0;
  __syncwarp();
  const unsigned words[2] = {t | t << 16 | 0x01000000, t + 1000};
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(addressOf(tiles[0][t % 16])),
      "r"(words[0])
      : "memory");
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(addressOf(tiles[1][t % 16])),
      "r"(words[0]), "r"(words[1])
      : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                   addressOf(tiles[2][t % 16])),
               "r"(words[0]), "r"(words[1])
               : "memory");
  __syncwarp();
  for (unsigned i = t; i < 3 * 16 * 8; i += 32)
    out[i] = (&tiles[0][0][0])[i];
}

int main() {
  DeviceBuffer<unsigned> out(32 * 11);
  load<<<1, 32>>>(out);
  const std::vector<unsigned> got = out.download();
  auto word = [](int tile, int row, int column, bool transposed) {
    auto number = [&](int c) {
      return unsigned(tile * 100 + (transposed ? c * 10 + row : row * 10 + c));
    };
    return number(column) | number(column + 1) << 16;
  };
  for (int t = 0; t < 32; ++t) {
    const unsigned *own = &got[size_t(t * 11)];
    const int row = t / 4, column = t % 4 * 2;
    CHECK_EQ(own[0], word(0, row, column, false));
    for (int i = 0; i < 2; ++i)
      CHECK_EQ(own[1 + i], word(i, row, column, true));
    for (int i = 0; i < 4; ++i) {
      CHECK_EQ(own[3 + i], word(i, row, column, false));
      CHECK_EQ(own[7 + i], word(i, row, column, true));
    }
  }
  DeviceBuffer<unsigned short> tiles(3 * 16 * 8);
  store<<<1, 32>>>(tiles);
  const std::vector<unsigned short> stored = tiles.download();
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      auto expected = [](int tile, int r, int c) {
        const unsigned t = unsigned(r * 4 + c / 2);
        const unsigned word = tile ? t + 1000 : (t | t << 16 | 0x01000000);
        return word >> (16 * (c % 2)) & 0xffff;
      };
      const unsigned short *place = &stored[size_t(row * 8 + column)];
      CHECK_EQ(place[0], row < 8 ? expected(0, row, column) : 0u);
      CHECK_EQ(place[128], expected(row / 8, row % 8, column));
      CHECK_EQ(place[256], expected(row / 8, column, row % 8));
    }
  RETURN_RESULT();
}
