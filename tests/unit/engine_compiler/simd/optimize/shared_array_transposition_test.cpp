// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in shared memory whose two indices change places (shared_array_transposition.h). That
// programs do not notice is shown by tests/conformance, "tiles_stored_transposed".
#include "engine/compiler/simd/optimize/shared_array_transposition.h"

#include "engine/abi.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/block_shape.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Which arrays are known ----

SharedArrays known(const std::string &body, const std::string &more = "") {
  Ir ir("@tile = internal addrspace(3) global [4 x [16 x float]] undef, align 4\n"
        "@list = internal addrspace(3) global [64 x float] undef, align 4\n"
        "define void @kernel(ptr %p, i64 %i, i64 %j) {\n"
        "  %e = getelementptr [4 x [16 x float]], ptr addrspace(3) @tile, i64 0, i64 %i, i64 %j\n"
        "  store float 1.0, ptr addrspace(3) %e\n" +
        body + "  ret void\n}\n" + more);
  return sharedArrays(layOut(ir.module()), [](const llvm::Function &function) {
    return function.getName() == "kernel";
  });
}

TEST(SharedArrays, OfRowsThatAreLoadedAndStored) {
  const SharedArrays arrays = known(
      "  %v = load float, ptr addrspace(3) @list\n"
      "  %w = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 4)\n");
  ASSERT_EQ(arrays.size(), 1u);
  const SharedArray array = arrays.begin()->second;
  EXPECT_EQ(array.rows, 4u);
  EXPECT_EQ(array.columns, 16u);
  EXPECT_EQ(array.element_bytes, 4u);
}

// Code that has its address may access it as it was declared.
TEST(SharedArrays, NotIfTheirAddressGoesElsewhere) {
  EXPECT_TRUE(known("  store ptr addrspace(3) %e, ptr %p\n").empty());
  EXPECT_TRUE(known("  %g = addrspacecast ptr addrspace(3) %e to ptr\n"
                    "  store float 1.0, ptr %g\n")
                  .empty());
  EXPECT_TRUE(known("  %o = atomicrmw fadd ptr addrspace(3) %e, float 1.0 monotonic\n").empty());
  EXPECT_TRUE(known("", "define void @other() {\n  store float 0.0, ptr addrspace(3) @tile\n"
                        "  ret void\n}\n")
                  .empty());
}

// ---- Which of them are transposed ----

// The code of a thread of a block of 16 x 16, with threadIdx.x and .y as %x and %y, and %xw, %yw in
// 64 bits; %tile is an array of `rows` x 64 floats at the given offset of shared memory.
std::string transposed(const std::string &body, unsigned rows = 16, uint64_t offset = 4096,
                       const char *variant = "simd:16x256:whole") {
  const std::string at = std::to_string(offset);
  Ir ir(declarations +
        "define void @f(ptr %gang, ptr %p, i64 %k, i32 %n) {\nentry:\n"
        "  %block.place = getelementptr i8, ptr %gang, i64 " +
        std::to_string(offsetof(ThreadContext, block)) +
        "\n  %block = load ptr, ptr %block.place\n  %shared.place = getelementptr i8, ptr %block, "
        "i64 " +
        std::to_string(offsetof(BlockContext, shared)) +
        "\n  %shared = load ptr, ptr %shared.place\n"
        "  %tile.place = getelementptr i8, ptr %shared, i64 " +
        at +
        "\n  %tile = addrspacecast ptr %tile.place to ptr addrspace(3)\n"
        "  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %y = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
        "  %xw = zext i32 %x to i64\n  %yw = zext i32 %y to i64\n" +
        body + "  ret void\n}\n");
  const Variant blocks = parseVariant(variant);
  useBlockShape(ir.function("f"), blocks, 0);
  canonicalizeLoops(ir.function("f"));
  transposeArrays(ir.function("f"), layoutFor(blocks, 32, false),
                  {{4096, SharedArray{rows, 64, 4}}});
  ir.verify();
  return ir.text("f");
}

std::string element(const std::string &name, const std::string &row, const std::string &column) {
  return "  " + name + " = getelementptr inbounds [16 x [64 x float]], ptr addrspace(3) %tile, " +
         "i64 0, i64 " + row + ", i64 " + column + "\n";
}

// tile[x][y] = 1
const std::string store_column =
    element("%e", "%xw", "%yw") + "  store float 1.0, ptr addrspace(3) %e, align 4\n";
// p[0] = tile[3][y]
const std::string load_one = element("%o", "3", "%yw") +
                             "  %v = load float, ptr addrspace(3) %o, align 4\n"
                             "  store float %v, ptr %p\n";

TEST(SharedArrayTransposition, ThatAreStoredDownTheirColumns) {
  const std::string text = transposed(store_column + load_one);
  expectInOrder(text, {"mul nuw nsw i64 %yw, 16", "add nuw nsw i64", "%xw",
                       "getelementptr inbounds float, ptr addrspace(3) %tile", "store float 1.0",
                       "mul nuw nsw i64 %yw, 16", "add nuw nsw i64", ", 3", "load float"});
  expectNone(text, {"addrspace(3) %e,", "addrspace(3) %o,"});
}

void expectAsItWas(const std::string &text) {
  expectInOrder(text, {"store float 1.000000e+00, ptr addrspace(3) %e"});
}

// Other arrays keep their places, whatever is near them.
TEST(SharedArrayTransposition, NotOthers) {
  expectAsItWas(transposed(store_column + load_one, 16, 0));
}

// It would be a scatter or gather in either case.
TEST(SharedArrayTransposition, NotIfTheyAreLoadedAlongTheirRows) {
  expectAsItWas(transposed(store_column + element("%o", "%yw", "%xw") +
                           "  %v = load float, ptr addrspace(3) %o\n"
                           "  store volatile float %v, ptr %p\n"));
}

TEST(SharedArrayTransposition, WhereLoopsCountMore) {
  const std::string loop = "  br label %loop\nloop:\n"
                           "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n",
                    again = "  %next = add nuw nsw i64 %i, 1\n  %go = icmp ult i64 %next, 16\n"
                            "  br i1 %go, label %loop, label %end\nend:\n";
  const std::string along = element("%o", "%yw", "%xw") + "  %v = load float, ptr addrspace(3) %o\n"
                                                          "  store volatile float %v, ptr %p\n";
  const std::string down =
      element("%e", "%xw", "%i") + "  store float 1.0, ptr addrspace(3) %e, align 4\n";
  expectNone(transposed(loop + down + again + along), {"addrspace(3) %e,"});
}

// Programs walk through arrays of arrays as if they were one.
TEST(SharedArrayTransposition, NotIfAColumnMayLieInTheNextRow) {
  const std::string flat = element("%o", "0", "%k") + "  %v = load float, ptr addrspace(3) %o\n"
                                                      "  store volatile float %v, ptr %p\n";
  expectAsItWas(transposed(store_column + flat));
  // Of this row's 64, 60 + y may be the next one's.
  expectAsItWas(transposed(store_column + "  %far = add i64 %yw, 60\n" +
                           element("%o", "0", "%far") +
                           "  %v = load float, ptr addrspace(3) %o\n"
                           "  store volatile float %v, ptr %p\n"));
  // 48 + y is not.
  expectNone(transposed(store_column + "  %near = add i64 %yw, 48\n" + element("%o", "0", "%near") +
                        "  %v = load float, ptr addrspace(3) %o\n"
                        "  store volatile float %v, ptr %p\n"),
             {"addrspace(3) %e,"});
}

// Nor if the array ends before the last thread's.
TEST(SharedArrayTransposition, NotIfARowMayLieBehindTheArray) {
  expectAsItWas(transposed(store_column + load_one, 8));
}

// How many rows of threads there are decides which columns are stored to.
TEST(SharedArrayTransposition, NotIfTheBlockMayBeLarger) {
  expectAsItWas(transposed(store_column + load_one, 16, 4096, "simd:16x128:full"));
}

TEST(SharedArrayTransposition, NotIfPartsOfElementsAreAccessed) {
  expectAsItWas(transposed(store_column + load_one +
                           "  %h = load i16, ptr addrspace(3) %o\n"
                           "  store i16 %h, ptr %p\n"));
}

TEST(SharedArrayTransposition, NotIfTheirAddressGoesElsewhere) {
  expectAsItWas(transposed(store_column + load_one + "  store ptr addrspace(3) %o, ptr %p\n"));
}

// What is added to an element's address is of its column if that makes sense, else of its row.
TEST(SharedArrayTransposition, AlsoByBytes) {
  const std::string text =
      transposed(store_column + element("%o", "%xw", "%yw") +
                 "  %below = getelementptr i8, ptr addrspace(3) %o, i64 8\n"
                 "  %v = load float, ptr addrspace(3) %below\n  store volatile float %v, ptr %p\n");
  expectInOrder(text, {"add i64 %yw, 2", "load float"});
  expectNone(text, {"addrspace(3) %below"});
}

} // namespace
