// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the data of one transform lies on several devices (cuFFT guide, "Multiple GPU cuFFT
// Transforms"): batches are divided among them, or else the rows of the first dimension (natural
// order) or of the second one (shuffled order). A row of real numbers is as long as that of the
// complex numbers it becomes.
#pragma once
#include "plan.h"

namespace heddle::cufft {

/// A piece that is contiguous both on its device and in the whole, as the host has it; in bytes.
struct Piece {
  int device; // the place in Plan::Gpus
  size_t in_whole, on_device, bytes;
};

class Layout {
public:
  /// One side of a plan's transform. The host's array is always in natural order.
  Layout(const Plan &of, bool of_input, bool shuffled);

  const std::vector<Piece> &pieces() const { return pieces_; }
  size_t bytes() const { return bytes_; }
  /// How many bytes a device holds.
  size_t bytesOn(int device) const { return on_device_[device]; }

private:
  void add(int device, size_t in_whole, size_t bytes);

  std::vector<Piece> pieces_;
  std::vector<size_t> on_device_;
  size_t bytes_ = 0;
};

/// Whether a format divides the second dimension, not the first.
bool isShuffled(int format);

} // namespace heddle::cufft
