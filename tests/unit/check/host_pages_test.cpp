// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages are closed to host code, and which of its accesses race with work.
#include "check/race/host/host_races.h"
#include "check/race/transfers.h"

#include <gtest/gtest.h>

namespace heddle::check {
namespace {

using engine::observe::ClosedPages;
using engine::observe::StreamPoint;
using Pages = std::vector<ClosedPages>;

constexpr uint64_t page = 4096, base = uint64_t(1) << 40; // never dereferenced
const int a = 0, b = 0;                                   // streams

class HostPagesTest : public ::testing::Test {
protected:
  HostPagesTest() { runs.sharesMemoryWithHost(); }

  void share(uint64_t begin, uint64_t bytes, bool own_pages = true) {
    races.shadow.watch(begin, bytes);
    races.host.add(begin, bytes, own_pages);
  }
  /// A copy or fill in a stream.
  StreamPoint work(const void *stream, uint64_t begin, uint64_t bytes, bool writes) {
    const StreamPoint point{stream, ++ticket};
    runs.streams.issued(point, {});
    RunPlace place;
    place.work = point;
    transfers.add(place, begin, bytes, writes);
    return point;
  }
  Pages closed() { return races.host.closed(races.shadow, runs, 256); }
  bool isRace(uint64_t address, bool writes) {
    HostRace race;
    return findHostRace({reinterpret_cast<const void *>(address), writes, 0}, races.shadow, runs,
                        race);
  }

  uint64_t ticket = 0;
  Runs runs;
  Races races{runs};
  Transfers transfers{runs, races};
};

TEST_F(HostPagesTest, WhatIsWrittenIsClosedUntilTheHostHasWaited) {
  share(base, 4 * page);
  const StreamPoint point = work(&a, base + page, 2 * page, true);
  EXPECT_EQ(closed(), (Pages{{base + page, base + 3 * page, false}}));
  EXPECT_EQ(closed(), (Pages{{base + page, base + 3 * page, false}}));
  EXPECT_TRUE(isRace(base + page, false));
  EXPECT_TRUE(isRace(base + page + 1, true));
  EXPECT_FALSE(isRace(base, true));
  runs.streams.hostWaited(point);
  EXPECT_EQ(closed(), Pages());
  EXPECT_FALSE(isRace(base + page, false));
}

TEST_F(HostPagesTest, WhatIsReadMayBeRead) {
  share(base, 2 * page);
  work(&a, base, page, false);
  EXPECT_EQ(closed(), (Pages{{base, base + page, true}}));
  EXPECT_FALSE(isRace(base + 8, false));
  EXPECT_TRUE(isRace(base + 8, true));
}

TEST_F(HostPagesTest, WaitingForAnotherStreamIsNotEnough) {
  share(base, 2 * page);
  const StreamPoint first = work(&a, base, page, true);
  const StreamPoint second = work(&b, base + page, page, true);
  runs.streams.hostWaited(second);
  EXPECT_EQ(closed(), (Pages{{base, base + page, false}}));
  // Work that tells the host in its own way tells what came before it.
  runs.streams.tellHost(first);
  EXPECT_EQ(closed(), Pages());
  EXPECT_FALSE(isRace(base, true));
}

TEST_F(HostPagesTest, BytesThatMayBeABufferKeepThePageOpen) {
  share(base, 4 * page);
  const uint64_t least = HostPages::least_own;
  work(&a, base, page - least, true);
  work(&a, base + page + least, page - least, true);
  work(&a, base + 2 * page, 100, true);
  work(&a, base + 2 * page + 100 + least, page - 100 - least, true);
  EXPECT_EQ(closed(), Pages());
  EXPECT_TRUE(isRace(base, false)); // but nothing asks
  work(&a, base + page - 1, 1, true);
  work(&a, base + page + 1, 1, false);
  EXPECT_EQ(closed(), (Pages{{base, base + page, false}, {base + page, base + 2 * page, true}}));
}

TEST_F(HostPagesTest, WhatIsBehindTheAllocationIsUsedByNothing) {
  share(base + page, page + 100);
  share(base + 4 * page, 4);
  work(&a, base + page, page + 100, true);
  work(&a, base + 4 * page, 4, false);
  EXPECT_EQ(closed(), (Pages{{base + page, base + 3 * page, false},
                             {base + 4 * page, base + 5 * page, true}}));
}

TEST_F(HostPagesTest, PagesThatAreNotOursAloneStayOpen) {
  share(base + 100, 3 * page, false);
  work(&a, base + 100, 3 * page, true);
  EXPECT_EQ(closed(), (Pages{{base + page, base + 3 * page, false}}));
}

TEST_F(HostPagesTest, FreedMemoryIsOpen) {
  share(base, page);
  share(base + page, page);
  work(&a, base, page, true);
  work(&a, base + page, page, false);
  races.host.remove(base);
  races.shadow.unwatch(base);
  EXPECT_EQ(closed(), (Pages{{base + page, base + 2 * page, true}}));
}

// A read behind the write in the same stream does not end the race with the write.
TEST_F(HostPagesTest, AWriteStaysOneWhenItHasBeenRead) {
  share(base, page);
  work(&a, base, page, true);
  const StreamPoint read = work(&a, base, page, false);
  EXPECT_EQ(closed(), (Pages{{base, base + page, false}}));
  EXPECT_TRUE(isRace(base, false));
  runs.streams.hostWaited(read);
  EXPECT_EQ(closed(), Pages());
}

TEST_F(HostPagesTest, BytesAreApart) {
  share(base, page);
  work(&a, base, 1, true);
  work(&a, base + 2, 1, false);
  EXPECT_TRUE(isRace(base, false));
  EXPECT_FALSE(isRace(base + 1, true));
  EXPECT_TRUE(isRace(base + 2, true));
  EXPECT_FALSE(isRace(base + 2, false));
}

} // namespace
} // namespace heddle::check
