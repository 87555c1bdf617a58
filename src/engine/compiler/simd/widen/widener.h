// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one widening, shared by the files that do its parts: widen.cpp (blocks, arithmetic),
// widen_memory.cpp (loads, stores), widen_atomics.cpp, widen_strided.cpp (every n-th element),
// widen_interleaved.cpp (groups of those), widen_packs.cpp (vectors of each thread),
// widen_first.cpp (the first lanes only), piecewise_access.cpp (at borders), widen_columns.cpp
// (down a matrix), widen_gather.cpp (by index), widen_table.cpp (in small tables), widen_rows.cpp
// (values with a scalar a row), widen_calls.cpp (functions, lane by lane), widen_warp.cpp
// (shuffles, votes), widen_prefetch.cpp, lane_rmw.cpp (`++a[i]`), strided_rmw.cpp (`a[2 * i + 1] +=
// a[2 * i]`), widen_sweep.cpp (the loop over gangs). Internal to widen.h.
#pragma once

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/simd/analysis/access/address_sum.h"
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/analysis/access/permuted_access.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/widen/widen.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <map>
#include <optional>

namespace heddle::engine::simd {

/// What is true of a vector's access if it is of its lanes'.
inline constexpr unsigned kept_of_access[] = {
    llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
    llvm::LLVMContext::MD_nontemporal};

/// How many lanes the mask is of, if it is a constant and they are the first ones.
std::optional<unsigned> firstLanesOf(const llvm::Value &mask);

/// The numbers of its lanes, if the mask is a constant.
std::optional<llvm::SmallVector<unsigned>> lanesOf(const llvm::Value &mask);

class Widener {
public:
  Widener(llvm::Function &thread, const WidenOptions &options, std::vector<Remark> *remarks);
  llvm::Function *run();
  void abandon(); // erases what a run that threw has made

private:
  // ---- widen_sweep.cpp: the function around the code ----
  void startFunction();
  llvm::Value *firstThreadIndex(unsigned axis);
  void startSweep();
  void startStrip();
  void startRows();
  struct RowLoop { // over the rows of a block, and the gangs of each
    llvm::BasicBlock *row = nullptr, *loop = nullptr, *next_row = nullptr, *swept = nullptr;
    llvm::Value *stride = nullptr, *length = nullptr; // bytes to the next gang; gangs of a row
    llvm::PHINode *gang = nullptr, *left = nullptr;   // a row's first; how many from there on
  };
  RowLoop startRowLoop();
  llvm::Value *gangsOfRow();
  void startRow(RowLoop &rows);
  void endRowLoop(const RowLoop &rows);
  llvm::Value *blockField(uint64_t offset);
  void endGang();    // in place of a return
  struct StateLoop { // over the gangs
    llvm::BasicBlock *head = nullptr, *next_gang = nullptr, *swept = nullptr;
    llvm::Instruction *outcomes_differ = nullptr, *has_ended = nullptr, *keep_outcome = nullptr;
  };
  void splitByState();
  void joinStates(llvm::ArrayRef<StateLoop> loops);
  void endEarly(const StateLoop &loop);
  llvm::Value *isSingleRow();
  void rotateRows();
  void moveToEntry(llvm::BasicBlock &block);

  // ---- widen.cpp: values ----
  llvm::Value *scalarOf(llvm::Value *value);
  llvm::Value *vectorOf(llvm::Value *value);
  llvm::Value *spreadOut(llvm::Value *scalar, const Shape &shape);
  llvm::Value *growing(llvm::Value *first, int64_t stride, unsigned count);
  llvm::Type *wide(llvm::Type *type) const;
  Shape shape(const llvm::Value *value) const { return shapes_.of(value); }
  void define(llvm::Instruction &old, llvm::Value *value);
  void widenBlock(llvm::BasicBlock &block);
  void widenInstruction(llvm::Instruction &instruction);
  static llvm::Instruction *copyForFirst(const llvm::Instruction &instruction);
  llvm::Value *insertOrFold(llvm::Instruction *copy);
  void keepScalar(llvm::Instruction &instruction);
  void widenTerminator(llvm::Instruction &terminator);
  void completePhis();
  llvm::Value *arithmetic(llvm::Instruction &instruction);
  llvm::Value *address(llvm::GetElementPtrInst &gep);
  llvm::Value *divide(llvm::BinaryOperator &operation);
  llvm::Value *divideAsDoubles(llvm::BinaryOperator &operation, llvm::Value *left,
                               llvm::Value *right);

  // ---- widen_rows.cpp: Shape::Kind::Rows ----
  using Rows = llvm::SmallVector<llvm::Value *, 4>;
  unsigned rowLength() const { return options_.layout.rowLength(); }
  unsigned rowCount() const { return lanes_ / rowLength(); }
  Rows rowsOf(llvm::Value *value);
  llvm::Value *ofLaneInRow(llvm::Value *old, unsigned lane);
  void defineRows(llvm::Instruction &old, Rows rows);
  void keepRows(llvm::Instruction &instruction);
  llvm::Value *stepOf(llvm::Value *value);
  llvm::Value *stepOfResult(llvm::Instruction &instruction);
  llvm::ConstantInt *stepOfPhi(llvm::PHINode &phi);
  bool isNotNegative(const llvm::Value *value) const;
  llvm::Value *stepOfBits(llvm::Instruction &instruction);
  Rows rowsFrom(llvm::Value *first, llvm::Value *step);
  llvm::Value *inRange(llvm::Value *value, llvm::Value *low);
  llvm::Value *observe(llvm::CallBase &old);

  // ---- widen_counts.cpp ----
  llvm::Value *blockCounts(uint64_t offset);
  void addTo(llvm::Value *counters, uint64_t counter, llvm::Value *more);
  void count(llvm::CallBase &old, llvm::StringRef marker);
  void countBlock(llvm::Value *site);
  void countBranch(llvm::Value *site, llvm::Value *condition);
  void countAccess(llvm::Value *site, llvm::Value *address);
  llvm::Value *vectorOfRows(llvm::Value *value);
  llvm::Value *maskOfRows(const Rows &rows);
  llvm::Value *rowOf(llvm::Value *vector, unsigned row);
  llvm::Value *rowIsHere(unsigned row);
  void makeRowPhis(llvm::PHINode &phi);
  void completeRowPhis(llvm::PHINode &phi);
  void loadFromEachRow(llvm::LoadInst &load);
  llvm::Align alignOfNeighbours(llvm::Type *type, llvm::Align align) const;
  llvm::Value *loadVector(llvm::LoadInst &load, llvm::Type *type, llvm::Value *pointer,
                          llvm::Value *mask);
  llvm::Value *maskOfWholeRegister(llvm::Value *mask, llvm::FixedVectorType *type);
  void storeRows(llvm::StoreInst &store, const Rows &pointers, llvm::Value *vector);
  llvm::Value *mayStream(const llvm::StoreInst &store, const Rows &pointers, unsigned length);
  void storeUnderMask(llvm::Value *vector, llvm::Value *pointer, llvm::Align align,
                      llvm::Value *mask);
  llvm::Value *loadNeighbours(llvm::LoadInst &load, const Rows &pointers);
  void storeNeighbours(llvm::StoreInst &store, const Rows &pointers);
  using OrderOfRow = std::function<llvm::Value *(llvm::Value *)>;
  void storeInOrder(llvm::StoreInst &store, const Rows &pointers, llvm::Value *vector,
                    const OrderOfRow &order);
  llvm::Value *reversed(llvm::Value *row);
  Rows lastInRows(llvm::Value *old_pointer, llvm::Type *type);
  llvm::Value *loadBackwards(llvm::LoadInst &load);
  void storeBackwards(llvm::StoreInst &store);

  // ---- mask_reduction.cpp ----
  llvm::Value *reduceMask(llvm::Value *condition, bool any);
  llvm::Value *askBounds(llvm::Value *condition, bool any, bool frozen);
  bool growsAsPromised(const llvm::Value &number, unsigned depth = 4) const;
  llvm::Value *askBound(llvm::ICmpInst &compare, bool any, bool frozen);

  // ---- widen_prefetch.cpp ----
  void gatherAskedFor(const llvm::BasicBlock &block);
  bool isAskedFor(llvm::Value *pointer);
  void prefetchAhead(llvm::Instruction &access, const Rows &pointers);
  enum class CacheLevel { Second = 2, First = 3 }; // as llvm.prefetch counts
  enum class WhichLines { All, ButFirst, EverySecond };
  void prefetch(const Rows &pointers, unsigned bytes, CacheLevel level, WhichLines which);
  void prefetchNext(llvm::Value *old_pointer, int64_t size);

  // ---- masks ----
  bool allActive() const { return !mask_; }
  /// The executing lanes are known and so few, or all, that code for each of them is no more than
  /// for a vector of them.
  bool isLaneByLane() const { return allActive() || areFew(); }
  unsigned lanesHere() const { return first_ ? first_ : lanes_; } // at most
  llvm::SmallVector<unsigned> numbersHere() const;                // of the same, or those of few_
  llvm::IntegerType *bitsType() { return b_.getIntNTy(std::max(32u, lanes_)); }
  llvm::Value *bitsOf(llvm::Value *mask);  // i1 vector to a number with a bit a lane
  llvm::Value *laneBits();                 // the executing lanes
  llvm::Value *laneMask();                 // the same as a vector of i1
  llvm::Value *allLanes();                 // all of the gang
  llvm::Value *firstOf(llvm::Value *bits); // number of the first lane, as an i32
  llvm::Value *firstLane();                // number of the first that executes this
  llvm::Value *linearIndex();              // of the gang's first thread in the block
  llvm::Value *allHere();                  // i1: every lane of the gang executes this
  llvm::Value *onlyHere(llvm::Value *condition);
  llvm::Value *context() const { return gang_; }
  llvm::Value *contextField(llvm::Type *type, uint64_t offset);
  llvm::AllocaInst *temporary(llvm::Type *type, const llvm::Twine &name);
  /// Runs `yes` if the condition holds and `no` otherwise; a phi of what they return.
  llvm::Value *either(llvm::Value *condition, const std::function<llvm::Value *()> &yes,
                      const std::function<llvm::Value *()> &no);

  // ---- widen_lanes.cpp ----
  /// The elements of a vector in turn. From memory where there are many: a CPU has what it loads
  /// earlier than what it takes out of a vector, and must know where it stores to before it loads
  /// what comes after that, or does so for nothing.
  class LaneElements {
  public:
    LaneElements(Widener &widener, llvm::Value *vector, bool in_memory);
    ~LaneElements();
    LaneElements(LaneElements &&other) noexcept;
    LaneElements &operator=(LaneElements &&) = delete;
    llvm::Value *at(unsigned lane);

  private:
    Widener &widener_;
    llvm::Value *vector_;
    llvm::AllocaInst *memory_ = nullptr; // or in registers
  };
  /// A value of the old code as one lane sees it; `lane` may be a constant.
  class LaneValue {
  public:
    LaneValue(Widener &widener, llvm::Value *old);
    llvm::Value *at(llvm::Value *lane);

  private:
    Widener &widener_;
    llvm::Value *old_;
    llvm::Value *spilled_ = nullptr;
    std::optional<LaneElements> elements_;
  };
  /// gep(base, index) with an index that differs between lanes, perhaps behind an extension.
  struct IndexedAddress {
    llvm::GetElementPtrInst *gep = nullptr;
    llvm::Value *index = nullptr;        // as the GEP has it
    llvm::Value *narrow = nullptr;       // before its extension
    llvm::CastInst *extension = nullptr; // or null
  };
  std::optional<IndexedAddress> indexedAddress(llvm::Value *pointer) const;
  /// The address of each lane, or of those that are here if these are known; lanes that do not
  /// execute this get one that is safe to read, that of a lane which does. Computed from the index
  /// where that is cheaper than from 64-bit addresses.
  class LaneAddresses {
  public:
    /// `stores`: something is stored there, so the CPU should know early (LaneElements).
    LaneAddresses(Widener &widener, llvm::Value *old_pointer, bool stores);
    llvm::Value *at(unsigned lane);

  private:
    Widener &widener_;
    llvm::Value *pointer_;
    const Shape shape_;
    std::optional<IndexedAddress> indexed_;
    std::optional<LaneElements> elements_;
  };
  /// A pointer of the old code as one lane sees it; `lane` is a constant where all are here.
  class LaneAddress : public LaneValue {
  public:
    LaneAddress(Widener &widener, llvm::Value *old);
    llvm::Value *at(llvm::Value *lane);

  private:
    std::optional<LaneAddresses> everybody_;
  };
  /// Calls body(lane) in ascending order for the executing lanes: unrolled if all are, otherwise in
  /// a loop. Collects what it returns into a vector, if `result` is given.
  llvm::Value *forEachLane(llvm::Type *result,
                           const std::function<llvm::Value *(llvm::Value *)> &body);

  // ---- widen_memory.cpp ----
  bool isBlockOfGang(const llvm::LoadInst &load) const;
  llvm::Value *load(llvm::LoadInst &load);
  void store(llvm::StoreInst &store);
  llvm::Value *gather(llvm::LoadInst &load);
  llvm::Value *gatherUnlessContiguous(llvm::LoadInst &load);
  void scatterUnlessContiguous(llvm::StoreInst &store);
  struct Neighbours {
    llvm::Value *known = nullptr; // i1: a row's lane l has the row's pointer + l elements
    Rows pointers;
  };
  std::optional<Neighbours> neighboursAt(llvm::Value *old_pointer, llvm::Type *type);
  std::pair<Rows, llvm::Value *> inSteps(llvm::Value *values, llvm::ArrayRef<int64_t> steps_of_row);
  bool fitsNativeGather(llvm::Type *type) const;
  bool hasMaskedAccess(llvm::Type *type) const;
  bool isNeighbours(const Shape &address, llvm::Type *type, bool is_volatile) const;
  bool isBackwards(const Shape &address, llvm::Type *type) const;
  void scatter(llvm::StoreInst &store);
  void storeToOnePlace(llvm::StoreInst &store);
  void checkAlignment(llvm::Value *old_pointer, llvm::Align align);
  void refuseMisaligned(llvm::Value *pointer, llvm::Value *number, llvm::Align align);
  bool isPlain(llvm::Type *type) const; // its bits in memory are its bits in a vector
  uint64_t sizeOf(llvm::Type *type) const { return data_.getTypeStoreSize(type); }
  void remark(const llvm::Instruction &instruction, Remark::Kind kind, const llvm::Twine &what);

  // ---- widen_atomics.cpp ----
  llvm::Value *atomic(llvm::AtomicRMWInst &operation);
  bool addOneByOne(llvm::AtomicRMWInst &operation);
  llvm::Value *atomicOfEachLane(llvm::AtomicRMWInst &operation);
  llvm::Value *exchange(llvm::AtomicCmpXchgInst &operation);
  bool combine(llvm::AtomicRMWInst &operation);
  llvm::Value *addInOrder(llvm::AtomicRMWInst &operation);
  std::pair<llvm::Value *, llvm::Value *> countLanes();
  llvm::Value *shiftedUp(llvm::Value *vector, unsigned distance);
  llvm::Value *change(llvm::AtomicRMWInst &operation, llvm::Value *pointer, llvm::Value *operand);

  // ---- widen_strided.cpp ----
  unsigned smallStep(const Shape &address, llvm::Type *type) const;
  std::optional<unsigned> placeInLine(llvm::Value *old_pointer, llvm::Type *type, unsigned step,
                                      unsigned lanes) const;
  llvm::Value *loadEvery(llvm::LoadInst &load, unsigned step);
  void storeEvery(llvm::StoreInst &store, unsigned step);
  llvm::Value *chosenLanes(llvm::Value *mask, llvm::ArrayRef<int> lanes);

  // ---- widen_first.cpp: where only the first lanes are ----
  unsigned fewLanes() const { return std::max(8u, lanes_ / 16); } // one of each row, say
  void setMask(llvm::Value *mask);
  bool areFew() const { return !few_.empty(); }
  std::optional<unsigned> firstInRow(unsigned row) const;
  bool areFirstInRows() const;
  unsigned mostInRow() const;
  llvm::Value *loadFirst(llvm::LoadInst &load, llvm::Value *pointer, unsigned here, unsigned lanes);
  void storeFirst(llvm::StoreInst &store, llvm::Value *pointer, llvm::Value *vector, unsigned here);

  // ---- widen_interleaved.cpp ----
  void findGroups();
  const AccessGroup *groupOf(const llvm::Instruction &access) const;
  llvm::Value *loadGroup(const AccessGroup &group, llvm::LoadInst &load);
  const AccessGroup *scatteredGroupOf(const llvm::LoadInst &load) const;
  llvm::Value *loadScattered(const AccessGroup &group, llvm::LoadInst &load);
  void storeGroup(const AccessGroup &group, llvm::StoreInst &store);

  // ---- widen_packs.cpp: values that are vectors in the code of a thread (packs.h) ----
  static unsigned packSize(const llvm::Type *type); // 1 of what is no vector
  llvm::Value *forMembers(llvm::Value *vector, unsigned members);
  llvm::Value *splatOfMembers(llvm::ShuffleVectorInst &splat);
  llvm::Value *memberOf(llvm::Value *vector, unsigned number, unsigned members);
  llvm::Value *repeatedPack(llvm::Value *pack);
  std::optional<Rows> packsAt(llvm::Value *old_pointer, llvm::Type *type);
  llvm::Value *loadPack(llvm::LoadInst &load);
  void storePack(llvm::StoreInst &store);
  llvm::SmallVector<llvm::Value *> memberAddresses(llvm::Value *old_pointer, llvm::Type *type);

  // ---- piecewise_access.cpp ----
  struct Side { // of a choice: the lanes of `mask` (null: all) have first + lane * stride
    llvm::Value *first = nullptr; // an i64, or a pointer
    int64_t stride = 0;
    llvm::Value *mask = nullptr;
  };
  using Sides = llvm::SmallVector<Side, 4>;
  using OfOperand = std::function<std::optional<Sides>(llvm::Value &)>;
  llvm::Value *together(llvm::Value *mask, llvm::Value *other);
  std::optional<Sides> sidesOfChoice(llvm::Instruction &choice, const OfOperand &side);
  std::optional<Sides> combinedSides(unsigned opcode, const Sides &left, const Sides &right);
  std::optional<Sides> sidesOf(llvm::Value *old, bool is_signed, unsigned depth);
  std::optional<Sides> sidesOfAddress(llvm::Value *old, unsigned depth);
  llvm::Value *loadOneElement(llvm::LoadInst &load, llvm::Value *pointer, llvm::Value *anyone);
  llvm::Value *loadChosen(llvm::LoadInst &load);

  // ---- widen_columns.cpp ----
  struct Plane { // an i64, or a pointer, that grows by `along` in a row and by `down` in a column
    llvm::Value *first, *along, *down;
  };
  std::optional<Plane> planeOf(llvm::Value *value, unsigned depth);
  std::optional<Plane> planeOfAddress(llvm::GetElementPtrInst &gep, unsigned depth);
  std::optional<Rows> columnsAt(llvm::Value *old_pointer, llvm::Type *type);
  llvm::Value *loadColumns(llvm::LoadInst &load, const Rows &columns);
  void storeColumns(llvm::StoreInst &store, const Rows &columns);

  // ---- widen_gather.cpp ----
  struct IndexVector {
    llvm::Value *base = nullptr, *offsets = nullptr; // a pointer; a vector of i32
    unsigned scale = 1;
  };
  std::optional<IndexVector> indexVector(llvm::Value *old_pointer);
  llvm::Value *narrowIndex(llvm::Value *index, bool low_bits_do);
  llvm::Value *unsignedIndex(llvm::Value *index, uint64_t scale, llvm::APInt &constant);
  unsigned gatherLanes(llvm::Type *type) const;
  llvm::Value *partOf(llvm::Value *vector, unsigned first, unsigned count);
  llvm::Value *gatherByIndex(llvm::LoadInst &load);
  bool scatterByIndex(llvm::StoreInst &store);

  // ---- widen_table.cpp ----
  uint64_t tableSize(llvm::Value *old_pointer, uint64_t element_bytes) const;
  llvm::Value *loadFromTable(llvm::LoadInst &load);
  llvm::Value *lookUp(llvm::LoadInst &load, const IndexVector &where, unsigned registers);

  // ---- widen_patterns.cpp ----
  std::optional<Neighbours> neighboursOf(const Pattern &pattern, uint64_t element_bytes,
                                         llvm::Value *old_pointer);
  llvm::Value *loadPattern(llvm::LoadInst &load);

  // ---- widen_histogram.cpp ----
  bool countsFewKinds(const llvm::AtomicRMWInst &operation) const;
  llvm::Value *addUp(llvm::Value *numbers, unsigned first, unsigned count);
  llvm::Value *countKinds(llvm::Value *numbers, unsigned first, unsigned count);
  llvm::Value *countKinds(llvm::Value *kind);
  bool addToKinds(llvm::AtomicRMWInst &operation);

  // ---- lane_rmw.cpp ----
  using Update = llvm::SmallVector<llvm::Instruction *, 8>; // of an element: a load …, a store
  bool mayStoreLaneByLane(llvm::StoreInst &store, const Update &update) const;
  Update updateBeginningWith(llvm::LoadInst &load) const;
  static bool othersAskFor(const Update &update); // for values in the midst of it
  void widenUpdate(const Update &update);
  void updateEachLane(const Update &update);

  // ---- strided_rmw.cpp ----
  struct InLines { // elements, `step` from lane to lane, in vectors that are whole lines
    unsigned step = 0;
    unsigned length = 0; // of the vectors, in elements
    unsigned lanes = 0;
    bool in_shared = false;
    int64_t first = 0; // where the first line begins, in elements from the first load's
    llvm::SmallVector<std::pair<const llvm::Value *, unsigned>> slots; // pointers', from there on
    bool has(const llvm::Value *pointer) const;
    unsigned slotOf(const llvm::Value *pointer) const;
    unsigned parts() const;
    llvm::SmallVector<unsigned> linesOf(unsigned part) const;
    bool isPlaceOf(unsigned slot, unsigned part, unsigned place) const;
  };
  struct InPlace {
    Update members;
    InLines where;
  };
  struct LineChange { // of a row's elements
    InPlace change;
    llvm::Value *pointer = nullptr;    // to the first line
    const llvm::Value *base = nullptr; // that is so many bytes behind this
    int64_t offset = 0;
  };
  using Lines = std::map<int64_t, llvm::Value *>; // vectors by their offset from a base
  std::optional<InLines> inLines(llvm::LoadInst &load) const;
  InPlace changeInPlace(llvm::LoadInst &load) const;
  void widenInPlace(const InPlace &change);
  void changeNow(const InPlace &change, llvm::Value *pointer);
  void changePart(const LineChange &change, unsigned part, Lines &lines);
  int64_t lineBytes(const LineChange &change) const;
  llvm::EquivalenceClasses<int64_t> linesTogether(llvm::ArrayRef<const LineChange *> changes) const;
  bool mayComeTogether(const LineChange &next) const;
  bool mayStayBehind(const llvm::Instruction &instruction) const;
  void finishChanges();

  // ---- widen_calls.cpp ----
  llvm::Value *call(llvm::CallBase &call);
  llvm::Value *marker(llvm::CallBase &call, llvm::StringRef name);
  llvm::Value *threadIndex(unsigned axis);
  llvm::Value *togetherByMask(llvm::Value *named, llvm::Value *ended);
  llvm::Value *suspend(llvm::CallBase &call);
  llvm::Value *callLanes(llvm::CallBase &call);
  llvm::Value *laneContext(llvm::Value *lane);
  llvm::Value *vectorIntrinsic(llvm::CallBase &call);

  // ---- widen_warp.cpp ----
  llvm::Value *warpOperation(llvm::CallBase &call, llvm::StringRef name);
  llvm::Value *shuffle(llvm::CallBase &call, const WarpForm &form);
  llvm::Value *vote(llvm::CallBase &call, VoteMode mode);
  llvm::Value *askRuntime(llvm::CallBase &call, const WarpForm &form);

  llvm::Function &old_;
  llvm::Function *new_ = nullptr;
  llvm::Value *gang_ = nullptr;         // its GangContext
  llvm::Value *thread_index_[3] = {};   // of its first lane
  llvm::Value *block_ = nullptr;        // its BlockContext, where several gangs share it
  llvm::Value *block_index_ = nullptr;  // blockIdx.x, where that changes from gang to gang …
  llvm::Value *fused_blocks_ = nullptr; // … in steps of this
  llvm::Value *ahead_blocks_ = nullptr; // BlockContext::ahead_blocks
  llvm::Value *state_ = nullptr, *active_bits_ = nullptr;
  llvm::BasicBlock *first_block_ = nullptr, *next_gang_ = nullptr, *swept_ = nullptr; // of a sweep
  llvm::AllocaInst *outcome_ = nullptr;
  llvm::Value *outcomes_differ_ = nullptr, *has_ended_ = nullptr; // i1
  llvm::Value *keep_outcome_ = nullptr;                           // a store
  llvm::Value *single_row_ = nullptr;                             // i1, once it has been asked
  WidenOptions options_;
  std::vector<Remark> *remarks_;
  const llvm::DataLayout &data_;
  unsigned lanes_;
  ShapedCode code_;
  const Shapes &shapes_;
  llvm::IRBuilder<> b_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> scalars_, vectors_;
  llvm::DenseMap<llvm::Type *, llvm::SmallVector<llvm::AllocaInst *>> unused_elements_;
  llvm::DenseMap<llvm::Value *, Rows> rows_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> row_steps_;      // see stepOf
  llvm::DenseSet<const llvm::Value *> not_negative_;            // phis of loops
  llvm::DenseMap<llvm::Value *, llvm::Instruction *> rows_end_; // the last of their definitions
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> heads_, tails_;
  std::vector<AddressSum> asked_; // what loads have asked for ahead on the way here
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<AddressSum>> asked_at_; // the ends of blocks
  std::vector<AccessGroup> groups_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> group_of_, scattered_group_of_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> group_values_; // loaded already
  std::vector<LineChange> changes_;                                       // not yet made
  llvm::Value *mask_ = nullptr; // of the block being widened; null: all lanes
  unsigned first_ = 0;          // so many, if the mask is the constant one of the first lanes; or 0
  llvm::SmallVector<unsigned> few_; // the executing lanes, if they are constant and few
  llvm::Value *bits_ = nullptr, *all_here_ = nullptr;
};

} // namespace heddle::engine::simd
