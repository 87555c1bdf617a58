// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/access_plan.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/analysis/access/address_sides.h"
#include "engine/compiler/simd/analysis/access/indexed_address.h"
#include "engine/compiler/simd/analysis/access/permuted_access.h"
#include "engine/compiler/simd/analysis/access/strided_2d_access.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/plan/cost.h"
#include "engine/compiler/skipped.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr const char *columns_kind = "columns";

// ---- Which accesses a kind fits ----

int64_t bytesOf(const Access &access) { return int64_t(access.context.sizeOf(access.type)); }

// Masked stores are not needed, since a test for all lanes being active comes first.
bool mayLoadInactive(const Access &access) {
  return access.is_store || access.active.all || access.context.hasMaskedAccess(access.type);
}

bool hasStride(const Access &access, int64_t stride) {
  return access.address.hasRowBases() && access.address.stride == stride;
}

bool isUniform(const Access &access) { return access.address.isUniform(); }

bool isUniformInRows(const Access &access) {
  return !access.is_store && access.context.shapes.of(&access.instruction).isTiledAffine();
}

bool isPack(const Access &access) { return isa<FixedVectorType>(access.type); }

bool isContiguousPack(const Access &access) {
  return isPack(access) && hasStride(access, bytesOf(access));
}

// Volatile accesses in tiled gangs are not, since they must be one access.
bool isContiguous(const Access &access) {
  return !access.is_atomic && hasStride(access, bytesOf(access)) &&
         !(access.is_volatile && access.address.isTiledAffine()) &&
         access.context.isPlain(access.type);
}

bool isInterleaved(const Access &access) {
  const AccessContext &context = access.context;
  const unsigned first = access.active.first;
  const bool first_ones =
      first > fewLanes(context.layout) && isPowerOf2_32(first) && context.rowCount() == 1;
  const AccessGroup *group = context.groupOf(access.instruction);
  return group && group->step <= largest_interleaved_step && (access.active.all || first_ones);
}

bool isOfFewLanes(const Access &access) { return access.active.few && access.isSimple(); }

bool hasSmallStep(const Access &access) {
  const AccessContext &context = access.context;
  return context.smallStep(access.address, access.type) && access.isSimple() &&
         (access.is_store ? context.hasMaskedAccess(access.type) : mayLoadInactive(access));
}

bool isReversed(const Access &access) {
  return access.isSimple() && hasStride(access, -bytesOf(access)) &&
         access.context.isPlain(access.type) && mayLoadInactive(access);
}

bool isDownColumns(const Access &access) {
  const AccessContext &context = access.context;
  const unsigned rows = context.rowCount();
  return access.isSimple() && access.active.all && context.layout.hasRows() && rows > 1 &&
         isPowerOf2_32(rows) && context.layout.rowLength() % rows == 0 &&
         context.isPlain(access.type) && context.row_step(*access.pointer) == bytesOf(access);
}

bool isInTable(const Access &access) {
  const AccessContext &context = access.context;
  const uint64_t bytes = context.sizeOf(access.type);
  return access.isSimple() && !access.active.few && context.fitsNativeGather(access.type) &&
         context.gatherLanes(access.type) * bytes == table_bytes / 2 &&
         tableSize(access.pointer, bytes, context.shapes, context.data) > 0 &&
         scaledIndices(access.pointer, context.shapes, context.data);
}

bool isPermuted(const Access &access) {
  const AccessContext &context = access.context;
  // Rows without active lanes have arbitrary addresses.
  if (!access.isSimple() || !context.isPlain(access.type) || access.active.few ||
      (!access.active.all && context.rowCount() > 1))
    return false;
  const auto pattern = permutationOf(*access.pointer, context.sizeOf(access.type), context.shapes,
                                     context.layout, context.data);
  const auto indices =
      pattern ? scaledIndices(access.pointer, context.shapes, context.data) : std::nullopt;
  const int64_t scale = indices ? std::max(indices->scale, 1u) : 0;
  return scale && all_of(pattern->steps, [&](int64_t step) { return step % scale == 0; });
}

bool isMember(const Access &access) {
  const AccessGroup *group = access.context.scatteredGroupOf(access.instruction);
  return group && group->step <= access.context.layout.lanes && !access.active.few &&
         !access.active.first;
}

bool isPiecewise(const Access &access) {
  const AccessContext &context = access.context;
  if (!access.isSimple() || !context.isPlain(access.type) ||
      !context.hasMaskedAccess(access.type) || context.rowCount() > 1 || context.layout.lanes == 1)
    return false;
  const auto sides = sidesOfAddress(*access.pointer, context.shapes, context.data);
  return sides && all_of(*sides, [&](const Side &side) {
           return side.stride == 0 || side.stride == bytesOf(access);
         });
}

bool mayBeContiguous(const Access &access) {
  const AccessContext &context = access.context;
  if (!access.isSimple() || !mayLoadInactive(access) || access.address.isTiledAffine() ||
      !context.isPlain(access.type))
    return false;
  const auto where = indexedAddress(access.pointer, context.shapes);
  if (!where || where->gep->getNumIndices() != 1 ||
      context.data.getTypeAllocSize(where->gep->getSourceElementType()) !=
          context.sizeOf(access.type) ||
      where->narrow->getType()->getIntegerBitWidth() < 8) // cannot number the lanes
    return false;
  const Shape index = context.shapes.of(where->narrow);
  return !index.hasRowBases() || index.stride == 1;
}

bool always(const Access & /*access*/) { return true; }

// ---- What it costs ----

double oneScalar(const Access & /*access*/) { return scalar_access; }

double oneInEachRow(const Access &access) { return access.context.rowCount() * scalar_access; }

double asVectors(const Access & /*access*/) { return vector_access; }

double ofFewLanes(const Access &access) { return access.active.few * lane_access; }

// A known stride needs no arithmetic for each lane. Where addresses are computed from threadIdx in
// 32 bits, or clamped at borders, later passes find the stride (index_widening.h,
// affine_index_speculation.h).
double atAnyAddress(const Access &access) {
  const unsigned lanes = access.context.layout.lanes;
  if (access.address.hasRowBases())
    return lanes * scalar_access;
  return isUsuallyAffine(*access.pointer, access.context.shapes) ? vector_access
                                                                 : lanes * lane_access;
}

} // namespace

ArrayRef<AccessKind> accessKinds() {
  static const AccessKind kinds[] = {
      {.name = "scalar",
       .addresses = "uniform",
       .fits = isUniform,
       .cost = oneScalar,
       .optional = false},
      {.name = "scalar-rows",
       .addresses = "uniform in each row of a tiled gang",
       .fits = isUniformInRows,
       .cost = oneInEachRow,
       .loads_only = true,
       .optional = false},
      {.name = "packs",
       .addresses = "contiguous packs of a thread's elements",
       .fits = isContiguousPack,
       .cost = asVectors},
      {.name = "packs-gather",
       .addresses = "packs at any address",
       .fits = isPack,
       .cost = atAnyAddress,
       .optional = false},
      {.name = "contiguous", .addresses = "contiguous", .fits = isContiguous, .cost = asVectors},
      {.name = "interleaved",
       .addresses = "members of contiguous structures (`p[i].x`, `p[i].y`, a `float4`)",
       .fits = isInterleaved,
       .cost = asVectors},
      {.name = "few-lanes",
       .addresses = "any, for a few lanes known at compile time",
       .fits = isOfFewLanes,
       .cost = ofFewLanes,
       .optional = false},
      {.name = "strided",
       .addresses = "every second to eighth element",
       .fits = hasSmallStep,
       .cost = asVectors},
      {.name = "reversed",
       .addresses = "contiguous in descending order",
       .fits = isReversed,
       .cost = asVectors},
      {.name = columns_kind,
       .addresses = "down a column (`out[x * height + y]`), in tiled gangs",
       .fits = isDownColumns,
       .cost = asVectors},
      {.name = "table",
       .addresses = "into a table of at most 32 elements",
       .fits = isInTable,
       .cost = asVectors,
       .loads_only = true},
      {.name = "permuted",
       .addresses = "permuted contiguous (`in[x / 2]`, `a[i ^ 1]`)",
       .fits = isPermuted,
       .cost = asVectors,
       .loads_only = true},
      {.name = "members",
       .addresses = "members of structures at varying addresses (`p[next[i]].x`)",
       .fits = isMember,
       .cost = atAnyAddress,
       .loads_only = true},
      {.name = "piecewise",
       .addresses = "contiguous except at a border (`x > 0 ? x - 1 : width - 1`)",
       .fits = isPiecewise,
       .cost = asVectors,
       .loads_only = true},
      {.name = "likely-contiguous",
       .addresses = "contiguous if an index does not wrap",
       .fits = mayBeContiguous,
       .cost = atAnyAddress},
      {.name = "gather",
       .addresses = "any",
       .fits = always,
       .cost = atAnyAddress,
       .optional = false},
  };
  return kinds;
}

AccessContext::AccessContext(Function &thread, const Shapes &shapes, const LaneLayout &layout,
                             bool native_gather, RowStep row_step)
    : data(thread.getParent()->getDataLayout()), shapes(shapes), layout(layout),
      native_gather(native_gather),
      row_step(row_step ? std::move(row_step) : [this](const Value &address) {
        return estimatedRowStep(address, this->shapes, data);
      }) {
  if (layout.rowLength() < 2)
    return;
  groups_ = accessesSideBySide(thread, shapes);
  for (const AccessGroup &group : groups_)
    for (const Instruction *member : group.members)
      if (member)
        (group.scattered ? scattered_group_of_ : group_of_)[member] = &group;
}

bool AccessContext::isPlain(Type *type) const {
  return (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy()) &&
         data.getTypeSizeInBits(type) == 8 * sizeOf(type) && isPowerOf2_64(sizeOf(type)) &&
         sizeOf(type) <= 8;
}

unsigned AccessContext::smallStep(const Shape &address, Type *type) const {
  constexpr int64_t largest_step = 8; // with larger ones, the vectors cost as much as gathers
  const auto size = int64_t(sizeOf(type));
  if (!address.hasRowBases() || !isPlain(type) || address.stride % size != 0)
    return 0;
  const int64_t step = address.stride / size;
  return step >= 2 && step <= largest_step ? unsigned(step) : 0;
}

Access::Access(const AccessContext &context, Instruction &instruction, ActiveLanes active)
    : context(context), instruction(instruction), pointer(getLoadStorePointerOperand(&instruction)),
      type(getLoadStoreType(&instruction)), address(context.shapes.of(pointer)), active(active),
      is_store(isa<StoreInst>(instruction)), is_volatile(instruction.isVolatile()),
      is_atomic(instruction.isAtomic()) {}

AccessPlan planOf(const Access &access) {
  for (const AccessKind &kind : accessKinds())
    if (!(kind.loads_only && access.is_store) && !(kind.optional && isSkipped(kind.name)) &&
        kind.fits(access))
      return {&kind, kind.cost(access)};
  throw InternalError("an access has no kind");
}

AccessPlan PlannedCode::planOf(const Instruction &access) const {
  if (const auto found = plans_.find(&access); found != plans_.end())
    return found->second;
  const KnownLanes here = lanesThatCome(*access.getParent(), layout());
  ActiveLanes active;
  if (here.count < layout().lanes)
    active = {.all = false,
              .first = here.are_first ? here.count : 0,
              .few = here.count <= fewLanes(layout()) ? here.count : 0};
  auto &instruction = const_cast<Instruction &>(access); // NOLINT: of the function it was made for
  return plans_[&access] = simd::planOf(Access(context_, instruction, active));
}

bool hasAccessDownColumns(const Function &function, const PlannedCode &code) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return getLoadStorePointerOperand(&instruction) &&
           code.planOf(instruction).kind->name == columns_kind;
  });
}

} // namespace heddle::engine::simd
