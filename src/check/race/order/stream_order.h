// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which work of which stream comes before which: by streams, by events, and by the host's waiting.
#pragma once

#include "engine/observe/observer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace heddle::check {

/// What is known to have ended: of each stream, all up to a ticket.
using StreamClock = std::map<const void *, uint64_t>;

class StreamOrder {
public:
  using Point = engine::observe::StreamPoint;

  /// The host puts work on a stream, behind these.
  void issued(const Point &work, const std::vector<Point> &after);
  /// The host has waited for it, or seen that it is done.
  void hostWaited(const Point &point);
  /// Whether the host knows that it is done, so that all that it issues from now on comes behind.
  bool hostKnows(const Point &point) const;
  /// The same of all work there has been.
  bool hostKnowsAll() const;
  /// Host code may have learned, in ways that are not seen here, that it is done: from now on
  /// hostMayKnow says so of it and of all before it. …
  void tellHost(const Point &point);
  /// … Or all work there has been.
  void tellHostAll();
  bool hostMayKnow(const Point &point) const;
  /// Goes up whenever what the host knows or may know does.
  uint64_t knowledge() const { return knowledge_; }
  /// How many streams have had work.
  size_t count() const { return streams_.size(); }
  /// What of other streams had ended when the work began; null if it is not known.
  std::shared_ptr<const StreamClock> before(const Point &work) const;
  /// How many clocks are kept.
  size_t clocks() const;

  /// Of more clocks than this in a stream, the oldest are forgotten: what older work knew of is
  /// then taken to be what the oldest is known to.
  static constexpr size_t most_clocks = 1 << 14;

private:
  struct Stream {
    uint64_t last = 0;   // ticket
    uint64_t waited = 0; // nothing needs to be known of what comes before: the host knows it
    // What work from this ticket on knows of other streams: mostly the same as what comes before.
    std::map<uint64_t, std::shared_ptr<const StreamClock>> clocks;
  };
  static bool merge(StreamClock &into, const StreamClock &more);
  static bool knows(const StreamClock &clock, const Point &point);
  StreamClock host_;
  StreamClock told_;
  uint64_t knowledge_ = 0;
  std::map<const void *, Stream> streams_;
};

} // namespace heddle::check
