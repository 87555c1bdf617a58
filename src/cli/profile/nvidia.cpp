// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle under the names nvprof, ncu and nsys: the options that courses use, and NVIDIA's tables
// with our numbers. Times are this computer's.
#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/option_reader.h"
#include "cli/profile/metrics.h"
#include "cli/profile/ranges.h"
#include "cli/profile/run_profiled.h"
#include "cli/profile/tables.h"
#include "gpu/gpu.h"
#include "support/paths.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

using profile::Kernel;
using profile::Profile;

using Output = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

Output outputTo(const std::string &path, std::FILE *otherwise) {
  if (path.empty())
    return {otherwise, [](std::FILE *) { return 0; }};
  Output file(std::fopen(path.c_str(), "w"), std::fclose);
  if (!file)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return file;
}

const gpu::Gpu &gpuOf(const Profile &profile) {
  return gpu::load(profile.gpu, installRoot() / "share" / "heddle" / "gpus");
}

std::string dim(const std::array<uint32_t, 3> &size) {
  return fmt::format("({} {} {})", size[0], size[1], size[2]);
}

ProfiledResult runOrThrow(const ProfiledRun &run) {
  if (!fs::exists(run.what.front()))
    throw UsageError(run.what.front() + ": no such program");
  ProfiledResult result = runProfiled(run);
  if (!result.profile && result.exit_code == 0)
    throw std::runtime_error("the program has not used CUDA");
  return result;
}

std::vector<const Metric *> metricsNamed(const std::string &list) {
  std::vector<const Metric *> result;
  for (const std::string &name : splitAtCommas(list))
    if (name == "all")
      for (const Metric &metric : metrics())
        result.push_back(&metric);
    else
      result.push_back(&findMetric(name));
  return result;
}

bool anyOfCaches(const std::vector<const Metric *> &metrics) {
  return std::any_of(metrics.begin(), metrics.end(),
                     [](const Metric *metric) { return metric->of_caches; });
}

std::string withUnit(const Metric &metric, double value) {
  return metric.unit[0] == '%' ? fmt::format("{:.2f}%", value) : numberText(value);
}

// ---- nvprof ----

struct NvprofOptions {
  bool gpu_trace = false, api_trace = false, csv = false;
  std::vector<const Metric *> metrics;
  std::string log;
  ProfiledRun run;
};

NvprofOptions parseNvprof(const std::vector<std::string> &arguments) {
  NvprofOptions options;
  OptionReader reader(arguments);
  std::string value;
  while (!reader.atEnd() && reader.peek().starts_with("-")) {
    if (reader.flag("--print-gpu-trace"))
      options.gpu_trace = true;
    else if (reader.flag("--print-api-trace"))
      options.api_trace = true;
    else if (reader.flag("--csv"))
      options.csv = true;
    else if (reader.flag("--print-gpu-summary") || reader.flag("--print-summary") ||
             reader.flag("--profile-child-processes"))
      continue; // as always
    else if (reader.option("--metrics", value) || reader.option("-m", value) ||
             reader.option("--events", value) || reader.option("-e", value)) {
      const auto more = metricsNamed(value);
      options.metrics.insert(options.metrics.end(), more.begin(), more.end());
    } else if (reader.option("--log-file", options.log) ||
               reader.option("--unified-memory-profiling", value))
      continue;
    else
      throw UsageError(reader.peek() + " is not supported; --metrics, --events, --print-gpu-trace, "
                                       "--print-api-trace, --csv and --log-file are");
  }
  if (reader.atEnd())
    throw UsageError("no program");
  options.run.what = {reader.take()};
  options.run.caches = anyOfCaches(options.metrics);
  options.run.program_arguments = reader.takeRest();
  options.run.each_launch = !options.metrics.empty();
  return options;
}

void nvprofRows(std::FILE *file, const char *title, const std::vector<SummaryRow> &rows, bool csv) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const SummaryRow &row = rows[i];
    if (csv)
      fmt::print(file, "\"{}\",{:.6f},{:.6f},{},{:.6f},{:.6f},{:.6f},\"{}\"\n", title, row.percent,
                 double(row.total) / 1e6, row.count, double(row.average) / 1e6,
                 double(row.least) / 1e6, double(row.most) / 1e6, row.name);
    else
      fmt::print(file, "{:>16}{:>8.2f}%{:>11}{:>10}{:>11}{:>11}{:>11}  {}\n",
                 i == 0 ? fmt::format("{}:", title) : "", row.percent, timeText(row.total),
                 row.count, timeText(row.average), timeText(row.least), timeText(row.most),
                 row.name);
  }
}

void nvprofHead(std::FILE *file, bool csv) {
  if (csv)
    fmt::print(file, "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                     ",%,ms,,ms,ms,ms,\n");
  else
    fmt::print(file, "{:>16}{:>9}{:>11}{:>10}{:>11}{:>11}{:>11}  Name\n", "Type", "Time(%)", "Time",
               "Calls", "Avg", "Min", "Max");
}

void nvprofSummary(std::FILE *file, const Profile &profile, bool csv) {
  nvprofHead(file, csv);
  // Kernels and copies share a table, and so their percentages.
  std::vector<SummaryRow> rows = summaryOf(profile, Summary::Kernels);
  const std::vector<SummaryRow> memory = summaryOf(profile, Summary::Memory);
  rows.insert(rows.end(), memory.begin(), memory.end());
  uint64_t total = 0;
  for (const SummaryRow &row : rows)
    total += row.total;
  for (SummaryRow &row : rows)
    row.percent = total ? 100 * double(row.total) / double(total) : 0;
  std::sort(rows.begin(), rows.end(), [](const SummaryRow &a, const SummaryRow &b) {
    return std::pair(b.total, a.name) < std::pair(a.total, b.name);
  });
  nvprofRows(file, "GPU activities", rows, csv);
  nvprofRows(file, "API calls", summaryOf(profile, Summary::Calls), csv);
}

// Of each range: its instances, and the kernels that were launched in it.
void nvprofRanges(std::FILE *file, const Profile &profile, bool csv) {
  const std::vector<RangeRow> ranges = rangesOf(profile);
  if (ranges.empty())
    return;
  fmt::print(file, "\n==1== NVTX result:\n");
  for (const RangeRow &range : ranges) {
    fmt::print(file, "==1==   Range \"{}\"\n", range.name);
    nvprofHead(file, csv);
    SummaryRow row = range;
    row.percent = 100;
    nvprofRows(file, "Range", {row}, csv);
    if (csv)
      fmt::print(file, "\"Kernels launched\",,{:.6f},{},,,,\n", double(range.kernel_time) / 1e6,
                 range.kernels);
    else
      fmt::print(file, "{:>16} {} launched, {}\n", "Kernels:", range.kernels,
                 timeText(range.kernel_time));
  }
}

void nvprofTrace(std::FILE *file, const Profile &profile, bool api) {
  fmt::print(file, "{:>10} {:>10} {:>16} {:>15} {:>6} {:>9} {:>9} {:>11} {:>3} {:>6}  Name\n",
             "Start", "Duration", "Grid Size", "Block Size", "Regs*", "SSMem*", "DSMem*", "Size",
             "Dev", "Stream");
  std::vector<profile::Event> events = profile.events;
  std::sort(events.begin(), events.end(), [](const profile::Event &a, const profile::Event &b) {
    return std::pair(a.begin, a.name) < std::pair(b.begin, b.name);
  });
  for (const profile::Event &event : events) {
    if ((event.kind == "api") != api || event.kind == "host" || event.isNote())
      continue;
    const bool kernel = event.kind == "kernel", memory = event.bytes != 0;
    const auto only = [](bool is, const std::string &text) { return is ? text : "-"; };
    fmt::print(
        file, "{:>10} {:>10} {:>16} {:>15} {:>6} {:>9} {:>9} {:>11} {:>3} {:>6}  {}\n",
        timeText(event.begin), timeText(event.end - event.begin), only(kernel, dim(event.grid)),
        only(kernel, dim(event.block)), only(kernel, std::to_string(event.registers)),
        only(kernel, bytesText(event.static_shared)), only(kernel, bytesText(event.dynamic_shared)),
        only(memory, bytesText(event.bytes)), only(!api, std::to_string(event.device)),
        only(!api, std::to_string(event.track + 7)),
        event.kind == "copy"   ? "[CUDA memcpy " + event.name + "]"
        : event.kind == "fill" ? "[CUDA memset]"
                               : event.name);
  }
  if (!api)
    fmt::print(file, "\nRegs: Number of registers used per CUDA thread, estimated.\n"
                     "SSMem: Static shared memory allocated per CUDA block.\n"
                     "DSMem: Dynamic shared memory allocated per CUDA block.\n");
}

void nvprofMetrics(std::FILE *file, const Profile &profile, const NvprofOptions &options) {
  std::map<std::string, std::vector<Totals>> launches; // by kernel
  for (const Kernel &kernel : profile.kernels)
    if (kernel.counted)
      launches[kernel.name].push_back(totalsOf(kernel));
  const std::string device = fmt::format("{} (0)", gpuOf(profile).name);
  if (options.csv)
    fmt::print(file, "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
                     "Description\",\"Min\",\"Max\",\"Avg\"\n");
  else
    fmt::print(file, "{:>11} {:>41} {:>50} {:>12} {:>12} {:>12}\nDevice \"{}\"\n", "Invocations",
               "Metric Name", "Metric Description", "Min", "Max", "Avg", device);
  for (const auto &[name, all] : launches) {
    if (!options.csv)
      fmt::print(file, "    Kernel: {}\n", name);
    for (const Metric *metric : options.metrics) {
      std::vector<double> values;
      double sum = 0;
      for (const Totals &totals : all)
        sum += values.emplace_back(metric->value(totals));
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      const std::string shown = metric->nvprof ? metric->nvprof : metric->name;
      const std::string numbers[] = {withUnit(*metric, *least), withUnit(*metric, *most),
                                     withUnit(*metric, sum / double(values.size()))};
      if (options.csv)
        fmt::print(file, "\"{}\",\"{}\",{},\"{}\",\"{}\",{}\n", device, name, values.size(), shown,
                   metric->what, fmt::join(numbers, ","));
      else
        fmt::print(file, "{:>11} {:>41} {:>50} {:>12} {:>12} {:>12}\n", values.size(), shown,
                   metric->what, numbers[0], numbers[1], numbers[2]);
    }
  }
}

// ---- ncu ----

struct NcuOptions {
  bool csv = false;
  std::vector<const Metric *> metrics;
  std::string kernel, log;
  bool nvtx = false;
  std::vector<RangeExpression> include, exclude;
  uint64_t skip = 0, count = ~uint64_t(0);
  ProfiledRun run;
};

NcuOptions parseNcu(const std::vector<std::string> &arguments) {
  NcuOptions options;
  OptionReader reader(arguments);
  std::string value;
  while (!reader.atEnd() && reader.peek().starts_with("-")) {
    if (reader.flag("--csv"))
      options.csv = true;
    else if (reader.option("--metrics", value))
      options.metrics = metricsNamed(value);
    else if (reader.option("--kernel-name", options.kernel) ||
             reader.option("-k", options.kernel) || reader.option("--log-file", options.log) ||
             reader.option("--set", value) || reader.option("--section", value) ||
             reader.option("--target-processes", value) || reader.option("--page", value) ||
             reader.option("--print-units", value))
      continue; // all numbers that there are, unless some are chosen
    else if (reader.flag("--nvtx"))
      options.nvtx = true;
    else if (reader.option("--nvtx-include", value))
      options.include.emplace_back(value);
    else if (reader.option("--nvtx-exclude", value))
      options.exclude.emplace_back(value);
    else if (reader.option("--launch-count", value) || reader.option("-c", value))
      options.count = numberFrom(1, "--launch-count", value);
    else if (reader.option("--launch-skip", value) || reader.option("-s", value))
      options.skip = numberFrom(0, "--launch-skip", value);
    else
      throw UsageError(reader.peek() + " is not supported; --metrics, --set, --csv, -k, -c, -s, "
                                       "--nvtx, --nvtx-include, --nvtx-exclude, --page, "
                                       "--target-processes and --log-file are");
  }
  if (reader.atEnd())
    throw UsageError("no program");
  if (!options.nvtx && !(options.include.empty() && options.exclude.empty()))
    throw UsageError("--nvtx-include and --nvtx-exclude need --nvtx");
  if (options.metrics.empty())
    options.metrics = metricsNamed("all");
  // A plain name is meant exactly.
  if (options.kernel.starts_with("regex:"))
    options.run.kernel = options.kernel.substr(6);
  else if (!options.kernel.empty())
    options.run.kernel = "(^|[ :])" + options.kernel + "[(<]";
  options.run.what = {reader.take()};
  options.run.caches = anyOfCaches(options.metrics);
  options.run.program_arguments = reader.takeRest();
  options.run.each_launch = true;
  return options;
}

bool chosenByRange(const NcuOptions &options, const Profile &profile, const Kernel &kernel) {
  const auto holds = [&](const RangeExpression &one) { return one.holds(profile, kernel.call); };
  return (options.include.empty() ||
          std::any_of(options.include.begin(), options.include.end(), holds)) &&
         std::none_of(options.exclude.begin(), options.exclude.end(), holds);
}

// Returns how many kernels are in it.
uint64_t ncuReport(std::FILE *file, const Profile &profile, const NcuOptions &options) {
  const gpu::Gpu &gpu = gpuOf(profile);
  const std::string capability = fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor);
  if (options.csv)
    fmt::print(file, "\"ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"Grid Size\","
                     "\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
  uint64_t number = 0, reported = 0;
  for (const Kernel &kernel : profile.kernels) {
    if (!kernel.counted || !chosenByRange(options, profile, kernel))
      continue;
    const uint64_t id = number++;
    if (id < options.skip || id - options.skip >= options.count)
      continue;
    ++reported;
    const Totals totals = totalsOf(kernel);
    const auto size = [](const std::array<uint32_t, 3> &all) {
      return fmt::format("({}, {}, {})", all[0], all[1], all[2]);
    };
    const std::string line(88, '-');
    if (!options.csv)
      fmt::print(
          file,
          "  {} {}x{}, Context 1, Stream 7, Device 0, CC {}\n"
          "    Section: Command line profiler metrics\n    {}\n    {:<68} {:<6} {:>12}\n    {}\n",
          kernel.name, size(kernel.grid), size(kernel.block), capability, line, "Metric Name",
          "Unit", "Value", line);
    for (const Metric *metric : options.metrics) {
      const std::string name = metric->nsight ? metric->nsight : metric->name;
      const std::string value = numberText(metric->value(totals));
      if (options.csv)
        fmt::print(file, "\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",\"0\",\"{}\",\"{}\",\"{}\",\"{}\"\n",
                   id, fs::path(options.run.what.front()).filename().string(), kernel.name,
                   size(kernel.block), size(kernel.grid), capability, name, metric->unit, value);
      else
        fmt::print(file, "    {:<68} {:<6} {:>12}\n", name, metric->unit, value);
    }
    if (!options.csv)
      fmt::print(file, "    {}\n\n", line);
  }
  return reported;
}

// ---- nsys ----

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
  const ProfiledResult result = runOrThrow(run);
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

int nvprofCommand(const std::vector<std::string> &arguments) {
  const NvprofOptions options = parseNvprof(arguments);
  const Output file = outputTo(options.log, stderr);
  const ProfiledResult result = runOrThrow(options.run);
  if (!result.profile)
    return result.exit_code;
  const char *what = options.metrics.empty() ? "Profiling result" : "Metric result";
  fmt::print(file.get(), "==1== {}:\n", what);
  if (!options.metrics.empty())
    nvprofMetrics(file.get(), *result.profile, options);
  else if (options.gpu_trace || options.api_trace)
    nvprofTrace(file.get(), *result.profile, options.api_trace);
  else
    nvprofSummary(file.get(), *result.profile, options.csv);
  if (options.metrics.empty())
    nvprofRanges(file.get(), *result.profile, options.csv);
  return result.exit_code;
}

int ncuCommand(const std::vector<std::string> &arguments) {
  const NcuOptions options = parseNcu(arguments);
  const Output file = outputTo(options.log, stdout);
  const ProfiledResult result = runOrThrow(options.run);
  if (!result.profile)
    return result.exit_code;
  if (!ncuReport(file.get(), *result.profile, options))
    fmt::print(stderr, "==WARNING== No kernels were profiled.\n");
  return result.exit_code;
}

int nsysCommand(const std::vector<std::string> &arguments) {
  OptionReader reader(arguments);
  if (!reader.atEnd() && reader.flag("profile"))
    return nsysProfile(reader);
  if (!reader.atEnd() && reader.flag("stats"))
    return nsysStatsOf(reader);
  throw UsageError("the commands profile and stats are supported");
}

} // namespace heddle::cli
