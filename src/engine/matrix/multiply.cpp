// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/matrix/multiply.h"

#include "engine/matrix/numbers.h"

#include <algorithm>
#include <bit>

namespace heddle::engine {
namespace {

using namespace matrix;

constexpr uint32_t lanes = 32, most_rows = 16, most_depth = 64, columns = 8;

// a by rows, b by rows, c and d by rows.
struct Operands {
  alignas(64) float a[most_rows][most_depth];
  alignas(64) Float8 b[most_depth];
  alignas(64) Float8 sum[most_rows];
};

const unsigned char *tileRow(const uint32_t *words, uint32_t word, uint32_t row) {
  return reinterpret_cast<const unsigned char *>(words + word * lanes) + row * tile_bytes;
}

// ---- Registers to rows

template <MatrixElement element>
HEDDLE_MATRIX_INLINE void unpackA(const uint32_t *words, uint32_t rows, uint32_t depth,
                                  Operands &to) {
  const uint32_t in_tile = element == MatrixElement::TF32 ? 4 : 128 / bitsOf(element);
  for (uint32_t first = 0, word = 0; first < depth; first += in_tile)
    for (uint32_t half = 0; half < rows / 8; ++half, ++word)
      for (uint32_t row = 0; row < 8; ++row) {
        float *place = &to.a[half * 8 + row][first];
        if constexpr (element == MatrixElement::TF32) {
          // The lower 13 bits are not looked at.
          for (uint32_t i = 0; i < 4; ++i)
            place[i] = std::bit_cast<float>(words[word * lanes + row * 4 + i] & 0xffffe000u);
        } else {
          for (uint32_t part = 0; part < in_tile / 8; ++part)
            storeVector(place + 8 * part, eightOf<element>(tileRow(words, word, row), part));
        }
      }
}

HEDDLE_MATRIX_INLINE void transpose(const Float8 (&from)[8], Float8 *to) {
  Float8 pairs[8], fours[8];
  for (int i = 0; i < 4; ++i) {
    pairs[2 * i] = __builtin_shufflevector(from[2 * i], from[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[2 * i + 1] =
        __builtin_shufflevector(from[2 * i], from[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; ++k) {
      fours[i + k] =
          __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + k + 2] =
          __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    to[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    to[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// Tiles of b hold its columns.
template <MatrixElement element>
HEDDLE_MATRIX_INLINE void unpackB(const uint32_t *words, uint32_t depth, Operands &to) {
  if constexpr (element == MatrixElement::TF32) {
    for (uint32_t k = 0; k < depth; ++k)
      for (uint32_t column = 0; column < columns; ++column)
        to.b[k][column] =
            std::bit_cast<float>(words[k / 4 * lanes + column * 4 + k % 4] & 0xffffe000u);
    return;
  }
  const uint32_t in_tile = 128 / bitsOf(element);
  for (uint32_t first = 0, word = 0; first < depth; first += in_tile, ++word)
    for (uint32_t part = 0; part < in_tile / 8; ++part) {
      Float8 rows[8];
      for (uint32_t column = 0; column < columns; ++column)
        rows[column] = eightOf<element>(tileRow(words, word, column), part);
      transpose(rows, &to.b[first + 8 * part]);
    }
}

using Bits4 = uint32_t __attribute__((ext_vector_type(4)));

// Row `row` of a tile of 32-bit numbers: in each thread's two registers neighbours.
HEDDLE_MATRIX_INLINE Bits8 loadSums(const uint32_t *words, uint32_t row) {
  const uint32_t *first = words + row / 8 * 2 * lanes + row % 8 * 4;
  return __builtin_shufflevector(loadVector<Bits4>(first), loadVector<Bits4>(first + lanes), 0, 4,
                                 1, 5, 2, 6, 3, 7);
}
HEDDLE_MATRIX_INLINE void storeSums(uint32_t *words, uint32_t row, Bits8 sums) {
  uint32_t *first = words + row / 8 * 2 * lanes + row % 8 * 4;
  storeVector(first, Bits4(sums.even));
  storeVector(first + lanes, Bits4(sums.odd));
}

// ---- Products

// Eight rows, so that as many sums are on their way as the processor can work on.
HEDDLE_MATRIX_INLINE void multiplyRows(Operands &all, uint32_t first, uint32_t depth) {
  Float8 sums[8];
  for (uint32_t row = 0; row < 8; ++row)
    sums[row] = all.sum[first + row];
  for (uint32_t k = 0; k < depth; ++k) {
    const Float8 b = all.b[k];
#pragma clang loop unroll(full)
    for (uint32_t row = 0; row < 8; ++row)
      sums[row] = __builtin_elementwise_fma(Float8(all.a[first + row][k]), b, sums[row]);
  }
  for (uint32_t row = 0; row < 8; ++row)
    all.sum[first + row] = sums[row];
}

template <MatrixElement a, MatrixElement b>
HEDDLE_MATRIX_INLINE void unpackFactors(const MatrixOperation &operation,
                                        const MatrixRegisters &registers, Operands &all) {
  unpackA<a>(registers.a, operation.rows, operation.depth, all);
  unpackB<b>(registers.b, operation.depth, all);
}

template <MatrixElement plain, MatrixElement other>
HEDDLE_MATRIX_INLINE void unpackEither(const MatrixOperation &operation,
                                       const MatrixRegisters &registers, Operands &all) {
  if (operation.a == plain && operation.b == plain)
    unpackFactors<plain, plain>(operation, registers, all);
  else if (operation.a == plain)
    unpackFactors<plain, other>(operation, registers, all);
  else if (operation.b == plain)
    unpackFactors<other, plain>(operation, registers, all);
  else
    unpackFactors<other, other>(operation, registers, all);
}

HEDDLE_MATRIX_INLINE void unpackAny(const MatrixOperation &operation,
                                    const MatrixRegisters &registers, Operands &all) {
  using enum MatrixElement;
  switch (operation.a) {
  case F16:
    return unpackFactors<F16, F16>(operation, registers, all);
  case BF16:
    return unpackFactors<BF16, BF16>(operation, registers, all);
  case TF32:
    return unpackFactors<TF32, TF32>(operation, registers, all);
  case E4M3:
  case E5M2:
    return unpackEither<E4M3, E5M2>(operation, registers, all);
  case S4:
  case U4:
    return unpackEither<S4, U4>(operation, registers, all);
  default:
    return unpackEither<S8, U8>(operation, registers, all);
  }
}

// ---- Sums as the hardware forms them (multiply.h)

using Double8 = double __attribute__((ext_vector_type(8)));

constexpr int extra_bits = 2;      // that addends keep below the last bit of the largest
constexpr int no_exponent = -1000; // of zero
constexpr int far_beyond = 4000;   // of what is not finite, also times zero

HEDDLE_MATRIX_INLINE Int8 exponents(Float8 value, int least) {
  const Bits8 magnitude = __builtin_bit_cast(Bits8, value) & 0x7fffffff;
  const Int8 exponent = __builtin_bit_cast(Int8, magnitude >> 23) - 127;
  const Int8 beyond = exponent == 128;
  const Int8 present = __builtin_elementwise_max(exponent, Int8(least)) | (beyond & far_beyond);
  const Int8 is_zero = __builtin_bit_cast(Int8, magnitude == 0);
  return (present & ~is_zero) | (Int8(no_exponent) & is_zero);
}

// 2^exponent, within the range of normal floats.
HEDDLE_MATRIX_INLINE Float8 powersOfTwo(Int8 exponent) {
  return __builtin_bit_cast(Float8, (exponent + 127) << 23);
}

// Towards zero; or, if the result will be rounded again, to the odd one of the neighbours.
HEDDLE_MATRIX_INLINE Float8 cutOff(Double8 sum, bool to_odd) {
  const Float8 nearest = __builtin_convertvector(sum, Float8);
  const Double8 back = __builtin_convertvector(nearest, Double8);
  using Long8 = int64_t __attribute__((ext_vector_type(8)));
  const Long8 too_large = __builtin_elementwise_abs(back) > __builtin_elementwise_abs(sum);
  const Long8 inexact = back != sum;
  Bits8 bits = __builtin_bit_cast(Bits8, nearest) +
               __builtin_convertvector(__builtin_bit_cast(Long8, too_large), Bits8);
  if (to_odd)
    bits |= __builtin_convertvector(inexact, Bits8) & 1;
  return __builtin_bit_cast(Float8, bits);
}

// One row of sums. False where exponents are so far out that floats cannot hold the addends, or
// numbers are not finite.
HEDDLE_MATRIX_INLINE bool addAligned(const float *a, const Int8 *a_exponents, const Float8 *b,
                                     const Int8 *b_exponents, uint32_t depth, bool to_odd,
                                     Float8 &sum) {
  Int8 largest = exponents(sum, -126);
  for (uint32_t k = 0; k < depth; ++k)
    largest = __builtin_elementwise_max(largest, b_exponents[k] + a_exponents[k / 8][k % 8]);
  const Int8 unusual = (largest > 100) | ((largest < -60) & (largest > 2 * no_exponent));
  const Int8 all_zero = largest <= no_exponent / 2;
  if (__builtin_reduce_or(unusual & ~all_zero))
    return false;
  largest = (largest & ~all_zero);
  const Float8 scale = powersOfTwo(23 + extra_bits - largest);
  // In two parts, so that 32 bits are enough.
  Int8 parts[2] = {__builtin_convertvector(sum * scale, Int8), Int8(0)};
  for (uint32_t k = 0; k < depth; ++k)
    parts[k / 8 & 1] += __builtin_convertvector(Float8(a[k]) * b[k] * scale, Int8);
  const Double8 total =
      __builtin_convertvector(parts[0], Double8) + __builtin_convertvector(parts[1], Double8);
  sum = cutOff(total * __builtin_convertvector(powersOfTwo(largest - 23 - extra_bits), Double8),
               to_odd);
  return true;
}

// The same for one sum, whatever the exponents.
float addAlignedSlowly(const float *a, const Float8 *b, uint32_t column, uint32_t depth, int least,
                       bool to_odd, float start) {
  int largest = start == 0 ? no_exponent : std::max(std::ilogb(start), -126);
  bool finite = std::isfinite(start);
  float plain = start;
  for (uint32_t k = 0; k < depth; ++k) {
    const float x = a[k], y = b[k][column];
    finite = finite && std::isfinite(x) && std::isfinite(y);
    plain = std::fma(x, y, plain);
    if (x != 0 && y != 0)
      largest = std::max(largest, std::max(std::ilogb(x), least) + std::max(std::ilogb(y), least));
  }
  if (!finite)
    return plain;
  if (largest == no_exponent)
    return 0;
  const int shift = 23 + extra_bits - largest;
  double total = std::trunc(std::ldexp(double(start), shift));
  for (uint32_t k = 0; k < depth; ++k)
    total += std::trunc(std::ldexp(double(a[k]) * double(b[k][column]), shift));
  const double exact = std::ldexp(total, -shift);
  uint32_t bits = std::bit_cast<uint32_t>(float(exact));
  const double back = double(float(exact));
  bits -= std::fabs(back) > std::fabs(exact);
  if (to_odd)
    bits |= uint32_t(back != exact);
  return std::bit_cast<float>(bits) + 0.0f;
}

HEDDLE_MATRIX_INLINE void multiplyAligned(const MatrixOperation &operation, Operands &all) {
  // Of numbers that are too small to be normal, the exponent is that of the smallest normal one.
  const int least = operation.a == MatrixElement::F16 ? -14 : -126;
  const bool to_odd = operation.d == MatrixElement::F16;
  const uint32_t depth = operation.depth;
  Int8 b_exponents[16], a_exponents[2];
  for (uint32_t k = 0; k < depth; ++k)
    b_exponents[k] = exponents(all.b[k], least);
  for (uint32_t row = 0; row < operation.rows; ++row) {
    for (uint32_t k = 0; k < depth; k += 8)
      a_exponents[k / 8] = exponents(loadVector<Float8>(&all.a[row][k]), least);
    const Float8 before = all.sum[row];
    if (!addAligned(all.a[row], a_exponents, all.b, b_exponents, depth, to_odd, all.sum[row]))
      for (uint32_t column = 0; column < columns; ++column)
        all.sum[row][column] =
            addAlignedSlowly(all.a[row], all.b, column, depth, least, to_odd, before[column]);
  }
}

HEDDLE_MATRIX_INLINE void multiplyFloats(const MatrixOperation &operation,
                                         const MatrixRegisters &registers) {
  Operands all;
  unpackAny(operation, registers, all);
  const auto [a, b, c, d] = registers;
  for (uint32_t row = 0; row < operation.rows; ++row)
    all.sum[row] = operation.c == MatrixElement::F16
                       ? eightOf<MatrixElement::F16>(tileRow(c, row / 8, row % 8), 0)
                       : __builtin_bit_cast(Float8, loadSums(c, row));
  if (bitsOf(operation.a) == 8)
    for (uint32_t first = 0; first < operation.rows; first += 8)
      multiplyRows(all, first, operation.depth);
  else
    multiplyAligned(operation, all);
  for (uint32_t row = 0; row < operation.rows; ++row)
    if (operation.d == MatrixElement::F16)
      storeVector(d + row / 8 * lanes + row % 8 * 4, toHalves(all.sum[row]));
    else
      storeSums(d, row, __builtin_bit_cast(Bits8, withOneNaN(all.sum[row])));
}

// Sums of so few products of bytes are exact as floats.
HEDDLE_MATRIX_INLINE void multiplyIntegers(const MatrixOperation &operation,
                                           const MatrixRegisters &registers) {
  Operands all;
  unpackAny(operation, registers, all);
  for (Float8 &sum : all.sum)
    sum = Float8(0.0f);
  for (uint32_t first = 0; first < operation.rows; first += 8)
    multiplyRows(all, first, operation.depth);
  const auto [a, b, c, d] = registers;
  for (uint32_t row = 0; row < operation.rows; ++row) {
    const Int8 sum = __builtin_convertvector(all.sum[row], Int8);
    const Int8 before = __builtin_bit_cast(Int8, loadSums(c, row));
    const Bits8 wrapped = __builtin_bit_cast(Bits8, before) + __builtin_bit_cast(Bits8, sum);
    const Int8 clamped = __builtin_elementwise_add_sat(before, sum);
    storeSums(d, row, operation.saturate ? __builtin_bit_cast(Bits8, clamped) : wrapped);
  }
}

// Single bits: how many of a row's and a column's differ, or are both set.
HEDDLE_MATRIX_INLINE void multiplyBits(const MatrixOperation &operation,
                                       const MatrixRegisters &registers) {
  const auto [a, b, c, d] = registers;
  for (uint32_t row = 0; row < operation.rows; ++row) {
    Bits8 sums = loadSums(c, row);
    for (uint32_t column = 0; column < columns; ++column)
      for (uint32_t k = 0; k < operation.depth / 32; ++k) {
        const uint32_t half = row / 8 + k / 4 * (operation.rows / 8);
        const uint32_t x = a[half * lanes + row % 8 * 4 + k % 4];
        const uint32_t y = b[k / 4 * lanes + column * 4 + k % 4];
        sums[column] += uint32_t(std::popcount(operation.uses_and ? x & y : x ^ y));
      }
    storeSums(d, row, sums);
  }
}

// ---- Doubles

// Thread `lane`'s double in words 2 * `pair` and the next.
HEDDLE_MATRIX_INLINE double doubleAt(const uint32_t *words, uint32_t pair, uint32_t lane) {
  const uint64_t low = words[2 * pair * lanes + lane], high = words[(2 * pair + 1) * lanes + lane];
  return std::bit_cast<double>(high << 32 | low);
}

HEDDLE_MATRIX_INLINE void multiplyDoubles(const MatrixOperation &operation,
                                          const MatrixRegisters &registers) {
  const auto [a, b, c, d] = registers;
  Double8 b_rows[16];
  for (uint32_t k = 0; k < operation.depth; ++k)
    for (uint32_t column = 0; column < columns; ++column)
      b_rows[k][column] = doubleAt(b, k / 4, column * 4 + k % 4);
  for (uint32_t row = 0; row < operation.rows; ++row) {
    const uint32_t half = row / 8, lane = row % 8 * 4;
    Double8 sum;
    for (uint32_t column = 0; column < columns; ++column)
      sum[column] = doubleAt(c, half * 2 + column % 2, lane + column / 2);
    for (uint32_t k = 0; k < operation.depth; ++k) {
      const double one = doubleAt(a, k / 4 * (operation.rows / 8) + half, lane + k % 4);
      sum = __builtin_elementwise_fma(Double8(one), b_rows[k], sum);
    }
    for (uint32_t column = 0; column < columns; ++column) {
      const uint64_t bits = std::bit_cast<uint64_t>(double(sum[column]));
      uint32_t *place = d + 2 * (half * 2 + column % 2) * lanes + lane + column / 2;
      place[0] = uint32_t(bits);
      place[lanes] = uint32_t(bits >> 32);
    }
  }
}

// ---- mma.m8n8k4: each eight threads, two rows of four, have matrices of their own

float halfAt(const uint32_t *words, uint32_t lane, uint32_t i) {
  const uint32_t word = words[i / 2 * lanes + lane];
  return float(std::bit_cast<_Float16>(uint16_t(word >> (16 * (i % 2)))));
}

// The place in the result of element `i` of a thread.
std::pair<uint32_t, uint32_t> placeInQuad(uint32_t lane, uint32_t i, bool halves) {
  const uint32_t upper = lane < 16 ? 0 : 4;
  if (halves)
    return {lane % 4 + upper, i};
  return {(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

void multiplyQuads(const MatrixOperation &operation, const MatrixRegisters &registers) {
  const auto [a, b, c, d] = registers;
  const bool c_halves = operation.c == MatrixElement::F16,
             d_halves = operation.d == MatrixElement::F16;
  for (uint32_t quad = 0; quad < 4; ++quad) {
    float a_rows[8][4], sums[8][8];
    Float8 b_rows[4];
    for (uint32_t thread = 0; thread < 8; ++thread) {
      const uint32_t upper = thread / 4 * 4, place = thread % 4,
                     lane = quad * 4 + upper * 4 + place;
      for (uint32_t i = 0; i < 4; ++i) {
        (operation.a_by_columns ? a_rows[i + upper][place] : a_rows[place + upper][i]) =
            halfAt(a, lane, i);
        b_rows[operation.b_by_rows ? place : i][(operation.b_by_rows ? i : place) + upper] =
            halfAt(b, lane, i);
      }
      for (uint32_t i = 0; i < 8; ++i) {
        const auto [row, column] = placeInQuad(lane, i, c_halves);
        sums[row][column] =
            c_halves ? halfAt(c, lane, i) : std::bit_cast<float>(c[i * lanes + lane]);
      }
    }
    for (uint32_t row = 0; row < 8; ++row)
      for (uint32_t column = 0; column < 8; ++column)
        sums[row][column] =
            addAlignedSlowly(a_rows[row], b_rows, column, 4, -14, d_halves, sums[row][column]);
    for (uint32_t thread = 0; thread < 8; ++thread) {
      const uint32_t lane = quad * 4 + thread / 4 * 16 + thread % 4;
      for (uint32_t i = 0; i < 8; ++i) {
        const auto [row, column] = placeInQuad(lane, i, d_halves);
        const Float8 sum(sums[row][column]);
        if (!d_halves) {
          d[i * lanes + lane] = std::bit_cast<uint32_t>(float(withOneNaN(sum)[0]));
          continue;
        }
        const uint32_t bits = std::bit_cast<uint16_t>(_Float16(toHalves(sum)[0]));
        uint32_t &word = d[i / 2 * lanes + lane];
        word = i % 2 ? (word & 0xffff) | bits << 16 : bits;
      }
    }
  }
}

// ---- For each kind of processor

HEDDLE_MATRIX_INLINE void multiply(const MatrixOperation &operation,
                                   const MatrixRegisters &registers) {
  if (operation.a == MatrixElement::F64)
    multiplyDoubles(operation, registers);
  else if (operation.a == MatrixElement::B1)
    multiplyBits(operation, registers);
  else if (operation.c == MatrixElement::S32)
    multiplyIntegers(operation, registers);
  else
    multiplyFloats(operation, registers);
}

using Multiply = void (*)(const MatrixOperation &, const MatrixRegisters &);

void multiplyAnywhere(const MatrixOperation &operation, const MatrixRegisters &registers) {
  multiply(operation, registers);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma,f16c,popcnt"))) void
multiplyAvx2(const MatrixOperation &operation, const MatrixRegisters &registers) {
  multiply(operation, registers);
}
__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma,f16c,popcnt"))) void
multiplyAvx512(const MatrixOperation &operation, const MatrixRegisters &registers) {
  multiply(operation, registers);
}

Multiply bestMultiply() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c");
  if (avx2 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq"))
    return multiplyAvx512;
  return avx2 ? multiplyAvx2 : multiplyAnywhere;
}
#else
Multiply bestMultiply() { return multiplyAnywhere; }
#endif

} // namespace

void multiplyMatrices(const MatrixOperation &operation, const MatrixRegisters &registers) {
  static const Multiply best = bestMultiply();
  if (operation.quads)
    multiplyQuads(operation, registers);
  else
    best(operation, registers);
}

} // namespace heddle::engine
