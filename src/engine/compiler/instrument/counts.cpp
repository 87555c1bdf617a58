// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/counts.h"

#include "engine/compiler/instrument/access_groups.h"
#include "engine/compiler/instrument/instruction_classes.h"
#include "engine/compiler/instrument/object_offset.h"
#include "engine/compiler/instrument/site_table.h"
#include "engine/compiler/instrument/texture_unit.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/observe/counted_site.h"
#include "engine/observe/events.h"
#include "module/description/layout.h"
#include "module/pass_analyses.h"
#include "module/passes/marks.h"

#include "__heddle/texture/descriptor.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace heddle::engine {
namespace {

using namespace observe;

// The constants below have these structs' layout.
static_assert(offsetof(CountedSite, kind) == 8 && offsetof(CountedSite, first_counter) == 12 &&
              offsetof(CountedSite, instructions) == 16 &&
              offsetof(CountedSite, instruction_count) == 24 &&
              offsetof(CountedSite, block) == 28 && offsetof(CountedSite, visit_slot) == 32 &&
              offsetof(CountedSite, access) == 36 && offsetof(CountedSite, space) == 40 &&
              offsetof(CountedSite, bytes) == 44 && offsetof(CountedSite, variable) == 48 &&
              offsetof(CountedSite, first_pattern) == 56 && offsetof(CountedSite, what) == 60 &&
              sizeof(CountedSite) == 64);
static_assert(sizeof(InstructionCount) == 16 && offsetof(InstructionCount, kind) == 8 &&
              offsetof(InstructionCount, count) == 12);
static_assert(offsetof(CountedSites, count) == 8 && offsetof(CountedSites, one_by_one) == 24 &&
              offsetof(CountedSites, in_pairs) == 28 && sizeof(CountedSites) == 32);

// What an access is to, as far as the code tells.
struct Object {
  AccessSpace space = AccessSpace::Generic;
  Value *base = nullptr; // of the thread's own
  std::string name;
};

std::string nameOf(const GlobalVariable &variable) {
  SmallVector<DIGlobalVariableExpression *, 1> debug;
  variable.getDebugInfo(debug);
  return debug.empty() ? sourceName(variable.getName())
                       : debug.front()->getVariable()->getName().str();
}

Object objectOf(Value *pointer) {
  Value *base = getUnderlyingObject(pointer, 0);
  if (auto *variable = dyn_cast<GlobalVariable>(base)) {
    const unsigned space = variable->getAddressSpace();
    return {space == address_space::Shared     ? AccessSpace::Shared
            : space == address_space::Constant ? AccessSpace::Constant
                                               : AccessSpace::Global,
            nullptr, nameOf(*variable)};
  }
  if (auto *local = dyn_cast<AllocaInst>(base))
    return {AccessSpace::Local, local, local->getName().str()};
  if (auto *parameter = dyn_cast<Argument>(base))
    return {parameter->hasByValAttr() ? AccessSpace::Constant : AccessSpace::Global, nullptr,
            parameter->getName().str()};
  switch (pointer->getType()->getPointerAddressSpace()) {
  case address_space::Global:
    return {AccessSpace::Global};
  case address_space::Shared:
    return {AccessSpace::Shared};
  case address_space::Constant:
    return {AccessSpace::Constant};
  default:
    return {};
  }
}

struct Access {
  Value *pointer = nullptr;
  uint64_t bytes = 0;
  AccessKind kind{};
};

Access accessOf(Instruction &instruction, const DataLayout &data) {
  const auto size = [&](Type *type) { return data.getTypeStoreSize(type).getFixedValue(); };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return {load->getPointerOperand(), size(load->getType()), AccessKind::Load};
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return {store->getPointerOperand(), size(store->getValueOperand()->getType()),
            AccessKind::Store};
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return {atomic->getPointerOperand(), size(atomic->getType()), AccessKind::Atomic};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {exchange->getPointerOperand(), size(exchange->getNewValOperand()->getType()),
            AccessKind::Atomic};
  return {};
}

// NVPTX makes a row of loads and stores of copies of up to so many bytes, and loops of others.
constexpr uint64_t most_unrolled = 128;

// A copy or fill of a few bytes that are known, in pieces as wide as its alignment allows.
struct Pieces {
  uint64_t bytes = 0; // of each; 0: it is not such a copy
  uint64_t count = 0;
};
Pieces piecesOf(const MemIntrinsic &memory) {
  const auto *length = dyn_cast<ConstantInt>(memory.getLength());
  if (!length || length->isZero() || length->getZExtValue() > most_unrolled)
    return {};
  constexpr uint64_t widest = 16;
  uint64_t bytes = std::min(widest, memory.getDestAlign().valueOrOne().value());
  if (const auto *copy = dyn_cast<MemTransferInst>(&memory))
    bytes = std::min(bytes, copy->getSourceAlign().valueOrOne().value());
  while (length->getZExtValue() % bytes)
    bytes /= 2;
  return {bytes, length->getZExtValue() / bytes};
}

// The comparisons have the place of their switch.
void lowerSwitches(Function &function) {
  SmallPtrSet<const BasicBlock *, 32> before;
  SmallVector<std::pair<BasicBlock *, DebugLoc>> work;
  for (BasicBlock &block : function) {
    before.insert(&block);
    if (isa<SwitchInst>(block.getTerminator()))
      work.emplace_back(&block, block.getTerminator()->getDebugLoc());
  }
  if (work.empty())
    return;
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  LowerSwitchPass().run(function, analyses);
  while (!work.empty()) {
    const auto [block, where] = work.pop_back_val();
    for (Instruction &instruction : *block)
      if (!before.contains(block) || instruction.isTerminator())
        instruction.setDebugLoc(where);
    for (BasicBlock *next : successors(block))
      if (!before.contains(next))
        work.emplace_back(next, where);
  }
}

// Other copies become loops, and switches comparisons, as for a GPU. What is in them is counted
// like any other code.
void expand(Function &function) {
  SmallVector<MemIntrinsic *> copies;
  for (Instruction &instruction : instructions(function))
    if (auto *memory = dyn_cast<MemIntrinsic>(&instruction); memory && !piecesOf(*memory).bytes)
      copies.push_back(memory);
  const TargetTransformInfo costs(function.getParent()->getDataLayout());
  for (MemIntrinsic *memory : copies) {
    if (auto *copy = dyn_cast<MemCpyInst>(memory))
      expandMemCpyAsLoop(copy, costs);
    else if (auto *move = dyn_cast<MemMoveInst>(memory)) {
      if (!expandMemMoveAsLoop(move, costs))
        continue;
    } else if (auto *fill = dyn_cast<MemSetInst>(memory))
      expandMemSetAsLoop(fill);
    memory->eraseFromParent();
  }
  lowerSwitches(function);
}

class Marking {
public:
  Marking(Module &module, uint32_t events)
      : module_(module), data_(module.getDataLayout()), table_(module), events_(events) {
    LLVMContext &context = module.getContext();
    pointer_ = PointerType::get(context, 0);
    i32_ = Type::getInt32Ty(context);
    block_ = marker(count_block_marker, {pointer_, Type::getInt64Ty(context)});
    branch_ = marker(count_branch_marker,
                     {pointer_, Type::getInt1Ty(context), Type::getInt64Ty(context)});
    access_ = marker(count_access_marker, {pointer_, pointer_});
    local_ = marker(count_local_marker, {pointer_, Type::getInt64Ty(context)});
    fetch_ = marker(count_fetch_marker, {pointer_, Type::getInt64Ty(context), i32_, i32_, i32_,
                                         i32_, Type::getFloatTy(context)});
  }

  void run(Function &function) {
    expand(function);
    const TextureUnit texture_unit(function);
    const auto predicated = predicatedBranches(function); // before marks are in between
    for (BasicBlock &block : function)
      mark(block, texture_unit, predicated);
    if (events_ & count_pairs)
      setKeys(function);
  }

  // The module's CountedSites.
  void finish() {
    Constant *list = table_.constant(sites_, "observed.sites");
    const auto number = [&](uint64_t value) { return ConstantInt::get(i32_, value); };
    Constant *value = ConstantStruct::getAnon(
        module_.getContext(),
        {list, number(sites_.size()), number(counters_), number(visit_slots_), number(patterns_),
         number((events_ & count_caches) != 0), number((events_ & count_pairs) != 0)});
    new GlobalVariable(module_, value->getType(), true, GlobalValue::InternalLinkage, value,
                       counted_sites_name);
  }

private:
  struct Description {
    const DILocation *where = nullptr;
    CountedKind kind{};
    Constant *instructions = nullptr;
    uint32_t instruction_count = 0, block = 0, visit_slot = no_visits;
    AccessKind access{};
    AccessSpace space{};
    uint32_t bytes = 0, what = 0;
    std::string variable;
  };

  FunctionCallee marker(StringRef name, ArrayRef<Type *> types) {
    auto *function = cast<Function>(
        module_
            .getOrInsertFunction(
                name, FunctionType::get(Type::getVoidTy(module_.getContext()), types, false))
            .getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setOnlyAccessesInaccessibleMemory();
    return function;
  }

  static void call(IRBuilder<> &builder, FunctionCallee marker, ArrayRef<Value *> arguments) {
    CallInst *made = builder.CreateCall(marker, arguments);
    made->addFnAttr(Attribute::NoMerge); // two sites are not one
  }

  Constant *add(const Description &site, uint32_t counters) {
    const auto number = [&](uint64_t value) -> Constant * { return ConstantInt::get(i32_, value); };
    Constant *nothing = ConstantPointerNull::get(PointerType::get(module_.getContext(), 0));
    Constant *made = table_.constant(
        {table_.frame(site.where), number(uint32_t(site.kind)), number(counters_),
         site.instructions ? site.instructions : nothing, number(site.instruction_count),
         number(site.block), number(site.visit_slot), number(uint32_t(site.access)),
         number(uint32_t(site.space)), number(site.bytes),
         site.variable.empty() ? nothing : table_.text(site.variable), number(patterns_),
         number(site.what)},
        "observed.site");
    counters_ += counters;
    if (site.kind == CountedKind::Access && site.bytes)
      patterns_ += patternsOf(site.bytes);
    sites_.push_back(made);
    return made;
  }

  void mark(BasicBlock &block, const TextureUnit &texture_unit,
            const SmallPtrSetImpl<const BranchInst *> &predicated) {
    const AccessGroups groups = findAccessGroups(block);
    const uint32_t number = uint32_t(sites_.size());
    SmallVector<Instruction *> accesses;
    const bool counted = markBlock(block, groups, texture_unit, accesses);
    for (const AccessGroup &group : groups.groups)
      if (!texture_unit.runs(*group.first))
        markGroup(group);
    for (Instruction *access : accesses)
      markAccess(*access);
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
        markCopy(*memory);
      if (CallInst *fetch = fetchMark(instruction))
        markFetch(*fetch);
    }
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (counted && branch && branch->isConditional() && !isa<Constant>(branch->getCondition()) &&
        !texture_unit.runs(*branch))
      markBranch(*branch, number, predicated.contains(branch));
  }

  // Notes the accesses that are in no group. False if there is nothing to count.
  bool markBlock(BasicBlock &block, const AccessGroups &groups, const TextureUnit &texture_unit,
                 SmallVectorImpl<Instruction *> &accesses) {
    MapVector<std::pair<Constant *, uint32_t>, uint32_t> counts;
    const auto one = [&](const Instruction &instruction, InstructionClass kind,
                         uint32_t count = 1) {
      counts[{table_.frame(lineOf(instruction)), uint32_t(kind)}] += count;
    };
    for (Instruction &instruction : block) {
      if (texture_unit.runs(instruction) && !fetchMark(instruction))
        continue;
      if (const auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
        const uint32_t count = uint32_t(piecesOf(*memory).count);
        one(instruction, InstructionClass::Store, count);
        if (isa<MemTransferInst>(memory))
          one(instruction, InstructionClass::Load, count);
        continue;
      }
      const auto kind = classOf(instruction);
      const bool member = groups.members.contains(&instruction);
      if (kind && !member)
        one(instruction, *kind);
      if (!member && accessOf(instruction, data_).pointer)
        accesses.push_back(&instruction);
    }
    for (const AccessGroup &group : groups.groups)
      if (!texture_unit.runs(*group.first))
        one(*group.first, *classOf(*group.first));
    if (counts.empty())
      return false;
    SmallVector<Constant *> list;
    for (const auto &[what, count] : counts)
      list.push_back(ConstantStruct::getAnon(
          module_.getContext(),
          {what.first, ConstantInt::get(i32_, what.second), ConstantInt::get(i32_, count)}));
    Constant *site = add({.where = block.getFirstNonPHIOrDbg()->getDebugLoc().get(),
                          .kind = CountedKind::Block,
                          .instructions = table_.constant(list, "observed.instructions"),
                          .instruction_count = uint32_t(list.size())},
                         block_counters);
    IRBuilder<> builder(&block, block.getFirstInsertionPt());
    // Variables of the entry stay together.
    while (isa<AllocaInst>(*builder.GetInsertPoint()))
      builder.SetInsertPoint(&block, std::next(builder.GetInsertPoint()));
    call(builder, block_, {site, builder.getInt64(0)});
    return true;
  }

  // Of a line, whatever columns are in it.
  static const DILocation *lineOf(const Instruction &instruction) {
    const DILocation *where = instruction.getDebugLoc().get();
    if (!where)
      return nullptr;
    return DILocation::get(where->getContext(), where->getLine(), 0,
                           where->getScope()->getSubprogram(), where->getInlinedAt());
  }

  void markBranch(BranchInst &branch, uint32_t block, bool predicated) {
    Constant *site = add({.where = branch.getDebugLoc().get(),
                          .kind = CountedKind::Branch,
                          .block = block,
                          .visit_slot = visitSlot(branch),
                          .what = predicated},
                         branch_counters);
    IRBuilder<> builder(&branch);
    call(builder, branch_, {site, branch.getCondition(), builder.getInt64(0)});
  }

  // Gives the marks their keys, which are the same in all threads that execute a mark together.
  void setKeys(Function &function) {
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    std::map<const Loop *, Value *> keys;
    const auto keyOf = [&](const Loop *loop, auto &self) -> Value * {
      if (!loop)
        return ConstantInt::get(Type::getInt64Ty(module_.getContext()), 0);
      const auto [known, fresh] = keys.try_emplace(loop, nullptr);
      return fresh ? known->second = roundOf(*loop, self(loop->getParentLoop(), self))
                   : known->second;
    };
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *mark = dyn_cast<CallInst>(&instruction))
          if (const Value *callee = mark->getCalledOperand();
              callee == block_.getCallee() || callee == branch_.getCallee())
            mark->setArgOperand(mark->arg_size() - 1, keyOf(loops.getLoopFor(&block), keyOf));
  }

  // A number for the round of a loop, and for those of the loops around it, whose key `outer` is.
  static Value *roundOf(const Loop &loop, Value *outer) {
    BasicBlock *header = loop.getHeader();
    IRBuilder<> builder(header, header->begin());
    PHINode *round = builder.CreatePHI(builder.getInt64Ty(), 2, "round");
    builder.SetInsertPoint(header, header->getFirstInsertionPt());
    Value *next = builder.CreateAdd(round, builder.getInt64(1));
    for (BasicBlock *before : predecessors(header))
      round->addIncoming(loop.contains(before) ? next : builder.getInt64(0), before);
    Value *key =
        builder.CreateMul(builder.CreateAdd(outer, next), builder.getInt64(0x9e3779b97f4a7c15));
    return builder.CreateXor(key, builder.CreateLShr(key, 29));
  }

  // Copies of a branch, as by unrolling, are one place in the source.
  uint32_t visitSlot(const BranchInst &branch) {
    const DILocation *where = branch.getDebugLoc().get();
    if (!where || where->getLine() == 0)
      return visit_slots_++;
    const std::tuple place(where->getScope()->getSubprogram(), where->getInlinedAt(),
                           where->getLine(), where->getColumn());
    const auto [known, fresh] = slots_.try_emplace(place, visit_slots_);
    visit_slots_ += fresh;
    return known->second;
  }

  void markGroup(const AccessGroup &group) {
    IRBuilder<> builder(group.first);
    const Access access = accessOf(*group.first, data_);
    Value *pointer = builder.CreateConstGEP1_64(builder.getInt8Ty(), group.base, group.offset);
    mark(*group.first, pointer, group.bytes, access.kind);
  }

  void markCopy(MemIntrinsic &memory) {
    const Pieces pieces = piecesOf(memory);
    const auto side = [&](Value *pointer, AccessKind kind) {
      IRBuilder<> builder(&memory);
      for (uint64_t i = 0; i < pieces.count; ++i) {
        const auto offset = int64_t(i * pieces.bytes);
        Value *piece = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, uint64_t(offset));
        mark(memory, piece, pieces.bytes, kind);
      }
    };
    if (auto *copy = dyn_cast<MemTransferInst>(&memory))
      side(copy->getRawSource(), AccessKind::Load);
    side(memory.getRawDest(), AccessKind::Store);
  }

  void markAccess(Instruction &instruction) {
    const Access access = accessOf(instruction, data_);
    mark(instruction, access.pointer, access.bytes, access.kind);
  }

  // Replaces the device library's mark.
  void markFetch(CallInst &mark) {
    IRBuilder<> builder(&mark);
    if (const auto *what = dyn_cast<ConstantInt>(mark.getArgOperand(1))) {
      const auto kind = texture::Fetch(what->getZExtValue() & 255);
      Constant *site = add({.where = mark.getDebugLoc().get(),
                            .kind = CountedKind::Access,
                            .access = kind == texture::Fetch::SurfaceStore    ? AccessKind::Store
                                      : kind == texture::Fetch::SurfaceUpdate ? AccessKind::Atomic
                                                                              : AccessKind::Load,
                            .space = kind >= texture::Fetch::SurfaceLoad ? AccessSpace::Surface
                                                                         : AccessSpace::Texture,
                            .what = uint32_t(what->getZExtValue())},
                           access_counters);
      SmallVector<Value *> arguments = {site, mark.getArgOperand(0)};
      for (unsigned i = 2; i < mark.arg_size(); ++i)
        arguments.push_back(mark.getArgOperand(i));
      call(builder, fetch_, arguments);
    }
    mark.eraseFromParent();
  }

  void mark(Instruction &instruction, Value *pointer, uint64_t bytes, AccessKind kind) {
    const Object object = objectOf(pointer);
    IRBuilder<> builder(&instruction);
    Value *offset = object.base ? offsetIn(builder, pointer, object.base, data_) : nullptr;
    if (object.base && !offset)
      return; // a choice of several of the thread's own variables
    const uint32_t spaces = object.space == AccessSpace::Generic ? generic_spaces : 1;
    Constant *site = add({.where = instruction.getDebugLoc().get(),
                          .kind = CountedKind::Access,
                          .access = kind,
                          .space = object.space,
                          .bytes = uint32_t(bytes),
                          .what = instruction.isVolatile(),
                          .variable = object.name},
                         spaces * access_counters);
    if (offset)
      call(builder, local_, {site, offset});
    else
      call(builder, access_, {site, builder.CreateAddrSpaceCast(pointer, builder.getPtrTy())});
  }

  Module &module_;
  const DataLayout &data_;
  SiteTable table_;
  Type *pointer_, *i32_;
  FunctionCallee block_, branch_, access_, local_, fetch_;
  const uint32_t events_;
  SmallVector<Constant *> sites_;
  uint32_t counters_ = 0, patterns_ = 0, visit_slots_ = 1; // slot 0: anywhere
  std::map<std::tuple<const DISubprogram *, const DILocation *, unsigned, unsigned>, uint32_t>
      slots_;
};

} // namespace

void markCounts(Module &module, uint32_t events) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (takesContext(function) && !function.isDeclaration())
      functions.push_back(&function);
  Marking marking(module, events);
  for (Function *function : functions)
    marking.run(*function);
  marking.finish();
  removeMarks(module); // those of functions that run no threads
}

} // namespace heddle::engine
