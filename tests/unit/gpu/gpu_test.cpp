// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU data files: that every field reaches its member, that the shipped files hold together,
// and that a bad file is refused with words that name the file and the field.
#include "gpu/gpu.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <thread>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using heddle::gpu::Gpu;
using heddle::gpu::load;
using heddle::gpu::names;
using nlohmann::json;

const Gpu &shipped(std::string_view name) { return load(name, HEDDLE_GPUS); }

json shippedJson(const std::string &name) {
  std::ifstream stream(fs::path(HEDDLE_GPUS) / (name + ".json"));
  return json::parse(stream);
}

/// A folder of its own for each test, with data files written by it.
class GpuFiles : public testing::Test {
protected:
  void SetUp() override {
    auto *test = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(testing::TempDir()) /
             ("heddle-gpu-" + std::string(test->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder / (name + ".json")) << text;
  }

  /// What load says about `text`, written to a file that was not loaded before.
  std::string complaint(const std::string &text) {
    std::string name = "gpu" + std::to_string(++written);
    write(name, text);
    try {
      load(name, folder);
    } catch (const std::runtime_error &error) {
      EXPECT_NE(std::string(error.what()).find(name + ".json"), std::string::npos)
          << "the message does not name the file: " << error.what();
      return error.what();
    }
    return "";
  }

  fs::path folder;
  int written = 0;
};

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// Every member of Gpu, against the published figures of a Tesla T4.

TEST(TeslaT4, Processor) {
  const Gpu &gpu = shipped("t4");
  EXPECT_EQ(gpu.id, "t4");
  EXPECT_EQ(gpu.name, "Tesla T4");
  EXPECT_EQ(gpu.architecture, "Turing");
  EXPECT_EQ(gpu.compute_major, 7);
  EXPECT_EQ(gpu.compute_minor, 5);
  EXPECT_EQ(gpu.multiprocessors, 40);
  EXPECT_EQ(gpu.warp_size, 32);
  EXPECT_EQ(gpu.clock_khz, 1590000);
  EXPECT_EQ(gpu.sub_partitions, 4);
  EXPECT_EQ(gpu.fp32_lanes, 64);
  EXPECT_EQ(gpu.single_to_double_ratio, 32);
  EXPECT_EQ(gpu.async_engines, 3);
  EXPECT_EQ(gpu.max_threads_per_block, 1024);
  EXPECT_EQ(gpu.max_block_dim, (std::array<int, 3>{1024, 1024, 64}));
  EXPECT_EQ(gpu.max_grid_dim, (std::array<int, 3>{2147483647, 65535, 65535}));
  EXPECT_EQ(gpu.max_threads_per_multiprocessor, 1024);
  EXPECT_EQ(gpu.max_blocks_per_multiprocessor, 16);
  EXPECT_EQ(gpu.registers_per_block, 65536);
  EXPECT_EQ(gpu.registers_per_multiprocessor, 65536);
  EXPECT_EQ(gpu.max_registers_per_thread, 255);
  EXPECT_EQ(gpu.register_allocation_unit, 256);
  EXPECT_EQ(gpu.warp_allocation_granularity, 4);
}

TEST(TeslaT4, Memory) {
  const Gpu &gpu = shipped("t4");
  EXPECT_EQ(gpu.shared_per_block, 49152u);
  EXPECT_EQ(gpu.shared_per_block_optin, 65536u);
  EXPECT_EQ(gpu.shared_per_multiprocessor, 65536u);
  EXPECT_EQ(gpu.shared_reserved_per_block, 0u);
  EXPECT_EQ(gpu.shared_allocation_unit, 256u);
  EXPECT_EQ(gpu.shared_carveouts, (std::vector<uint64_t>{32768, 65536}));
  EXPECT_EQ(gpu.global_memory_bytes, 15828320256u);
  EXPECT_EQ(gpu.constant_memory_bytes, 65536u);
  EXPECT_EQ(gpu.max_pitch_bytes, 2147483647u);
  EXPECT_EQ(gpu.l2_bytes, 4194304u);
  EXPECT_EQ(gpu.l1_bytes, 98304u);
  EXPECT_EQ(gpu.persisting_l2_bytes, 0u);
  EXPECT_EQ(gpu.access_policy_window_bytes, 0u);
  EXPECT_EQ(gpu.memory_clock_khz, 5001000);
  EXPECT_EQ(gpu.memory_bus_bits, 256);
  EXPECT_EQ(gpu.memory_bandwidth_bytes, 320000000000u);
  EXPECT_TRUE(gpu.ecc_enabled);
  EXPECT_TRUE(gpu.global_l1_cache);
  EXPECT_TRUE(gpu.local_l1_cache);
}

TEST(TeslaT4, TexturesAndSurfaces) {
  const Gpu &gpu = shipped("t4");
  EXPECT_EQ(gpu.texture_alignment, 512u);
  EXPECT_EQ(gpu.texture_pitch_alignment, 32u);
  EXPECT_EQ(gpu.surface_alignment, 512u);
  EXPECT_EQ(gpu.max_texture_1d, 131072);
  EXPECT_EQ(gpu.max_texture_1d_mipmap, 32768);
  EXPECT_EQ(gpu.max_texture_1d_linear, 268435456);
  EXPECT_EQ(gpu.max_texture_1d_layered, (std::array<int, 2>{32768, 2048}));
  EXPECT_EQ(gpu.max_texture_2d, (std::array<int, 2>{131072, 65536}));
  EXPECT_EQ(gpu.max_texture_2d_mipmap, (std::array<int, 2>{32768, 32768}));
  EXPECT_EQ(gpu.max_texture_2d_linear, (std::array<int, 3>{131072, 65000, 2097120}));
  EXPECT_EQ(gpu.max_texture_2d_gather, (std::array<int, 2>{32768, 32768}));
  EXPECT_EQ(gpu.max_texture_2d_layered, (std::array<int, 3>{32768, 32768, 2048}));
  EXPECT_EQ(gpu.max_texture_3d, (std::array<int, 3>{16384, 16384, 16384}));
  EXPECT_EQ(gpu.max_texture_3d_alternate, (std::array<int, 3>{8192, 8192, 32768}));
  EXPECT_EQ(gpu.max_texture_cubemap, 32768);
  EXPECT_EQ(gpu.max_texture_cubemap_layered, (std::array<int, 2>{32768, 2046}));
  EXPECT_EQ(gpu.max_surface_1d, 32768);
  EXPECT_EQ(gpu.max_surface_1d_layered, (std::array<int, 2>{32768, 2048}));
  EXPECT_EQ(gpu.max_surface_2d, (std::array<int, 2>{131072, 65536}));
  EXPECT_EQ(gpu.max_surface_2d_layered, (std::array<int, 3>{32768, 32768, 2048}));
  EXPECT_EQ(gpu.max_surface_3d, (std::array<int, 3>{16384, 16384, 16384}));
  EXPECT_EQ(gpu.max_surface_cubemap, 32768);
  EXPECT_EQ(gpu.max_surface_cubemap_layered, (std::array<int, 2>{32768, 2046}));
}

TEST(TeslaT4, FeaturesAndPlatform) {
  const Gpu &gpu = shipped("t4");
  EXPECT_FALSE(gpu.integrated);
  EXPECT_TRUE(gpu.concurrent_kernels);
  EXPECT_TRUE(gpu.gpu_overlap);
  EXPECT_TRUE(gpu.can_map_host_memory);
  EXPECT_TRUE(gpu.unified_addressing);
  EXPECT_TRUE(gpu.stream_priorities);
  EXPECT_EQ(gpu.lowest_stream_priority, 0);
  EXPECT_EQ(gpu.highest_stream_priority, -1);
  EXPECT_TRUE(gpu.compute_preemption);
  EXPECT_TRUE(gpu.cooperative_launch);
  EXPECT_TRUE(gpu.cooperative_multi_device_launch);
  EXPECT_FALSE(gpu.cluster_launch);
  EXPECT_FALSE(gpu.unified_function_pointers);
  EXPECT_TRUE(gpu.managed_memory);
  EXPECT_TRUE(gpu.concurrent_managed_access);
  EXPECT_FALSE(gpu.direct_managed_access_from_host);
  EXPECT_FALSE(gpu.pageable_memory_access);
  EXPECT_FALSE(gpu.pageable_memory_access_uses_host_page_tables);
  EXPECT_FALSE(gpu.host_native_atomics);
  EXPECT_TRUE(gpu.host_register);
  EXPECT_TRUE(gpu.host_register_read_only);
  EXPECT_TRUE(gpu.host_pointer_for_registered_memory);
  EXPECT_FALSE(gpu.can_flush_remote_writes);
  EXPECT_FALSE(gpu.stream_memory_operations);
  EXPECT_TRUE(gpu.sparse_arrays);
  EXPECT_TRUE(gpu.deferred_mapping_arrays);
  EXPECT_TRUE(gpu.timeline_semaphore_interop);
  EXPECT_TRUE(gpu.ipc_events);
  EXPECT_TRUE(gpu.memory_pools);
  EXPECT_EQ(gpu.memory_pool_handle_types, 1);
  EXPECT_TRUE(gpu.gpu_direct_rdma);
  EXPECT_EQ(gpu.gpu_direct_rdma_flush_options, 1);
  EXPECT_EQ(gpu.gpu_direct_rdma_ordering, 0);
  EXPECT_EQ(gpu.memory_sync_domains, 1);
  EXPECT_EQ(gpu.pci_domain_id, 0);
  EXPECT_EQ(gpu.pci_bus_id, 0);
  EXPECT_EQ(gpu.pci_device_id, 4);
  EXPECT_EQ(gpu.pci_hardware_id, 515379422);
  EXPECT_EQ(gpu.compute_mode, 0);
  EXPECT_FALSE(gpu.kernel_exec_timeout);
  EXPECT_FALSE(gpu.tcc_driver);
  EXPECT_FALSE(gpu.multi_gpu_board);
  EXPECT_EQ(gpu.multi_gpu_board_group, 0);
  EXPECT_FALSE(gpu.mps_enabled);
  EXPECT_EQ(gpu.numa_config, 0);
  EXPECT_EQ(gpu.numa_id, -1);
  EXPECT_EQ(gpu.host_numa_id, 0);
}

// The figures that tell one GPU from another, as published.
struct Figures {
  const char *id, *name;
  int major, minor, multiprocessors, clock_khz, blocks, threads;
  uint64_t shared_sm_kib, optin_kib, l2_kib, gb_per_second;
};

class ShippedGpu : public testing::TestWithParam<Figures> {};

TEST_P(ShippedGpu, HasItsPublishedFigures) {
  const Figures &figures = GetParam();
  const Gpu &gpu = shipped(figures.id);
  EXPECT_EQ(gpu.id, figures.id);
  EXPECT_EQ(gpu.name, figures.name);
  EXPECT_EQ(gpu.compute_major, figures.major);
  EXPECT_EQ(gpu.compute_minor, figures.minor);
  EXPECT_EQ(gpu.multiprocessors, figures.multiprocessors);
  EXPECT_EQ(gpu.clock_khz, figures.clock_khz);
  EXPECT_EQ(gpu.max_blocks_per_multiprocessor, figures.blocks);
  EXPECT_EQ(gpu.max_threads_per_multiprocessor, figures.threads);
  EXPECT_EQ(gpu.shared_per_multiprocessor, figures.shared_sm_kib << 10);
  EXPECT_EQ(gpu.shared_per_block_optin, figures.optin_kib << 10);
  EXPECT_EQ(gpu.l2_bytes, figures.l2_kib << 10);
  EXPECT_EQ(gpu.memory_bandwidth_bytes, figures.gb_per_second * 1'000'000'000);
}

TEST_P(ShippedGpu, HoldsTogether) {
  const Gpu &gpu = shipped(GetParam().id);
  EXPECT_GE(gpu.source.size(), 5u);
  EXPECT_EQ(gpu.shared_reserved_per_block, gpu.compute_major >= 8 ? 1024u : 0u);
  EXPECT_EQ(gpu.shared_allocation_unit, gpu.compute_major >= 8 ? 128u : 256u);
  EXPECT_EQ(gpu.shared_per_block_optin + gpu.shared_reserved_per_block,
            gpu.shared_per_multiprocessor);
  EXPECT_EQ(gpu.pci_hardware_id & 0xffff, 0x10de) << "NVIDIA's PCI vendor number";
  EXPECT_LT(gpu.shared_per_multiprocessor, gpu.l1_bytes + 1);
  // Two transfers a clock: the published bandwidth is what the bus and its clock give, within the
  // rounding of datasheets.
  double bus = 2.0 * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8;
  EXPECT_NEAR(bus / double(gpu.memory_bandwidth_bytes), 1.0, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    All, ShippedGpu,
    testing::Values(
        Figures{"t4", "Tesla T4", 7, 5, 40, 1590000, 16, 1024, 64, 64, 4096, 320},
        Figures{"v100", "Tesla V100-SXM2-16GB", 7, 0, 80, 1530000, 32, 2048, 96, 96, 6144, 900},
        Figures{"a100", "NVIDIA A100-SXM4-40GB", 8, 0, 108, 1410000, 32, 2048, 164, 163, 40960,
                1555},
        Figures{"rtx3090", "NVIDIA GeForce RTX 3090", 8, 6, 82, 1695000, 16, 1536, 100, 99, 6144,
                936},
        Figures{"rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 2520000, 24, 1536, 100, 99, 73728,
                1008},
        Figures{"l4", "NVIDIA L4", 8, 9, 58, 2040000, 24, 1536, 100, 99, 49152, 300},
        Figures{"h100", "NVIDIA H100 80GB HBM3", 9, 0, 132, 1980000, 32, 2048, 228, 227, 51200,
                3350},
        Figures{"h200", "NVIDIA H200", 9, 0, 132, 1980000, 32, 2048, 228, 227, 61440, 4800},
        Figures{"b200", "NVIDIA B200", 10, 0, 148, 1965000, 32, 2048, 228, 227, 129536, 7672},
        Figures{"rtx5090", "NVIDIA GeForce RTX 5090", 12, 0, 170, 2407000, 24, 1536, 100, 99, 98304,
                1792}),
    [](const auto &info) { return std::string(info.param.id); });

TEST(ShippedGpus, AreAllTested) {
  EXPECT_EQ(names(HEDDLE_GPUS),
            (std::vector<std::string>{"a100", "b200", "h100", "h200", "l4", "rtx3090", "rtx4090",
                                      "rtx5090", "t4", "v100"}));
}

TEST(ShippedGpus, AreReadOnce) {
  const Gpu *first = &shipped("t4");
  EXPECT_EQ(first, &shipped("t4"));
  EXPECT_EQ(first, &load("t4", fs::path(HEDDLE_GPUS) / ".." / "gpus")) << "another spelling";
  EXPECT_EQ(first, &load((fs::path(HEDDLE_GPUS) / "t4.json").string(), "/nowhere"));
  EXPECT_NE(first, &shipped("v100"));
}

TEST(ShippedGpus, LoadFromManyThreads) {
  std::vector<const Gpu *> seen(8);
  {
    std::vector<std::jthread> threads;
    for (auto &gpu : seen)
      threads.emplace_back([&gpu] { gpu = &shipped("a100"); });
  }
  for (const Gpu *gpu : seen)
    EXPECT_EQ(gpu, seen[0]);
}

TEST(UnknownGpu, IsRefusedWithTheKnownNames) {
  for (const char *name : {"t5", "", "T4", "../gpus/t4", "t4.json"}) {
    try {
      shipped(name);
      ADD_FAILURE() << name << " was accepted";
    } catch (const std::runtime_error &error) {
      EXPECT_TRUE(contains(error.what(), "'" + std::string(name) + "'")) << error.what();
      EXPECT_TRUE(
          contains(error.what(), "a100, b200, h100, h200, l4, rtx3090, rtx4090, rtx5090, t4, v100"))
          << error.what();
    }
  }
}

TEST_F(GpuFiles, NamesAreSortedAndOnlyJson) {
  write("zeta", "{}");
  write("alpha", "{}");
  std::ofstream(folder / "readme.txt") << "not a GPU";
  EXPECT_EQ(names(folder), (std::vector<std::string>{"alpha", "zeta"}));
}

TEST_F(GpuFiles, AnEmptyOrMissingFolderIsNamed) {
  EXPECT_TRUE(names(folder / "nowhere").empty());
  for (const fs::path &place : {folder, folder / "nowhere"}) {
    try {
      load("t4", place);
      ADD_FAILURE() << place << " was accepted";
    } catch (const std::runtime_error &error) {
      EXPECT_TRUE(contains(error.what(), place.string())) << error.what();
    }
  }
}

TEST_F(GpuFiles, ACopyOfAShippedFileIsAccepted) {
  EXPECT_EQ(complaint(shippedJson("t4").dump()), "");
}

TEST_F(GpuFiles, BrokenJsonIsRefused) {
  std::string text = shippedJson("t4").dump();
  EXPECT_NE(complaint(text.substr(0, text.size() / 2)), "");
  EXPECT_NE(complaint(""), "");
  EXPECT_NE(complaint("[1, 2]"), "");
  EXPECT_NE(complaint(text + text), "");
}

TEST_F(GpuFiles, EveryFieldIsRequired) {
  json good = shippedJson("t4");
  for (const auto &[key, value] : good.items()) {
    json bad = good;
    bad.erase(key);
    std::string message = complaint(bad.dump());
    EXPECT_TRUE(contains(message, "'" + key + "' is missing")) << key << ": " << message;
  }
}

TEST_F(GpuFiles, EveryFieldHasOneType) {
  json good = shippedJson("t4");
  for (const auto &[key, value] : good.items()) {
    for (const json &wrong : {json(nullptr), json("text"), json(1.5), json(true), json(12),
                              json::array({1}), json::array({1, 2, "three"}), json::object()}) {
      bool same_kind = (wrong.is_string() && value.is_string()) ||
                       (wrong.is_boolean() && value.is_boolean()) ||
                       (wrong == json(12) && value.is_number_integer());
      if (same_kind)
        continue;
      json bad = good;
      bad[key] = wrong;
      std::string message = complaint(bad.dump());
      EXPECT_TRUE(contains(message, "'" + key + "'")) << key << " = " << wrong << ": " << message;
    }
  }
}

TEST_F(GpuFiles, AMisspelledFieldIsNamed) {
  json bad = shippedJson("t4");
  bad["warp_sise"] = 32;
  EXPECT_TRUE(contains(complaint(bad.dump()), "'warp_sise' is not a field"));
}

TEST_F(GpuFiles, NumbersMustFitAndMakeSense) {
  struct Case {
    const char *key;
    json value;
  };
  const Case cases[] = {
      {"clock_khz", 4'000'000'000u},
      {"pci_bus_id", -3'000'000'000ll},
      {"global_memory_bytes", -1},
      {"warp_size", 0},
      {"warp_size", 48},
      {"multiprocessors", -1},
      {"sub_partitions", 0},
      {"register_allocation_unit", 0},
      {"warp_allocation_granularity", 0},
      {"shared_allocation_unit", 0},
      {"max_blocks_per_multiprocessor", 0},
      {"shared_carveouts", json::array({65536, 32768})},
      {"shared_carveouts", json::array({32768})},
      {"source", json::object({{"clocks", ""}})},
  };
  for (const Case &one : cases) {
    json bad = shippedJson("t4");
    bad[one.key] = one.value;
    std::string message = complaint(bad.dump());
    EXPECT_TRUE(contains(message, "field '" + std::string(one.key))) << one.key << ": " << message;
  }
}

} // namespace
