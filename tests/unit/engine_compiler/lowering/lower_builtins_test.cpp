// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-ins become loads from the context and calls of the engine; unknown ones are named.
#include "engine/compiler/lowering/lower_builtins.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

std::string lowered(const std::string &declarations, const std::string &body,
                    std::vector<std::string> *unknown = nullptr) {
  Ir ir(declarations + "\ndefine void @f(ptr %p, i32 %x, i64 %w, i1 %b, float %v) {\n" + body +
        "\n  ret void\n}\n");
  addThreadContext(ir.module());
  const auto messages = lowerBuiltins(ir.module());
  if (unknown)
    *unknown = messages;
  else
    EXPECT_TRUE(messages.empty()) << messages[0];
  ir.verify();
  return ir.text("f");
}

std::string offset(size_t bytes) { return "i64 " + std::to_string(bytes); }

TEST(LowerBuiltins, SpecialRegistersAreLoads) {
  const std::pair<const char *, size_t> expected[] = {
      {"tid.x", offsetof(ThreadContext, thread_index)},
      {"tid.z", offsetof(ThreadContext, thread_index) + 8}};
  for (auto [name, at] : expected) {
    const std::string full = std::string("llvm.nvvm.read.ptx.sreg.") + name;
    const std::string text = lowered("declare i32 @" + full + "()",
                                     "%t = call i32 @" + full + "()\nstore i32 %t, ptr %p");
    // The first field lies at the context itself.
    if (at)
      expectInOrder(text, {"getelementptr inbounds i8, ptr %context, " + offset(at)});
    expectInOrder(text, {"load i32, ptr ", "!invariant.load", "store i32"});
    expectNone(text, {full});
  }
  const std::string block =
      lowered("declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()",
              "%t = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()\nstore i32 %t, ptr %p");
  expectInOrder(block, {offset(offsetof(ThreadContext, block)),
                        offset(offsetof(BlockContext, grid_dim) + 4), "load i32"});
}

struct Call {
  const char *declaration, *call;
  size_t service;
  const char *arguments; // after the context
};

TEST(LowerBuiltins, ServicesAreCallsThroughTheTable) {
  const Call calls[] = {
      {"declare void @llvm.nvvm.barrier0()", "call void @llvm.nvvm.barrier0()",
       offsetof(RuntimeTable, barrier), "i32 0, i32 0, i32 0, i32 0"},
      {"declare i32 @llvm.nvvm.barrier0.popc(i32)",
       "%r = call i32 @llvm.nvvm.barrier0.popc(i32 %x)", offsetof(RuntimeTable, barrier),
       "i32 0, i32 0, i32 1, i32 %x"},
      {"declare i32 @llvm.nvvm.barrier0.or(i32)", "%r = call i32 @llvm.nvvm.barrier0.or(i32 %x)",
       offsetof(RuntimeTable, barrier), "i32 0, i32 0, i32 3, i32 %x"},
      {"declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)",
       "call void @llvm.nvvm.barrier.sync.cnt(i32 3, i32 64)", offsetof(RuntimeTable, barrier),
       "i32 3, i32 64, i32 0, i32 0"},
      {"declare void @llvm.nvvm.bar.warp.sync(i32)", "call void @llvm.nvvm.bar.warp.sync(i32 %x)",
       offsetof(RuntimeTable, sync_warp), "i32 %x"},
      {"declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)",
       "%r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 4, i32 31)",
       offsetof(RuntimeTable, shuffle), "i32 2, i32 -1, i32 %x, i32 4, i32 31"},
      {"declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)",
       "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %b)", offsetof(RuntimeTable, vote),
       "i32 3, i32 -1, i32 "},
      {"declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)",
       "%r = call i32 @llvm.nvvm.match.any.sync.i64(i32 -1, i64 %w)",
       offsetof(RuntimeTable, match_any), "i32 -1, i64 %w"},
      {"declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)",
       "%r = call i32 @llvm.nvvm.redux.sync.umax(i32 %x, i32 255)", offsetof(RuntimeTable, reduce),
       "i32 4, i32 255, i32 %x"},
      {"declare i32 @vprintf(ptr, ptr)", "%r = call i32 @vprintf(ptr %p, ptr null)",
       offsetof(RuntimeTable, print), "i32 1, ptr %p, ptr null"},
      {"declare ptr @__heddle_malloc(i64)", "%r = call ptr @__heddle_malloc(i64 %w)",
       offsetof(RuntimeTable, allocate), "i64 %w"},
      {"declare void @__heddle_free(ptr)", "call void @__heddle_free(ptr %p)",
       offsetof(RuntimeTable, release), "ptr %p"},
      {"declare void @__assertfail(ptr, ptr, i32, ptr, i64)",
       "call void @__assertfail(ptr %p, ptr %p, i32 7, ptr %p, i64 1)",
       offsetof(RuntimeTable, assert_fail), "ptr %p, ptr %p, i32 7, ptr %p"},
      {"declare void @llvm.trap()", "call void @llvm.trap()", offsetof(RuntimeTable, trap), ""},
      {"declare void @llvm.nvvm.exit()", "call void @llvm.nvvm.exit()",
       offsetof(RuntimeTable, exit), ""},
      {"declare void @llvm.nvvm.nanosleep(i32)", "call void @llvm.nvvm.nanosleep(i32 9)",
       offsetof(RuntimeTable, yield), ""},
      {"declare void @__heddle_grid_sync()", "call void @__heddle_grid_sync()",
       offsetof(RuntimeTable, grid_sync), ""},
  };
  for (const Call &each : calls) {
    const std::string text = lowered(each.declaration, each.call);
    std::vector<std::string> pieces = {offset(offsetof(ThreadContext, runtime))};
    if (each.service) // the first service lies at the table itself
      pieces.push_back(offset(each.service));
    pieces.push_back(*each.arguments ? std::string("(ptr %context, ") + each.arguments
                                     : "(ptr %context)");
    expectInOrder(text, pieces);
    expectNone(text, {"@llvm.nvvm", "@vprintf", "@__"});
  }
}

TEST(LowerBuiltins, FloatsAndPredicatesAreUnpacked) {
  expectInOrder(lowered("declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)",
                        "%r = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %v, i32 0, i32 "
                        "31)\nstore float %r, ptr %p"),
                {"bitcast float %v to i32", "bitcast i32 ", " to float", "store float"});
  expectInOrder(lowered("declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)",
                        "%r = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %x)\n"
                        "%q = extractvalue {i32, i1} %r, 1\nstore i1 %q, ptr %p"),
                {"lshr i64", ", 32", "insertvalue"});
}

// Calls at different places have different numbers: __activemask returns the lanes at this one.
TEST(LowerBuiltins, SitesHaveNumbers) {
  expectInOrder(lowered("declare i32 @llvm.nvvm.activemask()",
                        "%one = call i32 @llvm.nvvm.activemask()\n"
                        "%two = call i32 @llvm.nvvm.activemask()"),
                {"(ptr %context, i32 1)", "(ptr %context, i32 2)"});
}

TEST(LowerBuiltins, FencesStay) {
  for (const char *level : {"cta", "gl", "sys"}) {
    const std::string name = std::string("@llvm.nvvm.membar.") + level;
    expectInOrder(lowered("declare void " + name + "()", "call void " + name + "()"),
                  {"fence seq_cst"});
  }
}

TEST(LowerBuiltins, UnknownOnesAreNamed) {
  std::vector<std::string> unknown;
  lowered("declare i32 @llvm.nvvm.read.ptx.sreg.envreg3()\ndeclare void @other()",
          "%a = call i32 @llvm.nvvm.read.ptx.sreg.envreg3()", &unknown);
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_NE(unknown[0].find("envreg3"), std::string::npos);
}

} // namespace
