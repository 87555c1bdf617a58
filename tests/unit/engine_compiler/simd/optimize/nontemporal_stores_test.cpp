// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stores may go past the caches (nontemporal_stores.h), and the code that stores them so
// (Widener::storeRows).
#include "engine/compiler/simd/optimize/nontemporal_stores.h"

#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Which ones ----

// Bytes a thread of a kernel's code; %a and %b are the addresses of its own floats, behind %p and
// %q.
uint64_t streamed(const std::string &body) {
  Ir ir(declarations + R"(
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@tile = internal addrspace(3) global [64 x float] poison
define void @f(ptr %p, ptr %q, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %x to i64
  %a = getelementptr float, ptr %p, i64 %w
  %b = getelementptr float, ptr %q, i64 %w
  %t = getelementptr float, ptr addrspace(3) @tile, i64 %w
  %v = load float, ptr %a
)" + body +
        "  ret void\n}\n!0 = !{!1}\n!1 = distinct !{!1, !2}\n!2 = distinct !{!2}\n");
  const uint64_t bytes = markNontemporalStores(ir.function("f"));
  EXPECT_EQ(count(ir.text("f"), "!heddle.streams") != 0, bytes != 0);
  return bytes;
}

const std::string store = "  store float %v, ptr %b\n";

TEST(NontemporalStores, WhatTheKernelDoesNotRead) {
  EXPECT_EQ(streamed(store), 4u);
  EXPECT_EQ(streamed(store + "  %c = getelementptr double, ptr %q, i64 %w\n"
                             "  store double 0.0, ptr %c\n"),
            12u);
  EXPECT_EQ(streamed("  store float 1.0, ptr %a\n"), 0u);
  EXPECT_EQ(streamed("  %u = load float, ptr %q\n" + store), 0u); // another element of it
}

TEST(NontemporalStores, NotToSharedMemory) {
  EXPECT_EQ(streamed("  store float %v, ptr addrspace(3) %t\n"), 0u);
}

// Threads of a block run on one CPU.
TEST(NontemporalStores, AcrossBarriersOfTheBlock) {
  EXPECT_EQ(streamed("  call void @llvm.nvvm.barrier0()\n" + store), 4u);
}

// Others may look for what has been stored before.
TEST(NontemporalStores, NotInKernelsThatTellOthers) {
  EXPECT_EQ(streamed(store + "  fence seq_cst\n"), 0u);
  EXPECT_EQ(streamed(store + "  store volatile i32 1, ptr %p\n"), 0u);
  EXPECT_EQ(streamed(store + "  %o = atomicrmw add ptr %p, i32 1 monotonic\n"), 0u);
  EXPECT_EQ(streamed(store + "  call void @A()\n"), 0u);
}

// As kernels with __restrict__ parameters have it, and those with `float sums[4] = {}`.
TEST(NontemporalStores, InKernelsWithCallsThatSignalNothing) {
  EXPECT_EQ(streamed("  call void @llvm.experimental.noalias.scope.decl(metadata !0)\n" + store),
            4u);
  const auto filling = [](const std::string &is_volatile) {
    return streamed("  %l = alloca [4 x float]\n"
                    "  call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 16, i1 " +
                    is_volatile + ")\n" + store);
  };
  EXPECT_EQ(filling("false"), 4u);
  EXPECT_EQ(filling("true"), 0u);
}

// The same places may be stored to in each round, unless each is a grid's size away.
TEST(NontemporalStores, NotInMostLoops) {
  EXPECT_EQ(streamed("  %nw = zext i32 %n to i64\n  br label %loop\nloop:\n"
                     "  %k = phi i64 [ %w, %entry ], [ %next, %loop ]\n"
                     "  %c = getelementptr float, ptr %q, i64 %k\n  store float %v, ptr %c\n"
                     "  %next = add i64 %k, %nw\n  %go = icmp slt i64 %next, 10000\n"
                     "  br i1 %go, label %loop, label %end\nend:\n"),
            4u);
  EXPECT_EQ(streamed("  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n" +
                     store +
                     "  %next = add i32 %k, 1\n  %go = icmp slt i32 %next, %n\n"
                     "  br i1 %go, label %loop, label %end\nend:\n"),
            0u);
}

// ---- The code ----

std::string storing(const char *type, WidenOptions options, const char *metadata) {
  options.sweeps = true;
  const std::string value = std::string(type) == "float" ? "1.0" : "1";
  return widened("  %d = getelementptr " + std::string(type) + ", ptr %p, i64 %wide\n  store " +
                     type + " " + value + ", ptr %d, align 1" + metadata + "\n",
                 options);
}

// Whole lines of 64 bytes, if they are aligned and the launch is large.
TEST(NontemporalStores, AreChosenByAddressAndLaunch) {
  const std::string text = storing("float", {row(32)}, ", !heddle.streams !0");
  expectInOrder(text, {"ptrtoint ptr", "load i64", "and i64", "br i1", "store <32 x float>",
                       "align 64, !nontemporal", "store <32 x float>"});
}

TEST(NontemporalStores, OnlyOfWholeLines) {
  expectNone(storing("float", {row(8)}, ", !heddle.streams !0"), {"nontemporal"});
  expectNone(storing("i8", {row(32)}, ", !heddle.streams !0"), {"nontemporal"});
}

TEST(NontemporalStores, OnlyOfMarkedStores) {
  expectNone(storing("float", {row(32)}, ""), {"nontemporal"});
}

} // namespace
