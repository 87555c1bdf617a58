// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/shared_array_transposition.h"

#include "engine/abi.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "module/function_evolution.h"

#include "llvm/IR/InstIterator.h"

#include <cstdlib>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr double clear_advantage = 2; // minimum ratio of costs

using Terms = SmallVector<std::pair<Value *, int64_t>, 4>;

// One of an array's two indices: a sum of scaled values.
struct Index {
  Terms terms;
  int64_t constant = 0;
};

struct Access {
  Instruction *instruction = nullptr; // a load or store
  Index row, column;
};

class Array {
public:
  Array(const SharedArray &array, const DataLayout &data) : array_(array), data_(data) {}

  // Collects all accesses through `pointer`; false if it has other uses.
  bool follow(Value &pointer, const Access &so_far) {
    for (User *user : pointer.users()) {
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        Access access = so_far;
        if (gep->getType()->isVectorTy() || !add(access, *gep) || !follow(*gep, access))
          return false;
        continue;
      }
      auto *instruction = dyn_cast<Instruction>(user);
      const auto *load = dyn_cast_or_null<LoadInst>(instruction);
      const auto *store = dyn_cast_or_null<StoreInst>(instruction);
      const bool plain = (load && load->isSimple()) ||
                         (store && store->isSimple() && store->getValueOperand() != &pointer);
      if (!plain || data_.getTypeStoreSize(getLoadStoreType(instruction)) != array_.element_bytes)
        return false;
      accesses_.push_back(so_far);
      accesses_.back().instruction = instruction;
    }
    return true;
  }

  bool allWithin(FunctionEvolution &code) const {
    return all_of(accesses_, [&](const Access &access) {
      return isWithin(access.row, array_.rows, code) &&
             isWithin(access.column, array_.columns, code);
    });
  }

  // Whether the gang's accesses become clearly cheaper.
  bool gains(const ShapedCode &code, const LaneLayout &layout) const {
    double before = 0, after = 0;
    for (const Access &access : accesses_) {
      const double weight = code.weightOf(*access.instruction->getParent());
      const auto row = stride(access.row, code.shapes), column = stride(access.column, code.shapes);
      const bool known = row && column;
      before += weight * (known ? cost(*row * int64_t(array_.columns) + *column, layout) : 1);
      after += weight * (known ? cost(*column * int64_t(array_.rows) + *row, layout) : 1);
    }
    return after * clear_advantage <= before;
  }

  void transpose(Value &base) const {
    for (const Access &access : accesses_) {
      Instruction &instruction = *access.instruction;
      IRBuilder<> b(&instruction);
      Value *place = b.CreateAdd(
          b.CreateMul(valueOf(access.column, b), b.getInt64(array_.rows), "", true, true),
          valueOf(access.row, b), "", true, true);
      Value *address = b.CreateInBoundsGEP(getLoadStoreType(&instruction), &base, place);
      instruction.replaceUsesOfWith(getLoadStorePointerOperand(&instruction), address);
      const Align align(array_.element_bytes);
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        load->setAlignment(std::min(load->getAlign(), align));
      else
        cast<StoreInst>(instruction)
            .setAlignment(std::min(cast<StoreInst>(instruction).getAlign(), align));
    }
  }

private:
  // Adds a GEP's offset to the indices.
  bool add(Access &access, const GetElementPtrInst &gep) const {
    const auto offset = offsetOf(gep, data_);
    const auto element = int64_t(array_.element_bytes), row = element * int64_t(array_.columns);
    if (!offset)
      return false;
    for (const auto &[index, scale] : offset->variable) {
      const int64_t bytes = scale.getSExtValue();
      if (bytes % row == 0)
        access.row.terms.emplace_back(index, bytes / row);
      else if (bytes % element == 0)
        access.column.terms.emplace_back(index, bytes / element);
      else
        return false;
    }
    const int64_t constant = offset->constant.getSExtValue();
    access.row.constant += constant / row;
    access.column.constant += constant % row / element;
    return constant % element == 0;
  }

  static bool isWithin(const Index &index, uint64_t size, FunctionEvolution &code) {
    ScalarEvolution &evolution = code.evolution;
    Type *i64 = nullptr;
    const SCEV *sum = nullptr;
    for (const auto &[value, factor] : index.terms) {
      i64 = Type::getInt64Ty(value->getContext());
      const SCEV *term = evolution.getSCEV(value);
      term = evolution.getMulExpr(evolution.getTruncateOrSignExtend(term, i64),
                                  evolution.getConstant(i64, uint64_t(factor), true));
      sum = sum ? evolution.getAddExpr(sum, term) : term;
    }
    if (!sum)
      return index.constant >= 0 && uint64_t(index.constant) < size;
    sum = evolution.getAddExpr(sum, evolution.getConstant(i64, uint64_t(index.constant), true));
    return evolution.getUnsignedRange(sum).getUnsignedMax().ult(size);
  }

  // The index's stride from lane to lane (within a row if tiled); nothing if it is not affine.
  static std::optional<int64_t> stride(const Index &index, const Shapes &shapes) {
    int64_t result = 0;
    for (const auto &[value, factor] : index.terms) {
      const Shape shape = shapes.of(value);
      if (!shape.hasRowBases())
        return std::nullopt;
      result += shape.stride * factor;
    }
    return result;
  }

  // Cost of an access in vectors.
  static double cost(int64_t stride, const LaneLayout &layout) {
    const double apart = double(std::abs(stride));
    return std::clamp(apart, 1.0, double(layout.rowLength()));
  }

  static Value *valueOf(const Index &index, IRBuilder<> &b) {
    Value *sum = nullptr;
    for (const auto &[value, factor] : index.terms) {
      Value *term = b.CreateSExtOrTrunc(value, b.getInt64Ty());
      if (factor != 1)
        term = b.CreateMul(term, b.getInt64(uint64_t(factor)));
      sum = sum ? b.CreateAdd(sum, term) : term;
    }
    Value *constant = b.getInt64(uint64_t(index.constant));
    return !sum ? constant : index.constant ? b.CreateAdd(sum, constant) : sum;
  }

  SharedArray array_;
  const DataLayout &data_;
  SmallVector<Access> accesses_;
};

// The offset in static shared memory, if the instruction is the address of a variable there.
std::optional<uint64_t> sharedOffset(const Instruction &instruction, const DataLayout &data) {
  const auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
  if (!cast || cast->getDestAddressSpace() != shared_space)
    return std::nullopt;
  const auto field_of = [&](const Value *pointer, uint64_t field) -> const Value * {
    const auto *load = dyn_cast<LoadInst>(pointer);
    if (!load)
      return nullptr;
    APInt offset(64, 0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(data, offset, true);
    return offset == field ? base : nullptr;
  };
  APInt offset(64, 0);
  const Value *start =
      cast->getPointerOperand()->stripAndAccumulateConstantOffsets(data, offset, true);
  const Value *block = field_of(start, offsetof(BlockContext, shared));
  const Value *gang = block ? field_of(block, offsetof(ThreadContext, block)) : nullptr;
  return gang && gang == instruction.getFunction()->getArg(0) ? std::optional(offset.getZExtValue())
                                                              : std::nullopt;
}

// Whether the address is used only for loads and stores in kernels and does not escape.
bool isOnlyAccessed(const User &pointer, function_ref<bool(const Function &)> is_kernel) {
  return all_of(pointer.uses(), [&](const Use &use) {
    const User *user = use.getUser();
    if (isa<GEPOperator>(user))
      return isOnlyAccessed(*user, is_kernel);
    const auto *access = dyn_cast<Instruction>(user);
    return access && is_kernel(*access->getFunction()) &&
           (isa<LoadInst>(access) || (isa<StoreInst>(access) && use.getOperandNo() == 1));
  });
}

} // namespace

SharedArrays sharedArrays(const DeviceLayout &layout,
                          function_ref<bool(const Function &)> is_kernel) {
  SharedArrays result;
  for (const auto &[variable, offset] : layout.shared) {
    const auto *rows = dyn_cast<ArrayType>(variable->getValueType());
    const auto *row = rows ? dyn_cast<ArrayType>(rows->getElementType()) : nullptr;
    if (!row ||
        !(row->getElementType()->isIntegerTy() || row->getElementType()->isFloatingPointTy()))
      continue;
    const DataLayout &data = variable->getParent()->getDataLayout();
    variable->removeDeadConstantUsers();
    if (isOnlyAccessed(*variable, is_kernel))
      result[offset] = {rows->getNumElements(), row->getNumElements(),
                        data.getTypeAllocSize(row->getElementType())};
  }
  return result;
}

void transposeArrays(Function &function, const LaneLayout &layout, const SharedArrays &arrays) {
  if (layout.lanes == 1 || arrays.empty())
    return;
  const DataLayout &data = function.getParent()->getDataLayout();
  SmallVector<std::pair<Instruction *, SharedArray>> found;
  for (Instruction &instruction : instructions(function))
    if (const auto offset = sharedOffset(instruction, data))
      if (const auto array = arrays.find(*offset); array != arrays.end())
        found.emplace_back(&instruction, array->second);
  SmallVector<std::pair<Instruction *, Array>> chosen;
  if (!found.empty()) {
    const ShapedCode code(function, layout);
    FunctionEvolution evolution(function);
    for (const auto &[base, type] : found)
      if (Array array(type, data);
          array.follow(*base, {}) && array.gains(code, layout) && array.allWithin(evolution))
        chosen.emplace_back(base, std::move(array));
  }
  for (const auto &[base, array] : chosen)
    array.transpose(*base);
}

} // namespace heddle::engine::simd
