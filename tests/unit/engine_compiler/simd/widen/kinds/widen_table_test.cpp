// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads from small tables (widen.h, widen_table.cpp): the table in registers, of which each lane
// takes its element.
#include "simd/widened.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const WidenOptions avx512{.layout = row(16), .native_gather = true};

// A load from the table at %p by the low bits of %u.
std::string lookUp(unsigned low_bits, const std::string &type, const std::string &before = "",
                   const WidenOptions &options = avx512, const std::string &load = "load ") {
  return widened("  %low = and i32 %u, " + std::to_string(low_bits) +
                     "\n  %i = zext i32 %low to i64\n  %a = getelementptr " + type +
                     ", ptr %p, i64 %i\n" + before + "  %v = " + load + type +
                     ", ptr %a, align 4\n  store volatile " + type + " %v, ptr %e, align 4\n",
                 options);
}

// What lies behind the table is loaded with it, but for where the next page begins there.
TEST(WidenTable, OfARegister) {
  const std::string text = lookUp(15, "i32");
  expectInOrder(text,
                {"and i64 %", ", 4095", "icmp ule i64 %", ", 4032", "br i1",
                 "load <16 x i32>, ptr %", "align 4", "@llvm.x86.avx512.permvar.si.512(<16 x i32>",
                 "br label", "@llvm.x86.avx512.mask.gather.dpi.512"});
  EXPECT_EQ(count(text, "load <16 x i32>"), 1u);
}

TEST(WidenTable, OfTwoRegisters) {
  const std::string text = lookUp(31, "i32");
  expectInOrder(text, {"icmp ule i64 %", ", 3968", "load <16 x i32>", "load <16 x i32>",
                       "@llvm.x86.avx512.vpermi2var.d.512(<16 x i32>"});
  EXPECT_EQ(count(text, "load <16 x i32>"), 2u);
}

TEST(WidenTable, LargerOnesAreGathered) {
  for (unsigned low_bits : {63u, 0xFFFFFFFFu}) {
    const std::string text = lookUp(low_bits, "i32");
    expectInOrder(text, {"gather"});
    expectNone(text, {"perm"});
  }
  expectNone(lookUp(31, "i64"), {"perm"});
}

TEST(WidenTable, OfFloats) {
  expectInOrder(lookUp(7, "float"), {"load <16 x i32>", "@llvm.x86.avx512.permvar.si.512",
                                     "bitcast <16 x i32>", "to <16 x float>"});
}

// Eight elements a register, and an instruction for each eight lanes.
TEST(WidenTable, OfDoubles) {
  const std::string one = lookUp(7, "double");
  expectInOrder(one, {", 4032", "load <8 x i64>"});
  EXPECT_EQ(count(one, "@llvm.x86.avx512.permvar.di.512"), 2u);
  const std::string two = lookUp(15, "double");
  expectInOrder(two, {", 3968", "load <8 x i64>", "load <8 x i64>"});
  EXPECT_EQ(count(two, "@llvm.x86.avx512.vpermi2var.q.512"), 2u);
}

// Lanes that are not here get some element.
TEST(WidenTable, NeedsNoMask) {
  const std::string text = lookUp(15, "i32", masked);
  expectInOrder(text, {"load <16 x i32>", "permvar.si.512", "mask.gather.dpi.512"});
  expectNone(text, {"masked.load"});
}

// Elements in shared memory, by an index that begins at the second one.
TEST(WidenTable, WithinAnArray) {
  const std::string text =
      widened("  %s = addrspacecast ptr %p to ptr addrspace(3)\n  %i = and i32 %u, 15\n"
              "  %a = getelementptr [40 x i32], ptr addrspace(3) %s, i64 0, i32 %i\n"
              "  %b = getelementptr i8, ptr addrspace(3) %s, i64 4\n"
              "  %c2 = getelementptr i32, ptr addrspace(3) %b, i32 %i\n"
              "  %v = load i32, ptr addrspace(3) %a\n  %w = load i32, ptr addrspace(3) %c2\n"
              "  store volatile i32 %v, ptr %e\n  store volatile i32 %w, ptr %e\n",
              avx512);
  EXPECT_EQ(count(text, "permvar.si.512"), 2u);
}

// The elements that lanes look at must lie side by side.
TEST(WidenTable, NotOfStructures) {
  expectNone(widened("  %low = and i32 %u, 7\n  %i = zext i32 %low to i64\n"
                     "  %a = getelementptr { i32, i32 }, ptr %p, i64 %i, i32 1\n"
                     "  %v = load i32, ptr %a\n  store volatile i32 %v, ptr %e\n",
                     avx512),
             {"perm"});
}

TEST(WidenTable, NotWithoutTheInstructionOrOfVolatileMemory) {
  expectNone(lookUp(15, "i32", "", {.layout = row(16)}), {"perm"});
  expectNone(lookUp(15, "i32", "", avx512, "load volatile "), {"perm"});
  expectNone(lookUp(15, "i16"), {"perm"});
  // Gangs of eight lanes have no register's worth of indices.
  expectNone(lookUp(7, "i32", "", {.layout = row(8), .native_gather = true}), {"perm"});
}

TEST(WidenTable, IsExplained) {
  std::vector<Remark> remarks;
  widened("  %i = and i32 %u, 7\n  %a = getelementptr i32, ptr %p, i32 %i\n"
          "  %v = load i32, ptr %a\n  store volatile i32 %v, ptr %e\n",
          avx512, "", &remarks);
  EXPECT_EQ(std::count_if(remarks.begin(), remarks.end(),
                          [](const Remark &r) { return r.kind == Remark::Kind::Table; }),
            1);
}

} // namespace
