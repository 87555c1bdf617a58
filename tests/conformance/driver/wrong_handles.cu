// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Each of the driver's functions, with each of its handles and pointers null, and each handle one
// that has been destroyed, and one of another type: the error that NVIDIA's driver gives, and no
// crash. With `record` it prints what is in recorded/driver_handles.inc, as it goes. Calls are made
// in other processes, as some crash NVIDIA's driver.
#include "handle_calls.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace handles;

extern "C" {
__device__ int touched;
__global__ void touch() { touched = 1; }
}

namespace {

enum Wrong { Null, Stale, Foreign };
const char *const wrong_names[] = {"null", "stale", "foreign"};
constexpr int crashed = -1, hung = -2;

struct Recorded {
  const char *function;
  int parameter;
  const char *wrong;
  int code; // or crashed, or hung
};
const std::vector<Recorded> recorded = {
#include "recorded/driver_handles.inc"
};

struct Case {
  const Function *function;
  int parameter;
  Wrong wrong;
};

Objects objects, gone;
alignas(64) char scratch[24][8192]; // what pointers point at, for each parameter

// ---- The cases ----------------------------------------------------------------------------------

/// Whether the parameter names an object.
bool isHandle(const Function &function, int parameter) {
  const Kind kind = function.types[parameter]->kind;
  const Wide role = wideRole(function.name, parameter);
  return kind == Kind::Handle ||
         (kind == Kind::Wide && role != Wide::Address && role != Wide::Number);
}

/// Whether there is such a case. A host address is no wrong one for many functions on memory.
bool applies(const Function &function, int parameter, Wrong wrong) {
  const Type &type = *function.types[parameter];
  switch (type.kind) {
  case Kind::Wide: {
    const Wide role = wideRole(function.name, parameter);
    return role != Wide::Number && (role != Wide::Address || wrong != Foreign);
  }
  case Kind::Handle:
    return wrong == Null || isKnown(type.handle);
  case Kind::Pointer:
  case Kind::Text:
  case Kind::Function:
    return wrong == Null;
  default:
    return false;
  }
}

/// The most harmless come first.
std::vector<Case> makeCases() {
  std::vector<Case> cases;
  for (const Wrong wrong : {Null, Stale, Foreign})
    for (const Function &function : functions())
      for (int parameter = 0; function.types[parameter]; ++parameter)
        if (applies(function, parameter, wrong))
          cases.push_back({&function, parameter, wrong});
  return cases;
}

Argument goodArgument(const Function &function, int parameter) {
  const Type &type = *function.types[parameter];
  const std::string name = function.name;
  const bool launches = name.rfind("cuLaunch", 0) == 0 || name.rfind("cuOccupancy", 0) == 0;
  const Wide role = wideRole(name, parameter);
  Argument argument = {};
  char *memory = scratch[parameter];
  switch (type.kind) {
  case Kind::Handle:
    argument.set(objects.handle(type.handle, name));
    break;
  case Kind::Pointer:
    std::memset(memory, 0, sizeof scratch[parameter]);
    *reinterpret_cast<void **>(memory) = objects.handle(type.handle, name);
    argument.set(memory);
    break;
  case Kind::Text:
    argument.set(name == "cuGraphDebugDotPrint" ? "/dev/null" : "touch");
    break;
  case Kind::Function:
    argument.set(type.function);
    break;
  case Kind::Wide:
    argument.set(role == Wide::Number ? 0 : objects.wide(role));
    break;
  case Kind::Number:
    if (role != Wide::Number)
      argument.bytes[0] = launches ? 1 : type.number;
    break;
  case Kind::Other:
    break;
  }
  return argument;
}

// Made only where it is asked for: it takes long on a GPU.
CUcontext destroyedContext() {
  CUcontext current = nullptr, context = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&current));
  CHECK_DRIVER(cuCtxCreate_v4(&context, nullptr, 0, 0));
  CHECK_DRIVER(cuCtxDestroy(context));
  CHECK_DRIVER(cuCtxSetCurrent(current));
  return context;
}

Argument wrongArgument(const Function &function, int parameter, Wrong wrong) {
  const Type &type = *function.types[parameter];
  Argument argument = {};
  if (wrong == Foreign)
    argument.set(type.handle == typeid(CUstream) ? (void *)objects.get<CUevent>()
                                                 : (void *)objects.get<CUstream>());
  else if (wrong == Stale && type.handle == typeid(CUcontext))
    argument.set(destroyedContext());
  else if (wrong == Stale && type.kind == Kind::Wide)
    argument.set(gone.wide(wideRole(function.name, parameter)));
  else if (wrong == Stale)
    argument.set(gone.handle(type.handle, function.name));
  return argument;
}

CUresult makeCall(const Case &which) {
  std::vector<Argument> arguments(which.function->parameters());
  for (int i = 0; i < int(arguments.size()); ++i)
    arguments[i] = i == which.parameter ? wrongArgument(*which.function, i, which.wrong)
                                        : goodArgument(*which.function, i);
  return which.function->invoke(which.function->function, arguments.data());
}

// ---- Processes ----------------------------------------------------------------------------------

/// All are made before some are destroyed, so that no two share an address.
void makeObjects() {
  objects.make();
  gone.make();
  gone.destroy();
}

/// After a call that succeeded anything may be different.
void restore(CUcontext context) {
  CUgraph captured = nullptr;
  cuStreamEndCapture(objects.get<CUstream>(), &captured);
  CHECK_DRIVER(cuCtxSetCurrent(context));
  makeObjects();
}

/// Makes every `step`th call from `first` on in this process, and writes their codes to standard
/// output, until something is broken.
int runCases(size_t first, size_t step, unsigned seconds) {
  const CUcontext context = driver::begin();
  makeObjects();
  const std::vector<Case> cases = makeCases();
  const long long failures = check::counts().failures; // of this driver: an object is missing
  for (size_t i = first; i < cases.size() && check::counts().failures == failures; i += step) {
    alarm(seconds);
    const int code = int(makeCall(cases[i]));
    if (write(1, &code, sizeof code) != sizeof code)
      break;
    if (i + step >= cases.size())
      break;
    if (code == 0)
      restore(context);
    if (cuCtxSynchronize() != CUDA_SUCCESS)
      break;
  }
  std::fflush(stderr);
  _exit(0); // what is left may be in any state
}

/// Runs this program with the arguments. Gives its codes, and at last how it died if it did in a
/// call, and returns how many they were.
template <class Give>
size_t runInChild(size_t first, size_t step, unsigned seconds, size_t most, Give give) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  std::string words[] = {"wrong_handles", std::to_string(first), std::to_string(step),
                         std::to_string(seconds)};
  char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ))
    std::abort();
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  int code = 0, status = 0;
  size_t given = 0;
  while (read(ends[0], &code, sizeof code) == sizeof code)
    give(first + step * given++, code);
  close(ends[0]);
  waitpid(child, &status, 0);
  if (given < most && (WIFSIGNALED(status) || given == 0))
    give(first + step * given++,
         WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? hung : crashed);
  return given;
}

/// Gives the codes of all cases, in any order. Each thread has a child at a time.
template <class Give> void runAll(size_t cases, unsigned seconds, Give give) {
  const size_t step = std::max(2u, std::thread::hardware_concurrency());
  std::mutex mutex;
  const auto work = [&](size_t first) {
    while (first < cases)
      first += step * runInChild(first, step, seconds, (cases - first + step - 1) / step,
                                 [&](size_t index, int code) {
                                   const std::lock_guard<std::mutex> lock(mutex);
                                   give(index, code);
                                 });
  };
  std::vector<std::thread> threads;
  for (size_t first = 0; first < step; ++first)
    threads.emplace_back(work, first);
  for (std::thread &thread : threads)
    thread.join();
}

// ---- Results ------------------------------------------------------------------------------------

// Where Heddle's answer is another one, and why.
struct Other {
  const char *function;
  int parameter;
};
const Other others[] = {
    {"cuCoredumpSetAttribute", 1},        // of nothing: refused
    {"cuCoredumpSetAttributeGlobal", 1},  //
    {"cuEventElapsedTime", 0},            // events that have not been recorded: found later
    {"cuGetProcAddress", 4},              // a name that is not there
    {"cuGraphGetEdges_v2", 3},            // one of two lists
    {"cuGraphNodeGetDependencies_v2", 1}, //
    {"cuGraphNodeGetDependencies_v2", 2},
    {"cuGraphNodeGetDependentNodes_v2", 1},
    {"cuGraphNodeGetDependentNodes_v2", 2},
    {"cuGraphRemoveDependencies_v2", 1},       // edges that are not there
    {"cuLibraryLoadData", 2},                  // of a text without letters: looked at here at once
    {"cuLibraryLoadData", 3},                  //
    {"cuLibraryLoadData", 5},                  //
    {"cuLibraryLoadData", 6},                  //
    {"cuLinkComplete", 2},                     // of nothing: refused
    {"cuMemPoolImportFromShareableHandle", 1}, // a file descriptor, of which 0 is one
    {"cuStreamEndCapture", 1},                 // of a stream that does not capture: found later
    {"cuStreamUpdateCaptureDependencies_v2", 1},
    {"cuTexRefSetAddress", 2}, // an address that is none: looked at here at once
    {"cuTexRefSetAddress2D", 2}};

/// What is null gives what NVIDIA's driver gives. With what was destroyed or is something else,
/// that looks into foreign memory: then any error is as good.
bool agrees(const Case &which, int code, const Recorded &known) {
  for (const Other &other : others)
    if (std::string(other.function) == which.function->name && other.parameter == which.parameter)
      return code >= 0;
  if (known.code < 0 || code == known.code || code == CUDA_ERROR_NOT_SUPPORTED)
    return code >= 0;
  return code > 0 && which.wrong != Null;
}

void compare(const Case &which, int code) {
  const Recorded *known = nullptr;
  for (const Recorded &one : recorded)
    if (std::string(one.function) == which.function->name && one.parameter == which.parameter &&
        std::string(one.wrong) == wrong_names[which.wrong])
      known = &one;
  // Null is a stream, and a pointer that need not be there.
  const bool may_succeed = which.wrong == Null || !isHandle(*which.function, which.parameter);
  const bool good = known ? agrees(which, code, *known) : code > 0 || (code == 0 && may_succeed);
  if (check::failed(good, __FILE__, __LINE__, which.function->name))
    std::fprintf(stderr, ": parameter %d %s gives %d, expected %d\n", which.parameter,
                 wrong_names[which.wrong], code, known ? known->code : -1);
}

void print(const Case &which, int code) {
  std::printf("{\"%s\", %d, \"%s\", %d},\n", which.function->name, which.parameter,
              wrong_names[which.wrong], code);
  std::fflush(stdout);
}

} // namespace

int main(int count, char **arguments) {
  const bool record = count == 2 && std::string(arguments[1]) == "record";
  if (count == 4)
    return runCases(std::stoul(arguments[1]), std::stoul(arguments[2]),
                    unsigned(std::stoul(arguments[3])));
  const std::vector<Case> cases = makeCases();
  runAll(cases.size(), record ? 4 : 20, [&](size_t index, int code) {
    record ? print(cases[index], code) : compare(cases[index], code);
  });
  if (record)
    return 0;
  RETURN_RESULT();
}
