// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/fault.h"

#include "__heddle/texture/descriptor.h"
#include "engine/host_task.h"
#include "engine/observe/host_guard.h"
#include "engine/observe/observer.h"
#include "support/paths.h"
#include "support/process.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>

namespace heddle::engine {
namespace {

struct Recovery {
  jmp_buf place;
  RawFault fault;
  Recovery *outer;
  bool host_task;
};
thread_local Recovery *innermost = nullptr;

constexpr int caught_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
struct sigaction previous_actions[std::size(caught_signals)];

uintptr_t programCounter(const void *context) {
  [[maybe_unused]] auto *machine = &static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return uintptr_t(machine->gregs[REG_RIP]);
#elif defined(__aarch64__)
  return uintptr_t(machine->pc);
#else
  return 0;
#endif
}

// By kill, raise and their kin; not by what an instruction did.
bool isSent(const siginfo_t &info) { return info.si_code <= 0; }

void callOrDefault(const struct sigaction &previous, int signal, siginfo_t *info, void *context) {
  if (previous.sa_handler == SIG_IGN && isSent(*info))
    return;
  if (previous.sa_flags & SA_SIGINFO)
    return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  std::signal(signal, SIG_DFL);
  // Returning runs the faulting instruction again, now with the default action.
  if (isSent(*info))
    raise(signal);
}

// A signal that is not ours goes to the handler that was there before: the host program's own bugs
// must look as they would without us.
void passOn(int signal, siginfo_t *info, void *context) {
  for (size_t i = 0; i < std::size(caught_signals); ++i) {
    if (caught_signals[i] != signal)
      continue;
    return callOrDefault(previous_actions[i], signal, info, context);
  }
}

/// What a texture's or surface's address says that has no memory (texture/descriptor.h), or null.
const char *reasonOf(const void *address) {
  using namespace texture;
  const auto at = [&](unsigned long long base) {
    return reinterpret_cast<uintptr_t>(address) - base < room_for_offsets;
  };
  if (at(texels_freed))
    return "the array of a texture or surface object has been freed";
  if (at(object_destroyed))
    return "a texture or surface object has been destroyed";
  if (at(outside_surface))
    return "outside of a surface (cudaBoundaryModeTrap)";
  return nullptr;
}

/// Where host code of a library may go on behind a wild access.
bool goesOn(int signal, const siginfo_t &info, const void *context) {
  if (signal != SIGSEGV || isSent(info) || info.si_code == SI_KERNEL ||
      (innermost && !innermost->host_task))
    return false;
  return lendMemory(reinterpret_cast<uintptr_t>(info.si_addr), programCounter(context), innermost);
}

bool isWrite(const void *context) {
#if defined(__x86_64__)
  constexpr long write = 2; // Intel SDM, "Page-Fault Exception": the error code's bit
  return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & write;
#else
  (void)context;
  return false;
#endif
}

// ---- Guarded memory (observe/host_guard.h) ----

// Pages that this thread's next instruction may access, and none behind it.
struct Stepped {
  static constexpr int most = 4; // a copy that crosses pages on both sides
  std::array<uintptr_t, most> addresses;
  int count = 0;
};
thread_local Stepped stepped;
struct sigaction previous_trap;

#if defined(__x86_64__)
constexpr long trap_flag = 0x100; // Intel SDM, EFLAGS: SIGTRAP behind each instruction
#endif

void stepBehind([[maybe_unused]] uintptr_t address, [[maybe_unused]] void *context) {
#if defined(__x86_64__)
  if (stepped.count == Stepped::most)
    return;
  stepped.addresses[size_t(stepped.count++)] = address;
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] |= trap_flag;
#endif
}

void onTrap(int signal, siginfo_t *info, void *context) {
  if (stepped.count == 0)
    return callOrDefault(previous_trap, signal, info, context);
#if defined(__x86_64__)
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
#endif
  for (int i = 0; i < stepped.count; ++i)
    observe::closeAfterStep(stepped.addresses[size_t(i)]);
  stepped.count = 0;
}

bool isGuarded(int signal, const siginfo_t &info, void *context) {
  if (signal != SIGSEGV || isSent(info) || info.si_code == SI_KERNEL)
    return false;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  bool step = false;
  if (!observe::openAfterFault(address, programCounter(context), isWrite(context), step))
    return false;
  if (step)
    stepBehind(address, context);
  return true;
}

void onSignal(int signal, siginfo_t *info, void *context) {
  if (isGuarded(signal, *info, context))
    return;
  if (goesOn(signal, *info, context))
    return;
  if (!innermost || isSent(*info))
    return passOn(signal, info, context);
  RawFault fault;
  fault.kind = signal == SIGILL ? FaultKind::IllegalInstruction : FaultKind::IllegalAddress;
  // x86 reports a non-canonical address as a general protection fault, without the address.
  fault.address = info->si_code == SI_KERNEL ? nullptr : info->si_addr;
  if (info->si_code == SI_KERNEL)
    fault.detail = "at an address outside the address space";
  if (const char *reason = reasonOf(fault.address)) {
    fault.address = nullptr;
    fault.detail = reason;
  }
  fault.code = programCounter(context);
  raiseFault(fault);
}

// The faulting stack may be full, so each thread that runs kernels handles signals on another one.
struct SignalStack {
  static constexpr size_t bytes = 64 << 10;
  void *memory = nullptr;
  SignalStack() {
    stack_t existing = {};
    if (sigaltstack(nullptr, &existing) == 0 && !(existing.ss_flags & SS_DISABLE))
      return;
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (!memory)
      return;
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(memory, bytes);
  }
};

struct Words {
  int error;
  const char *name;
  const char *text;
};

Words wordsFor(FaultKind kind) {
  switch (kind) {
  case FaultKind::IllegalAddress:
    return {700, "cudaErrorIllegalAddress", "illegal memory access"};
  case FaultKind::MisalignedAddress:
    return {716, "cudaErrorMisalignedAddress", "misaligned address"};
  case FaultKind::IllegalInstruction:
    return {715, "cudaErrorIllegalInstruction", "illegal instruction"};
  case FaultKind::Assert:
    return {710, "cudaErrorAssert", "device-side assert"};
  case FaultKind::Trap:
    return {719, "cudaErrorLaunchFailure", "trap"};
  case FaultKind::StackOverflow:
    return {700, "cudaErrorIllegalAddress", "stack overflow (cudaLimitStackSize)"};
  case FaultKind::Child:
    break;
  case FaultKind::Deadlock:
    return {702, "cudaErrorLaunchTimeout", "the block can never go on"};
  }
  return {719, "cudaErrorLaunchFailure", "unknown failure"};
}

// "file.cu:12 in scale(float*, int)" for an address in a compiled kernel, or nothing.
std::string sourceLine(uintptr_t code) {
  Dl_info where{};
  if (!code || !dladdr(reinterpret_cast<void *>(code), &where) || !where.dli_fname)
    return {};
  const uintptr_t offset = code - reinterpret_cast<uintptr_t>(where.dli_fbase);
  ProcessResult found =
      runProcess({jitProgram().string(), "locate", where.dli_fname, fmt::format("{:#x}", offset)},
                 Capture::Output);
  if (found.exit_code != 0)
    return {};
  return found.output.substr(0, found.output.find('\n')); // the innermost
}

} // namespace

void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (size_t i = 0; i < std::size(caught_signals); ++i) {
      struct sigaction action = {};
      action.sa_sigaction = onSignal;
      // The handler leaves by longjmp, so the signal must not stay blocked.
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigaction(caught_signals[i], &action, &previous_actions[i]);
    }
    if (!observe::observer)
      return;
    struct sigaction trap = {};
    trap.sa_sigaction = onTrap;
    trap.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTRAP, &trap, &previous_trap);
  });
}

bool handlersAreInstalled() {
  const auto goesTo = [](int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction now = {};
    return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
           now.sa_sigaction == handler;
  };
  return goesTo(SIGSEGV, onSignal) && goesTo(SIGTRAP, onTrap);
}

bool runProtected(void (*body)(void *), void *argument, RawFault &fault, bool host_task) {
  installHandlers();
  static thread_local SignalStack signal_stack;
  Recovery recovery;
  recovery.outer = innermost;
  recovery.host_task = host_task;
  if (_setjmp(recovery.place) == 0) {
    innermost = &recovery;
    try {
      body(argument);
    } catch (...) {
      innermost = recovery.outer;
      throw;
    }
    innermost = recovery.outer;
    return true;
  }
  innermost = recovery.outer;
  fault = recovery.fault;
  return false;
}

void raiseFault(const RawFault &fault) {
  innermost->fault = fault;
  longjmp(innermost->place, 1);
}

namespace {

std::string whatHappened(const RawFault &raw, const Words &words) {
  std::string text = fmt::format("heddle: {} ({})", words.text, words.name);
  if (raw.address || (raw.kind == FaultKind::IllegalAddress && !raw.detail))
    text += fmt::format(" at address {}", fmt::ptr(raw.address));
  if (raw.detail)
    text += fmt::format(": {}", raw.detail);
  return text;
}

} // namespace

Fault describeTaskFault(const RawFault &raw, const char *call) {
  const Words words = wordsFor(raw.kind);
  return {words.error, whatHappened(raw, words) + fmt::format("\n  in a call of {}\n", call)};
}

Fault describeFault(const RawFault &raw, const KernelInfo &kernel, Dim3 block, Dim3 thread) {
  if (raw.kind == FaultKind::Child) {
    const std::unique_ptr<Fault> child(raw.child);
    child->message +=
        fmt::format("  launched by kernel {}, block ({},{},{}), thread ({},{},{})\n",
                    kernel.display_name, block.x, block.y, block.z, thread.x, thread.y, thread.z);
    return {child->error, std::move(child->message)};
  }
  const Words words = wordsFor(raw.kind);
  Fault fault;
  fault.error = words.error;
  if (raw.kind == FaultKind::Assert)
    fault.message =
        fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
                    raw.file, raw.line, raw.function, block.x, block.y, block.z, thread.x, thread.y,
                    thread.z, raw.expression);
  fault.message += whatHappened(raw, words);
  fault.message +=
      fmt::format("\n  in kernel {}, block ({},{},{}), thread ({},{},{})\n", kernel.display_name,
                  block.x, block.y, block.z, thread.x, thread.y, thread.z);
  if (std::string line = sourceLine(raw.code); !line.empty())
    fault.message += fmt::format("  at {}\n", line);
  return fault;
}

} // namespace heddle::engine
