// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/tables.h"

#include "cli/profile/ranges.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace heddle::cli {
namespace {

bool belongs(const profile::Event &event, Summary which) {
  switch (which) {
  case Summary::Calls:
    return event.kind == "api";
  case Summary::Memory:
    return event.kind == "copy" || event.kind == "fill";
  case Summary::Kernels:
    return event.kind == "kernel";
  }
  return false;
}

// As NVIDIA's tools name them.
std::string nameOf(const profile::Event &event) {
  if (event.kind == "fill")
    return "[CUDA memset]";
  if (event.kind == "copy")
    return "[CUDA memcpy " + event.name + "]";
  return event.name;
}

void print(std::FILE *file, const char *title, const std::vector<SummaryRow> &rows, bool bytes) {
  if (rows.empty())
    return;
  fmt::print(file, "{}\n  {:>7} {:>10} {:>8} {:>10} {:>10} {:>10} {:>10}{}  Name\n", title,
             "Time(%)", "Total", "Calls", "Avg", "Med", "Min", "Max",
             bytes ? fmt::format(" {:>10}", "Bytes") : "");
  for (const SummaryRow &row : rows)
    fmt::print(file, "  {:>6.2f}% {:>10} {:>8} {:>10} {:>10} {:>10} {:>10}{}  {}\n", row.percent,
               timeText(row.total), row.count, timeText(row.average), timeText(row.median),
               timeText(row.least), timeText(row.most),
               bytes ? fmt::format(" {:>10}", bytesText(row.bytes)) : "", row.name);
  fmt::print(file, "\n");
}

} // namespace

std::string timeText(uint64_t nanoseconds) {
  const double ns = double(nanoseconds);
  if (nanoseconds < 1000)
    return fmt::format("{}ns", nanoseconds);
  if (nanoseconds < 1000'000)
    return fmt::format("{:.3f}us", ns / 1e3);
  if (nanoseconds < 1000'000'000)
    return fmt::format("{:.3f}ms", ns / 1e6);
  return fmt::format("{:.3f}s", ns / 1e9);
}

std::string bytesText(uint64_t bytes) {
  constexpr const char *units[] = {"B", "KB", "MB", "GB", "TB"};
  double value = double(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  return unit ? fmt::format("{:.3f} {}", value, units[unit]) : fmt::format("{} B", bytes);
}

void addTimes(SummaryRow &row, std::vector<uint64_t> &times) {
  std::sort(times.begin(), times.end());
  for (const uint64_t time : times)
    row.total += time;
  row.count = times.size();
  row.average = row.total / row.count;
  row.median = times[times.size() / 2];
  row.least = times.front();
  row.most = times.back();
}

std::vector<SummaryRow> summaryOf(const profile::Profile &profile, Summary which) {
  std::map<std::string, std::pair<SummaryRow, std::vector<uint64_t>>> rows;
  uint64_t total = 0;
  for (const profile::Event &event : profile.events) {
    if (!belongs(event, which))
      continue;
    auto &[row, times] = rows[nameOf(event)];
    row.name = nameOf(event);
    row.bytes += event.bytes;
    times.push_back(event.end - event.begin);
    total += times.back();
  }
  std::vector<SummaryRow> result;
  for (auto &[name, both] : rows) {
    auto &[row, times] = both;
    addTimes(row, times);
    row.percent = total ? 100 * double(row.total) / double(total) : 0;
    result.push_back(std::move(row));
  }
  std::sort(result.begin(), result.end(), [](const SummaryRow &a, const SummaryRow &b) {
    return std::pair(b.total, a.name) < std::pair(a.total, b.name);
  });
  return result;
}

namespace {

void printUnified(std::FILE *file, const profile::UnifiedMemory &memory) {
  if (!memory.any())
    return;
  fmt::print(file,
             "Unified memory (a model: docs/metrics.md)\n"
             "  {:>9} {:>10} {:>10} {:>10} {:>10}  Name\n",
             "Count", "Bytes", "Avg", "Min", "Max");
  for (const auto &[name, all] :
       {std::pair("host to device", memory.to_device), std::pair("device to host", memory.to_host)})
    if (all.count)
      fmt::print(file, "  {:>9} {:>10} {:>10} {:>10} {:>10}  {}\n", all.count, bytesText(all.bytes),
                 bytesText(all.bytes / all.count), bytesText(all.least), bytesText(all.most), name);
  fmt::print(file, "  {:>9} {:>54}\n  {:>9} {:>54}\n\n", memory.gpu_faults, "faults of kernels",
             memory.cpu_faults, "faults of the host");
}

} // namespace

void printTables(std::FILE *file, const profile::Profile &profile) {
  print(file, "API calls", summaryOf(profile, Summary::Calls), false);
  print(file, "Memory operations", summaryOf(profile, Summary::Memory), true);
  print(file, "Kernels (times on this computer's CPU, while counting)",
        summaryOf(profile, Summary::Kernels), false);
  printUnified(file, profile.unified_memory);
  printRanges(file, profile);
  if (profile.events_left_out)
    fmt::print(file, "({} more events are not in the tables)\n\n", profile.events_left_out);
}

} // namespace heddle::cli
