// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/sites.h"

#include "support/paths.h"

namespace heddle::profile {
namespace {

using namespace engine::observe;

// The innermost place in the program's own files: what a header of ours does is the caller's doing.
Place placeOf(const Frame *frame) {
  const Frame *own = frame;
  while (own && own->caller && isInternalHeader(own->file))
    own = own->caller;
  return own ? Place{own->function, own->file, own->line, own->column} : Place{};
}

class Reader {
public:
  Reader(const LaunchCounts &counts, Kernel &kernel) : counts_(counts), kernel_(kernel) {}

  void run() {
    const CountedSites &all = *counts_.sites;
    for (uint32_t i = 0; i < all.count; ++i) {
      const CountedSite &site = *all.sites[i];
      if (site.kind == CountedKind::Block)
        addBlock(site);
      else if (site.kind == CountedKind::Branch)
        addBranch(site, *all.sites[site.block]);
      else
        addAccess(site);
    }
  }

private:
  uint64_t at(const CountedSite &site, uint32_t counter) const {
    return counts_.counters[site.first_counter + counter];
  }

  void addBlock(const CountedSite &site) {
    Block block{at(site, block_warps), at(site, block_threads), {}};
    if (!block.warps)
      return;
    for (uint32_t i = 0; i < site.instruction_count; ++i) {
      const InstructionCount &one = site.instructions[i];
      block.instructions.push_back({placeOf(one.frame), one.kind, one.count});
    }
    kernel_.blocks.push_back(std::move(block));
  }

  void addBranch(const CountedSite &site, const CountedSite &block) {
    Branch branch{placeOf(site.frame),
                  at(block, block_warps),
                  at(block, block_threads),
                  at(site, branch_divergent),
                  at(site, branch_warps_diverging),
                  counts_.divergent_visits[site.visit_slot],
                  site.what != 0};
    if (branch.visits)
      kernel_.branches.push_back(std::move(branch));
  }

  void addAccess(const CountedSite &site) {
    const bool generic = site.space == AccessSpace::Generic;
    for (uint32_t space = 0; space < (generic ? generic_spaces : 1); ++space) {
      Access access{placeOf(site.frame), site.access, generic ? AccessSpace(space) : site.space,
                    site.bytes, site.variable ? site.variable : ""};
      for (uint32_t i = 0; i < access_counters; ++i)
        access.counters[i] = at(site, space * access_counters + i);
      const auto sample = counts_.samples.find(site.first_counter + space * access_counters);
      if (sample != counts_.samples.end())
        access.sample = sample->second;
      if (access.of(access_requests))
        kernel_.accesses.push_back(std::move(access));
    }
  }

  const LaunchCounts &counts_;
  Kernel &kernel_;
};

} // namespace

void addSites(const LaunchCounts &counts, Kernel &kernel) {
  kernel.warps_diverged += counts.warps_diverged;
  kernel.dram_written += counts.dram_written;
  Reader(counts, kernel).run();
}

} // namespace heddle::profile
