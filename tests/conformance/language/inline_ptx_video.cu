// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions: operations on bytes and halves of words, with saturation, a second operation
// or a part of the result (PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions").
#include "check.h"
#include "video_model.h"

#define WITH_THREE(X)                                                                              \
  X("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;")                                                   \
  X("vmad.s32.s32.u32.sat.shr7 %0, -%1, %2.h0, %3;")                                               \
  X("vadd.s32.u32.s32.add %0, %1, %2.b0, %3;")                                                     \
  X("vadd.u32.s32.u32.max %0, %1.b1, %2.h1, %3;")                                                  \
  X("vsub.s32.s32.u32.min %0, %1.b1, %2.b3, %3;")                                                  \
  X("vsub.u32.s32.u32.sat.min %0, %1, %2, %3;")                                                    \
  X("vabsdiff.u32.u32.u32.sat %0.h0, %1.b2, %2.b1, %3;")                                           \
  X("vabsdiff.u32.u32.s32.sat.max %0, %1.b3, %2.h0, %3;")                                          \
  X("vmin.s32.s32.u32.sat.min %0, %1, %2, %3;")                                                    \
  X("vmax.s32.u32.s32 %0.b2, %1.b0, %2.b3, %3;")                                                   \
  X("vshr.u32.u32.u32.sat.clamp %0.h0, %1.b3, %2.h0, %3;")                                         \
  X("vshr.s32.s32.u32.wrap %0.b3, %1.b3, %2.b2, %3;")                                              \
  X("vshr.s32.s32.u32.sat.clamp.min %0, %1.h0, %2.b0, %3;")                                        \
  X("vshr.s32.u32.u32.wrap %0.b2, %1.h1, %2.h1, %3;")                                              \
  X("vmad.s32.s32.u32.po.sat.shr7 %0, %1.b3, %2.h0, %3;")                                          \
  X("vset.u32.u32.le %0.h0, %1.h1, %2.h1, %3;")                                                    \
  X("vset.u32.u32.eq %0.h0, %1.h0, %2.b2, %3;")                                                    \
  X("vset.u32.s32.gt.min %0, %1.h0, %2.b3, %3;")                                                   \
  X("vset.u32.s32.eq %0.b1, %1.h0, %2.b2, %3;")                                                    \
  X("vadd2.u32.s32.s32.add %0.h10, %1, %2, %3;")                                                   \
  X("vadd2.s32.u32.u32.sat %0, %1, %2, %3;")                                                       \
  X("vsub2.u32.u32.u32.add %0.h10, %1.h33, %2.h31, %3;")                                           \
  X("vsub2.s32.u32.s32.sat %0, %1, %2, %3;")                                                       \
  X("vavrg2.s32.u32.s32.sat %0, %1, %2, %3;")                                                      \
  X("vavrg2.s32.u32.s32 %0.h1, %1, %2, %3;")                                                       \
  X("vabsdiff2.u32.u32.u32.add %0.h0, %1, %2.h02, %3;")                                            \
  X("vabsdiff2.u32.s32.s32.add %0, %1, %2, %3;")                                                   \
  X("vmin2.u32.u32.u32.add %0.h10, %1.h02, %2, %3;")                                               \
  X("vmin2.s32.s32.s32.add %0.h0, %1.h30, %2, %3;")                                                \
  X("vmax2.u32.s32.u32 %0.h1, %1.h30, %2, %3;")                                                    \
  X("vmax2.u32.u32.s32 %0, %1, %2, %3;")                                                           \
  X("vset2.u32.s32.le.add %0.h10, %1.h01, %2.h33, %3;")                                            \
  X("vset2.u32.u32.ne.add %0.h1, %1, %2.h03, %3;")                                                 \
  X("vset2.u32.s32.gt %0.h0, %1, %2.h00, %3;")                                                     \
  X("vset2.s32.s32.eq.add %0.h1, %1, %2, %3;")                                                     \
  X("vadd4.s32.s32.u32.sat %0, %1, %2, %3;")                                                       \
  X("vadd4.u32.u32.s32 %0, %1, %2, %3;")                                                           \
  X("vsub4.s32.s32.s32.add %0.b210, %1.b5540, %2.b3535, %3;")                                      \
  X("vsub4.u32.s32.u32.add %0.b20, %1.b5326, %2, %3;")                                             \
  X("vavrg4.u32.u32.s32.add %0.b321, %1, %2.b2074, %3;")                                           \
  X("vavrg4.s32.s32.u32.sat %0, %1, %2, %3;")                                                      \
  X("vabsdiff4.s32.u32.s32.sat %0, %1, %2, %3;")                                                   \
  X("vabsdiff4.u32.s32.s32 %0.b210, %1, %2, %3;")                                                  \
  X("vmin4.s32.u32.s32.sat %0.b321, %1, %2, %3;")                                                  \
  X("vmin4.u32.u32.s32.add %0.b320, %1.b7473, %2.b4522, %3;")                                      \
  X("vmax4.s32.s32.s32.add %0.b321, %1, %2.b3454, %3;")                                            \
  X("vmax4.u32.u32.s32.sat %0.b0, %1, %2.b3565, %3;")                                              \
  X("vset4.s32.u32.gt.add %0.b320, %1.b3375, %2, %3;")                                             \
  X("vset4.u32.s32.eq %0.b1, %1.b5104, %2, %3;")                                                   \
  X("vset4.s32.s32.gt.add %0.b310, %1, %2, %3;")                                                   \
  X("vset4.s32.u32.ne %0.b210, %1.b0242, %2, %3;")

#define WITH_TWO(X)                                                                                \
  X("vadd.s32.u32.s32.sat %0, %1, %2;")                                                            \
  X("vabsdiff.u32.s32.s32 %0, %1.h1, %2.b3;")                                                      \
  X("vset.s32.u32.lt %0, %1.b0, %2.h0;")

#define TEXT(text) text,
const char *const with_three[] = {WITH_THREE(TEXT)};
const char *const with_two[] = {WITH_TWO(TEXT)};
constexpr int three_count = sizeof with_three / sizeof *with_three;
constexpr int two_count = sizeof with_two / sizeof *with_two;

__global__ void evaluate(const uint32_t *in, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t a = in[i], b = in[i + n], c = in[i + 2 * n];
  uint32_t *result = out + i, d;
#define THREE(text)                                                                                \
  asm(text : "=r"(d) : "r"(a), "r"(b), "r"(c));                                                    \
  *result = d;                                                                                     \
  result += n;
#define TWO(text)                                                                                  \
  asm(text : "=r"(d) : "r"(a), "r"(b));                                                            \
  *result = d;                                                                                     \
  result += n;
  WITH_THREE(THREE)
  WITH_TWO(TWO)
}

// Random words, and some with bytes and halves at the ends of their ranges.
std::vector<uint32_t> words(int n) {
  const uint32_t bytes[] = {0, 1, 0x7f, 0x80, 0xff};
  uint32_t state = 12345;
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::vector<uint32_t> all;
  for (int i = 0; i < n; ++i) {
    uint32_t word = next() << 16 ^ next();
    if (i % 2)
      for (int byte = 0; byte < 4; ++byte)
        word = word << 8 | bytes[next() % 5];
    all.push_back(i % 5 == 0 ? word & 63 : word);
  }
  return all;
}

int main() {
  const int n = 1000;
  const std::vector<uint32_t> in = words(3 * n);
  DeviceBuffer<uint32_t> device_in(in), out(size_t(three_count + two_count) * n);
  evaluate<<<(n + 127) / 128, 128>>>(device_in, out, n);
  const std::vector<uint32_t> results = out.download();
  for (int v = 0; v < three_count + two_count; ++v) {
    const char *text = v < three_count ? with_three[v] : with_two[v - three_count];
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      wrong += results[size_t(v) * n + i] != video::compute(text, in[i], in[i + n], in[i + 2 * n]);
    if (wrong)
      std::fprintf(stderr, "%s: %d wrong\n", text, wrong);
    CHECK_EQ(wrong, 0);
  }
  RETURN_RESULT();
}
