// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the SIMD compiler's passes share. See also gang.h and ir.h.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"
#include "ir.h"

#include <string>

namespace heddle::engine::simd {

/// A gang of `lanes` neighbours along x, in blocks whose rows are whole gangs.
inline LaneLayout row(unsigned lanes) { return {lanes, LaneLayout::Kind::Row, 0, lanes, true}; }

/// Declarations that most tests need: special registers, and A … E and out, which stand for any
/// code with an effect.
inline const std::string declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier0()
declare void @A()
declare void @B()
declare void @C()
declare void @D()
declare void @out(i32)
)";

/// A function of %n and %p, with %x = threadIdx.x. `body` is the rest of its first block and all
/// that comes behind.
inline std::string ofThread(const std::string &body) {
  return declarations +
         "define void @f(i32 %n, ptr %p) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         body + "}\n";
}

/// In a function of %n, %m, %p and %q: %x = threadIdx.x, and bytes %a and %b (extended: %az, %bz)
/// that differ between lanes, those of %n and %m, as far as the compiler does not know.
inline const std::string two_bytes = R"(
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p.x = getelementptr i8, ptr %p, i32 %x
  %q.x = getelementptr i8, ptr %q, i32 %x
  %n.8 = trunc i32 %n to i8
  %m.8 = trunc i32 %m to i8
  store i8 %n.8, ptr %p.x
  store i8 %m.8, ptr %q.x
  %a = load i8, ptr %p.x
  %b = load i8, ptr %q.x
  %az = zext i8 %a to i32
  %bz = zext i8 %b to i32
)";

/// The text of one block, without its label; "" if there is none of that name.
inline std::string blockText(const std::string &function, const std::string &name) {
  const size_t start = function.find("\n" + name + ":");
  if (start == std::string::npos)
    return "";
  const size_t end = function.find("\n\n", start + 1);
  return function.substr(start + name.size() + 2, end - start);
}

} // namespace heddle::engine::simd
