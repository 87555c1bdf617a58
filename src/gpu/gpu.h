// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A description of one NVIDIA GPU: what the virtual device says it is.
//
// Heddle runs kernels on the CPU, but a program asks its device how many multiprocessors it has,
// how much shared memory a block may use, how large a texture may be, and shapes its launches after
// the answers. The answers come from a data file per GPU (gpus/t4.json, gpus/h200.json …), written
// after what NVIDIA has published. A `Gpu` is such a file in memory: plain data, one member for
// each key of the file, enough to fill cudaDeviceProp and to answer every cudaDeviceAttr of
// CUDA 12.4.
//
// Lengths in bytes are uint64_t and end in _bytes or begin with shared_; rates say their unit.
// Members that depend on the computer and not on the GPU (PCI place, watchdog, NUMA) have the
// values of a Linux server with this GPU in it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::gpu {

struct Gpu {
  std::string id;           // the data file's name: "t4"
  std::string name;         // cudaDeviceProp::name: "Tesla T4"
  std::string architecture; // "Turing"
  int compute_major = 0, compute_minor = 0;
  std::map<std::string, std::string> source; // family of figures -> where they were published

  // Multiprocessors (SMs)
  int multiprocessors = 0;
  int warp_size = 0;
  int clock_khz = 0;              // highest (boost) clock
  int sub_partitions = 0;         // warp schedulers per SM, each with its share of the registers
  int fp32_lanes = 0;             // single-precision units per SM ("CUDA cores")
  int single_to_double_ratio = 0; // single- over double-precision throughput
  int async_engines = 0;          // copy engines

  // Limits of a launch
  int max_threads_per_block = 0;
  std::array<int, 3> max_block_dim{};
  std::array<int, 3> max_grid_dim{};
  int max_threads_per_multiprocessor = 0;
  int max_blocks_per_multiprocessor = 0;

  // Registers (32 bits each)
  int registers_per_block = 0;
  int registers_per_multiprocessor = 0;
  int max_registers_per_thread = 0;
  int register_allocation_unit = 0;    // a warp's registers are handed out in multiples of this
  int warp_allocation_granularity = 0; // a block's warps are counted in multiples of this

  // Shared memory
  uint64_t shared_per_block = 0;       // without asking
  uint64_t shared_per_block_optin = 0; // with cudaFuncAttributeMaxDynamicSharedMemorySize
  uint64_t shared_per_multiprocessor = 0;
  uint64_t shared_reserved_per_block = 0; // taken by the driver from each block
  uint64_t shared_allocation_unit = 0;
  std::vector<uint64_t> shared_carveouts; // sizes it can have beside the L1 cache, ascending

  // Memory and caches
  uint64_t global_memory_bytes = 0;
  uint64_t constant_memory_bytes = 0;
  uint64_t max_pitch_bytes = 0;
  uint64_t l2_bytes = 0;
  int l2_partitions = 0; // each keeps what its SMs use, so that data may be in several
  uint64_t l1_bytes = 0; // L1 data cache and shared memory together, per SM
  uint64_t persisting_l2_bytes = 0;
  uint64_t access_policy_window_bytes = 0;
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
  uint64_t memory_bandwidth_bytes = 0; // per second, published peak
  bool ecc_enabled = false;
  bool global_l1_cache = false;
  bool local_l1_cache = false;

  // Textures and surfaces: extents in elements, the last number of a layered one is layers
  uint64_t texture_alignment = 0;
  uint64_t texture_pitch_alignment = 0;
  uint64_t surface_alignment = 0;
  int max_texture_1d = 0;
  int max_texture_1d_mipmap = 0;
  int max_texture_1d_linear = 0;
  std::array<int, 2> max_texture_1d_layered{};
  std::array<int, 2> max_texture_2d{};
  std::array<int, 2> max_texture_2d_mipmap{};
  std::array<int, 3> max_texture_2d_linear{}; // width, height, pitch in bytes
  std::array<int, 2> max_texture_2d_gather{};
  std::array<int, 3> max_texture_2d_layered{};
  std::array<int, 3> max_texture_3d{};
  std::array<int, 3> max_texture_3d_alternate{};
  int max_texture_cubemap = 0;
  std::array<int, 2> max_texture_cubemap_layered{};
  int max_surface_1d = 0;
  std::array<int, 2> max_surface_1d_layered{};
  std::array<int, 2> max_surface_2d{};
  std::array<int, 3> max_surface_2d_layered{};
  std::array<int, 3> max_surface_3d{};
  int max_surface_cubemap = 0;
  std::array<int, 2> max_surface_cubemap_layered{};

  // What it can do
  bool integrated = false;
  bool concurrent_kernels = false;
  bool gpu_overlap = false; // copy and compute at once
  bool can_map_host_memory = false;
  bool unified_addressing = false;
  bool stream_priorities = false;
  int lowest_stream_priority = 0, highest_stream_priority = 0; // cudaDeviceGetStreamPriorityRange
  bool compute_preemption = false;
  bool cooperative_launch = false;
  bool cooperative_multi_device_launch = false;
  bool cluster_launch = false;
  bool unified_function_pointers = false;
  bool managed_memory = false;
  bool concurrent_managed_access = false;
  bool direct_managed_access_from_host = false;
  bool pageable_memory_access = false;
  bool pageable_memory_access_uses_host_page_tables = false;
  bool host_native_atomics = false;
  bool host_register = false;
  bool host_register_read_only = false;
  bool host_pointer_for_registered_memory = false;
  bool can_flush_remote_writes = false;
  bool stream_memory_operations = false; // attributes 92 to 94, reserved since CUDA 12
  bool sparse_arrays = false;
  bool deferred_mapping_arrays = false;
  bool timeline_semaphore_interop = false;
  bool ipc_events = false;
  bool memory_pools = false;
  int memory_pool_handle_types = 0; // bits of cudaMemAllocationHandleType
  bool gpu_direct_rdma = false;
  int gpu_direct_rdma_flush_options = 0; // bits of cudaFlushGPUDirectRDMAWritesOptions
  int gpu_direct_rdma_ordering = 0;      // cudaGPUDirectRDMAWritesOrdering
  int memory_sync_domains = 0;

  // How and where it is plugged in
  int pci_domain_id = 0, pci_bus_id = 0, pci_device_id = 0;
  int pci_hardware_id = 0; // device << 16 | vendor, as lspci -n shows them
  int compute_mode = 0;    // cudaComputeMode
  bool kernel_exec_timeout = false;
  bool tcc_driver = false;
  bool multi_gpu_board = false;
  int multi_gpu_board_group = 0;
  bool mps_enabled = false;
  int numa_config = 0; // cudaDeviceNumaConfig
  int numa_id = 0;
  int host_numa_id = 0;
};

/// The GPU described by `folder`/`name`.json (an installation keeps the files in
/// <root>/share/heddle/gpus). The reference is valid for the rest of the program; the file is read
/// once. Thread-safe. Throws std::runtime_error: for an unknown name, with the names that are
/// known; for a bad file, with the file and the field that is missing, unknown or of the wrong
/// type. A path that ends in .json is a file itself.
const Gpu &load(std::string_view name, const std::filesystem::path &folder);

/// The names `load` knows in `folder`, in alphabetical order.
std::vector<std::string> names(const std::filesystem::path &folder);

/// Where the virtual device with this ordinal is plugged in: each has a slot of its own.
int pciBus(const Gpu &gpu, int ordinal);

/// Its UUID: the same each time a program runs, and different for each device.
std::array<char, 16> uuid(const Gpu &gpu, int ordinal);

/// As tools write them: "GPU-48454444-…", "00000000:00:04.0".
std::string uuidText(const Gpu &gpu, int ordinal);
std::string pciText(const Gpu &gpu, int ordinal);

} // namespace heddle::gpu
