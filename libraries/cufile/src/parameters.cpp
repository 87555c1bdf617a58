// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs set in place of cufile.json. Nothing but the size of batches has an effect.
#include "driver.h"

#include <array>
#include <cstring>
#include <mutex>
#include <string>

using namespace heddle::cufile;

namespace {

struct Parameters {
  std::mutex mutex;
  // In the order of the enumerations; the defaults are those of cufile.json.
  std::array<size_t, 12> sizes = {0, 128, 4, 8192, 4, 16384, 131072, 1024, 1u << 25, 128, 4, 0};
  std::array<bool, 12> bools = {false, true,  true,  false, true,  false,
                                true,  false, false, false, false, false};
  std::array<std::string, 3> strings = {"ERROR", "", ""};
};

Parameters &parameters() {
  static auto &one = *new Parameters;
  return one;
}

/// Sets or tells one of an array; `set` allowed only while the session is not open.
template <class Array> auto *find(Array &all, unsigned index) {
  return index < all.size() ? &all[index] : nullptr;
}

template <class Array, class Value> CUfileError_t tell(Array &all, unsigned index, Value *value) {
  const std::lock_guard lock(parameters().mutex);
  const auto *found = find(all, index);
  if (!found || !value)
    return status(CU_FILE_INVALID_VALUE);
  *value = *found;
  return status(CU_FILE_SUCCESS);
}

template <class Array, class Value> CUfileError_t change(Array &all, unsigned index, Value value) {
  const std::lock_guard lock(parameters().mutex);
  auto *found = find(all, index);
  if (!found)
    return status(CU_FILE_INVALID_VALUE);
  if (driverIsOpen())
    return status(CU_FILE_DRIVER_ALREADY_OPEN);
  *found = value;
  return status(CU_FILE_SUCCESS);
}

} // namespace

size_t heddle::cufile::sizeParameter(CUFileSizeTConfigParameter_t parameter) {
  const std::lock_guard lock(parameters().mutex);
  return parameters().sizes[parameter];
}
void heddle::cufile::setSizeParameter(CUFileSizeTConfigParameter_t parameter, size_t value) {
  const std::lock_guard lock(parameters().mutex);
  parameters().sizes[parameter] = value;
}
bool heddle::cufile::boolParameter(CUFileBoolConfigParameter_t parameter) {
  const std::lock_guard lock(parameters().mutex);
  return parameters().bools[parameter];
}
void heddle::cufile::setBoolParameter(CUFileBoolConfigParameter_t parameter, bool value) {
  const std::lock_guard lock(parameters().mutex);
  parameters().bools[parameter] = value;
}

CUfileError_t cuFileGetParameterSizeT(CUFileSizeTConfigParameter_t param, size_t *value) {
  return tell(parameters().sizes, param, value);
}
CUfileError_t cuFileGetParameterBool(CUFileBoolConfigParameter_t param, bool *value) {
  return tell(parameters().bools, param, value);
}
CUfileError_t cuFileGetParameterString(CUFileStringConfigParameter_t param, char *desc_str,
                                       int len) {
  return guarded([&] {
    std::string text;
    const CUfileError_t told = tell(parameters().strings, param, &text);
    if (told.err != CU_FILE_SUCCESS || !desc_str || len <= 0 || text.size() >= size_t(len))
      return status(CU_FILE_INVALID_VALUE);
    std::memcpy(desc_str, text.c_str(), text.size() + 1);
    return status(CU_FILE_SUCCESS);
  });
}
CUfileError_t cuFileSetParameterSizeT(CUFileSizeTConfigParameter_t param, size_t value) {
  if (param == CUFILE_PARAM_PROPERTIES_IO_BATCHSIZE && (value == 0 || value > 4096))
    return refuse(__func__, CU_FILE_INVALID_VALUE, "a batch holds 1 to 4096 operations");
  return change(parameters().sizes, param, value);
}
CUfileError_t cuFileSetParameterBool(CUFileBoolConfigParameter_t param, bool value) {
  return change(parameters().bools, param, value);
}
CUfileError_t cuFileSetParameterString(CUFileStringConfigParameter_t param, const char *desc_str) {
  return guarded([&] {
    return desc_str ? change(parameters().strings, param, std::string(desc_str))
                    : status(CU_FILE_INVALID_VALUE);
  });
}
