// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours in memory that stay side by side in registers (packs.h), and what becomes of vectors
// in the code of a thread (widen_packs.cpp). That each lane gets its own elements is shown by
// tests/conformance, "sums_side_by_side".
#include "engine/compiler/simd/optimize/packs.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Which values become vectors ----

// Code of a thread with pointers %p0 … %p3 to its four floats, %q0 … %q3 likewise, a number %u that
// is the same for all and %v that is not.
std::string packed(const std::string &body, const LaneLayout &layout = row(16)) {
  std::string text = declarations + "declare float @llvm.fma.f32(float, float, float)\n"
                                    "declare float @llvm.powi.f32.i32(float, i32)\n"
                                    "define void @f(ptr %p, ptr %q, float %u, i1 %go) {\nentry:\n"
                                    "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                    "  %wide = zext i32 %x to i64\n  %i = mul i64 %wide, 16\n"
                                    "  %own = getelementptr float, ptr %q, i64 %wide\n"
                                    "  %v = load float, ptr %own\n";
  for (const std::string pointer : {"p", "q"})
    for (unsigned i = 0; i < 4; ++i) {
      const std::string name = "%" + pointer + std::to_string(i);
      text += i == 0 ? "  " + name + " = getelementptr i8, ptr %" + pointer + ", i64 %i\n"
                     : "  " + name + " = getelementptr i8, ptr %" + pointer + "0, i64 " +
                           std::to_string(4 * i) + "\n";
    }
  Ir ir(text + body + "}\n");
  canonicalizeLoops(ir.function("f"));
  packNeighbours(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

// A line for each of the four, in which # stands for its number.
std::string four(const std::string &line) {
  std::string result;
  for (const char number : {'0', '1', '2', '3'})
    for (const char c : "  " + line + "\n")
      result += c == '#' ? number : c;
  return result;
}

const std::string load = four("%a# = load float, ptr %p#, align 4"),
                  store = four("store float %b#, ptr %q#, align 4"), end = "  ret void\n";

TEST(Packs, LoadsAndStoresAndWhatIsBetween) {
  const std::string text = packed(load + four("%b# = fmul float %a#, %u") + store + end);
  expectInOrder(text, {"load <4 x float>", "align 4", "insertelement <4 x float> poison, float %u",
                       "fmul <4 x float>", "store <4 x float>", "ret void"});
  expectNone(text, {"fmul float", "load float, ptr %p", "extractelement", "store float"});
}

// The sums of a product: four in a row, and each is added to in each round.
const std::string sums =
    "  br label %loop\nloop:\n" + four("%s# = phi float [ 0.0, %entry ], [ %t#, %loop ]") + load;
const std::string again = "  br i1 %go, label %loop, label %done\ndone:\n";

TEST(Packs, SumsOfLoops) {
  const std::string text =
      packed(sums + four("%t# = call float @llvm.fma.f32(float %u, float %a#, float %s#)") + again +
             four("%b# = phi float [ %t#, %loop ]") + store + end);
  expectInOrder(text, {"phi <4 x float> [ zeroinitializer", "load <4 x float>",
                       "call <4 x float> @llvm.fma.v4f32", "phi <4 x float>", "store <4 x float>"});
  expectNone(text, {"fma.f32(float %u", "extractelement"});
}

// What is outside of the loop may want single ones: that is done once.
TEST(Packs, SumsThatAreTakenApartBehindTheLoop) {
  const std::string text = packed(sums + four("%t# = fadd float %s#, %a#") + again +
                                  "  %b = fadd float %t0, %t3\n  store float %b, ptr %own\n" + end);
  expectInOrder(text, {"fadd <4 x float>", "done:", "phi <4 x float>", "extractelement <4 x float>",
                       "extractelement <4 x float>", "fadd float"});
  EXPECT_EQ(count(text, "extractelement"), 2u);
}

// Flags that not all members have are dropped.
TEST(Packs, KeepTheFlagsOfAll) {
  const std::string text =
      packed(load +
             "  %b0 = fmul nnan ninf float %a0, %u\n  %b1 = fmul nnan float %a1, %u\n"
             "  %b2 = fmul nnan float %a2, %u\n  %b3 = fmul nnan float %a3, %u\n" +
             store + end);
  expectInOrder(text, {"fmul nnan <4 x float>"});
}

TEST(Packs, OfDifferentConstants) {
  const std::string text = packed(load +
                                  "  %b0 = fmul float %a0, 1.0\n  %b1 = fmul float %a1, 2.0\n"
                                  "  %b2 = fmul float %a2, 3.0\n  %b3 = fmul float %a3, 4.0\n" +
                                  store + end);
  expectInOrder(text,
                {"fmul <4 x float>", "<float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, "
                                     "float 4.000000e+00>"});
}

void expectUnpacked(const std::string &text) { expectNone(text, {"<4 x float>"}); }

TEST(Packs, NotWhereEachIsTreatedDifferently) {
  expectUnpacked(packed(load +
                        "  %b0 = fmul float %a0, %u\n  %b1 = fadd float %a1, %u\n"
                        "  %b2 = fsub float %a2, %u\n  %b3 = fdiv float %a3, %u\n" +
                        store + end));
  // The same, but to others: a rotation.
  expectUnpacked(packed(load + four("%c# = fmul float %a#, %u") +
                        "  %b0 = fadd float %c1, %a0\n  %b1 = fadd float %c2, %a1\n"
                        "  %b2 = fadd float %c3, %a2\n  %b3 = fadd float %c0, %a3\n"
                        "  %s = fadd float %b0, %b1\n  %t = fadd float %b2, %b3\n"
                        "  %r = fadd float %s, %t\n  store float %r, ptr %own\n" +
                        end));
}

// Taken apart where it was loaded, it would be transposed there as well.
TEST(Packs, NotIfTheyAreTakenApartInTheLoop) {
  const std::string apart = "  %r = fadd float %t0, %t1\n  store volatile float %r, ptr %own\n";
  expectUnpacked(packed(sums + four("%t# = fadd float %s#, %a#") + apart + again + end));
}

// Splats of what differs between lanes are shuffles, too.
TEST(Packs, NotIfFactorsDifferBetweenLanes) {
  const std::string text =
      packed(load + four("%b# = fmul float %a#, %v") + store + end); // 4 for 8 + 8
  expectInOrder(text, {"fmul <4 x float>"});
  std::string factors = load;
  std::string value = "a";
  for (const std::string next : {"c", "d", "e", "g", "b"}) {
    factors += four("%" + next + "# = fmul float %" + value + "#, %v");
    value = next;
  }
  expectUnpacked(packed(factors + store + end));
}

// A member may not be wanted before all are there.
TEST(Packs, NotIfOneIsNeededEarlier) {
  expectUnpacked(packed(load +
                        "  %b0 = fmul float %a0, %u\n  store volatile float %b0, ptr %own\n"
                        "  %b1 = fmul float %a1, %u\n  %b2 = fmul float %a2, %u\n"
                        "  %b3 = fmul float %a3, %u\n" +
                        store + end));
}

TEST(Packs, NotInDivergentCode) {
  expectUnpacked(packed("  %some = fcmp olt float %v, %u\n  br i1 %some, label %a, label %b\na:\n" +
                        load + four("%b# = fmul float %a#, %u") + store + "  br label %b\nb:\n" +
                        end));
}

// But for what ends where indices do: nearly all gangs are there as a whole.
TEST(Packs, WithinBounds) {
  const std::string text =
      packed("  %in = icmp slt i32 %x, 1000\n  br i1 %in, label %a, label %b\na:\n" + load +
             four("%b# = fmul float %a#, %u") + store + "  br label %b\nb:\n" + end);
  expectInOrder(text, {"load <4 x float>", "fmul <4 x float>", "store <4 x float>"});
}

TEST(Packs, NotWhereGangsMayHaveFewerLanes) {
  LaneLayout partial = row(16);
  partial.full = false;
  expectUnpacked(packed(load + four("%b# = fmul float %a#, %u") + store + end, partial));
}

TEST(Packs, NotForSingleThreads) {
  LaneLayout single;
  single.lanes = 1;
  expectUnpacked(packed(load + four("%b# = fmul float %a#, %u") + store + end, single));
}

// ---- What they are in a gang ----

// %a: two floats of this thread, its neighbours' beside them.
const std::string pair = "  %i = mul i64 %wide, 8\n  %m = getelementptr i8, ptr %p, i64 %i\n"
                         "  %a = load <2 x float>, ptr %m, align 4\n";

TEST(WidenPacks, AreNeighbours) {
  const std::string text = widened(pair + "  %b = fadd <2 x float> %a, <float 1.0, float 2.0>\n"
                                          "  store <2 x float> %b, ptr %m, align 4\n");
  expectInOrder(text, {"load <16 x float>, ptr %m, align 4", "fadd <16 x float>",
                       "<float 1.000000e+00, float 2.000000e+00, float 1.000000e+00",
                       "store <16 x float>"});
  expectNone(text, {"shufflevector", "masked"});
}

// Every other lane of a register belongs to the same member.
TEST(WidenPacks, AreTakenApart) {
  const std::string text = widened(pair + "  %b = extractelement <2 x float> %a, i64 1\n"
                                          "  store float %b, ptr %e\n");
  expectInOrder(text, {"shufflevector <16 x float>",
                       "<8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>",
                       "store <8 x float>"});
}

std::string splat(const std::string &value) {
  return "  %s = insertelement <2 x float> poison, float " + value +
         ", i64 0\n  %t = shufflevector <2 x float> %s, <2 x float> poison, <2 x i32> "
         "zeroinitializer\n  %b = fmul <2 x float> %a, %t\n"
         "  store <2 x float> %b, ptr %m, align 4\n";
}

TEST(WidenPacks, SplatsOfWhatLanesShare) {
  const std::string text = widened(pair + "  %n1 = sitofp i32 %n to float\n" + splat("%n1"));
  expectInOrder(text, {"insertelement <16 x float> poison, float %n1", "fmul <16 x float>"});
}

TEST(WidenPacks, SplatsOfEachLane) {
  const std::string text = widened(pair + "  %u1 = sitofp i32 %u to float\n" + splat("%u1"));
  expectInOrder(text,
                {"<16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2", "fmul <16 x float>"});
}

TEST(WidenPacks, UnderMasks) {
  const std::string text = widened(pair + masked +
                                   "  %b = load <2 x float>, ptr %m, align 4\n"
                                   "  store <2 x float> %b, ptr %m, align 4\n");
  expectInOrder(text, {"shufflevector <8 x i1>", "<16 x i32> <i32 0, i32 0, i32 1, i32 1",
                       "@llvm.masked.load.v16f32", "@llvm.masked.store.v16f32"});
}

TEST(WidenPacks, Anywhere) {
  const std::string text = widened("  %i = sext i32 %u to i64\n"
                                   "  %m = getelementptr [8 x i8], ptr %p, i64 %i\n"
                                   "  %b = load <2 x float>, ptr %m, align 4\n"
                                   "  store <2 x float> %b, ptr %m, align 4\n");
  EXPECT_EQ(count(text, "call <8 x float> @llvm.masked.gather"), 2u);
  EXPECT_EQ(count(text, "call void @llvm.masked.scatter"), 2u);
}

} // namespace
