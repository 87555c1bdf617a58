// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread's code in, a gang's code out: for tests of widen.h.
#pragma once

#include "engine/abi.h"
#include "engine/compiler/simd/widen/widen.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

namespace heddle::engine::simd {

/// The code around `body`: a function with the signature of a SimdEntry, whose arguments may be
/// used, and these values:
///
///     %x      threadIdx.x          %p %q  pointers that are the same for all, from the parameters
///     %e      &((float *)p)[x]     %n     a number that is
///     %u      a number of which nothing is known, different in each lane; %c a bit like that
inline std::string threadCode(const std::string &body, const std::string &more = "") {
  return declarations + more +
         "declare void @heddle.mask(i1)\n"
         "define void @f(ptr %gang, ptr %parameters, i32 %x0, i32 %y0, i32 %z0, i32 %active, "
         "i32 %state) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %p = load ptr, ptr %parameters, !invariant.load !0, !align !1\n"
         "  %q.place = getelementptr i8, ptr %parameters, i64 8\n"
         "  %q = load ptr, ptr %q.place, !invariant.load !0, !align !1\n"
         "  %n.place = getelementptr i8, ptr %parameters, i64 16\n"
         "  %n = load i32, ptr %n.place, !invariant.load !0\n"
         "  %wide = zext i32 %x to i64\n"
         "  %e = getelementptr float, ptr %p, i64 %wide\n"
         "  %u.place = getelementptr i32, ptr %q, i64 %wide\n"
         "  %u = load i32, ptr %u.place, align 4\n  %c = icmp slt i32 %u, %n\n"
         "  br label %code\ncode:\n" +
         body + "}\n!0 = !{}\n!1 = !{i64 8}\n";
}

/// The code of a gang of eight, or of `options`, from `body` on; remarks to `remarks`.
inline std::string widened(const std::string &body, WidenOptions options = {row(8)},
                           const std::string &more = "", std::vector<Remark> *remarks = nullptr) {
  Ir ir(threadCode(body + "  ret void\n", more));
  llvm::Function *gang = widen(ir.function("f"), options, remarks);
  EXPECT_EQ(gang, &ir.function("f"));
  ir.verify();
  const std::string text = ir.text("f");
  return text.substr(text.find("\ncode:"));
}

/// The same with the mask %c.
inline const std::string masked = "  call void @heddle.mask(i1 %c)\n";

inline std::string field(size_t offset) { return "i64 " + std::to_string(offset); }

} // namespace heddle::engine::simd
