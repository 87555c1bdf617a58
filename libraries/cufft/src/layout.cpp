// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout.h"

#include <algorithm>

namespace heddle::cufft {
namespace {

// Devices get equal parts; the first ones get one more each of what is left.
std::pair<size_t, size_t> part(size_t count, size_t devices, size_t device) {
  const size_t each = count / devices, more = count % devices;
  const size_t begin = device * each + std::min(device, more);
  return {begin, begin + each + (device < more)};
}

} // namespace

void Layout::add(int device, size_t in_whole, size_t bytes) {
  if (bytes != 0)
    pieces_.push_back({device, in_whole, on_device_[device], bytes});
  on_device_[device] += bytes;
}

Layout::Layout(const Plan &of, bool of_input, bool shuffled) : on_device_(of.Gpus.size()) {
  const Side side = basicSide(of.Of, of_input, true);
  const size_t element = elementBytes(of.Of, of_input), devices = of.Gpus.size();
  const auto one = static_cast<size_t>(side.Distance) * element;
  bytes_ = one * of.Of.Batch;
  const bool batches = of.Of.Batch > 1;
  const bool second = shuffled && !batches && of.Of.Rank > 1;
  const size_t outer = second ? side.Embed[0] : 1;
  const size_t divided = batches ? of.Of.Batch : side.Embed[second ? 1 : 0];
  const size_t row = bytes_ / outer / divided;
  for (size_t x = 0; x < outer; ++x)
    for (size_t device = 0; device < devices; ++device) {
      const auto [begin, end] = part(divided, devices, device);
      add(int(device), (x * divided + begin) * row, (end - begin) * row);
    }
}

bool isShuffled(int format) {
  return format == CUFFT_XT_FORMAT_OUTPUT || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ||
         format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED;
}

} // namespace heddle::cufft
