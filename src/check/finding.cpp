// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/finding.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

namespace heddle::check {
namespace {

struct Words {
  const char *name, *title;
  Group group;
  const char *remedy;
};

constexpr Words words[kind_count] = {
    {"use-after-free", "use after free", Group::Memory,
     "Free the memory only when all kernels that use it have ended."},
    {"out-of-bounds", "access out of bounds", Group::Memory,
     "Guard the access with the number of elements, as in if (i < n), or allocate more; "
     "cudaMalloc takes bytes, not elements."},
    {"shared-out-of-bounds", "shared memory access out of bounds", Group::Memory,
     "Compare the index with the array's size; for an extern __shared__ array, give the bytes as "
     "the launch's third argument."},
    {"local-out-of-bounds", "access out of bounds of a thread's own variable", Group::Memory,
     "Compare the index with the array's size."},
    {"null-pointer", "null pointer", Group::Memory,
     "Check what cudaMalloc returned, and that the pointer is set before the launch."},
    {"host-pointer", "host memory accessed by a kernel", Group::Memory,
     "Copy the data to memory from cudaMalloc, or allocate it by cudaMallocManaged or "
     "cudaMallocHost."},
    {"device-pointer", "memory of a device accessed by the host", Group::Memory,
     "Copy the data to the host by cudaMemcpy, or allocate it by cudaMallocManaged; a pointer from "
     "cudaMalloc is for kernels and for calls of CUDA."},
    {"wild-pointer", "pointer to no memory at all", Group::Memory,
     "Check how the pointer is computed; it may never have been set."},
    {"misaligned", "misaligned access", Group::Memory,
     "Access memory at multiples of the type's size; a cast of a pointer does not move it."},
    {"forbidden", "access that the program has forbidden", Group::Memory,
     "The permissions are those of nvtxMemPermissionsAssign: change them before the launch, or "
     "leave "
     "the memory alone."},
    {"uninitialised", "read of memory that was never written", Group::Init,
     "Write it first: by a copy, cudaMemset or a kernel that runs before; and look whether the "
     "writer's bound or index leaves this part out."},
    {"wrong-free", "free of what is not allocated", Group::Memory,
     "Free each pointer that cudaMalloc returned once, and by the function that belongs to it."},
    {"wrong-copy", "copy out of bounds", Group::Memory,
     "The size of a copy is in bytes, and both sides must have as many."},
    {"race", "race", Group::Race,
     "Put what orders the two accesses between them, let each thread have elements of its own, or "
     "make both accesses atomic."},
    {"atomic-scope", "atomic operations of too narrow a scope", Group::Race,
     "Use the variant without _block, or a wider thread_scope: only threads within the scope see "
     "the operation as atomic."},
    {"different-barriers", "threads of a block at different barriers", Group::Sync,
     "Let all threads of the block come to the same __syncthreads(), outside of branches that only "
     "some of them take."},
    {"barrier-not-reached", "a barrier that not all threads reach", Group::Sync,
     "Let all threads of the block reach it: guard the work with the condition, not the barrier, "
     "and do not return before it."},
    {"mask-names-absent", "a mask names a lane that does not come", Group::Sync,
     "Name the lanes that take part: compute the mask by __ballot_sync before the branch, by the "
     "same condition."},
    {"mask-lacks-caller", "a mask leaves out the thread that gives it", Group::Sync,
     "Set the bits of all threads that call; __activemask() and a literal mask are guesses."},
    {"inactive-source", "shuffle from a lane that does not take part", Group::Sync,
     "Let all lanes call that are read from, and their bits be in the mask."},
    {"same-value-race", "race between writes of the same value", Group::Race,
     "Let one thread write it, or write it by an atomic operation; that all write the same is no "
     "guarantee in C++, although GPUs keep one of the values."},
    {"failed-launch", "a launch that failed unnoticed", Group::Api,
     "The kernel has not run. Look at what cudaGetLastError() returns behind each launch."},
    {"failed-call", "a call that failed unnoticed", Group::Api,
     "Look at what each call returns; behind a launch, at what cudaGetLastError() returns."},
    {"never-awaited", "work that is never waited for", Group::Api,
     "Wait for the stream (cudaStreamSynchronize, cudaDeviceSynchronize) before the program ends: "
     "an error of the work, and what it prints, come to the program only then."},
    {"leak", "memory never freed", Group::Leak, "Free it when it is no longer used."},
    {"unused-memory", "memory never written", Group::Unused,
     "Allocate what is used; or look whether the copy, fill or kernel that is to write it does."},
};

const Words &wordsFor(Kind kind) { return words[int(kind)]; }

// What stays the same from thread to thread.
auto identity(const Finding &f) {
  return std::tie(f.kind, f.places, f.kernel, f.access, f.bytes, f.what, f.object, f.freed,
                  f.other.places, f.other.what, f.other.kernel, f.other.block, f.other.thread);
}
auto order(const Finding &f) {
  return std::tie(f.kind, f.places, f.other.places, f.kernel, f.other.kernel, f.access, f.bytes);
}
auto threadOf(const Finding &f) {
  return std::tie(f.block[2], f.block[1], f.block[0], f.thread[2], f.thread[1], f.thread[0]);
}

Kind kindNamed(const std::string &name) {
  for (int i = 0; i < kind_count; ++i)
    if (name == words[i].name)
      return Kind(i);
  throw std::runtime_error("no kind of finding: " + name);
}

} // namespace

const char *nameOf(Kind kind) { return wordsFor(kind).name; }
const char *titleOf(Kind kind) { return wordsFor(kind).title; }
Group groupOf(Kind kind) { return wordsFor(kind).group; }
const char *nameOf(Group group) {
  switch (group) {
  case Group::Memory:
    return "memory";
  case Group::Init:
    return "init";
  case Group::Race:
    return "race";
  case Group::Sync:
    return "sync";
  case Group::Api:
    return "api";
  case Group::Leak:
    return "leak";
  case Group::Unused:
    return "unused";
  }
  return "";
}
const char *remedyFor(Kind kind) { return wordsFor(kind).remedy; }

bool Place::operator<(const Place &other) const {
  return std::tie(file, line, column, function) <
         std::tie(other.file, other.line, other.column, other.function);
}

void sortAndMerge(std::vector<Finding> &findings) {
  std::sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
    if (order(a) < order(b) || order(b) < order(a))
      return order(a) < order(b);
    if (threadOf(a) != threadOf(b))
      return threadOf(a) < threadOf(b);
    return identity(a) < identity(b);
  });
  std::vector<Finding> merged;
  for (Finding &finding : findings) {
    // Of one access, whatever it hit: the first thread speaks for all.
    const bool same = !merged.empty() && !finding.places.empty() &&
                      !(order(merged.back()) < order(finding)) &&
                      (!finding.kernel.empty() || merged.back().what == finding.what);
    if (same)
      merged.back().count += finding.count;
    else
      merged.push_back(std::move(finding));
  }
  findings = std::move(merged);
}

namespace {

nlohmann::json toJson(const std::vector<Place> &places) {
  nlohmann::json json = nlohmann::json::array();
  for (const Place &place : places)
    json.push_back({{"function", place.function},
                    {"file", place.file},
                    {"line", place.line},
                    {"column", place.column}});
  return json;
}

std::vector<Place> placesFrom(const nlohmann::json &json) {
  std::vector<Place> places;
  for (const nlohmann::json &place : json)
    places.push_back(
        {place.at("function"), place.at("file"), place.at("line"), place.at("column")});
  return places;
}

} // namespace

nlohmann::json toJson(const Finding &f) {
  nlohmann::json json = {{"kind", nameOf(f.kind)},   {"check", nameOf(groupOf(f.kind))},
                         {"title", titleOf(f.kind)}, {"what", f.what},
                         {"count", f.count},         {"remedy", remedyFor(f.kind)}};
  if (!f.object.empty())
    json["object"] = f.object;
  if (!f.freed.empty())
    json["freed"] = f.freed;
  if (!f.kernel.empty()) {
    json["kernel"] = f.kernel;
    json["block"] = f.block;
    json["thread"] = f.thread;
    json["access"] = f.access;
    json["bytes"] = f.bytes;
    json["launched"] = toJson(f.launched);
    json["copy"] = f.copy;
    if (!f.launcher.empty())
      json["launcher"] = f.launcher;
  } else {
    if (f.bytes)
      json["bytes"] = f.bytes;
    if (!f.access.empty())
      json["access"] = f.access;
  }
  if (!f.variable.empty())
    json["variable"] = f.variable;
  if (!f.why.empty())
    json["why"] = f.why;
  json["places"] = toJson(f.places);
  if (!f.other.kernel.empty())
    json["other"] = {{"what", f.other.what},
                     {"kernel", f.other.kernel},
                     {"block", f.other.block},
                     {"thread", f.other.thread},
                     {"places", toJson(f.other.places)},
                     {"launched", toJson(f.other.launched)},
                     {"copy", f.other.copy},
                     {"any_of_warp", f.other.any_of_warp},
                     {"any_place", f.other.any_place}};
  return json;
}

Finding fromJson(const nlohmann::json &json) {
  Finding f;
  f.kind = kindNamed(json.at("kind"));
  f.what = json.at("what");
  f.count = json.at("count");
  f.object = json.value("object", "");
  f.freed = json.value("freed", "");
  f.kernel = json.value("kernel", "");
  f.access = json.value("access", "");
  f.variable = json.value("variable", "");
  f.bytes = json.value("bytes", uint64_t(0));
  f.block = json.value("block", f.block);
  f.thread = json.value("thread", f.thread);
  f.why = json.value("why", "");
  f.places = placesFrom(json.at("places"));
  if (const auto other = json.find("other"); other != json.end())
    f.other = {other->at("what"),  other->at("kernel"),      placesFrom(other->at("places")),
               other->at("block"), other->at("thread"),      placesFrom(other->at("launched")),
               other->at("copy"),  other->at("any_of_warp"), other->at("any_place")};
  f.copy = json.value("copy", false);
  if (const auto launched = json.find("launched"); launched != json.end())
    f.launched = placesFrom(*launched);
  f.launcher = json.value("launcher", "");
  return f;
}

} // namespace heddle::check
