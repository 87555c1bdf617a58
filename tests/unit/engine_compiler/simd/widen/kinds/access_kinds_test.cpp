// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a gang accesses memory (widen.h): by one scalar access, by one vector access, or by an access
// for each lane, as the shape of the address allows.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const std::string use = "  store volatile float %v, ptr %e\n"; // keeps %v from being dropped

std::string load(const std::string &address, bool with_mask = false,
                 WidenOptions options = {row(8)}) {
  const std::string text = widened(
      address + (with_mask ? masked : "") + "  %v = load float, ptr %a, align 4\n" + use, options);
  // Up to where the value is used.
  return text.substr(0, text.find("store volatile"));
}

// ---- Loads -------------------------------------------------------------------------------------

TEST(WidenLoad, FromOnePlaceIsScalar) {
  const std::string text = load("  %a = getelementptr i8, ptr %p, i64 4\n");
  EXPECT_EQ(count(text, "load float"), 1u);
  expectNone(text, {"load <8 x float>"});
}

// Under a mask, too: a block is never executed without active lanes.
TEST(WidenLoad, FromOnePlaceNeedsNoMask) {
  const std::string text = load("  %a = getelementptr i8, ptr %p, i64 4\n", true);
  EXPECT_EQ(count(text, "load float"), 1u);
  expectNone(text, {"masked"});
}

TEST(WidenLoad, OfNeighboursIsAVectorsLoad) {
  const std::string text = load("  %a = getelementptr i8, ptr %e, i64 8\n");
  expectInOrder(text, {"load <8 x float>, ptr", "align 4"});
  expectNone(text, {"load float", "masked"});
}

TEST(WidenLoad, UnderAMask) {
  expectInOrder(load("  %a = getelementptr i8, ptr %e, i64 8\n", true),
                {"@llvm.masked.load.v8f32.p0(ptr", "<8 x i1> %c"});
}

// p[1000 - x]: the last lane's element comes first.
TEST(WidenLoad, Backwards) {
  const std::string place = "  %i = sub i64 1000, %wide\n"
                            "  %a = getelementptr float, ptr %p, i64 %i\n";
  expectInOrder(load(place),
                {"i64 -28", "load <8 x float>", "shufflevector <8 x float>",
                 "<8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>"});
  expectInOrder(load(place, true),
                {"shufflevector <8 x i1> %c", "@llvm.masked.load", "shufflevector <8 x float>"});
}

// p[2 * x]: vectors of which every second element is taken. They do not reach beyond the last one
// that is needed, behind which there may be nothing.
TEST(WidenLoad, WithASmallStride) {
  const std::string text = load("  %i = shl i64 %wide, 1\n"
                                "  %a = getelementptr float, ptr %p, i64 %i\n");
  EXPECT_EQ(count(text, "load <8 x float>"), 2u);
  expectInOrder(text, {"i64 7", "load <8 x float>", "shufflevector"});
  expectNone(text, {"load float"});
}

// Sixteen 32-bit indices, with a sign; those without one are 2^31 less, from a base 2^31 elements
// on.
TEST(WidenLoad, ByIndicesOfAWord) {
  const WidenOptions avx512{.layout = row(16), .native_gather = true};
  const auto indexed = [&](const char *extension) {
    return load("  %i = " + std::string(extension) +
                    " i32 %u to i64\n  %a = getelementptr float, ptr %p, i64 %i\n",
                false, avx512);
  };
  const std::string with_sign = indexed("sext"), without = indexed("zext");
  expectNone(with_sign, {"xor"});
  expectInOrder(without, {"xor <16 x i32> %u, <i32 -2147483648, i32 -2147483648,",
                          "getelementptr i8, ptr %p, i64 8589934592",
                          "@llvm.x86.avx512.mask.gather.dpi.512"});
  for (const std::string &text : {with_sign, without})
    EXPECT_EQ(count(text, "mask.gather.dpi.512"), 1u);
}

// p[100 * x]: each lane for itself.
TEST(WidenLoad, WithALargeStride) {
  const std::string text = load("  %i = mul i64 %wide, 100\n"
                                "  %a = getelementptr float, ptr %p, i64 %i\n");
  EXPECT_EQ(count(text, "load float"), 8u);
  expectNone(text, {"load <8 x float>"});
}

// p[q[x]]. What no analysis can foresee are often neighbours all the same: that is asked first.
const std::string anywhere = "  %i = sext i32 %u to i64\n"
                             "  %a = getelementptr float, ptr %p, i64 %i\n";

TEST(WidenLoad, FromAnywhere) {
  const std::string text = load(anywhere);
  expectInOrder(text, {"icmp ne <8 x i32>", "br i1"});
  EXPECT_EQ(count(text, "load <8 x float>"), 1u);
  EXPECT_EQ(count(text, "load float"), 8u);
}

// The addresses of inactive lanes may not be readable. They load from the address of an active
// lane.
TEST(WidenLoad, FromAnywhereUnderAMask) {
  const std::string text = load(anywhere, true);
  expectInOrder(text, {"@llvm.cttz.i32(", "extractelement", "select <8 x i1> %c, <8 x i32> %u",
                       "load float"});
  EXPECT_EQ(count(text, "load float"), 8u);
  expectNone(text, {"load <8 x float>"});
}

// Where the CPU has an instruction for it, that.
TEST(WidenLoad, GathersIfTheCpuCan) {
  const WidenOptions native{.layout = row(8), .native_gather = true};
  expectInOrder(load(anywhere, false, native), {"@llvm.masked.gather.v8f32"});
  expectInOrder(load(anywhere, true, native), {"@llvm.masked.gather.v8f32", "<8 x i1> %c"});
}

// A CPU without masked loads of bytes loads a vector if all lanes are active, else lane by lane.
TEST(WidenLoad, OfBytesUnderAMask) {
  const std::string text = widened("  %a = getelementptr i8, ptr %p, i64 %wide\n" + masked +
                                   "  %v = load i8, ptr %a\n  %w = zext i8 %v to i32\n"
                                   "  store i32 %w, ptr %e\n");
  expectInOrder(text, {"br i1", "load <8 x i8>"});
  EXPECT_EQ(count(text, "= load i8"), 8u);
  expectNone(text, {"masked.load"});
}

// What others may change at any time only those lanes look at that really do.
TEST(WidenLoad, VolatileOrAtomicIsForActiveLanesOnly) {
  for (const char *kind :
       {"load volatile i32, ptr %a", "load atomic i32, ptr %a monotonic, align 4"}) {
    const std::string text =
        widened(anywhere + masked + "  %v = " + kind + "\n  store volatile i32 %v, ptr %a\n");
    EXPECT_EQ(count(text, std::string(kind).substr(0, 12)), 1u) << text; // in a loop
    expectInOrder(text, {"= phi i32", "@llvm.cttz.i32(", std::string(kind).substr(0, 12), "br i1"});
  }
}

// ---- Stores ------------------------------------------------------------------------------------

TEST(WidenStore, ToNeighboursIsAVectorsStore) {
  const std::string text = widened("  store i32 %u, ptr %e, align 4\n");
  expectInOrder(text, {"store <8 x i32> %u, ptr", "align 4"});
  expectNone(text, {"store i32", "masked"});
}

// A masked store is expensive; mostly all lanes are active.
TEST(WidenStore, UnderAMask) {
  const std::string text = widened(masked + "  store i32 %u, ptr %e, align 4\n");
  expectInOrder(text,
                {"br i1", "store <8 x i32> %u", "@llvm.masked.store.v8i32.p0(", "<8 x i1> %c"});
}

// p[1000 - x] = v: the last lane's place is the lowest address.
TEST(WidenStore, Backwards) {
  const std::string place = "  %i = sub i64 1000, %wide\n"
                            "  %a = getelementptr i32, ptr %p, i64 %i\n";
  const std::string reversal = "<8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>";
  const std::string text = widened(place + "  store i32 %u, ptr %a, align 4\n");
  expectInOrder(text, {"shufflevector <8 x i32> %u", reversal, "i64 -28", "store <8 x i32>"});
  expectNone(text, {"store i32"});
  expectInOrder(widened(place + masked + "  store i32 %u, ptr %a, align 4\n"),
                {"br i1", "store <8 x i32>", "shufflevector <8 x i1> %c", reversal,
                 "@llvm.masked.store.v8i32.p0("});
}

TEST(WidenStore, OfAnIndex) {
  expectInOrder(widened("  store i32 %x, ptr %e, align 4\n"), {"store <8 x i32> %"});
  expectInOrder(widened("  store i32 %n, ptr %e, align 4\n"), {"store <8 x i32> %"});
}

// Of lanes that store to one place, the highest comes last.
TEST(WidenStore, AnywhereInTheLanesOrder) {
  const std::string text = widened(anywhere + "  store i32 %u, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "store i32"), 8u);
  std::vector<std::string> in_order;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const size_t at = text.find("extractelement <8 x i32> %u, i32 " + std::to_string(lane));
    EXPECT_NE(at, std::string::npos) << lane;
    in_order.push_back("store i32");
  }
  expectInOrder(text, in_order);
  const WidenOptions native{.layout = row(8), .native_gather = true};
  expectInOrder(widened(anywhere + masked + "  store i32 %u, ptr %a, align 4\n", native),
                {"@llvm.masked.scatter.v8i32", "<8 x i1> %c"});
}

TEST(WidenStore, AnywhereUnderAMaskIsALoopOverActiveLanes) {
  const std::string text = widened(anywhere + masked + "  store i32 %u, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "store i32"), 1u);
  expectInOrder(text, {"= phi i32", "@llvm.cttz.i32(", "store i32", "br i1"});
}

// One store is enough, of the value of the highest lane that is here.
TEST(WidenStore, ToOnePlace) {
  const std::string text = widened("  store i32 %u, ptr %p, align 4\n");
  EXPECT_EQ(count(text, "store i32"), 1u);
  expectInOrder(text, {"extractelement <8 x i32> %u, i32 7", "store i32"});
  const std::string some = widened(masked + "  store i32 %u, ptr %p, align 4\n");
  EXPECT_EQ(count(some, "store i32"), 1u);
  expectInOrder(some,
                {"@llvm.ctlz.i32(", "sub i32 31", "extractelement <8 x i32> %u", "store i32"});
  expectInOrder(widened(masked + "  store i32 %n, ptr %p, align 4\n"), {"store i32 %n, ptr %p"});
}

// ---- Alignment ---------------------------------------------------------------------------------

// A GPU refuses accesses that are not aligned (CUDA guide, "Device Memory Accesses").
TEST(WidenAlignment, IsAskedFor) {
  const std::string unknown = "  %q8 = getelementptr i8, ptr %p, i32 %n\n";
  const std::string fault = field(offsetof(RuntimeTable, misaligned));
  // One question for all lanes, where their addresses begin.
  const std::string one = widened(unknown + "  %a = getelementptr float, ptr %q8, i64 %wide\n"
                                            "  store i32 %u, ptr %a, align 4\n");
  expectInOrder(one, {"ptrtoint ptr %q8 to i64", ", 3", "br i1", "store <8 x i32>"});
  expectInOrder(one, {fault, "unreachable"});
  // Each has an offset of its own: only those that are here count.
  const std::string each = widened("  %a = getelementptr i8, ptr %p, i32 %u\n" + masked +
                                   "  store i32 %u, ptr %a, align 4\n");
  expectInOrder(each, {"ptrtoint <8 x ptr>", "icmp ne <8 x i64>", "select <8 x i1> %c", "br i1"});
  expectInOrder(each, {fault});
}

TEST(WidenAlignment, OfWhatIsKnownIsNot) {
  const std::string fault = field(offsetof(RuntimeTable, misaligned));
  expectNone(widened("  store i32 %u, ptr %e, align 4\n"), {fault}); // the launch checked p
  expectNone(widened("  %a = getelementptr i8, ptr %p, i32 %u\n  store i8 1, ptr %a, align 1\n"),
             {fault});
}

// ---- Remarks -----------------------------------------------------------------------------------

TEST(WidenRemarks, SayHowAccessesCameOut) {
  std::vector<Remark> remarks;
  widened("  store i32 %n, ptr %p\n" + anywhere + masked +
              "  %v = load i32, ptr %e\n  store i32 %v, ptr %a\n",
          {row(8)}, "", &remarks);
  ASSERT_GE(remarks.size(), 3u);
  const Remark *last = &remarks[remarks.size() - 3];
  EXPECT_EQ(last[0].kind, Remark::Kind::Scalar);
  EXPECT_TRUE(last[0].store);
  EXPECT_FALSE(last[0].masked);
  EXPECT_EQ(last[1].kind, Remark::Kind::Contiguous);
  EXPECT_FALSE(last[1].store);
  EXPECT_TRUE(last[1].masked);
  EXPECT_EQ(last[2].kind, Remark::Kind::Gather);
  EXPECT_TRUE(last[2].store);
}

} // namespace
