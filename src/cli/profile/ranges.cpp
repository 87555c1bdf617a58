// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/ranges.h"

#include "cli/option_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <regex>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace heddle::cli {
namespace {

using profile::Event;
using profile::Profile;

// A kernel, at the time at which the call began that asked for it.
struct Launched {
  uint64_t at = 0, time = 0;
  auto operator<=>(const Launched &) const = default;
};

// Of one thread, or of all: in the order of time, with sums of those before each.
class Launches {
public:
  void add(const Launched &one) { all_.push_back(one); }
  void sort() {
    std::sort(all_.begin(), all_.end());
    before_.assign(1, 0);
    for (const Launched &one : all_)
      before_.push_back(before_.back() + one.time);
  }
  /// The number of kernels that were launched in the range, and their time.
  std::pair<uint64_t, uint64_t> within(uint64_t begin, uint64_t end) const {
    const auto first = std::lower_bound(all_.begin(), all_.end(), Launched{begin, 0});
    const auto last = std::upper_bound(all_.begin(), all_.end(), Launched{end, ~uint64_t(0)});
    const auto from = size_t(first - all_.begin()), to = size_t(last - all_.begin());
    return {to - from, before_[to] - before_[from]};
  }

private:
  std::vector<Launched> all_;
  std::vector<uint64_t> before_ = {0};
};

// By thread of the host, and those of all threads.
struct AllLaunches {
  explicit AllLaunches(const Profile &profile) {
    std::unordered_map<uint64_t, const Event *> calls;
    for (const Event &event : profile.events)
      if (event.kind == "api")
        calls[event.call] = &event;
    for (const Event &event : profile.events) {
      const auto call = calls.find(event.call);
      if (event.kind != "kernel" || call == calls.end())
        continue;
      const Launched one = {call->second->begin, event.end - event.begin};
      of_thread[call->second->track].add(one);
      all.add(one);
    }
    for (auto &[thread, launches] : of_thread)
      launches.sort();
    all.sort();
  }
  std::map<uint32_t, Launches> of_thread;
  Launches all;
};

std::string fullName(const Event &range) {
  return range.domain.empty() ? range.name : range.domain + ":" + range.name;
}

} // namespace

std::vector<RangeRow> rangesOf(const Profile &profile, const std::string &kind) {
  std::map<std::pair<std::string, std::string>, std::pair<RangeRow, std::vector<uint64_t>>> rows;
  std::optional<AllLaunches> launches; // most profiles have no ranges
  for (const Event &event : profile.events) {
    const bool pushed = event.kind == "range";
    if ((!pushed && event.kind != "started_range") || (!kind.empty() && event.kind != kind))
      continue;
    if (!launches)
      launches.emplace(profile);
    auto &[row, times] = rows[{event.kind, fullName(event)}];
    row.name = fullName(event);
    row.style = pushed ? "PushPop" : "StartEnd";
    times.push_back(event.end - event.begin);
    const Launches &where = pushed ? launches->of_thread[event.track] : launches->all;
    const auto [kernels, time] = where.within(event.begin, event.end);
    row.kernels += kernels;
    row.kernel_time += time;
  }
  std::vector<RangeRow> result;
  uint64_t total = 0;
  for (auto &[key, both] : rows) {
    addTimes(both.first, both.second);
    total += both.first.total;
    result.push_back(std::move(both.first));
  }
  for (RangeRow &row : result)
    row.percent = total ? 100 * double(row.total) / double(total) : 0;
  std::sort(result.begin(), result.end(), [](const RangeRow &a, const RangeRow &b) {
    return std::tuple(b.total, a.name, a.style) < std::tuple(a.total, b.name, b.style);
  });
  return result;
}

void printRanges(std::FILE *file, const Profile &profile) {
  const std::vector<RangeRow> rows = rangesOf(profile);
  if (rows.empty())
    return;
  fmt::print(file,
             "NVTX ranges (kernels: those that were launched in them)\n"
             "  {:>7} {:>10} {:>9} {:>10} {:>10} {:>10} {:>10} {:>8} {:>12}  Name\n",
             "Time(%)", "Total", "Instances", "Avg", "Med", "Min", "Max", "Kernels", "Kernel time");
  for (const RangeRow &row : rows)
    fmt::print(file, "  {:>6.2f}% {:>10} {:>9} {:>10} {:>10} {:>10} {:>10} {:>8} {:>12}  {}\n",
               row.percent, timeText(row.total), row.count, timeText(row.average),
               timeText(row.median), timeText(row.least), timeText(row.most), row.kernels,
               timeText(row.kernel_time), row.name);
  fmt::print(file, "\n");
}

// ---- Expressions ----

namespace {

struct Name {
  bool any = false; // "*": any ranges, also none
  std::string text;
  std::optional<std::regex> pattern;
  bool matches(const std::string &name) const {
    return pattern ? std::regex_match(name, *pattern) : name == text;
  }
};

Name nameFrom(const std::string &text) {
  constexpr std::string_view prefix = "regex:";
  Name name;
  name.text = text;
  name.any = text == "*";
  if (!text.starts_with(prefix))
    return name;
  try {
    name.pattern.emplace(text.substr(prefix.size()));
  } catch (const std::regex_error &) {
    throw UsageError("--nvtx-include: " + text + " is not a regular expression");
  }
  return name;
}

// Whether the names match ranges from `at` on; all of them, if `to_top`.
bool matchesFrom(const std::vector<Name> &names, size_t name,
                 const std::vector<const Event *> &stack, size_t at, bool to_top) {
  if (name == names.size())
    return !to_top || at == stack.size();
  if (names[name].any)
    return matchesFrom(names, name + 1, stack, at, to_top) ||
           (at < stack.size() && matchesFrom(names, name, stack, at + 1, to_top));
  return at < stack.size() && names[name].matches(stack[at]->name) &&
         matchesFrom(names, name + 1, stack, at + 1, to_top);
}

} // namespace

struct RangeExpression::Parsed {
  Name domain;
  std::vector<Name> names;
  bool stack = false; // of pushed ranges; else of started ones
  bool from_bottom = false, to_top = false;

  bool pushed(const Profile &profile, const Event &call) const {
    std::vector<const Event *> ranges;
    for (const Event &event : profile.events)
      if (event.kind == "range" && event.track == call.track && event.begin <= call.begin &&
          call.begin <= event.end && domain.matches(event.domain))
        ranges.push_back(&event);
    std::sort(ranges.begin(), ranges.end(), [](const Event *a, const Event *b) {
      return std::pair(a->begin, a->level) < std::pair(b->begin, b->level);
    });
    for (size_t at = 0; at <= (from_bottom ? 0 : ranges.size()); ++at)
      if (matchesFrom(names, 0, ranges, at, to_top))
        return true;
    return false;
  }
  bool started(const Profile &profile, const Event &call) const {
    return std::all_of(names.begin(), names.end(), [&](const Name &name) {
      return std::any_of(profile.events.begin(), profile.events.end(), [&](const Event &event) {
        return event.kind == "started_range" && event.begin <= call.begin &&
               call.begin <= event.end && domain.matches(event.domain) &&
               (name.any || name.matches(event.name));
      });
    });
  }
};

RangeExpression::RangeExpression(const std::string &text) : parsed_(std::make_unique<Parsed>()) {
  std::string word;
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '\\' && i + 1 < text.size()) {
      word += text[++i];
    } else if (letter == '@') {
      parsed_->domain = nameFrom(std::exchange(word, {}));
    } else if (letter == '/' || letter == ',') {
      parsed_->stack |= letter == '/';
      words.push_back(std::exchange(word, {}));
    } else if (letter == '[' && word.empty()) {
      parsed_->stack = parsed_->from_bottom = true;
    } else if (letter == ']' && i + 1 == text.size()) {
      parsed_->stack = parsed_->to_top = true;
    } else {
      word += letter;
    }
  }
  words.push_back(word);
  for (const std::string &one : words)
    if (!one.empty())
      parsed_->names.push_back(nameFrom(one));
  if (parsed_->names.empty())
    throw UsageError("--nvtx-include: " + text + " names no range");
}

RangeExpression::RangeExpression(RangeExpression &&) noexcept = default;
RangeExpression &RangeExpression::operator=(RangeExpression &&) noexcept = default;
RangeExpression::~RangeExpression() = default;

bool RangeExpression::holds(const Profile &profile, uint64_t number) const {
  const auto call =
      std::find_if(profile.events.begin(), profile.events.end(),
                   [&](const Event &event) { return event.kind == "api" && event.call == number; });
  if (call == profile.events.end())
    return false;
  return parsed_->stack ? parsed_->pushed(profile, *call) : parsed_->started(profile, *call);
}

} // namespace heddle::cli
