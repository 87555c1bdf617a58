// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of wide gangs share (gang_width.h).
#pragma once

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/plan/gang_width.h"
#include "simd/widened.h"

namespace heddle::engine::simd {

inline constexpr TargetProfile avx512 = {.registers = {32, 64}, .native_gather = true},
                               avx2 = {.registers = {16, 32}};

// The layout of gangs that run this code, of which `usual` lanes would run otherwise. %own is
// &((float *)p)[threadIdx.x].
inline LaneLayout wider(const std::string &body, const TargetProfile &target = avx512,
                        const std::string &variant = "simd:128:full", unsigned usual = 32) {
  Ir ir(declarations + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.barrier.sync(i32)
declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @pure(i32) memory(none) nounwind willreturn
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.bar.warp.sync(i32)
define void @f(ptr %p, ptr %q, i32 %n, i1 %same) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %x to i64
  %own = getelementptr float, ptr %p, i64 %wide
)" + body +
        "}\n");
  canonicalizeLoops(ir.function("f"));
  const Variant blocks = parseVariant(variant);
  return widerLayout(ir.function("f"), blocks, layoutFor(blocks, usual, false), target);
}

// A sum of a[k] * b[k + threadIdx.x], as a product of matrices has: each addition waits for the one
// before. `inside` is done in each round; %vb and %s are two values a lane.
inline std::string sum(const std::string &inside = "", const std::string &before = "",
                       const std::string &after = "", const std::string &last = "1000") {
  return before + R"(
  br label %head
head:
  br label %loop
loop:
  %k = phi i64 [ 0, %head ], [ %next, %latch ]
  %s = phi float [ 0.0, %head ], [ %t, %latch ]
  %a = getelementptr float, ptr %q, i64 %k
  %va = load float, ptr %a
  %j = add i64 %k, %wide
  %b = getelementptr float, ptr %p, i64 %j
  %vb = load float, ptr %b
  %m = fmul float %va, %vb
  %t = fadd float %s, %m
)" + inside +
         R"(
  br label %latch
latch:
  %next = add i64 %k, 1
  %go = icmp slt i64 %next, )" +
         last + R"(
  br i1 %go, label %loop, label %end
end:
)" + after +
         "  store float %t, ptr %own\n  ret void\n";
}

} // namespace heddle::engine::simd
