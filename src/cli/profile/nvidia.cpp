// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle under the names nvprof and ncu (nsys.cpp: nsys): the options that courses use, and
// NVIDIA's tables with our numbers. Times are this computer's.
#include "cli/commands.h"
#include "cli/option_reader.h"
#include "cli/profile/metrics.h"
#include "cli/profile/ranges.h"
#include "cli/profile/run_profiled.h"
#include "cli/profile/tables.h"
#include "gpu/gpu.h"
#include "support/paths.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <memory>

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

std::vector<const Metric *> metricsNamed(const std::string &list) {
  std::vector<const Metric *> result;
  for (const std::string &name : splitAtCommas(list))
    if (name == "all")
      for (const Metric &metric : metrics())
        result.push_back(&metric);
    else
      result.push_back(&findMetric(name, true));
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
  bool gpu_trace = false, api_trace = false, csv = false, unified = true;
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
    } else if (reader.option("--unified-memory-profiling", value))
      options.unified = value != "off";
    else if (reader.option("--log-file", options.log))
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

void nvprofUnified(std::FILE *file, const Profile &profile, bool csv) {
  const profile::UnifiedMemory &memory = profile.unified_memory;
  if (!memory.any())
    return;
  fmt::print(file, "\n==1== Unified Memory profiling result:\nDevice \"{} (0)\"\n",
             gpuOf(profile).name);
  const auto row = [&](const std::string &count, const std::string &average,
                       const std::string &least, const std::string &most, const std::string &total,
                       const std::string &name) {
    if (csv)
      fmt::print(file, "{},{},{},{},{},-,\"{}\"\n", count, average, least, most, total, name);
    else
      fmt::print(file, "{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}  {}\n", count, average, least, most,
                 total, "-", name);
  };
  fmt::print(
      file,
      fmt::runtime(csv ? "{},{},{},{},{},{},{}\n" : "{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}  {}\n"),
      "Count", "Avg Size", "Min Size", "Max Size", "Total Size", "Total Time", "Name");
  for (const auto &[name, all] :
       {std::pair("Host To Device", memory.to_device), std::pair("Device To Host", memory.to_host)})
    if (all.count)
      row(std::to_string(all.count), bytesText(all.bytes / all.count), bytesText(all.least),
          bytesText(all.most), bytesText(all.bytes), name);
  if (memory.gpu_faults)
    row(std::to_string(memory.gpu_faults), "-", "-", "-", "-", "Gpu page fault groups");
  fmt::print(file, "Total CPU Page faults: {}\n", memory.cpu_faults);
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

std::string memoryType(std::string kind) {
  if (kind.empty())
    return "-";
  kind[0] = char(std::toupper(kind[0]));
  return kind;
}

void nvprofTrace(std::FILE *file, const Profile &profile, bool api) {
  fmt::print(file,
             "{:>10} {:>10} {:>16} {:>15} {:>6} {:>9} {:>9} {:>11} {:>10} {:>10} {:>3} {:>6}  "
             "Name\n",
             "Start", "Duration", "Grid Size", "Block Size", "Regs*", "SSMem*", "DSMem*", "Size",
             "SrcMemType", "DstMemType", "Dev", "Stream");
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
        file,
        "{:>10} {:>10} {:>16} {:>15} {:>6} {:>9} {:>9} {:>11} {:>10} {:>10} {:>3} {:>6}  {}\n",
        timeText(event.begin), timeText(event.end - event.begin), only(kernel, dim(event.grid)),
        only(kernel, dim(event.block)), only(kernel, std::to_string(event.registers)),
        only(kernel, bytesText(event.static_shared)), only(kernel, bytesText(event.dynamic_shared)),
        only(memory, bytesText(event.bytes)), memoryType(event.from), memoryType(event.to),
        only(!api, std::to_string(event.device)), only(!api, std::to_string(event.track + 7)),
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

} // namespace

int nvprofCommand(const std::vector<std::string> &arguments) {
  const NvprofOptions options = parseNvprof(arguments);
  const Output file = outputTo(options.log, stderr);
  const ProfiledResult result = runBuilt(options.run);
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
  if (options.metrics.empty() && options.unified)
    nvprofUnified(file.get(), *result.profile, options.csv);
  if (options.metrics.empty())
    nvprofRanges(file.get(), *result.profile, options.csv);
  return result.exit_code;
}

int ncuCommand(const std::vector<std::string> &arguments) {
  const NcuOptions options = parseNcu(arguments);
  const Output file = outputTo(options.log, stdout);
  const ProfiledResult result = runBuilt(options.run);
  if (!result.profile)
    return result.exit_code;
  if (!ncuReport(file.get(), *result.profile, options))
    fmt::print(stderr, "==WARNING== No kernels were profiled.\n");
  return result.exit_code;
}

} // namespace heddle::cli
