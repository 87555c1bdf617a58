// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/stream_order.h"

#include <algorithm>

namespace heddle::check {

void StreamOrder::merge(StreamClock &into, const StreamClock &more) {
  for (const auto &[stream, ticket] : more) {
    uint64_t &known = into[stream];
    known = std::max(known, ticket);
  }
}

void StreamOrder::issued(const Point &work, const std::vector<Point> &after) {
  auto clock = std::make_shared<StreamClock>(host_);
  const auto follow = [&](const Point &point) {
    if (const auto known = before(point))
      merge(*clock, *known);
    uint64_t &ticket = (*clock)[point.stream];
    ticket = std::max(ticket, point.ticket);
  };
  if (const auto last = last_.find(work.stream); last != last_.end())
    follow({work.stream, last->second});
  for (const Point &point : after)
    follow(point);
  last_[work.stream] = work.ticket;
  clocks_[{work.stream, work.ticket}] = std::move(clock);
}

void StreamOrder::hostWaited(const Point &point) {
  if (const auto known = before(point))
    merge(host_, *known);
  merge(host_, {{point.stream, point.ticket}});
  // Nothing needs to be known of what the host knows.
  const auto first = clocks_.lower_bound({point.stream, 0});
  clocks_.erase(first, clocks_.lower_bound({point.stream, point.ticket}));
}

bool StreamOrder::hostKnows(const Point &point) const {
  const auto known = host_.find(point.stream);
  return known != host_.end() && known->second >= point.ticket;
}

bool StreamOrder::hostKnowsAll() const {
  return std::all_of(last_.begin(), last_.end(),
                     [&](const auto &last) { return hostKnows({last.first, last.second}); });
}

std::shared_ptr<const StreamClock> StreamOrder::before(const Point &work) const {
  const auto found = clocks_.find({work.stream, work.ticket});
  return found == clocks_.end() ? nullptr : found->second;
}

} // namespace heddle::check
