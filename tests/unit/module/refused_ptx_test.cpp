// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas refuses of inline PTX is refused in its words, unless it is dead.
#include "module/passes/refused.h"
#include "module/ptx/inline_ptx.h"

#include "ir.h"

#include "llvm/Transforms/Utils/Local.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace heddle {
namespace {

const PtxTarget t4{75}, a100{80}, h100{90}, hopper{90, 'a'};

// The messages about code with an asm statement, a line each.
std::string complaints(const std::string &body, const PtxTarget &target) {
  Ir ir("@v = addrspace(1) global i32 0\ndefine i32 @f(i32 %a, i64 %p, i16 %h) {\n" + body +
        "  ret i32 0\n}\n");
  std::string all;
  for (const std::string &message : translateInlinePtx(ir.module(), &target))
    all += message + "\n";
  ir.verify();
  try {
    refuseMarked(ir.module());
  } catch (const Refusal &refusal) {
    EXPECT_EQ(refusal.exit_code, 255);
    all += refusal.what();
  }
  return all;
}

std::string aboutText(const std::string &ptx, const PtxTarget &target) {
  return complaints("  %d = call i32 asm sideeffect \"" + ptx +
                        "\", \"=r,r,l,h\"(i32 %a, i64 %p, i16 %h)\n",
                    target);
}

const std::string aborted = "ptxas fatal   : Ptx assembly aborted due to errors";

TEST(RefusedPtx, WhatTheGpuHasNotGot) {
  const char *copy = "cp.async.ca.shared.global [$1], [$2], 4;";
  EXPECT_EQ(aboutText(copy, t4),
            "error: Feature 'cp.async' requires .target sm_80 or higher\n" + aborted);
  EXPECT_EQ(aboutText(copy, a100), "");
  EXPECT_EQ(aboutText("barrier.cluster.arrive;", a100),
            "error: Feature 'barrier.cluster.arrive' requires .target sm_90 or higher\n" + aborted);
  EXPECT_EQ(aboutText("barrier.cluster.arrive;", h100), "");
  EXPECT_EQ(aboutText("wgmma.fence.sync.aligned;", h100),
            "error: Instruction 'wgmma.fence' not supported on .target 'sm_90'\n" + aborted);
  EXPECT_EQ(aboutText("wgmma.fence.sync.aligned;", hopper), "");
}

TEST(RefusedPtx, WhatTheVersionHasNotGot) {
  const char *shuffle = "shfl.idx.b32 $0, $1, 0, 31;";
  EXPECT_NE(aboutText(shuffle, t4).find("Instruction 'shfl' without '.sync' is not supported"),
            std::string::npos);
  PtxTarget older = a100;
  older.version = 60;
  EXPECT_EQ(aboutText("redux.sync.add.s32 $0, $1, -1;", older),
            "error: Feature 'redux' requires PTX ISA .version 7.0 or later\n" + aborted);
}

TEST(RefusedPtx, AllOfAStatementIsTold) {
  EXPECT_EQ(aboutText("frob; mov.u32 $0, 1; frib;", t4),
            "error: Not a name of any known instruction: 'frob'\n"
            "error: Not a name of any known instruction: 'frib'\n" +
                aborted);
}

TEST(RefusedPtx, RegistersOfOtherWidths) {
  EXPECT_EQ(aboutText("add.u32 $0, $2, 1;", t4),
            "error: Arguments mismatch for instruction 'add'\n" + aborted);
  EXPECT_EQ(aboutText("add.u32 $0, q, 1;", t4),
            "error: Arguments mismatch for instruction 'add'\nerror: Unknown symbol 'q'\n" +
                aborted);
}

TEST(RefusedPtx, NumbersOfBarriers) {
  EXPECT_EQ(aboutText("bar.sync 15;", t4), "");
  EXPECT_NE(aboutText("bar.sync 16;", t4)
                .find("Barrier number '16' out of range, expected to be in range [0..15]"),
            std::string::npos);
  EXPECT_NE(aboutText("bar.sync 1, 33;", t4)
                .find("Number of threads participating in barrier must be in multiple of warp"),
            std::string::npos);
  EXPECT_EQ(aboutText("bar.sync 1, $1;", t4), "");
}

TEST(RefusedPtx, VectorsOfMatrices) {
  EXPECT_NE(aboutText("ldmatrix.sync.aligned.m8n8.x1.shared.b16 $0, [$1];", t4)
                .find("Vector of size 1 is expected for argument 0 of instruction 'ldmatrix'"),
            std::string::npos);
  EXPECT_EQ(aboutText("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", t4), "");
}

TEST(RefusedPtx, OperandsOfOtherTypesThanTheirConstraints) {
  const auto about = [](const std::string &constraint, const std::string &value) {
    return complaints("  call void asm sideeffect \"{ }\", \"" + constraint + "\"(" + value + ")\n",
                      t4);
  };
  EXPECT_EQ(about("r", "i16 %h"), "error: asm operand type size(2) does not match type/size "
                                  "implied by constraint 'r'\n");
  EXPECT_EQ(about("r", "float 0.0"), "error: asm operand type size(4) does not match type/size "
                                     "implied by constraint 'r'\n");
  EXPECT_EQ(about("q", "i32 %a"), "error: asm operand type size(4) does not match type/size "
                                  "implied by constraint 'q'\n");
  EXPECT_EQ(about("r", "i32 %a") + about("h", "i16 %h") + about("l", "i64 %p") +
                about("l", "ptr null") + about("f", "float 0.0") + about("d", "double 0.0") +
                about("n", "i32 5"),
            "");
}

TEST(RefusedPtx, VariablesOfTheProgramHaveNames) {
  Ir ir("@v = addrspace(1) global i32 0\ndefine i32 @f() {\n"
        "  %d = call i32 asm \"ld.global.u32 $0, [v+0];\", \"=r\"()\n  ret i32 %d\n}\n");
  EXPECT_TRUE(translateInlinePtx(ir.module(), &t4).empty());
  refuseMarked(ir.module());
  ir.verify();
  expectInOrder(ir.text("f"), {"load i32, ptr addrspacecast (ptr addrspace(1) @v to ptr)"});
}

TEST(RefusedPtx, DeadCodeIsNotRefused) {
  Ir ir("define void @f() {\n  ret void\ndead:\n"
        "  call void asm sideeffect \"frob;\", \"\"()\n  ret void\n}\n"
        "define void @g() {\n  %x = call i32 asm \"frob $0;\", \"=r\"()\n  ret void\n}\n");
  EXPECT_TRUE(translateInlinePtx(ir.module(), &t4).empty());
  EXPECT_TRUE(hasRefusedCode(ir.module()));
  for (Function &function : ir.module()) {
    if (function.isDeclaration())
      continue;
    removeUnreachableBlocks(function);
    for (BasicBlock &block : function)
      SimplifyInstructionsInBlock(&block);
  }
  EXPECT_FALSE(hasRefusedCode(ir.module()));
  EXPECT_NO_THROW(refuseMarked(ir.module()));
}

} // namespace
} // namespace heddle
