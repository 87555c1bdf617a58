// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which texels an observer is told that a fetch reads.
#include "engine/observe/fetch.h"

#include "__heddle/texture/descriptor.h"

#include <bit>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace heddle::engine::observe {
namespace {

using texture::Fetch;

// A row of eight floats, along which coordinates are clamped.
struct Row {
  alignas(64) float texels[8] = {};
  texture::Descriptor descriptor;
  FetchLanes fetched = {};

  explicit Row(bool linear) {
    descriptor.level = {
        reinterpret_cast<uintptr_t>(texels), sizeof(texels), sizeof(texels), 8, 1, 1};
    descriptor.linear = linear;
    descriptor.texel_bytes = sizeof(float);
    descriptor.form = texture::form(texture::Channel::Float, 32, 1, false);
  }

  /// The numbers of the texels that lane 0 reads at x; -1 if it is told of others.
  std::multiset<long> at(Fetch what, uint32_t x, uint32_t lanes = 1) {
    fetched.handle[0] = fetched.handle[5] = reinterpret_cast<uintptr_t>(&descriptor);
    fetched.x[0] = fetched.x[5] = x;
    std::multiset<long> numbers;
    forEachTexel(uint32_t(what), lanes, fetched, [&](const TexelsOfLanes &told) {
      EXPECT_EQ(told.lanes, lanes);
      EXPECT_EQ(told.bytes[0], sizeof(float));
      numbers.insert(long(told.addresses[0] - descriptor.level.base) / long(sizeof(float)));
    });
    return numbers;
  }
  std::multiset<long> at(float x, uint32_t lanes = 1) {
    return at(Fetch::Axis1, std::bit_cast<uint32_t>(x), lanes);
  }
};

using Texels = std::multiset<long>;

TEST(Fetch, ReadsOneTexelWithoutAFilter) {
  Row row(false);
  EXPECT_EQ(row.at(3.75f), Texels{3});
  EXPECT_EQ(row.at(-2.0f), Texels{0});
}

TEST(Fetch, ReadsTheTexelsThatAFilterGivesWeight) {
  Row row(true);
  EXPECT_EQ(row.at(3.5f), Texels{3}); // the middle of a texel
  EXPECT_EQ(row.at(4.0f), (Texels{3, 4}));
  EXPECT_EQ(row.at(4.25f, 1 | 1 << 5), (Texels{3, 4}));
  EXPECT_EQ(row.at(100.0f), Texels{7});
}

TEST(Fetch, OfLinearMemoryReadsNothingOutside) {
  Row row(false);
  EXPECT_EQ(row.at(Fetch::Linear, 7), Texels{7});
  EXPECT_EQ(row.at(Fetch::Linear, 8), Texels{});
}

} // namespace
} // namespace heddle::engine::observe
