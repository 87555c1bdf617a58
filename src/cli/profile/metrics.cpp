// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/metrics.h"

#include "cli/commands.h"
#include "cli/nearest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace heddle::cli {
namespace {

using namespace engine::observe;
using Class = InstructionClass;

template <class... Classes> double threadsOf(const Totals &t, Classes... classes) {
  return double((t.thread_instructions[size_t(classes)] + ...));
}
template <class... Classes> double warpsOf(const Totals &t, Classes... classes) {
  return double((t.warp_instructions[size_t(classes)] + ...));
}

uint64_t sum(const uint64_t (&numbers)[instruction_classes]) {
  uint64_t result = 0;
  for (const uint64_t number : numbers)
    result += number;
  return result;
}

double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

template <AccessSpace Space, AccessKind Kind, AccessCounter Counter> double count(const Totals &t) {
  return double(t.accesses[size_t(Space)][size_t(Kind)][Counter]);
}
template <AccessSpace Space, AccessKind Kind> double bytes(const Totals &t) {
  return double(t.bytes[size_t(Space)][size_t(Kind)]);
}
template <AccessSpace Space, AccessKind Kind> double conflicts(const Totals &t) {
  return count<Space, Kind, access_units>(t) - count<Space, Kind, access_ideal>(t);
}
template <AccessSpace Space, AccessKind Kind> double each(const Totals &t) {
  return ratio(count<Space, Kind, access_units>(t), count<Space, Kind, access_requests>(t));
}
template <AccessSpace Space, AccessKind Kind> double efficiency(const Totals &t) {
  return 100 * ratio(bytes<Space, Kind>(t), 32 * count<Space, Kind, access_units>(t));
}

constexpr auto Global = AccessSpace::Global, Shared = AccessSpace::Shared,
               Local = AccessSpace::Local, Constant = AccessSpace::Constant,
               Texture = AccessSpace::Texture, Surface = AccessSpace::Surface;
constexpr auto Load = AccessKind::Load, Store = AccessKind::Store, Atomic = AccessKind::Atomic;

double allConflicts(const Totals &t) {
  return conflicts<Shared, Load>(t) + conflicts<Shared, Store>(t) + conflicts<Shared, Atomic>(t);
}

#define OPERATION(kind) "smsp__sass_thread_inst_executed_op_" kind "_pred_on.sum"

const std::vector<Metric> execution = {
    {"warps_launched", "smsp__warps_launched.sum", "warps_launched", "", "warps of all blocks",
     [](const Totals &t) { return double(t.warps); }},
    {"threads_launched", "smsp__threads_launched.sum", "threads_launched", "",
     "threads of all blocks", [](const Totals &t) { return double(t.threads); }},
    {"diverging_warps", nullptr, nullptr, "", "warps that diverge at least once",
     [](const Totals &t) { return double(t.warps_diverged); }},
    {"warp_instructions", "smsp__inst_executed.sum", "inst_executed", "",
     "instructions executed by warps",
     [](const Totals &t) { return double(sum(t.warp_instructions)); }},
    {"thread_instructions", "smsp__thread_inst_executed.sum", "thread_inst_executed", "",
     "instructions executed by threads",
     [](const Totals &t) { return double(sum(t.thread_instructions)); }},
    {"active_lanes", "smsp__thread_inst_executed_per_inst_executed.ratio", nullptr, "",
     "threads that execute an instruction of a warp, on average",
     [](const Totals &t) {
       return ratio(double(sum(t.thread_instructions)), double(sum(t.warp_instructions)));
     }},
    {"warp_execution_efficiency", nullptr, "warp_execution_efficiency", "%", "active lanes of all",
     [](const Totals &t) {
       return 100 * ratio(double(sum(t.thread_instructions)), double(t.lanes));
     }},
    {"branches", "smsp__inst_executed_op_branch.sum", "branch", "",
     "conditional branches executed by warps", [](const Totals &t) { return double(t.branches); }},
    {"divergent_branches", nullptr, nullptr, "", "of these, those whose threads went both ways",
     [](const Totals &t) { return double(t.divergent); }},
    {"branch_efficiency", nullptr, nullptr, "%", "branches that did not diverge",
     [](const Totals &t) {
       return t.branches ? 100 * ratio(double(t.branches - t.divergent), double(t.branches)) : 100;
     }},
    {"jumps", nullptr, nullptr, "", "branches that a GPU does not run as predicates",
     [](const Totals &t) { return double(t.jumps); }},
    {"divergent_jumps", "smsp__sass_branch_targets_threads_divergent.sum", "divergent_branch", "",
     "of these, those whose threads went both ways",
     [](const Totals &t) { return double(t.divergent_jumps); }},
    {"jump_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct",
     "branch_efficiency", "%", "jumps that did not diverge",
     [](const Totals &t) {
       return t.jumps ? 100 * ratio(double(t.jumps - t.divergent_jumps), double(t.jumps)) : 100;
     }},
    {"barriers", nullptr, nullptr, "", "barriers, each warp's by itself",
     [](const Totals &t) { return warpsOf(t, Class::Barrier); }},
    {"integer_instructions", OPERATION("integer"), "inst_integer", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::Integer); }},
    {"bit_instructions", OPERATION("bit"), nullptr, "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::Bit); }},
    {"conversion_instructions", OPERATION("conversion"), "inst_bit_convert", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::Conversion); }},
    {"fp16_instructions", OPERATION("fp16"), "inst_fp_16", "", "of threads",
     [](const Totals &t) {
       return threadsOf(t, Class::HalfAdd, Class::HalfMultiply, Class::HalfFused, Class::HalfOther);
     }},
    {"fp32_instructions", OPERATION("fp32"), "inst_fp_32", "", "of threads",
     [](const Totals &t) {
       return threadsOf(t, Class::FloatAdd, Class::FloatMultiply, Class::FloatFused,
                        Class::FloatOther);
     }},
    {"fp64_instructions", OPERATION("fp64"), "inst_fp_64", "", "of threads",
     [](const Totals &t) {
       return threadsOf(t, Class::DoubleAdd, Class::DoubleMultiply, Class::DoubleFused,
                        Class::DoubleOther);
     }},
    {"fp32_adds", OPERATION("fadd"), "flop_count_sp_add", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::FloatAdd); }},
    {"fp32_multiplies", OPERATION("fmul"), "flop_count_sp_mul", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::FloatMultiply); }},
    {"fp32_fused", OPERATION("ffma"), "flop_count_sp_fma", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::FloatFused); }},
    {"fp64_adds", OPERATION("dadd"), "flop_count_dp_add", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::DoubleAdd); }},
    {"fp64_multiplies", OPERATION("dmul"), "flop_count_dp_mul", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::DoubleMultiply); }},
    {"fp64_fused", OPERATION("dfma"), "flop_count_dp_fma", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::DoubleFused); }},
    {"fp32_operations", nullptr, "flop_count_sp", "", "additions and products, fused ones are two",
     [](const Totals &t) {
       return threadsOf(t, Class::FloatAdd, Class::FloatMultiply) +
              2 * threadsOf(t, Class::FloatFused);
     }},
    {"fp64_operations", nullptr, "flop_count_dp", "", "additions and products, fused ones are two",
     [](const Totals &t) {
       return threadsOf(t, Class::DoubleAdd, Class::DoubleMultiply) +
              2 * threadsOf(t, Class::DoubleFused);
     }},
    {"special_instructions", nullptr, "flop_count_sp_special", "",
     "quotients, square roots and their kin, of threads",
     [](const Totals &t) { return threadsOf(t, Class::Special); }},
    {"control_instructions", OPERATION("control"), "inst_control", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::Control); }},
    {"memory_instructions", OPERATION("memory"), "inst_compute_ld_st", "", "of threads",
     [](const Totals &t) { return threadsOf(t, Class::Load, Class::Store, Class::Atomic); }},
    {"warp_operations", OPERATION("inter_thread_communication"), "inst_inter_thread_communication",
     "", "shuffles, votes and their kin, of threads",
     [](const Totals &t) { return threadsOf(t, Class::Warp); }},
};

#define TEX(what, space) "l1tex__t_" what "_pipe_tex_mem_" space ".sum"
#define LSU(what, space, kind) "l1tex__" what "_pipe_lsu_mem_" space "_op_" kind

const std::vector<Metric> memory = {
    {"global_load_requests", LSU("t_requests", "global", "ld.sum"), "global_load_requests", "",
     "loads by warps", count<Global, Load, access_requests>},
    {"global_load_sectors", LSU("t_sectors", "global", "ld.sum"), "gld_transactions", "",
     "pieces of 32 bytes that they touch", count<Global, Load, access_units>},
    {"global_load_ideal_sectors", nullptr, nullptr, "", "that would do for so many bytes",
     count<Global, Load, access_ideal>},
    {"global_load_bytes", "smsp__sass_data_bytes_mem_global_op_ld.sum", nullptr, "bytes",
     "that threads ask for", bytes<Global, Load>},
    {"global_load_sectors_per_request", LSU("average_t_sectors_per_request", "global", "ld.ratio"),
     "gld_transactions_per_request", "", "on average", each<Global, Load>},
    {"global_load_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
     "gld_efficiency", "%", "bytes asked for of those in the sectors", efficiency<Global, Load>},
    {"global_store_requests", LSU("t_requests", "global", "st.sum"), "global_store_requests", "",
     "stores by warps", count<Global, Store, access_requests>},
    {"global_store_sectors", LSU("t_sectors", "global", "st.sum"), "gst_transactions", "",
     "pieces of 32 bytes that they touch", count<Global, Store, access_units>},
    {"global_store_ideal_sectors", nullptr, nullptr, "", "that would do for so many bytes",
     count<Global, Store, access_ideal>},
    {"global_store_bytes", "smsp__sass_data_bytes_mem_global_op_st.sum", nullptr, "bytes",
     "that threads store", bytes<Global, Store>},
    {"global_store_sectors_per_request", LSU("average_t_sectors_per_request", "global", "st.ratio"),
     "gst_transactions_per_request", "", "on average", each<Global, Store>},
    {"global_store_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
     "gst_efficiency", "%", "bytes stored of those in the sectors", efficiency<Global, Store>},
    {"global_atomic_requests", LSU("t_requests", "global", "atom.sum"), "atomic_transactions", "",
     "atomic operations by warps", count<Global, Atomic, access_requests>},
    {"global_atomic_sectors", LSU("t_sectors", "global", "atom.sum"), nullptr, "",
     "pieces of 32 bytes that they touch", count<Global, Atomic, access_units>},
    {"global_atomic_same_address", nullptr, nullptr, "",
     "threads of a request that share its most popular address, added up",
     count<Global, Atomic, access_same>},
    {"shared_load_requests", "smsp__inst_executed_op_shared_ld.sum", "shared_load", "",
     "loads by warps", count<Shared, Load, access_requests>},
    {"shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "shared_load_transactions", "", "passes that they take", count<Shared, Load, access_units>},
    {"shared_load_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     "shared_ld_bank_conflict", "", "passes beyond those needed", conflicts<Shared, Load>},
    {"shared_store_requests", "smsp__inst_executed_op_shared_st.sum", "shared_store", "",
     "stores by warps", count<Shared, Store, access_requests>},
    {"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "shared_store_transactions", "", "passes that they take", count<Shared, Store, access_units>},
    {"shared_store_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     "shared_st_bank_conflict", "", "passes beyond those needed", conflicts<Shared, Store>},
    {"shared_atomic_requests", "smsp__inst_executed_op_shared_atom.sum", "shared_atom", "",
     "atomic operations by warps", count<Shared, Atomic, access_requests>},
    {"shared_atomic_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", nullptr,
     "", "passes that they take", count<Shared, Atomic, access_units>},
    {"bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", nullptr, "",
     "passes beyond those needed, of all accesses to shared memory", allConflicts},
    {"local_load_requests", LSU("t_requests", "local", "ld.sum"), "local_load_requests", "",
     "loads of the threads' own arrays", count<Local, Load, access_requests>},
    {"local_load_sectors", LSU("t_sectors", "local", "ld.sum"), "local_load_transactions", "",
     "pieces of 32 bytes that they touch", count<Local, Load, access_units>},
    {"local_store_requests", LSU("t_requests", "local", "st.sum"), "local_store_requests", "",
     "stores to the threads' own arrays", count<Local, Store, access_requests>},
    {"local_store_sectors", LSU("t_sectors", "local", "st.sum"), "local_store_transactions", "",
     "pieces of 32 bytes that they touch", count<Local, Store, access_units>},
    {"constant_load_requests", nullptr, nullptr, "", "loads of __constant__ memory by warps",
     count<Constant, Load, access_requests>},
    {"constant_load_addresses", nullptr, nullptr, "",
     "different words that they ask for, each of which takes a pass",
     count<Constant, Load, access_units>},
    {"texture_instructions", "smsp__inst_executed_op_texture.sum", "inst_executed_tex_ops", "",
     "fetches from textures by warps", [](const Totals &t) { return warpsOf(t, Class::Texture); }},
    {"texture_requests", TEX("requests", "texture"), "texture_load_requests", "",
     "that a texture unit makes of them: one for 4 threads, of linear memory for 8",
     count<Texture, Load, access_requests>},
    {"texture_sectors", TEX("sectors", "texture"), "tex_cache_transactions", "",
     "pieces of 32 bytes that they touch", count<Texture, Load, access_units>},
    {"texture_ideal_sectors", nullptr, nullptr, "",
     "that would do if the texels of a request lay side by side",
     count<Texture, Load, access_ideal>},
    {"texture_bytes", nullptr, nullptr, "bytes", "of the texels that threads ask for",
     bytes<Texture, Load>},
    {"texture_sectors_per_request", nullptr, nullptr, "", "on average", each<Texture, Load>},
    {"surface_load_requests", TEX("requests", "surface_op_ld"), "surface_load_requests", "",
     "reads of surfaces, one for 8 threads", count<Surface, Load, access_requests>},
    {"surface_load_sectors", TEX("sectors", "surface_op_ld"), nullptr, "",
     "pieces of 32 bytes that they touch", count<Surface, Load, access_units>},
    {"surface_store_requests", TEX("requests", "surface_op_st"), "surface_store_requests", "",
     "writes to surfaces, one for 8 threads", count<Surface, Store, access_requests>},
    {"surface_store_sectors", TEX("sectors", "surface_op_st"), nullptr, "",
     "pieces of 32 bytes that they touch", count<Surface, Store, access_units>},
    {"surface_atomic_requests", TEX("requests", "surface_op_red"), "surface_reduction_requests", "",
     "atomic operations on surfaces, one for 8 threads", count<Surface, Atomic, access_requests>},
};

double ofAll(const Totals &t, AccessCounter counter) {
  uint64_t result = 0;
  for (const auto &kinds : t.accesses)
    for (const auto &counters : kinds)
      result += counters[counter];
  return double(result);
}
template <AccessCounter Counter> double all(const Totals &t) { return ofAll(t, Counter); }
template <AccessCounter Hits, AccessCounter All> double rate(const Totals &t) {
  return 100 * ratio(ofAll(t, Hits), ofAll(t, All));
}
template <AccessKind Kind> double ofKind(const Totals &t) {
  uint64_t result = 0;
  for (const auto &kinds : t.accesses)
    result += kinds[size_t(Kind)][access_l2_sectors];
  return double(result);
}

const std::vector<Metric> caches = {
    {"l1_sectors", "l1tex__t_sectors.sum", nullptr, "", "that the L1 caches were asked for",
     all<access_l1_sectors>, true},
    {"l1_hit_rate", "l1tex__t_sector_hit_rate.pct", "tex_cache_hit_rate", "%",
     "of these, those that were there", rate<access_l1_hits, access_l1_sectors>, true},
    {"l2_sectors", "lts__t_sectors_srcunit_tex.sum", nullptr, "", "that the L2 cache was asked for",
     all<access_l2_sectors>, true},
    {"l2_hit_rate", "lts__t_sector_hit_rate.pct", "l2_tex_hit_rate", "%",
     "of these, those that were there", rate<access_l2_hits, access_l2_sectors>, true},
    {"l2_read_sectors", "lts__t_sectors_srcunit_tex_op_read.sum", "l2_tex_read_transactions", "",
     "of loads", ofKind<Load>, true},
    {"l2_write_sectors", "lts__t_sectors_srcunit_tex_op_write.sum", "l2_tex_write_transactions", "",
     "of stores", ofKind<Store>, true},
    {"l2_atomic_sectors", nullptr, nullptr, "", "of atomic operations", ofKind<Atomic>, true},
    {"dram_read_bytes", "dram__bytes_read.sum", "dram_read_bytes", "bytes", "read from memory",
     [](const Totals &t) { return 32 * ofAll(t, access_dram_sectors); }, true},
    {"dram_write_bytes", "dram__bytes_write.sum", "dram_write_bytes", "bytes",
     "written to memory until the kernel ends; more may be in the L2 cache",
     [](const Totals &t) { return 32 * double(t.dram_written); }, true},
};

} // namespace

const std::vector<Metric> &metrics() {
  static const std::vector<Metric> all = [] {
    std::vector<Metric> result = execution;
    result.insert(result.end(), memory.begin(), memory.end());
    result.insert(result.end(), caches.begin(), caches.end());
    return result;
  }();
  return all;
}

const Metric &findMetric(const std::string &name, bool nvidias) {
  std::vector<std::string> known;
  const Metric *other = nullptr;
  for (const Metric &metric : metrics())
    for (const char *one : {metric.name, metric.nsight, metric.nvprof}) {
      if (!one)
        continue;
      known.emplace_back(one);
      if (name == one && (one == metric.name) != nvidias)
        return metric;
      if (name == one)
        other = &metric;
    }
  if (other)
    return *other;
  throw UsageError(fmt::format("there is no metric {}; near it are {}", name,
                               fmt::join(nearestNames(name, known, 3), ", ")));
}

void add(Totals &totals, const profile::Access &access) {
  const auto space = size_t(access.space), kind = size_t(access.kind);
  for (uint32_t i = 0; i < access_histogram; ++i)
    totals.accesses[space][kind][i] += access.counters[i];
  totals.bytes[space][kind] += access.of(access_threads) * access.bytes + access.of(access_bytes);
}

namespace {

void add(Totals &totals, const profile::Branch &branch) {
  totals.branches += branch.visits;
  totals.divergent += branch.divergent;
  totals.warps_diverging += branch.warps_diverging;
  totals.jumps += branch.predicated ? 0 : branch.visits;
  totals.divergent_jumps += branch.predicated ? 0 : branch.divergent;
}

void add(Totals &totals, const profile::Kernel &kernel, const profile::Block &block,
         const profile::Instructions &one) {
  totals.lanes += block.warps * one.count * kernel.warp_size;
  totals.warp_instructions[size_t(one.kind)] += block.warps * one.count;
  totals.thread_instructions[size_t(one.kind)] += block.threads * one.count;
}

} // namespace

void add(Totals &totals, const Totals &more) {
  static_assert(sizeof(Totals) % sizeof(uint64_t) == 0); // it is numbers, nothing else
  auto *to = reinterpret_cast<uint64_t *>(&totals);
  const auto *from = reinterpret_cast<const uint64_t *>(&more);
  for (size_t i = 0; i < sizeof(Totals) / sizeof(uint64_t); ++i)
    to[i] += from[i];
}

Totals totalsOf(const profile::Kernel &kernel) {
  Totals totals;
  totals.warps = kernel.warps;
  totals.threads = kernel.threads;
  totals.warps_diverged = kernel.warps_diverged;
  totals.dram_written = kernel.dram_written;
  for (const profile::Block &block : kernel.blocks)
    for (const profile::Instructions &one : block.instructions)
      add(totals, kernel, block, one);
  for (const profile::Branch &branch : kernel.branches)
    add(totals, branch);
  for (const profile::Access &access : kernel.accesses)
    add(totals, access);
  return totals;
}

std::vector<LineTotals> linesOf(const profile::Kernel &kernel) {
  std::map<std::pair<std::string, uint32_t>, Totals> lines;
  const auto at = [&](const profile::Place &place) -> Totals & {
    return lines[{place.file, place.line}];
  };
  for (const profile::Block &block : kernel.blocks)
    for (const profile::Instructions &one : block.instructions)
      add(at(one.place), kernel, block, one);
  for (const profile::Branch &branch : kernel.branches) {
    add(at(branch.place), branch);
    at(branch.place).warps_diverged += branch.warps_diverging;
  }
  for (const profile::Access &access : kernel.accesses)
    add(at(access.place), access);
  std::vector<LineTotals> result;
  for (const auto &[place, totals] : lines)
    if (place.second)
      result.push_back({place.first, place.second, totals});
  return result;
}

std::string numberText(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

} // namespace heddle::cli
