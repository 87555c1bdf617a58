// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/python_place.h"

#include "engine/observe/host.h"

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <initializer_list>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::check {
namespace {

constexpr size_t most_places = 4, most_frames = 200;

// CPython's functions, declared as in Python.h but for the types, of which pointers are enough.
struct Python {
  int (*is_initialised)();
  int (*is_finalising)();
  void *(*current_state)(); // of the thread that holds the GIL, if it is this one
  void *(*own_state)();     // this thread's, with the GIL or without
  int (*ensure)();
  void (*release)(int);
  void *(*frame)(); // borrowed
  void *(*code_of)(void *frame);
  int (*line_of)(void *frame);
  void *(*caller_of)(void *frame);
  void *(*attribute)(void *object, const char *name);
  const char *(*text_of)(void *object, ptrdiff_t *length);
  void (*drop)(void *object);
  void (*fetch_error)(void **, void **, void **);
  void (*restore_error)(void *, void *, void *);
  void (*clear_error)();
  int (*disable_collector)(); // null before 3.10, which needs none of it
  int (*enable_collector)();
};

template <class Function> bool find(Function &function, std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (void *found = dlsym(RTLD_DEFAULT, name)) {
      function = reinterpret_cast<Function>(found);
      return true;
    }
  function = nullptr;
  return false;
}

bool findAll(Python &python) {
  find(python.disable_collector, {"PyGC_Disable"});
  find(python.enable_collector, {"PyGC_Enable"});
  return find(python.is_initialised, {"Py_IsInitialized"}) &&
         find(python.is_finalising, {"Py_IsFinalizing", "_Py_IsFinalizing"}) &&
         find(python.current_state,
              {"PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet"}) &&
         find(python.own_state, {"PyGILState_GetThisThreadState"}) &&
         find(python.ensure, {"PyGILState_Ensure"}) &&
         find(python.release, {"PyGILState_Release"}) && find(python.frame, {"PyEval_GetFrame"}) &&
         find(python.code_of, {"PyFrame_GetCode"}) &&
         find(python.line_of, {"PyFrame_GetLineNumber"}) &&
         find(python.caller_of, {"PyFrame_GetBack"}) &&
         find(python.attribute, {"PyObject_GetAttrString"}) &&
         find(python.text_of, {"PyUnicode_AsUTF8AndSize"}) && find(python.drop, {"Py_DecRef"}) &&
         find(python.fetch_error, {"PyErr_Fetch"}) &&
         find(python.restore_error, {"PyErr_Restore"}) && find(python.clear_error, {"PyErr_Clear"});
}

// Null: there is none.
const Python *python = nullptr;

// ---- With the GIL ----

// While one lives, reading frames changes nothing that the program sees: no error of its own is
// lost, and no object's end runs, which might call CUDA while this library holds a lock.
class Undisturbed {
public:
  Undisturbed() {
    python->fetch_error(&type_, &value_, &trace_);
    collects_ =
        python->disable_collector && python->enable_collector && python->disable_collector();
  }
  ~Undisturbed() {
    if (collects_)
      python->enable_collector();
    python->restore_error(type_, value_, trace_);
  }
  Undisturbed(const Undisturbed &) = delete;
  Undisturbed &operator=(const Undisturbed &) = delete;

private:
  void *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
  bool collects_ = false;
};

std::string textOf(void *object, const char *attribute) {
  std::string text;
  void *value = python->attribute(object, attribute);
  ptrdiff_t length = 0;
  if (const char *letters = value ? python->text_of(value, &length) : nullptr)
    text.assign(letters, size_t(length));
  else
    python->clear_error();
  if (value)
    python->drop(value);
  return text;
}

// Code that calls CUDA for others, and what runs programs.
bool isInternal(std::string_view file) {
  constexpr std::string_view packages[] = {
      "torch",         "triton", "numba",    "numba_cuda", "cuda",    "cupy",
      "cupy_backends", "pycuda", "jax",      "jaxlib",     "warp",    "pytest",
      "_pytest",       "pluggy", "tinygrad", "functorch",  "llvmlite"};
  if (file.starts_with("<")) // <frozen runpy>, <string>
    return true;
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const size_t at = file.rfind(folder);
    if (at == std::string_view::npos)
      continue;
    const std::string_view below = file.substr(at + folder.size());
    return std::find(std::begin(packages), std::end(packages),
                     below.substr(0, below.find_first_of("/."))) != std::end(packages);
  }
  return file.find("/lib/python3.") != std::string_view::npos; // …/ctypes/__init__.py
}

std::vector<Place> walk() {
  const Undisturbed scope;
  std::vector<Place> places;
  void *frame = python->frame(), *owned = nullptr;
  for (size_t i = 0; frame && i < most_frames && places.size() < most_places; ++i) {
    void *code = python->code_of(frame);
    Place place;
    place.file = textOf(code, "co_filename");
    if (!place.file.empty() && !isInternal(place.file)) {
      place.function = textOf(code, "co_qualname"); // from 3.11 on
      if (place.function.empty())
        place.function = textOf(code, "co_name");
      place.line = uint32_t(std::max(python->line_of(frame), 0));
      places.push_back(std::move(place));
    }
    python->drop(code);
    frame = python->caller_of(frame);
    if (owned)
      python->drop(owned);
    owned = frame;
  }
  if (owned)
    python->drop(owned);
  return places;
}

// ---- Numbers of places ----

struct Known {
  std::mutex mutex;
  std::map<std::vector<Place>, uint32_t> numbers;
  std::vector<const std::vector<Place> *> places; // in `numbers`
};
Known &known() {
  static auto *one = new Known; // outlives the program's static objects
  return *one;
}

uint32_t numberOf(std::vector<Place> places) {
  if (places.empty())
    return 0;
  std::lock_guard lock(known().mutex);
  const auto [entry, fresh] =
      known().numbers.try_emplace(std::move(places), uint32_t(known().places.size() + 1));
  if (fresh)
    known().places.push_back(&entry->first);
  return entry->second;
}

// ---- Calls ----

thread_local bool in_call = false;
thread_local uint32_t place_of_call = 0;
thread_local uint32_t place_told = 0; // by __heddleNotePython

bool isUsable() { return python && python->is_initialised() && !python->is_finalising(); }

bool holdsLock() {
  void *own = python->own_state();
  return own && own == python->current_state();
}

// Whether to wait for the GIL. PyTorch allocates by the runtime API, under its allocator's lock.
bool mayWait(std::string_view call) {
  return call.find("Launch") != std::string_view::npos ||
         call.find("Memcpy") != std::string_view::npos ||
         call.find("Memset") != std::string_view::npos || call.starts_with("cuMemcpy") ||
         call.starts_with("cuMemset") || call.starts_with("cuMemAlloc") ||
         call.starts_with("cuMemFree");
}

// `wait`: for the GIL, if this thread has given it up.
uint32_t placeNow(bool wait) {
  if (!isUsable() || !python->own_state())
    return 0;
  if (holdsLock())
    return numberOf(walk());
  if (!wait)
    return 0;
  const int state = python->ensure();
  const uint32_t place = numberOf(walk());
  python->release(state);
  return place;
}

class Calls final : public engine::observe::HostObserver {
public:
  void calling(const engine::observe::Call &call) override {
    in_call = true;
    place_of_call = mayWait(call.name) ? placeNow(true) : 0;
  }
  void called(const engine::observe::Call &) override {
    in_call = false;
    place_of_call = 0;
  }
  void done(const engine::observe::Task &) override {}
};

} // namespace

void followPython() {
  static Python functions;
  if (engine::observe::hostObserver() || !findAll(functions))
    return;
  python = &functions;
  engine::observe::host_observer.store(new Calls, std::memory_order_release);
}

uint32_t pythonPlace() {
  if (!python || place_of_call)
    return place_of_call;
  if (const uint32_t now = placeNow(false))
    return now;
  return in_call ? 0 : std::exchange(place_told, 0);
}

std::vector<Place> pythonPlaces(uint32_t number) {
  std::lock_guard lock(known().mutex);
  return *known().places[number - 1];
}

} // namespace heddle::check

/// The calling thread is about to tell of memory (__heddle_nvtx_memory) under a lock, where it must
/// not wait for the GIL: the Python code that does it is found now. For PyTorch's allocator.
extern "C" __attribute__((visibility("default"))) void __heddleNotePython() {
  heddle::check::place_told = heddle::check::placeNow(true);
}
