// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared arrays of a block that is one gang, in registers of four floats
// (shared_memory_promotion.h). What comes out is executed by hand, in the mind: LLVM's own passes
// have made it values.
#include "engine/compiler/simd/post/shared_memory_promotion.h"

#include "ir.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned register_bytes = 16;

// A gang's function with a shared array %s of so many bytes (-1: dynamic), of vectors %v, %w, and
// masks %m, of eight lanes.
std::string code(const std::string &body, const std::string &bytes = "32",
                 const std::string &more = "") {
  return R"(
declare <8 x float> @llvm.masked.load.v8f32.p3(ptr addrspace(3), i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p3(<8 x float>, ptr addrspace(3), i32, <8 x i1>)
define <8 x float> @f(ptr %shared, ptr %other, <8 x float> %v, <8 x float> %w, <8 x i1> %m, i1 %c) {
entry:
  %s = addrspacecast ptr %shared to ptr addrspace(3), !heddle.shared.array !0
  %s.4 = getelementptr i8, ptr addrspace(3) %s, i64 4
  %s.16 = getelementptr i8, ptr addrspace(3) %s, i64 16
)" + body +
         "}\n!0 = !{i64 " + bytes + "}\n" + more;
}

// As LLVM sees it then.
std::string kept(const std::string &text) {
  Ir ir(text);
  promoteSharedMemory(ir.function("f"), register_bytes);
  ir.verify();
  ir.run(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)).run(llvm::InstCombinePass());
  return ir.text("f");
}

bool isKept(const std::string &text) {
  return kept(text).find("ptr addrspace(3)") == std::string::npos;
}

const std::string store_all = "  store <8 x float> %v, ptr addrspace(3) %s\n";

TEST(SharedMemoryPromotion, HandOnWhatWasStored) {
  const std::string text = kept(code(store_all + "  %r = load <8 x float>, ptr addrspace(3) %s\n"
                                                 "  ret <8 x float> %r\n"));
  expectInOrder(text, {"ret <8 x float> %v"});
  expectNone(text, {"load", "store", "alloca"});
}

// values[t + 1]: from two registers each. The last one is undefined.
TEST(SharedMemoryPromotion, ShiftRegisters) {
  const std::string text =
      kept(code(store_all +
                "  %r = call <8 x float> @llvm.masked.load.v8f32.p3(ptr addrspace(3) %s.4, i32 4, "
                "<8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 0>, <8 x float> %w)\n"
                "  ret <8 x float> %r\n"));
  expectNone(text, {"load", "store", "alloca"});
  expectInOrder(text, {"shufflevector <8 x float> %v", "<4 x i32> <i32 1, i32 2, i32 3, i32 4>",
                       "%w, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 15>"});
}

// A part, one element, and lanes of a mask that is not known.
TEST(SharedMemoryPromotion, StoreParts) {
  expectInOrder(kept(code(store_all + "  store float 1.0, ptr addrspace(3) %s.16\n"
                                      "  %r = load <8 x float>, ptr addrspace(3) %s\n"
                                      "  ret <8 x float> %r\n")),
                {"shufflevector <8 x float> %v", "insertelement <4 x float>",
                 "float 1.000000e+00, i64 0", "ret <8 x float>"});
  const std::string text = kept(code(
      store_all + "  call void @llvm.masked.store.v8f32.p3(<8 x float> %w, ptr addrspace(3) %s, "
                  "i32 4, <8 x i1> %m)\n"
                  "  %r = load <8 x float>, ptr addrspace(3) %s\n  ret <8 x float> %r\n"));
  expectNone(text, {"masked", "load", "store <"});
  expectInOrder(text, {"shufflevector <8 x i1> %m", "select <4 x i1>"});
}

// By its generic address, which is the address that the array's own is a cast of.
TEST(SharedMemoryPromotion, NotIfAnAccessIsByAnotherName) {
  const std::string load_all =
      "  %r = load <8 x float>, ptr addrspace(3) %s\n  ret <8 x float> %r\n";
  EXPECT_TRUE(isKept(code(store_all + load_all)));
  EXPECT_FALSE(isKept(code(store_all + "  store float 1.0, ptr %shared\n" + load_all)));
  EXPECT_FALSE(isKept(code(store_all +
                           "  %g = getelementptr i8, ptr %shared, i64 4\n"
                           "  %x = load float, ptr %g\n"
                           "  store float %x, ptr %other\n" +
                           load_all)));
}

// On one of two ways.
TEST(SharedMemoryPromotion, MeetAgain) {
  const std::string text =
      kept(code(store_all + "  br i1 %c, label %a, label %end\na:\n"
                            "  store <8 x float> %w, ptr addrspace(3) %s\n  br label %end\nend:\n"
                            "  %r = load float, ptr addrspace(3) %s.16\n"
                            "  %q = insertelement <8 x float> %v, float %r, i64 0\n"
                            "  ret <8 x float> %q\n"));
  expectNone(text, {"load", "store", "alloca"});
  expectInOrder(text, {"phi"});
}

// Elements that were never stored have an arbitrary value, the same for all loads.
TEST(SharedMemoryPromotion, BeginAsAnything) {
  Ir ir(code("  %r = load <8 x float>, ptr addrspace(3) %s\n  ret <8 x float> %r\n"));
  promoteSharedMemory(ir.function("f"), register_bytes);
  expectInOrder(ir.text("f"), {"freeze <4 x float> poison", "store <4 x float>"});
}

// Elements of one kind are kept as another of the same size.
TEST(SharedMemoryPromotion, KeepBits) {
  expectInOrder(kept(code(store_all + "  %i = load <8 x i32>, ptr addrspace(3) %s\n"
                                      "  %r = bitcast <8 x i32> %i to <8 x float>\n"
                                      "  ret <8 x float> %r\n")),
                {"ret <8 x float> %v"});
  EXPECT_FALSE(isKept(code(store_all + "  %i = load <4 x i64>, ptr addrspace(3) %s\n"
                                       "  %r = bitcast <4 x i64> %i to <8 x float>\n"
                                       "  ret <8 x float> %r\n")));
}

// Accesses at unknown positions, and other uses of the address, find it in memory. So do accesses
// of what lies beside it.
TEST(SharedMemoryPromotion, NotIfOthersMayLook) {
  const std::string end = "  ret <8 x float> %v\n";
  EXPECT_TRUE(isKept(code(store_all + end)));
  for (const std::string body :
       {"  %i = ptrtoint ptr addrspace(3) %s to i64\n  store i64 %i, ptr %other\n",
        "  store ptr addrspace(3) %s, ptr %other\n", "  call void @g(ptr addrspace(3) %s)\n",
        "  %i = load i64, ptr %other\n  %e = getelementptr i8, ptr addrspace(3) %s, i64 %i\n"
        "  store float 1.0, ptr addrspace(3) %e\n",
        "  %o = atomicrmw add ptr addrspace(3) %s, i32 1 monotonic\n",
        "  store <8 x float> %v, ptr addrspace(3) %s.4\n",
        "  %b = getelementptr i8, ptr addrspace(3) %s, i64 -4\n"
        "  store float 1.0, ptr addrspace(3) %b\n",
        "  %b = getelementptr i8, ptr addrspace(3) %s, i64 2\n"
        "  store float 1.0, ptr addrspace(3) %b\n"})
    EXPECT_FALSE(isKept(code(store_all + body + end, "32", "declare void @g(ptr addrspace(3))\n")))
        << body;
}

TEST(SharedMemoryPromotion, NotInLoops) {
  EXPECT_FALSE(isKept(code(store_all + "  br label %loop\nloop:\n"
                                       "  %r = load <8 x float>, ptr addrspace(3) %s\n"
                                       "  br i1 %c, label %loop, label %end\nend:\n"
                                       "  ret <8 x float> %r\n")));
}

// What is needed again must fit the registers while something else is computed. A tree of sums goes
// on with half of what it has; a scan keeps all.
TEST(SharedMemoryPromotion, NotWhatTheyCannotHold) {
  const auto sums = [](unsigned rest, const std::string &then = "") {
    return code(
        "  %a = load <512 x float>, ptr %other\n  store <512 x float> %a, ptr addrspace(3) %s\n"
        "  %l = load <256 x float>, ptr addrspace(3) %s\n"
        "  %h = getelementptr i8, ptr addrspace(3) %s, i64 1024\n"
        "  %r = load <256 x float>, ptr addrspace(3) %h\n  %t = fadd <256 x float> %l, %r\n"
        "  store <256 x float> %t, ptr addrspace(3) %s\n"
        "  %z = load <" +
            std::to_string(rest) +
            " x float>, ptr addrspace(3) %s\n"
            "  store <" +
            std::to_string(rest) + " x float> %z, ptr %other\n" + then + "  ret <8 x float> %v\n",
        "16384");
  };
  EXPECT_TRUE(isKept(sums(256)));
  EXPECT_TRUE(isKept(sums(384)));
  EXPECT_FALSE(isKept(sums(384, "  store float 0.0, ptr addrspace(3) %s\n"
                                "  %k = load <512 x float>, ptr addrspace(3) %s\n"
                                "  store <512 x float> %k, ptr %other\n")));
  EXPECT_FALSE(isKept(code("  %l = getelementptr i8, ptr addrspace(3) %s, i64 8192\n"
                           "  store <8 x float> %v, ptr addrspace(3) %l\n  ret <8 x float> %v\n",
                           "16384")));
}

// A masked load without active lanes accesses nothing.
TEST(SharedMemoryPromotion, NotForMasksWithoutLanes) {
  const std::string nothing =
      "  %r = call <8 x float> @llvm.masked.load.v8f32.p3(ptr addrspace(3) %s, i32 4, "
      "<8 x i1> zeroinitializer, <8 x float> %w)\n  ret <8 x float> %r\n";
  for (const char *bytes : {"32", "-1"})
    expectInOrder(kept(code(nothing, bytes)), {"ret <8 x float> %w"});
}

// The launch says how much there is of a dynamic array: the last element that is used is looked at.
TEST(SharedMemoryPromotion, OfDynamicSize) {
  const std::string body = store_all + "  %r = load <8 x float>, ptr addrspace(3) %s\n"
                                       "  ret <8 x float> %r\n";
  expectInOrder(kept(code(body, "-1")),
                {"getelementptr i8, ptr addrspace(3) %s, i64 28", "load volatile float"});
  // It may have several names.
  EXPECT_FALSE(isKept(code("  %t = addrspacecast ptr %shared to ptr addrspace(3), "
                           "!heddle.shared.array !0\n"
                           "  store <8 x float> %w, ptr addrspace(3) %t\n" +
                               body,
                           "-1")));
}

} // namespace
