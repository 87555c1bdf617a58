// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function has one address in all files that are compiled of an image.
#include "engine/compiler/lowering/function_addresses.h"

#include "engine/compiler/lowering/thread_context.h"
#include "ir.h"

#include "llvm/IR/GlobalAlias.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

const char *const text = R"(
@table = internal constant [2 x ptr] [ptr @f, ptr @g]
define internal void @f() {
  call void @f()
  ret void
}
define internal void @g() {
  ret void
}
define internal void @called() {
  ret void
}
define i1 @kernel(ptr %p) {
  call void @called()
  call void @g()
  %same = icmp eq ptr %p, @f
  ret i1 %same
}
)";

void share(Ir &ir, const char *bitcode) {
  addThreadContext(ir.module());
  shareFunctionAddresses(ir.module(), {ImageInfo(), bitcode});
  ir.verify();
}

TEST(FunctionAddresses, AreThoseOfSharedSymbols) {
  Ir ir(text);
  share(ir, "image");
  ASSERT_EQ(std::distance(ir.module().alias_begin(), ir.module().alias_end()), 2);
  for (const llvm::GlobalAlias &alias : ir.module().aliases()) {
    EXPECT_TRUE(alias.hasDefaultVisibility());
    EXPECT_FALSE(alias.isDSOLocal()) << "or it would be this file's own";
    EXPECT_TRUE(alias.isInterposable());
  }
  expectInOrder(ir.text("kernel"), {"icmp eq ptr %p, @heddle.function."});
  // Tables hold the addresses that code compares them with.
  const std::string table = ir.text().substr(ir.text().find("@table"));
  expectInOrder(table.substr(0, table.find('\n')),
                {"ptr @heddle.function.", ".f, ptr @heddle.function.", ".g]"});
}

TEST(FunctionAddresses, CallsStayDirect) {
  Ir ir(text);
  share(ir, "image");
  expectInOrder(ir.text("kernel"), {"call void @called(", "call void @g("});
  expectInOrder(ir.text("f"), {"call void @f("});
}

TEST(FunctionAddresses, ImagesAreApart) {
  Ir one(text), same(text), other(text);
  share(one, "image");
  share(same, "image");
  share(other, "another image");
  EXPECT_EQ(one.module().alias_begin()->getName(), same.module().alias_begin()->getName());
  EXPECT_NE(one.module().alias_begin()->getName(), other.module().alias_begin()->getName());
}

// Entries of kernels are in tables, but those are no business of the program's.
TEST(FunctionAddresses, OurOwnFunctionsAreNotShared) {
  Ir ir("@table = internal constant ptr @heddle.gang.k\n"
        "define internal void @heddle.gang.k() {\n  ret void\n}\n");
  share(ir, "image");
  EXPECT_TRUE(ir.module().alias_empty());
}

} // namespace
