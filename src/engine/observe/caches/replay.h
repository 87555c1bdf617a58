// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order a GPU's caches see what blocks access.
//
// A block runs here from its beginning to its end before the next one does; on a GPU many run at
// once. So what each warp of a block accesses is noted, and given to the caches when as many blocks
// are noted as the GPU would hold, in this order: blocks go to SMs in turn, as many to each as it
// holds; each SM's warps take turns, one request each, and so do the SMs. A block that has no
// request left makes room for the next one on its SM. Nothing of this depends on the computer that
// it runs on.
//
// Memory is bounded: when most_records is reached, what is noted goes to the caches, although not
// all blocks that a GPU would hold are there yet.
#pragma once

#include "engine/observe/caches/hierarchy.h"

#include <deque>
#include <memory>
#include <vector>

namespace heddle::engine::observe {

class CacheReplay {
public:
  struct Shape {
    uint32_t multiprocessors = 1, blocks_each = 1; // that an SM holds
    uint32_t warps = 1;                            // of a block
    uint32_t sites = 0;                            // of the code
    size_t most_records = size_t(1) << 25;
  };
  CacheReplay(const CacheSizes &sizes, const Shape &shape);
  ~CacheReplay();

  /// A block that has not ended.
  struct Block;
  Block &begin();
  /// It accesses nothing more.
  void end(Block &block);

  struct Request {
    uint32_t site; // a number below Shape::sites
    CacheUse use;
    bool local; // of the threads' own memory: lines are the warp's own
  };
  /// Sectors are in ascending order, each once; a sector's number is its address / 32. `last`: no
  /// more of the same instruction's follow.
  void note(Block &block, uint32_t warp, const Request &request, const uint64_t *sectors,
            uint32_t count, bool last = true);

  /// Everything that is noted goes to the caches. All blocks have ended.
  void finish();

  const CacheTraffic &traffic(uint32_t site) const { return traffic_[site]; }
  uint64_t dramWritten() const { return caches_.dramWritten(); }

private:
  struct Slot {
    uint32_t multiprocessor, number; // number: unlike all others'
  };
  // The blocks on an SM, and which warp of them is next.
  struct Multiprocessor {
    std::vector<std::unique_ptr<Block>> blocks;
    size_t turn = 0;
  };

  bool advance();
  bool issue(uint32_t multiprocessor);
  void issue(Block &block, uint32_t warp);
  void askL2();

  const Shape shape_;
  CacheHierarchy caches_;
  std::vector<Multiprocessor> multiprocessors_;
  std::deque<Slot> free_;
  uint32_t slots_ = 0;
  std::vector<CacheTraffic> traffic_;
  size_t records_ = 0; // that wait
  // What neighbouring SMs ask the L2 cache for in one step.
  struct Asked {
    uint32_t multiprocessor, site;
    CacheUse use;
    uint32_t sectors;
    uint64_t line;
  };
  std::vector<Asked> asked_;
};

} // namespace heddle::engine::observe
