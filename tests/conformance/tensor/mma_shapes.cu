// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX mma.sync: each shape and type up to sm_90, with the documented places of elements in
// the threads' registers (PTX ISA, "Matrix Fragments for mma").
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "tensor_check.h"

// A type of element: how many bits, and the bits of a small whole number.
struct Half {
  static constexpr int bits = 16;
  static unsigned code(int x) { return __half_raw(__float2half(float(x))).x; }
};
struct Bfloat {
  static constexpr int bits = 16;
  static unsigned code(int x) { return __nv_bfloat16_raw(__float2bfloat16(float(x))).x; }
};
struct Tf32 {
  static constexpr int bits = 32;
  static unsigned code(int x) {
    const float value = float(x);
    unsigned bits;
    std::memcpy(&bits, &value, 4);
    return bits;
  }
};
template <int Bits> struct Signed {
  static constexpr int bits = Bits;
  static unsigned code(int x) { return unsigned(x) & ((1u << Bits) - 1); }
};

// Element (row, k) of a, as numbers that all types hold.
int left(int row, int k) { return smallNumber(row, k, 1, 3); }
int right(int k, int column) { return smallNumber(k, column, 2, 3); }
int before(int row, int column) { return smallNumber(row, column, 3, 9); }

// The registers of a (tall: 8 or 16 rows) or of b (its columns are the rows here).
template <typename T, typename Number>
std::vector<unsigned> factorRegisters(int rows, int depth, Number number) {
  const int per_word = 32 / T::bits, tile = 4 * per_word;
  std::vector<unsigned> words;
  for (int lane = 0; lane < 32; ++lane)
    for (int first = 0; first < depth; first += tile)
      for (int half = 0; half < rows / 8; ++half) {
        unsigned word = 0;
        for (int i = 0; i < per_word; ++i)
          word |= T::code(number(half * 8 + lane / 4, first + lane % 4 * per_word + i))
                  << (T::bits * i % 32);
        words.push_back(word);
      }
  return words;
}

#define KERNEL(NAME, SHAPE_AND_TYPES, TYPE, LETTER, A, B, D)                                       \
  __global__ void NAME(const unsigned *a_words, const unsigned *b_words, const TYPE *c_words,      \
                       TYPE *d_words) {                                                            \
    const unsigned *a = a_words + threadIdx.x * A, *b = b_words + threadIdx.x * B;                 \
    const TYPE *c = c_words + threadIdx.x * D;                                                     \
    TYPE *d = d_words + threadIdx.x * D;                                                           \
    MMA_##A##B##D(SHAPE_AND_TYPES, LETTER);                                                        \
  }
#define MMA_424(TEXT, L)                                                                           \
  asm volatile("mma.sync.aligned." TEXT                                                            \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                        \
               : "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])                                \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), L(c[0]),        \
                 L(c[1]), L(c[2]), L(c[3]))
#define MMA_214(TEXT, L)                                                                           \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"           \
               : "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])                                \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), L(c[0]), L(c[1]), L(c[2]), L(c[3]))
#define MMA_112(TEXT, L)                                                                           \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1}, {%2}, {%3}, {%4,%5};"                           \
               : "=" L(d[0]), "=" L(d[1])                                                          \
               : "r"(a[0]), "r"(b[0]), L(c[0]), L(c[1]))

KERNEL(halves16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", 4, 2, 4)
KERNEL(halves8, "m16n8k8.row.col.f32.f16.f16.f32", float, "f", 2, 1, 4)
KERNEL(bfloats16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f", 4, 2, 4)
KERNEL(bfloats8, "m16n8k8.row.col.f32.bf16.bf16.f32", float, "f", 2, 1, 4)
KERNEL(tf8, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", 4, 2, 4)
KERNEL(tf4, "m16n8k4.row.col.f32.tf32.tf32.f32", float, "f", 2, 1, 4)
KERNEL(bytes32, "m16n8k32.row.col.s32.s8.s8.s32", int, "r", 4, 2, 4)
KERNEL(bytes16, "m16n8k16.row.col.satfinite.s32.s8.s8.s32", int, "r", 2, 1, 4)
KERNEL(bytes8, "m8n8k16.row.col.s32.s8.s8.s32", int, "r", 1, 1, 2)
KERNEL(nibbles64, "m16n8k64.row.col.s32.s4.s4.s32", int, "r", 4, 2, 4)
KERNEL(nibbles32, "m16n8k32.row.col.s32.s4.s4.s32", int, "r", 2, 1, 4)
KERNEL(nibbles8, "m8n8k32.row.col.s32.s4.s4.s32", int, "r", 1, 1, 2)

template <typename T, typename Sum, typename Kernel>
void checkProduct(Kernel *kernel, int rows, int depth) {
  DeviceBuffer<unsigned> a(factorRegisters<T>(rows, depth, left));
  DeviceBuffer<unsigned> b(
      factorRegisters<T>(8, depth, [](int column, int k) { return right(k, column); }));
  const int count = rows / 4;
  std::vector<Sum> c(size_t(32 * count));
  auto place = [&](size_t index, int &row, int &column) {
    const int lane = int(index) / count, i = int(index) % count;
    row = i / 2 * 8 + lane / 4;
    column = lane % 4 * 2 + i % 2;
  };
  for (size_t i = 0; i < c.size(); ++i) {
    int row, column;
    place(i, row, column);
    c[i] = Sum(before(row, column));
  }
  DeviceBuffer<Sum> c_there(c), d_there(c.size());
  kernel<<<1, 32>>>(a, b, c_there, d_there);
  const std::vector<Sum> d = d_there.download();
  for (size_t i = 0; i < d.size(); ++i) {
    int row, column;
    place(i, row, column);
    int sum = before(row, column);
    for (int k = 0; k < depth; ++k)
      sum += left(row, k) * right(k, column);
    CHECK_EQ(d[i], Sum(sum));
  }
}

// Half sums lie two in a register.
__global__ void halfSums(const unsigned *a, const unsigned *b, unsigned *d) {
  const unsigned t = threadIdx.x;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, "
               "{%8,%8};"
               : "=r"(d[2 * t]), "=r"(d[2 * t + 1])
               : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]),
                 "r"(b[2 * t]), "r"(b[2 * t + 1]), "r"(0));
}

__global__ void doubles(double *d) {
  const int t = threadIdx.x;
  const double a = t / 4 * 10 + t % 4, b = t % 4 * 3 - t / 4;
  double d0, d1;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(d0), "=d"(d1)
               : "d"(a), "d"(b), "d"(0.5), "d"(-0.5));
  d[2 * t] = d0;
  d[2 * t + 1] = d1;
}

__global__ void bits(const unsigned *a, const unsigned *b, int *d) {
  const unsigned t = threadIdx.x;
  asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0,%1,%2,%3}, "
               "{%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
               : "=r"(d[4 * t]), "=r"(d[4 * t + 1]), "=r"(d[4 * t + 2]), "=r"(d[4 * t + 3])
               : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]),
                 "r"(b[2 * t]), "r"(b[2 * t + 1]), "r"(5));
}

// Each eight threads multiply matrices of their own.
__global__ void quads(float *d) {
  const unsigned t = threadIdx.x, quad = t / 4 % 4, row = t % 4 + t / 16 * 4;
  __half a[4], b[4];
  for (unsigned i = 0; i < 4; ++i) {
    a[i] = __float2half(float(row * 2 + i + quad)); // a by rows: this thread's row
    b[i] = __float2half(float(row) - float(i));     // b by columns: this thread's column
  }
  unsigned a_words[2], b_words[2];
  __builtin_memcpy(a_words, a, 8);
  __builtin_memcpy(b_words, b, 8);
  float s[8];
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11}, {%12,%12,%12,%12,%12,%12,%12,%12};"
      : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3]), "=f"(s[4]), "=f"(s[5]), "=f"(s[6]),
        "=f"(s[7])
      : "r"(a_words[0]), "r"(a_words[1]), "r"(b_words[0]), "r"(b_words[1]), "f"(1.0f));
  for (int i = 0; i < 8; ++i)
    d[8 * t + i] = s[i];
}

int main() {
  checkProduct<Half, float>(halves16, 16, 16);
  checkProduct<Half, float>(halves8, 16, 8);
  checkProduct<Bfloat, float>(bfloats16, 16, 16);
  checkProduct<Bfloat, float>(bfloats8, 16, 8);
  checkProduct<Tf32, float>(tf8, 16, 8);
  checkProduct<Tf32, float>(tf4, 16, 4);
  checkProduct<Signed<8>, int>(bytes32, 16, 32);
  checkProduct<Signed<8>, int>(bytes16, 16, 16);
  checkProduct<Signed<8>, int>(bytes8, 8, 16);
  checkProduct<Signed<4>, int>(nibbles64, 16, 64);
  checkProduct<Signed<4>, int>(nibbles32, 16, 32);
  checkProduct<Signed<4>, int>(nibbles8, 8, 32);

  DeviceBuffer<unsigned> a(factorRegisters<Half>(16, 16, left)), d(64);
  DeviceBuffer<unsigned> b(
      factorRegisters<Half>(8, 16, [](int column, int k) { return right(k, column); }));
  halfSums<<<1, 32>>>(a, b, d);
  const std::vector<unsigned> halves = d.download();
  for (int i = 0; i < 128; ++i) {
    const int row = i / 2 % 2 * 8 + i / 16, column = i / 4 % 4 * 2 + i % 2;
    int sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += left(row, k) * right(k, column);
    CHECK_EQ(halves[size_t(i / 2)] >> (16 * (i % 2)) & 0xffff, Half::code(sum));
  }

  DeviceBuffer<double> sums(64);
  doubles<<<1, 32>>>(sums);
  const std::vector<double> wide = sums.download();
  for (int i = 0; i < 64; ++i) {
    const int row = i / 8, column = i / 2 % 4 * 2 + i % 2;
    double sum = i % 2 ? -0.5 : 0.5;
    for (int k = 0; k < 4; ++k)
      sum += (row * 10 + k) * (k * 3 - column);
    CHECK_EQ(wide[size_t(i)], sum);
  }

  std::vector<unsigned> a_bits(128), b_bits(64);
  for (unsigned i = 0; i < 128; ++i)
    a_bits[i] = i * 2654435761u ^ i << 13;
  for (unsigned i = 0; i < 64; ++i)
    b_bits[i] = i * 2246822519u ^ i << 9;
  a.upload(a_bits);
  b.upload(b_bits);
  DeviceBuffer<int> differences(128);
  bits<<<1, 32>>>(a, b, differences);
  const std::vector<int> counted = differences.download();
  for (int i = 0; i < 128; ++i) {
    const int half = i / 2 % 2, group = i / 16, column = i / 4 % 4 * 2 + i % 2;
    int sum = 5;
    for (int k = 0; k < 8; ++k)
      sum += __builtin_popcount(a_bits[size_t((group * 4 + k % 4) * 4 + half + k / 4 * 2)] ^
                                b_bits[size_t((column * 4 + k % 4) * 2 + k / 4)]);
    CHECK_EQ(counted[size_t(i)], sum);
  }

  DeviceBuffer<float> quad_sums(256);
  quads<<<1, 32>>>(quad_sums);
  const std::vector<float> all = quad_sums.download();
  for (int t = 0; t < 32; ++t)
    for (int i = 0; i < 8; ++i) {
      const int row = (t & 1) + (i & 2) + t / 16 * 4, column = (i & 4) + (t & 2) + (i & 1);
      float sum = 1;
      for (int k = 0; k < 4; ++k)
        sum += float((row * 2 + k + t / 4 % 4) * (column - k));
      CHECK_EQ(all[size_t(8 * t + i)], sum);
    }
  RETURN_RESULT();
}
