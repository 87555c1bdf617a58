// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, and the frame that all functions of cuSPARSE have: what is wrong with a call is thrown
// as a Refusal inside, and leaves as a status with a sentence on stderr; work is put on the stream.
#pragma once

#include "common/handles.h"
#include "common/task.h"
#include "number.h"

#include <cstring>
#include <memory>
#include <new>

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
  int device = 0;
};

namespace heddle::cusparse {

struct Refusal {
  cusparseStatus_t status;
  const char *why;
};

inline void need(bool holds, const char *why,
                 cusparseStatus_t status = CUSPARSE_STATUS_INVALID_VALUE) {
  if (!holds)
    throw Refusal{status, why};
}
template <typename... P> void needPointers(const P *...pointers) {
  need((... && (pointers != nullptr)), "a pointer is null");
}
inline void needSupported(bool holds, const char *why) {
  need(holds, why, CUSPARSE_STATUS_NOT_SUPPORTED);
}
/// The handle lives, and the thread's device is the handle's.
void needHandle(cusparseHandle_t handle);
inline void needOperation(cusparseOperation_t operation) {
  need(unsigned(operation) <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
       "the operation is none of N, T and C");
}
inline void needBase(cusparseIndexBase_t base) {
  need(unsigned(base) <= CUSPARSE_INDEX_BASE_ONE, "the index base is neither 0 nor 1");
}
/// An object that a Create function made and that has not been destroyed.
template <typename T> void needLive(const T *object) {
  need(object && library::handles<T>().has(object), "a descriptor was not created, or destroyed");
}

/// Tells the logger and stderr; returns the status.
cusparseStatus_t refuse(const char *function, cusparseStatus_t status, const char *why);
void logCall(const char *function);

/// Runs a function's body, which throws what is wrong with the call. A body may return a status.
template <typename F> cusparseStatus_t guarded(const char *function, F body) {
  try {
    logCall(function);
    if constexpr (std::is_void_v<decltype(body())>)
      body();
    else
      return body();
    return CUSPARSE_STATUS_SUCCESS;
  } catch (const Refusal &refusal) {
    return refuse(function, refusal.status, refusal.why);
  } catch (const std::bad_alloc &) {
    return refuse(function, CUSPARSE_STATUS_ALLOC_FAILED, "there is not enough memory");
  }
}
template <typename F>
cusparseStatus_t guarded(const char *function, cusparseHandle_t handle, F body) {
  return guarded(function, [&] {
    needHandle(handle);
    return body();
  });
}

/// Puts work on the handle's stream. With `wait`, it has run when this returns: for results in host
/// memory, which a capture forbids.
void submit(cusparseHandle_t handle, library::Task task, bool wait = false);

/// As `submit`, for a result that the program reads itself, which no call decides by: in host
/// memory it is there when this returns, and if the stream is being captured, when the graph has
/// run.
void submitResult(cusparseHandle_t handle, library::Task task);

/// A scalar of one of the types that sums have: read at the call in host mode, by the task in
/// device mode.
class Scalar {
public:
  Scalar(cusparseHandle_t handle, const void *pointer, cudaDataType type)
      : pointer_(pointer), type_(type) {
    need(pointer != nullptr, "a scalar's pointer is null");
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
      return;
    std::memcpy(value_, pointer, sizeOf(type));
    pointer_ = nullptr;
  }
  template <typename T>
  Scalar(cusparseHandle_t handle, const T *pointer)
      : Scalar(handle, pointer, dataType<Number<T>>()) {}

  /// The number 1, whatever the handle's mode.
  static Scalar one() {
    Scalar scalar;
    const double value = 1;
    std::memcpy(scalar.value_, &value, sizeof value);
    return scalar;
  }

  template <typename C> C get() const {
    C result{};
    withComputeType(type_, [&](auto tag) {
      typename decltype(tag)::Type value;
      std::memcpy(static_cast<void *>(&value), pointer_ ? pointer_ : value_, sizeof value);
      result = convert<C>(value);
    });
    return result;
  }
  const void *devicePointer() const { return pointer_; }

private:
  Scalar() : pointer_(nullptr), type_(CUDA_R_64F) {}

  const void *pointer_;
  cudaDataType type_;
  alignas(16) char value_[16] = {};
};

/// Where a call leaves a number: in host memory it must be there when the call returns.
inline bool resultOnHost(cusparseHandle_t handle) {
  return handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
}

/// What bufferSize functions answer. No function needs its buffer, but programs take a null pointer
/// for "how much?", so it is not 0.
constexpr size_t buffer_size = 256;
template <typename S> void giveBufferSize(S *size) {
  need(size != nullptr, "the pointer to the buffer's size is null");
  *size = buffer_size;
}

} // namespace heddle::cusparse
