// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/context.h"

#include "device/event.h"
#include "device/platform.h"
#include "device/registry.h"

namespace heddle {
namespace {

std::mutex mutex;
std::atomic<unsigned> next_number = 1;

struct ThreadContexts {
  std::vector<std::shared_ptr<Context>> stack;
  Context *top = nullptr;

  void changed() {
    top = stack.empty() ? nullptr : stack.back().get();
    if (top)
      Platform::currentOrdinal() = top->device.ordinal;
  }
};

// A pointer, since the program's last handlers may come after a thread's own objects have ended.
ThreadContexts &contexts() {
  thread_local auto *contexts = new ThreadContexts;
  return *contexts;
}

/// Whether a device has contexts beside its primary one.
bool hasOthers(const Device &device) {
  bool found = false;
  Context::handles().forEach([&](const Context &context) {
    found |= !context.primary() && context.active && &context.device == &device;
  });
  return found;
}

void unloadAllOf(Device &device, unsigned number) {
  for (const auto &module : Registry::instance().modulesOf(number))
    if (module->wasLoaded() && module->device == device.ordinal)
      Registry::instance().removeModule(module.get());
}

void tellMade(const Context &context) {
  if (engine::observe::HostObserver *observer = engine::observe::hostObserver())
    observer->made(engine::observe::Resource::Context, &context, nullptr);
}

void tellEnds(const Context &context) {
  if (engine::observe::HostObserver *observer = engine::observe::hostObserver())
    observer->ends(engine::observe::Resource::Context, &context, nullptr);
}

/// Ends what was made in a context.
void endAllOf(Device &device, unsigned number) {
  device.destroyStreamsOf(number);
  Event::handles().removeIf(
      [&](const Event &event) { return &event.device == &device && event.context == number; });
  device.memory.releaseOf(device.ordinal, number);
}

} // namespace

Handles<Context> &Context::handles() {
  static auto *handles = new Handles<Context>;
  return *handles;
}

std::shared_ptr<Context> Context::primaryOf(Device &device) {
  static auto *all = new std::vector<std::shared_ptr<Context>>(max_devices);
  std::lock_guard lock(mutex);
  std::shared_ptr<Context> &found = (*all)[device.ordinal];
  if (!found) {
    found = std::make_shared<Context>(device, 0, 0);
    found->active = false;
    handles().add(found);
  }
  return found;
}

std::shared_ptr<Context> Context::create(Device &device, unsigned flags) {
  auto made = std::make_shared<Context>(device, next_number++, flags);
  handles().add(made);
  tellMade(*made);
  return made;
}

std::shared_ptr<Context> Context::find(Device &device, unsigned number) {
  if (number == 0)
    return primaryOf(device);
  std::shared_ptr<Context> found;
  handles().forEach([&](Context &context) {
    if (context.number == number)
      found = handles().find(&context);
  });
  return found;
}

uint64_t Context::id() const {
  return number ? uint64_t(max_devices) + number : uint64_t(device.ordinal) + 1;
}

bool Context::destroy() {
  if (primary() || !active.exchange(false))
    return false;
  tellEnds(*this);
  handles().remove(this);
  device.synchronize();
  unloadAllOf(device, number);
  // A failed device works again once all that used it has ended.
  if (device.error() && !hasOthers(device) && !primaryOf(device)->active)
    device.reset();
  else
    endAllOf(device, number);
  return true;
}

void Context::retain() {
  bool was_active;
  {
    std::lock_guard lock(mutex);
    ++retained;
    was_active = active.exchange(true);
  }
  if (!was_active)
    tellMade(*this);
}

bool Context::release() {
  {
    std::lock_guard lock(mutex);
    if (retained == 0)
      return false;
    if (--retained > 0 || used_by_runtime)
      return true;
  }
  reset();
  return true;
}

void Context::reset() {
  if (active)
    tellEnds(*this);
  {
    std::lock_guard lock(mutex);
    used_by_runtime = false;
    active = retained > 0;
  }
  device.synchronize();
  unloadAllOf(device, 0);
  if (hasOthers(device))
    endAllOf(device, 0);
  else
    device.reset();
}

std::shared_ptr<Context> Context::current() {
  const auto &stack = contexts().stack;
  return stack.empty() ? nullptr : stack.back();
}

void Context::setCurrent(std::shared_ptr<Context> context) {
  ThreadContexts &thread = contexts();
  if (!thread.stack.empty())
    thread.stack.pop_back();
  if (context)
    thread.stack.push_back(std::move(context));
  thread.changed();
}

void Context::push(std::shared_ptr<Context> context) {
  ThreadContexts &thread = contexts();
  thread.stack.push_back(std::move(context));
  thread.changed();
}

std::shared_ptr<Context> Context::pop() {
  ThreadContexts &thread = contexts();
  if (thread.stack.empty())
    return nullptr;
  std::shared_ptr<Context> popped = std::move(thread.stack.back());
  thread.stack.pop_back();
  thread.changed();
  return popped;
}

void Context::useRuntime() {
  ThreadContexts &thread = contexts();
  if (thread.top && (thread.top->active.load(std::memory_order_relaxed) || !thread.top->primary()))
    return;
  std::shared_ptr<Context> wanted =
      primaryOf(Platform::instance().device(Platform::currentOrdinal()));
  bool was_active;
  {
    std::lock_guard lock(mutex);
    wanted->used_by_runtime = true;
    was_active = wanted->active.exchange(true);
  }
  if (!was_active)
    tellMade(*wanted);
  if (!thread.top)
    push(std::move(wanted));
}

unsigned Context::currentOwner(int device) {
  const Context *top = contexts().top;
  return top && top->device.ordinal == device ? top->number : 0;
}

} // namespace heddle
