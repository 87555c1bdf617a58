// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every call of cuDNN shares: a function's body runs inside `call`, where a refusal is an
// exception that carries the status and the sentence for stderr; the work is a task on the handle's
// stream.
#pragma once

#include "common/handles.h"
#include "common/task.h"
#include "cudnn.h"

#include <exception>
#include <type_traits>
#include <utility>

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace heddle::cudnn {

struct Refusal {
  cudnnStatus_t status;
  const char *why;
};

[[noreturn]] inline void refuse(cudnnStatus_t status, const char *why) {
  throw Refusal{status, why};
}
inline void need(bool holds, const char *why, cudnnStatus_t status = CUDNN_STATUS_BAD_PARAM) {
  if (!holds)
    refuse(status, why);
}
inline void supported(bool holds, const char *why,
                      cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED) {
  need(holds, why, status);
}
template <typename... P> void needPointers(const P *...pointers) {
  need(((pointers != nullptr) && ...), "a pointer is null");
}

/// Says on stderr what was refused, for cudnnGetLastErrorString and the callback too; returns the
/// status.
cudnnStatus_t tell(const char *function, cudnnStatus_t status, const char *why);

/// The status of the exception that is being handled.
cudnnStatus_t tellException(const char *function);

/// Runs a function's body; an exception becomes its status.
template <typename Body> cudnnStatus_t call(const char *function, Body body) {
  try {
    body();
    return CUDNN_STATUS_SUCCESS;
  } catch (...) {
    return tellException(function);
  }
}

/// The object behind a descriptor that was created and not destroyed.
template <typename T> T &live(T *descriptor) {
  need(descriptor != nullptr, "a descriptor is null");
  using Object = std::remove_const_t<T>;
  need(library::handles<Object>().has(descriptor), "a descriptor was not created, or destroyed");
  return *descriptor;
}
cudnnContext &live(cudnnContext *handle);

template <typename T> void create(T **descriptor) {
  needPointers(descriptor);
  *descriptor = library::handles<T>().add(new T);
}
/// Destroying null is no error, as NVIDIA's library has it.
template <typename T> void destroy(T *descriptor) {
  if (!descriptor)
    return;
  need(library::handles<T>().remove(descriptor), "the descriptor was not created, or destroyed");
  delete descriptor;
}
#define HEDDLE_CUDNN_DESCRIPTOR(Name, Struct)                                                      \
  cudnnStatus_t cudnnCreate##Name(Struct **descriptor) {                                           \
    return call(__func__, [&] { create(descriptor); });                                            \
  }                                                                                                \
  cudnnStatus_t cudnnDestroy##Name(Struct *descriptor) {                                           \
    return call(__func__, [&] { destroy(descriptor); });                                           \
  }

/// Puts work on the handle's stream. What it throws is told on stderr.
void run(cudnnContext *handle, const char *function, library::Task task);

/// Writes a result of a query where the program wants it, if it does.
template <typename T, typename V> void give(T *to, const V &value) {
  if (to)
    *to = static_cast<T>(value);
}

} // namespace heddle::cudnn
