// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/python_frames.h"

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace heddle::engine::observe {
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

std::vector<PythonFrame> walk() {
  const Undisturbed scope;
  std::vector<PythonFrame> places;
  void *frame = python->frame(), *owned = nullptr;
  for (size_t i = 0; frame && i < most_frames && places.size() < most_places; ++i) {
    void *code = python->code_of(frame);
    PythonFrame place;
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

bool isUsable() { return python && python->is_initialised() && !python->is_finalising(); }

bool holdsLock() {
  void *own = python->own_state();
  return own && own == python->current_state();
}

} // namespace

bool findPython() {
  static Python functions;
  if (!python && findAll(functions))
    python = &functions;
  return python != nullptr;
}

bool mayWaitForPython(std::string_view call) {
  return call.find("Launch") != std::string_view::npos ||
         call.find("Memcpy") != std::string_view::npos ||
         call.find("Memset") != std::string_view::npos || call.starts_with("cuMemcpy") ||
         call.starts_with("cuMemset") || call.starts_with("cuMemAlloc") ||
         call.starts_with("cuMemFree");
}

std::vector<PythonFrame> pythonFrames(bool wait) {
  if (!isUsable() || !python->own_state())
    return {};
  if (holdsLock())
    return walk();
  if (!wait)
    return {};
  const int state = python->ensure();
  std::vector<PythonFrame> frames = walk();
  python->release(state);
  return frames;
}

} // namespace heddle::engine::observe
