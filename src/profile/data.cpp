// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::profile {
namespace {

using nlohmann::json;
using namespace engine::observe;

constexpr const char *class_names[] = {
    "integer",       "bit",        "conversion",    "fp16_add",   "fp16_multiply", "fp16_fused",
    "fp16_other",    "fp32_add",   "fp32_multiply", "fp32_fused", "fp32_other",    "fp64_add",
    "fp64_multiply", "fp64_fused", "fp64_other",    "special",    "load",          "store",
    "atomic",        "texture",    "surface",       "warp",       "matrix",        "barrier",
    "control",       "other"};
static_assert(std::size(class_names) == instruction_classes);
constexpr const char *space_names[] = {"global",   "shared",  "local",
                                       "constant", "texture", "surface"};
static_assert(std::size(space_names) == known_spaces);
constexpr const char *kind_names[] = {"load", "store", "atomic"};

template <class Enum, size_t N> Enum named(const char *const (&names)[N], const std::string &name) {
  for (size_t i = 0; i < N; ++i)
    if (name == names[i])
      return Enum(i);
  throw std::runtime_error("not a profile: " + name);
}

json placeJson(const Place &place) {
  return {{"function", place.function},
          {"file", place.file},
          {"line", place.line},
          {"column", place.column}};
}

Place placeFrom(const json &j) {
  return {j.at("function"), j.at("file"), j.at("line"), j.at("column")};
}

json blockJson(const Block &block) {
  json instructions = json::array();
  for (const Instructions &one : block.instructions)
    instructions.push_back(
        {{"place", placeJson(one.place)}, {"class", nameOf(one.kind)}, {"count", one.count}});
  return {{"warps", block.warps}, {"threads", block.threads}, {"instructions", instructions}};
}

Block blockFrom(const json &j) {
  Block block{j.at("warps"), j.at("threads"), {}};
  for (const json &one : j.at("instructions"))
    block.instructions.push_back({placeFrom(one.at("place")),
                                  named<InstructionClass>(class_names, one.at("class")),
                                  one.at("count")});
  return block;
}

json branchJson(const Branch &branch) {
  return {{"place", placeJson(branch.place)},
          {"visits", branch.visits},
          {"threads", branch.threads},
          {"divergent", branch.divergent},
          {"warps_diverging", branch.warps_diverging},
          {"divergent_by_visit", branch.divergent_by_visit},
          {"predicated", branch.predicated}};
}

Branch branchFrom(const json &j) {
  return {placeFrom(j.at("place")),
          j.at("visits"),
          j.at("threads"),
          j.at("divergent"),
          j.at("warps_diverging"),
          j.at("divergent_by_visit").get<std::vector<uint64_t>>(),
          j.value("predicated", false)};
}

constexpr std::pair<const char *, AccessCounter> counter_names[] = {
    {"requests", access_requests},     {"threads", access_threads},
    {"units", access_units},           {"ideal", access_ideal},
    {"unaligned", access_unaligned},   {"same_address", access_same},
    {"broadcasts", access_broadcasts}, {"lines", access_lines},
    {"texel_bytes", access_bytes},     {"l1_sectors", access_l1_sectors},
    {"l1_hits", access_l1_hits},       {"l2_sectors", access_l2_sectors},
    {"l2_hits", access_l2_hits},       {"dram_sectors", access_dram_sectors}};

json sampleJson(const Sample &sample) {
  json offsets = json::array();
  for (size_t lane = 0; lane < sample.offsets.size(); ++lane)
    offsets.push_back(sample.lanes >> lane & 1 ? json(sample.offsets[lane]) : json());
  return {{"units", sample.units}, {"offsets", std::move(offsets)}};
}

Sample sampleFrom(const json &j) {
  Sample sample{j.at("units"), 0, {}};
  const json &offsets = j.at("offsets");
  for (size_t lane = 0; lane < sample.offsets.size(); ++lane)
    if (!offsets.at(lane).is_null()) {
      sample.lanes |= 1u << lane;
      sample.offsets[lane] = offsets[lane];
    }
  return sample;
}

json accessJson(const Access &access) {
  json result = {{"place", placeJson(access.place)}, {"kind", nameOf(access.kind)},
                 {"space", nameOf(access.space)},    {"bytes", access.bytes},
                 {"variable", access.variable},      {"histogram", json::object()}};
  for (const auto &[name, counter] : counter_names)
    result[name] = access.of(counter);
  for (uint32_t units = 0; units <= most_units; ++units)
    if (const uint64_t requests = access.counters[access_histogram + units])
      result["histogram"][std::to_string(units)] = requests;
  result["sample"] = sampleJson(access.sample);
  return result;
}

Access accessFrom(const json &j) {
  Access access{placeFrom(j.at("place")), named<AccessKind>(kind_names, j.at("kind")),
                named<AccessSpace>(space_names, j.at("space")), j.at("bytes"), j.at("variable")};
  for (const auto &[name, counter] : counter_names)
    access.counters[counter] = j.value(name, uint64_t(0)); // older versions lack some
  for (const auto &[units, requests] : j.at("histogram").items())
    access.counters.at(access_histogram + size_t(std::stoul(units))) = requests;
  if (j.contains("sample")) // profiles of older versions have none
    access.sample = sampleFrom(j["sample"]);
  return access;
}

template <class T, class Function> json listOf(const std::vector<T> &list, Function each) {
  json result = json::array();
  for (const T &one : list)
    result.push_back(each(one));
  return result;
}

json launcherJson(const Launcher &launcher) {
  return {{"calls", listOf(launcher.calls, placeJson)},
          {"launches", launcher.launches},
          {"nanoseconds", launcher.nanoseconds}};
}

Launcher launcherFrom(const json &j) {
  Launcher launcher{{}, j.at("launches"), j.at("nanoseconds")};
  for (const json &one : j.at("calls"))
    launcher.calls.push_back(placeFrom(one));
  return launcher;
}

json kernelJson(const Kernel &kernel) {
  return {{"name", kernel.name},
          {"launches", kernel.launches},
          {"unfinished", kernel.unfinished},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"same_shape", kernel.same_shape},
          {"registers", kernel.registers},
          {"static_shared", kernel.static_shared},
          {"dynamic_shared", kernel.dynamic_shared},
          {"nanoseconds", kernel.nanoseconds},
          {"call", kernel.call},
          {"warps", kernel.warps},
          {"threads", kernel.threads},
          {"warps_diverged", kernel.warps_diverged},
          {"dram_written", kernel.dram_written},
          {"counted", kernel.counted},
          {"launchers", listOf(kernel.launchers, launcherJson)},
          {"blocks", listOf(kernel.blocks, blockJson)},
          {"branches", listOf(kernel.branches, branchJson)},
          {"accesses", listOf(kernel.accesses, accessJson)}};
}

Kernel kernelFrom(const json &j) {
  Kernel kernel;
  j.at("name").get_to(kernel.name);
  j.at("launches").get_to(kernel.launches);
  kernel.unfinished = j.value("unfinished", uint64_t(0));
  j.at("grid").get_to(kernel.grid);
  j.at("block").get_to(kernel.block);
  j.at("same_shape").get_to(kernel.same_shape);
  j.at("registers").get_to(kernel.registers);
  j.at("static_shared").get_to(kernel.static_shared);
  j.at("dynamic_shared").get_to(kernel.dynamic_shared);
  j.at("nanoseconds").get_to(kernel.nanoseconds);
  kernel.call = j.value("call", uint64_t(0));
  j.at("warps").get_to(kernel.warps);
  j.at("threads").get_to(kernel.threads);
  j.at("warps_diverged").get_to(kernel.warps_diverged);
  kernel.dram_written = j.value("dram_written", uint64_t(0));
  j.at("counted").get_to(kernel.counted);
  for (const json &one : j.value("launchers", json::array())) // older versions have none
    kernel.launchers.push_back(launcherFrom(one));
  for (const json &one : j.at("blocks"))
    kernel.blocks.push_back(blockFrom(one));
  for (const json &one : j.at("branches"))
    kernel.branches.push_back(branchFrom(one));
  for (const json &one : j.at("accesses"))
    kernel.accesses.push_back(accessFrom(one));
  return kernel;
}

json eventJson(const Event &event) {
  json result = {{"kind", event.kind}, {"name", event.name},   {"begin", event.begin},
                 {"end", event.end},   {"track", event.track}, {"call", event.call}};
  if (event.isNote())
    result.update({{"domain", event.domain},
                   {"category", event.category},
                   {"payload", event.payload},
                   {"color", event.color},
                   {"level", event.level}});
  else if (event.kind != "api")
    result["device"] = event.device;
  if (event.kind == "copy" || event.kind == "fill")
    result.update({{"bytes", event.bytes}, {"pageable", event.pageable}});
  if (event.kind == "copy")
    result.update({{"from", event.from}, {"to", event.to}});
  if (event.kind == "kernel")
    result.update({{"grid", event.grid},
                   {"block", event.block},
                   {"registers", event.registers},
                   {"static_shared", event.static_shared},
                   {"dynamic_shared", event.dynamic_shared}});
  return result;
}

Event eventFrom(const json &j) {
  Event event;
  j.at("kind").get_to(event.kind);
  j.at("name").get_to(event.name);
  j.at("begin").get_to(event.begin);
  j.at("end").get_to(event.end);
  j.at("track").get_to(event.track);
  j.at("call").get_to(event.call);
  if (event.isNote()) {
    j.at("domain").get_to(event.domain);
    j.at("category").get_to(event.category);
    j.at("payload").get_to(event.payload);
    j.at("color").get_to(event.color);
    j.at("level").get_to(event.level);
  }
  event.device = j.value("device", 0);
  event.bytes = j.value("bytes", uint64_t(0));
  event.pageable = j.value("pageable", false);
  event.from = j.value("from", std::string());
  event.to = j.value("to", std::string());
  if (event.kind == "kernel") {
    j.at("grid").get_to(event.grid);
    j.at("block").get_to(event.block);
    j.at("registers").get_to(event.registers);
    j.at("static_shared").get_to(event.static_shared);
    j.at("dynamic_shared").get_to(event.dynamic_shared);
  }
  return event;
}

json nameJson(const TrackName &name) {
  return {{"kind", name.stream ? "stream" : "thread"}, {"track", name.track}, {"name", name.name}};
}

json transfersJson(const Transfers &transfers) {
  return {{"transfers", transfers.count},
          {"bytes", transfers.bytes},
          {"least", transfers.least},
          {"most", transfers.most}};
}

Transfers transfersFrom(const json &j) {
  return {j.at("transfers"), j.at("bytes"), j.at("least"), j.at("most")};
}

json unifiedJson(const UnifiedMemory &memory) {
  return {{"host_to_device", transfersJson(memory.to_device)},
          {"device_to_host", transfersJson(memory.to_host)},
          {"gpu_faults", memory.gpu_faults},
          {"cpu_faults", memory.cpu_faults}};
}

UnifiedMemory unifiedFrom(const json &j) {
  return {transfersFrom(j.at("host_to_device")), transfersFrom(j.at("device_to_host")),
          j.at("gpu_faults"), j.at("cpu_faults")};
}

TrackName nameFrom(const json &j) {
  return {j.at("kind") == "stream", j.at("track"), j.at("name")};
}

} // namespace

const char *nameOf(InstructionClass kind) { return class_names[size_t(kind)]; }
const char *nameOf(AccessSpace space) { return space_names[size_t(space)]; }
const char *nameOf(AccessKind kind) { return kind_names[size_t(kind)]; }

json toJson(const Profile &profile) {
  return {{"version", schema_version},
          {"gpu", profile.gpu},
          {"warp_size", profile.warp_size},
          {"complete", profile.complete},
          {"caches", profile.caches},
          {"kernels", listOf(profile.kernels, kernelJson)},
          {"events", listOf(profile.events, eventJson)},
          {"names", listOf(profile.names, nameJson)},
          {"unified_memory", unifiedJson(profile.unified_memory)},
          {"events_left_out", profile.events_left_out}};
}

Profile fromJson(const json &j) {
  if (j.at("version") != schema_version)
    throw std::runtime_error("a profile of another version");
  Profile profile;
  j.at("gpu").get_to(profile.gpu);
  j.at("complete").get_to(profile.complete);
  profile.caches = j.value("caches", false);
  profile.warp_size = j.value("warp_size", 32u);
  for (const json &one : j.at("kernels")) {
    profile.kernels.push_back(kernelFrom(one));
    profile.kernels.back().warp_size = profile.warp_size;
  }
  for (const json &one : j.at("events"))
    profile.events.push_back(eventFrom(one));
  if (j.contains("names")) // profiles of older versions have none
    for (const json &one : j["names"])
      profile.names.push_back(nameFrom(one));
  if (j.contains("unified_memory"))
    profile.unified_memory = unifiedFrom(j["unified_memory"]);
  j.at("events_left_out").get_to(profile.events_left_out);
  return profile;
}

} // namespace heddle::profile
