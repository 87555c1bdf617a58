// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/kept_counts.h"

#include "engine/simd/launch/no_alias_check.h"

#include <atomic>
#include <bit>

namespace heddle::engine::simd {
namespace {

// A table must fit the second-level cache and be worth adding back.
constexpr uint64_t most_bytes = 128 << 10;
constexpr uint64_t least_threads = 8; // for each element

// Atomically, since other workers add to the array, too.
template <typename T> void addAll(char *array, char *table, uint64_t bytes) {
  auto *to = reinterpret_cast<T *>(array);
  auto *from = reinterpret_cast<T *>(table);
  for (uint64_t i = 0; i < bytes / sizeof(T); ++i)
    if (from[i]) {
      std::atomic_ref(to[i]).fetch_add(from[i], std::memory_order_relaxed);
      from[i] = 0;
    }
}

} // namespace

CountedArrays countedArrays(const SimdKernelInfo &info, const Launch &launch) {
  CountedArrays result;
  if (!info.counted || !accessedAlone(info.counted, info.uncounted, launch))
    return result;
  const uint64_t threads = launch.grid.count() * launch.block.count();
  unsigned number = 0;
  for (uint64_t rest = info.counted; rest; rest &= rest - 1, ++number) {
    const auto parameter = unsigned(std::countr_zero(rest));
    const bool wide = info.wide_counted >> parameter & 1;
    const uint64_t element = wide ? 8 : 4;
    char *begin = pointerArgument(launch, parameter);
    const uint64_t bytes = launch.device.allocations->bytesBehind(begin) / element * element;
    if (bytes <= most_bytes && bytes / element * least_threads <= threads &&
        reinterpret_cast<uintptr_t>(begin) % element == 0)
      result[number] = {begin, bytes, wide};
  }
  return result;
}

void CountTables::prepare(const CountedArrays &arrays, KeptCounts (&counts)[most_kept_counts]) {
  arrays_ = arrays;
  for (unsigned i = 0; i < most_kept_counts; ++i) {
    if (arrays[i].bytes > tables_[i].size())
      tables_[i].resize(arrays[i].bytes);
    counts[i] = {.table = tables_[i].data(), .bytes = arrays[i].bytes};
  }
}

void CountTables::putBack() {
  for (unsigned i = 0; i < most_kept_counts; ++i) {
    const CountedArray &array = arrays_[i];
    if (!array.bytes)
      continue;
    if (array.wide)
      addAll<uint64_t>(array.begin, tables_[i].data(), array.bytes);
    else
      addAll<uint32_t>(array.begin, tables_[i].data(), array.bytes);
  }
}

} // namespace heddle::engine::simd
