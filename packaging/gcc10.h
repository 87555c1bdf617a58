// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Heddle's sources use of C++20 and GCC 10's standard library lacks; included before all else
// where packages are built against that (sysroot.cmake).
#pragma once

#ifdef __cplusplus
#include <atomic>
#include <bit>
#include <memory>

namespace std {

#ifndef __cpp_lib_bit_cast // in GCC 11
template <typename To, typename From> constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_smart_ptr_for_overwrite // in GCC 12
template <typename T> unique_ptr<T> make_unique_for_overwrite(size_t count) {
  static_assert(is_array_v<T> && extent_v<T> == 0);
  return unique_ptr<T>(new remove_extent_t<T>[count]);
}
#endif

#ifndef __cpp_lib_atomic_shared_ptr // in GCC 12; this one has a lock, which the functions share
template <typename T> struct atomic<shared_ptr<T>> {
  constexpr atomic() noexcept = default;
  atomic(shared_ptr<T> desired) noexcept : value_(std::move(desired)) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;

  shared_ptr<T> load(memory_order order = memory_order_seq_cst) const noexcept {
    return atomic_load_explicit(&value_, order);
  }
  void store(shared_ptr<T> desired, memory_order order = memory_order_seq_cst) noexcept {
    atomic_store_explicit(&value_, std::move(desired), order);
  }
  shared_ptr<T> exchange(shared_ptr<T> desired,
                         memory_order order = memory_order_seq_cst) noexcept {
    return atomic_exchange_explicit(&value_, std::move(desired), order);
  }
  void operator=(shared_ptr<T> desired) noexcept { store(std::move(desired)); }
  operator shared_ptr<T>() const noexcept { return load(); }

private:
  shared_ptr<T> value_;
};
#endif

} // namespace std
#endif
