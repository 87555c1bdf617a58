// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle occupancy: how many blocks of each kernel an SM holds, what limits it, and what other
// block sizes would give. Nothing is run.
#include "gpu/occupancy.h"
#include "cli/commands.h"
#include "cli/option_reader.h"
#include "cli/run.h"
#include "cli/supervise.h"
#include "gpu/gpu.h"
#include "module/image/image.h"
#include "support/paths.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

struct OccupancyOptions {
  std::string gpu;
  uint32_t block = 256, dynamic_shared = 0, registers = 0; // 0: as estimated
  bool json = false;
  Words rest;
};

OccupancyOptions parse(const std::vector<std::string> &arguments) {
  OccupancyOptions options;
  OptionReader reader(arguments);
  std::string value;
  while (!reader.atEnd()) {
    if (reader.option("--gpu", options.gpu))
      continue;
    if (reader.flag("--json"))
      options.json = true;
    else if (reader.option("--block", value))
      options.block = uint32_t(numberFrom(1, "--block", value));
    else if (reader.option("--shared", value))
      options.dynamic_shared = uint32_t(numberFrom(0, "--shared", value));
    else if (reader.option("--registers", value))
      options.registers = uint32_t(numberFrom(1, "--registers", value));
    else
      options.rest.push_back(reader.take());
  }
  if (options.rest.empty())
    throw UsageError("no program; see heddle occupancy --help");
  return options;
}

const gpu::Gpu &gpuOf(const OccupancyOptions &options) {
  const char *chosen = std::getenv("HEDDLE_GPU");
  const std::string name = !options.gpu.empty() ? options.gpu
                           : chosen && *chosen  ? std::string(chosen)
                                                : std::string("t4");
  try {
    return gpu::load(name, installRoot() / "share" / "heddle" / "gpus");
  } catch (const std::exception &unknown) {
    throw UsageError(std::string("--gpu: ") + unknown.what());
  }
}

// All kernels of the images in a file.
void addKernels(const fs::path &path, std::vector<KernelInfo> &kernels) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr size_t least = 24; // of an image's head
  for (size_t at = 0; at + least <= bytes.size(); ++at) {
    const size_t size = imageBytes(bytes.data() + at);
    if (size == 0 || size > bytes.size() - at)
      continue;
    const Image image = readImage({reinterpret_cast<const std::byte *>(bytes.data() + at), size});
    kernels.insert(kernels.end(), image.info.kernels.begin(), image.info.kernels.end());
    at += size - 1;
  }
}

// Sources are compiled for the device alone; everything else is looked through for images. What is
// no file is the compiler's.
std::vector<KernelInfo> kernelsOf(const OccupancyOptions &options) {
  const ScratchFolder folder;
  std::vector<KernelInfo> kernels;
  Words compiler = {(installRoot() / "bin" / "heddlecc").string(), "-cubin"};
  std::vector<std::string> files;
  for (const std::string &word : options.rest)
    (fs::is_regular_file(word) ? files : compiler).push_back(word);
  if (files.empty())
    throw UsageError(options.rest.front() + ": no such file");
  for (const std::string &file : files) {
    fs::path image = file;
    if (fs::path(file).extension() == ".cu") {
      image = folder.path() / "image";
      Words command = compiler;
      command.insert(command.end(), {file, "-o", image.string()});
      if (superviseProgram(command, {"TMPDIR=" + folder.path().string()}) != 0)
        throw std::runtime_error(file + " does not compile");
    }
    addKernels(image, kernels);
  }
  return kernels;
}

gpu::KernelResources resourcesOf(const KernelInfo &kernel, const OccupancyOptions &options,
                                 uint32_t threads) {
  gpu::KernelResources resources;
  resources.threads = int(threads);
  resources.registers_per_thread = int(options.registers ? options.registers : kernel.registers);
  resources.static_shared = kernel.static_shared_bytes;
  resources.dynamic_shared = options.dynamic_shared;
  resources.max_dynamic_shared = options.dynamic_shared;
  resources.max_threads_per_block = int(kernel.max_threads_per_block);
  return resources;
}

int mostWarps(const gpu::Gpu &gpu) { return gpu.max_threads_per_multiprocessor / gpu.warp_size; }

std::string percent(const gpu::Occupancy &occupancy, const gpu::Gpu &gpu) {
  const double value = 100.0 * occupancy.active_warps / mostWarps(gpu);
  return fmt::format("{:.4g} %", value);
}

// What the scarce resource would have to be for one more block to fit; empty if nothing would help.
std::string oneMore(const gpu::Gpu &gpu, const gpu::KernelResources &now) {
  const gpu::Occupancy before = gpu::occupancy(gpu, now);
  gpu::KernelResources other = now;
  if (before.limiter == gpu::Limiter::Registers) {
    while (--other.registers_per_thread > 0)
      if (gpu::occupancy(gpu, other).blocks_per_sm > before.blocks_per_sm)
        return fmt::format("One more block would fit with {} registers a thread.",
                           other.registers_per_thread);
  } else if (before.limiter == gpu::Limiter::Shared) {
    const uint64_t all = now.static_shared + now.dynamic_shared;
    constexpr uint64_t step = 16;
    for (uint64_t bytes = all / step * step; bytes > 0; bytes -= step) {
      other.static_shared = bytes - step;
      other.dynamic_shared = 0;
      if (gpu::occupancy(gpu, other).blocks_per_sm > before.blocks_per_sm)
        return fmt::format("One more block would fit with {} bytes of shared memory.",
                           other.static_shared);
    }
  }
  return {};
}

constexpr uint32_t sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};

void print(const KernelInfo &kernel, const OccupancyOptions &options, const gpu::Gpu &gpu) {
  const gpu::KernelResources resources = resourcesOf(kernel, options, options.block);
  const gpu::Occupancy now = gpu::occupancy(gpu, resources);
  fmt::print("{}: {} registers a thread{}, {} bytes of shared memory a block\n",
             kernel.display_name, resources.registers_per_thread,
             options.registers ? "" : " (estimated)",
             resources.static_shared + resources.dynamic_shared);
  if (now.blocks_per_sm)
    fmt::print("  Blocks of {} threads: {} on an SM, {} of {} warps ({}); {} limit{} it. {}\n",
               options.block, now.blocks_per_sm, now.active_warps, mostWarps(gpu),
               percent(now, gpu), nameOf(now.limiter),
               now.limiter == gpu::Limiter::Shared ? "s" : "", oneMore(gpu, resources));
  else
    fmt::print("  Blocks of {} threads cannot run.\n", options.block);
  fmt::print("  {:>8} {:>10} {:>8} {:>10}  {}\n", "Block", "Blocks/SM", "Warps", "Occupancy",
             "Limiter");
  for (const uint32_t size : sizes) {
    const gpu::Occupancy other = gpu::occupancy(gpu, resourcesOf(kernel, options, size));
    if (other.blocks_per_sm)
      fmt::print("  {:>8} {:>10} {:>8} {:>10}  {}\n", size, other.blocks_per_sm, other.active_warps,
                 percent(other, gpu), nameOf(other.limiter));
    else
      fmt::print("  {:>8} {:>10}\n", size, "-");
  }
  fmt::print("\n");
}

void printJson(const std::vector<KernelInfo> &kernels, const OccupancyOptions &options,
               const gpu::Gpu &gpu) {
  nlohmann::json json = {{"version", 1}, {"gpu", gpu.id}, {"kernels", nlohmann::json::array()}};
  for (const KernelInfo &kernel : kernels) {
    nlohmann::json table = nlohmann::json::array();
    for (const uint32_t size : sizes) {
      const gpu::Occupancy occupancy = gpu::occupancy(gpu, resourcesOf(kernel, options, size));
      table.push_back({{"block", size},
                       {"blocks_per_sm", occupancy.blocks_per_sm},
                       {"warps", occupancy.active_warps},
                       {"occupancy", double(occupancy.active_warps) / mostWarps(gpu)},
                       {"limiter", nameOf(occupancy.limiter)}});
    }
    json["kernels"].push_back({{"name", kernel.display_name},
                               {"registers", kernel.registers},
                               {"static_shared", kernel.static_shared_bytes},
                               {"table", table}});
  }
  fmt::print("{}\n", json.dump());
}

} // namespace

int occupancyCommand(const std::vector<std::string> &arguments) {
  const OccupancyOptions options = parse(arguments);
  const gpu::Gpu &gpu = gpuOf(options);
  const std::vector<KernelInfo> kernels = kernelsOf(options);
  if (kernels.empty())
    throw std::runtime_error("there is no kernel in " + options.rest.front());
  if (options.json) {
    printJson(kernels, options, gpu);
    return 0;
  }
  fmt::print("{} ({}): {} threads, {} blocks, {} registers and {} bytes of shared memory on an "
             "SM\n\n",
             gpu.name, gpu.id, gpu.max_threads_per_multiprocessor,
             gpu.max_blocks_per_multiprocessor, gpu.registers_per_multiprocessor,
             gpu.shared_per_multiprocessor);
  for (const KernelInfo &kernel : kernels)
    print(kernel, options, gpu);
  return 0;
}

} // namespace heddle::cli
