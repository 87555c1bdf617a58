// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/findings.h"

#include "cli/profile/metrics.h"
#include "gpu/occupancy.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace heddle::cli {
namespace {

using namespace engine::observe;
using profile::Access;
using profile::Branch;
using profile::Kernel;

constexpr double worth_a_word = 0.005; // of all that the kernel costs
constexpr double cost_of_divergence = 8;

double perRequest(const Access &access, AccessCounter counter) {
  return double(access.of(counter)) / double(access.of(access_requests));
}

std::string whatIsDone(const Access &access) {
  const char *verb = access.kind == AccessKind::Load    ? "loads"
                     : access.kind == AccessKind::Store ? "stores"
                                                        : "atomic operations";
  return access.variable.empty() ? fmt::format("{}", verb)
                                 : fmt::format("{} of {}", verb, access.variable);
}

void coalescing(const Access &access, std::vector<Advice> &all) {
  const double extra = double(access.of(access_units) - access.of(access_ideal));
  if (access.space != AccessSpace::Global || extra == 0)
    return;
  Advice advice{access.place};
  advice.cost = extra;
  advice.text = fmt::format(
      "{} touch {} sectors a request where {} would do: {} sectors of 32 bytes in {} requests",
      whatIsDone(access), numberText(perRequest(access, access_units)),
      numberText(perRequest(access, access_ideal)), access.of(access_units),
      access.of(access_requests));
  const bool only_alignment =
      access.of(access_unaligned) > 0 && extra <= double(access.of(access_unaligned));
  advice.remedy =
      only_alignment ? "The warp's first byte is not at a multiple of 32: let rows begin there "
                       "(cudaMallocPitch), or shift what each block works on"
                     : "Let threadIdx.x run along the array's fastest index, so that neighbouring "
                       "threads access neighbours; make arrays of structures structures of arrays, "
                       "or go by a tile in shared memory";
  all.push_back(std::move(advice));
}

void banks(const Access &access, std::vector<Advice> &all) {
  const double extra = double(access.of(access_units) - access.of(access_ideal));
  if (access.space != AccessSpace::Shared || extra == 0)
    return;
  Advice advice{access.place};
  advice.cost = extra;
  advice.text = fmt::format(
      "{} have {}-way bank conflicts: {} wavefronts where {} would do", whatIsDone(access),
      numberText(double(access.of(access_units)) / double(access.of(access_ideal))),
      access.of(access_units), access.of(access_ideal));
  advice.remedy =
      access.kind == AccessKind::Atomic
          ? "Give each warp, or each lane, counters of its own and add them up at the end"
          : "Pad the rows by one element, as in tile[32][33], or let neighbouring "
            "threads access neighbouring words";
  all.push_back(std::move(advice));
}

void atomics(const Access &access, std::vector<Advice> &all) {
  if (access.kind != AccessKind::Atomic || access.space != AccessSpace::Global)
    return;
  const double extra = double(access.of(access_same) - access.of(access_requests));
  if (extra == 0)
    return;
  Advice advice{access.place};
  advice.cost = extra;
  advice.text = fmt::format("{}: {} threads of a request share an address, on average, and take "
                            "turns",
                            whatIsDone(access), numberText(perRequest(access, access_same)));
  advice.remedy =
      "Add up within the warp (__reduce_add_sync, __shfl_down_sync) or in shared memory "
      "first, and let one thread add the sum";
  all.push_back(std::move(advice));
}

void ownMemory(const Access &access, std::vector<Advice> &all) {
  if (access.space != AccessSpace::Local)
    return;
  Advice advice{access.place};
  advice.cost = double(access.of(access_units));
  advice.text =
      fmt::format("{}: an array of each thread's lies in local memory, which is device "
                  "memory: {} requests, {} sectors",
                  whatIsDone(access), access.of(access_requests), access.of(access_units));
  advice.remedy =
      "Index it with constants only (unroll the loop), so that it stays in registers, or "
      "keep it in shared memory";
  all.push_back(std::move(advice));
}

void constants(const Access &access, std::vector<Advice> &all) {
  const uint64_t extra = access.of(access_units) - access.of(access_requests);
  if (access.space != AccessSpace::Constant || extra == 0)
    return;
  Advice advice{access.place};
  advice.cost = double(extra);
  advice.text =
      fmt::format("{}: threads of a warp ask for {} different words of constant memory, on "
                  "average, one after the other",
                  whatIsDone(access), numberText(perRequest(access, access_units)));
  advice.remedy = "Constant memory is for what all threads of a warp read at once; use const "
                  "__restrict__ pointers or shared memory for tables";
  all.push_back(std::move(advice));
}

// A sector of a texture holds texels of two rows: the remedy is to fetch where the warp's
// neighbours do, in both directions.
void textures(const Access &access, std::vector<Advice> &all) {
  const double extra = double(access.of(access_units) - access.of(access_ideal));
  const bool surface = access.space == AccessSpace::Surface;
  if ((access.space != AccessSpace::Texture && !surface) || extra == 0)
    return;
  Advice advice{access.place};
  advice.cost = extra;
  advice.text = fmt::format(
      "{} touch {} sectors a request where {} would do: {} sectors of 32 bytes in {} requests",
      surface ? whatIsDone(access) + " of a surface" : "fetches from a texture",
      numberText(perRequest(access, access_units)), numberText(perRequest(access, access_ideal)),
      access.of(access_units), access.of(access_requests));
  advice.remedy =
      "Let a warp work on a small rectangle (blocks of 16 x 16, or 32 x 8, threads), so "
      "that its texels are neighbours in both directions";
  all.push_back(std::move(advice));
}

std::string byVisit(const Branch &branch) {
  const std::vector<uint64_t> &visits = branch.divergent_by_visit;
  if (visits.size() < 2)
    return "";
  std::string text;
  constexpr size_t most = 12;
  for (size_t k = 0; k < std::min(visits.size(), most); ++k)
    text += fmt::format("{}{}", k ? " " : "", visits[k]);
  return fmt::format("; divergent warps by visit: {}{}", text, visits.size() > most ? " …" : "");
}

void divergence(const Branch &branch, uint32_t warp_size, std::vector<Advice> &all) {
  if (!branch.divergent)
    return;
  Advice advice{branch.place};
  advice.cost = cost_of_divergence * double(branch.divergent);
  advice.text = fmt::format("{} at this branch, {} of {} times{}",
                            branch.warps_diverging == 1
                                ? std::string("1 warp diverges")
                                : fmt::format("{} warps diverge", branch.warps_diverging),
                            branch.divergent, branch.visits, byVisit(branch));
  advice.remedy = fmt::format(
      "Let whole warps go one way: make the condition depend on threadIdx.x / {}, or let "
      "the threads with work be neighbours (t < stride in place of t % stride == 0)",
      warp_size);
  all.push_back(std::move(advice));
}

void partialWarps(const Kernel &kernel, std::vector<Advice> &all) {
  const uint64_t lanes = kernel.warps * kernel.warp_size, idle = lanes - kernel.threads;
  if (!idle)
    return;
  Advice advice;
  const Totals totals = totalsOf(kernel);
  double instructions = 0;
  for (const uint64_t number : totals.warp_instructions)
    instructions += double(number);
  advice.cost = instructions * double(idle) / double(lanes);
  advice.text =
      fmt::format("blocks of {} threads end in a warp with idle lanes: {} of {} lanes",
                  uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2], idle, lanes);
  advice.remedy =
      fmt::format("Make the number of threads in a block a multiple of {}", kernel.warp_size);
  all.push_back(std::move(advice));
}

// In a sentence.
const char *sentenceOf(gpu::Limiter limiter) {
  switch (limiter) {
  case gpu::Limiter::Warps:
    return "the warps of a block";
  case gpu::Limiter::Blocks:
    return "the number of blocks that an SM holds";
  case gpu::Limiter::Registers:
    return "registers";
  case gpu::Limiter::Shared:
    return "shared memory";
  }
  return "";
}

void occupancy(const Kernel &kernel, const gpu::Gpu &gpu, double all_cost,
               std::vector<Advice> &all) {
  gpu::KernelResources resources;
  resources.threads = int(kernel.block[0] * kernel.block[1] * kernel.block[2]);
  resources.registers_per_thread = int(kernel.registers);
  resources.static_shared = kernel.static_shared;
  resources.dynamic_shared = kernel.dynamic_shared;
  resources.max_dynamic_shared = kernel.dynamic_shared;
  const gpu::Occupancy result = gpu::occupancy(gpu, resources);
  const int most = gpu.max_threads_per_multiprocessor / gpu.warp_size;
  constexpr int low = 50;
  if (!result.blocks_per_sm || 100 * result.active_warps / most >= low)
    return;
  Advice advice;
  advice.cost = all_cost * worth_a_word;
  advice.text = fmt::format("{} of {} warps are resident on an SM of {} ({} %): {} limit it",
                            result.active_warps, most, gpu.name, 100 * result.active_warps / most,
                            sentenceOf(result.limiter));
  advice.remedy = "heddle occupancy shows what other block sizes would give";
  all.push_back(std::move(advice));
}

// Accesses of one line and kind become one, and so do copies of a branch.
Kernel merged(const Kernel &kernel) {
  Kernel result = kernel;
  result.accesses.clear();
  result.branches.clear();
  std::map<std::tuple<profile::Place, AccessKind, AccessSpace, uint32_t, std::string>, Access>
      accesses;
  for (const Access &access : kernel.accesses) {
    profile::Place line = access.place;
    line.column = 0;
    const auto [known, fresh] = accesses.try_emplace(
        {line, access.kind, access.space, access.bytes, access.variable}, access);
    for (uint32_t i = 0; !fresh && i < access_counters; ++i)
      known->second.counters[i] += access.counters[i];
  }
  std::map<profile::Place, Branch> branches;
  for (const Branch &branch : kernel.branches) {
    const auto [known, fresh] = branches.try_emplace(branch.place, branch);
    if (fresh)
      continue;
    known->second.visits += branch.visits;
    known->second.threads += branch.threads;
    known->second.divergent += branch.divergent;
    known->second.warps_diverging += branch.warps_diverging;
  }
  for (auto &[key, access] : accesses)
    result.accesses.push_back(std::move(access));
  for (auto &[place, branch] : branches)
    result.branches.push_back(std::move(branch));
  return result;
}

} // namespace

double costOf(const Kernel &kernel) {
  const Totals totals = totalsOf(kernel);
  double result = 0;
  for (const uint64_t number : totals.warp_instructions)
    result += double(number);
  for (const Access &access : kernel.accesses)
    result += double(access.of(access_units));
  return result;
}

std::vector<Advice> adviceFor(const Kernel &whole, const gpu::Gpu &gpu) {
  const Kernel kernel = merged(whole);
  std::vector<Advice> all;
  for (const Access &access : kernel.accesses)
    for (const auto look : {coalescing, banks, atomics, ownMemory, constants, textures})
      look(access, all);
  for (const Branch &branch : kernel.branches)
    divergence(branch, kernel.warp_size, all);
  partialWarps(kernel, all);
  const double cost = costOf(kernel);
  occupancy(kernel, gpu, cost, all);
  std::erase_if(all, [&](const Advice &advice) { return advice.cost < cost * worth_a_word; });
  std::sort(all.begin(), all.end(), [](const Advice &a, const Advice &b) {
    return std::tie(b.cost, a.place, a.text) < std::tie(a.cost, b.place, b.text);
  });
  return all;
}

} // namespace heddle::cli
