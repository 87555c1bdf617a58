// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64 cells in a word, added by bitwise logic, so that a vector instruction works on hundreds. Each
// thread takes a band of rows through all generations without waiting for others: it begins with as
// many more rows on both sides as there are generations, and loses one on each side in each of
// them.
#include "problem.h"
#include <immintrin.h>
#include <omp.h>
#include <vector>

using life::Cell;
using std::uint64_t;

/// Packed rows. A row has a word before its first, whose last bit is the cell left of cell 0; the
/// bit after its last cell is the one to the right, cell 0.
class Rows {
public:
  Rows(int count, int width_)
      : width(width_), words(width / 64 + 1), bits(std::size_t(count) * (words + 2)) {}

  uint64_t *row(int y) { return &bits[std::size_t(y) * (words + 2) + 1]; }

  void pack(int y, const Cell *cells) {
    uint64_t *to = row(y);
    int x = 0;
    for (; x + 64 <= width; x += 64)
      to[x / 64] = packHalf(cells + x) | uint64_t(packHalf(cells + x + 32)) << 32;
    to[words - 1] = 0;
    for (; x < width; ++x)
      to[words - 1] |= uint64_t(cells[x]) << x % 64;
    closeRow(to);
  }

  void unpack(int y, Cell *cells) {
    const uint64_t *from = row(y);
    int x = 0;
    for (; x + 32 <= width; x += 32)
      unpackHalf(cells + x, int(from[x / 64] >> x % 64));
    for (; x < width; ++x)
      cells[x] = from[x / 64] >> x % 64 & 1;
  }

  /// Makes row y the next generation of the rows around row y of `old`.
  void advance(int y, Rows &old) {
    const uint64_t *above = old.row(y - 1), *middle = old.row(y), *below = old.row(y + 1);
    uint64_t *to = row(y);
#pragma omp simd
    for (int i = 0; i < words; ++i) {
      const Sum a = sumOfThree(above, i), b = sumOfThree(middle, i), c = sumOfThree(below, i);
      // The nine cells are ones + 2 * (a.twos + b.twos + c.twos + carry).
      const Sum all = add(a.ones, b.ones, c.ones);
      const uint64_t ones = all.ones, carry = all.twos;
      const uint64_t p = a.twos ^ b.twos, q = c.twos ^ carry;
      const uint64_t both_ab = a.twos & b.twos, both_cd = c.twos & carry;
      const uint64_t one_two = (p ^ q) & ~(both_ab | both_cd);
      const uint64_t two_twos = (p & q) | (~(p | q) & (both_ab ^ both_cd));
      to[i] = (ones & one_two) | (~ones & two_twos & middle[i]); // three of nine; four with its own
    }
    closeRow(to);
  }

private:
  struct Sum {
    uint64_t ones, twos;
  };

  static Sum add(uint64_t a, uint64_t b, uint64_t c) {
    return {a ^ b ^ c, (a & b) | (c & (a ^ b))};
  }

  /// The sums of each cell of word i and the cells to its left and right.
  static Sum sumOfThree(const uint64_t *row, int i) {
    return add(row[i] << 1 | row[i - 1] >> 63, row[i], row[i] >> 1 | row[i + 1] << 63);
  }

  /// Sets the bits beyond both ends.
  void closeRow(uint64_t *row) const {
    const int last = width - 1;
    row[-1] = row[last / 64] >> last % 64 << 63;
    uint64_t &after = row[words - 1];
    after &= (uint64_t(1) << width % 64) - 1;
    after |= (row[0] & 1) << width % 64;
  }

  static unsigned packHalf(const Cell *cells) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(cells));
    return _mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7));
  }

  static void unpackHalf(Cell *cells, int half) {
    const __m256i which_byte =
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m256i which_bit = _mm256_set1_epi64x(int64_t(0x8040201008040201));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(half), which_byte);
    const __m256i alive = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, which_bit), which_bit);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(cells),
                        _mm256_and_si256(alive, _mm256_set1_epi8(1)));
  }

  int width, words;
  std::vector<uint64_t> bits;
};

/// All generations of the rows [begin, end).
static void runBand(const life::Problem &problem, int begin, int end, Rows &rows, Rows &spare,
                    Cell *result) {
  const int height = problem.height, width = problem.width, halo = problem.generations;
  const int count = end - begin + 2 * halo;
  for (int i = 0; i < count; ++i) {
    const int y = ((begin - halo + i) % height + height) % height;
    rows.pack(i, &problem.start[std::size_t(y) * width]);
  }
  for (int g = 1; g <= problem.generations; ++g) {
    for (int i = g; i < count - g; ++i)
      spare.advance(i, rows);
    std::swap(rows, spare);
  }
  for (int y = begin; y < end; ++y)
    rows.unpack(y - begin + halo, result + std::size_t(y) * width);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const life::Problem problem(options);
  bench::Buffer<Cell> result(problem.cells());

  const auto run = [&] {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const int begin = problem.height * thread / threads;
      const int end = problem.height * (thread + 1) / threads;
      Rows rows(end - begin + 2 * problem.generations, problem.width), spare = rows;
      runBand(problem, begin, end, rows, spare, result.data());
    }
  };
  return bench::measure(options, life::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(result); });
}
