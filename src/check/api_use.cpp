// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/api_use.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace heddle::check {
namespace {

// The failures of this thread that wait for a question; they are numbered in failures_. Never
// destroyed: other objects of the thread may call CUDA as they end.
thread_local std::vector<size_t> &open = *new std::vector<size_t>;
thread_local bool unasked = false; // since the newest failure
thread_local bool told_otherwise = false;

std::string callIn(const HostPlace &place) {
  const std::string where = describe(place);
  return fmt::format("{}{}", place.function ? place.function : "a call",
                     where.empty() ? "" : " in " + where);
}

// After a kernel's fault all calls fail, and the fault has been told.
bool isAfterFault(int code) {
  return code == 700 || code == 702 || code == 710 || (code >= 714 && code <= 719);
}

bool isLaunch(const HostPlace &place, int code) {
  const std::string_view function = place.function ? place.function : "";
  return function.find("Launch") != function.npos && function.find("Kernel") != function.npos &&
         !isAfterFault(code);
}

} // namespace

// A call may be made of others of the library's, which fail before it: one failure.
void ApiUse::failed(const char *error, const char *text, int code) {
  if (std::exchange(told_otherwise, false))
    return;
  const HostPlace place = callerOfLibrary();
  unasked = true;
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < failures_.size(); ++i) {
    Failure &known = failures_[i];
    if (known.place.callers != place.callers || known.code != code)
      continue;
    known.place.function = place.function;
    if (std::find(open.begin(), open.end(), i) == open.end()) {
      ++known.count;
      open.push_back(i);
    }
    return;
  }
  open.push_back(failures_.size());
  failures_.push_back({place, error, text, code, 1});
}

void ApiUse::told() { told_otherwise = true; }

void ApiUse::asked() {
  told_otherwise = false;
  std::lock_guard lock(mutex_);
  // A program asks for the last error, and then for its words.
  if (open.empty() || !std::exchange(unasked, false))
    return;
  // What failed before with another error stays hidden behind it.
  const int newest = failures_[open.back()].code;
  std::erase_if(open, [&](size_t i) {
    const bool same = failures_[i].code == newest;
    failures_[i].count -= same;
    return same;
  });
}

void ApiUse::issued(const engine::observe::StreamPoint &work) {
  told_otherwise = false;
  if (!work_)
    return;
  const HostPlace place = callerOfLibrary();
  std::lock_guard lock(mutex_);
  Newest &newest = streams_[work.stream];
  newest.ticket = work.ticket;
  newest.place = place;
}

void ApiUse::hostWaited(const engine::observe::StreamPoint &point) {
  if (!work_)
    return;
  std::lock_guard lock(mutex_);
  Newest &newest = streams_[point.stream];
  newest.waited = std::max(newest.waited, point.ticket);
}

std::vector<Finding> ApiUse::findings(bool at_end) const {
  std::lock_guard lock(mutex_);
  std::vector<Finding> findings;
  for (const Failure &failure : failures_) {
    if (!failure.count)
      continue;
    Finding finding;
    finding.kind = isLaunch(failure.place, failure.code) ? Kind::FailedLaunch : Kind::FailedCall;
    finding.what =
        fmt::format("{} returned {} ({}: {}), and the program has not asked what that is",
                    callIn(failure.place), failure.error, failure.code, failure.text);
    finding.count = failure.count;
    findings.push_back(std::move(finding));
  }
  for (const auto &[stream, newest] : streams_) {
    // What a library does for itself, and what is freed without a place, says nothing.
    if (!at_end || newest.waited >= newest.ticket || !newest.place.function)
      continue;
    Finding finding;
    finding.kind = Kind::NeverAwaited;
    finding.what = fmt::format("the program ends without having waited for what it has put on a "
                               "stream, the last time by {}",
                               callIn(newest.place));
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace heddle::check
