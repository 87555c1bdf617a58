// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers computed from threadIdx that fill their type, or more: the upper half of a warp's are
// negative, or have wrapped around, before they are shifted right, compared and made wider.
#include "check.h"

struct Numbers {
  unsigned shifted_out, halved, mixed;
  int arithmetic, chosen, positive, from_short, from_byte;
  long long wide, product;
  unsigned long long unsigned_wide;
};

// `shift` and `factor` are known to the compiler: only then it can tell how lanes differ.
template <unsigned shift, int factor>
__host__ __device__ Numbers numbers(unsigned thread, int other) {
  Numbers n;
  const unsigned bits = thread << shift;
  const int number = int(bits);
  n.shifted_out = bits;
  n.halved = bits >> 3;
  n.mixed = bits ^ (bits >> 5);
  n.arithmetic = number >> 2;
  n.chosen = number < 0 ? other : number + 7;
  n.positive = number > -1 ? 1 : number;
  n.from_short = short(thread << (shift - 16)) + other;
  n.from_byte = (signed char)(thread << (shift - 24)) >> 1;
  n.wide = number;
  n.product = static_cast<long long>(int(thread * unsigned(factor))) * 3;
  n.unsigned_wide = static_cast<unsigned long long>(bits) + unsigned(thread * unsigned(factor));
  return n;
}

template <unsigned shift, int factor> __global__ void compute(Numbers *out, int other) {
  out[blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x] =
      numbers<shift, factor>(threadIdx.x, other);
}

// The table's index is in the upper bits of a product, as in a hash table.
__global__ void look(const int *table, int *out) {
  const unsigned key = threadIdx.x << 27;
  out[threadIdx.x] = table[(key ^ (key >> 1)) >> 25] + (key >= 0x80000000u);
}

template <unsigned shift, int factor> void test(dim3 block) {
  const int other = -1234;
  const unsigned threads = block.x * block.y;
  DeviceBuffer<Numbers> out(threads);
  compute<shift, factor><<<1, block>>>(out, other);
  const std::vector<Numbers> result = out.download();
  for (unsigned i = 0; i < threads; ++i) {
    const Numbers want = numbers<shift, factor>(i % block.x, other);
    CHECK_EQ(result[i].shifted_out, want.shifted_out);
    CHECK_EQ(result[i].halved, want.halved);
    CHECK_EQ(result[i].mixed, want.mixed);
    CHECK_EQ(result[i].arithmetic, want.arithmetic);
    CHECK_EQ(result[i].chosen, want.chosen);
    CHECK_EQ(result[i].positive, want.positive);
    CHECK_EQ(result[i].from_short, want.from_short);
    CHECK_EQ(result[i].from_byte, want.from_byte);
    CHECK_EQ(result[i].wide, want.wide);
    CHECK_EQ(result[i].product, want.product);
    CHECK_EQ(result[i].unsigned_wide, want.unsigned_wide);
  }
}

int main() {
  for (const dim3 block : {dim3(128), dim3(32, 4), dim3(16, 16), dim3(8, 8), dim3(50)}) {
    test<26, -3>(block);
    test<27, 1 << 26>(block);
    test<28, 1 << 27>(block);
    test<31, -(1 << 26)>(block);
  }
  std::vector<int> table(128);
  for (int i = 0; i < 128; ++i)
    table[i] = i * i;
  DeviceBuffer<int> device_table(table), out(64);
  look<<<1, 64>>>(device_table, out);
  const std::vector<int> result = out.download();
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned key = i << 27, index = (key ^ (key >> 1)) >> 25;
    CHECK_EQ(result[i], table[index] + (key >= 0x80000000u));
  }
  RETURN_RESULT();
}
