// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which races are told apart: by places in device code, kernels, and calls of copies and fills.
#include "check/race/race_checker.h"

#include <gtest/gtest.h>
#include <vector>

namespace heddle::check {
namespace {

using engine::observe::AccessKind;
using engine::observe::Site;

const int first = 0, second = 0; // streams

// Copies and fills in two streams that nothing orders, each from a line of its own.
class Copies {
public:
  Copies() { checker.allocated(begin(), sizeof(memory_)); }

  void copy(const void *stream, const char *call, uintptr_t caller, size_t at) {
    uint64_t &ticket = stream == &first ? tickets_[0] : tickets_[1];
    checker.issued({stream, ++ticket}, {});
    RaceChecker::workBegin({stream, ticket});
    HostPlace place;
    place.function = call;
    place.callers[0] = caller;
    checker.transfer(begin() + at, 4, true, {0, place, nullptr});
  }
  size_t races() {
    MemoryMap none;
    return checker.findings(ToldMemory(none)).size();
  }

private:
  uint64_t begin() const { return reinterpret_cast<uintptr_t>(memory_); }

  alignas(64) char memory_[64] = {};
  uint64_t tickets_[2] = {};
  RaceChecker checker;
};

TEST(RaceKeys, RacesOfTheSameCallsAtOtherLinesAreOthers) {
  Copies copies;
  copies.copy(&first, "cudaMemcpyAsync", 100, 0);
  copies.copy(&second, "cudaMemcpyAsync", 200, 0);
  EXPECT_EQ(copies.races(), 1U);
  copies.copy(&first, "cudaMemcpyAsync", 300, 8);
  copies.copy(&second, "cudaMemcpyAsync", 400, 8);
  EXPECT_EQ(copies.races(), 2U);
}

TEST(RaceKeys, RacesOfOtherCallsAreOthers) {
  const char *calls[] = {"cudaMemcpyAsync", "cudaMemsetAsync", "cudaFreeAsync",
                         "cudaMemcpy2DAsync"};
  Copies copies;
  size_t at = 0, pairs = 0;
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = i; j < 4; ++j, at += 4, ++pairs) {
      copies.copy(&first, calls[i], i + 1, at);
      copies.copy(&second, calls[j], j + 1, at);
    }
  EXPECT_EQ(copies.races(), pairs);
}

TEST(RaceKeys, TheSameTwoLinesAreOneRaceInAnyOrder) {
  Copies copies;
  for (size_t at = 0; at < 64; at += 4) {
    const bool turned = at % 8;
    copies.copy(turned ? &second : &first, "cudaMemcpyAsync", turned ? 200 : 100, at);
    copies.copy(turned ? &first : &second, "cudaMemcpyAsync", turned ? 100 : 200, at);
  }
  EXPECT_EQ(copies.races(), 1U);
}

TEST(RaceKeys, SitesBeyondTheNumbersAreOfTheirKindAndOfNoPlace) {
  Runs runs;
  const engine::observe::Frame frame{"kernel", "kernel.cu", 12, 1, nullptr};
  std::vector<Site> sites(70'000, siteWithoutPlace(AccessKind::Store));
  for (Site &site : sites)
    site.frame = &frame;
  for (size_t i = 0; i < sites.size(); ++i)
    sites[i].kind = AccessKind(i % 3);
  for (const Site &site : sites) {
    const Site &known = runs.site(runs.number(site));
    EXPECT_EQ(known.kind, site.kind);
    EXPECT_TRUE(&known == &site || !known.frame); // never another place
  }
  EXPECT_EQ(&runs.site(runs.number(sites.front())), &sites.front());
}

} // namespace
} // namespace heddle::check
