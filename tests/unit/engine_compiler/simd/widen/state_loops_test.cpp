// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that run gang after gang (widen.h, state_loops.h): a loop over the gangs for each
// state, and from one to the next without a return to the runtime.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// Code that begins at %code and goes on at %first, %second … where it has waited.
std::string sweep(unsigned states, const std::string &body, unsigned instructions = 0) {
  static const char *const names[] = {"first", "second", "third"};
  std::string choice = "  %s = call i32 @heddle.state()\n";
  for (unsigned i = 0; i < states; ++i) {
    const std::string number = std::to_string(i + 1);
    choice += "  %is" + number + " = icmp eq i32 %s, " + number + "\n  br i1 %is" + number +
              ", label %" + names[i] + ", label %not" + number + "\nnot" + number + ":\n";
  }
  std::string filling;
  for (unsigned i = 0; i < instructions; ++i)
    filling += "  store volatile i32 %n, ptr %q\n";
  const WidenOptions options{
      .layout = row(8), .record_bytes = 64, .sweeps = true, .states = states};
  Ir ir(threadCode(choice + filling + body, "declare ptr @heddle.suspend(i32, i32, i32, i32, i32)\n"
                                            "declare i32 @heddle.state()\n"));
  widen(ir.function("f"), options, nullptr);
  ir.verify();
  return ir.text("f");
}

std::string wait(unsigned state) {
  return "  %r" + std::to_string(state) + " = call ptr @heddle.suspend(i32 " +
         std::to_string(state) + ", i32 0, i32 0, i32 0, i32 0)\n";
}

std::string store(unsigned number) {
  return "  store i32 " + std::to_string(number) + ", ptr %p\n";
}

// The blocks of one state's loop.
std::string loopOf(const std::string &text, unsigned state) {
  const std::string suffix = ".s" + std::to_string(state) + ":";
  std::string result;
  for (size_t at = 0; (at = text.find("\n\n", at)) != std::string::npos; at += 2) {
    const size_t line_end = text.find('\n', at + 2);
    if (text.substr(at, line_end - at).find(suffix) != std::string::npos)
      result += text.substr(at, text.find("\n\n", at + 2) - at);
  }
  return result;
}

const std::string straight = store(70) + wait(1) + "  ret void\nfirst:\n" + store(71) + wait(2) +
                             "  ret void\nsecond:\n" + store(72) + "  ret void\n";

// Each state has a loop of its own, with only what it does.
TEST(WidenSweep, HasALoopForEachState) {
  const std::string text = sweep(2, straight);
  expectInOrder(text, {"switch i32 %state, label %gang.s0 [", "i32 1, label %gang.s1",
                       "i32 2, label %gang.s2", "]"});
  for (const unsigned state : {0, 1, 2})
    for (const unsigned other : {0, 1, 2})
      EXPECT_EQ(count(loopOf(text, state), "store i32 7" + std::to_string(other) + ", ptr %p"),
                state == other)
          << state << " " << other;
  expectNone(text, {"icmp eq i32 %state"});
}

// Copies of much code would take long to compile.
TEST(WidenSweep, OfMuchCodeHasOneLoop) {
  const std::string text = sweep(2, straight, 40'000);
  expectNone(text, {"switch", "gang.s1"});
  expectInOrder(text, {"icmp eq i32 %state, 1"});
}

// All gangs of a state come to the same barrier: the sweep goes on there. But a gang that was
// called by itself has to wait for others.
TEST(WidenSweep, GoesOnWithTheNextState) {
  const std::string text = sweep(2, straight);
  for (const char *state : {"0", "1"}) {
    const std::string next = std::to_string(std::atoi(state) + 1);
    const std::string end = blockText(text, std::string("swept.s") + state);
    expectInOrder(end,
                  {"icmp ne i32 %stride, 0", "br i1", "label %gang.s" + next + ", label %leave"});
    expectNone(end, {"ret"});
  }
  expectInOrder(blockText(text, "swept.s2"), {"ret i32"});
  EXPECT_EQ(count(text, "ret i32"), 3u);
  // It begins with the first gang again, and no gang has ended.
  expectInOrder(blockText(text, "gang.s1"),
                {"phi ptr [ %gangs, %entry ]", "[ %gangs, %swept.s0 ]",
                 "phi i32 [ %count, %entry ]", "[ %count, %swept.s0 ]"});
  expectInOrder(blockText(text, "gang.s1"), {"br label %start.s1"});
}

// Gangs that end leave the others alone: whether any waits is known when all have run.
TEST(WidenSweep, GangsThatEndArePassedOver) {
  const std::string text =
      sweep(1, "  %end = icmp slt i32 %n, 0\n  br i1 %end, label %out, label %go\n"
               "go:\n" +
                   wait(1) +
                   "  br label %out\nout:\n  ret void\n"
                   "first:\n" +
                   store(71) + "  ret void\n");
  expectInOrder(blockText(text, "swept.s0"), {"icmp ne i32 %stride, 0", "icmp eq i32", ", 1",
                                              "and i1", "label %gang.s1, label %leave"});
  // The next state looks at each gang's outcome.
  expectInOrder(blockText(text, "gang.s1"),
                {field(offsetof(GangContext, outcome)), "load i32", "icmp eq i32", "br i1",
                 "label %next.gang.s1, label %start.s1"});
  expectInOrder(blockText(text, "gang.s0"), {"br label %start.s0"});
}

// Where they may come to different barriers, the runtime has to look.
TEST(WidenSweep, GangsThatPartAreLeftToTheRuntime) {
  const std::string text =
      sweep(2, "  %c0 = icmp slt i32 %n, 0\n  br i1 %c0, label %a, label %b\na:\n" + wait(1) +
                   "  ret void\nb:\n" + wait(2) + "  ret void\nfirst:\n" + store(71) +
                   "  ret void\nsecond:\n" + store(72) + "  ret void\n");
  const std::string end = blockText(text, "swept.s0");
  expectInOrder(end, {"ret i32"});
  expectNone(end, {"br i1"});
  expectInOrder(blockText(text, "next.gang.s0"), {"icmp ne i32", "select i1", "i32 -1"});
}

// Only the first threads have work: once a gang has none, nor have those after it. The bound is the
// same for all of them, and where the block has several rows, threads with small numbers come
// again.
std::string leading(const std::string &before, const std::string &after,
                    const std::string &bound = "i32 %n") {
  const std::string declared = "declare i1 @heddle.any(i1)\n";
  const WidenOptions options{.layout = row(8), .record_bytes = 64, .sweeps = true, .states = 1};
  Ir ir(threadCode("  %s = call i32 @heddle.state()\n  %is1 = icmp eq i32 %s, 1\n"
                   "  br i1 %is1, label %first, label %zero\nzero:\n" +
                       wait(1) + "  ret void\nfirst:\n" + before + "  %few = icmp slt i32 %x, " +
                       bound.substr(4) +
                       "\n  %any = call i1 @heddle.any(i1 %few)\n"
                       "  br i1 %any, label %work, label %none\nwork:\n" +
                       store(71) + "  br label %none\nnone:\n" + after + "  ret void\n",
                   "declare ptr @heddle.suspend(i32, i32, i32, i32, i32)\n"
                   "declare i32 @heddle.state()\n" +
                       declared));
  widen(ir.function("f"), options, nullptr);
  ir.verify();
  return ir.text("f");
}

TEST(WidenSweep, EndsWhenOnlyTheFirstThreadsHaveWork) {
  const std::string text = leading("", "");
  expectInOrder(blockText(text, "none.later"), {"br i1 %single.row, label %swept.s1, label "});
  expectInOrder(blockText(text, "entry"),
                {field(offsetof(BlockContext, block_dim) + 4),
                 field(offsetof(BlockContext, block_dim) + 8), "%single.row = icmp eq i32", ", 1"});
}

TEST(WidenSweep, DoesNotEndWhereAllHaveSomethingToDo) {
  expectNone(leading(store(72), ""), {"none.later"});
  expectNone(leading("", store(72)), {"none.later"});
  expectNone(leading("", "", "i32 %u"), {"none.later"});
}

// What is the same in all of a gang is a condition like others.
TEST(WidenSweep, EndsAfterGangsThatAllHaveWork) {
  const std::string body = wait(1) + "  ret void\nfirst:\n  %few = icmp ult i32 %x, ";
  const std::string rest = "\n  br i1 %few, label %work, label %none\nwork:\n" + store(71) +
                           "  br label %none\nnone:\n  ret void\n";
  const std::string two = sweep(1, body + "16" + rest);
  expectInOrder(blockText(two, "none.later"), {"br i1 %single.row, label %swept.s1, label "});
  expectNone(blockText(two, "next.gang.s1"), {"%single.row"});
  // Only the row's first one: what is behind the condition is the end already.
  const std::string one = sweep(1, body + "8" + rest);
  expectInOrder(blockText(one, "next.gang.s1"),
                {"or i1 %single.row,", "label %swept.s1, label %gang.s1"});
  expectNone(one, {"none.later"});
}

// A gang without work in the second part may have come from the first, and gangs after it, too.
TEST(WidenSweep, DoesNotEndInTheSecondOfTwoParts) {
  for (const char *second : {"8", "16"}) {
    const std::string text =
        sweep(1, wait(1) +
                     "  ret void\nfirst:\n  %few = icmp ult i32 %x, 24\n"
                     "  br i1 %few, label %work, label %none\nwork:\n" +
                     store(71) + "  br label %none\nnone:\n  %fewer = icmp ult i32 %x, " + second +
                     "\n  br i1 %fewer, label %more, label %done\nmore:\n" + store(72) +
                     "  br label %done\ndone:\n  ret void\n");
    expectNone(text, {"none.later", "%single.row"});
  }
}

// Nor is the first gang the last one, if only gangs without work ask whether it is.
TEST(WidenSweep, EndsWhereOnlyGangsWithoutWorkCome) {
  const std::string text = sweep(1, wait(1) +
                                        "  ret void\nfirst:\n  %few = icmp ult i32 %x, 24\n"
                                        "  br i1 %few, label %work, label %none\nwork:\n" +
                                        store(71) +
                                        "  br label %done\nnone:\n  %fewer = icmp ult i32 %x, 8\n"
                                        "  br i1 %fewer, label %more, label %done\nmore:\n" +
                                        store(72) + "  br label %done\ndone:\n  ret void\n");
  expectInOrder(blockText(text, "none.later"), {"br i1 %single.row, label %swept.s1, label "});
  expectNone(blockText(text, "next.gang.s1"), {"%single.row"});
}

// If gangs never part, where each of them waits is not tested.
TEST(WidenSweep, GangsThatNeverPartHaveNoOutcomes) {
  const std::string text = sweep(2, straight);
  for (const char *state : {"next.gang.s0", "next.gang.s1", "next.gang.s2"})
    expectNone(blockText(text, state), {"store i32"});
  expectInOrder(blockText(text, "leave"), {"ret i32 1"});
}

// Round a loop, the runtime may have been told to stop.
TEST(WidenSweep, ReturnsBeforeItGoesBack) {
  const std::string text = sweep(1, "  br label %again\nagain:\n" + wait(1) +
                                        "  ret void\nfirst:\n" + store(71) + "  br label %again\n");
  expectInOrder(blockText(text, "swept.s0"), {"label %gang.s1, label %leave"});
  const std::string end = blockText(text, "swept.s1");
  expectInOrder(end, {"ret i32"});
  expectNone(end, {"br "});
}

// Threads one after the other, as a loop over each row of the block.
std::string threadByThread(const std::string &body, uint64_t parameter_bytes = 24) {
  const WidenOptions options{
      .layout = {.lanes = 1}, .parameter_bytes = parameter_bytes, .sweeps = true};
  Ir ir(threadCode(body));
  widen(ir.function("f"), options, nullptr);
  ir.verify();
  return ir.text("f");
}

// threadIdx.x is counted, not loaded for each thread, so that LLVM sees what neighbours have in
// common; y and z are those of the row.
TEST(WidenSweep, CountsThreadsOfARow) {
  const std::string text = threadByThread("  store i32 %x, ptr %p\n  ret void\n");
  expectInOrder(text, {"row:", field(0), "load i32", field(4), "load i32", "%row.end = add",
                       "%x = phi i32", "add nuw nsw i32 %x, 1", "%row.end", "next.row:"});
  expectInOrder(text, {"store ptr %gang", "store i32 %x"});
}

// Whether there is anything to do is asked before the row and behind each thread; the row ends with
// the first one without work.
TEST(WidenSweep, EndsARowEarly) {
  const std::string text = threadByThread("  %in = icmp ult i32 %x, %n\n"
                                          "  br i1 %in, label %work, label %out\n"
                                          "work:\n" +
                                          store(71) + "  br label %out\nout:\n  ret void\n");
  EXPECT_EQ(count(text, "icmp ult i32"), 2u);
  expectInOrder(blockText(text, "row"), {"icmp ult i32", "br i1", "label %none.later"});
  expectInOrder(blockText(text, "none.later"), {"br label %next.row"});
}

// What differs from thread to thread in another way is asked of all.
TEST(WidenSweep, DoesNotEndOtherRows) {
  const std::string text = threadByThread("  %in = icmp sgt i32 %x, %n\n"
                                          "  br i1 %in, label %work, label %out\n"
                                          "work:\n" +
                                          store(71) + "  br label %out\nout:\n  ret void\n");
  expectNone(text, {"none.later"});
}

// Loads of them may be moved out of loops, where they might not be executed at all.
TEST(WidenSweep, TellsHowManyParametersThereAre) {
  expectInOrder(threadByThread("  ret void\n"), {"ptr align 8 dereferenceable(24) %parameters"});
  expectNone(threadByThread("  ret void\n", 0), {"dereferenceable"});
}

} // namespace
