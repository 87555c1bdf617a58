// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The observer behind heddle check.
//
// It compares each access with the memory there is, and keeps what is wrong, once for each site.
// The process writes its findings to a file, after each kernel that had new ones and when it ends,
// so that they survive however the program ends.
#pragma once

#include "check/api_use.h"
#include "check/finding.h"
#include "check/host_accesses.h"
#include "check/init/unwritten.h"
#include "check/launch_places.h"
#include "check/memory_map.h"
#include "check/race/race_checker.h"
#include "check/told_memory.h"
#include "engine/observe/observer.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace heddle::check {

/// A wrong access as it is caught; words are found when findings are written.
struct WrongAccess {
  Kind kind = Kind::OutOfBounds;
  uint64_t bytes = 0;
  int64_t offset = 0;    // from the beginning of the object
  uint64_t address = 0;  // told only where there is no object
  Block object;          // number 0: a variable, or none; `bytes` is its size
  bool in_other = false; // it lies in another allocation than its pointer points to
  std::array<uint32_t, 3> block{}, thread{};
  LaunchPlace launched;
};

class Checker final : public engine::observe::Observer {
public:
  /// What is looked for beside wrong accesses.
  struct Checks {
    bool races;  // and misused barriers
    bool init;   // uninitialised reads
    bool api;    // work that is not waited for
    bool unused; // memory that is never written; only with init
  };

  /// `folder`: where the process's findings go.
  Checker(std::string folder, Checks checks);

  uint32_t events() const override;
  bool wantsOrder() const override { return races_ != nullptr; }
  void issued(const engine::observe::StreamPoint &work,
              const std::vector<engine::observe::StreamPoint> &after) override;
  void hostWaited(const engine::observe::StreamPoint &point) override;
  void workBegin(const engine::observe::StreamPoint &work) override;
  void kernelBegin(const engine::Launch &launch) override;
  void blockBegin(const engine::Launch &launch, const engine::BlockContext &block) override;
  void blocksStuck(const engine::Launch &launch) override;
  void synchronise(const engine::observe::Access &at) override;

  void kernelEnd(const engine::Launch &launch) override;
  uint32_t access(const engine::observe::Access &access) override;
  bool accessRows(const engine::observe::Access &access,
                  const engine::observe::AddressRows &rows) override;
  void allocated(const void *base, size_t bytes, bool of_device) override;
  void sharedByProgram(const OwnMemory &memory) override;
  void partBegin(const void *part, const std::vector<const void *> &after) override;
  void partsJoin() override;
  void written(const void *to, size_t bytes) override;
  void filled(const void *to, size_t bytes) override;
  void copied(const void *to, const void *from, size_t bytes) override;
  void allocationInOrder(const void *base, size_t bytes) override;
  void writtenAnywhere() override;
  void freed(const void *base) override;
  void heapAllocated(const void *base, size_t bytes) override;
  void lent(const void *base, size_t bytes) override;
  void takenBack(const void *base) override;
  void codeLoaded(const void *table) override;
  void heapFreed(const void *base) override;
  void wrongFree(const void *pointer) override;
  void wrongCopy(const void *pointer, size_t bytes) override;
  void callFailed(const char *error, const char *text, int code) override {
    api_.failed(error, text, code);
  }
  bool guardsDevices() const override { return true; }
  void hostAccess(const engine::observe::HostAccess &access) override;
  void tellsHost() override {
    if (races_)
      races_->tellHost();
  }
  void runsBesideHost(const engine::observe::StreamPoint &work) override {
    if (races_)
      races_->tellHost(work);
  }
  std::vector<engine::observe::ClosedPages> closedToHost(size_t most) override;
  void hostTouches(const engine::observe::HostAccess &access) override {
    if (races_)
      races_->hostTouches(access);
  }
  void memoryNoted(engine::observe::MemoryNote what, const void *base, uint64_t value,
                   const char *name) override;
  void askedForError() override { api_.asked(); }

  /// Writes the file; the last time with what has never been freed.
  void write(bool at_end);

private:
  void writeNews();
  void writeFromNowOn();
  struct Key {
    const engine::observe::Site *site;
    const std::string *kernel; // in kernels_
    Kind kind;
    bool operator==(const Key &) const = default;
  };
  struct HashKey {
    size_t operator()(const Key &key) const {
      return std::hash<const void *>()(key.site) * 31 + std::hash<const void *>()(key.kernel) +
             size_t(key.kind);
    }
  };
  struct Caught {
    WrongAccess first;
    uint64_t count = 0;
  };

  bool isInCode(uint64_t address) const;
  struct Span; // of a warp's accesses
  static bool allWithin(const engine::observe::Access &access, const Span &span);
  bool allowsTold(const engine::observe::Access &access, uint64_t address, uint64_t bytes,
                  engine::Extent &extent) const;
  bool isRight(const engine::observe::Access &access, uint32_t lane,
               engine::observe::ExtentSlot &extent) const;
  uint32_t checkEach(const engine::observe::Access &access, engine::observe::ExtentSlot &extent);
  WrongAccess whatIsWrong(const engine::observe::Access &access, uint32_t lane) const;
  void keep(const engine::observe::Access &access, WrongAccess wrong);
  void addUnused(const Block &block, std::vector<Finding> &findings) const;
  void keepCall(Finding finding, const HostPlace &place);

  const std::string folder_;
  const std::unique_ptr<RaceChecker> races_; // or null
  MemoryMap memory_, lent_;
  ToldMemory told_{memory_};
  const std::unique_ptr<Unwritten> unwritten_; // or null
  ApiUse api_;
  LaunchPlaces launches_;
  HostAccesses host_accesses_;
  mutable std::shared_mutex code_mutex_;
  std::set<const void *> code_; // where libraries begin whose constants kernels may read
  mutable std::mutex mutex_;
  std::set<std::string> kernels_; // by name; their programs may be gone before we write
  std::unordered_map<Key, Caught, HashKey> caught_;
  const bool unused_;
  std::vector<Finding> unused_blocks_; // that have been freed
  std::vector<Finding> calls_;         // of the host's
  std::vector<Block> reset_;           // that cudaDeviceReset has freed, not the program
  bool fresh_ = false;                 // since the file was written
  bool ended_ = false;                 // it is complete
  std::atomic<int> writer_{0};         // the process that has a thread which writes
};

} // namespace heddle::check
