// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectors.h"
#include "generator.h"

#include <memory>

// joekuo/extract.py says what the file holds.
#ifdef HEDDLE_JOEKUO
asm(".pushsection .rodata\n"
    ".balign 4\n"
    "heddle_joekuo_numbers: .incbin \"" HEDDLE_JOEKUO "\"\n"
    ".popsection\n");
extern "C" const uint32_t heddle_joekuo_numbers[][19] __attribute__((visibility("hidden")));
#else
static const uint32_t (*const heddle_joekuo_numbers)[19] = nullptr;
#endif

namespace heddle::curand {
namespace {

// Bratley and Fox's recurrence (ACM TOMS Algorithm 659), with vectors as binary fractions.
template <typename Word>
void expand(uint32_t polynomial, const uint32_t *first, Word (&v)[sizeof(Word) * 8]) {
  constexpr int Bits = sizeof(Word) * 8;
  const int degree = 31 - __builtin_clz(polynomial);
  for (int i = 0; i < Bits; ++i) {
    if (i < degree) {
      v[i] = static_cast<Word>(first[i]) << (Bits - 1 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (int k = 1; k < degree; ++k)
      if (polynomial >> (degree - k) & 1)
        v[i] ^= v[i - k];
  }
}

template <typename Word> const Word *makeVectors() {
  constexpr int Bits = sizeof(Word) * 8;
  using Row = Word[Bits];
  auto *const rows = new Row[MaxDimensions];
  for (int i = 0; i < Bits; ++i)
    rows[0][i] = Word(1) << (Bits - 1 - i);
  for (unsigned d = 1; d < MaxDimensions; ++d)
    expand(heddle_joekuo_numbers[d - 1][0], heddle_joekuo_numbers[d - 1] + 1, rows[d]);
  return &rows[0][0];
}

// Words that look random, for a dimension and an index (splitmix64's mixing).
uint64_t random64(unsigned dimension, unsigned index) {
  uint64_t x = (uint64_t(dimension) << 32 | index) * 0x9e3779b97f4a7c15ULL + 0x6a09e667f3bcc909ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

// Owen's linear scrambling (J. Matousek, "On the L2-discrepancy for anchored boxes", Journal of
// Complexity 14, 1998): each dimension's vectors are multiplied by a random lower triangular matrix
// with ones on its diagonal. NVIDIA's are such products, too, of numbers whose rule is not known;
// ours are others. As there, vectors of 32 bits are the upper halves of those of 64.
template <typename Word> const Word *scramble(const Word *plain) {
  constexpr int Bits = sizeof(Word) * 8;
  auto *const mixed = new Word[size_t(MaxDimensions) * Bits]();
  for (unsigned d = 0; d < MaxDimensions; ++d) {
    Word columns[Bits];
    for (int i = 0; i < Bits; ++i)
      columns[i] = static_cast<Word>((random64(d, i) | 1ULL << 63) >> i >> (64 - Bits));
    for (int i = 0; i < Bits; ++i)
      for (int bit = 0; bit < Bits; ++bit)
        if (plain[d * Bits + i] >> (Bits - 1 - bit) & 1)
          mixed[d * Bits + i] ^= columns[bit];
  }
  return mixed;
}

} // namespace

bool hasVectors() {
#ifdef HEDDLE_JOEKUO
  return true;
#else
  return false;
#endif
}

template <typename Word> const Word *vectors(bool scrambled) {
  static const Word *const plain = makeVectors<Word>();
  if (!scrambled)
    return plain;
  static const Word *const mixed = scramble(plain);
  return mixed;
}
template const uint32_t *vectors(bool);
template const unsigned long long *vectors(bool);

template <typename Word> const Word *constants() {
  static const Word *const words = [] {
    auto *const made = new Word[MaxDimensions];
    for (unsigned d = 0; d < MaxDimensions; ++d)
      made[d] = static_cast<Word>(random64(d, 64) >> (64 - sizeof(Word) * 8));
    return made;
  }();
  return words;
}
template const uint32_t *constants();
template const unsigned long long *constants();

} // namespace heddle::curand

using namespace heddle::curand;

namespace {

template <typename Row>
curandStatus_t give(const char *function, Row **rows, curandDirectionVectorSet_t set,
                    curandDirectionVectorSet_t plain, curandDirectionVectorSet_t scrambled) {
  if (!rows)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, function, "the address for the vectors is null");
  if (set != plain && set != scrambled)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, function, "there is no such set of vectors");
  if (!hasVectors())
    return refuse(CURAND_STATUS_INTERNAL_ERROR, function,
                  "this build has no direction numbers: run ./dev setup and build again");
  using Word = std::remove_extent_t<Row>;
  // The interface has no const; programs only read.
  *rows = reinterpret_cast<Row *>(const_cast<Word *>(vectors<Word>(set == scrambled)));
  return CURAND_STATUS_SUCCESS;
}

template <typename Word> curandStatus_t giveConstants(const char *function, Word **words) {
  if (!words)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, function, "the address for the constants is null");
  *words = const_cast<Word *>(constants<Word>());
  return CURAND_STATUS_SUCCESS;
}

} // namespace

extern "C" {

curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  return giveConstants(__func__, constants);
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  return giveConstants(__func__, constants);
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  return give(__func__, vectors, set, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
              CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  return give(__func__, vectors, set, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
              CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

} // extern "C"
