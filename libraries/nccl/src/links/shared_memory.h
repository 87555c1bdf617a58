// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that processes of one host share: a file without a name, which others open through /proc,
// so that nothing is left behind however a process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::nccl {

class SharedMemory {
public:
  /// How another process finds it. Plain data: it travels in messages.
  struct Offer {
    int32_t process = 0, descriptor = -1; // -1: nothing is offered
    uint64_t mark = 0;
  };

  SharedMemory() = default;
  /// Zeros, but for a mark in the first eight bytes. Not there if the system has no more.
  static SharedMemory make(size_t bytes);
  /// The memory of an offer, whose maker has not closed it. Not there if it cannot be opened here.
  static SharedMemory open(const Offer &offer, size_t bytes);

  SharedMemory(SharedMemory &&other) noexcept { *this = std::move(other); }
  SharedMemory &operator=(SharedMemory &&other) noexcept;
  ~SharedMemory();

  explicit operator bool() const { return data_ != nullptr; }
  template <class T> T *as() const { return static_cast<T *>(data_); }
  Offer offer() const;
  /// It cannot be opened any more, and stays where it is open.
  void closeFile();

private:
  void *data_ = nullptr;
  size_t bytes_ = 0;
  int descriptor_ = -1;
};

} // namespace heddle::nccl
