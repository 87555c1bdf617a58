// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages of pinned and managed memory host code is not to access for now.
//
// Work that the host does not know to be done races with host code that reads what it has written,
// or writes what it has read. So pages that it has written are closed to host code, and those that
// it has read can only be read, until the host knows (engine/observe/host_guard.h). But a program
// that is right must not meet a closed page in a system call, which would fail. It may use the
// bytes of a page that the work has left alone. So a page stays open if the work has left alone so
// many bytes beside each other in it that they may be a buffer of the program's own.
#pragma once

#include "check/race/marks/runs.h"
#include "check/race/marks/shadow.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::check {

/// Not thread-safe.
class HostPages {
public:
  /// Memory that host code and kernels share. `own_pages`: nothing else of the program's lies on
  /// its pages; else only pages that lie in it as a whole count.
  void add(uint64_t base, uint64_t bytes, bool own_pages, std::string name = {});
  void remove(uint64_t base);
  bool any() const { return !ranges_.empty(); }
  struct Range {
    uint64_t begin, end;
    uint64_t first_page, end_page; // addresses
    std::string name;              // of a variable
  };
  /// The memory that the address lies in; null if it is not shared.
  const Range *find(uint64_t address) const { return find(ranges_, address); }
  /// The program's own memory that lies there, or was the last that did.
  const Range *findOwn(uint64_t address) const { return find(own_, address); }
  /// In ascending order; the first `most` of them.
  std::vector<engine::observe::ClosedPages> closed(Shadow &shadow, const Runs &runs, size_t most);

  /// So many bytes beside each other, accessed by no work, keep a page open.
  static constexpr uint64_t least_own = 64;

private:
  enum class Access { All, Read, None };
  static const Range *find(const std::map<uint64_t, Range> &ranges, uint64_t address);
  static Access accessOf(const Shadow &shadow, const Runs &runs, uint64_t begin, uint64_t end);
  void addPages(const Shadow &shadow, const Runs &runs, uint64_t begin, uint64_t end, size_t most);

  std::map<uint64_t, Range> ranges_; // by begin
  std::map<uint64_t, Range> own_;    // likewise: variables and registered memory, also what was
  std::vector<engine::observe::ClosedPages> closed_;
  uint64_t knowledge_ = 0; // StreamOrder's, when closed_ was found
};

} // namespace heddle::check
