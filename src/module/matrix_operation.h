// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp-wide product of small matrices, d = a * b + c: PTX's mma instructions.
//
// Device code calls `__heddle_matrix.N`, where N encodes the operation, with the 32-bit registers
// of one thread: those of a, b and c (a double is two, the lower half first). It returns those of
// d. Used by compilers and engines, hence without LLVM.
#pragma once

#include <cstdint>

namespace heddle {

inline constexpr char matrix_function_prefix[] = "__heddle_matrix.";

enum class MatrixElement : uint32_t {
  F16,
  BF16,
  TF32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  B1,
  F32,
  S32
};

/// Upper bound of a thread's words: three operands of at most 16, and as large a result.
inline constexpr uint32_t max_matrix_words = 64;

inline uint32_t bitsOf(MatrixElement element) {
  constexpr uint32_t bits[] = {16, 16, 32, 64, 8, 8, 8, 8, 4, 4, 1, 32, 32};
  return bits[uint32_t(element)];
}

/// a has `rows` rows and `depth` columns, b `depth` rows and 8 columns (PTX ISA, "Matrix Fragments
/// for mma.m16n8k16" and others). The threads' registers hold 8x8 tiles of c and d, and tiles of a
/// and b with 8 rows or columns of 16 bytes: four neighbouring threads per row.
struct MatrixOperation {
  MatrixElement a = MatrixElement::F16, b = MatrixElement::F16;
  MatrixElement c = MatrixElement::F32, d = MatrixElement::F32;
  uint32_t rows = 16;
  uint32_t depth = 16;
  bool saturate = false; // integer sums saturate at 32 bits
  bool uses_and = false; // single bits are combined by "and" instead of "xor"
  /// mma.m8n8k4 of f16: four products at once, one for each eight threads. Only then may a be
  /// stored by columns, and b by rows.
  bool quads = false;
  bool a_by_columns = false, b_by_rows = false;

  uint32_t wordsOfA() const { return quads ? 2 : rows * depth * bitsOf(a) / 1024; }
  uint32_t wordsOfB() const { return quads ? 2 : 8 * depth * bitsOf(b) / 1024; }
  uint32_t wordsOfC() const { return wordsOfSum(c); }
  uint32_t wordsOfD() const { return wordsOfSum(d); }
  uint32_t inputWords() const { return wordsOfA() + wordsOfB() + wordsOfC(); }

  uint32_t encode() const {
    return uint32_t(a) | uint32_t(b) << 4 | uint32_t(c) << 8 | uint32_t(d) << 12 | rows << 16 |
           uint32_t(saturate) << 21 | uint32_t(uses_and) << 22 | uint32_t(quads) << 23 |
           uint32_t(a_by_columns) << 24 | uint32_t(b_by_rows) << 25 | log2(depth) << 26;
  }
  static MatrixOperation decode(uint32_t code) {
    MatrixOperation operation;
    operation.a = MatrixElement(code & 15);
    operation.b = MatrixElement(code >> 4 & 15);
    operation.c = MatrixElement(code >> 8 & 15);
    operation.d = MatrixElement(code >> 12 & 15);
    operation.rows = code >> 16 & 31;
    operation.saturate = code >> 21 & 1;
    operation.uses_and = code >> 22 & 1;
    operation.quads = code >> 23 & 1;
    operation.a_by_columns = code >> 24 & 1;
    operation.b_by_rows = code >> 25 & 1;
    operation.depth = 1u << (code >> 26);
    return operation;
  }

private:
  uint32_t wordsOfSum(MatrixElement element) const {
    return quads ? bitsOf(element) / 4 : rows * 8 * bitsOf(element) / 1024;
  }
  static uint32_t log2(uint32_t number) { return number > 1 ? 1 + log2(number / 2) : 0; }
};

} // namespace heddle
