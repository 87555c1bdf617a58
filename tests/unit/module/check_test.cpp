// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot run yet is found at build time and named with the user's line.
#include "module/passes/check.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

const char *const debug_info =
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: "
    "FullDebug)\n"
    "!1 = !DIFile(filename: \"sum.cu\", directory: \"/home\")\n"
    "!2 = distinct !DISubprogram(name: \"f\", file: !1, line: 10, unit: !0, type: !5)\n"
    "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!4 = !DILocation(line: 12, column: 5, scope: !2)\n"
    "!5 = !DISubroutineType(types: !{})\n";

TEST(FindUnsupported, CallsOfWhatIsDefinedNowhere) {
  Ir ir(std::string("declare void @_Z6helperi(i32)\n"
                    "define void @f() !dbg !2 {\n"
                    "  call void @_Z6helperi(i32 1), !dbg !4\n"
                    "  call void @_Z6helperi(i32 2), !dbg !4\n"
                    "  ret void\n}\n") +
        debug_info);
  const auto messages = findUnsupported(ir.module());
  ASSERT_EQ(messages.size(), 1u); // once each
  EXPECT_EQ(messages[0].find("sum.cu:12:5: error: "), 0u) << messages[0];
  expectInOrder(messages[0], {"'helper(int)'", "defined nowhere"});
}

TEST(FindUnsupported, NothingInOrdinaryCode) {
  Ir ir("declare i32 @vprintf(ptr, ptr)\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "declare void @unused()\n"
        "define void @g() { ret void }\n"
        "define void @f(ptr %function) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %n = call i32 @vprintf(ptr null, ptr null)\n"
        "  call void @g()\n  call void %function()\n"
        "  call void asm sideeffect \"\", \"~{memory}\"()\n" // only orders memory accesses
        "  ret void\n}\n");
  EXPECT_TRUE(findUnsupported(ir.module()).empty());
}

TEST(FindUnsupported, WithoutDebugInformationThereIsNoLine) {
  Ir ir("declare void @gone()\ndefine void @f() {\n  call void @gone()\n  ret void\n}\n");
  const auto messages = findUnsupported(ir.module());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].find("error: device function 'gone'"), 0u) << messages[0];
}

TEST(EngineFunctions, AreKnownByName) {
  for (const char *name : {"vprintf", "__assertfail", "__heddle_grid_sync"})
    EXPECT_TRUE(isEngineFunction(name)) << name;
  for (const char *name : {"printf", "helper", ""})
    EXPECT_FALSE(isEngineFunction(name)) << name;
}

} // namespace
