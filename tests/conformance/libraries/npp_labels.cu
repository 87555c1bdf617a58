// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnppif -lnppc
//
// NPP's labels of connected regions for batches, of one size and of several (Advanced), and their
// renumbering; against flooding.
#include "npp_check.h"

namespace {

struct Size {
  int width, height;
};

/// Labels by flooding; how many regions there are.
template <class T>
int flood(const std::vector<T> &image, Size size, bool diagonal, std::vector<int> &label) {
  std::vector<int> todo;
  int count = 0;
  label.assign(image.size(), -1);
  for (size_t first = 0; first < image.size(); ++first) {
    if (label[first] >= 0)
      continue;
    label[first] = count;
    for (todo = {int(first)}; !todo.empty();) {
      const int k = todo.back();
      todo.pop_back();
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int x = k % size.width + dx, y = k / size.width + dy, to = y * size.width + x;
          if ((dx && dy && !diagonal) || x < 0 || y < 0 || x >= size.width || y >= size.height ||
              label[to] >= 0 || image[to] != image[k])
            continue;
          label[to] = count;
          todo.push_back(to);
        }
    }
    ++count;
  }
  return count;
}

template <class T> T *managed(size_t count) {
  T *data = nullptr;
  CHECK_CUDA(cudaMallocManaged(&data, count * sizeof(T)));
  return data;
}

/// Images, their labels and buffers, in lists as the functions take them.
template <class T> struct Batch {
  std::vector<Size> sizes;
  Size largest{0, 0};
  int largest_buffer = 0;
  NppiImageDescriptor *src, *dst;
  NppiBufferDescriptor *buffers;
  unsigned *counts;
  std::vector<std::vector<T>> content;

  explicit Batch(std::vector<Size> sizes_)
      : sizes(sizes_), src(managed<NppiImageDescriptor>(sizes.size())),
        dst(managed<NppiImageDescriptor>(sizes.size())),
        buffers(managed<NppiBufferDescriptor>(sizes.size())),
        counts(managed<unsigned>(sizes.size())) {
    for (size_t k = 0; k < sizes.size(); ++k) {
      const auto [w, h] = sizes[k];
      const int step = int((w * sizeof(T) + 31) / 32 * 32); // sources may have a pitch
      char *const image = managed<char>(size_t(step) * h);
      std::vector<T> values;
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          values.push_back(T((x * 7 + y * 13 + x * y * int(k + 1)) % 11 < 5 ? 3 : 200 + k % 2));
          reinterpret_cast<T *>(image + size_t(y) * step)[x] = values.back();
        }
      content.push_back(values);
      src[k] = {image, step, {1, 1}}; // its size is not looked at
      dst[k] = {managed<Npp32u>(size_t(w) * h), w * 4, {w, h}};
      int bytes = 0;
      OK(nppiCompressMarkerLabelsGetBufferSize_32u_C1R(w * h, &bytes));
      buffers[k] = {managed<char>(bytes), bytes};
      counts[k] = 0xdead;
      largest = {std::max(largest.width, w), std::max(largest.height, h)};
      largest_buffer = std::max(largest_buffer, bytes);
    }
  }
  size_t size() const { return sizes.size(); }
  NppiSize roi() const { return {largest.width, largest.height}; }

  /// Whether labels name the regions of image k, all of them below `limit`.
  void verify(size_t k, bool diagonal, unsigned limit, int *regions = nullptr) {
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<int> expected;
    const int count = flood(content[k], sizes[k], diagonal, expected);
    std::vector<long long> named(limit, -1);
    const auto *const labels = static_cast<const Npp32u *>(dst[k].pData);
    int wrong = 0, used = 0;
    for (size_t i = 0; i < expected.size(); ++i)
      if (labels[i] >= limit)
        ++wrong;
      else if (named[labels[i]] < 0) {
        named[labels[i]] = expected[i];
        ++used;
      } else
        wrong += named[labels[i]] != expected[i];
    CHECK_EQ(wrong, 0);
    CHECK_EQ(used, count);
    if (regions)
      *regions = count;
  }
};

template <class T, class Label, class Compress>
void testBatch(const std::vector<Size> &sizes, Label label, Compress compress) {
  for (const NppiNorm norm : {nppiNormInf, nppiNormL1}) {
    Batch<T> batch(sizes);
    const bool diagonal = norm == nppiNormInf;
    OK(label(batch.src, batch.dst, int(batch.size()), batch.roi(), norm, context()));
    for (size_t k = 0; k < batch.size(); ++k)
      batch.verify(k, diagonal, unsigned(batch.content[k].size()));
    OK(compress(batch.dst, batch.buffers, batch.counts, int(batch.size()), batch.roi(),
                batch.largest_buffer, context()));
    for (size_t k = 0; k < batch.size(); ++k) {
      int regions = 0;
      CHECK_CUDA(cudaDeviceSynchronize());
      batch.verify(k, diagonal, batch.counts[k], &regions);
      CHECK_EQ(int(batch.counts[k]), regions);
    }
  }
}

// As one image's functions do: the same labels and numbers.
void testLikeSingle() {
  Batch<Npp8u> batch({{61, 37}, {300, 5}});
  OK(nppiLabelMarkersUFBatch_8u32u_C1R_Advanced_Ctx(batch.src, batch.dst, 2, batch.roi(),
                                                    nppiNormInf, context()));
  OK(nppiCompressMarkerLabelsUFBatch_32u_C1IR_Advanced_Ctx(
      batch.dst, batch.buffers, batch.counts, 2, batch.roi(), batch.largest_buffer, context()));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (size_t k = 0; k < 2; ++k) {
    const NppiSize size = batch.dst[k].oSize;
    const int pixels = size.width * size.height;
    Npp32u *const labels = managed<Npp32u>(pixels);
    int bytes = 0, count = 0;
    OK(nppiLabelMarkersUFGetBufferSize_32u_C1R(size, &bytes));
    OK(nppiLabelMarkersUF_8u32u_C1R_Ctx(static_cast<Npp8u *>(batch.src[k].pData),
                                        batch.src[k].nStep, labels, size.width * 4, size,
                                        nppiNormInf, managed<Npp8u>(bytes), context()));
    OK(nppiCompressMarkerLabelsUF_32u_C1IR_Ctx(labels, size.width * 4, size, pixels, &count,
                                               static_cast<Npp8u *>(batch.buffers[k].pData),
                                               context()));
    CHECK_EQ(count, int(batch.counts[k]));
    CHECK(std::equal(labels, labels + pixels, static_cast<Npp32u *>(batch.dst[k].pData)));
  }
}

void testBadArguments() {
  Batch<Npp8u> batch({{8, 8}, {8, 8}});
  const auto label = [&](const NppiImageDescriptor *src, int count, NppiSize size, NppiNorm norm) {
    return nppiLabelMarkersUFBatch_8u32u_C1R_Ctx(src, batch.dst, count, size, norm, context());
  };
  CHECK_EQ(label(nullptr, 2, {8, 8}, nppiNormInf), NPP_NULL_POINTER_ERROR);
#ifdef __HEDDLE_CUDA__ // NVIDIA's documentation names no error for these
  CHECK_EQ(label(batch.src, 0, {8, 8}, nppiNormInf), NPP_BAD_ARGUMENT_ERROR);
  CHECK_EQ(label(batch.src, 2, {0, 8}, nppiNormInf), NPP_SIZE_ERROR);
  CHECK_EQ(label(batch.src, 2, {8, 8}, nppiNormL2), NPP_BAD_ARGUMENT_ERROR);
  CHECK_EQ(nppiCompressMarkerLabelsUFBatch_32u_C1IR_Ctx(batch.dst, batch.buffers, batch.counts, 2,
                                                        {8, 8}, 100, context()),
           NPP_SIZE_ERROR);
#endif
}

} // namespace

int main() {
  const std::vector<Size> same(3, {70, 33}), several{{64, 64}, {129, 3}, {1, 40}, {2, 1}, {300, 5}};
  testBatch<Npp8u>(same, nppiLabelMarkersUFBatch_8u32u_C1R_Ctx,
                   nppiCompressMarkerLabelsUFBatch_32u_C1IR_Ctx);
  testBatch<Npp16u>(same, nppiLabelMarkersUFBatch_16u32u_C1R_Ctx,
                    nppiCompressMarkerLabelsUFBatch_32u_C1IR_Ctx);
  testBatch<Npp32u>(same, nppiLabelMarkersUFBatch_32u_C1R_Ctx,
                    nppiCompressMarkerLabelsUFBatch_32u_C1IR_Ctx);
  testBatch<Npp8u>(several, nppiLabelMarkersUFBatch_8u32u_C1R_Advanced_Ctx,
                   nppiCompressMarkerLabelsUFBatch_32u_C1IR_Advanced_Ctx);
  testBatch<Npp16u>(several, nppiLabelMarkersUFBatch_16u32u_C1R_Advanced_Ctx,
                    nppiCompressMarkerLabelsUFBatch_32u_C1IR_Advanced_Ctx);
  testBatch<Npp32u>(several, nppiLabelMarkersUFBatch_32u_C1R_Advanced_Ctx,
                    nppiCompressMarkerLabelsUFBatch_32u_C1IR_Advanced_Ctx);
  testLikeSingle();
  testBadArguments();
  RETURN_RESULT();
}
