// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups within a warp: coalesced_group (any lanes) and thread_block_tile<N> (N consecutive
// lanes, N a power of two up to 32), with their shuffles, votes and matches.
//
// A coalesced group's results are by rank: bit i of a ballot is the group's thread i, whichever
// lane that is. (CUDA C++ Programming Guide, "Cooperative Groups", "Group Types".)
#ifndef HEDDLE_COOPERATIVE_GROUPS_TILE_H
#define HEDDLE_COOPERATIVE_GROUPS_TILE_H

#include "group.h"
#include "large_tile.h"

namespace cooperative_groups {

// ---- Any lanes of a warp ----------------------------------------------------------------------

class coalesced_group : public thread_group {
  friend struct details::GroupAccess;

public:
  __HEDDLE_CG_MEMBER__ unsigned int num_threads() const { return details::countLanes(mask); }
  __HEDDLE_CG_MEMBER__ unsigned int size() const { return num_threads(); }
  __HEDDLE_CG_MEMBER__ unsigned int thread_rank() const {
    return details::countLanes(mask & details::lanesBelowMe());
  }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_rank() const { return meta_rank; }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_size() const { return meta_size; }
  __HEDDLE_CG_MEMBER__ void sync() const { __syncwarp(mask); }

  /// The value of the thread of that rank.
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl(T value, unsigned int source_rank) const {
    return fromLane(value, details::laneOfRank(mask, source_rank));
  }
  /// The value of the thread `delta` ranks below; one's own if there is none.
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl_up(T value, unsigned int delta) const {
    const unsigned rank = thread_rank();
    return fromLane(value, details::laneOfRank(mask, rank >= delta ? rank - delta : rank));
  }
  /// The value of the thread `delta` ranks above; one's own if there is none.
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl_down(T value, unsigned int delta) const {
    const unsigned rank = thread_rank(), count = num_threads();
    return fromLane(value, details::laneOfRank(mask, delta < count - rank ? rank + delta : rank));
  }

  __HEDDLE_CG_MEMBER__ int any(int predicate) const { return __any_sync(mask, predicate); }
  __HEDDLE_CG_MEMBER__ int all(int predicate) const { return __all_sync(mask, predicate); }
  __HEDDLE_CG_MEMBER__ unsigned int ballot(int predicate) const {
    return details::packByRank(__ballot_sync(mask, predicate), mask);
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  /// The threads that have the same value.
  template <typename T> __HEDDLE_CG_MEMBER__ unsigned int match_any(T value) const {
    return details::packByRank(__match_any_sync(mask, value), mask);
  }
  /// All threads if all have the same value, else none; `predicate` says which.
  template <typename T> __HEDDLE_CG_MEMBER__ unsigned int match_all(T value, int &predicate) const {
    return details::packByRank(__match_all_sync(mask, value, &predicate), mask);
  }
#endif

private:
  __HEDDLE_CG_MEMBER__ coalesced_group(unsigned lanes, unsigned rank, unsigned size)
      : thread_group(details::GroupKind::lanes, lanes, rank, size) {}

  template <typename T> __HEDDLE_CG_MEMBER__ T fromLane(const T &value, unsigned lane) const {
    return details::shuffleWords(value, details::ShuffleFrom{mask, int(lane), 32});
  }
};

/// The threads of the warp that execute this call together.
__HEDDLE_CG__ coalesced_group coalesced_threads() {
  return details::GroupAccess::coalesced(__activemask(), 0, 1);
}

// ---- N consecutive lanes ----------------------------------------------------------------------

template <unsigned int Size, typename ParentT = void> class thread_block_tile;

namespace details {

/// A tile of lanes of a warp.
template <unsigned int Size> class LaneTile : public thread_group {
  friend struct details::GroupAccess;

public:
  __HEDDLE_CG_MEMBER__ static constexpr unsigned int num_threads() { return Size; }
  __HEDDLE_CG_MEMBER__ static constexpr unsigned int size() { return Size; }
  __HEDDLE_CG_MEMBER__ static unsigned int thread_rank() { return details::laneId() & (Size - 1); }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_rank() const { return meta_rank; }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_size() const { return meta_size; }
  __HEDDLE_CG_MEMBER__ static void sync() { __syncwarp(lanes()); }

  template <typename T> __HEDDLE_CG_MEMBER__ T shfl(T value, int source_rank) const {
    return details::shuffleWords(value, details::ShuffleFrom{lanes(), source_rank, Size});
  }
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl_up(T value, unsigned int delta) const {
    return details::shuffleWords(value, details::ShuffleUp{lanes(), delta, Size});
  }
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl_down(T value, unsigned int delta) const {
    return details::shuffleWords(value, details::ShuffleDown{lanes(), delta, Size});
  }
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl_xor(T value, unsigned int lane_mask) const {
    return details::shuffleWords(value, details::ShuffleXor{lanes(), lane_mask, Size});
  }

  __HEDDLE_CG_MEMBER__ int any(int predicate) const { return __any_sync(lanes(), predicate); }
  __HEDDLE_CG_MEMBER__ int all(int predicate) const { return __all_sync(lanes(), predicate); }
  __HEDDLE_CG_MEMBER__ unsigned int ballot(int predicate) const {
    return byRank(__ballot_sync(lanes(), predicate));
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <typename T> __HEDDLE_CG_MEMBER__ unsigned int match_any(T value) const {
    return byRank(__match_any_sync(lanes(), value));
  }
  template <typename T> __HEDDLE_CG_MEMBER__ unsigned int match_all(T value, int &predicate) const {
    return byRank(__match_all_sync(lanes(), value, &predicate));
  }
#endif

protected:
  __HEDDLE_CG_MEMBER__ LaneTile(unsigned rank, unsigned count)
      : thread_group(details::GroupKind::lanes, lanes(), rank, count) {}

private:
  __HEDDLE_CG_MEMBER__ static unsigned firstOfTile() { return details::laneId() & ~(Size - 1); }
  __HEDDLE_CG_MEMBER__ static unsigned lanes() {
    return details::lowestLanes(Size) << firstOfTile();
  }
  __HEDDLE_CG_MEMBER__ static unsigned byRank(unsigned warp_lanes) {
    return (warp_lanes & lanes()) >> firstOfTile();
  }
};

template <unsigned int Size, bool in_warp> struct TileBase {
  typedef LaneTile<Size> type;
};
template <unsigned int Size> struct TileBase<Size, false> {
  typedef LargeTile<Size> type;
};

} // namespace details

/// A tile that has forgotten what it is a part of.
template <unsigned int Size>
class thread_block_tile<Size, void> : public details::TileBase<Size, (Size <= 32)>::type {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's size must be a power of two");
  friend struct details::GroupAccess;

protected:
  typedef typename details::TileBase<Size, (Size <= 32)>::type Base;
  __HEDDLE_CG_MEMBER__ thread_block_tile(unsigned rank, unsigned count) : Base(rank, count) {}
};

/// A tile of a block.
template <unsigned int Size>
class thread_block_tile<Size, thread_block> : public thread_block_tile<Size, void> {
public:
  __HEDDLE_CG_MEMBER__ explicit thread_block_tile(const thread_block &)
      : thread_block_tile<Size, void>(meta_group_rank(), meta_group_size()) {}
  __HEDDLE_CG_MEMBER__ static unsigned int meta_group_rank() {
    return details::rankInBlock() / Size;
  }
  __HEDDLE_CG_MEMBER__ static unsigned int meta_group_size() {
    return (details::blockThreads() + Size - 1) / Size;
  }
};

/// A tile of a tile.
template <unsigned int Size, unsigned int ParentSize, typename GrandParentT>
class thread_block_tile<Size, thread_block_tile<ParentSize, GrandParentT>>
    : public thread_block_tile<Size, void> {
  static_assert(Size <= ParentSize, "a tile cannot be larger than the tile it is a part of");

public:
  __HEDDLE_CG_MEMBER__ explicit thread_block_tile(
      const thread_block_tile<ParentSize, GrandParentT> &)
      : thread_block_tile<Size, void>(meta_group_rank(), meta_group_size()) {}
  __HEDDLE_CG_MEMBER__ static unsigned int meta_group_rank() {
    return (details::rankInBlock() & (ParentSize - 1)) / Size;
  }
  __HEDDLE_CG_MEMBER__ static constexpr unsigned int meta_group_size() { return ParentSize / Size; }
};

/// The calling thread alone, as a group.
__HEDDLE_CG__ thread_block_tile<1, void> this_thread() { return details::GroupAccess::single(); }

} // namespace cooperative_groups

#endif
