// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What brings the code of a thread into form, before it becomes that of a gang: canonicalize.h,
// private_memory_layout.h, index_widening.h.
#include "engine/compiler/simd/normalize/canonicalize.h"

#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/normalize/private_memory_layout.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ValueSymbolTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

std::string canonical(const std::string &text) {
  Ir ir(declarations + text);
  canonicalize(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

// ---- Values ------------------------------------------------------------------------------------

// float4: lanes are to be the only vectors.
TEST(Canonicalize, VectorsBecomeScalars) {
  const std::string text =
      canonical("define void @f(ptr %p, ptr %q) {\n"
                "  %v = load <4 x float>, ptr %p, align 16\n"
                "  %w = fmul <4 x float> %v, <float 2.0, float 3.0, float 4.0, float 5.0>\n"
                "  store <4 x float> %w, ptr %q, align 16\n  ret void\n}\n");
  expectNone(text, {"<4 x float>"});
  EXPECT_EQ(count(text, "load float"), 4u);
  EXPECT_EQ(count(text, "store float"), 4u);
  expectInOrder(text, {"load float, ptr %p, align 16"});
}

TEST(Canonicalize, SoDoTheirElementsByIndex) {
  const std::string text = canonical("define void @f(ptr %p, i32 %i) {\n"
                                     "  %v = load <2 x i32>, ptr %p\n"
                                     "  %e = extractelement <2 x i32> %v, i32 %i\n"
                                     "  call void @out(i32 %e)\n  ret void\n}\n");
  expectNone(text, {"extractelement", "<2 x i32>"});
  expectInOrder(text, {"icmp eq i32 %i, ", "select", "call void @out"});
}

// Masks of lanes, PTX ISA "Special Registers": each follows from the lane's own bit.
TEST(Canonicalize, LaneMasksAreComputed) {
  const char *names[] = {"eq", "lt", "le", "gt", "ge"};
  const uint32_t expected[] = {1u << 5, 0x1f, 0x3f, 0xffffffc0, 0xffffffe0};
  for (unsigned i = 0; i < 5; ++i) {
    const std::string mask = std::string("@llvm.nvvm.read.ptx.sreg.lanemask.") + names[i] + "()";
    Ir ir(declarations + "declare i32 " + mask + "\ndefine void @f() {\n  %m = call i32 " + mask +
          "\n  call void @out(i32 %m)\n  ret void\n}\n");
    canonicalize(ir.function("f"));
    ir.verify();
    expectNone(ir.text("f"), {"lanemask"});
    EXPECT_EQ(Gang(1, 5).run(ir.function("f")), "out(" + std::to_string(expected[i]) + "):all");
  }
}

TEST(Canonicalize, AWarpHas32Lanes) {
  expectInOrder(canonical("declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n"
                          "define void @f() {\n"
                          "  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n"
                          "  call void @out(i32 %w)\n  ret void\n}\n"),
                {"call void @out(i32 32)"});
}

// blockIdx.x * blockDim.x + threadIdx.x: the launch was checked for its not overflowing. Of other
// sums that look like it nothing is known.
TEST(Canonicalize, GlobalIndicesDoNotWrap) {
  const auto index = [](const char *size, const char *thread) {
    return canonical(std::string("declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()\n"
                                 "define void @f(i32 %n) {\n"
                                 "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                                 "  %d = call i32 @llvm.nvvm.read.ptx.sreg.") +
                     size + "()\n  %t = call i32 @llvm.nvvm.read.ptx.sreg." + thread +
                     "()\n  %m = mul i32 %d, %b\n  %i = add i32 %m, %t\n"
                     "  call void @out(i32 %i)\n  ret void\n}\n");
  };
  expectInOrder(index("ntid.x", "tid.x"), {"%m = mul nuw nsw i32", "%i = add nuw nsw i32"});
  for (const std::string &other : {index("ntid.y", "tid.x"), index("ntid.x", "tid.y")})
    expectNone(other, {"%i = add nuw nsw", "%m = mul nuw nsw"});
}

// ---- Control flow ------------------------------------------------------------------------------

// LLVM makes these of threadIdx.x / 16 * 4 and of threadIdx.x % 16 * 4, with and without 3.
TEST(Canonicalize, ThreadNumbersAreTakenApartFirst) {
  const auto made = [](const std::string &body) {
    return canonical("define void @f() {\n  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                     body + "  call void @out(i32 %b)\n  ret void\n}\n");
  };
  expectInOrder(made("  %a = lshr i32 %x, 2\n  %b = and i32 %a, 252\n"),
                {"lshr i32 %x, 4", ", 63", "shl i32", ", 2"});
  expectInOrder(made("  %a = lshr i32 %x, 2\n  %b = or i32 %a, 3\n"),
                {"lshr i32 %x, 4", "shl i32", ", 2", "or i32", ", 3"});
  expectInOrder(made("  %a = shl i32 %x, 2\n  %b = and i32 %a, 60\n"),
                {"and i32 %x, 15", "shl i32", ", 2"});
  // All of its bits are of the same thread.
  expectInOrder(made("  %a = lshr i32 %x, 2\n  %b = and i32 %a, 7\n"),
                {"lshr i32 %x, 2", "and i32", ", 7"});
}

// LLVM makes these of n - 1 - i and of 255 - threadIdx.x % 256.
TEST(Canonicalize, IndicesThatGoDownAreSubtracted) {
  const auto made = [](const std::string &body) {
    return canonical("define void @f(i32 %n, i32 %i, ptr %p) {\n" + body +
                     "  call void @out(i32 %b)\n  ret void\n}\n");
  };
  expectInOrder(made("  %a = xor i32 %i, -1\n  %b = add i32 %n, %a\n"),
                {"%a = sub nuw nsw i32 -1, %i", "add i32 %a, %n"});
  const std::string low = "  %l = and i32 %i, 127\n";
  expectInOrder(made(low + "  %x = xor i32 %l, 255\n  %b = add i32 %n, %x\n"),
                {"%x = sub nuw nsw i32 255, %l"});
  // More bits than these may be set; or it is bits that are wanted.
  expectNone(made(low + "  %x = xor i32 %l, 63\n  %b = add i32 %n, %x\n"), {"sub"});
  expectNone(made("  %a = xor i32 %i, -1\n  %b = and i32 %n, %a\n"), {"sub"});
}

TEST(Canonicalize, SwitchesBecomeBranches) {
  Ir ir(declarations + "define void @f(i32 %n) {\n"
                       "  switch i32 %n, label %c [ i32 0, label %a\n i32 7, label %b ]\n"
                       "a:\n  call void @A()\n  ret void\nb:\n  call void @B()\n  ret void\n"
                       "c:\n  call void @C()\n  ret void\n}\n");
  canonicalize(ir.function("f"));
  ir.verify();
  expectNone(ir.text("f"), {"switch"});
  EXPECT_EQ(Gang(1).run(ir.function("f"), {0}), "A:all");
  EXPECT_EQ(Gang(1).run(ir.function("f"), {7}), "B:all");
  EXPECT_EQ(Gang(1).run(ir.function("f"), {3}), "C:all");
}

TEST(Canonicalize, OneReturn) {
  const std::string text = canonical("define void @f(i1 %c) {\n  br i1 %c, label %a, label %b\n"
                                     "a:\n  call void @A()\n  ret void\n"
                                     "b:\n  call void @B()\n  ret void\n}\n");
  EXPECT_EQ(count(text, "ret void"), 1u);
}

// PTX `exit` ends the thread; what follows it does not happen.
TEST(Canonicalize, ExitsReturn) {
  Ir ir(declarations + "declare void @llvm.nvvm.exit()\ndefine void @f(i1 %c) {\n"
                       "  br i1 %c, label %a, label %b\n"
                       "a:\n  call void @A()\n  call void @llvm.nvvm.exit()\n"
                       "  call void @B()\n  br label %b\nb:\n  call void @C()\n  ret void\n}\n");
  canonicalize(ir.function("f"));
  ir.verify();
  expectNone(ir.text("f"), {"exit()"});
  EXPECT_EQ(Gang(1).run(ir.function("f"), {1}), "A:all");
  EXPECT_EQ(Gang(1).run(ir.function("f"), {0}), "C:all");
}

// assert(i < n): a thread that traps would leave the others for good, and all that follows would be
// divergent. So it goes on as if nothing had happened; it never does.
TEST(Canonicalize, TrapsGoOn) {
  const std::string text =
      canonical("declare void @llvm.trap()\ndefine void @f(i1 %bad, i1 %worse) {\n"
                "  br i1 %bad, label %dead, label %next\n"
                "next:\n  call void @A()\n  br i1 %worse, label %dead, label %fine\n"
                "dead:\n  call void @llvm.trap()\n  unreachable\n"
                "fine:\n  call void @B()\n  ret void\n}\n");
  expectNone(text, {"unreachable"});
  // Each of the two goes on where it came from.
  EXPECT_EQ(count(text, "call void @llvm.trap()"), 2u);
  expectInOrder(blockText(text, "next"), {"call void @A()"});
  Ir ir(declarations + "declare void @llvm.trap()\n" + text);
  llvm::PostDominatorTree ends(ir.function("f"));
  const auto block = [&](const char *name) {
    return llvm::cast<llvm::BasicBlock>(ir.function("f").getValueSymbolTable()->lookup(name));
  };
  EXPECT_TRUE(ends.dominates(block("next"), &ir.function("f").getEntryBlock()));
  EXPECT_TRUE(ends.dominates(block("fine"), block("next")));
}

// A loop with two entries, two ways back and an exit that others share.
TEST(Canonicalize, LoopsHaveOneEntryOneWayBackAndTheirOwnExits) {
  Ir ir(declarations + "define void @f(i1 %c, i1 %d, i32 %n) {\n"
                       "  br i1 %c, label %one, label %two\n"
                       "one:\n  %i = phi i32 [ 0, %0 ], [ %k, %two ], [ %k, %again ]\n"
                       "  call void @out(i32 %i)\n  br label %two\n"
                       "two:\n  %j = phi i32 [ 5, %0 ], [ %i, %one ]\n  %k = add i32 %j, 1\n"
                       "  %go = icmp slt i32 %k, %n\n  br i1 %go, label %one, label %again\n"
                       "again:\n  %e = icmp slt i32 %k, 9\n  br i1 %e, label %one, label %end\n"
                       "end:\n  call void @out(i32 %k)\n  ret void\n}\n");
  llvm::Function &code = ir.function("f");
  canonicalize(code);
  ir.verify();
  const llvm::DominatorTree dominators(code);
  const llvm::LoopInfo loops(dominators);
  ASSERT_FALSE(loops.empty());
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    EXPECT_TRUE(loop->isLoopSimplifyForm());
    EXPECT_TRUE(loop->isLCSSAForm(dominators));
  }
}

// ---- Local variables ---------------------------------------------------------------------------

std::string placed(const std::string &code, bool in_frame, uint64_t &frame_bytes) {
  Ir ir(declarations +
        "declare void @use(ptr)\ndeclare void @llvm.lifetime.start.p0(i64, ptr)\n"
        "define void @f(i64 %i, float %v) {\n" +
        code + "  ret void\n}\n");
  layOutPrivateMemory(ir.function("f"), 8, in_frame, frame_bytes);
  ir.verify();
  return ir.text("f");
}

std::string placed(const std::string &code) {
  uint64_t frame_bytes = 0;
  return placed(code, false, frame_bytes);
}

// float a[16]: element i of all 8 lanes, then element i + 1 … An index counts 8 * 4 bytes, a
// lane 4.
TEST(PrivateMemoryLayout, AreInterleaved) {
  const std::string text = placed("  %a = alloca [16 x float]\n"
                                  "  call void @llvm.lifetime.start.p0(i64 64, ptr %a)\n"
                                  "  %e = getelementptr float, ptr %a, i64 %i\n"
                                  "  store float %v, ptr %e\n  %l = load float, ptr %a\n");
  expectInOrder(text, {"alloca [512 x i8], align 64", "@heddle.lane()", "mul i64", ", 4",
                       "mul i64 %i, 32", "store float %v", "load float"});
  expectNone(text, {"lifetime", "alloca [16 x float]"});
}

// alignas(16): a thread's first element is, a lane's is not. An access that claimed to be would be
// taken for a misaligned one.
TEST(PrivateMemoryLayout, AreAlignedToTheirElementsOnly) {
  const std::string text = placed("  %a = alloca [16 x float], align 16\n"
                                  "  %e = getelementptr [4 x float], ptr %a, i64 %i\n"
                                  "  store float %v, ptr %e, align 16\n"
                                  "  %l = load float, ptr %a, align 16\n");
  expectInOrder(text, {"store float %v, ptr", ", align 4", "load float, ptr", ", align 4"});
}

// `float sums[3] = {}`: each element is set where it lies.
TEST(PrivateMemoryLayout, AreClearedElementByElement) {
  const auto cleared = [](const std::string &bytes, const std::string &set = "false") {
    return placed("  %a = alloca [16 x float]\n"
                  "  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 " +
                  bytes + ", i1 " + set +
                  ")\n  %e = getelementptr float, ptr %a, i64 %i\n  %l = load float, ptr %e\n");
  };
  const std::string text = cleared("12");
  expectInOrder(text, {"mul i64", ", 4", "store i32 16843009, ptr %", "i64 32",
                       "store i32 16843009", "i64 64", "store i32 16843009", "mul i64 %i, 32"});
  EXPECT_EQ(count(text, "store i32 16843009"), 3u);
  expectNone(text, {"memset"});
  for (const std::string &other : {cleared("10"), cleared("%i"), cleared("12", "true")})
    expectInOrder(other, {"mul i64", ", 64", "@llvm.memset"});
}

// A variable whose address goes elsewhere, or that is accessed in parts, lies in one piece: 64
// bytes for each lane.
TEST(PrivateMemoryLayout, WithEscapingAddressesStayWhole) {
  for (const char *access : {"  call void @use(ptr %a)\n", "  store ptr %a, ptr null\n",
                             "  %e = getelementptr i8, ptr %a, i64 %i\n  %l = load i8, ptr %e\n"
                             "  %k = load float, ptr %a\n",
                             "  %e = getelementptr i8, ptr %a, i64 %i\n  %l = load float, ptr %e\n",
                             "  %l = load <2 x float>, ptr %a\n"}) {
    const std::string text = placed("  %a = alloca [16 x float]\n" + std::string(access));
    expectInOrder(text, {"alloca [512 x i8]", "@heddle.lane()", "mul i64", ", 64"});
    expectNone(text, {"mul i64 %i, 8\n"});
  }
}

// On the stack they are gone when the function returns to wait; in the gang's frame they stay.
TEST(PrivateMemoryLayout, SurviveWaitsInTheFrame) {
  uint64_t frame_bytes = 100;
  const std::string text = placed("  %a = alloca i32\n  %b = alloca [2 x i32]\n"
                                  "  store i32 1, ptr %a\n  store i32 1, ptr %b\n",
                                  true, frame_bytes);
  expectNone(text, {"alloca"});
  // Each begins at a multiple of 64: 4 * 8 bytes at 128, 8 * 8 at 192.
  EXPECT_EQ(count(text, "@heddle.frame()"), 2u);
  expectInOrder(text, {"i64 128"});
  expectInOrder(text, {"i64 192"});
  EXPECT_EQ(frame_bytes, 192u + 64);
}

TEST(PrivateMemoryLayout, ThatAreLargeAreInTheFrameToo) {
  uint64_t frame_bytes = 0;
  const std::string text =
      placed("  %a = alloca [4096 x i32]\n  store i32 1, ptr %a\n", false, frame_bytes);
  expectNone(text, {"alloca"});
  EXPECT_EQ(frame_bytes, 4096u * 4 * 8);
}

TEST(PrivateMemoryLayout, OfUnknownSizeAreRefused) {
  EXPECT_THROW(placed("  %a = alloca i32, i64 %i\n  store i32 1, ptr %a\n"), std::runtime_error);
}

// ---- Indices -----------------------------------------------------------------------------------

// `code` computes the index %i; the address %e is used.
std::string widened(const std::string &code) {
  Ir ir(declarations +
        "define void @f(ptr %p, i32 %n) {\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
        code +
        "  %e = getelementptr float, ptr %p, i64 %i\n  store float 0.0, ptr %e\n"
        "  ret void\n}\n");
  widenIndices(ir.function("f"), row(8));
  ir.verify();
  return ir.text("f");
}

// a[n + threadIdx.x]: extended where the index began, the sum is one of 64 bits.
TEST(IndexWidening, SumsOfAThreadsPartAreWidened) {
  const std::string text = widened("  %s = add nsw i32 %x, %n\n  %i = sext i32 %s to i64\n");
  expectInOrder(text, {"sext i32 %n to i64", "add i64", "getelementptr float"});
  expectInOrder(text, {"sext i32 %x to i64", "add i64", "getelementptr float"});
  expectNone(text, {"sext i32 %s to i64"});
}

TEST(IndexWidening, OfUnsignedNumbersToo) {
  const std::string text = widened("  %s = add nuw i32 %x, %n\n  %i = zext i32 %s to i64\n");
  expectInOrder(text, {"zext i32 %n to i64", "add i64"});
  expectNone(text, {"zext i32 %s to i64", "sext"});
}

// What is known not to be negative may be extended either way.
TEST(IndexWidening, OfNumbersThatAreNotNegative) {
  for (const char *flag : {"nuw", "nsw"})
    expectNone(widened(std::string("  %s = add ") + flag + " i32 %x, %n\n" +
                       "  %i = zext nneg i32 %s to i64\n"),
               {"i32 %s to i64"});
  // An `or` of numbers without common bits is a sum.
  const std::string text = widened("  %s = or disjoint i32 %x, %n\n  %i = sext i32 %s to i64\n");
  expectInOrder(text, {"add i64"});
  expectNone(text, {"or i64", "sext i32 %s"});
}

TEST(IndexWidening, ThroughSeveralOperations) {
  expectInOrder(widened("  %m = mul nsw i32 %x, 3\n  %s = sub nsw i32 %m, %n\n"
                        "  %i = sext i32 %s to i64\n"),
                {"mul i64", ", 3", "sub i64", "getelementptr float"});
}

// What may wrap in 32 bits must go on to: 64 bits would not.
TEST(IndexWidening, ThatMayWrapStay) {
  expectInOrder(widened("  %s = add i32 %x, %n\n  %i = sext i32 %s to i64\n"),
                {"sext i32 %s to i64"});
  // Not negative as an unsigned number says nothing of the sign.
  expectInOrder(widened("  %s = add nuw i32 %x, %n\n  %i = sext i32 %s to i64\n"),
                {"sext i32 %s to i64"});
}

// An address that all lanes share needs no widening.
TEST(IndexWidening, ThatAreUniformStay) {
  expectInOrder(widened("  %s = add nsw i32 %n, 1\n  %i = sext i32 %s to i64\n"),
                {"sext i32 %s to i64"});
}

} // namespace
