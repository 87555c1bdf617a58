// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults of device code end the kernel; all other signals go where they would have gone.
#include "engine/fault.h"
#include "engine/schedule/fiber.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

using namespace heddle::engine;
using heddle::KernelInfo;

namespace {

// ---- The host program's own signal handling, in place before the engine's ---------------------

[[noreturn]] void hostSegvHandler(int, siginfo_t *info, void *) {
  _exit(info->si_addr == reinterpret_cast<void *>(0x1000) ? 42 : 43);
}
[[noreturn]] void hostIllHandler(int) { _exit(44); }

const bool host_handlers = [] {
  struct sigaction action = {};
  action.sa_sigaction = hostSegvHandler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  std::signal(SIGILL, hostIllHandler);
  std::signal(SIGFPE, SIG_DFL);
  std::signal(SIGBUS, SIG_IGN);
  return true;
}();

// ---- Things that go wrong ----------------------------------------------------------------------

void nothing(void *) {}

char *forbiddenPage() {
  static void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<char *>(page);
}

void writeForbidden(void *) { *static_cast<volatile char *>(forbiddenPage() + 16) = 1; }
void readLow(void *) { (void)*reinterpret_cast<volatile char *>(uintptr_t(0x1000)); }
void runIllegal(void *) { __builtin_trap(); }
void raiseAssert(void *) {
  RawFault fault;
  fault.kind = FaultKind::Assert;
  fault.expression = "i < n";
  fault.file = "sum.cu";
  fault.function = "void sum(int*)";
  fault.line = 12;
  raiseFault(fault);
}

RawFault caught(void (*body)(void *), void *argument = nullptr) {
  RawFault fault;
  EXPECT_FALSE(runProtected(body, argument, fault));
  return fault;
}

// ---- Faults that are caught --------------------------------------------------------------------

TEST(RunProtected, RunsTheBody) {
  int value = 1;
  RawFault fault;
  EXPECT_TRUE(runProtected([](void *p) { *static_cast<int *>(p) = 2; }, &value, fault));
  EXPECT_EQ(value, 2);
}

TEST(RunProtected, CatchesAWildPointer) {
  const RawFault fault = caught(writeForbidden);
  EXPECT_EQ(fault.kind, FaultKind::IllegalAddress);
  EXPECT_EQ(fault.address, forbiddenPage() + 16);
  EXPECT_NE(fault.code, 0u);
}

TEST(RunProtected, CatchesAnIllegalInstruction) {
  EXPECT_EQ(caught(runIllegal).kind, FaultKind::IllegalInstruction);
}

#if defined(__x86_64__)
TEST(RunProtected, CatchesAnArithmeticTrap) {
  caught([](void *) {
    uint32_t low = 1, high = 0, zero = 0;
    asm volatile("divl %2" : "+a"(low), "+d"(high) : "r"(zero));
  });
}

TEST(RunProtected, SaysSoIfTheAddressIsNotCanonical) {
  const RawFault fault = caught([](void *) {
    uint64_t wild = uint64_t(0xdead) << 48;
    asm volatile("movb $1, (%0)" : : "r"(wild) : "memory");
  });
  EXPECT_EQ(fault.kind, FaultKind::IllegalAddress);
  EXPECT_EQ(fault.address, nullptr);
  EXPECT_NE(fault.detail, nullptr);
}
#endif

TEST(RunProtected, CatchesWhatIsRaised) {
  const RawFault fault = caught(raiseAssert);
  EXPECT_EQ(fault.kind, FaultKind::Assert);
  EXPECT_EQ(fault.line, 12u);
  EXPECT_STREQ(fault.expression, "i < n");
}

TEST(RunProtected, CanBeUsedAgainAfterAFault) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(caught(writeForbidden).kind, FaultKind::IllegalAddress);
    EXPECT_EQ(caught(runIllegal).kind, FaultKind::IllegalInstruction);
  }
}

TEST(RunProtected, TheInnermostOneCatches) {
  static FaultKind inner;
  const RawFault outer = caught([](void *) {
    RawFault fault;
    if (runProtected(writeForbidden, nullptr, fault))
      return;
    inner = fault.kind;
    runIllegal(nullptr);
  });
  EXPECT_EQ(inner, FaultKind::IllegalAddress);
  EXPECT_EQ(outer.kind, FaultKind::IllegalInstruction);
}

void faultOnFiber(void *argument) {
  reinterpret_cast<void (*)(void *)>(argument)(nullptr);
  switchBack(nullptr);
  __builtin_trap();
}

TEST(RunProtected, CatchesFaultsOnAFiber) {
  FiberPool pool(faultOnFiber);
  for (auto body : {writeForbidden, runIllegal, raiseAssert}) {
    struct Work {
      Fiber *fiber;
      void *body;
    } work = {pool.acquire(64 << 10), reinterpret_cast<void *>(body)};
    caught(
        [](void *argument) {
          auto *todo = static_cast<Work *>(argument);
          switchTo(*todo->fiber, todo->body);
        },
        &work);
    leaveFiber();
    pool.abandonAll();
  }
  // The pool works as before.
  Fiber *fiber = pool.acquire(64 << 10);
  EXPECT_EQ(switchTo(*fiber, reinterpret_cast<void *>(nothing)), nullptr);
}

// The stack is full, so the signal must be handled on another one.
void overflowStack(void *argument) {
  auto *fiber = static_cast<Fiber *>(argument);
  for (volatile char *deep = fiber->stack + fiber->stack_bytes - 8192;; deep -= 512)
    *deep = 1;
}

TEST(RunProtected, CatchesAStackThatRunsIntoItsGuardPage) {
  FiberPool pool(overflowStack);
  Fiber *fiber = pool.acquire(64 << 10);
  const RawFault fault = caught(
      [](void *argument) {
        auto *to = static_cast<Fiber *>(argument);
        switchTo(*to, to);
      },
      fiber);
  leaveFiber();
  EXPECT_EQ(fault.kind, FaultKind::IllegalAddress);
  EXPECT_LT(fault.address, static_cast<const void *>(fiber->stack));
}

// ---- Signals that are none of ours -------------------------------------------------------------

class ForeignSignal : public testing::Test {
protected:
  // Installs the engine's handlers.
  void SetUp() override {
    RawFault fault;
    runProtected(nothing, nullptr, fault);
  }
};

TEST_F(ForeignSignal, GoesToTheHandlerThatWasThere) {
  EXPECT_EXIT(readLow(nullptr), testing::ExitedWithCode(42), "");
  EXPECT_EXIT(runIllegal(nullptr), testing::ExitedWithCode(44), "");
}

TEST_F(ForeignSignal, SentOnesHaveTheirDefaultAction) {
  EXPECT_EXIT(
      {
        raise(SIGFPE);
        _exit(0);
      },
      testing::KilledBySignal(SIGFPE), "");
}

TEST_F(ForeignSignal, IgnoredOnesStayIgnored) {
  EXPECT_EXIT(
      {
        raise(SIGBUS);
        raise(SIGBUS);
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
}

// kill -SEGV while a kernel runs is no fault of the kernel.
TEST_F(ForeignSignal, SentDuringAKernelIsNoFault) {
  EXPECT_EXIT(
      {
        RawFault fault;
        runProtected([](void *) { raise(SIGSEGV); }, nullptr, fault);
        _exit(0);
      },
      testing::ExitedWithCode(43), "");
}

TEST_F(ForeignSignal, AfterAnExceptionIsNotOursEither) {
  EXPECT_EXIT(
      {
        RawFault fault;
        try {
          runProtected([](void *) { throw std::bad_alloc(); }, nullptr, fault);
        } catch (const std::bad_alloc &) {
          readLow(nullptr);
        }
        _exit(0);
      },
      testing::ExitedWithCode(42), "");
}

// ---- Words -------------------------------------------------------------------------------------

KernelInfo someKernel() {
  KernelInfo kernel;
  kernel.display_name = "scale(float*, int)";
  return kernel;
}

TEST(DescribeFault, NamesKernelBlockAndThread) {
  RawFault raw;
  raw.kind = FaultKind::IllegalAddress;
  raw.address = reinterpret_cast<void *>(0xabc0);
  const Fault fault = describeFault(raw, someKernel(), {1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(fault.error, 700);
  for (const char *part : {"illegal memory access", "cudaErrorIllegalAddress", "0xabc0",
                           "scale(float*, int)", "block (1,2,3)", "thread (4,5,6)"})
    EXPECT_NE(fault.message.find(part), std::string::npos) << part << "\n" << fault.message;
}

TEST(DescribeFault, EveryKindHasCudasError) {
  const std::pair<FaultKind, int> expected[] = {
      {FaultKind::IllegalAddress, 700},     {FaultKind::MisalignedAddress, 716},
      {FaultKind::IllegalInstruction, 715}, {FaultKind::Trap, 719},
      {FaultKind::Deadlock, 702},           {FaultKind::StackOverflow, 700}};
  for (auto [kind, error] : expected) {
    RawFault raw;
    raw.kind = kind;
    raw.detail = "because";
    const Fault fault = describeFault(raw, someKernel(), {}, {});
    EXPECT_EQ(fault.error, error);
    EXPECT_NE(fault.message.find("because"), std::string::npos);
  }
}

// The first line is the one that CUDA prints for a failed assert.
TEST(DescribeFault, AssertsLookLikeCudas) {
  const Fault fault = describeFault(caught(raiseAssert), someKernel(), {1, 0, 0}, {33, 0, 0});
  EXPECT_EQ(fault.error, 710);
  EXPECT_EQ(
      fault.message.substr(0, fault.message.find('\n')),
      "sum.cu:12: void sum(int*): block: [1,0,0], thread: [33,0,0] Assertion `i < n` failed.");
}

} // namespace
