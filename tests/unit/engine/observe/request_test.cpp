// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a request costs: known cases, and any addresses against the definitions.
#include "engine/observe/requests/request.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

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

// The definitions of docs/metrics.md, word for word.
uint32_t pieces(const Addresses &addresses, uint32_t lanes, uint32_t bytes, uint32_t size) {
  std::set<uint64_t> touched;
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; lanes >> lane & 1 && i < bytes; ++i)
      touched.insert((addresses[lane] + i) / size);
  return uint32_t(touched.size());
}

uint32_t wavefronts(const Addresses &addresses, uint32_t lanes, uint32_t bytes, bool atomic) {
  uint32_t sum = 0;
  const uint32_t together = bytes > 4 ? 16 : 32;
  for (uint32_t begin = 0; begin < 32; begin += together) {
    std::map<uint64_t, std::multiset<uint64_t>> of_bank;
    for (uint32_t lane = begin; lane < begin + together; ++lane)
      for (uint32_t i = 0; lanes >> lane & 1 && i < std::max(1u, bytes / 4); ++i) {
        const uint64_t word = addresses[lane] / 4 + i;
        if (atomic || !of_bank[word % 32].count(word))
          of_bank[word % 32].insert(word);
      }
    size_t most = 0;
    for (const auto &[bank, words] : of_bank)
      most = std::max(most, words.size());
    sum += uint32_t(most);
  }
  return sum;
}

uint32_t mostAlike(const Addresses &addresses, uint32_t lanes) {
  std::map<uint64_t, uint32_t> threads;
  uint32_t most = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      most = std::max(most, ++threads[addresses[lane]]);
  return most;
}

TEST(Request, IsAsDefined) {
  std::mt19937 random(26);
  for (int round = 0; round < 20000; ++round) {
    const uint32_t bytes = 1u << random() % 5;
    const uint32_t lanes = round % 3 == 0   ? ~0u
                           : round % 3 == 1 ? uint32_t(random()) | 1
                                            : uint32_t(random() & random() & random()) | 1;
    const uint64_t range = uint64_t(1) << random() % 14;
    Addresses addresses{};
    for (uint64_t &address : addresses)
      address = base + random() % range * (round % 7 ? bytes : 1);
    const bool atomic = round % 2;
    const Request global = of(AccessSpace::Global, addresses, bytes, lanes, atomic);
    ASSERT_EQ(global.units, pieces(addresses, lanes, bytes, 32));
    ASSERT_EQ(global.lines, pieces(addresses, lanes, bytes, 128));
    ASSERT_EQ(global.same, atomic ? mostAlike(addresses, lanes) : 1);
    if (round % 7 == 0)
      continue; // shared memory is accessed at multiples of the size
    const Request shared = of(AccessSpace::Shared, addresses, bytes, lanes, atomic);
    ASSERT_EQ(shared.units, wavefronts(addresses, lanes, bytes, atomic));
    if (!atomic && bytes == 4) {
      ASSERT_EQ(shared.ideal, (pieces(addresses, lanes, 4, 4) + 31) / 32);
      ASSERT_EQ(of(AccessSpace::Constant, addresses, 4, lanes).units,
                pieces(addresses, lanes, 4, 4));
    }
  }
}

} // namespace
} // namespace heddle::engine::observe
