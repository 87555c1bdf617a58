// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/python_place.h"

#include "engine/observe/host.h"
#include "engine/observe/python_frames.h"

#include <map>
#include <mutex>
#include <utility>

namespace heddle::check {
namespace {

using engine::observe::PythonFrame;

struct Known {
  std::mutex mutex;
  std::map<std::vector<PythonFrame>, uint32_t> numbers;
  std::vector<const std::vector<PythonFrame> *> frames; // in `numbers`
};
Known &known() {
  static auto *one = new Known; // outlives the program's static objects
  return *one;
}

uint32_t numberOf(std::vector<PythonFrame> frames) {
  if (frames.empty())
    return 0;
  std::lock_guard lock(known().mutex);
  const auto [entry, fresh] =
      known().numbers.try_emplace(std::move(frames), uint32_t(known().frames.size() + 1));
  if (fresh)
    known().frames.push_back(&entry->first);
  return entry->second;
}

uint32_t placeNow(bool wait) { return numberOf(engine::observe::pythonFrames(wait)); }

bool follows = false; // there is Python

thread_local bool in_call = false;
thread_local uint32_t place_of_call = 0;
thread_local uint32_t place_told = 0; // by __heddleNotePython

class Calls final : public engine::observe::HostObserver {
public:
  void calling(const engine::observe::Call &call) override {
    in_call = true;
    place_of_call = engine::observe::mayWaitForPython(call.name) ? placeNow(true) : 0;
  }
  void called(const engine::observe::Call &) override {
    in_call = false;
    place_of_call = 0;
  }
  void done(const engine::observe::Task &) override {}
};

} // namespace

void followPython() {
  if (engine::observe::hostObserver() || !engine::observe::findPython())
    return;
  follows = true;
  engine::observe::host_observer.store(new Calls, std::memory_order_release);
}

uint32_t pythonPlace() {
  if (!follows || place_of_call)
    return place_of_call;
  if (const uint32_t now = placeNow(false))
    return now;
  return in_call ? 0 : std::exchange(place_told, 0);
}

std::vector<Place> pythonPlaces(uint32_t number) {
  std::lock_guard lock(known().mutex);
  std::vector<Place> places;
  for (const PythonFrame &frame : *known().frames[number - 1])
    places.push_back({frame.function, frame.file, frame.line, 0});
  return places;
}

} // namespace heddle::check

/// The calling thread is about to tell of memory (__heddle_nvtx_memory) under a lock, where it must
/// not wait for the GIL: the Python code that does it is found now. For PyTorch's allocator.
extern "C" __attribute__((visibility("default"))) void __heddleNotePython() {
  heddle::check::place_told = heddle::check::placeNow(true);
}
