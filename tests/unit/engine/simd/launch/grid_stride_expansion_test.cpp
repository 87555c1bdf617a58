// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a launch gets a thread for each element (grid_stride_expansion.h).
#include "engine/simd/launch/grid_stride_expansion.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

struct Parameters {
  int32_t n = 10000;
  uint64_t in = 1 << 20, out = 2 << 20;
};

// A kernel with out[i] = f(in[i]), of floats and of doubles.
GridStride copying() {
  GridStride loop = {offsetof(Parameters, n), 4, {}};
  loop.arrays = {{offsetof(Parameters, in), 4, false}, {offsetof(Parameters, out), 8, true}};
  return loop;
}

uint32_t expanded(const Parameters &parameters, Dim3 grid = {4}, Dim3 block = {256},
                  const GridStride &loop = copying(), bool cooperative = false) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
  launch.cooperative = cooperative;
  launch.parameters = &parameters;
  return expandedGrid(loop, launch);
}

TEST(GridStrideExpansion, GivesEachElementAThread) {
  EXPECT_EQ(expanded({}), 40u); // 10240 threads
  EXPECT_EQ(expanded({.n = 10240}), 40u);
  EXPECT_EQ(expanded({.n = 10241}), 41u);
  EXPECT_EQ(expanded({}, {3}, {100}), 100u);
}

TEST(GridStrideExpansion, NotIfThereAreEnough) {
  EXPECT_EQ(expanded({.n = 1024}), 4u);
  EXPECT_EQ(expanded({.n = 0}), 4u);
  EXPECT_EQ(expanded({.n = -5}), 4u);
  EXPECT_EQ(expanded({}, {100}), 100u);
  EXPECT_EQ(expanded({.n = INT32_MAX}), 4u); // the index would wrap
}

TEST(GridStrideExpansion, NotOfOtherKernelsAndLaunches) {
  EXPECT_EQ(expanded({}, {4}, {256}, GridStride()), 4u);
  EXPECT_EQ(expanded({}, {4, 2}), 4u);
  EXPECT_EQ(expanded({}, {4}, {16, 16}), 4u);
  EXPECT_EQ(expanded({}, {4}, {256}, copying(), true), 4u);
}

// A round may then read what an earlier one of the same thread has stored.
TEST(GridStrideExpansion, NotIfArraysOverlap) {
  const uint64_t out = 2 << 20;
  EXPECT_EQ(expanded({.in = out - 40000, .out = out}), 40u);
  EXPECT_EQ(expanded({.in = out - 39999, .out = out}), 4u);
  EXPECT_EQ(expanded({.in = out + 80000, .out = out}), 40u);
  EXPECT_EQ(expanded({.in = out + 79999, .out = out}), 4u);
  EXPECT_EQ(expanded({.in = out, .out = out}), 4u); // of elements of another size
  GridStride same = copying();
  same.arrays[0].element_bytes = 8;
  EXPECT_EQ(expanded({.in = out, .out = out}, {4}, {256}, same), 40u);
  same.arrays[1].stored = false; // nothing is stored
  EXPECT_EQ(expanded({.in = out + 8, .out = out}, {4}, {256}, same), 40u);
}

} // namespace
