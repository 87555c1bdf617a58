// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile: as the program's process writes it and the command reads it (docs/profile.md, "JSON").
#pragma once

#include "engine/observe/counted_site.h"
#include "engine/observe/samples.h"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace heddle::profile {

inline constexpr int schema_version = 1;

/// A place in the program's source.
struct Place {
  std::string function, file;
  uint32_t line = 0, column = 0; // line 0: not known
  auto operator<=>(const Place &) const = default;
};

struct Instructions {
  Place place;
  engine::observe::InstructionClass kind{};
  uint64_t count = 0; // of each execution of the block
};

struct Block {
  uint64_t warps = 0, threads = 0;
  std::vector<Instructions> instructions;
};

struct Branch {
  Place place;
  uint64_t visits = 0, threads = 0; // by warps, and by their threads
  uint64_t divergent = 0, warps_diverging = 0;
  std::vector<uint64_t> divergent_by_visit; // of all branches of this place
  bool predicated = false;                  // a GPU's code has no branch for it
};

struct Access {
  Place place;
  engine::observe::AccessKind kind{};
  engine::observe::AccessSpace space{};
  uint32_t bytes = 0;
  std::string variable; // or empty
  std::array<uint64_t, engine::observe::access_counters> counters{};
  engine::observe::Sample sample;
  uint64_t of(engine::observe::AccessCounter counter) const { return counters[counter]; }
};

/// Launches by the same Python code.
struct Launcher {
  std::vector<Place> calls; // the innermost first
  uint64_t launches = 0, nanoseconds = 0;
};

/// All launches of a kernel together.
struct Kernel {
  std::string name;
  uint64_t launches = 0;
  uint64_t unfinished = 0;                 // of these, when the program was ended
  std::array<uint32_t, 3> grid{}, block{}; // of the first one
  bool same_shape = true;                  // all are like the first
  uint32_t registers = 0, static_shared = 0, dynamic_shared = 0;
  uint64_t nanoseconds = 0;
  uint32_t warp_size = 32;
  uint64_t call = 0; // the number of the call that asked for the first launch; 0: not known
  uint64_t warps = 0, threads = 0, warps_diverged = 0;
  uint64_t dram_written = 0;       // sectors, if caches were modelled
  bool counted = true;             // false: it ran on the reference engine
  std::vector<Launcher> launchers; // those that take most time first
  std::vector<Block> blocks;
  std::vector<Branch> branches;
  std::vector<Access> accesses;
};

/// A call of the program's, what a stream has done, or what the program says to profilers (NVTX).
struct Event {
  /// "api", "kernel", "copy", "fill", "host"; "range" (pushed and popped), "started_range" (which
  /// any thread may end), "mark".
  std::string kind;
  std::string name;
  uint64_t begin = 0, end = 0, bytes = 0, call = 0; // begin and end: since the program's first call
  uint32_t track = 0; // thread of the host, or stream; of a started range, the thread that began it
  int device = 0;
  bool pageable = false;
  std::string from, to; // of a copy: "pageable", "pinned", "managed", "device"
  std::array<uint32_t, 3> grid{}, block{};
  uint32_t registers = 0, static_shared = 0, dynamic_shared = 0;
  // Of ranges and marks; empty: none, or the default domain.
  std::string domain, category, payload;
  uint32_t color = 0; // alpha, red, green, blue; 0: none
  uint32_t level = 0; // ranges of the same thread and domain around it
  bool isNote() const { return kind == "range" || kind == "started_range" || kind == "mark"; }
  bool ofHost() const { return kind == "api" || isNote(); }
};

/// What the program calls a thread or a stream.
struct TrackName {
  bool stream = false;
  uint32_t track = 0;
  std::string name;
};

/// Pieces of managed memory that move together.
struct Transfers {
  uint64_t count = 0, bytes = 0, least = 0, most = 0;
};

/// Traffic of managed memory, by a model.
struct UnifiedMemory {
  Transfers to_device, to_host;
  uint64_t gpu_faults = 0, cpu_faults = 0; // of 64 KiB each
  bool any() const { return to_device.count || to_host.count || gpu_faults || cpu_faults; }
};

struct Profile {
  std::string gpu;
  uint32_t warp_size = 32;
  bool complete = true; // the program has come to its end
  bool caches = false;  // they were modelled
  std::vector<Kernel> kernels;
  std::vector<Event> events;
  std::vector<TrackName> names;
  UnifiedMemory unified_memory;
  uint64_t events_left_out = 0;
};

nlohmann::json toJson(const Profile &profile);
/// Throws std::exception if it is none.
Profile fromJson(const nlohmann::json &json);

/// "integer", "fp32_add": as in JSON and metrics.
const char *nameOf(engine::observe::InstructionClass kind);
/// "global", "shared", …
const char *nameOf(engine::observe::AccessSpace space);
/// "load", "store", "atomic".
const char *nameOf(engine::observe::AccessKind kind);

} // namespace heddle::profile
