// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the data files. Every member of Gpu is listed once below, under the key it has in the file;
// a file must have exactly these keys.
#include "gpu/gpu.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>

namespace heddle::gpu {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Takes the members of Gpu one after the other out of the file, and remembers which keys it knows.
class FieldReader {
public:
  FieldReader(const json &object, const fs::path &file) : object(object), file(file) {}

  template <typename T> void operator()(const char *key, T &member) {
    known.insert(key);
    auto value = object.find(key);
    if (value == object.end())
      fail(key, "is missing");
    get(key, *value, member);
  }

  void rejectUnknownKeys() const {
    for (const auto &[key, value] : object.items())
      if (!known.contains(key))
        fail(key, "is not a field of a GPU description");
  }

  [[noreturn]] void fail(std::string_view key, std::string_view what) const {
    throw std::runtime_error(fmt::format("{}: field '{}' {}", file.string(), key, what));
  }

private:
  void get(const char *key, const json &value, bool &member) {
    if (!value.is_boolean())
      fail(key, "must be true or false");
    member = value.get<bool>();
  }

  void get(const char *key, const json &value, int &member) {
    if (!value.is_number_integer())
      fail(key, "must be a whole number");
    auto number = value.get<int64_t>();
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
      fail(key, "does not fit in 32 bits");
    member = static_cast<int>(number);
  }

  void get(const char *key, const json &value, uint64_t &member) {
    if (!value.is_number_unsigned())
      fail(key, "must be a whole number, not negative");
    member = value.get<uint64_t>();
  }

  void get(const char *key, const json &value, std::string &member) {
    if (!value.is_string() || value.get_ref<const std::string &>().empty())
      fail(key, "must be a text that is not empty");
    member = value.get<std::string>();
  }

  template <size_t N> void get(const char *key, const json &value, std::array<int, N> &member) {
    if (!value.is_array() || value.size() != N)
      fail(key, fmt::format("must be a list of {} whole numbers", N));
    for (size_t i = 0; i < N; ++i)
      get(key, value[i], member[i]);
  }

  void get(const char *key, const json &value, std::vector<uint64_t> &member) {
    if (!value.is_array() || value.empty())
      fail(key, "must be a list of whole numbers");
    member.clear();
    for (const json &element : value)
      get(key, element, member.emplace_back());
  }

  void get(const char *key, const json &value, std::map<std::string, std::string> &member) {
    if (!value.is_object() || value.empty())
      fail(key, "must be an object that names where each family of figures was published");
    for (const auto &[family, where] : value.items())
      get(key, where, member[family]);
  }

  const json &object;
  const fs::path &file;
  std::set<std::string> known;
};

void readProcessor(FieldReader &field, Gpu &gpu) {
  field("name", gpu.name);
  field("architecture", gpu.architecture);
  field("compute_major", gpu.compute_major);
  field("compute_minor", gpu.compute_minor);
  field("source", gpu.source);
  field("multiprocessors", gpu.multiprocessors);
  field("warp_size", gpu.warp_size);
  field("clock_khz", gpu.clock_khz);
  field("sub_partitions", gpu.sub_partitions);
  field("fp32_lanes", gpu.fp32_lanes);
  field("single_to_double_ratio", gpu.single_to_double_ratio);
  field("async_engines", gpu.async_engines);
  field("max_threads_per_block", gpu.max_threads_per_block);
  field("max_block_dim", gpu.max_block_dim);
  field("max_grid_dim", gpu.max_grid_dim);
  field("max_threads_per_multiprocessor", gpu.max_threads_per_multiprocessor);
  field("max_blocks_per_multiprocessor", gpu.max_blocks_per_multiprocessor);
  field("registers_per_block", gpu.registers_per_block);
  field("registers_per_multiprocessor", gpu.registers_per_multiprocessor);
  field("max_registers_per_thread", gpu.max_registers_per_thread);
  field("register_allocation_unit", gpu.register_allocation_unit);
  field("warp_allocation_granularity", gpu.warp_allocation_granularity);
}

void readMemory(FieldReader &field, Gpu &gpu) {
  field("shared_per_block", gpu.shared_per_block);
  field("shared_per_block_optin", gpu.shared_per_block_optin);
  field("shared_per_multiprocessor", gpu.shared_per_multiprocessor);
  field("shared_reserved_per_block", gpu.shared_reserved_per_block);
  field("shared_allocation_unit", gpu.shared_allocation_unit);
  field("shared_carveouts", gpu.shared_carveouts);
  field("global_memory_bytes", gpu.global_memory_bytes);
  field("constant_memory_bytes", gpu.constant_memory_bytes);
  field("max_pitch_bytes", gpu.max_pitch_bytes);
  field("l2_bytes", gpu.l2_bytes);
  field("l2_partitions", gpu.l2_partitions);
  field("l1_bytes", gpu.l1_bytes);
  field("persisting_l2_bytes", gpu.persisting_l2_bytes);
  field("access_policy_window_bytes", gpu.access_policy_window_bytes);
  field("memory_clock_khz", gpu.memory_clock_khz);
  field("memory_bus_bits", gpu.memory_bus_bits);
  field("memory_bandwidth_bytes", gpu.memory_bandwidth_bytes);
  field("ecc_enabled", gpu.ecc_enabled);
  field("global_l1_cache", gpu.global_l1_cache);
  field("local_l1_cache", gpu.local_l1_cache);
}

void readTextures(FieldReader &field, Gpu &gpu) {
  field("texture_alignment", gpu.texture_alignment);
  field("texture_pitch_alignment", gpu.texture_pitch_alignment);
  field("surface_alignment", gpu.surface_alignment);
  field("max_texture_1d", gpu.max_texture_1d);
  field("max_texture_1d_mipmap", gpu.max_texture_1d_mipmap);
  field("max_texture_1d_linear", gpu.max_texture_1d_linear);
  field("max_texture_1d_layered", gpu.max_texture_1d_layered);
  field("max_texture_2d", gpu.max_texture_2d);
  field("max_texture_2d_mipmap", gpu.max_texture_2d_mipmap);
  field("max_texture_2d_linear", gpu.max_texture_2d_linear);
  field("max_texture_2d_gather", gpu.max_texture_2d_gather);
  field("max_texture_2d_layered", gpu.max_texture_2d_layered);
  field("max_texture_3d", gpu.max_texture_3d);
  field("max_texture_3d_alternate", gpu.max_texture_3d_alternate);
  field("max_texture_cubemap", gpu.max_texture_cubemap);
  field("max_texture_cubemap_layered", gpu.max_texture_cubemap_layered);
  field("max_surface_1d", gpu.max_surface_1d);
  field("max_surface_1d_layered", gpu.max_surface_1d_layered);
  field("max_surface_2d", gpu.max_surface_2d);
  field("max_surface_2d_layered", gpu.max_surface_2d_layered);
  field("max_surface_3d", gpu.max_surface_3d);
  field("max_surface_cubemap", gpu.max_surface_cubemap);
  field("max_surface_cubemap_layered", gpu.max_surface_cubemap_layered);
}

void readFeatures(FieldReader &field, Gpu &gpu) {
  field("integrated", gpu.integrated);
  field("concurrent_kernels", gpu.concurrent_kernels);
  field("gpu_overlap", gpu.gpu_overlap);
  field("can_map_host_memory", gpu.can_map_host_memory);
  field("unified_addressing", gpu.unified_addressing);
  field("stream_priorities", gpu.stream_priorities);
  field("lowest_stream_priority", gpu.lowest_stream_priority);
  field("highest_stream_priority", gpu.highest_stream_priority);
  field("compute_preemption", gpu.compute_preemption);
  field("cooperative_launch", gpu.cooperative_launch);
  field("cooperative_multi_device_launch", gpu.cooperative_multi_device_launch);
  field("cluster_launch", gpu.cluster_launch);
  field("unified_function_pointers", gpu.unified_function_pointers);
  field("managed_memory", gpu.managed_memory);
  field("concurrent_managed_access", gpu.concurrent_managed_access);
  field("direct_managed_access_from_host", gpu.direct_managed_access_from_host);
  field("pageable_memory_access", gpu.pageable_memory_access);
  field("pageable_memory_access_uses_host_page_tables",
        gpu.pageable_memory_access_uses_host_page_tables);
  field("host_native_atomics", gpu.host_native_atomics);
  field("host_register", gpu.host_register);
  field("host_register_read_only", gpu.host_register_read_only);
  field("host_pointer_for_registered_memory", gpu.host_pointer_for_registered_memory);
  field("can_flush_remote_writes", gpu.can_flush_remote_writes);
  field("stream_memory_operations", gpu.stream_memory_operations);
  field("sparse_arrays", gpu.sparse_arrays);
  field("deferred_mapping_arrays", gpu.deferred_mapping_arrays);
  field("timeline_semaphore_interop", gpu.timeline_semaphore_interop);
  field("ipc_events", gpu.ipc_events);
  field("memory_pools", gpu.memory_pools);
  field("memory_pool_handle_types", gpu.memory_pool_handle_types);
  field("gpu_direct_rdma", gpu.gpu_direct_rdma);
  field("gpu_direct_rdma_flush_options", gpu.gpu_direct_rdma_flush_options);
  field("gpu_direct_rdma_ordering", gpu.gpu_direct_rdma_ordering);
  field("memory_sync_domains", gpu.memory_sync_domains);
}

void readPlatform(FieldReader &field, Gpu &gpu) {
  field("pci_domain_id", gpu.pci_domain_id);
  field("pci_bus_id", gpu.pci_bus_id);
  field("pci_device_id", gpu.pci_device_id);
  field("pci_hardware_id", gpu.pci_hardware_id);
  field("compute_mode", gpu.compute_mode);
  field("kernel_exec_timeout", gpu.kernel_exec_timeout);
  field("tcc_driver", gpu.tcc_driver);
  field("multi_gpu_board", gpu.multi_gpu_board);
  field("multi_gpu_board_group", gpu.multi_gpu_board_group);
  field("mps_enabled", gpu.mps_enabled);
  field("numa_config", gpu.numa_config);
  field("numa_id", gpu.numa_id);
  field("host_numa_id", gpu.host_numa_id);
}

/// The numbers that code divides by or loops over; a zero in a file must not reach it.
void checkSense(const FieldReader &field, const Gpu &gpu) {
  const std::pair<const char *, int64_t> positive[] = {
      {"compute_major", gpu.compute_major},
      {"multiprocessors", gpu.multiprocessors},
      {"warp_size", gpu.warp_size},
      {"clock_khz", gpu.clock_khz},
      {"sub_partitions", gpu.sub_partitions},
      {"fp32_lanes", gpu.fp32_lanes},
      {"single_to_double_ratio", gpu.single_to_double_ratio},
      {"max_threads_per_block", gpu.max_threads_per_block},
      {"max_threads_per_multiprocessor", gpu.max_threads_per_multiprocessor},
      {"max_blocks_per_multiprocessor", gpu.max_blocks_per_multiprocessor},
      {"registers_per_block", gpu.registers_per_block},
      {"registers_per_multiprocessor", gpu.registers_per_multiprocessor},
      {"max_registers_per_thread", gpu.max_registers_per_thread},
      {"register_allocation_unit", gpu.register_allocation_unit},
      {"warp_allocation_granularity", gpu.warp_allocation_granularity},
      {"shared_allocation_unit", int64_t(gpu.shared_allocation_unit)},
      {"global_memory_bytes", int64_t(gpu.global_memory_bytes)},
      {"memory_clock_khz", gpu.memory_clock_khz},
      {"memory_bus_bits", gpu.memory_bus_bits},
      {"texture_alignment", int64_t(gpu.texture_alignment)},
      {"texture_pitch_alignment", int64_t(gpu.texture_pitch_alignment)},
  };
  for (auto [key, value] : positive)
    if (value <= 0)
      field.fail(key, "must be greater than 0");
  if (gpu.warp_size != 32 && gpu.warp_size != 64)
    field.fail("warp_size", "must be 32 or 64");
  if (!std::ranges::is_sorted(gpu.shared_carveouts) ||
      gpu.shared_carveouts.back() != gpu.shared_per_multiprocessor)
    field.fail("shared_carveouts", "must ascend to shared_per_multiprocessor");
}

Gpu readFile(std::string_view id, const fs::path &file) {
  std::ifstream stream(file);
  if (!stream)
    throw std::runtime_error(fmt::format("{}: cannot be read", file.string()));
  json object;
  try {
    object = json::parse(stream);
  } catch (const json::parse_error &error) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
  }
  if (!object.is_object())
    throw std::runtime_error(fmt::format("{}: must hold one JSON object", file.string()));

  Gpu gpu;
  gpu.id = id;
  FieldReader field(object, file);
  readProcessor(field, gpu);
  readMemory(field, gpu);
  readTextures(field, gpu);
  readFeatures(field, gpu);
  readPlatform(field, gpu);
  field.rejectUnknownKeys();
  checkSense(field, gpu);
  return gpu;
}

} // namespace

const Gpu &load(std::string_view name, const fs::path &folder) {
  const bool is_file = name.ends_with(".json") && name.find('/') != name.npos;
  const std::vector<std::string> known =
      is_file ? std::vector<std::string>{std::string(name)} : names(folder);
  if (known.empty())
    throw std::runtime_error(fmt::format("{}: holds no GPU descriptions", folder.string()));
  if (!std::ranges::count(known, name))
    throw std::runtime_error(
        fmt::format("unknown GPU '{}'; the known ones are {}", name, fmt::join(known, ", ")));

  static std::mutex mutex;
  static auto &loaded = *new std::map<fs::path, std::unique_ptr<const Gpu>>; // outlives all threads
  std::lock_guard lock(mutex);
  const fs::path file =
      fs::weakly_canonical(is_file ? fs::path(name) : folder / fmt::format("{}.json", name));
  auto &gpu = loaded[file];
  if (!gpu)
    gpu = std::make_unique<const Gpu>(readFile(file.stem().string(), file));
  return *gpu;
}

std::vector<std::string> names(const fs::path &folder) {
  std::vector<std::string> result;
  std::error_code error; // a folder that is not there holds no GPUs
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json")
      result.push_back(entry.path().stem().string());
  std::ranges::sort(result);
  return result;
}

int pciBus(const Gpu &gpu, int ordinal) { return gpu.pci_bus_id + ordinal; }

std::array<char, 16> uuid(const Gpu &gpu, int ordinal) {
  std::array<char, 16> bytes{};
  std::snprintf(bytes.data(), bytes.size(), "HEDDLE-%s", gpu.id.c_str());
  bytes[15] = char(ordinal);
  return bytes;
}

std::string uuidText(const Gpu &gpu, int ordinal) {
  std::string text = "GPU-";
  const auto bytes = uuid(gpu, ordinal);
  for (size_t i = 0; i < bytes.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                        static_cast<unsigned char>(bytes[i]));
  return text;
}

std::string pciText(const Gpu &gpu, int ordinal) {
  return fmt::format("{:08X}:{:02X}:{:02X}.0", gpu.pci_domain_id, pciBus(gpu, ordinal),
                     gpu.pci_device_id);
}

} // namespace heddle::gpu
