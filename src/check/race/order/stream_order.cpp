// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/order/stream_order.h"

#include <algorithm>

namespace heddle::check {

// Whether something is new.
bool StreamOrder::merge(StreamClock &into, const StreamClock &more) {
  bool fresh = false;
  for (const auto &[stream, ticket] : more) {
    uint64_t &known = into[stream];
    fresh |= ticket > known;
    known = std::max(known, ticket);
  }
  return fresh;
}

bool StreamOrder::knows(const StreamClock &clock, const Point &point) {
  const auto known = clock.find(point.stream);
  return known != clock.end() && known->second >= point.ticket;
}

void StreamOrder::issued(const Point &work, const std::vector<Point> &after) {
  StreamClock clock(host_);
  const auto follow = [&](const Point &point) {
    if (const auto known = before(point))
      merge(clock, *known);
    uint64_t &ticket = clock[point.stream];
    ticket = std::max(ticket, point.ticket);
  };
  Stream &stream = streams_[work.stream];
  if (stream.last)
    follow({work.stream, stream.last});
  for (const Point &point : after)
    follow(point);
  clock.erase(work.stream); // it follows its own stream by its ticket
  stream.last = work.ticket;
  if (stream.clocks.empty() || *stream.clocks.rbegin()->second != clock)
    stream.clocks[work.ticket] = std::make_shared<const StreamClock>(std::move(clock));
  if (stream.clocks.size() > most_clocks)
    stream.clocks.erase(stream.clocks.begin());
}

void StreamOrder::hostWaited(const Point &point) {
  if (const auto known = before(point))
    knowledge_ += merge(host_, *known);
  knowledge_ += merge(host_, {{point.stream, point.ticket}});
  const auto found = streams_.find(point.stream);
  if (found == streams_.end())
    return;
  Stream &stream = found->second;
  stream.waited = std::max(stream.waited, point.ticket);
  if (auto next = stream.clocks.upper_bound(stream.waited); next != stream.clocks.begin())
    stream.clocks.erase(stream.clocks.begin(), --next);
}

bool StreamOrder::hostKnows(const Point &point) const { return knows(host_, point); }

void StreamOrder::tellHost(const Point &point) {
  if (const auto known = before(point))
    knowledge_ += merge(told_, *known);
  knowledge_ += merge(told_, {{point.stream, point.ticket}});
}

void StreamOrder::tellHostAll() {
  for (const auto &[stream, state] : streams_)
    knowledge_ += merge(told_, {{stream, state.last}});
}

bool StreamOrder::hostMayKnow(const Point &point) const {
  return hostKnows(point) || knows(told_, point);
}

bool StreamOrder::hostKnowsAll() const {
  return std::all_of(streams_.begin(), streams_.end(), [&](const auto &stream) {
    return hostKnows({stream.first, stream.second.last});
  });
}

std::shared_ptr<const StreamClock> StreamOrder::before(const Point &work) const {
  const auto found = streams_.find(work.stream);
  if (found == streams_.end() || !work.ticket || work.ticket < found->second.waited ||
      work.ticket > found->second.last)
    return nullptr;
  const auto &clocks = found->second.clocks;
  const auto next = clocks.upper_bound(work.ticket);
  return (next == clocks.begin() ? next : std::prev(next))->second;
}

size_t StreamOrder::clocks() const {
  size_t count = 0;
  for (const auto &[pointer, stream] : streams_)
    count += stream.clocks.size();
  return count;
}

} // namespace heddle::check
