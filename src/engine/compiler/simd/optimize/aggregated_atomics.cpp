// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/aggregated_atomics.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/parameter_accesses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <optional>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// `queue[atomicAdd(count, 1)] = item` in one block; several queues may share one count.
struct Site {
  struct Item {
    StoreInst *store = nullptr;
    unsigned queue = 0;    // number of a parameter
    bool is_signed = true; // how the position is extended to an index
  };
  AtomicRMWInst *add = nullptr;
  unsigned count = 0; // number of a parameter
  SmallVector<Item, 2> items;
};

// Part of the key that sites with common buffers share: a queue's parameter, element type and index
// extension.
struct Queue {
  unsigned parameter;
  Type *type;
  bool is_signed;
  bool operator<(const Queue &other) const {
    return std::tie(parameter, type, is_signed) <
           std::tie(other.parameter, other.type, other.is_signed);
  }
};
struct Key {
  Queue count;
  SmallVector<Queue, 2> queues;
  bool operator<(const Key &other) const {
    return std::tie(count, queues) < std::tie(other.count, other.queues);
  }
};

struct Room { // for the items of the sites with one key
  Key key;
  AllocaInst *kept;                     // number of items
  SmallVector<AllocaInst *, 2> buffers; // one for each queue
  Function *flush;
};

class AppendKeeper {
public:
  explicit AppendKeeper(Function &sweep)
      : sweep_(sweep), accesses_(sweep), b_(sweep.getContext()) {}

  Appends run() {
    findSites();
    if (sites_.empty())
      return {};
    const auto accessed = accesses_.accessed([&](const Instruction &i) { return isOfSite(i); });
    if (!accessed)
      return {};
    std::map<Key, std::vector<Site>> by_key;
    for (const Site &site : sites_)
      by_key[keyOf(site)].push_back(site);
    Appends result = {.appended = 0, .accessed = *accessed};
    for (const auto &[key, sites] : by_key) {
      uint64_t own = bit(key.count.parameter);
      for (const Queue &queue : key.queues) {
        if (own & bit(queue.parameter))
          return {};
        own |= bit(queue.parameter);
      }
      if (own & (result.appended | *accessed))
        return {};
      result.appended |= own;
    }
    for (const auto &[key, sites] : by_key)
      keep(key, sites);
    return result;
  }

private:
  static uint64_t bit(unsigned parameter) { return uint64_t(1) << parameter; }

  // ---- Finding appends ----

  // Finds the stores to the position that the addition returned; false if it has other uses.
  bool addItems(Value &place, bool is_signed, Site &site) const {
    for (User *user : place.users()) {
      if (isa<SExtInst, ZExtInst>(user)) {
        if (!user->getType()->isIntegerTy(64) || !addItems(*user, isa<SExtInst>(user), site))
          return false;
        continue;
      }
      auto *address = dyn_cast<GetElementPtrInst>(user);
      if (!address || address->getNumIndices() != 1 || address->getOperand(1) != &place)
        return false;
      const auto queue = accesses_.parameterOf(*address->getPointerOperand());
      if (!queue)
        return false;
      for (User *access : address->users()) {
        auto *store = dyn_cast<StoreInst>(access);
        if (!store || store->getPointerOperand() != address || !store->isSimple() ||
            store->getParent() != site.add->getParent() ||
            store->getValueOperand()->getType() != address->getSourceElementType())
          return false;
        site.items.push_back({store, *queue, is_signed});
      }
    }
    return true;
  }

  std::optional<Site> siteAt(AtomicRMWInst &add) const {
    const auto count = accesses_.parameterOf(*add.getPointerOperand());
    if (!count || add.getOperation() != AtomicRMWInst::Add ||
        !match(add.getValOperand(), m_One()) || add.isVolatile() ||
        add.getOrdering() != AtomicOrdering::Monotonic)
      return std::nullopt;
    Site site{.add = &add, .count = *count};
    if (!addItems(add, true, site) || site.items.empty())
      return std::nullopt;
    return site;
  }

  void findSites() {
    for (Instruction &instruction : instructions(sweep_))
      if (auto *add = dyn_cast<AtomicRMWInst>(&instruction))
        if (auto site = siteAt(*add))
          sites_.push_back(*site);
  }

  Key keyOf(const Site &site) const {
    Key key;
    key.count = {site.count, site.add->getType(), false};
    for (const Site::Item &item : site.items)
      key.queues.push_back({item.queue, item.store->getValueOperand()->getType(), item.is_signed});
    return key;
  }

  bool isOfSite(const Instruction &instruction) const {
    return any_of(sites_, [&](const Site &site) {
      return &instruction == site.add ||
             any_of(site.items, [&](const Site::Item &item) { return item.store == &instruction; });
    });
  }

  // ---- Rewriting ----

  Value *indexOf(Value &place, bool is_signed) {
    return is_signed ? b_.CreateSExtOrTrunc(&place, b_.getInt64Ty())
                     : b_.CreateZExtOrTrunc(&place, b_.getInt64Ty());
  }

  // void (count, kept, queue, buffer, …)
  Function *makeFlush(const Key &key) {
    LLVMContext &context = sweep_.getContext();
    Type *pointer = b_.getPtrTy(), *i32 = b_.getInt32Ty();
    SmallVector<Type *> types = {pointer, i32};
    types.append(2 * key.queues.size(), pointer);
    Function *flush = Function::Create(FunctionType::get(b_.getVoidTy(), types, false),
                                       GlobalValue::InternalLinkage, sweep_.getName() + ".append",
                                       sweep_.getParent());
    flush->addFnAttrs(AttrBuilder(context, sweep_.getAttributes().getFnAttrs()));
    flush->addFnAttr(Attribute::NoInline);
    Value *kept = flush->getArg(1);
    BasicBlock *entry = BasicBlock::Create(context, "entry", flush);
    BasicBlock *loop = BasicBlock::Create(context, "item", flush);
    BasicBlock *end = BasicBlock::Create(context, "end", flush);
    b_.SetCurrentDebugLocation(DebugLoc());
    b_.SetInsertPoint(entry);
    Value *first = b_.CreateAtomicRMW(AtomicRMWInst::Add, flush->getArg(0),
                                      b_.CreateZExt(kept, key.count.type), MaybeAlign(),
                                      AtomicOrdering::Monotonic);
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode *i = b_.CreatePHI(i32, 2, "i");
    Value *place = b_.CreateAdd(first, b_.CreateZExt(i, key.count.type), "place");
    for (unsigned q = 0; q < key.queues.size(); ++q) {
      const Queue &queue = key.queues[q];
      Value *item = b_.CreateLoad(
          queue.type, b_.CreateInBoundsGEP(queue.type, flush->getArg(3 + 2 * q), i), "item");
      b_.CreateStore(item, b_.CreateGEP(queue.type, flush->getArg(2 + 2 * q),
                                        indexOf(*place, queue.is_signed)));
    }
    Value *next = b_.CreateAdd(i, b_.getInt32(1));
    b_.CreateCondBr(b_.CreateICmpEQ(next, kept), end, loop);
    i->addIncoming(b_.getInt32(0), entry);
    i->addIncoming(next, loop);
    b_.SetInsertPoint(end);
    b_.CreateRetVoid();
    return flush;
  }

  Room makeRoom(const Key &key) {
    Room room{.key = key, .flush = makeFlush(key)};
    BasicBlock &entry = sweep_.getEntryBlock();
    b_.SetInsertPoint(&entry, entry.begin());
    room.kept = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "kept");
    for (const Queue &queue : key.queues)
      room.buffers.push_back(
          b_.CreateAlloca(ArrayType::get(queue.type, most_kept_appends), nullptr, "items"));
    b_.SetInsertPoint(entry.getTerminator());
    b_.CreateStore(b_.getInt32(0), room.kept);
    if (!limit_)
      limit_ = loadBlockField(b_, sweep_.getArg(0), b_.getInt32Ty(),
                              offsetof(BlockContext, kept_appends));
    return room;
  }

  Value *parameter(unsigned number) {
    Value *place =
        b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), sweep_.getArg(1), number * sizeof(void *));
    LoadInst *load = b_.CreateLoad(b_.getPtrTy(), place);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(sweep_.getContext(), {}));
    return load;
  }

  void flush(const Room &room, Value &kept) {
    SmallVector<Value *> arguments = {parameter(room.key.count.parameter), &kept};
    for (unsigned q = 0; q < room.buffers.size(); ++q)
      arguments.append({parameter(room.key.queues[q].parameter), room.buffers[q]});
    b_.CreateCall(room.flush, arguments);
  }

  // Adds the items to the buffers; flushes these first if they are full.
  void keepItems(const Site &site, const Room &room) {
    Instruction *last = site.add;
    for (const Site::Item &item : site.items)
      if (last->comesBefore(item.store))
        last = item.store;
    b_.SetInsertPoint(last->getNextNode());
    b_.SetCurrentDebugLocation(site.add->getDebugLoc());
    Value *kept = b_.CreateLoad(b_.getInt32Ty(), room.kept, "kept");
    for (unsigned q = 0; q < room.buffers.size(); ++q)
      b_.CreateStore(site.items[q].store->getValueOperand(),
                     b_.CreateInBoundsGEP(room.key.queues[q].type, room.buffers[q], kept));
    Value *more = b_.CreateAdd(kept, b_.getInt32(1));
    b_.CreateStore(more, room.kept);
    Value *is_full = b_.CreateICmpUGE(more, limit_);
    Instruction *then = SplitBlockAndInsertIfThen(is_full, &*b_.GetInsertPoint(), false);
    b_.SetInsertPoint(then);
    flush(room, *more);
    b_.CreateStore(b_.getInt32(0), room.kept);
    for (const Site::Item &item : site.items)
      erase(*item.store);
    erase(*site.add);
  }

  // Erases the instruction and the operands that only it used.
  static void erase(Instruction &instruction) {
    SmallVector<Value *> operands(instruction.operands());
    for (User *user : make_early_inc_range(instruction.users()))
      erase(*cast<Instruction>(user));
    instruction.eraseFromParent();
    for (Value *operand : operands)
      if (auto *unused = dyn_cast<GetElementPtrInst>(operand); unused && unused->use_empty())
        unused->eraseFromParent();
  }

  void keep(const Key &key, const std::vector<Site> &sites) {
    const Room room = makeRoom(key);
    for (const Site &site : sites)
      keepItems(site, room);
    SmallVector<ReturnInst *> ends;
    for (BasicBlock &block : sweep_)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
        ends.push_back(end);
    for (ReturnInst *end : ends) {
      b_.SetInsertPoint(end);
      b_.SetCurrentDebugLocation(end->getDebugLoc());
      Value *kept = b_.CreateLoad(b_.getInt32Ty(), room.kept, "kept");
      b_.SetInsertPoint(SplitBlockAndInsertIfThen(b_.CreateIsNotNull(kept), end, false));
      flush(room, *kept);
    }
  }

  Function &sweep_;
  const ParameterAccesses accesses_;
  IRBuilder<> b_;
  std::vector<Site> sites_;
  Value *limit_ = nullptr;
};

} // namespace

Appends aggregateAppends(Function &sweep) { return AppendKeeper(sweep).run(); }

} // namespace heddle::engine::simd
