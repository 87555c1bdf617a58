// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value differs between the lanes of a gang.
//
// Much of what a CUDA thread computes is the same in all threads of a gang (loop counters,
// pointers, sizes), and most of the rest grows by a constant from lane to lane, because it was
// computed from threadIdx.x. The first kind stays one scalar; of the second, an address becomes one
// vector load.
//
// A value also differs when lanes reach it along different ways: the phi behind a branch whose
// condition differs, or what a loop leaves behind that lanes leave at different times. LLVM's
// UniformityInfo knows this too, but not the shapes, which decide many conditions
// (`threadIdx.x / 32 == 0` is the same for a whole warp).
//
// Blocks of 16 x 16 or 8 x 8 x 8 threads are common, and a gang has two or four of their rows.
// threadIdx.y is the same within a row; `y * width + x` grows by one there: a vector load a row. So
// such values have a scalar for each row of the gang.
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
    Unknown, // not reached by the analysis, or undefined: may be taken for anything
    Uniform, // the same in all executing lanes
    Affine,  // lane l has first + l * stride, modulo the type's width
    Rows,    // of a gang of rows (LaneLayout::hasRows), each has a first + l * stride of its own
    Varying
  };
  Kind kind = Kind::Unknown;
  // How many low bits of the first lane's value are known zero, of each row's with Rows.
  uint8_t zeros = 0;
  int64_t stride = 0; // of pointers in bytes; of Affine never 0; of Rows within the row

  bool isUniform() const { return kind == Kind::Uniform || kind == Kind::Unknown; }
  bool isAffine() const { return kind == Kind::Affine; }
  bool isTiledAffine() const { return kind == Kind::Rows; }
  /// There is no one scalar from which all lanes' values follow; hasBase() says that there is.
  bool isVarying() const { return kind == Kind::Rows || kind == Kind::Varying; }
  bool hasBase() const { return !isVarying(); }
  /// At least each row has such a scalar.
  bool hasRowBases() const { return kind != Kind::Varying; }
  bool operator==(const Shape &) const = default;
};

/// The shapes of all values of a function that is compiled for gangs. Expects simplified loops
/// (canonicalize.h).
class Shapes {
public:
  Shapes(llvm::Function &function, const LaneLayout &layout,
         const llvm::PostDominatorTree &post_dominators, const llvm::LoopInfo &loops);

  Shape of(const llvm::Value *value) const;
  /// Extended to more bits, the integer grows from lane to lane as it does by itself.
  bool keepsGrowing(const llvm::Value *integer, bool is_signed) const;
  /// Lanes may go different ways at this block's end.
  bool divergesAt(const llvm::BasicBlock *block) const;
  /// Not all lanes that entered the function need execute this block at the same time.
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
  bool asksForGangsOfRows(const llvm::ICmpInst &compare) const;
  Shape compare(const llvm::ICmpInst &compare) const;
  Shape extend(const llvm::CastInst &cast) const;
  Shape address(const llvm::GetElementPtrInst &address) const;
  void spread(const llvm::BasicBlock *block);
  bool goesRoundBefore(const llvm::Loop &loop, const llvm::BasicBlock *block,
                       const llvm::BasicBlock *end) const;
  /// All values, or those of each row, lie within one aligned power of two.
  bool staysWithin(const Shape &shape, unsigned bits) const;

  const llvm::DataLayout &data_;
  LaneLayout layout_;
  const llvm::PostDominatorTree &post_dominators_;
  const llvm::LoopInfo &loops_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock *> diverging_, divergent_blocks_, joins_;
};

/// A function with the analyses that its shapes rest on. Good until the function changes.
struct ShapedCode {
  ShapedCode(llvm::Function &function, const LaneLayout &layout)
      : dominators(function), post_dominators(function), loops(dominators),
        shapes(function, layout, post_dominators, loops) {}
  ShapedCode(const ShapedCode &) = delete; // they point to each other

  /// How often a thread executes the block, very roughly: a loop goes round eight times.
  double weightOf(const llvm::BasicBlock &block) const;

  const llvm::DominatorTree dominators;
  const llvm::PostDominatorTree post_dominators;
  const llvm::LoopInfo loops;
  const Shapes shapes;
};

/// The `zeros` of integer and pointer constants; all constants are uniform.
Shape shapeOfConstant(const llvm::Constant &constant);

} // namespace heddle::engine::simd
