// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a value: how it differs between the lanes of a gang.
//
// Much of what a CUDA thread computes is uniform in a gang (loop counters, pointers, sizes), and
// most of the rest is affine in the lane number, since it is computed from threadIdx.x. Uniform
// values stay scalars; an affine address becomes a vector access.
//
// A value also varies if lanes reach it on different paths: a phi after a divergent branch, or a
// live-out of a loop that lanes leave in different iterations (temporal divergence). LLVM's
// UniformityInfo covers that, but has no affine shapes, which decide many conditions (`threadIdx.x
// / 32 == 0` is uniform in a warp).
//
// Blocks of 16 x 16 or 8 x 8 x 8 threads are common, and a gang is two or four of their rows.
// threadIdx.y is uniform within a row, and `y * width + x` is affine in it: one vector load per
// row. Such values have a scalar for each row of the gang.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct Shape {
  enum class Kind : uint8_t {
    Unknown, // not reached by the analysis, or undefined: any shape is valid
    Uniform, // the same in all active lanes
    Affine,  // lane l has first + l * stride, modulo the type's width
    Rows,    // tiled: each row of the gang (LaneLayout::hasRows) is affine by itself
    Varying
  };
  Kind kind = Kind::Unknown;
  // Known zero low bits of the first lane's value; if tiled, of each row's.
  uint8_t zeros = 0;
  int64_t stride = 0; // of pointers in bytes; of Affine never 0; of Rows within the row

  bool isUniform() const { return kind == Kind::Uniform || kind == Kind::Unknown; }
  bool isAffine() const { return kind == Kind::Affine; }
  bool isTiledAffine() const { return kind == Kind::Rows; }
  /// No single scalar determines all lanes' values; the opposite of hasBase().
  bool isVarying() const { return kind == Kind::Rows || kind == Kind::Varying; }
  bool hasBase() const { return !isVarying(); }
  /// At least each row has such a scalar.
  bool hasRowBases() const { return kind != Kind::Varying; }
  bool operator==(const Shape &) const = default;
};

/// The shapes of all values of a function for a lane layout. Expects loops in simplified form
/// (canonicalize.h).
class Shapes {
public:
  Shapes(llvm::Function &function, const LaneLayout &layout,
         const llvm::PostDominatorTree &post_dominators, const llvm::LoopInfo &loops);

  Shape of(const llvm::Value *value) const;
  /// Whether the integer, extended to more bits, has the same stride as before.
  bool keepsGrowing(const llvm::Value *integer, bool is_signed) const;
  /// Whether lanes may take different successors at the end of this block.
  bool divergesAt(const llvm::BasicBlock *block) const;
  /// Whether lanes that entered the function together may not all execute this block together.
  bool isDivergent(const llvm::BasicBlock *block) const {
    return divergent_blocks_.contains(block);
  }

private:
  Shape join(const llvm::PHINode &phi) const;
  Shape compute(const llvm::Instruction &instruction) const;
  Shape binary(const llvm::BinaryOperator &operation) const;
  Shape select(const llvm::Instruction &select) const;
  Shape load(const llvm::Instruction &load) const;
  Shape inRows(Shape shape) const;
  Shape call(const llvm::CallBase &call) const;
  bool isUniformInGangsOfRows(const llvm::ICmpInst &compare) const;
  Shape compare(const llvm::ICmpInst &compare) const;
  Shape extend(const llvm::CastInst &cast) const;
  Shape address(const llvm::GetElementPtrInst &address) const;
  void spread(const llvm::BasicBlock *block);
  bool iteratesBefore(const llvm::Loop &loop, const llvm::BasicBlock *block,
                      const llvm::BasicBlock *end) const;
  /// Whether all values, or those of each row, lie within one aligned range of 2^bits.
  bool staysWithin(const Shape &shape, unsigned bits) const;

  const llvm::DataLayout &data_;
  LaneLayout layout_;
  const llvm::PostDominatorTree &post_dominators_;
  const llvm::LoopInfo &loops_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock *> diverging_, divergent_blocks_, joins_;
};

/// A function with the analyses that its shapes depend on. Valid until the function changes.
struct ShapedCode {
  ShapedCode(llvm::Function &function, const LaneLayout &layout)
      : dominators(function), post_dominators(function), loops(dominators),
        shapes(function, layout, post_dominators, loops) {}
  ShapedCode(const ShapedCode &) = delete; // members refer to each other

  /// A rough estimate of how often a thread executes the block: 8 iterations per loop.
  double weightOf(const llvm::BasicBlock &block) const;

  const llvm::DominatorTree dominators;
  const llvm::PostDominatorTree post_dominators;
  const llvm::LoopInfo loops;
  const Shapes shapes;
};

/// All constants are uniform; sets `zeros` for integers and pointers.
Shape shapeOfConstant(const llvm::Constant &constant);

} // namespace heddle::engine::simd
