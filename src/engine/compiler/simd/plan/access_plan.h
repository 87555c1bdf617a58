// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a load or store of a gang becomes: the kind of code and its cost.
//
// `accessKinds` is the one table of kinds, in order of preference: an access is of the first kind
// that fits it. The width of gangs (gang_width.h) follows from the costs of these kinds, and the
// emitters (widen/kinds/access_kinds.h) are chosen by them.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>

namespace heddle::engine::simd {

/// What is known about the active lanes when compiling.
struct ActiveLanes {
  bool all = true;
  unsigned first = 0; // n if they are the first n lanes and known; otherwise 0
  unsigned few = 0;   // their number, if known and at most fewLanes(); otherwise 0
};

/// At most so many known lanes are few: they access memory one by one.
inline unsigned fewLanes(const LaneLayout &layout) { return std::max(8u, layout.lanes / 16); }

/// A thread's code in gangs of one layout, as far as accesses depend on it.
class AccessContext {
public:
  /// By how much an address grows from one row of a tiled gang to the next, if its lanes are
  /// equally far apart in each row; nothing if that is unknown.
  using RowStep = std::function<std::optional<int64_t>(const llvm::Value &)>;

  /// Without `row_step`, it is estimated (strided_2d_access.h).

  AccessContext(llvm::Function &thread, const Shapes &shapes, const LaneLayout &layout,
                bool native_gather, RowStep row_step = {});
  AccessContext(const AccessContext &) = delete; // members refer to each other

  uint64_t sizeOf(llvm::Type *type) const { return data.getTypeStoreSize(type); }
  /// Whether elements have the same bits in memory and in a vector.
  bool isPlain(llvm::Type *type) const;
  /// Whether the CPU has masked loads and stores of the type, or gathers and scatters.
  bool hasMaskedAccess(llvm::Type *type) const { return sizeOf(type) >= 4 || native_gather; }
  bool fitsNativeGather(llvm::Type *type) const {
    return native_gather && isPlain(type) && sizeOf(type) >= 4;
  }
  /// The number of lanes of one gather instruction.
  unsigned gatherLanes(llvm::Type *type) const {
    return std::min(layout.lanes, sizeOf(type) == 4 ? 16u : 8u);
  }
  /// The stride in elements (within a row if tiled), if it is small enough for covering vectors;
  /// else 0.
  unsigned smallStep(const Shape &address, llvm::Type *type) const;
  unsigned rowCount() const { return layout.lanes / layout.rowLength(); }

  /// The groups that the access belongs to, or null.
  const AccessGroup *groupOf(const llvm::Instruction &access) const {
    return group_of_.lookup(&access);
  }
  const AccessGroup *scatteredGroupOf(const llvm::Instruction &access) const {
    return scattered_group_of_.lookup(&access);
  }

  const llvm::DataLayout &data;
  const Shapes &shapes;
  const LaneLayout layout;
  const bool native_gather; // TargetProfile::native_gather
  const RowStep row_step;

private:
  std::vector<AccessGroup> groups_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> group_of_, scattered_group_of_;
};

/// A load or store.
struct Access {
  Access(const AccessContext &context, llvm::Instruction &instruction, ActiveLanes active);

  bool isSimple() const { return !is_volatile && !is_atomic; }

  const AccessContext &context;
  llvm::Instruction &instruction;
  llvm::Value *pointer;
  llvm::Type *type;
  Shape address;
  ActiveLanes active;
  bool is_store, is_volatile, is_atomic;
};

struct AccessKind {
  const char *name;
  const char *addresses; // of which it is the access, for `heddle-opt --list-accesses`
  bool (*fits)(const Access &access);
  double (*cost)(const Access &access); // for the gang, in cycles (cost.h)
  bool loads_only = false;
  bool optional = true; // a later kind could do it (HEDDLE_SIMD_SKIP, skipped.h)
};

llvm::ArrayRef<AccessKind> accessKinds();

struct AccessPlan {
  const AccessKind *kind;
  double cost; // in cycles, for all lanes of the gang
};

AccessPlan planOf(const Access &access);

/// A thread's code with the plans of its accesses in gangs of one layout. Masks of lanes not known
/// when compiling count as full: code for that case exists mostly (coherent_branch_versioning.h).
class PlannedCode : public ShapedCode {
public:
  PlannedCode(llvm::Function &function, const LaneLayout &layout, const TargetProfile &target)
      : ShapedCode(function, layout), context_(function, shapes, layout, target.native_gather) {}

  const LaneLayout &layout() const { return context_.layout; }
  AccessPlan planOf(const llvm::Instruction &access) const;

private:
  const AccessContext context_;
  mutable llvm::DenseMap<const llvm::Instruction *, AccessPlan> plans_;
};

/// Whether a kernel has accesses of the kind "columns".
bool hasAccessDownColumns(const llvm::Function &function, const PlannedCode &code);

} // namespace heddle::engine::simd
