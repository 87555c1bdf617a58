// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddle check has found: as the program's process writes it and the command reads it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace heddle::check {

/// Kinds of findings, worst first; `docs/checks.md` has a section for each.
enum class Kind {
  UseAfterFree,
  OutOfBounds,
  SharedOutOfBounds,
  LocalOutOfBounds,
  NullPointer,
  HostPointer,
  DevicePointer,
  WildPointer,
  Misaligned,
  Forbidden,
  Uninitialised,
  WrongFree,
  WrongCopy,
  Race,
  AtomicScope,
  DifferentBarriers,
  BarrierNotReached,
  MaskNamesAbsent,
  MaskLacksCaller,
  InactiveSource,
  SameValueRace,
  FailedLaunch,
  FailedCall,
  NeverAwaited,
  Leak,
  UnusedMemory,
};
/// Which check finds it: what --only names.
enum class Group { Memory, Init, Race, Sync, Api, Leak, Unused };
Group groupOf(Kind kind);
const char *nameOf(Group group);
inline constexpr int kind_count = int(Kind::UnusedMemory) + 1;

/// "use-after-free": in JSON and in docs/checks.md.
const char *nameOf(Kind kind);
/// "use after free": for people.
const char *titleOf(Kind kind);
/// What to do about it, in a sentence.
const char *remedyFor(Kind kind);

/// A place in the source, with the calls that it was inlined at behind it.
struct Place {
  std::string function, file;
  uint32_t line = 0, column = 0;
  bool operator<(const Place &other) const;
  bool operator==(const Place &other) const = default;
};

struct Finding {
  Kind kind = Kind::OutOfBounds;
  std::string what;   // a sentence: who did what
  std::string object; // a sentence about the memory; or empty
  std::string freed;  // likewise about its end; or empty
  std::string kernel; // empty: the host's call
  std::vector<Place> places;
  std::array<uint32_t, 3> block{}, thread{}; // the first that did
  struct Other { // the other thread, if two are at odds; its kernel is empty if not
    std::string what, kernel;
    std::vector<Place> places;
    std::array<uint32_t, 3> block{}, thread{};
    std::vector<Place> launched;
    bool copy = false;
    bool any_of_warp = false; // which thread of its warp it was is not known
    bool any_place = false;   // it may have been elsewhere in its kernel
  } other;
  bool copy = false;           // no kernel, but a copy or fill, of which `kernel` is the call
  std::vector<Place> launched; // the host's calls down from which its kernel was launched
  std::string launcher;        // or the kernel that has launched it, whose launch that is
  std::string why;             // a sentence; or empty
  uint64_t count = 1;          // how many threads did, or calls
  uint64_t bytes = 0;          // of the access
  std::string access;          // "read", "write", "atomic" or empty
  std::string variable;        // that is accessed, if it is known
};

/// Worst first, then by place; what differs in nothing but threads becomes one.
void sortAndMerge(std::vector<Finding> &findings);

nlohmann::json toJson(const Finding &finding);
/// Throws std::exception if it is none.
Finding fromJson(const nlohmann::json &json);

} // namespace heddle::check
