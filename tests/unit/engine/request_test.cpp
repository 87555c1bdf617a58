// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a request costs: known cases, and the formulas for addresses in steps against the addresses
// themselves.
#include "engine/observe/request.h"

#include "gtest/gtest.h"

#include <array>

namespace heddle::engine::observe {
namespace {

using Addresses = std::array<uint64_t, 32>;

Addresses inSteps(uint64_t first, int64_t step) {
  Addresses addresses;
  for (uint32_t lane = 0; lane < 32; ++lane)
    addresses[lane] = first + lane * uint64_t(step);
  return addresses;
}

constexpr uint64_t base = 0x100000000;

Request of(AccessSpace space, const Addresses &addresses, uint32_t bytes, uint32_t lanes = ~0u,
           bool atomic = false) {
  return requestOf(space, lanes, addresses.data(), bytes, atomic);
}

TEST(Request, GlobalSectors) {
  const Request whole = of(AccessSpace::Global, inSteps(base, 4), 4);
  EXPECT_EQ(whole.units, 4u);
  EXPECT_EQ(whole.ideal, 4u);
  EXPECT_EQ(whole.lines, 1u);
  EXPECT_FALSE(whole.unaligned);
  const Request shifted = of(AccessSpace::Global, inSteps(base + 4, 4), 4);
  EXPECT_EQ(shifted.units, 5u);
  EXPECT_EQ(shifted.lines, 2u);
  EXPECT_TRUE(shifted.unaligned);
  EXPECT_EQ(of(AccessSpace::Global, inSteps(base, 8), 4).units, 8u);
  EXPECT_EQ(of(AccessSpace::Global, inSteps(base, 4096), 4).units, 32u);
  EXPECT_EQ(of(AccessSpace::Global, inSteps(base, 16), 16).units, 16u);
  const Request one = of(AccessSpace::Global, inSteps(base, 0), 4);
  EXPECT_EQ(one.units, 1u);
  EXPECT_EQ(one.ideal, 1u);
  EXPECT_TRUE(one.broadcast);
}

TEST(Request, SharedBanks) {
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 4), 4).units, 1u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 8), 4).units, 2u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 128), 4).units, 32u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 132), 4).units, 1u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(64, 0), 4).units, 1u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(64, 0), 4, ~0u, true).units, 32u); // they take turns
  const Request wide = of(AccessSpace::Shared, inSteps(0, 16), 16);
  EXPECT_EQ(wide.units, 4u);
  EXPECT_EQ(wide.ideal, 4u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 8), 8, 0xffff).units, 1u);
  // As an H100 has it: halves of the warp do not share what they read, quarters of a half do.
  const Request one = of(AccessSpace::Shared, inSteps(0, 0), 16);
  EXPECT_EQ(one.units, 2u);
  EXPECT_EQ(one.ideal, 2u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 0), 8).units, 2u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 16), 8).units, 4u);
  EXPECT_EQ(of(AccessSpace::Shared, inSteps(0, 16), 8).ideal, 2u);
}

TEST(Request, OtherSpaces) {
  EXPECT_EQ(of(AccessSpace::Local, inSteps(8, 0), 4).units, 4u); // the same place of each thread's
  EXPECT_EQ(of(AccessSpace::Local, inSteps(0, 4), 4).units, 32u);
  EXPECT_EQ(of(AccessSpace::Constant, inSteps(base, 0), 4).units, 1u);
  EXPECT_EQ(of(AccessSpace::Constant, inSteps(base, 4), 4).units, 32u);
}

TEST(Request, AtomicsOnOneAddress) {
  Addresses addresses = inSteps(base, 4);
  addresses[7] = addresses[20] = addresses[31] = addresses[3];
  EXPECT_EQ(of(AccessSpace::Global, addresses, 4, ~0u, true).same, 4u);
  EXPECT_EQ(of(AccessSpace::Global, addresses, 4).same, 1u);
}

TEST(Request, FormulasAgree) {
  uint32_t formulas = 0;
  for (const AccessSpace space : {AccessSpace::Global, AccessSpace::Shared})
    for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
      for (int64_t steps = -70; steps <= 70; ++steps)
        for (const uint32_t lanes : {~0u, 1u, 0x80000000u, 0xffu, 0xffff0000u, 0x5u, 0x7ffffffeu})
          for (const uint64_t first : {base, base + 16 * bytes, base + 3 * bytes})
            for (const bool atomic : {false, true}) {
              const int64_t step = steps * bytes;
              Request formula;
              if (!stridedRequest(space, lanes, first, step, bytes, atomic, formula))
                continue;
              ++formulas;
              const Request request = of(space, inSteps(first, step), bytes, lanes, atomic);
              ASSERT_EQ(formula.units, request.units)
                  << int(space) << " " << bytes << " " << step << " " << lanes << " " << first;
              ASSERT_EQ(formula.ideal, request.ideal);
              ASSERT_EQ(formula.lines, request.lines);
              ASSERT_EQ(formula.same, request.same);
              ASSERT_EQ(formula.unaligned, request.unaligned);
              ASSERT_EQ(formula.broadcast, request.broadcast);
            }
  EXPECT_GT(formulas, 10000u);
}

} // namespace
} // namespace heddle::engine::observe
