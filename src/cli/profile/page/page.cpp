// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/page/page.h"

#include "cli/profile/findings.h"
#include "cli/profile/metrics.h"
#include "cli/profile/report.h"
#include "cli/profile/tables.h"
#include "gpu/occupancy.h"
#include "support/paths.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#ifdef HEDDLE_PAGE_FILE
// The page as a part of the program.
asm(".pushsection .rodata\n"
    ".globl heddle_page_begin, heddle_page_end\n"
    "heddle_page_begin: .incbin \"" HEDDLE_PAGE_FILE "\"\n"
    "heddle_page_end: .byte 0\n"
    ".popsection\n");
extern "C" const char heddle_page_begin[], heddle_page_end[];
#endif

namespace heddle::cli {
namespace {

using nlohmann::json;
using profile::Kernel;
using profile::Profile;

constexpr size_t most_events = 20'000;           // in the timeline
constexpr uintmax_t most_source_bytes = 1 << 20; // of a file
constexpr std::string_view place_of_data = "@PROFILE@";

std::string_view page() {
#ifdef HEDDLE_PAGE_FILE
  return {heddle_page_begin, size_t(heddle_page_end - heddle_page_begin)};
#else
  return {};
#endif
}

json gpuJson(const gpu::Gpu &gpu) {
  constexpr double operations_of_fused = 2, hertz = 1000;
  const double fp32 =
      operations_of_fused * gpu.multiprocessors * gpu.fp32_lanes * (hertz * gpu.clock_khz);
  return {{"id", gpu.id},
          {"name", gpu.name},
          {"architecture", gpu.architecture},
          {"multiprocessors", gpu.multiprocessors},
          {"clock_khz", gpu.clock_khz},
          {"fp32_per_second", fp32},
          {"fp64_per_second", fp32 / gpu.single_to_double_ratio},
          {"bytes_per_second", gpu.memory_bandwidth_bytes},
          {"warps", gpu.max_threads_per_multiprocessor / gpu.warp_size},
          {"blocks", gpu.max_blocks_per_multiprocessor}};
}

json occupancyJson(const Kernel &kernel, const gpu::Gpu &gpu) {
  gpu::KernelResources resources;
  resources.registers_per_thread = int(kernel.registers);
  resources.static_shared = kernel.static_shared;
  resources.dynamic_shared = kernel.dynamic_shared;
  resources.max_dynamic_shared = kernel.dynamic_shared;
  const auto with = [&](int threads) -> json {
    resources.threads = threads;
    const gpu::Occupancy result = gpu::occupancy(gpu, resources);
    json one = {{"threads", threads},
                {"blocks", result.blocks_per_sm},
                {"warps", result.active_warps},
                {"limiter", nameOf(result.limiter)}};
    for (const auto &[name, limit] :
         {std::pair("warps", result.limit_warps), std::pair("blocks", result.limit_blocks),
          std::pair("registers", result.limit_registers),
          std::pair("shared memory", result.limit_shared)})
      one["limits"][name] = limit == INT_MAX ? json() : json(limit);
    return one;
  };
  json table = json::array();
  for (int threads = gpu.warp_size; threads <= gpu.max_threads_per_block; threads += gpu.warp_size)
    table.push_back(with(threads));
  return {{"now", with(int(kernel.block[0] * kernel.block[1] * kernel.block[2]))},
          {"table", std::move(table)}};
}

json metricsOf(const Totals &totals) {
  json result = json::object();
  for (const Metric &metric : metrics())
    if (const double value = metric.value(totals))
      result[metric.name] = value;
  return result;
}

// What --json does not have: what the command works out from it.
json kernelJson(const Kernel &kernel, const gpu::Gpu &gpu) {
  json advice = json::array(), lines = json::array();
  if (kernel.counted) {
    for (const Advice &one : adviceFor(kernel, gpu))
      advice.push_back({{"file", one.place.file},
                        {"line", one.place.line},
                        {"text", one.text},
                        {"remedy", one.remedy},
                        {"cost", one.cost}});
    for (const LineTotals &one : linesOf(kernel))
      lines.push_back({{"file", one.file}, {"line", one.line}, {"metrics", metricsOf(one.totals)}});
  }
  return {{"cost", costOf(kernel)},
          {"advice", std::move(advice)},
          {"lines", std::move(lines)},
          {"occupancy", occupancyJson(kernel, gpu)}};
}

json summaryJson(const Profile &profile, Summary which) {
  json rows = json::array();
  for (const SummaryRow &row : summaryOf(profile, which))
    rows.push_back({{"name", row.name},
                    {"count", row.count},
                    {"total", row.total},
                    {"bytes", row.bytes},
                    {"percent", row.percent},
                    {"average", row.average},
                    {"least", row.least},
                    {"most", row.most}});
  return rows;
}

// The sources that kernels' lines are from, as far as they can be read.
json sourcesOf(const Profile &profile) {
  std::set<std::string> files;
  for (const Kernel &kernel : profile.kernels)
    for (const LineTotals &line : linesOf(kernel))
      files.insert(line.file);
  json sources = json::object();
  for (const std::string &path : files) {
    std::error_code missing;
    const uintmax_t size = std::filesystem::file_size(path, missing);
    std::ifstream file(path, std::ios::binary);
    if (!missing && size <= most_source_bytes && file)
      sources[path] =
          std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return sources;
}

json dataOf(const Profile &profile, const std::string &program) {
  const gpu::Gpu &gpu = gpu::load(profile.gpu, installRoot() / "share" / "heddle" / "gpus");
  Profile shown = profile;
  if (shown.events.size() > most_events) {
    shown.events_left_out += shown.events.size() - most_events;
    shown.events.resize(most_events);
  }
  for (Kernel &kernel : shown.kernels)
    kernel.blocks.clear(); // "lines" has what they add up to
  json counted = jsonOf(profile), whole = jsonOf(shown), kernels = json::array(),
       descriptions = json::array();
  for (size_t i = 0; i < profile.kernels.size(); ++i) {
    whole["kernels"][i]["metrics"] = counted["kernels"][i]["metrics"];
    kernels.push_back(kernelJson(profile.kernels[i], gpu));
  }
  for (const Metric &metric : metrics())
    if (!metric.of_caches || profile.caches)
      descriptions.push_back({{"name", metric.name},
                              {"nsight", metric.nsight ? metric.nsight : ""},
                              {"unit", metric.unit},
                              {"what", metric.what}});
  return {{"program", program},
          {"profile", std::move(whole)},
          {"gpu", gpuJson(gpu)},
          {"kernels", std::move(kernels)},
          {"metrics", std::move(descriptions)},
          {"calls", summaryJson(profile, Summary::Calls)},
          {"memory", summaryJson(profile, Summary::Memory)},
          {"sources", sourcesOf(profile)}};
}

// For a script element: "</script>" and "<!--" may be in no string of it.
std::string escaped(const json &data) {
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace), result;
  result.reserve(text.size());
  for (const char letter : text)
    if (letter == '<')
      result += "\\u003c";
    else
      result += letter;
  return result;
}

} // namespace

bool hasPage() { return !page().empty(); }

void writePage(const std::string &path, const Profile &profile, const std::string &program) {
  const size_t place = page().find(place_of_data);
  if (place == std::string_view::npos)
    throw std::logic_error("the page has no place for a profile");
  const std::string data = escaped(dataOf(profile, program));
  std::ofstream file(path, std::ios::binary);
  file << page().substr(0, place) << data << page().substr(place + place_of_data.size());
  if (file.flush())
    return;
  const int reason = errno;
  std::error_code ignored;
  if (file.is_open() && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

} // namespace heddle::cli
