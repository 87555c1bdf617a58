// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/services.h"

#include "engine/device_heap.h"
#include "engine/schedule/fiber.h"
#include "engine/schedule/resident_block.h"

#include <chrono>
#include <new>

namespace heddle::engine::services {
namespace {

ResidentBlock &blockOf(ThreadContext *context) {
  return *static_cast<ResidentBlock *>(context->block);
}

[[noreturn]] void raiseAgainst(ThreadContext *context, const RawFault &fault) {
  blockOf(context).blame(context);
  raiseFault(fault);
}

// The return address in device code, which gives the source line in messages.
#define CALLER (reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1)

void arriveAtBarrier(ThreadContext *context, uint32_t id, uint32_t count) {
  blockOf(context).arriveAtBarrier(id, count);
}

void *allocate(ThreadContext *context, uint64_t bytes) {
  return heapAllocate(blockOf(context).grid().launch.device, bytes);
}

void release(ThreadContext *context, void *pointer) {
  if (heapRelease(blockOf(context).grid().launch.device, pointer))
    return;
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.address = pointer;
  fault.code = CALLER;
  fault.detail = "free() or delete of a pointer that is not, or no longer, allocated";
  raiseAgainst(context, fault);
}

[[noreturn]] void assertFail(ThreadContext *context, const char *expression, const char *file,
                             uint32_t line, const char *function) {
  RawFault fault;
  if (!file) { // emitted by the compiler (frontend/source/host_only_calls.h)
    fault.kind = FaultKind::Trap;
    fault.code = CALLER;
    fault.detail = expression;
    raiseAgainst(context, fault);
  }
  fault.kind = FaultKind::Assert;
  fault.expression = expression;
  fault.file = file;
  fault.line = line;
  fault.function = function;
  raiseAgainst(context, fault);
}

[[noreturn]] void trap(ThreadContext *context) {
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.code = CALLER;
  raiseAgainst(context, fault);
}

[[noreturn]] void misaligned(ThreadContext *context, const void *where) {
  RawFault fault;
  fault.kind = FaultKind::MisalignedAddress;
  fault.address = where;
  fault.code = CALLER;
  raiseAgainst(context, fault);
}

[[noreturn]] void stackOverflow(ThreadContext *context) {
  RawFault fault;
  fault.kind = FaultKind::StackOverflow;
  fault.code = CALLER;
  raiseAgainst(context, fault);
}

uint64_t globalTimer(ThreadContext *) {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count());
}

uint64_t clockCycles(ThreadContext *context) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const uint64_t ns = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  // kHz is cycles per millisecond; in two steps, so that the product stays within 64 bits.
  const uint64_t khz = blockOf(context).grid().launch.device.clock_khz;
  return ns / 1000000 * khz + ns % 1000000 * khz / 1000000;
}

// A request to the device, and its result.
struct Question {
  DeviceCalls *device;
  CallingThread caller;
  uint32_t function;
  void *arguments;
  uint32_t answer = 0;
  Fault *fault = nullptr;
};

void ask(void *argument) {
  auto &question = *static_cast<Question *>(argument);
  std::optional<Fault> fault;
  question.answer =
      question.device->call(question.caller, question.function, question.arguments, fault);
  if (fault)
    question.fault = new Fault(std::move(*fault));
}

// No exception may pass through device code.
void askSafely(Question &question) {
  try {
    callOnOwnStack(ask, &question);
  } catch (const std::bad_alloc &) {
    question.fault =
        new Fault{2, "heddle: not enough host memory to launch a kernel from another\n"};
  }
}

uint32_t callDevice(ThreadContext *context, uint32_t function, void *arguments) {
  const ResidentBlock &block = blockOf(context);
  const Grid &grid = block.grid();
  Question question{grid.launch.device.calls, block.callingThread(*context), function, arguments};
  askSafely(question);
  if (question.fault) {
    RawFault fault;
    fault.kind = FaultKind::Child;
    fault.child = question.fault;
    raiseAgainst(context, fault);
  }
  return question.answer;
}

} // namespace

uint32_t gridIsCooperative(ThreadContext *context) {
  return blockOf(context).grid().launch.cooperative;
}

void raiseNotCooperative(ThreadContext *context, uintptr_t code) {
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.code = code;
  fault.detail = "grid.sync() in a kernel that was not launched cooperatively";
  raiseAgainst(context, fault);
}

uint32_t addressSpace(ThreadContext *context, const void *pointer, bool is_local) {
  enum { Global = 1, Shared = 3, Constant = 4, Local = 5, Parameter = 101 };
  const char *address = static_cast<const char *>(pointer);
  const auto lies_in = [&](const void *start, uint64_t bytes) {
    return address >= start && address < static_cast<const char *>(start) + bytes;
  };
  const BlockContext &block = *context->block;
  if (address >= block.shared && address < block.dynamic_shared + block.dynamic_shared_bytes)
    return Shared;
  if (is_local)
    return Local;
  const Launch &launch = blockOf(context).grid().launch;
  const ImageInfo &image = launch.program->info();
  if (lies_in(launch.parameters, image.kernels[size_t(launch.kernel)].parameter_bytes))
    return Parameter;
  if (lies_in(launch.globals, image.globals_bytes))
    for (const VariableInfo &variable : image.variables)
      if (variable.constant &&
          lies_in(static_cast<const char *>(launch.globals) + variable.offset, variable.size))
        return Constant;
  return Global;
}

RuntimeTable common() {
  RuntimeTable table = {};
  table.barrier_arrive = arriveAtBarrier;
  table.grid_is_cooperative = gridIsCooperative;
  table.allocate = allocate;
  table.release = release;
  table.assert_fail = assertFail;
  table.trap = trap;
  table.misaligned = misaligned;
  table.stack_overflow = stackOverflow;
  table.global_timer = globalTimer;
  table.clock = clockCycles;
  table.call_device = callDevice;
  return table;
}

} // namespace heddle::engine::services
