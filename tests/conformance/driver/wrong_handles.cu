// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Each of the driver's functions, with each of its handles and pointers null, and each handle one
// that has been destroyed, and one of another type: the error that NVIDIA's driver gives, and no
// crash. With `record` it prints recorded/driver_handles.inc. Calls are made in processes of their
// own, as some crash NVIDIA's driver: `record N` makes N in each, `record` one.
#include "handle_calls.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace handles;

extern "C" __global__ void nothing() {}

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
    return wrong == Null || objects.handle(type.handle, "");
  case Kind::Pointer:
  case Kind::Text:
  case Kind::Function:
    return wrong == Null;
  default:
    return false;
  }
}

/// The most harmless come first. The objects must be there.
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
    argument.set(name == "cuGraphDebugDotPrint" ? "/dev/null" : "nothing");
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

Argument wrongArgument(const Function &function, int parameter, Wrong wrong) {
  const Type &type = *function.types[parameter];
  Argument argument = {};
  if (wrong == Foreign)
    argument.set(type.handle == typeid(CUstream) ? (void *)objects.get<CUevent>()
                                                 : (void *)objects.get<CUstream>());
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

/// Makes these calls in this process, and writes their codes to standard output.
int runCases(size_t first, size_t last) {
  const CUcontext context = driver::begin();
  makeObjects();
  const std::vector<Case> cases = makeCases();
  for (size_t i = first; i < std::min(last, cases.size()); ++i) {
    alarm(20);
    const int code = int(makeCall(cases[i]));
    if (write(1, &code, sizeof code) != sizeof code)
      return 1;
    if (i + 1 == last)
      break;
    if (code == 0)
      restore(context);
    if (cuCtxSynchronize() != CUDA_SUCCESS || check::counts().failures)
      break; // the next process goes on
  }
  std::fflush(stderr);
  _exit(0); // what is left may be in any state
}

/// Makes these calls in another process. Appends the codes of those that it came to.
void runInChild(size_t first, size_t last, std::vector<int> &codes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  std::string name = "wrong_handles", from = std::to_string(first), to = std::to_string(last);
  char *arguments[] = {name.data(), from.data(), to.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ))
    std::abort();
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  int code = 0, status = 0;
  const size_t before = codes.size();
  while (read(ends[0], &code, sizeof code) == sizeof code)
    codes.push_back(code);
  close(ends[0]);
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && codes.size() - before < last - first)
    codes.push_back(WTERMSIG(status) == SIGALRM ? hung : crashed);
  else if (codes.size() == before)
    codes.push_back(crashed); // it has ended by itself
}

/// The codes of all cases, made so many in one process.
std::vector<int> runAll(size_t cases, size_t together) {
  std::vector<int> codes(cases);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t first; (first = next.fetch_add(together)) < cases;) {
      const size_t last = std::min(first + together, cases);
      std::vector<int> found;
      while (found.size() < last - first)
        runInChild(first + found.size(), last, found);
      std::copy(found.begin(), found.end(), codes.begin() + first);
    }
  };
  std::vector<std::thread> threads(std::max(2u, std::thread::hardware_concurrency()));
  for (std::thread &thread : threads)
    thread = std::thread(work);
  for (std::thread &thread : threads)
    thread.join();
  return codes;
}

// ---- Results ------------------------------------------------------------------------------------

void compare(const Case &which, int code) {
  const Recorded *known = nullptr;
  for (const Recorded &one : recorded)
    if (std::string(one.function) == which.function->name && one.parameter == which.parameter &&
        std::string(one.wrong) == wrong_names[which.wrong])
      known = &one;
  bool good = code >= 0;
  if (known && known->code >= 0)
    good = code == known->code || code == CUDA_ERROR_NOT_SUPPORTED;
  else if (!known) // null is a stream, and a pointer that need not be there
    good = code > 0 ||
           (code == 0 && (which.wrong == Null || !isHandle(*which.function, which.parameter)));
  if (check::failed(good, __FILE__, __LINE__, which.function->name))
    std::fprintf(stderr, ": parameter %d %s gives %d, expected %d\n", which.parameter,
                 wrong_names[which.wrong], code, known ? known->code : -1);
}

void print(const Case &which, int code) {
  std::printf("{\"%s\", %d, \"%s\", %d},\n", which.function->name, which.parameter,
              wrong_names[which.wrong], code);
}

} // namespace

int main(int count, char **arguments) {
  const bool record = count >= 2 && std::string(arguments[1]) == "record";
  if (count == 3 && !record)
    return runCases(std::stoul(arguments[1]), std::stoul(arguments[2]));
  const size_t together = count == 3 ? std::stoul(arguments[2]) : record ? 1 : 48;
  driver::begin();
  makeObjects();
  const std::vector<Case> cases = makeCases();
  const std::vector<int> codes = runAll(cases.size(), together);
  for (size_t i = 0; i < cases.size(); ++i)
    record ? print(cases[i], codes[i]) : compare(cases[i], codes[i]);
  RETURN_RESULT();
}
