// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of a piece of memory have been written: one bit a byte.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace heddle::check {

/// Bits that lie elsewhere, one for each byte from `base` on; bits are only ever set. Functions may
/// be called from several threads at once.
class WrittenBits {
public:
  WrittenBits() = default;
  WrittenBits(uint64_t *bits, uint64_t base, uint64_t bytes)
      : bits_(bits), base_(base), bytes_(bytes) {}

  uint64_t base() const { return base_; }
  uint64_t end() const { return base_ + bytes_; }
  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= base_ && bytes <= bytes_ && address - base_ <= bytes_ - bytes;
  }

  /// Marks bytes within it; returns how many were not.
  uint64_t set(uint64_t address, uint64_t bytes) const;
  /// The first byte of the range that has not been written; its end if all have.
  uint64_t firstUnwritten(uint64_t address, uint64_t bytes) const;
  /// The first one that has; the range's end if none has.
  uint64_t firstWritten(uint64_t address, uint64_t bytes) const;
  /// Written bytes in a row around the address, which is one: begin and end. Looks at most so many
  /// bytes far, so there may be more.
  std::pair<uint64_t, uint64_t> runAround(uint64_t address, uint64_t most) const;

private:
  std::atomic_ref<uint64_t> word(uint64_t bit) const { return std::atomic_ref(bits_[bit / 64]); }
  uint64_t find(uint64_t bit, uint64_t end, bool written) const;
  uint64_t findBackwards(uint64_t bit, uint64_t begin) const;

  uint64_t *bits_ = nullptr;
  uint64_t base_ = 0, bytes_ = 0;
};

/// The bits of one allocation; their memory is mapped where bytes are written.
class WrittenBytes {
public:
  /// Throws std::bad_alloc.
  WrittenBytes(uint64_t base, uint64_t bytes);

  const WrittenBits &bits() const { return bits_; }
  void set(uint64_t address, uint64_t bytes) {
    if (!complete())
      left_.fetch_sub(bits_.set(address, bytes), std::memory_order_relaxed);
  }
  void setAll() { left_ = 0; }
  /// None has.
  bool untouched() const {
    return left_.load(std::memory_order_relaxed) == bits_.end() - bits_.base();
  }
  /// All bytes have been written.
  bool complete() const { return left_.load(std::memory_order_relaxed) == 0; }

private:
  struct Free {
    void operator()(uint64_t *memory) const { std::free(memory); }
  };
  std::unique_ptr<uint64_t, Free> memory_;
  WrittenBits bits_;
  std::atomic<uint64_t> left_;
};

} // namespace heddle::check
