// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/nvidia_smi/fields.h"

#include "device/platform.h"
#include "gpu/gpu.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

std::string notThere(Device &) { return "[N/A]"; }

uint64_t mebibytes(uint64_t bytes) { return bytes >> 20; }

std::string uuidOf(Device &device) { return gpu::uuidText(device.gpu, device.board); }

std::string busOf(Device &device) { return gpu::pciText(device.gpu, device.board); }

std::string now(Device &) {
  return fmt::format("{:%Y/%m/%d %H:%M:%S}.000", fmt::localtime(std::time(nullptr)));
}

std::vector<Field> identity() {
  return {
      {{"timestamp"}, "", now},
      {{"driver_version"}, "", [](Device &) { return std::string(driver_version); }},
      {{"count"}, "", [](Device &) { return std::to_string(Platform::instance().deviceCount()); }},
      {{"name", "gpu_name"}, "", [](Device &d) { return d.gpu.name; }},
      {{"index"}, "", [](Device &d) { return std::to_string(d.ordinal); }},
      {{"uuid", "gpu_uuid"}, "", uuidOf},
      {{"compute_cap"},
       "",
       [](Device &d) { return fmt::format("{}.{}", d.gpu.compute_major, d.gpu.compute_minor); }},
      {{"pci.bus_id", "gpu_bus_id"}, "", busOf},
      {{"pci.domain"}, "", [](Device &d) { return fmt::format("0x{:04X}", d.gpu.pci_domain_id); }},
      {{"pci.bus"},
       "",
       [](Device &d) { return fmt::format("0x{:02X}", gpu::pciBus(d.gpu, d.board)); }},
      {{"pci.device"}, "", [](Device &d) { return fmt::format("0x{:02X}", d.gpu.pci_device_id); }},
      {{"pci.device_id"},
       "",
       [](Device &d) { return fmt::format("0x{:08X}", d.gpu.pci_hardware_id); }},
      {{"compute_mode"}, "", [](Device &) { return std::string("Default"); }},
      {{"persistence_mode"}, "", [](Device &) { return std::string("Disabled"); }},
      {{"display_mode"}, "", [](Device &) { return std::string("Disabled"); }},
      {{"display_active"}, "", [](Device &) { return std::string("Disabled"); }},
      {{"ecc.mode.current"},
       "",
       [](Device &d) { return std::string(d.gpu.ecc_enabled ? "Enabled" : "Disabled"); }},
  };
}

std::vector<Field> memoryAndClocks() {
  return {
      {{"memory.total"},
       "MiB",
       [](Device &d) { return std::to_string(mebibytes(d.gpu.global_memory_bytes)); }},
      // Memory belongs to the process that runs a program: no other one sees it.
      {{"memory.used"},
       "MiB",
       [](Device &d) { return std::to_string(mebibytes(d.memory.used(d.ordinal))); }},
      {{"memory.free"},
       "MiB",
       [](Device &d) {
         return std::to_string(mebibytes(d.gpu.global_memory_bytes - d.memory.used(d.ordinal)));
       }},
      {{"memory.reserved"}, "MiB", [](Device &) { return std::string("0"); }},
      {{"clocks.max.sm", "clocks.max.gr", "clocks.max.graphics"},
       "MHz",
       [](Device &d) { return std::to_string(d.gpu.clock_khz / 1000); }},
      {{"clocks.max.mem", "clocks.max.memory"},
       "MHz",
       [](Device &d) { return std::to_string(d.gpu.memory_clock_khz / 1000); }},
  };
}

// What a board has and a program does not.
std::vector<Field> sensors() {
  std::vector<Field> list;
  for (const char *name :
       {"serial", "vbios_version", "fan.speed", "pstate", "mig.mode.current", "mig.mode.pending",
        "accounting.mode", "driver_model.current", "inforom.img", "encoder.stats.sessionCount",
        "ecc.errors.uncorrected.volatile.total", "ecc.errors.corrected.volatile.total",
        "clocks_throttle_reasons.active", "pcie.link.gen.current", "pcie.link.gen.max",
        "pcie.link.width.current", "pcie.link.width.max", "temperature.gpu", "temperature.memory"})
    list.push_back({{name}, "", notThere});
  for (const char *name : {"utilization.gpu", "utilization.memory"})
    list.push_back({{name}, "%", notThere});
  for (const char *name :
       {"power.draw", "power.draw.average", "power.draw.instant", "power.limit",
        "power.default_limit", "power.min_limit", "power.max_limit", "enforced.power.limit"})
    list.push_back({{name}, "W", notThere});
  list.push_back({{"clocks.current.sm", "clocks.sm"}, "MHz", notThere});
  list.push_back({{"clocks.current.graphics", "clocks.gr"}, "MHz", notThere});
  list.push_back({{"clocks.current.memory", "clocks.mem"}, "MHz", notThere});
  return list;
}

} // namespace

const std::vector<Field> &fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> list = identity();
    for (auto &group : {memoryAndClocks(), sensors()})
      list.insert(list.end(), group.begin(), group.end());
    return list;
  }();
  return all;
}

const Field *findField(std::string_view name) {
  for (const Field &field : fields())
    if (std::find(field.names.begin(), field.names.end(), name) != field.names.end())
      return &field;
  return nullptr;
}

std::string valueOf(std::string_view name, Device &device) {
  const Field *field = findField(name);
  if (!field)
    throw std::logic_error(fmt::format("no field '{}'", name));
  return field->value(device);
}

} // namespace heddle::cli
