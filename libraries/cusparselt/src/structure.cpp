// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure.h"

#include "elements.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace heddle::cusparselt {
namespace {

double magnitude(const Lines &lines, const char *element) {
  const double value = std::fabs(cublas::loadOne<double>(lines.type, element));
  return std::isnan(value) ? HUGE_VAL : value; // what is no number stays
}

bool isZero(const Lines &lines, const char *element) {
  return cublas::loadOne<double>(lines.type, element) == 0;
}

/// Which of a group's elements stay: the largest, of equal ones the first.
unsigned largest(const double *values, int64_t group, int64_t kept) {
  unsigned mask = 0;
  for (int64_t n = 0; n < kept; ++n) {
    int64_t best = -1;
    for (int64_t i = 0; i < group; ++i)
      if (!(mask >> i & 1) && (best < 0 || values[i] > values[best]))
        best = i;
    mask |= 1u << best;
  }
  return mask;
}

/// All ways to keep as many elements of each row as of each column of a tile, four bits a row.
std::vector<unsigned> tilePatterns(int64_t group, int64_t kept) {
  std::vector<unsigned> rows, patterns;
  for (unsigned mask = 0; mask < 1u << group; ++mask)
    if (__builtin_popcount(mask) == kept)
      rows.push_back(mask);
  std::vector<unsigned> partial = {0};
  for (int64_t row = 0; row < group; ++row) {
    std::vector<unsigned> longer;
    for (const unsigned pattern : partial)
      for (const unsigned mask : rows)
        longer.push_back(pattern | mask << 4 * row);
    partial = std::move(longer);
  }
  for (const unsigned pattern : partial) {
    bool even = true;
    for (int64_t column = 0; column < group; ++column)
      even &= __builtin_popcount(pattern & 0x1111u << column) == kept;
    if (even)
      patterns.push_back(pattern);
  }
  return patterns;
}

unsigned bestPattern(const std::vector<unsigned> &patterns, const std::array<double, 16> &values) {
  unsigned best = patterns.front();
  double most = -1;
  for (const unsigned pattern : patterns) {
    double sum = 0;
    for (unsigned i = 0; i < 16; ++i)
      sum += pattern >> i & 1 ? values[i] : 0;
    if (sum > most)
      best = pattern, most = sum;
  }
  return best;
}

/// A tile of `height` lines from `line` on and one group of each.
void pruneTile(const Lines &lines, const std::vector<unsigned> *patterns, int64_t height,
               const char *in, char *out) {
  std::array<double, 16> values = {};
  const auto place = [&](int64_t row, int64_t i) {
    return (row * lines.line_step + i * lines.step) * int64_t(lines.element);
  };
  for (int64_t row = 0; row < height; ++row)
    for (int64_t i = 0; i < lines.group; ++i)
      values[size_t(4 * row + i)] = magnitude(lines, in + place(row, i));
  const unsigned stays =
      patterns ? bestPattern(*patterns, values) : largest(values.data(), lines.group, lines.kept);
  for (int64_t row = 0; row < height; ++row)
    for (int64_t i = 0; i < lines.group; ++i) {
      if (stays >> (4 * row + i) & 1)
        std::memmove(out + place(row, i), in + place(row, i), lines.element);
      else
        std::memset(out + place(row, i), 0, lines.element);
    }
}

/// Calls function(line, group, where the group begins) for each group of a matrix.
template <class Function>
void forGroups(const Lines &lines, int64_t line_stride, const void *data, Function function) {
  for (int64_t line = 0; line < lines.count; line += line_stride)
    for (int64_t group = 0; group < lines.groups(); ++group)
      function(line, group,
               static_cast<const char *>(data) +
                   (line * lines.line_step + group * lines.group * lines.step) *
                       int64_t(lines.element));
}

/// Where a group's elements lie: the places of two of four, or the place of one of two.
unsigned placesOf(const Lines &lines, const char *group) {
  unsigned places[2] = {0, 0};
  int64_t found = 0;
  for (int64_t i = 0; i < lines.group && found < lines.kept; ++i)
    if (!isZero(lines, group + i * lines.step * int64_t(lines.element)))
      places[found++] = unsigned(i);
  // Zeros fill up, at places of their own.
  for (unsigned i = 0; found < lines.kept; ++i)
    if (found == 0 || places[0] != i)
      places[found++] = i;
  return places[0] | places[1] << 2;
}

} // namespace

Lines linesOf(const Matrix &matrix, bool is_a, cusparseOperation_t op) {
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool along_rows = is_a == plain; // the sum runs over a row's elements
  const bool by_rows = matrix.order == CUSPARSE_ORDER_ROW;
  const bool wide = matrix.type == CUDA_R_32F;
  Lines lines{};
  lines.type = matrix.type;
  lines.element = cublas::elementSize(matrix.type);
  lines.count = along_rows ? matrix.rows : matrix.cols;
  lines.length = along_rows ? matrix.cols : matrix.rows;
  lines.step = along_rows == by_rows ? 1 : matrix.ld;
  lines.line_step = along_rows == by_rows ? matrix.ld : 1;
  lines.group = wide ? 2 : 4;
  lines.kept = wide ? 1 : 2;
  lines.batches = matrix.batches;
  lines.batch_step = matrix.batch_stride;
  return lines;
}

void prune(const Lines &lines, cusparseLtPruneAlg_t how, const void *in, void *out) {
  const bool tiles = how == CUSPARSELT_PRUNE_SPMMA_TILE;
  const auto patterns = tiles ? tilePatterns(lines.group, lines.kept) : std::vector<unsigned>();
  const int64_t height = tiles ? lines.group : 1;
  for (int64_t batch = 0; batch < lines.storedBatches(); ++batch) {
    const int64_t offset = batch * lines.batch_step * int64_t(lines.element);
    const char *const from = static_cast<const char *>(in) + offset;
    char *const to = static_cast<char *>(out) + offset;
    forGroups(lines, height, from, [&](int64_t, int64_t, const char *group) {
      pruneTile(lines, tiles ? &patterns : nullptr, height, group, to + (group - from));
    });
  }
}

bool isStructured(const Lines &lines, const void *data) {
  bool good = true;
  for (int64_t batch = 0; batch < lines.storedBatches(); ++batch)
    forGroups(lines, 1, cublas::at(lines.type, data, batch * lines.batch_step),
              [&](int64_t, int64_t, const char *group) {
                int64_t count = 0;
                for (int64_t i = 0; i < lines.group; ++i)
                  count += !isZero(lines, group + i * lines.step * int64_t(lines.element));
                good &= count <= lines.kept;
              });
  return good;
}

void compress(const Lines &lines, const void *dense, void *compressed) {
  for (int64_t batch = 0; batch < lines.storedBatches(); ++batch) {
    char *values = static_cast<char *>(compressed) + size_t(batch) * lines.compressedBytes();
    auto *places = reinterpret_cast<uint8_t *>(values + lines.valueBytes());
    forGroups(lines, 1, cublas::at(lines.type, dense, batch * lines.batch_step),
              [&](int64_t line, int64_t group, const char *from) {
                const unsigned where = placesOf(lines, from);
                for (int64_t i = 0; i < lines.kept; ++i, values += lines.element)
                  std::memcpy(values,
                              from +
                                  int64_t(where >> 2 * i & 3) * lines.step * int64_t(lines.element),
                              lines.element);
                const int64_t index = line * lines.groups() + group;
                uint8_t &two = places[index / 2];
                two = uint8_t(index % 2 ? (two & 0xf) | where << 4 : where);
              });
  }
}

void expand(const Lines &lines, const void *compressed, void *dense) {
  const char *values = static_cast<const char *>(compressed);
  const auto *places = reinterpret_cast<const uint8_t *>(values + lines.valueBytes());
  char *to = static_cast<char *>(dense);
  std::memset(to, 0, size_t(lines.count * lines.length) * lines.element);
  for (int64_t index = 0; index < lines.count * lines.groups(); ++index) {
    const unsigned where = unsigned(places[index / 2]) >> (index % 2 ? 4 : 0);
    for (int64_t i = 0; i < lines.kept; ++i, values += lines.element)
      std::memcpy(to + (where >> 2 * i & unsigned(lines.group - 1)) * lines.element, values,
                  lines.element);
    to += size_t(lines.group) * lines.element;
  }
}

} // namespace heddle::cusparselt
