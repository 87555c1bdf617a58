// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/grid_stride_loops.h"
#include "engine/compiler/simd/analysis/iteration_step.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/tiled_values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

enum class CacheLevel { Second = 2, First = 3 }; // the encoding of llvm.prefetch
enum class WhichLines { All, ButFirst, EverySecond };

constexpr unsigned most_copied = 24;      // instructions of an address computation
constexpr unsigned most_lines = 16;       // of a row
constexpr unsigned most_lines_ahead = 32; // of a row of the next block
constexpr unsigned gangs_ahead = 2;
constexpr unsigned most_prefetched =
    64; // addresses on the paths to a block; the caches hold few lines

// Copies scalar code as executed by the next block along x. Rare errors are harmless.
class NextBlock {
public:
  NextBlock(IRBuilder<> &builder, Value *block_index, Value *strip_ahead, unsigned blocks_ahead)
      : b_(builder), blocks_ahead_(blocks_ahead) {
    if (block_index)
      done_[block_index] = b_.CreateAdd(block_index, strip_ahead);
  }

  // Null if it takes too much code; the value itself if it is the same in that block.
  Value *at(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return value;
    if (const auto found = done_.find(value); found != done_.end())
      return found->second;
    return done_[value] = copy(*instruction);
  }

private:
  Value *copy(Instruction &instruction) {
    if (calledName(instruction) == "llvm.nvvm.read.ptx.sreg.ctaid.x")
      return b_.CreateAdd(&instruction, ConstantInt::get(instruction.getType(), blocks_ahead_));
    if (isa<PHINode>(instruction) || instruction.mayReadFromMemory())
      return &instruction;
    if (++copied_ > most_copied)
      return nullptr;
    SmallVector<Value *> operands;
    bool same = true;
    for (Value *operand : instruction.operands()) {
      Value *there = at(operand);
      if (!there)
        return nullptr;
      same &= there == operand;
      operands.push_back(there);
    }
    if (same)
      return &instruction;
    if (instruction.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&instruction))
      return nullptr;
    Instruction *result = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      result->setOperand(i, operands[i]);
    result->dropPoisonGeneratingFlags();
    return b_.Insert(result);
  }

  IRBuilder<> &b_;
  const unsigned blocks_ahead_;
  DenseMap<Value *, Value *> done_;
  unsigned copied_ = 0;
};

// By how much a pointer grows to the block that is prefetched for: mostly uniform, and often
// constant. `block_index`: the block index in a strip, or null.
Value *growthToBlock(Value *pointer, Value *block_index, Value *strip_ahead, unsigned blocks_ahead,
                     const DataLayout &data, IRBuilder<> &b) {
  const auto known = [&](Growth &, Value &value) -> std::optional<Value *> {
    if (&value == block_index)
      return b.CreateZExt(strip_ahead, b.getInt64Ty());
    if (!block_index && calledName(value) == "llvm.nvvm.read.ptx.sreg.ctaid.x")
      return b.getInt64(blocks_ahead);
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || isa<PHINode>(instruction) || instruction->mayReadFromMemory())
      return b.getInt64(0);
    return std::nullopt;
  };
  return Growth(b, data, known).of(pointer);
}

// Whether a row of the next block follows this block's, or lies a few rows further. Hardware
// prefetchers follow such ascending addresses.
bool isStream(const Value &growth, uint64_t span) {
  constexpr uint64_t most_apart = 4; // rows
  const auto *bytes = dyn_cast<ConstantInt>(&growth);
  return bytes && !bytes->isZero() && bytes->getValue().ule(most_apart * span);
}

// Whether the loop loads a tile, a block's width at a time: `for (i = threadIdx.x; i < 512; i +=
// 256)`.
bool loadsTile(const Loop &loop, unsigned row_length) {
  constexpr uint64_t most_rounds = 8;
  const BasicBlock *latch = loop.getLoopLatch();
  const auto is_bound = [&](const User *user, uint64_t step) {
    const auto *compare = dyn_cast<ICmpInst>(user);
    const auto *bound = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
    return bound && bound->getValue().ule(most_rounds * step);
  };
  return latch && any_of(loop.getHeader()->phis(), [&](const PHINode &counter) {
           const auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(latch));
           if (!next || next->getOpcode() != Instruction::Add || next->getOperand(0) != &counter)
             return false;
           const auto *number = dyn_cast<ConstantInt>(next->getOperand(1));
           if (!number || number->getValue().ult(row_length) || number->getBitWidth() > 64)
             return false;
           const auto ends = [&](const User *user) {
             return is_bound(user, number->getZExtValue());
           };
           return any_of(counter.users(), ends) || any_of(next->users(), ends);
         });
}

} // namespace

static void prefetch(VectorBuilder &v, const Rows &pointers, unsigned bytes, CacheLevel level,
                     WhichLines which);

void gatherPrefetched(VectorBuilder &v, const BasicBlock &block) {
  v.emitters.prefetched.clear();
  for (const BasicBlock *before : predecessors(&block))
    for (const LinearForm &place :
         v.emitters.prefetched_at.lookup(before)) // nothing yet for a back edge
      if (v.emitters.prefetched.size() < most_prefetched &&
          !is_contained(v.emitters.prefetched, place))
        v.emitters.prefetched.push_back(place);
}

// Whether a load on the way here has prefetched the same lines, as for `a[i - 1]` and `a[i + 1]`.
// Also true if the block loads from more addresses than the caches would keep.
static bool isPrefetched(VectorBuilder &v, Value *pointer) {
  if (v.emitters.prefetched.size() >= most_prefetched)
    return true;
  LinearForm form = linearForm(*pointer, v.data);
  for (const LinearForm &before : v.emitters.prefetched)
    if (before.terms == form.terms && before.constant - form.constant + line_bytes < 2 * line_bytes)
      return true;
  v.emitters.prefetched.push_back(std::move(form));
  return false;
}

// Prefetches `bytes` bytes of each row. They rarely start at a line, so they touch one line more
// than they fill. The first line may be skipped, since another prefetch covers it; the extra last
// line is skipped if only one is filled, as it would double the work.
static void prefetch(VectorBuilder &v, const Rows &pointers, unsigned bytes, CacheLevel level,
                     WhichLines which) {
  if (v.options.few_misses)
    level = CacheLevel::Second;
  const unsigned step = which == WhichLines::EverySecond ? 2 * line_bytes : line_bytes;
  SmallVector<unsigned> lines;
  for (unsigned at = which == WhichLines::ButFirst ? (bytes - 1) % line_bytes : 0; at < bytes;
       at += step)
    lines.push_back(at);
  if (which == WhichLines::All && bytes > line_bytes)
    lines.push_back(bytes - 1);
  for (Value *pointer : pointers)
    for (const unsigned at : lines)
      v.b.CreateIntrinsic(Intrinsic::prefetch, {pointer->getType()},
                          {v.b.CreateConstGEP1_64(v.b.getInt8Ty(), pointer, at), v.b.getInt32(0),
                           v.b.getInt32(int(level)), v.b.getInt32(1)});
}

void prefetchNext(VectorBuilder &v, Value *old_pointer, int64_t size) {
  const Shape where = v.shape(old_pointer);
  constexpr int64_t most_bytes = int64_t(most_lines) * line_bytes;
  if (!where.hasRowBases() || where.stride < 0 || where.stride > most_bytes)
    return;
  const int64_t bytes = where.stride * (int64_t(v.mask.mostInRow()) - 1) + size;
  if (bytes > most_bytes)
    return;
  Rows rows = v.rowsOf(old_pointer);
  const auto *step = dyn_cast_or_null<ConstantInt>(stepOf(v, old_pointer));
  if (step && step->isZero()) // the same in all rows
    rows.resize(1);
  prefetch(v, rows, unsigned(bytes), CacheLevel::First, WhichLines::All);
}

void prefetchAhead(VectorBuilder &v, Instruction &old, const Rows &pointers) {
  if (getLoadStorePointerOperand(&old)->getType()->getPointerAddressSpace() == shared_space ||
      old.hasMetadata(foreseen_load))
    return;
  const Loop *loop = v.code.loops.getLoopFor(old.getParent());
  const bool in_launch_steps = loop && hasGridStride(*loop);
  if (in_launch_steps && v.options.foreseen_steps)
    return;
  // In a nested loop, the next load is not the next block's.
  if (loop && !in_launch_steps && (loop->getParentLoop() || !loadsTile(*loop, v.rowLength())))
    return;
  const uint64_t size = v.data.getTypeStoreSize(getLoadStoreType(&old));
  const Shape where = v.shape(getLoadStorePointerOperand(&old));
  const int64_t step = where.hasRowBases() ? std::abs(where.stride) : int64_t(size);
  const uint64_t span = uint64_t(step) * (v.mask.mostInRow() - 1) + size;
  if (span > uint64_t(most_lines_ahead) * line_bytes || isPrefetched(v, pointers.front()))
    return;
  const unsigned bytes = unsigned(span);
  const bool in_strip = v.block_index && !v.options.layout.whole; // instead of block by block
  const auto is_foreseen = [&] {
    if (in_strip)
      return v.options.foreseen_strips;
    const Value *next =
        growthToBlock(pointers.front(), v.block_index, v.b.getInt32(1), 1, v.data, v.b);
    return next && isStream(*next, span);
  };
  // What the hardware prefetcher predicts it reads in pairs of lines, but not far enough ahead if
  // memory is busy. With few outstanding misses, prefetching each line in between is slower than
  // not prefetching, and prefetching every second line is faster.
  const bool foreseen =
      v.options.few_misses && !in_launch_steps && pointers.size() == 1 && is_foreseen();
  if (foreseen && in_strip)
    return;
  const unsigned blocks_ahead = foreseen ? 1 : v.options.blocks_ahead;
  Value *strip_ahead = foreseen ? v.fused_blocks : v.ahead_blocks;
  Value *growth = nullptr;
  if (!in_launch_steps)
    growth = growthToBlock(pointers.front(), v.block_index, strip_ahead, blocks_ahead, v.data, v.b);
  NextBlock next(v.b, growth ? nullptr : v.block_index, strip_ahead, blocks_ahead);
  const auto later = [&](Value *pointer) -> Value * {
    if (in_launch_steps)
      return v.b.CreateConstGEP1_64(v.b.getInt8Ty(), pointer, gangs_ahead * bytes);
    if (!growth)
      return next.at(pointer);
    return isZero(growth) ? pointer : v.b.CreateGEP(v.b.getInt8Ty(), pointer, growth);
  };
  Rows ahead;
  for (Value *pointer : pointers) {
    Value *soon = later(pointer);
    if (!soon || soon == pointer)
      return;
    ahead.push_back(soon);
  }
  // A loop reads much memory: the second-level cache has more room than the first and supports more
  // outstanding misses. If a row does not start at a line (a stencil's tile), its first line is
  // shared with the end of the previous row.
  prefetch(v, ahead, bytes,
           in_launch_steps && bytes >= line_bytes ? CacheLevel::Second : CacheLevel::First,
           foreseen ? WhichLines::EverySecond : WhichLines::ButFirst);
}

} // namespace heddle::engine::simd
