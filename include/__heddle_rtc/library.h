// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of the C++ library NVRTC declares by itself: std::move and std::forward
// (--builtin-move-forward), std::initializer_list (--builtin-initializer-list), placement new.
#pragma once

namespace std {
typedef __SIZE_TYPE__ size_t;

template <class T>
[[nodiscard]] __host__ __device__ constexpr __remove_reference_t(T) &&move(T &&value) noexcept {
  return static_cast<__remove_reference_t(T) &&>(value);
}
template <class T>
[[nodiscard]] __host__ __device__ constexpr T &&forward(__remove_reference_t(T) &value) noexcept {
  return static_cast<T &&>(value);
}
template <class T>
[[nodiscard]] __host__ __device__ constexpr T &&forward(__remove_reference_t(T) &&value) noexcept {
  return static_cast<T &&>(value);
}

template <class T> class initializer_list {
public:
  typedef T value_type;
  typedef const T &reference;
  typedef const T &const_reference;
  typedef size_t size_type;
  typedef const T *iterator;
  typedef const T *const_iterator;

  __host__ __device__ constexpr initializer_list() noexcept : begin_(nullptr), size_(0) {}
  __host__ __device__ constexpr size_t size() const noexcept { return size_; }
  __host__ __device__ constexpr const T *begin() const noexcept { return begin_; }
  __host__ __device__ constexpr const T *end() const noexcept { return begin_ + size_; }

private:
  const T *begin_; // the compiler fills both in
  size_t size_;
};
} // namespace std

// What CUB's algorithms for blocks and warps ask of the host's library. A program's own std::… is
// found first.
namespace __heddle_std {
template <class T> struct is_pointer {
  static constexpr bool value = __is_pointer(T);
};
} // namespace __heddle_std
namespace std {
using namespace __heddle_std;
} // namespace std

__device__ inline void *operator new(size_t, void *place) noexcept { return place; }
__device__ inline void *operator new[](size_t, void *place) noexcept { return place; }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}
__device__ inline void *operator new(size_t bytes) { return ::malloc(bytes ? bytes : 1); }
__device__ inline void *operator new[](size_t bytes) { return ::malloc(bytes ? bytes : 1); }
__device__ inline void operator delete(void *memory) noexcept { ::free(memory); }
__device__ inline void operator delete[](void *memory) noexcept { ::free(memory); }
__device__ inline void operator delete(void *memory, size_t) noexcept { ::free(memory); }
__device__ inline void operator delete[](void *memory, size_t) noexcept { ::free(memory); }
