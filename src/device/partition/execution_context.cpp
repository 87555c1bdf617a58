// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/partition/execution_context.h"

#include "device/partition/multiprocessors.h"

namespace heddle {

Handles<ResourceDescription> &ResourceDescription::handles() {
  static auto *handles = new Handles<ResourceDescription>;
  return *handles;
}

Handles<ExecutionContext> &ExecutionContext::handles() {
  static auto *handles = new Handles<ExecutionContext>;
  return *handles;
}

std::shared_ptr<ExecutionContext> ExecutionContext::of(Device &device) {
  static std::mutex mutex;
  static auto *all = new std::map<int, std::shared_ptr<ExecutionContext>>;
  std::lock_guard lock(mutex);
  std::shared_ptr<ExecutionContext> &found = (*all)[device.ordinal];
  if (!found) {
    const Grain grain = grainOf(device.gpu);
    found = std::make_shared<ExecutionContext>(
        Context::primaryOf(device), SmResource{device.ordinal, unsigned(device.gpu.multiprocessors),
                                               grain.least, grain.alignment});
    handles().add(found);
  }
  return found;
}

std::shared_ptr<ExecutionContext> ExecutionContext::create(Device &device, const SmResource &sm) {
  SmResource own = sm;
  own.split = 0;
  auto made = std::make_shared<ExecutionContext>(Context::create(device, 0), own);
  handles().add(made);
  return made;
}

std::shared_ptr<ExecutionContext> ExecutionContext::ofContext(unsigned number) {
  std::shared_ptr<ExecutionContext> found;
  handles().forEach([&](ExecutionContext &each) {
    if (!each.isDevice() && each.context->number == number)
      found = handles().find(&each);
  });
  return found;
}

std::vector<std::shared_ptr<DeviceStream>> ExecutionContext::streams() const {
  if (!isDevice())
    return context->device.streamsOf(context->number);
  std::vector<std::shared_ptr<DeviceStream>> all = context->device.streamsOf(std::nullopt);
  all.push_back(context->device.legacyStream());
  return all;
}

void ExecutionContext::destroy() {
  handles().remove(this);
  for (const auto &stream : streams())
    stream->detached = true;
  context->active = false;
  Context::handles().remove(context.get());
}

} // namespace heddle
