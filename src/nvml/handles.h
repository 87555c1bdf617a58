// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every entry point of NVML does: refuse before nvmlInit, find the device behind a handle, let
// no C++ exception out.
#pragma once

// NVML's functions are all that is exported.
#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

#include "device/machine.h"

#include <exception>
#include <string_view>

namespace heddle::nvml {

/// A device as NVML has it: a description and a number. Nothing is started for it.
struct Card {
  const gpu::Gpu &gpu;
  int ordinal;
};

/// Counts calls of nvmlInit. The first one reads what devices there are.
nvmlReturn_t begin(bool without_devices);
nvmlReturn_t end();
bool begun();
/// Once it has begun.
const Machine &machine();

nvmlDevice_t handleOf(int ordinal);
/// -1: none.
int ordinalOf(nvmlDevice_t handle);

template <class Body> nvmlReturn_t call(Body body) noexcept {
  if (!begun())
    return NVML_ERROR_UNINITIALIZED;
  try {
    return body();
  } catch (const std::exception &) {
    return NVML_ERROR_UNKNOWN;
  }
}

template <class Body> nvmlReturn_t callDevice(nvmlDevice_t handle, Body body) noexcept {
  return call([&] {
    const int ordinal = ordinalOf(handle);
    return ordinal < 0 ? NVML_ERROR_INVALID_ARGUMENT : body(Card{*machine().gpu, ordinal});
  });
}

/// Answers with one value, which `get` has of the device.
template <class Value, class Get>
nvmlReturn_t ask(nvmlDevice_t handle, Value *value, Get get) noexcept {
  return callDevice(handle, [&](const Card &card) {
    if (!value)
      return NVML_ERROR_INVALID_ARGUMENT;
    *value = Value(get(card));
    return NVML_SUCCESS;
  });
}

/// Answers with a text.
nvmlReturn_t copyText(std::string_view text, char *to, unsigned length);

} // namespace heddle::nvml
