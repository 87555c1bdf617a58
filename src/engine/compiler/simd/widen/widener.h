// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one widening, shared by its files: widen.cpp (blocks, arithmetic), widen_memory.cpp
// (loads, stores), widen_atomics.cpp, widen_strided.cpp (small strides), widen_interleaved.cpp
// (interleaved groups), widen_packs.cpp (vectors of a thread), widen_first.cpp (known lanes),
// piecewise_access.cpp (borders), widen_columns.cpp (columns of matrices), widen_gather.cpp (32-bit
// indices), widen_table.cpp (small tables), widen_rows.cpp (tiled affine values), widen_calls.cpp
// (functions, lane by lane), widen_warp.cpp (shuffles, votes), widen_prefetch.cpp, lane_rmw.cpp
// (`++a[i]`), strided_rmw.cpp (`a[2 * i + 1] += a[2 * i]`), widen_sweep.cpp (the loop over gangs).
// Internal to widen.h.
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

/// Metadata of a scalar access that stays valid for the vector access.
inline constexpr unsigned kept_of_access[] = {
    llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
    llvm::LLVMContext::MD_nontemporal};

/// If the mask is a constant of the first n lanes, n.
std::optional<unsigned> firstLanesOf(const llvm::Value &mask);

/// The active lanes, if the mask is a constant.
std::optional<llvm::SmallVector<unsigned>> lanesOf(const llvm::Value &mask);

class Widener {
public:
  Widener(llvm::Function &thread, const WidenOptions &options, std::vector<Remark> *remarks);
  llvm::Function *run();
  void abandon(); // erases the code of a widening that threw

private:
  // ---- widen_sweep.cpp: the function around the code ----
  void startFunction();
  llvm::Value *firstThreadIndex(unsigned axis);
  void startSweep();
  void startStrip();
  void startRows();
  struct RowLoop { // over the rows of a block and their gangs
    llvm::BasicBlock *row = nullptr, *loop = nullptr, *next_row = nullptr, *swept = nullptr;
    llvm::Value *stride = nullptr, *length = nullptr; // bytes to the next gang; gangs of a row
    llvm::PHINode *gang = nullptr, *left = nullptr;   // of a row: the first gang; gangs left
  };
  RowLoop startRowLoop();
  llvm::Value *gangsOfRow();
  void startRow(RowLoop &rows);
  void endRowLoop(const RowLoop &rows);
  llvm::Value *blockField(uint64_t offset);
  void endGang();    // replaces a return
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
  llvm::Value *addressRows(llvm::Value *address, llvm::Value *bytes);
  llvm::AllocaInst *observedPlace(unsigned number, llvm::Type *type);
  llvm::Value *within(llvm::CallBase &old);

  // ---- widen_counts.cpp ----
  llvm::Value *blockCounts(uint64_t offset);
  void addTo(llvm::Value *counters, uint64_t counter, llvm::Value *more);
  void count(llvm::CallBase &old, llvm::StringRef marker);
  void countBlock(llvm::Value *site);
  void countBranch(llvm::Value *site, llvm::Value *condition);
  void countAccess(llvm::Value *site, llvm::Value *address);
  void countVisit(llvm::Value *site, llvm::CallBase &old);
  void countFetch(llvm::Value *site, llvm::CallBase &old);
  uint64_t ofAllSites(unsigned field) const;
  bool toldOneByOne(llvm::Value *site) const;
  void countPattern(llvm::Value *site, llvm::Value *first, int64_t stride, llvm::Value *step,
                    unsigned row, llvm::Value *in_shared);
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
  llvm::Value *reduceBounds(llvm::Value *condition, bool any, bool frozen);
  bool growsAsPromised(const llvm::Value &number, unsigned depth = 4) const;
  llvm::Value *reduceBound(llvm::ICmpInst &compare, bool any, bool frozen);

  // ---- widen_prefetch.cpp ----
  void gatherPrefetched(const llvm::BasicBlock &block);
  bool isPrefetched(llvm::Value *pointer);
  void prefetchAhead(llvm::Instruction &access, const Rows &pointers);
  enum class CacheLevel { Second = 2, First = 3 }; // the encoding of llvm.prefetch
  enum class WhichLines { All, ButFirst, EverySecond };
  void prefetch(const Rows &pointers, unsigned bytes, CacheLevel level, WhichLines which);
  void prefetchNext(llvm::Value *old_pointer, int64_t size);

  // ---- masks ----
  bool allActive() const { return !mask_; }
  /// Whether emitting code for each active lane is no more than vector code: all are active, or
  /// they are known and few.
  bool isLaneByLane() const { return allActive() || areFew(); }
  unsigned lanesHere() const { return first_ ? first_ : lanes_; } // at most
  llvm::SmallVector<unsigned> numbersHere() const;                // of these, or of few_
  llvm::IntegerType *bitsType() { return b_.getIntNTy(std::max(32u, lanes_)); }
  llvm::Value *bitsOf(llvm::Value *mask);  // vector of i1 to an integer with a bit for each lane
  llvm::Value *laneBits();                 // the active lanes
  llvm::Value *laneMask();                 // the same as a vector of i1
  llvm::Value *allLanes();                 // all lanes of the gang
  llvm::Value *firstOf(llvm::Value *bits); // the first lane's number, as an i32
  llvm::Value *firstLane();                // the first active lane's number
  llvm::Value *linearIndex();              // of the gang's first thread in the block
  llvm::Value *allHere();                  // i1: all lanes of the gang are active
  llvm::Value *onlyHere(llvm::Value *condition);
  llvm::Value *context() const { return gang_; }
  llvm::Value *contextField(llvm::Type *type, uint64_t offset);
  llvm::AllocaInst *temporary(llvm::Type *type, const llvm::Twine &name);
  /// Runs `yes` if the condition holds, otherwise `no`; returns a phi of their results.
  llvm::Value *either(llvm::Value *condition, const std::function<llvm::Value *()> &yes,
                      const std::function<llvm::Value *()> &no);

  // ---- widen_lanes.cpp ----
  /// The elements of a vector one by one; through memory if there are many: a load takes less time
  /// than an extraction, and addresses of stores must be known early, or the CPU speculates in vain
  /// on later loads.
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
  /// A lane's value of a value in the thread's code; `lane` may be a constant.
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
  /// gep(base, index) with a varying index, possibly extended.
  struct IndexedAddress {
    llvm::GetElementPtrInst *gep = nullptr;
    llvm::Value *index = nullptr;        // the GEP's operand
    llvm::Value *narrow = nullptr;       // before its extension
    llvm::CastInst *extension = nullptr; // or null
  };
  std::optional<IndexedAddress> indexedAddress(llvm::Value *pointer) const;
  /// The address of each lane, or of the active ones if they are known; inactive lanes get an
  /// address that is safe to read, that of an active lane. Computed from the index where that is
  /// cheaper than from 64-bit addresses.
  class LaneAddresses {
  public:
    /// `stores`: for a store, whose address the CPU should know early (LaneElements).
    LaneAddresses(Widener &widener, llvm::Value *old_pointer, bool stores);
    llvm::Value *at(unsigned lane);

  private:
    Widener &widener_;
    llvm::Value *pointer_;
    const Shape shape_;
    std::optional<IndexedAddress> indexed_;
    std::optional<LaneElements> elements_;
  };
  /// A lane's value of a pointer in the thread's code; `lane` is a constant if all are active.
  class LaneAddress : public LaneValue {
  public:
    LaneAddress(Widener &widener, llvm::Value *old);
    llvm::Value *at(llvm::Value *lane);

  private:
    std::optional<LaneAddresses> all_lanes_;
  };
  /// Calls body(lane) in ascending order for the active lanes: unrolled if all are active,
  /// otherwise in a loop. Collects the results in a vector if `result` is given.
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
    llvm::Value *known = nullptr; // i1: lane l of a row has the row's pointer + l elements
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
  bool isPlain(llvm::Type *type) const; // same bits in memory and in a vector
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

  // ---- widen_first.cpp: known lanes ----
  unsigned fewLanes() const { return std::max(8u, lanes_ / 16); } // such as one of each row
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
  static unsigned packSize(const llvm::Type *type); // 1 for scalars
  llvm::Value *forMembers(llvm::Value *vector, unsigned members);
  llvm::Value *splatOfMembers(llvm::ShuffleVectorInst &splat);
  llvm::Value *memberOf(llvm::Value *vector, unsigned number, unsigned members);
  llvm::Value *repeatedPack(llvm::Value *pack);
  std::optional<Rows> packsAt(llvm::Value *old_pointer, llvm::Type *type);
  llvm::Value *loadPack(llvm::LoadInst &load);
  void storePack(llvm::StoreInst &store);
  llvm::SmallVector<llvm::Value *> memberAddresses(llvm::Value *old_pointer, llvm::Type *type);

  // ---- piecewise_access.cpp ----
  struct Side { // a choice: lanes of `mask` (null: all) have first + lane * stride
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
  llvm::Value *loadOneElement(llvm::LoadInst &load, llvm::Value *pointer, llvm::Value *any_lane);
  llvm::Value *loadChosen(llvm::LoadInst &load);

  // ---- widen_columns.cpp ----
  struct Plane { // an i64 or pointer with the stride `along` in rows, `down` in columns
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
  static bool hasOtherUsers(const Update &update); // other users of intermediate values
  void widenUpdate(const Update &update);
  void updateEachLane(const Update &update);

  // ---- strided_rmw.cpp ----
  struct InLines { // elements with stride `step`, in vectors that are whole lines
    unsigned step = 0;
    unsigned length = 0; // of the vectors, in elements
    unsigned lanes = 0;
    bool in_shared = false;
    int64_t first = 0; // start of the first line, in elements from the first load's address
    llvm::SmallVector<std::pair<const llvm::Value *, unsigned>> slots; // pointers, positions
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
    const llvm::Value *base = nullptr; // `offset` bytes before the line
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
  llvm::Value *resolveInRuntime(llvm::CallBase &call, const WarpForm &form);

  llvm::Function &old_;
  llvm::Function *new_ = nullptr;
  llvm::Value *gang_ = nullptr;         // its GangContext
  llvm::Value *thread_index_[3] = {};   // of its first lane
  llvm::Value *block_ = nullptr;        // its BlockContext, where several gangs share it
  llvm::Value *block_index_ = nullptr;  // blockIdx.x if it changes between gangs …
  llvm::Value *fused_blocks_ = nullptr; // … in steps of this
  llvm::Value *ahead_blocks_ = nullptr; // BlockContext::ahead_blocks
  llvm::Value *state_ = nullptr, *active_bits_ = nullptr;
  llvm::BasicBlock *first_block_ = nullptr, *next_gang_ = nullptr, *swept_ = nullptr; // of a sweep
  llvm::AllocaInst *outcome_ = nullptr;
  llvm::Value *outcomes_differ_ = nullptr, *has_ended_ = nullptr; // i1
  llvm::Value *keep_outcome_ = nullptr;                           // a store
  llvm::Value *single_row_ = nullptr;                             // i1, created on demand
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
  llvm::AllocaInst *observed_places_[5] = {};
  llvm::DenseMap<llvm::Value *, llvm::Value *> row_steps_;      // see stepOf
  llvm::DenseSet<const llvm::Value *> not_negative_;            // phis of loops
  llvm::DenseMap<llvm::Value *, llvm::Instruction *> rows_end_; // the last of their definitions
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> heads_, tails_;
  std::vector<AddressSum> prefetched_; // addresses prefetched on the paths here
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<AddressSum>> prefetched_at_; // at block ends
  std::vector<AccessGroup> groups_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> group_of_, scattered_group_of_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> group_values_; // loaded already
  std::vector<LineChange> changes_;                                       // pending
  llvm::Value *mask_ = nullptr;     // of the current block; null: all lanes
  unsigned first_ = 0;              // n if the mask is constant and of the first n lanes; or 0
  llvm::SmallVector<unsigned> few_; // the active lanes, if constant and few
  llvm::Value *bits_ = nullptr, *all_here_ = nullptr;
};

} // namespace heddle::engine::simd
