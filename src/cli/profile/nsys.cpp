// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle under the name nsys: profile, and stats of what that has written.
#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/option_reader.h"
#include "cli/profile/ranges.h"
#include "cli/profile/run_profiled.h"
#include "cli/profile/tables.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

using profile::Profile;

void nsysTable(std::FILE *file, const char *title, const char *count, const char *name,
               const std::vector<SummaryRow> &rows) {
  fmt::print(file, "\n ** {}:\n\n", title);
  if (rows.empty()) {
    fmt::print(file, "SKIPPED: there is no such data.\n");
    return;
  }
  fmt::print(file, " {:>8} {:>15} {:>10} {:>14} {:>14} {:>12} {:>12}  {}\n", "Time (%)",
             "Total Time (ns)", count, "Avg (ns)", "Med (ns)", "Min (ns)", "Max (ns)", name);
  for (const SummaryRow &row : rows)
    fmt::print(file, " {:>8.1f} {:>15} {:>10} {:>14} {:>14} {:>12} {:>12}  {}\n", row.percent,
               row.total, row.count, row.average, row.median, row.least, row.most, row.name);
}

void nsysSizes(std::FILE *file, const Profile &profile) {
  fmt::print(file,
             "\n ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):\n\n"
             " {:>10} {:>8} {:>10}  Operation\n",
             "Total (MB)", "Count", "Avg (MB)");
  for (const SummaryRow &row : summaryOf(profile, Summary::Memory))
    fmt::print(file, " {:>10.3f} {:>8} {:>10.3f}  {}\n", double(row.bytes) / 1e6, row.count,
               double(row.bytes) / 1e6 / double(row.count), row.name);
}

void nsysRanges(std::FILE *file, const Profile &profile, const char *title, const char *kind) {
  std::vector<SummaryRow> rows;
  for (const RangeRow &range : rangesOf(profile, kind)) {
    SummaryRow &row = rows.emplace_back(range);
    row.name = fmt::format("{:<8}  {}{}", range.style,
                           row.name.find(':') == std::string::npos ? ":" : "", row.name);
  }
  nsysTable(file, title, "Instances", "Style     Range", rows);
}

// Kernels' times in the ranges that they were launched in.
void nsysRangesOnDevice(std::FILE *file, const Profile &profile) {
  fmt::print(file,
             "\n ** NVTX GPU Projection Summary (nvtx_gpu_proj_sum):\n\n"
             " {:>20} {:>8} {:>15} {:>10}  Range\n",
             "Total GPU Time (ns)", "Style", "Range Instances", "GPU Ops");
  for (const RangeRow &row : rangesOf(profile))
    fmt::print(file, " {:>20} {:>8} {:>15} {:>10}  {}\n", row.kernel_time, row.style, row.count,
               row.kernels, row.name);
}

struct NsysReport {
  const char *name;
  bool usual; // printed unless others are chosen
  void (*print)(std::FILE *, const Profile &);
};

constexpr NsysReport nsys_reports[] = {
    {"nvtx_sum", true,
     [](std::FILE *file, const Profile &profile) {
       nsysRanges(file, profile, "NVTX Range Summary (nvtx_sum)", "");
     }},
    {"nvtx_pushpop_sum", false,
     [](std::FILE *file, const Profile &profile) {
       nsysRanges(file, profile, "NVTX Push/Pop Range Summary (nvtx_pushpop_sum)", "range");
     }},
    {"nvtx_startend_sum", false,
     [](std::FILE *file, const Profile &profile) {
       nsysRanges(file, profile, "NVTX Start/End Range Summary (nvtx_startend_sum)",
                  "started_range");
     }},
    {"nvtx_gpu_proj_sum", false, nsysRangesOnDevice},
    {"cuda_api_sum", true,
     [](std::FILE *file, const Profile &profile) {
       nsysTable(file, "CUDA API Summary (cuda_api_sum)", "Num Calls", "Name",
                 summaryOf(profile, Summary::Calls));
     }},
    {"cuda_gpu_kern_sum", true,
     [](std::FILE *file, const Profile &profile) {
       nsysTable(file, "CUDA GPU Kernel Summary (cuda_gpu_kern_sum)", "Instances", "Name",
                 summaryOf(profile, Summary::Kernels));
     }},
    {"cuda_gpu_mem_time_sum", true,
     [](std::FILE *file, const Profile &profile) {
       nsysTable(file, "CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum)", "Count",
                 "Operation", summaryOf(profile, Summary::Memory));
     }},
    {"cuda_gpu_mem_size_sum", true, nsysSizes},
};

// Throws UsageError.
std::vector<const NsysReport *> nsysReportsNamed(const std::string &list) {
  std::vector<const NsysReport *> result;
  for (const std::string &name : splitAtCommas(list)) {
    const auto found = std::find_if(std::begin(nsys_reports), std::end(nsys_reports),
                                    [&](const NsysReport &one) { return name == one.name; });
    if (found == std::end(nsys_reports)) {
      std::vector<std::string> names;
      for (const NsysReport &one : nsys_reports)
        names.emplace_back(one.name);
      throw UsageError(fmt::format("there is no report {}; there are {}", name,
                                   fmt::join(nearestNames(name, names, names.size()), ", ")));
    }
    result.push_back(found);
  }
  return result;
}

/// `chosen`: none means the usual ones.
void nsysStats(std::FILE *file, const Profile &profile,
               const std::vector<const NsysReport *> &chosen) {
  for (const NsysReport *report : chosen)
    report->print(file, profile);
  for (const NsysReport &report : nsys_reports)
    if (chosen.empty() && report.usual)
      report.print(file, profile);
}

int nsysProfile(OptionReader &reader) {
  bool stats = false;
  std::string output = "report1", value;
  while (!reader.atEnd() && reader.peek().starts_with("-")) {
    if (reader.option("--stats", value))
      stats = value == "true";
    else if (reader.option("--output", output) || reader.option("-o", output) ||
             reader.option("--trace", value) || reader.option("-t", value) ||
             reader.option("--force-overwrite", value) || reader.option("-f", value) ||
             reader.option("--sample", value) || reader.option("-s", value))
      continue; // calls, copies and kernels are always traced, the host is never sampled
    else
      throw UsageError(reader.peek() + " is not supported; --stats, -o, -t and -f are");
  }
  if (reader.atEnd())
    throw UsageError("no program");
  ProfiledRun run;
  run.what = {reader.take()};
  run.program_arguments = reader.takeRest();
  const ProfiledResult result = runBuilt(run);
  if (!result.profile)
    return result.exit_code;
  const std::string path = output.ends_with(".nsys-rep") ? output : output + ".nsys-rep";
  std::ofstream file(path);
  file << toJson(*result.profile).dump();
  if (!file.flush())
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  if (stats)
    nsysStats(stdout, *result.profile, {});
  fmt::print("Generated:\n    {}\n", fs::absolute(path).string());
  return result.exit_code;
}

int nsysStatsOf(OptionReader &reader) {
  std::string path, value;
  std::vector<const NsysReport *> chosen;
  while (!reader.atEnd()) {
    if (reader.option("--report", value) || reader.option("-r", value)) {
      const auto more = nsysReportsNamed(value);
      chosen.insert(chosen.end(), more.begin(), more.end());
      continue;
    }
    if (reader.option("--force-export", value))
      continue;
    path = reader.take();
  }
  std::ifstream file(path);
  if (path.empty() || !file)
    throw UsageError(path.empty() ? "no report" : path + ": no such file");
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded())
    throw std::runtime_error(path + " is no report of Heddle's (NVIDIA's cannot be read)");
  nsysStats(stdout, profile::fromJson(json), chosen);
  return 0;
}

} // namespace

int nsysCommand(const std::vector<std::string> &arguments) {
  OptionReader reader(arguments);
  if (!reader.atEnd() && reader.flag("profile"))
    return nsysProfile(reader);
  if (!reader.atEnd() && reader.flag("stats"))
    return nsysStatsOf(reader);
  throw UsageError("the commands profile and stats are supported");
}

} // namespace heddle::cli
