// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dropout.
#include "dropout.h"

#include "parallel.h"
#include "tensor.h"

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(DropoutDescriptor, cudnnDropoutStruct)

namespace heddle::cudnn {
namespace {

/// What the program's memory for the states holds.
struct States {
  uint64_t seed, drawn;
};
// Programs save and restore the states; the room is what generators of many threads would take.
constexpr size_t states_size = 1 << 16;

/// The i-th of four numbers' groups of Philox4x32-10 (Salmon et al., 2011).
void philox(uint64_t seed, uint64_t i, uint32_t out[4]) {
  uint32_t c[4] = {uint32_t(i), uint32_t(i >> 32), 0, 0};
  uint32_t key[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xD2511F53) * c[0], b = uint64_t(0xCD9E8D57) * c[2];
    const uint32_t next[4] = {uint32_t(b >> 32) ^ c[1] ^ key[0], uint32_t(b),
                              uint32_t(a >> 32) ^ c[3] ^ key[1], uint32_t(a)};
    std::copy_n(next, 4, c);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  std::copy_n(c, 4, out);
}

} // namespace

void drawBernoulli(uint64_t seed, uint64_t offset, double probability, uint8_t *mask,
                   int64_t count) {
  const double least = (1 - probability) * 4294967296.0;
  parallelEach((count + 3) / 4, 4096, [&](int64_t g) {
    uint32_t words[4];
    philox(seed, offset + uint64_t(g), words);
    for (int64_t k = 0; k < std::min<int64_t>(4, count - 4 * g); ++k)
      mask[4 * g + k] = double(words[k]) >= least;
  });
}

void drawMask(const Dropout &d, uint8_t *mask, int64_t count) {
  auto *const states = static_cast<States *>(d.states);
  drawBernoulli(states ? states->seed : d.seed, states ? states->drawn : 0,
                1 - double(d.probability), mask, count);
  if (states)
    states->drawn += uint64_t((count + 3) / 4);
}

namespace {

Dropout checked(float probability, void *states, size_t bytes, unsigned long long seed) {
  need(probability >= 0 && probability <= 1, "the probability is not in 0 to 1");
  need(!states || bytes >= states_size,
       "the states have less room than cudnnDropoutGetStatesSize says", CUDNN_STATUS_INVALID_VALUE);
  return {probability, states, bytes, seed};
}

} // namespace
} // namespace heddle::cudnn

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    needPointers(bytes);
    *bytes = states_size;
  });
}

cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x_desc, size_t *bytes) {
  return call(__func__, [&] {
    needPointers(bytes);
    *bytes = size_t(contents(x_desc).count());
  });
}

cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t descriptor, cudnnHandle_t handle,
                                        float probability, void *states, size_t bytes,
                                        unsigned long long seed) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    auto &d = live(descriptor);
    d = checked(probability, states, bytes, seed);
    if (states)
      run(handle, name, [=] { *static_cast<States *>(states) = {seed, 0}; });
  });
}

cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t descriptor,
                                            cudnnHandle_t handle, float probability, void *states,
                                            size_t bytes, unsigned long long seed) {
  return call(__func__, [&] {
    live(handle);
    auto &d = live(descriptor);
    d = checked(probability, states, bytes, seed);
  });
}

cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t descriptor, cudnnHandle_t handle,
                                        float *probability, void **states,
                                        unsigned long long *seed) {
  return call(__func__, [&] {
    live(handle);
    const auto &d = live(descriptor);
    give(probability, d.probability);
    give(states, d.states);
    give(seed, d.seed);
  });
}

namespace {

void applyMask(const Dropout &d, const Tensor &from, const void *x, const Tensor &to, void *y,
               const uint8_t *mask) {
  byWidth(isWide(from.type), [&]<typename T>() {
    const In<T> in(from, x);
    Out<T> out(to, y);
    const T scale = T(dropoutScale(d));
    parallelEach(from.count(), 8192, [&](int64_t i) { out[i] = mask[i] ? in[i] * scale : T(0); });
    out.finish();
  });
}

void checkDropout(cudnnHandle_t handle, const Tensor &a, const Tensor &b, const void *x,
                  const void *y, const void *reserve, size_t bytes) {
  live(handle);
  needSameShape(a, b);
  needPointers(x, y, reserve);
  need(bytes >= size_t(a.count()), "the reserve space is too small");
}

} // namespace

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t descriptor,
                                  const cudnnTensorDescriptor_t x_desc, const void *x,
                                  const cudnnTensorDescriptor_t y_desc, void *y, void *reserve,
                                  size_t bytes) {
  return call(__func__, [&, name = __func__] {
    const Dropout d = live(descriptor);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    checkDropout(handle, xt, yt, x, y, reserve, bytes);
    run(handle, name, [=] {
      auto *const mask = static_cast<uint8_t *>(reserve);
      drawMask(d, mask, xt.count());
      applyMask(d, xt, x, yt, y, mask);
    });
  });
}

cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t descriptor,
                                   const cudnnTensorDescriptor_t dy_desc, const void *dy,
                                   const cudnnTensorDescriptor_t dx_desc, void *dx, void *reserve,
                                   size_t bytes) {
  return call(__func__, [&, name = __func__] {
    const Dropout d = live(descriptor);
    const Tensor dyt = contents(dy_desc), dxt = contents(dx_desc);
    checkDropout(handle, dyt, dxt, dy, dx, reserve, bytes);
    run(handle, name,
        [=] { applyMask(d, dyt, dy, dxt, dx, static_cast<const uint8_t *>(reserve)); });
  });
}
