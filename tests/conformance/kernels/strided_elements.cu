// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second to sixteenth element of shared memory is read, written and changed, as in the levels
// of a tree, wherever in its line the first one lies; and elements by indices without a sign.
#include "check.h"

#include <cstdint>

constexpr int threads = 96, most_step = 16, elements = threads * most_step + most_step;

// What is done to the elements FROM and TO of each thread's STEP.
template <class T, int STEP, int FROM, int TO> struct Change {
  static constexpr int forms = 7;

  __host__ __device__ static void change(T *values, int thread, int form, T factor) {
    T *own = values + STEP * thread;
    if (form == 0) { // up a tree
      own[TO] += own[FROM];
    } else if (form == 1) { // down
      const T sum = own[FROM];
      own[FROM] = own[TO];
      own[TO] += sum;
    } else if (form == 2) {
      own[TO] = own[TO] * factor + T(3);
    } else if (form == 3) { // the old value counts
      const T old = own[FROM];
      own[FROM] = own[TO] - old;
      own[TO] = old * factor;
    } else if (form == 4) {
      own[FROM] = own[TO];
    } else if (form == 5) { // under masks
      if (thread % 3 == 1)
        own[TO] += own[FROM];
    } else { // only written, with what differs from thread to thread
      own[TO] = T(thread);
    }
  }
};

template <class T, int STEP, int FROM, int TO>
__global__ void changeElements(T *out, T *read, const T *in, int form, T factor) {
  __shared__ T before[3], values[elements]; // not at the beginning of a line
  if (threadIdx.x < 3)
    before[threadIdx.x] = T(threadIdx.x);
  for (int i = threadIdx.x; i < elements; i += threads)
    values[i] = in[i];
  __syncthreads();
  // One after the other, since the compiler is to see each by itself.
  if (form == 0)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 0, factor);
  else if (form == 1)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 1, factor);
  else if (form == 2)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 2, factor);
  else if (form == 3)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 3, factor);
  else if (form == 4)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 4, factor);
  else if (form == 5)
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 5, factor);
  else
    Change<T, STEP, FROM, TO>::change(values, threadIdx.x, 6, factor);
  __syncthreads();
  read[threadIdx.x] = values[STEP * threadIdx.x + TO] + before[threadIdx.x % 3];
  for (int i = threadIdx.x; i < elements; i += threads)
    out[i] = values[i];
}

template <class T, int STEP, int FROM, int TO> static void checkElements() {
  using Changes = Change<T, STEP, FROM, TO>;
  std::vector<T> input(elements);
  for (int i = 0; i < elements; ++i)
    input[i] = T(i * 7 % 61);
  const DeviceBuffer<T> in(input);
  for (int form = 0; form < Changes::forms; ++form) {
    DeviceBuffer<T> out(elements), read(threads);
    changeElements<T, STEP, FROM, TO><<<1, threads>>>(out, read, in, form, T(5));
    std::vector<T> expected = input;
    for (int thread = 0; thread < threads; ++thread)
      Changes::change(expected.data(), thread, form, T(5));
    const auto result = out.download(), was_read = read.download();
    for (int i = 0; i < elements; ++i)
      CHECK_EQ(result[i], expected[i]);
    for (int thread = 0; thread < threads; ++thread)
      CHECK_EQ(was_read[thread], T(expected[STEP * thread + TO] + T(thread % 3)));
  }
}

template <class T> static void checkType() {
  checkElements<T, 2, 0, 1>();
  checkElements<T, 2, 1, 0>();
  checkElements<T, 4, 1, 3>();
  checkElements<T, 8, 3, 7>();
  checkElements<T, 8, 6, 2>();
  checkElements<T, 16, 7, 15>();
  checkElements<T, 3, 0, 2>();
  checkElements<T, 6, 1, 4>();
  checkElements<T, 4, 3, 5>(); // another thread's, which no other thread changes
}

// Indices of 32 bits without a sign, of which half are more than 2^31.
__global__ void bySignlessIndex(int *out, const int *in, const uint32_t *indices, long long base) {
  const uint32_t index = indices[threadIdx.x];
  const int value = (in - base)[index];
  (out - base)[index] = value + int(threadIdx.x);
}

static void checkIndices() {
  for (const long long base : {0ll, (1ll << 31) - threads / 2, (1ll << 32) - threads}) {
    std::vector<int> input(threads);
    std::vector<uint32_t> numbers(threads);
    for (int i = 0; i < threads; ++i) {
      input[i] = i * i;
      numbers[i] = uint32_t(base + i * 5 % threads);
    }
    const DeviceBuffer<int> in(input);
    const DeviceBuffer<uint32_t> indices(numbers);
    DeviceBuffer<int> out(threads);
    bySignlessIndex<<<1, threads>>>(out, in, indices, base);
    const auto result = out.download();
    for (int i = 0; i < threads; ++i) {
      const int place = i * 5 % threads;
      CHECK_EQ(result[place], place * place + i);
    }
  }
}

int main() {
  checkType<int>();
  checkType<float>();
  checkType<double>();
  checkType<uint8_t>();
  checkIndices();
  RETURN_RESULT();
}
