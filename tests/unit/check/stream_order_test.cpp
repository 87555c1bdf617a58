// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders the work of streams, and that what is kept of it does not grow with the work.
#include "check/race/order/stream_order.h"

#include <gtest/gtest.h>

namespace heddle::check {
namespace {

const int a = 0, b = 0, c = 0; // streams

bool knows(const StreamOrder &order, StreamOrder::Point work, StreamOrder::Point of) {
  const auto known = order.before(work);
  const auto found = known->find(of.stream);
  return found != known->end() && found->second >= of.ticket;
}

TEST(StreamOrder, EventsAndWhatCameBeforeThem) {
  StreamOrder order;
  order.issued({&a, 1}, {});
  order.issued({&a, 2}, {});
  order.issued({&b, 1}, {{&a, 1}});
  order.issued({&b, 2}, {});
  order.issued({&c, 1}, {{&b, 1}});
  EXPECT_TRUE(knows(order, {&b, 2}, {&a, 1}));
  EXPECT_FALSE(knows(order, {&b, 2}, {&a, 2}));
  EXPECT_TRUE(knows(order, {&c, 1}, {&a, 1}));
  EXPECT_TRUE(knows(order, {&c, 1}, {&b, 1}));
  EXPECT_FALSE(knows(order, {&c, 1}, {&b, 2}));
  EXPECT_EQ(order.before({&a, 3}), nullptr); // not issued
  EXPECT_EQ(order.before({&a, 0}), nullptr);
}

TEST(StreamOrder, TheHost) {
  StreamOrder order;
  order.issued({&a, 1}, {});
  order.issued({&b, 1}, {{&a, 1}});
  EXPECT_FALSE(order.hostKnows({&a, 1}));
  order.hostWaited({&b, 1});
  EXPECT_TRUE(order.hostKnows({&a, 1}));
  order.issued({&c, 1}, {});
  EXPECT_TRUE(knows(order, {&c, 1}, {&a, 1}));
}

TEST(StreamOrder, OneStreamKeepsOneClock) {
  StreamOrder order;
  for (uint64_t ticket = 1; ticket <= 100000; ++ticket) {
    order.issued({&a, ticket}, {});
    order.issued({&b, ticket}, {});
  }
  EXPECT_EQ(order.clocks(), 2u);
}

TEST(StreamOrder, WhatTheHostKnowsIsNotKept) {
  StreamOrder order;
  for (uint64_t ticket = 1; ticket <= 1000; ++ticket) {
    order.issued({&a, ticket}, {});
    order.issued({&b, ticket}, {{&a, ticket}});
  }
  EXPECT_EQ(order.clocks(), 1001u);
  order.hostWaited({&b, 1000});
  EXPECT_EQ(order.clocks(), 2u);
}

TEST(StreamOrder, StreamsThatWaitForEachOtherForEver) {
  StreamOrder order;
  const uint64_t count = 3 * StreamOrder::most_clocks;
  for (uint64_t ticket = 1; ticket <= count; ++ticket) {
    order.issued({&a, ticket}, {{&b, ticket - 1}});
    order.issued({&b, ticket}, {{&a, ticket}});
  }
  EXPECT_LE(order.clocks(), 2 * StreamOrder::most_clocks);
  EXPECT_TRUE(knows(order, {&b, count}, {&a, count}));
  EXPECT_FALSE(knows(order, {&a, count}, {&b, count}));
  // Of what is forgotten, too much is taken to be known rather than too little.
  EXPECT_TRUE(knows(order, {&b, 10}, {&a, 10}));
}

} // namespace
} // namespace heddle::check
