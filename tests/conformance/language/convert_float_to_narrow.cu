// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats and doubles to integers of 8 and 16 bits. A GPU converts to 32 bits, of which values out
// of range get the nearest, and takes the lowest bits: (unsigned char)300.0f is 44.
#include "check.h"

#include <limits>

template <class From>
__global__ void convert(const From *from, unsigned char *byte, signed char *small, short *word,
                        unsigned short *half, char *letter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  byte[i] = (unsigned char)from[i];
  small[i] = (signed char)from[i];
  word[i] = (short)from[i];
  half[i] = (unsigned short)from[i];
  letter[i] = (char)from[i];
}

// What an H100 gave, of the types in the order above.
struct Known {
  double from;
  int byte, small, word, half, letter;
};
const Known known[] = {{0, 0, 0, 0, 0, 0},
                       {1.9, 1, 1, 1, 1, 1},
                       {-1.9, 0, -1, -1, 0, -1},
                       {127, 127, 127, 127, 127, 127},
                       {128, 128, -128, 128, 128, -128},
                       {255, 255, -1, 255, 255, -1},
                       {256, 0, 0, 256, 256, 0},
                       {300, 44, 44, 300, 300, 44},
                       {-1, 0, -1, -1, 0, -1},
                       {-129, 0, 127, -129, 0, 127},
                       {-300, 0, -44, -300, 0, -44},
                       {40000, 64, 64, -25536, 40000, 64},
                       {70000, 112, 112, 4464, 4464, 112},
                       {-40000, 0, -64, 25536, 0, -64},
                       {1e9, 0, 0, -13824, 51712, 0},
                       {3e9, 0, -1, -1, 24064, -1},
                       {-3e9, 0, 0, 0, 0, 0},
                       {1e20, 255, -1, -1, 65535, -1},
                       {-1e20, 0, 0, 0, 0, 0},
                       {std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0, 0},
                       {std::numeric_limits<double>::infinity(), 255, -1, -1, 65535, -1}};

template <class From> static void checkFrom() {
  constexpr int kinds = int(sizeof known / sizeof *known), n = 10 * kinds;
  std::vector<From> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = From(known[i % kinds].from);
  DeviceBuffer<From> from(values);
  DeviceBuffer<unsigned char> byte(std::vector<unsigned char>(n, 1));
  DeviceBuffer<signed char> small(std::vector<signed char>(n, 1));
  DeviceBuffer<short> word(std::vector<short>(n, 1));
  DeviceBuffer<unsigned short> half(std::vector<unsigned short>(n, 1));
  DeviceBuffer<char> letter(std::vector<char>(n, 1));
  convert<<<(n + 63) / 64, 64>>>(from.data(), byte.data(), small.data(), word.data(), half.data(),
                                 letter.data(), n);
  const auto bytes = byte.download();
  const auto smalls = small.download();
  const auto words = word.download();
  const auto halves = half.download();
  const auto letters = letter.download();
  for (int i = 0; i < n; ++i) {
    const Known &expected = known[i % kinds];
    CHECK_EQ(int(bytes[i]), expected.byte);
    CHECK_EQ(int(smalls[i]), expected.small);
    CHECK_EQ(int(words[i]), expected.word);
    CHECK_EQ(int(halves[i]), expected.half);
    CHECK_EQ(int(letters[i]), expected.letter);
  }
}

int main() {
  checkFrom<float>();
  checkFrom<double>();
  RETURN_RESULT();
}
