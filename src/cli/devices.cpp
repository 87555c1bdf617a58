// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"

#include "device/platform.h"
#include "gpu/gpu.h"
#include "support/paths.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kibi = 1024, gibi = kibi * kibi * kibi;

ordered_json describe(const gpu::Gpu &gpu) {
  return {{"id", gpu.id},
          {"name", gpu.name},
          {"architecture", gpu.architecture},
          {"compute_capability", fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor)},
          {"multiprocessors", gpu.multiprocessors},
          {"warp_size", gpu.warp_size},
          {"clock_khz", gpu.clock_khz},
          {"global_memory_bytes", gpu.global_memory_bytes},
          {"memory_bandwidth_bytes_per_second", gpu.memory_bandwidth_bytes},
          {"l2_bytes", gpu.l2_bytes},
          {"shared_per_block_bytes", gpu.shared_per_block},
          {"shared_per_block_optin_bytes", gpu.shared_per_block_optin},
          {"shared_per_multiprocessor_bytes", gpu.shared_per_multiprocessor},
          {"registers_per_multiprocessor", gpu.registers_per_multiprocessor},
          {"max_threads_per_block", gpu.max_threads_per_block},
          {"max_threads_per_multiprocessor", gpu.max_threads_per_multiprocessor},
          {"max_blocks_per_multiprocessor", gpu.max_blocks_per_multiprocessor}};
}

void printDevice(int ordinal, const gpu::Gpu &gpu) {
  auto row = [](std::string_view what, const std::string &figure) {
    fmt::print("  {:<22} {}\n", what, figure);
  };
  fmt::print("Device {}: {} ({})\n", ordinal, gpu.name, gpu.id);
  row("compute capability",
      fmt::format("{}.{} ({})", gpu.compute_major, gpu.compute_minor, gpu.architecture));
  row("multiprocessors", fmt::format("{} at {} MHz", gpu.multiprocessors, gpu.clock_khz / 1000));
  row("global memory",
      fmt::format("{:.2f} GiB, {:.0f} GB/s", double(gpu.global_memory_bytes) / gibi,
                  double(gpu.memory_bandwidth_bytes) / 1e9));
  row("L2 cache", fmt::format("{:.0f} KiB", double(gpu.l2_bytes) / kibi));
  row("threads",
      fmt::format("{} a block, {} a multiprocessor, {} a warp", gpu.max_threads_per_block,
                  gpu.max_threads_per_multiprocessor, gpu.warp_size));
  row("shared memory",
      fmt::format("{:.0f} KiB a block ({:.0f} KiB on request), {:.0f} KiB a "
                  "multiprocessor",
                  double(gpu.shared_per_block) / kibi, double(gpu.shared_per_block_optin) / kibi,
                  double(gpu.shared_per_multiprocessor) / kibi));
  row("registers", fmt::format("{} a multiprocessor", gpu.registers_per_multiprocessor));
}

} // namespace

int devicesCommand(bool json) {
  // The platform itself, as a program would get it.
  Platform &platform = Platform::instance();
  if (platform.status() != cudaSuccess && platform.status() != cudaErrorNoDevice)
    return 1; // the platform has said why
  const auto folder = installRoot() / "share" / "heddle" / "gpus";
  if (json) {
    ordered_json result = {{"devices", ordered_json::array()}, {"known", ordered_json::array()}};
    for (int i = 0; i < platform.deviceCount(); ++i)
      result["devices"].push_back(describe(platform.device(i).gpu));
    for (const std::string &name : gpu::names(folder))
      result["known"].push_back(describe(gpu::load(name, folder)));
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  for (int i = 0; i < platform.deviceCount(); ++i)
    printDevice(i, platform.device(i).gpu);
  if (platform.deviceCount() == 0)
    fmt::print("No device (HEDDLE_DEVICES=0)\n");
  fmt::print("\nHEDDLE_GPU=name chooses another GPU, HEDDLE_DEVICES=count how many there are:\n");
  for (const std::string &name : gpu::names(folder)) {
    const gpu::Gpu &gpu = gpu::load(name, folder);
    fmt::print("  {:<10} {:<28} {}.{}  {:>3} multiprocessors  {:>6.1f} GiB  {:>5.0f} GB/s\n", name,
               gpu.name, gpu.compute_major, gpu.compute_minor, gpu.multiprocessors,
               double(gpu.global_memory_bytes) / gibi, double(gpu.memory_bandwidth_bytes) / 1e9);
  }
  return 0;
}

} // namespace heddle::cli
