// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that walk through lists of different lengths and append what they find to queues, by an
// atomicAdd for each item: nothing is lost or found twice, and what belongs together stays
// together, also if a thread reads what it has appended itself.
#include "check.h"

#include <algorithm>

constexpr int rows = 1000;

// Lists of 0 to 19 numbers.
struct Lists {
  std::vector<int> starts = {0}, numbers;

  Lists() {
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < row * 7 % 20; ++i)
        numbers.push_back((row * 31 + i * 17) % 4096);
      starts.push_back(int(numbers.size()));
    }
  }
};

// Threads of a row of the block take a row of lists; `first` rows and columns of lists only.
__device__ int rowOfThread(int columns, int lines) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int line = blockIdx.y * blockDim.y + threadIdx.y;
  return column < columns && line < lines ? line * columns + column : -1;
}

template <class Count, class Item>
__global__ void findOdd(Item *queue, Count *count, const int *starts, const int *numbers,
                        int columns, int lines) {
  const int row = rowOfThread(columns, lines);
  if (row < 0)
    return;
  for (int k = starts[row]; k < starts[row + 1]; ++k)
    if (numbers[numbers[k] % 64] % 2) // far away, so that each thread is on its own
      queue[atomicAdd(count, Count(1))] = Item(numbers[k]);
}

// Where the number was, beside it; and a second queue, for even ones.
__global__ void findBoth(int *odd, int *odd_places, int *even, int *counts, int *even_count,
                         const int *starts, const int *numbers) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int k = starts[row]; k < starts[row + 1]; ++k) {
    if (numbers[numbers[k] % 64] % 2) {
      const int place = atomicAdd(counts, 1);
      odd[place] = numbers[k];
      odd_places[place] = k;
    } else {
      even[atomicAdd(even_count, 1)] = numbers[k];
    }
  }
}

// No more than there is room for.
__global__ void findSome(int *queue, int *count, const int *starts, const int *numbers, int room) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int k = starts[row]; k < starts[row + 1]; ++k)
    if (numbers[numbers[k] % 64] % 2) {
      const int place = atomicAdd(count, 1);
      if (place < room)
        queue[place] = numbers[k];
    }
}

// Breadth-first: one thread works off the queue that it fills. `queue` and `same` are the same.
__global__ void reach(int *queue, const int *same, int *count, const int *now, int *seen) {
  for (int i = 0; i < atomicAdd(count, 0); ++i)
    for (int step = 1; step <= 3; ++step) {
      const int to = (same[i] * step + 1) % 512;
      if (atomicExch(&seen[to], 1) == 0)
        queue[atomicAdd(count, 1)] = to + *now;
    }
}

// The same, but that the thread knows where its next item will be.
__global__ void follow(int *queue, int *count, const int *same, const int *lengths) {
  const int chain = threadIdx.x;
  if (chain > 0)
    return;
  for (int i = 0; i < lengths[chain]; ++i)
    queue[atomicAdd(count, 1)] = same[i] * 3 % 1021;
}

// What many threads of a warp take at once. `Shared`: each block for itself.
template <class T, bool Shared>
__global__ void take(int *owners, T *counter, int total, int things, bool different) {
  __shared__ T own_counter;
  if (Shared && threadIdx.x == 0)
    own_counter = 0;
  if (Shared)
    __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= total || thread % 7 == 3)
    return;
  const int wanted = different ? thread * 5 % 4 : things;
  const T first = atomicAdd(Shared ? &own_counter : counter, T(wanted));
  for (int i = 0; i < wanted; ++i)
    owners[(Shared ? blockIdx.x * 4 * blockDim.x : 0) + int(first) + i] = thread;
}

__global__ void takeBack(int *owners, int *counter, int total) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < total)
    owners[atomicSub(counter, 2) - 2] = thread;
}

// Each thread has as many places as it wanted, side by side, and no other thread has them.
template <class T, bool Shared> static void checkTaken(int total, int things, bool different) {
  const int block = 256, blocks = (total + block - 1) / block;
  DeviceBuffer<int> owners(std::vector<int>(blocks * block * 4, -1));
  DeviceBuffer<T> counter(std::vector<T>{0});
  take<T, Shared><<<blocks, block>>>(owners.data(), counter.data(), total, things, different);
  const std::vector<int> found = owners.download();
  std::vector<int> first(total, -1), number(total);
  for (int i = 0; i < int(found.size()); ++i)
    if (const int thread = found[i]; thread >= 0) {
      if (number[thread]++ == 0)
        first[thread] = i;
      CHECK_EQ(i, first[thread] + number[thread] - 1);
    }
  long long all = 0;
  for (int thread = 0; thread < total; ++thread) {
    const int wanted = thread % 7 == 3 ? 0 : different ? thread * 5 % 4 : things;
    CHECK_EQ(number[thread], wanted);
    all += wanted;
  }
  CHECK_EQ((long long)counter.download()[0], Shared ? 0 : all);
}

static void checkTakenBack(int total) {
  DeviceBuffer<int> owners(std::vector<int>(2 * total, -1));
  DeviceBuffer<int> counter(std::vector<int>{2 * total});
  takeBack<<<(total + 63) / 64, 64>>>(owners.data(), counter.data(), total);
  const std::vector<int> found = owners.download();
  std::vector<int> times(total);
  for (int i = 0; i < total; ++i) {
    CHECK_EQ(found[2 * i + 1], -1);
    ++times[found[2 * i]];
  }
  CHECK(times == std::vector<int>(total, 1));
  CHECK_EQ(counter.download()[0], 0);
}

static std::vector<int> expectedOdd(const Lists &lists, int first_rows) {
  std::vector<int> result;
  for (int k = 0; k < lists.starts[first_rows]; ++k)
    if (lists.numbers[lists.numbers[k] % 64] % 2)
      result.push_back(lists.numbers[k]);
  std::sort(result.begin(), result.end());
  return result;
}

template <class T> static std::vector<int> sorted(const std::vector<T> &queue, long long count) {
  std::vector<int> result(queue.begin(), queue.begin() + count);
  std::sort(result.begin(), result.end());
  return result;
}

template <class Count, class Item>
static void checkQueue(const Lists &lists, dim3 block, int columns, int lines) {
  const DeviceBuffer<int> starts(lists.starts), numbers(lists.numbers);
  DeviceBuffer<Item> queue(lists.numbers.size());
  DeviceBuffer<Count> count(std::vector<Count>{0});
  const dim3 grid((columns + block.x - 1) / block.x, (lines + block.y - 1) / block.y);
  findOdd<<<grid, block>>>(queue.data(), count.data(), starts.data(), numbers.data(), columns,
                           lines);
  const std::vector<int> expected = expectedOdd(lists, columns * lines);
  const auto found = (long long)count.download()[0];
  CHECK_EQ(found, (long long)expected.size());
  CHECK(sorted(queue.download(), found) == expected);
}

static void checkBoth(const Lists &lists) {
  const DeviceBuffer<int> starts(lists.starts), numbers(lists.numbers);
  DeviceBuffer<int> odd(lists.numbers.size()), places(lists.numbers.size()),
      even(lists.numbers.size());
  DeviceBuffer<int> odd_count(std::vector<int>{0}), even_count(std::vector<int>{0});
  findBoth<<<(rows + 127) / 128, 128>>>(odd.data(), places.data(), even.data(), odd_count.data(),
                                        even_count.data(), starts.data(), numbers.data());
  const std::vector<int> found = odd.download(), where = places.download();
  const int odds = odd_count.download()[0], evens = even_count.download()[0];
  CHECK_EQ(odds + evens, int(lists.numbers.size()));
  CHECK(sorted(found, odds) == expectedOdd(lists, rows));
  for (int i = 0; i < odds; ++i)
    CHECK_EQ(found[i], lists.numbers[where[i]]);
  std::vector<int> all = sorted(found, odds), rest = sorted(even.download(), evens);
  all.insert(all.end(), rest.begin(), rest.end());
  CHECK(sorted(all, (long long)all.size()) ==
        sorted(lists.numbers, (long long)lists.numbers.size()));
}

// Lists, queue and count in one allocation, and a queue that is too small.
static void checkSome(const Lists &lists) {
  const int room = 500, starts = 16, numbers = starts + rows + 1;
  const int queue = numbers + int(lists.numbers.size());
  std::vector<int> content(queue + room + 100, -7);
  content[0] = 0;
  std::copy(lists.starts.begin(), lists.starts.end(), content.begin() + starts);
  std::copy(lists.numbers.begin(), lists.numbers.end(), content.begin() + numbers);
  DeviceBuffer<int> memory(content);
  int *all = memory.data();
  findSome<<<(rows + 127) / 128, 128>>>(all + queue, all, all + starts, all + numbers, room);
  const std::vector<int> result = memory.download(), expected = expectedOdd(lists, rows);
  CHECK_EQ(result[0], int(expected.size()));
  for (int i = 0; i < room; ++i)
    CHECK(std::binary_search(expected.begin(), expected.end(), result[queue + i]));
  for (int i = 0; i < 100; ++i)
    CHECK_EQ(result[queue + room + i], -7);
}

static void checkOwn() {
  DeviceBuffer<int> queue(2048), count(std::vector<int>{1}), now(std::vector<int>{0}), seen(512);
  reach<<<1, 1>>>(queue.data(), queue.data(), count.data(), now.data(), seen.data());
  std::vector<int> expected = {0}, known(512);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (int step = 1; step <= 3; ++step) {
      const int to = (expected[i] * step + 1) % 512;
      if (!known[to]++)
        expected.push_back(to);
    }
  CHECK_EQ(count.download()[0], int(expected.size()));
  const std::vector<int> found = queue.download();
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK_EQ(found[i], expected[i]);

  DeviceBuffer<int> chain(std::vector<int>(300, 5)), length(std::vector<int>{1});
  const DeviceBuffer<int> lengths(std::vector<int>{200});
  follow<<<1, 32>>>(chain.data(), length.data(), chain.data(), lengths.data());
  const std::vector<int> numbers = chain.download();
  CHECK_EQ(length.download()[0], 201);
  for (int i = 0; i < 200; ++i)
    CHECK_EQ(numbers[i + 1], numbers[i] * 3 % 1021);
}

int main() {
  const Lists lists;
  for (const dim3 block : {dim3(128), dim3(1000), dim3(33), dim3(1024), dim3(1)}) {
    checkQueue<int, int>(lists, block, rows, 1);
    checkQueue<unsigned, short>(lists, block, rows - 1, 1);
    checkQueue<unsigned long long, double>(lists, block, 3, 1);
  }
  for (const dim3 block : {dim3(32, 4), dim3(8, 8), dim3(64, 16), dim3(5, 3), dim3(1, 64)}) {
    checkQueue<int, int>(lists, block, 40, 25);
    checkQueue<unsigned, long long>(lists, block, 33, 7);
  }
  checkBoth(lists);
  checkSome(lists);
  checkOwn();
  for (const bool different : {false, true})
    for (const int total : {1024, 999, 5}) {
      checkTaken<int, false>(total, 1, different);
      checkTaken<unsigned, true>(total, 3, different);
      checkTaken<unsigned long long, false>(total, 2, different);
      checkTaken<unsigned long long, true>(total, 1, different);
    }
  checkTakenBack(1000);
  checkTakenBack(64);
  RETURN_RESULT();
}
