// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/report.h"

#include "cli/profile/findings.h"
#include "cli/profile/ranges.h"
#include "cli/profile/tables.h"
#include "gpu/gpu.h"
#include "support/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

using profile::Kernel;
using profile::Profile;

constexpr size_t most_advice = 8;

const gpu::Gpu &gpuOf(const Profile &profile) {
  return gpu::load(profile.gpu, installRoot() / "share" / "heddle" / "gpus");
}

std::string dim(const std::array<uint32_t, 3> &size) {
  return fmt::format("({},{},{})", size[0], size[1], size[2]);
}

void printHead(std::FILE *file, const Kernel &kernel) {
  fmt::print(file, "{}: {}{}{}, grid {}, block {}{}\n", kernel.name, kernel.launches,
             kernel.launches == 1 ? " launch" : " launches",
             kernel.unfinished ? fmt::format(" ({} of them not finished)", kernel.unfinished) : "",
             dim(kernel.grid), dim(kernel.block), kernel.same_shape ? "" : ", and others");
}

// Where Python code has launched it.
void printLaunchers(std::FILE *file, const Kernel &kernel) {
  for (size_t i = 0; i < std::min(kernel.launchers.size(), most_advice); ++i) {
    const profile::Launcher &launcher = kernel.launchers[i];
    std::string calls;
    for (const profile::Place &place : launcher.calls)
      calls += fmt::format("{}{} at {}:{}", calls.empty() ? "" : ", called from ", place.function,
                           shortName(place.file), place.line);
    fmt::print(file, "  launched in {}: {}{}, {}\n", calls, launcher.launches,
               launcher.launches == 1 ? " launch" : " launches", timeText(launcher.nanoseconds));
  }
  if (kernel.launchers.size() > most_advice)
    fmt::print(file, "  and in {} other places\n", kernel.launchers.size() - most_advice);
}

void printAdvice(std::FILE *file, const Kernel &kernel, const gpu::Gpu &gpu) {
  const std::vector<Advice> all = adviceFor(kernel, gpu);
  if (all.empty())
    fmt::print(file, "  nothing stands out\n");
  for (size_t i = 0; i < std::min(all.size(), most_advice); ++i) {
    const Advice &advice = all[i];
    if (advice.place.line)
      fmt::print(file, "  {}:{}: {}\n", shortName(advice.place.file), advice.place.line,
                 advice.text);
    else
      fmt::print(file, "  {}\n", advice.text);
    fmt::print(file, "    Remedy: {}.\n", advice.remedy);
  }
  if (all.size() > most_advice)
    fmt::print(file, "  and {} lesser ones\n", all.size() - most_advice);
}

void printSummary(std::FILE *file, const Kernel &kernel) {
  const Totals totals = totalsOf(kernel);
  const auto text = [&](const char *metric) {
    return numberText(findMetric(metric).value(totals));
  };
  fmt::print(file,
             "  {} warps, of which {} diverge; {} instructions by warps, {} lanes active on "
             "average\n",
             text("warps_launched"), text("diverging_warps"), text("warp_instructions"),
             text("active_lanes"));
  fmt::print(file,
             "  global memory: {} sectors loaded in {} requests, {} stored in {}; shared memory: "
             "{} bank conflicts\n",
             text("global_load_sectors"), text("global_load_requests"),
             text("global_store_sectors"), text("global_store_requests"), text("bank_conflicts"));
  const auto amount = [&](const char *metric) { return findMetric(metric).value(totals); };
  if (amount("texture_requests") || amount("surface_load_requests") ||
      amount("surface_store_requests"))
    fmt::print(file,
               "  textures: {} sectors fetched in {} requests; surfaces: {} sectors read in {}, {} "
               "written in {}\n",
               text("texture_sectors"), text("texture_requests"), text("surface_load_sectors"),
               text("surface_load_requests"), text("surface_store_sectors"),
               text("surface_store_requests"));
  if (amount("l1_sectors"))
    fmt::print(file,
               "  caches, as a model: {} % of {} sectors hit in L1, {} % of {} in L2; memory: {} "
               "read, {} written\n",
               text("l1_hit_rate"), text("l1_sectors"), text("l2_hit_rate"), text("l2_sectors"),
               bytesText(uint64_t(amount("dram_read_bytes"))),
               bytesText(uint64_t(amount("dram_write_bytes"))));
}

void printMetrics(std::FILE *file, const Kernel &kernel,
                  const std::vector<const Metric *> &chosen) {
  const Totals totals = totalsOf(kernel);
  for (const Metric *metric : chosen)
    fmt::print(file, "  {:<32} {:>16}{:<2} {}\n", metric->name, numberText(metric->value(totals)),
               metric->unit[0] == '%' ? " %" : "", metric->what);
}

std::vector<std::string> linesOfFile(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

// Columns of --lines. Some are only there for kernels that they say something of.
struct Column {
  const char *head, *metric;
  bool always = true;
};
constexpr Column all_columns[] = {{"Instr.", "warp_instructions"},
                                  {"Lanes", "active_lanes"},
                                  {"Branches", "branches"},
                                  {"Diverge", "divergent_branches"},
                                  {"Loads", "global_load_requests"},
                                  {"Ld.sect.", "global_load_sectors"},
                                  {"St.sect.", "global_store_sectors"},
                                  {"Conflicts", "bank_conflicts"},
                                  {"Fetches", "texture_requests", false},
                                  {"Tex.sect.", "texture_sectors", false},
                                  {"Surf.ld.", "surface_load_sectors", false},
                                  {"Surf.st.", "surface_store_sectors", false},
                                  {"L1 hit %", "l1_hit_rate", false},
                                  {"L2 sect.", "l2_sectors", false},
                                  {"L2 hit %", "l2_hit_rate", false},
                                  {"DRAM read", "dram_read_bytes", false}};

std::vector<Column> columnsFor(const Kernel &kernel) {
  const Totals totals = totalsOf(kernel);
  std::vector<Column> columns;
  for (const Column &column : all_columns)
    if (column.always || findMetric(column.metric).value(totals) != 0)
      columns.push_back(column);
  return columns;
}

std::string rowOf(const std::vector<Column> &columns, const Totals *totals) {
  std::string row;
  for (const Column &column : columns) {
    const double value = totals ? findMetric(column.metric).value(*totals) : 0;
    row += fmt::format(" {:>10}", value ? numberText(value) : "");
  }
  return row;
}

// The lines with counts, and what lies between them.
void printLines(std::FILE *file, const Kernel &kernel) {
  const std::vector<Column> columns = columnsFor(kernel);
  std::string head;
  for (const Column &column : columns)
    head += fmt::format(" {:>10}", column.head);
  const std::vector<LineTotals> counted = linesOf(kernel);
  for (size_t i = 0; i < counted.size();) {
    const std::string &path = counted[i].file;
    size_t end = i;
    while (end < counted.size() && counted[end].file == path)
      ++end;
    fmt::print(file, "{}  {}\n", head, shortName(path));
    const std::vector<std::string> source = linesOfFile(path);
    for (uint32_t line = counted[i].line; line <= counted[end - 1].line; ++line) {
      const bool has = counted[i].line == line;
      const std::string text =
          line <= source.size() ? source[line - 1] : std::string("(the source cannot be read)");
      fmt::print(file, "{}  {:>4} | {}\n", rowOf(columns, has ? &counted[i].totals : nullptr), line,
                 text);
      if (has && i + 1 < end)
        ++i;
    }
    i = end;
  }
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char letter : text)
    result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + '"';
}

// Without those that this profile does not know.
std::vector<const Metric *> chosenOrAll(const Profile &profile, const ProfileOptions &options) {
  std::vector<const Metric *> all = options.metrics;
  if (all.empty())
    for (const Metric &metric : metrics())
      all.push_back(&metric);
  std::erase_if(all, [&](const Metric *one) { return one->of_caches && !profile.caches; });
  return all;
}

} // namespace

void printProfile(std::FILE *file, const Profile &profile, const ProfileOptions &options) {
  printTables(file, profile);
  const gpu::Gpu &gpu = gpuOf(profile);
  for (const Kernel &kernel : profile.kernels) {
    printHead(file, kernel);
    printLaunchers(file, kernel);
    if (!kernel.counted) {
      fmt::print(file, "  runs on the reference engine, thread by thread: nothing is counted "
                       "(HEDDLE_VERBOSE=1 says why)\n\n");
      continue;
    }
    if (!options.metrics.empty()) {
      printMetrics(file, kernel, chosenOrAll(profile, options));
    } else {
      printSummary(file, kernel);
      printAdvice(file, kernel, gpu);
    }
    if (options.lines)
      printLines(file, kernel);
    fmt::print(file, "\n");
  }
}

void printCsv(std::FILE *file, const Profile &profile, const ProfileOptions &options) {
  fmt::print(file, "Kernel,Launches,Grid,Block,Metric,Unit,Value\n");
  for (const Kernel &kernel : profile.kernels) {
    if (!kernel.counted)
      continue;
    const Totals totals = totalsOf(kernel);
    for (const Metric *metric : chosenOrAll(profile, options))
      fmt::print(file, "{},{},{},{},{},{},{}\n", quoted(kernel.name), kernel.launches,
                 quoted(dim(kernel.grid)), quoted(dim(kernel.block)), metric->name, metric->unit,
                 numberText(metric->value(totals)));
  }
  if (const profile::UnifiedMemory &memory = profile.unified_memory; memory.any())
    for (const auto &[name, value] :
         {std::pair("host_to_device_transfers,", memory.to_device.count),
          std::pair("host_to_device_bytes,B", memory.to_device.bytes),
          std::pair("device_to_host_transfers,", memory.to_host.count),
          std::pair("device_to_host_bytes,B", memory.to_host.bytes),
          std::pair("gpu_page_faults,", memory.gpu_faults),
          std::pair("cpu_page_faults,", memory.cpu_faults)})
      fmt::print(file, "\"[Unified Memory]\",,,,{},{}\n", name, value);
  for (const RangeRow &row : rangesOf(profile)) {
    const std::pair<const char *, uint64_t> values[] = {
        {"range_time_total,ns", row.total}, {"range_time_average,ns", row.average},
        {"range_time_min,ns", row.least},   {"range_time_max,ns", row.most},
        {"range_kernels,", row.kernels},    {"range_kernel_time,ns", row.kernel_time}};
    for (const auto &[name, value] : values)
      fmt::print(file, "{},{},,,{},{}\n", quoted("[NVTX] " + row.name), row.count, name, value);
  }
}

nlohmann::json jsonOf(const Profile &profile) {
  nlohmann::json json = toJson(profile);
  for (size_t i = 0; i < profile.kernels.size(); ++i) {
    const Totals totals = totalsOf(profile.kernels[i]);
    for (const Metric &metric : metrics())
      if (!metric.of_caches || profile.caches)
        json["kernels"][i]["metrics"][metric.name] = metric.value(totals);
  }
  json["ranges"] = nlohmann::json::array();
  for (const RangeRow &row : rangesOf(profile))
    json["ranges"].push_back({{"name", row.name},
                              {"style", row.style},
                              {"instances", row.count},
                              {"total", row.total},
                              {"average", row.average},
                              {"median", row.median},
                              {"least", row.least},
                              {"most", row.most},
                              {"kernels", row.kernels},
                              {"kernel_time", row.kernel_time}});
  return json;
}

void printProfileJson(std::FILE *file, const Profile &profile) {
  fmt::print(file, "{}\n",
             jsonOf(profile).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace heddle::cli
